"""Reads the arguments of a call. Whatever is not understood is named, so that nobody takes it for harmless."""

import posixpath
import shlex
from collections.abc import Mapping

from assent.acp import argument_words as words
from assent.acp.arguments import Arguments, Shown, texts_in
from assent.acp.change_arguments import read_changes
from assent.acp.command_lines import mean_the_same_alone
from assent.acp.fields import as_object, items, text_in
from assent.acp.paths_told import addresses_in, is_address, is_pattern, local, may_be_secret
from assent.model.json import Json, JsonObject

_NEEDS_MORE_LINES = "<<"
_MOST_COMMANDS = 100
"""In one call. Nobody would read more of them."""
_LONGEST_OF_SEVERAL = 20_000


def read_arguments(value: JsonObject, *, executes: bool) -> Shown:
    """What they show. `executes`: the agent says that the call runs a command."""
    told, shown = Arguments(value), Shown()
    if executes or not _takes_editor(told):
        _read_commands(told, shown)
    if told.are_understood:
        # A command that is told alone, as most are, or nothing at all.
        return shown
    _read_folders(told, shown)
    _read_environment(told, shown)
    read_changes(told, shown)
    _read_addresses(told, shown)
    shown.unread.extend(path for path in shown.paths if is_pattern(path))
    _read_words(told, shown)
    _start_from_folder(shown)
    shown.unread.extend(told.left())
    return shown


def _takes_editor(told: Arguments) -> bool:
    """Whether what looks like a command tells an editor of files what to do with one."""
    verbs = [(name, words.plain(text)) for name, value in told.values(words.COMMANDS) if (text := text_in(value))]
    if not told.has(words.PATHS) or len(verbs) != 1 or verbs[0][1] not in words.EDITOR:
        return False
    if verbs[0][1] not in words.EDITOR_UNSHOWN:
        told.took(verbs[0][0])
    return True


def _read_commands(told: Arguments, shown: Shown) -> None:
    for name, value in told.values(words.COMMANDS):
        texts = texts_in(value)
        if texts is not None:
            told.took(name)
            shown.commands.append(texts[0] if isinstance(value, str) else shlex.join(texts))
    _read_rest(told, shown)
    for name, value in told.values(words.SEVERAL_COMMANDS):
        texts = [text for one in items(value) if (text := text_in(one) or text_in(as_object(one).get("identifier")))]
        if len(texts) == len(items(value)) and _fits(texts, shown):
            told.took(name)


def _read_rest(told: Arguments, shown: Shown) -> None:
    """Words of a program that is named apart from them. A program with blanks or signs in it could be anything."""
    for name, value in told.values(words.REST_OF_COMMAND):
        texts = texts_in(value)
        if texts is None or isinstance(value, str) or len(shown.commands) != 1:
            continue
        if shlex.quote(shown.commands[0]) == shown.commands[0]:
            told.took(name)
            shown.commands = [shlex.join([shown.commands[0], *texts])]


def _fits(texts: list[str], shown: Shown) -> bool:
    """Beside a command these name its parts. Alone they are commands, one after the other, and must stay apart."""
    if len(texts) > _MOST_COMMANDS:
        return False
    if shown.commands:
        return all(any(text in command for command in shown.commands) for text in texts)
    if len(texts) > 1 and not all(map(_stands_alone, texts)):
        return False
    if mean_the_same_alone(tuple(texts)):
        shown.commands.append("\n".join(texts))
    else:
        # Some run each in a shell of its own, which knows nothing of the others: a folder, a variable.
        shown.commands.append("\n".join(f"({one}\n)" for one in texts))
        shown.unread.append("whether one of its commands goes on from another")
    return True


def _stands_alone(command: str) -> bool:
    if len(command) > _LONGEST_OF_SEVERAL or _NEEDS_MORE_LINES in command or command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def _read_folders(told: Arguments, shown: Shown) -> None:
    shown.folders.extend(told.texts(words.FOLDERS_OF_COMMANDS))
    (shown.folders if shown.commands else shown.paths).extend(told.texts(words.FOLDERS))


def _start_from_folder(shown: Shown) -> None:
    """Without a command the folder says where the names begin, and is looked at itself."""
    if shown.commands or not shown.folders:
        return
    if len(set(shown.folders)) > 1 or shown.edits or shown.writes or shown.deletes or shown.moves:
        shown.unread.append("the folder in which its files are")
    folder = shown.folders[0]
    shown.paths = [folder, *(posixpath.join(folder, path) for path in shown.paths)]


def _read_environment(told: Arguments, shown: Shown) -> None:
    for name, value in told.values(words.ENVIRONMENTS):
        variables = _variables(value)
        if variables is not None:
            told.took(name)
            shown.env.update(variables)


def _variables(value: Json) -> dict[str, str] | None:
    if isinstance(value, Mapping):
        pairs = list(value.items())
    else:
        pairs = [(str(one.get("name")), one.get("value")) for one in map(as_object, items(value)) if one.get("name")]
        if not pairs or len(pairs) != len(items(value)):
            return None
    found = {name: text for name, text in pairs if isinstance(text, str)}
    return found if len(found) == len(pairs) else None


def _read_addresses(told: Arguments, shown: Shown) -> None:
    for address in told.texts(words.ADDRESSES):
        path = local(address)
        (shown.urls if path == address else shown.paths).append(path)
    shown.paths = [local(path) for path in shown.paths]
    shown.urls.extend(path for path in shown.paths if is_address(path))
    shown.paths = [path for path in shown.paths if not is_address(path)]


def _read_words(told: Arguments, shown: Shown) -> None:
    shown.asks = told.has(words.QUESTIONS)
    for text in told.texts(words.IN_WORDS):
        shown.words.append(text)
        shown.urls.extend(addresses_in(text))
    for name, value in told.values(words.PLACES_IN_PATTERNS):
        texts = texts_in(value)
        if texts is not None:
            told.took(name)
            shown.paths.extend(text for text in texts if _leads_away(text))
            shown.unread.extend(text for text in texts if _leads_away(text) and "{" in text)
            if words.plain(name) not in ("pattern", "patterns") or not shown.commands:
                shown.unread.extend(text for text in texts if may_be_secret(text))


def _leads_away(pattern: str) -> bool:
    # One of several that stand in braces is enough.
    each = pattern.replace("{", ",").split(",")
    return ".." in pattern or any(one.strip().startswith(("/", "~", "\\")) or one[1:2] == ":" for one in each)

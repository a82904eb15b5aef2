"""Changes of files in the arguments of a call: contents, replacements, patches, several of them, moves."""

from collections.abc import Mapping

from assent.acp import argument_words as words
from assent.acp.arguments import Arguments, Shown
from assent.acp.fields import as_object, items, member, text_in
from assent.acp.patches import BEGIN_PATCH, Patch, blocks_in, has_blocks, patch_in
from assent.acp.words import Diff
from assent.model.json import Json, JsonObject

_DEEPEST = 4
"""Changes within changes."""


def read_changes(told: Arguments, shown: Shown, outer: str | None = None, depth: int = 0) -> None:
    """All changes that these arguments show. `outer`: the file that they are about unless they say so themselves."""
    _read_several(told, shown, outer, depth)
    _read_lengths(told, shown)
    paths = told.texts(words.PATHS)
    if _read_move(told, shown, paths):
        return
    changed = paths or ([outer] if outer else [])
    if not _read_change(told, shown, changed):
        shown.paths.extend(paths)
    elif depth == 0 and len(paths) > 1:
        shown.unread.append("which of its files gets which content")


def _read_lengths(told: Arguments, shown: Shown) -> None:
    for name, value in told.values(words.LENGTHS):
        if type(value) is int:
            told.took(name)
            shown.lengths.append(value)


def _read_change(told: Arguments, shown: Shown, paths: list[str]) -> bool:
    """False where there is none."""
    olds, news = told.contents(words.OLD), told.contents(words.NEW)
    whole = told.contents(words.WHOLE)
    patched = _read_patches(told, shown, paths, beside=bool(whole))
    if not (olds or news or whole) or not paths:
        return patched or bool((olds or news or whole) and _nowhere(shown))
    if _is_partial(told):
        shown.writes.extend(paths)
        return True
    for path in paths:
        for new in whole or news or [""]:
            _add_content(shown, path, olds[0] if olds else None, new)
    if len(olds) > 1 or len(news) > 1:
        shown.unread.append("which of its contents it means")
    return True


def _nowhere(shown: Shown) -> bool:
    shown.unread.append("the file that gets this content")
    return True


def _add_content(shown: Shown, path: str, old: str | None, new: str) -> None:
    if old is None and has_blocks(new):
        _add(shown, blocks_in(new, path), new)
    else:
        shown.edits.append(Diff(path, old, new))


def _is_partial(told: Arguments) -> bool:
    """Whether the new text is only put somewhere into the file: what the file then holds is not told."""
    modes = [value for _, value in told.values(("mode",))]
    return told.has(("insertline",)) or "append" in modes


def _read_patches(told: Arguments, shown: Shown, paths: list[str], *, beside: bool) -> bool:
    """`beside`: the whole content is told as well, and a diff of the same file would say it twice."""
    found = False
    for name, value in told.values((*words.PATCHES, "input")):
        text = text_in(value)
        if text is None or (words.plain(name) == "input" and not text.lstrip().startswith(BEGIN_PATCH)):
            continue
        told.took(name)
        patch = patch_in(text, paths[0] if paths else None)
        if beside:
            patch.edits = [one for one in patch.edits if one.path not in paths]
        _add(shown, patch, name)
        found = True
    return found


def _add(shown: Shown, patch: Patch, name: str) -> None:
    shown.edits.extend(patch.edits)
    shown.deletes.extend(patch.deletes)
    shown.moves.extend(patch.moves)
    if not patch.whole:
        shown.unread.append(name[:40])


def _read_move(told: Arguments, shown: Shown, paths: list[str]) -> bool:
    sources = [text for _, value in told.values(words.SOURCES) if (text := text_in(value))]
    targets = [text for _, value in told.values(words.TARGETS) if (text := text_in(value))]
    sources = sources or paths
    if len(sources) != 1 or len(targets) != 1:
        return False
    for name, _ in told.values((*words.SOURCES, *words.TARGETS)):
        told.took(name)
    shown.moves.append((sources[0], targets[0]))
    shown.paths.extend(path for path in paths if path != sources[0])
    return True


def _read_several(told: Arguments, shown: Shown, outer: str | None, depth: int) -> None:
    if depth >= _DEEPEST:
        return
    path = next((text for _, value in told.values(words.PATHS) if (text := text_in(value))), outer)
    for name, value in told.values(words.EDITS):
        several = [value] if isinstance(value, Mapping) else list(items(value))
        if several and all(isinstance(one, Mapping) for one in several):
            told.took(name)
            for one in several:
                _read_one(as_object(one), shown, path, depth + 1)


def _read_one(value: JsonObject, shown: Shown, outer: str | None, depth: int) -> None:
    inner = Arguments(value)
    path = next((text for _, one in inner.values(words.PATHS) if (text := text_in(one))), outer)
    if path is not None and _change_of(path, value, shown):
        return
    known = (*words.OLD, *words.NEW, *words.PATHS, *words.PATCHES, *words.WHOLE, *words.SOURCES, *words.TARGETS)
    if inner.has(known):
        read_changes(inner, shown, outer, depth)
        shown.unread.extend(inner.left())
        return
    for file, change in value.items():
        if not _change_of(file, as_object(change), shown):
            _read_file(file, change, shown, depth)


def _read_file(file: str, change: Json, shown: Shown, depth: int) -> None:
    """A change that stands under the name of its file."""
    inner = Arguments(as_object(change))
    if depth < _DEEPEST and inner.has((*words.OLD, *words.NEW, *words.PATCHES, *words.WHOLE)):
        read_changes(inner, shown, file, depth + 1)
        shown.unread.extend(inner.left())
    else:
        shown.writes.append(file)


def _change_of(path: str, value: JsonObject, shown: Shown) -> bool:
    """A file that is added, deleted or updated, in the words of one family of agents; false for other words."""
    sort, body = _sort_of(value)
    text = member(body, "content")
    text = (
        text
        if isinstance(text, str)
        else next((one for key in ("unified_diff", "diff") if isinstance(one := member(body, key), str)), None)
    )
    if sort == "delete":
        shown.deletes.append(path)
    elif sort == "add" and text is not None:
        shown.edits.append(Diff(path, None, text))
    elif sort == "update" and text is not None:
        _add(shown, patch_in(text, path), path)
    else:
        return False
    target = text_in(member(body, "move_path")) or text_in(member(value, "kind", "move_path"))
    if target is not None:
        shown.moves.append((path, target))
    return True


def _sort_of(value: JsonObject) -> tuple[str | None, Json]:
    told = text_in(member(value, "type")) or text_in(member(value, "kind")) or text_in(member(value, "kind", "type"))
    if told is not None:
        return told, value
    if len(value) == 1:
        sort, body = next(iter(value.items()))
        return sort, body
    return None, None

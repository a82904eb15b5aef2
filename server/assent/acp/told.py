"""One call of a tool as an agent tells of it, out of JSON.

What cannot be read is left out, with one exception: content that should show a change to a file, and does not, stays as
something unseen. Nobody may take a call for harmless because half of it was unreadable.
"""

from collections.abc import Iterator, Mapping

from assent.acp.fields import count_in, description_in, items, member, name_in, text_in
from assent.acp.words import Content, Diff, Kind, Outcome, Progress, TerminalShown, Text, ToolTold, Unseen
from assent.model.json import Json

UNREADABLE_CHANGE = "a change that cannot be read"
UNREADABLE_PLACE = "*"

_OTHER_ENDS = {
    "cancelled": Progress.FAILED,
    "canceled": Progress.FAILED,
    "rejected": Progress.FAILED,
    "error": Progress.FAILED,
    "success": Progress.COMPLETED,
    "done": Progress.COMPLETED,
}
"""Words of single agents for a call that is over."""
_NAMES = (
    ("name",),
    ("_meta", "tool_name"),
    ("_meta", "toolName"),
    ("_meta", "claudeCode", "toolName"),
)
_PRINTED = (("_meta", "terminal_output_delta", "data"), ("_meta", "terminal_output", "data"))
"""Some tell what a command prints piece by piece, and nowhere else."""

_SENT_BACK = "Shell cwd was reset to "
_NO_SUCCESS = frozenset({"backgroundTaskId", "returnCodeInterpretation"})
"""Where one of these is told, a command goes on by itself, or ended with a code that is none of success."""
_WHY_HELD_BACK = ("_meta", "claudeCode", "toolResponse", "decisionReasonType")
_EXIT_CODES = (("_meta", "terminal_exit", "exit_code"), ("rawOutput", "exit_code"))


def told_of(value: Json) -> ToolTold:
    """The call; its id is empty where none is told."""
    name = next((found for path in _NAMES if (found := name_in(member(value, *path)))), None)
    outcome, back = _outcome(member(value, "_meta", "claudeCode", "toolResponse"))
    return ToolTold(
        text_in(member(value, "toolCallId")) or "",
        title=name_in(member(value, "title")),
        kind=kind_in(member(value, "kind")),
        progress=_progress(member(value, "status")),
        content=_content(member(value, "content")),
        paths=_paths(member(value, "locations")),
        raw_input=member(value, "rawInput"),
        raw_output=member(value, "rawOutput"),
        name=name,
        printed=next((found for path in _PRINTED if (found := text_in(member(value, *path)))), ""),
        outcome=outcome,
        sent_back_to=back,
        is_inner=bool(member(value, "_meta", "claudeCode", "parentToolUseId")),
        exit_code=_exit_code(value),
        held_back=member(value, *_WHY_HELD_BACK) is not None,
    )


def _outcome(answer: Json) -> tuple[Outcome | None, str]:
    """What the tool that runs commands has told of one, and the folder that it went back to after it."""
    if not isinstance(answer, Mapping) or not {"stdout", "stderr", "interrupted"} <= answer.keys():
        return None, ""
    if answer["interrupted"] is not False:
        return Outcome.UNSURE, ""
    if answer.keys() & _NO_SUCCESS:
        return Outcome.BADLY, ""
    said = answer["stderr"]
    if not isinstance(said, str):
        return Outcome.UNSURE, ""
    before, back, folder = said.strip().partition(_SENT_BACK)
    if not back:
        return Outcome.WELL, ""
    return (Outcome.UNSURE, "") if before or "\n" in folder else (Outcome.SENT_BACK, folder)


def kind_in(value: Json) -> Kind | None:
    """A word that nobody knows here may stand for anything, which is what `other` means."""
    if text_in(value) is None:
        return None
    try:
        return Kind(str(value))
    except ValueError:
        return Kind.OTHER


def text_of_block(value: Json) -> str | None:
    """The text in a block of content, where it is one of text."""
    if member(value, "type") == "text":
        return text_in(member(value, "text"))
    if member(value, "type") == "resource":
        return text_in(member(value, "resource", "text"))
    return None


def _progress(value: Json) -> Progress | None:
    word = text_in(value)
    if word is None:
        return None
    try:
        return Progress(word)
    except ValueError:
        return _OTHER_ENDS.get(word)


def _exit_code(value: Json) -> int | None:
    told = [member(value, *path) for path in _EXIT_CODES]
    # One that tells the end of a command among other things.
    told.extend(member(one, "exitCode") for one in items(member(value, "rawOutput", "contents")))
    return next((code for one in told if (code := count_in(one)) is not None), None)


def _content(value: Json) -> tuple[Content, ...] | None:
    if value is None:
        return None
    told = items(value) if isinstance(value, list | tuple) else (value,)
    return tuple(read for one in told if (read := _piece(one)) is not None)


def _piece(value: Json) -> Content | None:
    match member(value, "type"):
        case "diff":
            return _diff(value)
        case "terminal":
            terminal = text_in(member(value, "terminalId"))
            return TerminalShown(terminal) if terminal else Unseen("a terminal")
        case "content":
            return _block(member(value, "content"))
        # Some agents leave the envelope away.
        case "text" | "image" | "audio" | "resource" | "resource_link":
            return _block(value)
    kind = text_in(member(value, "type"))
    if member(value, "newText") is not None or kind is None:
        return Unseen(UNREADABLE_CHANGE)
    return Unseen(f"“{name_in(kind)}”")


def _diff(value: Json) -> Content:
    path, old, new = text_in(member(value, "path")), member(value, "oldText"), member(value, "newText")
    if path is None or not isinstance(new, str) or not isinstance(old, str | None):
        return Unseen(UNREADABLE_CHANGE)
    return Diff(path, old, new, deletes=not new and member(value, "_meta", "kind") == "delete")


def _block(value: Json) -> Content | None:
    text = text_of_block(value)
    if text is not None:
        return Text(text)
    match member(value, "type"):
        case "image":
            return Unseen("an image")
        case "audio":
            return Unseen("a sound")
        case "resource" | "resource_link":
            uri = text_in(member(value, "uri")) or text_in(member(value, "resource", "uri"))
            return Unseen(f"a link to {description_in(uri)}" if uri else "a link")
    return None


def _paths(value: Json) -> tuple[str, ...] | None:
    return None if value is None else tuple(dict.fromkeys(_each_path(value)))


def _each_path(value: Json) -> Iterator[str]:
    for one in items(value):
        # What cannot be read stays, as a pattern that stands for any file: dropped, it would seem harmless.
        yield text_in(one) or text_in(member(one, "path")) or UNREADABLE_PLACE

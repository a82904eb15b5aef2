"""What a call shows: as its arguments, as its result, and of being the call that another question is about. No I/O."""

from collections.abc import Callable

from assent.acp.claim import Claim
from assent.acp.command_lines import with_variables
from assent.acp.fields import as_object
from assent.acp.picture import Picture
from assent.acp.words import Diff, Progress, TerminalShown, Text, ToolTold
from assent.jsontext import readable_json
from assent.model.json import Json, JsonObject


def claimed_arguments(claim: Claim) -> JsonObject:
    """What the agent shows of the call, as its arguments."""
    if claim.command is not None:
        command = with_variables(claim.command, claim.env)
        return {"command": command, **({"cwd": claim.cwd} if claim.cwd else {})}
    if claim.raw:
        return claim.raw
    edits: list[Json] = [{"path": one.path, "oldText": one.old, "newText": one.new} for one in claim.edits]
    changes: JsonObject = {"edits": edits, "deletes": list(claim.deletes)}
    if edits or claim.deletes:
        return {name: value for name, value in changes.items() if value}
    return {"paths": list(claim.reads)} if claim.reads else {}


_FENCE = 3
_TEXTS = (("content", ("detailedContent", "contents")), ("message", ("code",)))
_OF_A_QUERY = {"query", "result", "error", "success"}


def nothing_printed(_: str) -> str:
    """Where no terminal is known."""
    return ""


def result_of(picture: Picture, printed: Callable[[str], str] = nothing_printed) -> str:
    """What the agent shows of the end of a call, as text. `printed`: by the terminal with this id, which the agent only
    names.
    """
    text = _unfenced(_result_of(picture, printed))
    code = picture.exit_code
    return f"Exit code {code}.\n{text}" if code and f"exit code {code}" not in text.lower() else text


def _result_of(picture: Picture, printed: Callable[[str], str]) -> str:
    parts = [one.text for one in picture.content or () if isinstance(one, Text)]
    parts.extend(_changes(picture))
    terminals = [one.terminal_id for one in picture.content or () if isinstance(one, TerminalShown)]
    parts.extend(filter(None, map(printed, terminals)))
    if parts or picture.printed:
        return "\n".join(parts) or picture.printed
    raw = picture.raw_output
    if raw is None:
        return ""
    text = raw if isinstance(raw, str) else _only_text(raw)
    return _of_queries(raw) or readable_json(raw) if text is None else text


def _unfenced(text: str) -> str:
    """All of it stands between marks, for clients that take it for Markdown."""
    first, _, rest = text.rstrip().partition("\n")
    fence = first[: len(first) - len(first.lstrip("`"))]
    inside = rest.removesuffix(fence)
    is_whole = len(fence) >= _FENCE and inside != rest and fence not in inside
    return inside.removesuffix("\n") if is_whole else text


def _only_text(raw: Json) -> str | None:
    """The one text of an object: beside it stands the same in other words, or a code. None where it holds more."""
    told = as_object(raw)
    text = next((told[name] for name, beside in _TEXTS if name in told and told.keys() <= {name, *beside}), None)
    return text if isinstance(text, str) else None


def _of_queries(raw: Json) -> str:
    """What came of the parts of a call, without the words around it; empty where it holds anything else."""
    found: list[str] = []
    for one in raw if isinstance(raw, list) else [raw]:
        if not isinstance(one, dict) or not {"result"} <= one.keys() <= _OF_A_QUERY:
            return ""
        result, error = one["result"], one.get("error")
        if not isinstance(result, str) or not isinstance(error, str | None):
            return ""
        found.append(result if error is None or error in result else f"{result}\n{error}".lstrip())
    return "\n".join(found)


def changes_of(picture: Picture) -> str:
    """The files that a call shows to change, as its result where its agent says nothing of that."""
    return "\n".join(_changes(picture))


def _changes(picture: Picture) -> list[str]:
    if picture.progress is Progress.FAILED:
        return []
    return [f"Changed {one.path}." for one in picture.content or () if isinstance(one, Diff)]


def only_path(picture: Picture) -> str | None:
    """The file that the call is about, where it is about one."""
    paths = picture.paths or ()
    return paths[0] if len(paths) == 1 else None


def is_about(asked: ToolTold, told: Picture) -> bool:
    """Whether a question shows what was told of a call before: its words at the end of more, or its files changed."""
    if asked.kind is not told.kind:
        return False
    content = asked.content or ()
    words = [one.text for one in content if isinstance(one, Text)]
    if any(isinstance(one, Text) and one.text and text.endswith(one.text) for one in told.content for text in words):
        return True
    files = {one.path for one in content if isinstance(one, Diff)}
    return bool(files) and files == set(told.paths)

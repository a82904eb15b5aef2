"""What a sub-agent did, for people: its calls in order, how each ended, and the beginning of what came of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from assent.lazy_dataclasses import dataclass
from assent.model.conversation import ToolOutcome

PREVIEW = 500
MOST_LINES = 1_000
_INDENT = "    "


@dataclass(slots=True)
class Made:
    """A call as a person may look it up afterwards."""

    headline: str
    outcome: ToolOutcome | None = None
    seconds: float = 0.0


def execution_tree(made: Sequence[Made], handing_on: str) -> str:
    """A line a call, with a preview below it. `handing_on` names the tool whose result has such a text of its own."""
    lines = list(islice(_lines(made, handing_on), MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = ["…"]
    return "\n".join(lines) or "It made no calls."


def _lines(made: Iterable[Made], handing_on: str) -> Iterator[str]:
    for one in made:
        outcome = one.outcome
        if outcome is None:
            yield f"unfinished: {one.headline}"
            continue
        yield f"{'failed' if outcome.is_error else 'ok'}: {one.headline} ({one.seconds:.1f} s)"
        if outcome.tool == handing_on and outcome.file_content is not None:
            yield from (_INDENT + line for line in outcome.file_content.splitlines())
        if preview := _preview(outcome.content):
            yield f"{_INDENT}{preview}"


def _preview(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text[: 4 * PREVIEW].split())
    return line if len(line) <= PREVIEW and len(text) <= 4 * PREVIEW else f"{line[: PREVIEW - 1]}…"

"""One call of a tool, joined from all that an agent told of it: nobody tells everything at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assent.acp.told_arguments import arguments_in
from assent.acp.words import Content, Kind, Progress, ToolTold
from assent.model.json import Json, JsonObject

MOST_REMEMBERED = 2_000
"""Calls of one session."""

_ORDER = (None, Progress.PENDING, Progress.IN_PROGRESS, Progress.COMPLETED, Progress.FAILED)


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything told of one call so far. What an update leaves out is kept."""

    tool_call_id: str
    title: str | None = None
    kind: Kind | None = None
    """As it was told last."""
    kinds: frozenset[Kind] = frozenset()
    """All that were told: a call does not become harmless by being told again."""
    progress: Progress | None = None
    content: tuple[Content, ...] = ()
    paths: tuple[str, ...] = ()
    raw_input: Json = None
    raw_output: Json = None
    name: str | None = None
    written: JsonObject | None = None
    """The arguments of the call, where the agent has shown them as text before it began."""

    def with_told(self, told: ToolTold) -> "Picture":
        """The picture with what is told now. A call that is over stays over, as it ended."""
        return Picture(
            self.tool_call_id,
            title=told.title or self.title,
            kind=told.kind or self.kind,
            kinds=self.kinds | ({told.kind} if told.kind else frozenset()),
            progress=_further(self.progress, told.progress),
            content=self.content if told.content is None else told.content,
            paths=self.paths if told.paths is None else told.paths,
            raw_input=self.raw_input if told.raw_input is None else told.raw_input,
            raw_output=self.raw_output if told.raw_output is None else told.raw_output,
            name=told.name or self.name,
            written=self._written(told),
        )

    def asked_with(self, told: ToolTold) -> "Picture":
        """The picture for a question. Where the call is over, its id is used again, and stands for another call."""
        return (Picture(self.tool_call_id) if self.is_over else self).with_told(told)

    @property
    def is_over(self) -> bool:
        """Whether the agent says that nothing more comes of it."""
        return self.progress is not None and self.progress.is_over

    def _written(self, told: ToolTold) -> JsonObject | None:
        """What stands in the content once the call is over is what it has brought, and says nothing about it."""
        over = self.is_over or (told.progress is not None and told.progress.is_over)
        return self.written if over else arguments_in(told.content) or self.written


def _further(before: Progress | None, now: Progress | None) -> Progress | None:
    if before is not None and before.is_over:
        return before
    return max(before, now, key=_ORDER.index)


class Pictures:
    """The calls of one session, by the ids that the agent gives them. Bounded: it may invent as many as it likes."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._pictures: dict[str, Picture] = {}

    def told(self, told: ToolTold) -> Picture:
        """Adds what is told now, and gives the picture as it is then. What has no id is joined with nothing."""
        return self._keep(self._known(told.tool_call_id).with_told(told))

    def asked(self, told: ToolTold) -> Picture:
        """The same for what stands in a question."""
        return self._keep(self._known(told.tool_call_id).asked_with(told))

    def get(self, tool_call_id: str) -> Picture | None:
        """What is known of a call."""
        return self._pictures.get(tool_call_id)

    def still_open(self) -> tuple[Picture, ...]:
        """The calls that are not over, in the order in which they were first told."""
        return tuple(self._unfinished())

    def end_all(self) -> None:
        """The turn is over, and with it every call: some agents do not say so of those that were refused."""
        for picture in self.still_open():
            self._pictures[picture.tool_call_id] = replace(picture, progress=Progress.FAILED)

    def __len__(self) -> int:
        return len(self._pictures)

    def _known(self, tool_call_id: str) -> Picture:
        return self._pictures.get(tool_call_id) or Picture(tool_call_id)

    def _keep(self, picture: Picture) -> Picture:
        if picture.tool_call_id:
            self._pictures[picture.tool_call_id] = picture
            self._forget(picture.tool_call_id)
        return picture

    def _unfinished(self) -> Iterator[Picture]:
        return (picture for picture in self._pictures.values() if not picture.is_over)

    def _forget(self, but: str) -> None:
        """Of those that are too many, the oldest that are over go first, then the oldest."""
        if len(self._pictures) <= self._most:
            return
        over = (known for known, picture in self._pictures.items() if picture.is_over and known != but)
        any_but = (known for known in self._pictures if known != but)
        oldest = next(over, None) or next(any_but, None)
        if oldest is not None:
            del self._pictures[oldest]

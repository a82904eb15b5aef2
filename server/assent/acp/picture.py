"""One call of a tool, joined from all that an agent told of it: nobody tells everything at once."""

from assent.acp.told_arguments import arguments_in, with_surroundings
from assent.acp.words import Content, Kind, Progress, ToolTold
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject

_ORDER = (None, Progress.PENDING, Progress.IN_PROGRESS, Progress.COMPLETED, Progress.FAILED)
MOST_PRINTED = 256 * 1024
"""Characters that are kept of what a command prints."""


@dataclass(frozen=True)
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
    printed: str = ""
    """What its command has printed, as far as it was told piece by piece: the end of it, where it is long."""
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
            raw_input=self.raw_input if told.raw_input is None else with_surroundings(told.raw_input, self.raw_input),
            raw_output=self.raw_output if told.raw_output is None else told.raw_output,
            name=told.name or self.name,
            printed=(self.printed + told.printed)[-MOST_PRINTED:] if told.printed else self.printed,
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

"""One call of a tool, joined from all that an agent told of it: nobody tells everything at once."""

from assent.acp.command_lines import only_looks
from assent.acp.fields import member, text_in
from assent.acp.told_arguments import arguments_in, with_surroundings
from assent.acp.words import Content, Kind, Outcome, Progress, Text, ToolTold
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject

_ORDER = (None, Progress.PENDING, Progress.IN_PROGRESS, Progress.COMPLETED, Progress.FAILED)
_NOT_FOUND = 1
"""What programs that look for something say where there is none."""
MOST_PRINTED = 256 * 1024
"""Characters that are kept of what a command prints."""


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
    printed: str = ""
    """What its command has printed, as far as it was told piece by piece: the end of it, where it is long."""
    exit_code: int | None = None
    """With which its command has ended."""
    held_back: bool = False
    """Its agent itself did not let it run."""
    written: JsonObject | None = None
    """The arguments of the call, where the agent has shown them as text before it began."""
    outcome: Outcome | None = None
    sent_back_to: str = ""
    is_inner: bool = False
    """A sub-agent does it."""

    def with_told(self, told: ToolTold) -> "Picture":
        """The picture with what is told now. A call that is over stays over, as it ended."""
        kinds = self.kinds | ({told.kind} if told.kind else frozenset())
        raw_input = self.raw_input if told.raw_input is None else with_surroundings(told.raw_input, self.raw_input)
        # Some tell each command that has come to its end as one that did what it was to do.
        is_over = told.exit_code and told.progress is Progress.COMPLETED and Kind.EXECUTE in kinds
        ended_badly = is_over and not (
            told.exit_code == _NOT_FOUND and only_looks(text_in(member(raw_input, "command")))
        )
        return Picture(
            self.tool_call_id,
            title=told.title or self.title,
            kind=told.kind or self.kind,
            kinds=kinds,
            progress=_further(self.progress, Progress.FAILED if ended_badly else told.progress),
            content=self._kept_content(told) if told.content is None else told.content,
            paths=self.paths if told.paths is None else told.paths,
            raw_input=raw_input,
            raw_output=self.raw_output if told.raw_output is None else told.raw_output,
            name=told.name or self.name,
            printed=(self.printed + told.printed)[-MOST_PRINTED:] if told.printed else self.printed,
            exit_code=self.exit_code if told.exit_code is None else told.exit_code,
            held_back=self.held_back or told.held_back,
            written=self._written(told),
            outcome=told.outcome or self.outcome,
            sent_back_to=told.sent_back_to or self.sent_back_to,
            is_inner=told.is_inner or self.is_inner,
        )

    def asked_with(self, told: ToolTold) -> "Picture":
        """The picture for a question. Where the call is over, its id is used again, and stands for another call."""
        return (Picture(self.tool_call_id) if self.is_over else self).with_told(told)

    @property
    def is_over(self) -> bool:
        """Whether the agent says that nothing more comes of it."""
        return self.progress is not None and self.progress.is_over

    def _kept_content(self, told: ToolTold) -> tuple[Content, ...]:
        """At the end without what a call was described with before it began: nothing of that came of it."""
        if told.progress is None or not told.progress.is_over:
            return self.content
        description = text_in(member(self.raw_input, "description"))
        return tuple(one for one in self.content if not (isinstance(one, Text) and one.text == description))

    def _written(self, told: ToolTold) -> JsonObject | None:
        """What stands in the content once the call is over is what it has brought, and says nothing about it."""
        over = self.is_over or (told.progress is not None and told.progress.is_over)
        return self.written if over else arguments_in(told.content) or self.written


def _further(before: Progress | None, now: Progress | None) -> Progress | None:
    if before is not None and before.is_over:
        return before
    return max(before, now, key=_ORDER.index)

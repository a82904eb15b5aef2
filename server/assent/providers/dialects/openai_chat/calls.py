"""Calls out of the pieces in which servers stream them. They differ much; what could mean two things is a fault."""

from collections.abc import Iterator
from dataclasses import field

from assent.agent.assemble import LONGEST_ARGUMENTS, WEIGHT_OF_A_CALL
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import BlockEnd, CallArguments, CallStart, Delta, MemoDelta
from assent.model.json import Json
from assent.providers.dialects.openai_chat.arguments import ArgumentsText
from assent.providers.dialects.openai_faults import nonsense
from assent.providers.fields import arguments_text, count_in, member, text_in


@dataclass(slots=True)
class _Call:
    block: int
    place: int | None
    """The `index` that the server counts it by, where it gives one."""
    provider_id: str
    tool: str = ""
    arguments: ArgumentsText = field(default_factory=ArgumentsText)
    extra: Json = None
    repeats: bool = False
    """Its name came again while it was being written: that does not begin another call."""
    open: bool = True

    def is_whole(self) -> bool:
        return bool(self.tool) and self.arguments.is_whole()


class Calls:
    """The calls of one answer."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._calls: list[_Call] = []
        self._nameless = 0
        """The weight of what came before the name of its call. Nobody else counts it: it is told with the name."""
        self.ended: list[str] = []
        """What the server calls the complete ones, in the order in which they were completed."""

    @property
    def any_open(self) -> bool:
        """Whether one was begun and is not complete."""
        return bool(self._open)

    @property
    def _open(self) -> list[_Call]:
        return [call for call in self._calls if call.open]

    def feed(self, piece: Json) -> Iterator[Delta]:
        """One entry of `tool_calls`."""
        function = member(piece, "function")
        name, arguments = text_in(member(function, "name")), arguments_text(member(function, "arguments"))
        call = self._meant(piece, name, arguments)
        if call is None:
            if not name and not text_in(member(piece, "id")):
                if arguments.strip():
                    raise nonsense("it holds a piece of a tool call that it had not begun")
                return
            # Only what is whole ends here: some servers begin all calls before they send the arguments of the first.
            yield from self._end(self._calls[-1:], sure=False)
            call = _Call(len(self._calls), count_in(member(piece, "index")), text_in(member(piece, "id")))
            self._calls.append(call)
            self._weigh(call, name, WEIGHT_OF_A_CALL)
        self._weigh(call, name, len(arguments))
        yield from self._add(call, name, arguments)
        call.provider_id = call.provider_id or text_in(member(piece, "id"))
        call.extra = member(piece, "extra_content") or call.extra

    def pause(self) -> Iterator[Delta]:
        """The model says something else. A call that is whole needs nothing more, and does not wait for the rest."""
        yield from self._end(self._calls[-1:], sure=False)

    def finish(self, *, sure: bool) -> Iterator[Delta]:
        """The model has ended its turn. Where it is not sure that it ended well, only whole arguments make a call."""
        if any(call.open and not call.tool for call in self._calls):
            raise nonsense("it holds a tool call without a name")
        yield from self._end(self._calls, sure=sure)

    def _meant(self, piece: Json, name: str, arguments: str) -> _Call | None:
        """The call that this is a piece of; None for a new one."""
        place, provider_id = count_in(member(piece, "index")), text_in(member(piece, "id"))
        known = [call for call in self._calls if place is None or call.place == place]
        if place is None and provider_id:
            same = [call for call in known if call.provider_id == provider_id]
            known = same if same or name else known
        if not known:
            return None
        call = known[-1]
        if place is None and not (name or provider_id) and call.place is not None and len(self._open) > 1:
            raise nonsense("it does not say to which tool call a piece belongs")
        if not name or not call.tool:
            return call
        if provider_id and call.provider_id and provider_id != call.provider_id:
            return None
        # Without ids to tell by: a name again, and arguments, after arguments that were whole.
        again = not provider_id and arguments.strip() and not call.repeats and call.is_whole()
        return None if again else call

    def _add(self, call: _Call, name: str, arguments: str) -> Iterator[Delta]:
        if arguments.strip() and not call.open:
            raise nonsense("it holds more arguments for a tool call that was complete")
        if name and call.tool and name != call.tool:
            raise nonsense("it gives two names for one tool call")
        call.repeats = call.repeats or bool(name and call.tool and arguments.strip())
        if arguments and call.open:
            call.arguments.add(arguments)
        if name and not call.tool:
            call.tool = name
            yield CallStart(call.block, name, call.provider_id or None)
            if before := call.arguments.text:
                yield CallArguments(call.block, before)
        elif arguments and call.open and call.tool:
            yield CallArguments(call.block, arguments)

    def _weigh(self, call: _Call, name: str, weight: int) -> None:
        self._nameless += 0 if name or call.tool else weight
        if self._nameless > LONGEST_ARGUMENTS:
            raise nonsense("it goes on and on about tool calls that it does not name")

    def _end(self, calls: list[_Call], *, sure: bool) -> Iterator[Delta]:
        for call in calls:
            if call.open and (sure or call.is_whole()):
                call.open = False
                self.ended.append(call.provider_id)
                if call.extra is not None:
                    yield MemoDelta(self._mark, {"extra_content": call.extra})
                yield BlockEnd(call.block)

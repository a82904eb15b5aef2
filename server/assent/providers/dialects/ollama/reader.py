"""Lines of an answer to deltas."""

from collections.abc import Iterator

from assent.model.conversation import Delta, StopReason, TextDelta, ThinkingDelta, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.model.json import Json, JsonObject
from assent.providers.dialects.ollama.faults import reported
from assent.providers.fields import as_object, count_in, items, json_in, member, senseless, text_in, whole_call

SERVER = "Ollama"


class Reader:
    """Reads one answer. A call stands whole in its line, so it is complete at once.

    The same index can stand at several calls, or none: ours rise with each call.
    """

    def __init__(self) -> None:
        self._calls = 0
        self._ended = False
        self._in_doubt: ProviderFault | None = None

    def feed(self, _name: str, data: str) -> Iterator[Delta]:
        """One line."""
        if self._ended:
            return
        if self._in_doubt is not None:
            raise self._in_doubt
        try:
            answer = json_in(data, SERVER)
        except ProviderFault as fault:
            # The last line of a stream that was cut is half of one: a fault only where another line follows.
            self._in_doubt = fault
            return
        yield from self.read(as_object(answer, SERVER))

    def end(self) -> Iterator[Delta]:
        """Nothing is left to the end: a line says that the turn is whole, or it is not."""
        return iter(())

    def read(self, answer: JsonObject) -> Iterator[Delta]:
        """What one object says."""
        if fault := reported(answer):
            raise fault
        message = answer.get("message")
        if thinking := text_in(member(message, "thinking")):
            yield ThinkingDelta(thinking)
        if text := text_in(member(message, "content")):
            yield TextDelta(text)
        yield from self._calls_in(member(message, "tool_calls"))
        if answer.get("done") is True:
            self._ended = True
            yield TurnEnd(self._reason(answer.get("done_reason")), _usage(answer))

    def _calls_in(self, calls: Json) -> Iterator[Delta]:
        if calls is not None and not isinstance(calls, list):
            raise senseless(SERVER, "its tool calls are no list")
        # All of a line are looked at before the first is told: a line that is wrong somewhere starts nothing.
        for name, call in [(_tool_of(call), call) for call in items(calls)]:
            arguments = member(member(call, "function"), "arguments")
            yield from whole_call(self._calls, name, arguments, member(call, "id"))
            self._calls += 1

    def _reason(self, reason: Json) -> StopReason:
        if reason == "length":
            return StopReason.LENGTH
        if reason in ("load", "unload"):
            text = "Ollama only loaded the model and gave no answer. Send the message again."
            raise ProviderFault("no_answer", text, passing=True)
        if reason not in (None, "", "stop"):
            raise senseless(SERVER, f"it ended for a reason that is not known, {str(reason)[:60]}")
        return StopReason.TOOL_USE if self._calls else StopReason.END


def _tool_of(call: Json) -> str:
    name = text_in(member(member(call, "function"), "name"))
    if not name:
        raise senseless(SERVER, "a tool call names no tool")
    return name


def _usage(answer: JsonObject) -> Usage:
    return Usage(count_in(answer.get("prompt_eval_count")), count_in(answer.get("eval_count")))

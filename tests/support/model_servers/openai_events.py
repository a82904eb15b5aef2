"""The items of an answer in the Responses format: the events that tell of each, and each one whole."""

import json
from collections.abc import Iterator
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers.openai_rules import pieces
from tests.support.model_servers.wire import Said, SaidCall

Event = tuple[str, dict[str, Any]]


class Items:
    """What a turn consists of: reasoning, a message, calls."""

    def __init__(self, said: Said) -> None:
        self._said = said
        self._refuses = said.stop is StopReason.REFUSED

    def whole(self) -> list[dict[str, Any]]:
        """As they stand in the answer."""
        return [item for item, _ in self._all()]

    def events(self) -> list[Event]:
        """As they are streamed."""
        told: list[Event] = []
        for place, (item, between) in enumerate(self._all()):
            begun = {**item, "status": "in_progress", **_EMPTY[item["type"]]}
            told.append(("response.output_item.added", {"output_index": place, "item": begun}))
            where = {"item_id": item["id"], "output_index": place}
            told += [(f"response.{name}", {**where, **fields}) for name, fields in between]
            told.append(("response.output_item.done", {"output_index": place, "item": item}))
        return told

    def _all(self) -> Iterator[tuple[dict[str, Any], list[Event]]]:
        said = self._said
        if said.thinking:
            part = {"type": "summary_text", "text": said.thinking}
            kept = {"encrypted_content": f"gAAA{len(said.thinking)}"}
            item = {"id": "rs_1", "type": "reasoning", "summary": [part], **kept}
            yield item, list(self._part("reasoning_summary_text", "reasoning_summary_part", "summary_index", part))
        if said.text:
            yield self._message("msg_1", said.text)
        for place, call in enumerate(said.calls):
            yield self._call(place, call)
            if place == 0 and said.between:
                yield self._message("msg_2", said.between)

    def _message(self, name: str, text: str) -> tuple[dict[str, Any], list[Event]]:
        if self._refuses:
            part, kind = {"type": "refusal", "refusal": text}, "refusal"
        else:
            part, kind = {"type": "output_text", "text": text, "annotations": []}, "output_text"
        item = {"id": name, "type": "message", "role": "assistant", "status": "completed", "content": [part]}
        return item, list(self._part(kind, "content_part", "content_index", part))

    def _part(self, kind: str, part_kind: str, counter: str, part: dict[str, Any]) -> Iterator[Event]:
        field = "refusal" if kind == "refusal" else "text"
        where = {counter: 0}
        yield f"{part_kind}.added", {**where, "part": {**part, field: ""}}
        for piece in pieces(part[field], self._said.piece_length):
            yield f"{kind}.delta", {**where, "delta": piece}
        yield f"{kind}.done", {**where, field: part[field]}
        yield f"{part_kind}.done", {**where, "part": part}

    def _call(self, place: int, call: SaidCall) -> tuple[dict[str, Any], list[Event]]:
        text = call.args if isinstance(call.args, str) else json.dumps(call.args)
        cut = self._said.stop is StopReason.LENGTH and call is self._said.calls[-1]
        item = {"id": f"fc_{place}", "type": "function_call", "call_id": call.provider_id or f"call_{place}"}
        item |= {"name": call.tool, "arguments": text, "status": "incomplete" if cut else "completed"}
        deltas = pieces(text, self._said.piece_length)
        events: list[Event] = [("function_call_arguments.delta", {"delta": piece}) for piece in deltas]
        return item, [*events, ("function_call_arguments.done", {"arguments": text})]


_EMPTY: dict[str, dict[str, Any]] = {
    "reasoning": {"summary": []},
    "message": {"content": []},
    "function_call": {"arguments": ""},
}

"""The server's side of Anthropic's Messages API."""

import json
import re
from collections.abc import Iterator
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers.anthropic_rules import check_request
from tests.support.model_servers.pictures import Picture, picture
from tests.support.model_servers.wire import Said, SaidCall, Seen, SeenMessage

_STOPS = {
    StopReason.END: "end_turn",
    StopReason.TOOL_USE: "tool_use",
    StopReason.LENGTH: "max_tokens",
    StopReason.REFUSED: "refusal",
}
_KINDS = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
_KINDS |= {413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}


class AnthropicWire:
    """Streams events with names, blocks with numbers, and signs every thought."""

    provider = "anthropic"

    def turn_path(self, path: str) -> bool:
        return path == "/v1/messages"

    def models_path(self, path: str) -> bool:
        return path.partition("?")[0] == "/v1/models"

    def content_type(self, *, streaming: bool) -> str:
        return "text/event-stream; charset=utf-8" if streaming else "application/json"

    def stream(self, said: Said) -> list[bytes]:
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": _usage(said) | {"output_tokens": 1},
        }  # fmt: skip
        events = [_event("message_start", message=message), _event("ping")]
        for index, (start, deltas) in enumerate(_blocks(said)):
            events.append(_event("content_block_start", index=index, content_block=start))
            events += [_event("content_block_delta", index=index, delta=delta) for delta in deltas]
            events.append(_event("content_block_stop", index=index))
        stop = {"stop_reason": _stop(said), "stop_sequence": None}
        events.append(_event("message_delta", delta=stop, usage={"output_tokens": said.usage.output}))
        return [*events, _event("message_stop")]

    def whole(self, said: Said) -> bytes:
        content: list[dict[str, Any]] = []
        if said.thinking:
            content.append({"type": "thinking", "thinking": said.thinking, "signature": _signature(said.thinking)})
        if said.text:
            content.append({"type": "text", "text": said.text})
        calls = [_tool_use(number, call) for number, call in enumerate(said.calls)]
        between = [{"type": "text", "text": said.between}] if said.between else []
        content += [*calls[:1], *between, *calls[1:]]
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
            "stop_reason": _stop(said), "stop_sequence": None, "usage": _usage(said),
        }  # fmt: skip
        return json.dumps(message).encode()

    def fault(self, status: int, message: str) -> bytes:
        kind = _KINDS.get(status, "api_error")
        return json.dumps({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"}).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        return _event("error", error={"type": "overloaded_error", "message": message})

    def key(self, headers: dict[str, str]) -> str | None:
        return headers.get("x-api-key")

    def models(self, names: list[str]) -> bytes:
        data = [
            {"type": "model", "id": name, "display_name": name.title(), "max_input_tokens": 200_000} for name in names
        ]
        return json.dumps({"data": data, "has_more": False}).encode()

    def seen(self, path: str, body: Any) -> Seen:
        check_request(body)
        messages = tuple(self._message(message, before) for message, before in _with_the_one_before(body["messages"]))
        system = "".join(block["text"] for block in body.get("system", []))
        tools = tuple(tool["name"] for tool in body.get("tools", []))
        return Seen(system, messages, tools, body.get("stream", False), body["model"])

    def _message(self, message: dict[str, Any], before: dict[str, Any]) -> SeenMessage:
        blocks = message["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        if message["role"] == "assistant":
            calls = tuple((block["name"], block["input"]) for block in blocks if block["type"] == "tool_use")
            return SeenMessage("assistant", text, calls)
        results = [block for block in blocks if block["type"] == "tool_result"]
        images = (block["source"] for block in blocks if block["type"] == "image")
        pictures = tuple(picture(one["media_type"], one["data"]) for one in images)
        if not results:
            return SeenMessage("user", text, pictures=pictures)
        asked = [block["id"] for block in before.get("content", []) if block["type"] == "tool_use"]
        matching = [block["tool_use_id"] for block in results] == asked
        texts, inside = zip(*map(_result, results), strict=True)
        pictures = (*(one for some in inside for one in some), *pictures)
        return SeenMessage("results", text, results=texts, ids_match=matching, pictures=pictures)


def _result(block: dict[str, Any]) -> tuple[str, tuple[Picture, ...]]:
    """A text, or blocks of text and pictures."""
    content = block.get("content", "")
    if isinstance(content, str):
        return content, ()
    images = (one["source"] for one in content if one["type"] == "image")
    text = "".join(one["text"] for one in content if one["type"] == "text")
    return text, tuple(picture(one["media_type"], one["data"]) for one in images)


def _with_the_one_before(messages: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    before: dict[str, Any] = {}
    for message in messages:
        yield message, before
        before = message


def _event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def _blocks(said: Said) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    deltas: list[dict[str, Any]]
    if said.thinking:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(said, said.thinking)]
        deltas.append({"type": "signature_delta", "signature": _signature(said.thinking)})
        yield {"type": "thinking", "thinking": "", "signature": ""}, deltas
    if said.text:
        yield _text_block(said, said.text)
    for number, call in enumerate(said.calls):
        text = call.args if isinstance(call.args, str) else json.dumps(call.args)
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *_pieces(said, text))]
        yield _tool_use(number, call) | {"input": {}}, deltas
        if number == 0 and said.between:
            yield _text_block(said, said.between)


def _text_block(said: Said, text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(said, text)]


def _tool_use(number: int, call: SaidCall) -> dict[str, Any]:
    args = call.args
    if isinstance(args, str):
        args = json.loads(args) if re.fullmatch(r"\s*\{.*\}\s*", args, re.DOTALL) else {"INVALID_JSON": args}
    return {"type": "tool_use", "id": call.provider_id or f"toolu_{number}", "name": call.tool, "input": args}


def _signature(thinking: str) -> str:
    return f"sig{sum(thinking.encode())}=="


def _pieces(said: Said, text: str) -> list[str]:
    return [text[at : at + said.piece_length] for at in range(0, len(text), said.piece_length)]


def _stop(said: Said) -> str:
    return _STOPS[said.stop or (StopReason.TOOL_USE if said.calls else StopReason.END)]


def _usage(said: Said) -> dict[str, Any]:
    """What was found in the cache is counted apart."""
    cached = said.usage.cached or 0
    return {
        "input_tokens": (said.usage.input or 0) - cached,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": said.usage.output,
    }

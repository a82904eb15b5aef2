"""Chat Completions as the servers speak it that are not OpenAI's: each with what only it does."""

import json
from typing import Any

from tests.support.model_servers.openai_chat import OpenAiChatWire, choice, chunk
from tests.support.model_servers.openai_rules import demand, event, known_only
from tests.support.model_servers.wire import Said, Seen

_DONE = b"data: [DONE]\n\n"


class _Habit(OpenAiChatWire):
    """A stream told anew, chunk by chunk."""

    def stream(self, said: Said) -> list[bytes]:
        chunks = [_value(one) for one in super().stream(said)[:-1]]
        return [*(event(self.retold(one)) for one in chunks), _DONE]

    def whole(self, said: Said) -> bytes:
        answer = json.loads(super().whole(said))
        for one in answer["choices"]:
            self.worded(one["message"])
        return json.dumps(answer).encode()

    def retold(self, value: dict[str, Any]) -> dict[str, Any]:
        """One chunk as this server words it."""
        for one in value["choices"]:
            self.worded(one["delta"])
        return value

    def worded(self, said: dict[str, Any]) -> None:
        """Changes what was said, in a piece or whole, to the words of this server."""


class VllmWire(_Habit):
    """Names its calls at length, calls reasoning so, and reports faults without a frame around them."""

    def worded(self, said: dict[str, Any]) -> None:
        if "reasoning_content" in said:
            said["reasoning"] = said.pop("reasoning_content")
        for call in said.get("tool_calls", []):
            if str(call.get("id", "")).startswith("call_"):
                call["id"] = f"chatcmpl-tool-{call['id'].removeprefix('call_'):0>32}"

    def retold(self, value: dict[str, Any]) -> dict[str, Any]:
        return {**super().retold(value), "prompt_token_ids": None}

    def fault(self, status: int, message: str) -> bytes:
        return json.dumps({"object": "error", "message": message, "type": "BadRequestError", "code": status}).encode()


class LmStudioWire(_Habit):
    """Numbers for ids, an empty name in each further piece of a call, faults as a plain text or as a named event."""

    def worded(self, said: dict[str, Any]) -> None:
        for call in said.get("tool_calls", []):
            if "id" in call:
                call["id"] = f"{sum(call['id'].encode()):09d}"
            else:
                call["function"]["name"] = ""
                call["type"] = "function"

    def fault(self, status: int, message: str) -> bytes:
        return json.dumps({"error": message}).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        return event({"error": {"message": message}}, "error")


class LlamaCppWire(_Habit):
    """Sends pings, the ids of its calls at random, and numbers of its own beside those of the tokens."""

    def stream(self, said: Said) -> list[bytes]:
        first, *others = super().stream(said)
        return [first, b":\n\n", *others]

    def retold(self, value: dict[str, Any]) -> dict[str, Any]:
        timings = {"timings": {"prompt_n": 12, "predicted_ms": 31.5}} if "usage" in value else {}
        return {**super().retold(value), **timings}

    def worded(self, said: dict[str, Any]) -> None:
        if said.get("content") == "" and "role" in said:
            said["content"] = None
        for call in said.get("tool_calls", []):
            if "id" in call:
                call["id"] = f"{call['id']:Z<32}"

    def fault(self, status: int, message: str) -> bytes:
        kind = "exceed_context_size_error" if "context" in message else "server_error"
        return json.dumps({"error": {"code": status, "message": message, "type": kind}}).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        # Builds of one year have a field of their own for it, and say that the stream is done all the same.
        told = json.dumps({"code": 500, "message": message, "type": "server_error"})
        return f"error: {told}\n\n".encode() + _DONE


class OpenRouterWire(_Habit):
    """Comments while the model thinks, reasoning twice over with signatures, the tokens beside an empty choice."""

    def stream(self, said: Said) -> list[bytes]:
        return [b": OPENROUTER PROCESSING\n\n", *super().stream(said)]

    def retold(self, value: dict[str, Any]) -> dict[str, Any]:
        value = {**super().retold(value), "provider": "Somebody"}
        return {**value, "choices": [choice({"role": "assistant", "content": ""})]} if "usage" in value else value

    def worded(self, said: dict[str, Any]) -> None:
        if "reasoning_content" in said:
            text = said["reasoning"] = said.pop("reasoning_content")
            said["reasoning_details"] = [{"type": "reasoning.text", "text": text, "index": 0, "format": "unknown"}]

    def fault(self, status: int, message: str) -> bytes:
        behind = {"raw": message, "provider_name": "Somebody"}
        return json.dumps(
            {"error": {"code": status, "message": "Provider returned error", "metadata": behind}}
        ).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        fault = {"error": {"code": "server_error", "message": message}}
        return event({**chunk([choice({"content": ""}, "error")]), **fault})

    def understood(self, path: str, body: Any) -> Seen:
        """It takes reasoning back with the turn that it led to, signed as it was."""
        for message in body.get("messages", []):
            for detail in message.pop("reasoning_details", []):
                demand(message["role"] == "assistant", "reasoning of another than the model")
                known_only(detail, "type", "text", "index", "format", "id", "signature")
        return super().understood(path, body)


def _value(told: bytes) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(told.removeprefix(b"data: "))
    return value

"""Gemini's side: POST /v1beta/models/{model}:streamGenerateContent?alt=sse and :generateContent, GET /v1beta/models."""

import base64
import json
import re
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers.gemini_contents import check_contents, declared, seen_contents, want
from tests.support.model_servers.wire import Said, SaidCall, Seen

_TURN = re.compile(r"/v1beta/models/([A-Za-z0-9._%-]+):(streamGenerateContent\?alt=sse|generateContent)")
_SETTINGS: dict[str, tuple[type, ...]] = {
    "temperature": (int, float),
    "maxOutputTokens": (int,),
    "thinkingConfig": (dict,),
}
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class GeminiWire:
    """A server whose models sign the first call of a turn. Those named gemini-3 and up want the signature back."""

    provider = "gemini"

    def turn_path(self, path: str) -> bool:
        return _TURN.fullmatch(path) is not None

    def stream(self, said: Said) -> list[bytes]:
        """A piece an event, each call in an event by itself, and in the last why it ended."""
        parts: list[dict[str, Any]] = [
            {"text": piece, "thought": True} for piece in _pieces(said.thinking, said.piece_length)
        ]
        parts += [{"text": piece} for piece in _pieces(said.text, said.piece_length)]
        parts += _calls(said, [{"text": piece} for piece in _pieces(said.between, said.piece_length)])
        events = [_answer([part]) for part in parts]
        return [_event(one) for one in (*events, {**_answer([{"text": ""}], _reason(said)), **_counts(said)})]

    def whole(self, said: Said) -> bytes:
        parts: list[dict[str, Any]] = [{"text": said.thinking, "thought": True}] if said.thinking else []
        parts += [{"text": said.text}] if said.text else []
        parts += _calls(said, [{"text": said.between}] if said.between else [])
        return json.dumps({**_answer(parts, _reason(said)), **_counts(said)}).encode()

    def content_type(self, *, streaming: bool) -> str:
        return "text/event-stream" if streaming else "application/json; charset=UTF-8"

    def fault(self, status: int, message: str) -> bytes:
        return json.dumps(_fault(status, message)).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        return _event(_fault(500, message))

    def seen(self, path: str, body: Any) -> Seen:
        found = _TURN.fullmatch(path)
        assert found is not None
        want(isinstance(body, dict), "the body is no object")
        known = {"contents", "systemInstruction", "tools", "generationConfig"}
        want(set(body) <= known, f"unknown names: {set(body) - known}")
        for name, value in body.get("generationConfig", {}).items():
            want(name in _SETTINGS and isinstance(value, _SETTINGS[name]), f"generationConfig.{name}")
        check_contents(body.get("contents"), signed=re.match(r"gemini-[3-9]", found.group(1)) is not None)
        tools = [one for tool in body.get("tools", []) for one in tool["functionDeclarations"]]
        names = tuple(declared(one) for one in tools)
        want(len(set(names)) == len(names), "a function is declared twice")
        streaming = found.group(2).startswith("stream")
        return Seen(_system(body), seen_contents(body["contents"]), names, streaming, found.group(1))

    def key(self, headers: dict[str, str]) -> str | None:
        return headers.get("x-goog-api-key")

    def models(self, names: list[str]) -> bytes:
        methods = ["generateContent", "countTokens"]
        entries = [
            {"name": f"models/{name}", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": methods}
            for name in names
        ]
        embedding = {"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]}
        return json.dumps({"models": [*entries, embedding]}).encode()

    def models_path(self, path: str) -> bool:
        return path.partition("?")[0] == "/v1beta/models"


def signature(tool: str, args: Any) -> str:
    """How this server signs a call: it knows it again, and any change of it."""
    return base64.b64encode(json.dumps(["signed", tool, args], sort_keys=True).encode()).decode()


def _pieces(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]


def _calls(said: Said, between: list[dict[str, Any]]) -> list[dict[str, Any]]:
    calls = [_call(call, first=number == 0) for number, call in enumerate(said.calls)]
    return [*calls[:1], *between, *calls[1:]]


def _call(call: SaidCall, *, first: bool) -> dict[str, Any]:
    function = {"name": call.tool, "args": call.args, **({"id": call.provider_id} if call.provider_id else {})}
    return {"functionCall": function, **({"thoughtSignature": signature(call.tool, call.args)} if first else {})}


def _reason(said: Said) -> str:
    if said.stop is StopReason.LENGTH:
        return "MAX_TOKENS"
    return "SAFETY" if said.stop is StopReason.REFUSED else "STOP"


def _answer(parts: list[dict[str, Any]], reason: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "modelVersion": "m"}


def _counts(said: Said) -> dict[str, Any]:
    """What was thought is counted apart from what was said."""
    counts: dict[str, int | None] = {"promptTokenCount": said.usage.input, "candidatesTokenCount": said.usage.output}
    if said.thinking and said.usage.output:
        counts |= {"candidatesTokenCount": said.usage.output - 1, "thoughtsTokenCount": 1}
    counts["cachedContentTokenCount"] = said.usage.cached
    return {"usageMetadata": {name: count for name, count in counts.items() if count is not None}}


def _event(answer: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(answer).encode() + b"\r\n\r\n"


def _fault(status: int, message: str) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "UNKNOWN")}}


def _system(body: dict[str, Any]) -> str:
    if "systemInstruction" not in body:
        return ""
    parts = body["systemInstruction"]["parts"]
    want(all(part.get("text") for part in parts), "an empty part in systemInstruction")
    return "".join(part["text"] for part in parts)

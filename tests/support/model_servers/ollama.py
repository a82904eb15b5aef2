"""Ollama's side: POST /api/chat with lines of JSON, GET /api/tags."""

import json
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers.pictures import of_bytes
from tests.support.model_servers.wire import Said, SaidCall, Seen, SeenMessage

_ROLES = ("system", "user", "assistant", "tool")
_MOMENT = "2026-01-31T09:00:00.000000Z"
_OPTIONS: dict[str, tuple[type, ...]] = {"num_ctx": (int,), "num_predict": (int,), "temperature": (int, float)}


class OllamaWire:
    """A server with every model that is asked for, each of which can call tools and think."""

    provider = "ollama"

    def __init__(self, *capabilities: str) -> None:
        """What its models can do, as a newer server says it; an older one says nothing."""
        self.capabilities = list(capabilities)

    def aside(self, path: str) -> bytes | None:
        """The answer of another place, where there is one."""
        if path != "/api/show":
            return None
        told = {"capabilities": self.capabilities} if self.capabilities else {}
        return json.dumps({"details": {"family": "m"}, "model_info": {}, **told}).encode()

    def turn_path(self, path: str) -> bool:
        return path == "/api/chat"

    def stream(self, said: Said) -> list[bytes]:
        """A piece a line, each call in a line by itself, and the counts in the last."""
        messages = [{"content": "", "thinking": piece} for piece in _pieces(said.thinking, said.piece_length)]
        messages += [{"content": piece} for piece in _pieces(said.text, said.piece_length)]
        # Each line begins to count anew: the index of a call says nothing.
        calls = [{"content": "", "tool_calls": [_call(call, 0)]} for call in said.calls]
        between = [{"content": piece} for piece in _pieces(said.between, said.piece_length)]
        messages += [*calls[:1], *between, *calls[1:]]
        return [*(_line(message) for message in messages), _line({"content": ""}, _end(said))]

    def whole(self, said: Said) -> bytes:
        message: dict[str, Any] = {"content": said.text + said.between}
        if said.thinking:
            message["thinking"] = said.thinking
        if said.calls:
            message["tool_calls"] = [_call(call, index) for index, call in enumerate(said.calls)]
        return _line(message, _end(said))

    def content_type(self, *, streaming: bool) -> str:
        return "application/x-ndjson" if streaming else "application/json; charset=utf-8"

    def fault(self, status: int, message: str) -> bytes:
        return json.dumps({"error": message}).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        return json.dumps({"error": message}).encode() + b"\n"

    def seen(self, path: str, body: Any) -> Seen:
        """What Go's decoder would not take for the fields of a chat request is refused."""
        assert self.turn_path(path)
        _want(isinstance(body, dict), "the body is no object")
        _want(isinstance(body.get("model"), str) and body["model"] != "", "model is required")
        _check_settings(body)
        messages = body.get("messages")
        _want(isinstance(messages, list) and messages != [], "messages are missing")
        for message in messages:
            _check_message(message)
        first, *others = messages
        system = first["content"] if first["role"] == "system" else ""
        spoken = others if first["role"] == "system" else messages
        _want(all(message["role"] != "system" for message in spoken), "a system message in the middle")
        tools = tuple(_declared(tool) for tool in body.get("tools", []))
        return Seen(system, tuple(_seen(spoken)), tools, body.get("stream", True), body["model"])

    def key(self, headers: dict[str, str]) -> str | None:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return key if scheme == "Bearer" and key else None

    def models(self, names: list[str]) -> bytes:
        entries = [{"name": name, "model": name, "capabilities": ["completion", "tools"]} for name in names]
        return json.dumps({"models": entries}).encode()

    def models_path(self, path: str) -> bool:
        return path == "/api/tags"


def _pieces(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]


def _line(message: dict[str, Any], end: dict[str, Any] | None = None) -> bytes:
    head = {"model": "m", "created_at": _MOMENT, "message": {"role": "assistant", **message}}
    return json.dumps({**head, **(end or {"done": False})}).encode() + b"\n"


def _call(call: SaidCall, index: int) -> dict[str, Any]:
    function = {"index": index, "name": call.tool, "arguments": call.args}
    return {"function": function, **({"id": call.provider_id} if call.provider_id else {})}


def _end(said: Said) -> dict[str, Any]:
    # A model here stops by itself or at its limit; it has no word for anything else.
    reason = "length" if said.stop is StopReason.LENGTH else "stop"
    counts = {"prompt_eval_count": said.usage.input, "eval_count": said.usage.output}
    told = {name: count for name, count in counts.items() if count is not None}
    return {"done": True, "done_reason": reason, "total_duration": 5_000_000, **told}


def _want(holds: bool, fault: str) -> None:
    if not holds:
        raise ValueError(fault)


def _check_settings(body: dict[str, Any]) -> None:
    for switch in ("stream", "truncate", "shift"):
        _want(isinstance(body.get(switch, True), bool), f"{switch} is no boolean")
    _want(body.get("think", True) in (True, False, "high", "medium", "low"), "think is none of its values")
    for name, value in body.get("options", {}).items():
        kinds = _OPTIONS.get(name)
        _want(kinds is not None and isinstance(value, kinds) and not isinstance(value, bool), f"option {name}")


def _check_message(message: Any) -> None:
    _want(isinstance(message, dict) and message.get("role") in _ROLES, "a message without a known role")
    _want(isinstance(message.get("content"), str), "the content of a message is no text")
    _want(isinstance(message.get("thinking", ""), str), "thinking is no text")
    role = message["role"]
    _want(isinstance(message.get("images", []), list), "images are no list")
    _want(role == "user" or "images" not in message, "images in a message of another")
    _want(role == "assistant" or "tool_calls" not in message, "calls in a message of another")
    for call in message.get("tool_calls", []):
        function = call.get("function") if isinstance(call, dict) else None
        _want(isinstance(function, dict) and isinstance(function.get("name"), str), "a call without a name")
        _want(isinstance(function.get("arguments"), dict), "the arguments of a call are no object")
    _want(role != "tool" or isinstance(message.get("tool_name"), str), "a result that names no tool")


def _declared(tool: Any) -> str:
    function = tool.get("function") if isinstance(tool, dict) and tool.get("type") == "function" else None
    _want(isinstance(function, dict) and isinstance(function.get("name"), str), "a tool without a name")
    _want(isinstance(function.get("description", ""), str), "the description of a tool is no text")
    parameters = function.get("parameters")
    _want(isinstance(parameters, dict) and parameters.get("type") == "object", "the parameters of a tool are no object")
    name: str = function["name"]
    return name


def _seen(messages: list[dict[str, Any]]) -> list[SeenMessage]:
    """Results stand in messages of their own; those of one turn are seen together."""
    seen: list[SeenMessage] = []
    asked: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            _want(asked != [], "a result without a call")
            matches = asked.pop(0) == message["tool_name"]
            before = seen.pop() if seen[-1].role == "results" else SeenMessage("results")
            results = (*before.results, message["content"])
            seen.append(SeenMessage("results", results=results, ids_match=before.ids_match and matches))
            continue
        _want(asked == [], "a call without its result")
        calls = tuple(
            (call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", [])
        )
        asked = [tool for tool, _ in calls]
        pictures = tuple(map(of_bytes, message.get("images", [])))
        seen.append(SeenMessage(message["role"], message["content"], calls, pictures=pictures))
    _want(asked == [], "a call without its result")
    return seen

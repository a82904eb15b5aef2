"""The server's side of Chat Completions, from OpenAI's public reference; reasoning as DeepSeek and vLLM send it."""

import json
from collections.abc import Iterator
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers import openai_rules as rules
from tests.support.model_servers.openai_rules import demand, event, known_only, pieces, text_of
from tests.support.model_servers.pictures import of_data_url
from tests.support.model_servers.wire import Said, SaidCall, Seen, SeenMessage

_BODY = ("model", "messages", "tools", "tool_choice", "parallel_tool_calls", "temperature", "max_tokens")
_BODY += ("max_completion_tokens", "stream", "stream_options", "reasoning_effort", "top_p", "seed", "stop", "user")
_REASONS = {StopReason.END: "stop", StopReason.TOOL_USE: "tool_calls", StopReason.LENGTH: "length"}
_REASONS[StopReason.REFUSED] = "content_filter"
HEAD = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "m-2026-01-01"}


class OpenAiChatWire(rules.OpenAiAnswers):
    """Wire of `openai-compatible`."""

    provider = "openai-compatible"

    def turn_path(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/v1/chat/completions")

    def stream(self, said: Said) -> list[bytes]:
        deltas = [{"role": "assistant", "content": ""}, *_deltas(said)]
        events = [event(chunk([choice(delta)])) for delta in deltas]
        events.append(event(chunk([choice({}, finish_reason(said))])))
        return [*events, event({**chunk([]), "usage": usage(said)}), b"data: [DONE]\n\n"]

    def whole(self, said: Said) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": (said.text + said.between) or None, "refusal": None}
        if said.thinking:
            message["reasoning_content"] = said.thinking
        if said.calls:
            message["tool_calls"] = [
                {"id": call_id(place, call), "type": "function", "function": _function(call)}
                for place, call in enumerate(said.calls)
            ]
        only = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(said)}
        return json.dumps({**HEAD, "object": "chat.completion", "choices": [only], "usage": usage(said)}).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        return event({"error": {"message": message, "type": "server_error", "param": None, "code": None}})

    def understood(self, path: str, body: Any) -> Seen:
        demand(self.turn_path(path), f"no such path: {path}")
        body = known_only(body, *_BODY)
        streaming = body.get("stream", False)
        demand(isinstance(streaming, bool), "stream: a boolean is expected")
        demand(streaming or "stream_options" not in body, "stream_options is only allowed when stream is true")
        known_only(body.get("stream_options", {}), "include_usage", "include_obfuscation")
        for name, kinds in (("temperature", (int, float)), ("max_tokens", int), ("max_completion_tokens", int)):
            rules.number_if_given(body, name, kinds)
        demand(isinstance(body.get("messages"), list) and body["messages"], "messages: at least one is expected")
        system, messages = _messages(body["messages"])
        names = rules.tools(body, _tool)
        return Seen(system, tuple(messages), names, streaming, text_of(body.get("model"), "model"))


def chunk(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {**HEAD, "object": "chat.completion.chunk", "choices": choices}


def choice(delta: dict[str, Any], reason: str | None = None, index: int = 0) -> dict[str, Any]:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": reason}


def usage(said: Said) -> dict[str, Any]:
    given, made = said.usage.input or 0, said.usage.output or 0
    counted: dict[str, Any] = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
    if said.usage.cached is not None:
        counted["prompt_tokens_details"] = {"cached_tokens": said.usage.cached}
    return counted


def finish_reason(said: Said) -> str:
    return _REASONS[said.stop or (StopReason.TOOL_USE if said.calls else StopReason.END)]


def call_id(place: int, call: SaidCall) -> str:
    return call.provider_id or f"call_{place}"


def _deltas(said: Said) -> Iterator[dict[str, Any]]:
    yield from ({"reasoning_content": piece} for piece in pieces(said.thinking, said.piece_length))
    yield from ({"content": piece} for piece in pieces(said.text, said.piece_length))
    for place, call in enumerate(said.calls):
        head = {"id": call_id(place, call), "type": "function", "function": {**_function(call), "arguments": ""}}
        yield {"tool_calls": [{"index": place, **head}]}
        for piece in pieces(_function(call)["arguments"], said.piece_length):
            yield {"tool_calls": [{"index": place, "function": {"arguments": piece}}]}
        if place == 0:
            yield from ({"content": piece} for piece in pieces(said.between, said.piece_length))


def _function(call: SaidCall) -> dict[str, str]:
    return {"name": call.tool, "arguments": call.args if isinstance(call.args, str) else json.dumps(call.args)}


def _messages(given: list[Any]) -> tuple[str, list[SeenMessage]]:
    system: list[str] = []
    seen: list[SeenMessage] = []
    waiting: list[str] = []
    for message in given:
        role = known_only(message, "role", "content", "name", "tool_calls", "tool_call_id", "reasoning_content")["role"]
        if role == "tool":
            _result(message, waiting, seen)
            continue
        demand(not waiting, "an assistant message with 'tool_calls' must be followed by tool messages for each")
        if role in ("system", "developer"):
            system.append(text_of(message.get("content"), "content"))
        elif role == "user":
            seen.append(_user(message.get("content")))
        else:
            demand(role == "assistant", f"no such role: {role}")
            seen.append(_assistant(message, waiting))
    demand(not waiting, "an assistant message with 'tool_calls' must be followed by tool messages for each")
    return "\n".join(system), seen


def _user(content: Any) -> SeenMessage:
    """A text, or parts: texts, and pictures that stand in their address."""
    if not isinstance(content, list):
        return SeenMessage("user", text_of(content, "content"))
    demand(content, "content: an empty list is too short")
    demand(all(part["type"] in ("text", "image_url") for part in content), "content: no such type of a part")
    texts = (text_of(known_only(part, "type", "text")["text"], "text") for part in content if part["type"] == "text")
    images = (known_only(part, "type", "image_url")["image_url"] for part in content if part["type"] == "image_url")
    pictures = tuple(of_data_url(known_only(one, "url", "detail")["url"]) for one in images)
    return SeenMessage("user", "".join(texts), pictures=pictures)


def _assistant(message: dict[str, Any], waiting: list[str]) -> SeenMessage:
    content = message.get("content")
    demand(content or "tool_calls" in message, "content or tool_calls must be given")
    calls = message.get("tool_calls", [])
    demand("tool_calls" not in message or calls, "tool_calls: an empty list is too short")
    seen = []
    for call in calls:
        demand(known_only(call, "id", "type", "function")["type"] == "function", "type: function is expected")
        named = known_only(call["function"], "name", "arguments")
        demand(rules.NAME.match(text_of(named["name"], "name")), "name of a function does not fit")
        waiting.append(text_of(call["id"], "id"))
        demand(len(waiting[-1]) <= 40, "id: at most 40 characters")
        seen.append((named["name"], rules.arguments(named["arguments"])))
    demand(len(set(waiting)) == len(waiting), "two calls have the same id")
    return SeenMessage("assistant", text_of(content or "", "content"), tuple(seen))


def _result(message: dict[str, Any], waiting: list[str], seen: list[SeenMessage]) -> None:
    named = text_of(message.get("tool_call_id"), "tool_call_id")
    demand(named in waiting, "a tool message must answer a call of the message with 'tool_calls' before it")
    in_order = waiting.index(named) == 0
    waiting.remove(named)
    before = seen.pop() if seen[-1].role == "results" else SeenMessage("results")
    texts = (*before.results, text_of(message.get("content"), "content"))
    seen.append(SeenMessage("results", results=texts, ids_match=before.ids_match and in_order))


def _tool(tool: Any) -> str:
    demand(known_only(tool, "type", "function")["type"] == "function", "type: function is expected")
    return rules.function(tool["function"])

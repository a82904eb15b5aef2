"""The server's side of the Responses format, from OpenAI's public reference."""

import json
import re
from typing import Any

from assent.model.conversation import StopReason
from tests.support.model_servers import openai_rules as rules
from tests.support.model_servers.openai_events import Items
from tests.support.model_servers.openai_rules import demand, event, known_only, text_of
from tests.support.model_servers.pictures import Picture, of_data_url
from tests.support.model_servers.wire import Said, Seen, SeenMessage

_BODY = ("model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "temperature", "store")
_BODY += ("max_output_tokens", "stream", "include", "reasoning", "previous_response_id", "text", "truncation")
_THINKS_NOT = re.compile(r"gpt-(?:3|4)")


class OpenAiResponsesWire(rules.OpenAiAnswers):
    """Wire of `openai-responses`."""

    provider = "openai-responses"

    def turn_path(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/v1/responses")

    def stream(self, said: Said) -> list[bytes]:
        begun = _response("in_progress", [])
        made = Items(said)
        told = [("response.created", {"response": begun}), ("response.in_progress", {"response": begun})]
        told += made.events()
        last = _answer(said, made.whole())
        told.append((f"response.{last['status']}", {"response": last}))
        return [
            event({"type": name, "sequence_number": number, **fields}, name)
            for number, (name, fields) in enumerate(told)
        ]

    def whole(self, said: Said) -> bytes:
        return json.dumps(_answer(said, Items(said).whole())).encode()

    def mid_stream_fault(self, message: str) -> bytes | None:
        fault = {"type": "error", "code": "server_error", "message": message, "param": None, "sequence_number": 9}
        return event(fault, "error")

    def understood(self, path: str, body: Any) -> Seen:
        demand(self.turn_path(path), f"no such path: {path}")
        body = known_only(body, *_BODY)
        demand(isinstance(body.get("stream", False), bool), "stream: a boolean is expected")
        for name, kinds in (("temperature", (int, float)), ("max_output_tokens", int)):
            rules.number_if_given(body, name, kinds)
        model = text_of(body.get("model"), "model")
        include = body.get("include", [])
        demand(include in ([], ["reasoning.encrypted_content"]), "include: not supported")
        demand(not (include and _THINKS_NOT.match(model)), "Encrypted content is not supported with this model.")
        demand(isinstance(body.get("input"), list) and body["input"], "input: at least one item is expected")
        messages = _History(store=body.get("store", True)).read(body["input"])
        names = rules.tools(body, _tool)
        instructions = text_of(body.get("instructions", ""), "instructions")
        return Seen(instructions, tuple(messages), names, body.get("stream", False), model)


class _History:
    """The items of a request, in their order."""

    def __init__(self, *, store: bool) -> None:
        self._store = store
        self._seen: list[SeenMessage] = []
        self._open: list[str] = []
        self._reasoning = False
        self._readers = {
            "message": self._message,
            "function_call": self._function_call,
            "function_call_output": self._function_call_output,
            "reasoning": self._reasoning_item,
        }

    def read(self, given: list[Any]) -> list[SeenMessage]:
        for item in given:
            kind = item.get("type", "message")
            demand(kind in self._readers, f"no such item: {kind}")
            demand(not self._reasoning or self._follows(item), "reasoning without its required following item")
            self._reasoning = kind == "reasoning"
            self._readers[kind](item)
        demand(not self._reasoning, "reasoning without its required following item")
        demand(not self._open, f"no tool output found for function call {self._open}")
        return self._seen

    def _follows(self, item: dict[str, Any]) -> bool:
        return item.get("type") == "function_call" or item.get("role") == "assistant" or item.get("type") == "reasoning"

    def _message(self, item: dict[str, Any]) -> None:
        role = known_only(item, "type", "role", "content", "id", "status")["role"]
        demand(role in ("user", "assistant"), f"no such role here: {role}")
        pictures = _pictures(item["content"]) if role == "user" else ()
        text = _content(item["content"], "input_text" if role == "user" else "output_text", more=len(pictures))
        demand(not self._open, "no tool output found for function call")
        if role == "user":
            self._seen.append(SeenMessage("user", text, pictures=pictures))
        else:
            before = self._turn()
            self._seen.append(SeenMessage("assistant", before.text + text, before.calls))

    def _function_call(self, item: dict[str, Any]) -> None:
        known_only(item, "type", "call_id", "name", "arguments", "id", "status")
        named, call_id = text_of(item["name"], "name"), text_of(item["call_id"], "call_id")
        demand(rules.NAME.match(named), "name of a function does not fit")
        demand(len(call_id) <= 64 and call_id not in self._open, "call_id is too long, or used twice")
        self._open.append(call_id)
        before = self._turn()
        calls = (*before.calls, (named, rules.arguments(item["arguments"])))
        self._seen.append(SeenMessage("assistant", before.text, calls))

    def _function_call_output(self, item: dict[str, Any]) -> None:
        call_id = text_of(known_only(item, "type", "call_id", "output")["call_id"], "call_id")
        demand(call_id in self._open, "no tool call found for function call output")
        in_order = self._open.index(call_id) == 0
        self._open.remove(call_id)
        before = self._seen.pop() if self._seen[-1].role == "results" else SeenMessage("results")
        pictures = _pictures(item["output"])
        texts = (*before.results, _content(item["output"], "input_text", more=len(pictures)))
        pictures = (*before.pictures, *pictures)
        matching = before.ids_match and in_order
        self._seen.append(SeenMessage("results", results=texts, ids_match=matching, pictures=pictures))

    def _reasoning_item(self, item: dict[str, Any]) -> None:
        known_only(item, "type", "id", "summary", "encrypted_content", "content", "status")
        demand(text_of(item["id"], "id").startswith("rs_"), "id: an id that begins with 'rs' is expected")
        demand(isinstance(item["summary"], list), "summary: a list is expected")
        demand(self._store or item.get("encrypted_content"), "not found: items are not persisted when store is false")

    def _turn(self) -> SeenMessage:
        return self._seen.pop() if self._seen and self._seen[-1].role == "assistant" else SeenMessage("assistant")


def _pictures(content: Any) -> tuple[Picture, ...]:
    parts = [part for part in content if part["type"] == "input_image"] if isinstance(content, list) else []
    for part in parts:
        known_only(part, "type", "image_url", "detail")
        demand(part["detail"] in ("auto", "low", "high"), "detail: none of its values")
    return tuple(of_data_url(part["image_url"]) for part in parts)


def _content(content: Any, kind: str, *, more: int = 0) -> str:
    if isinstance(content, str):
        return content
    demand(isinstance(content, list) and content, "content: a string or a list is expected")
    texts = [part for part in content if part["type"] == kind]
    demand(len(texts) + more == len(content), f"content: {kind} is expected")
    return "".join(text_of(part["text"], "text") for part in texts)


def _tool(tool: Any) -> str:
    demand(tool.get("type") == "function", "type: function is expected")
    return rules.function(tool, "type")


def _response(status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    head = {"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "model": "m-2026-01-01"}
    return {**head, "status": status, "error": None, "incomplete_details": None, "output": output, "usage": None}


def _answer(said: Said, output: list[dict[str, Any]]) -> dict[str, Any]:
    given, made = said.usage.input or 0, said.usage.output or 0
    counted: dict[str, Any] = {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}
    if said.usage.cached is not None:
        counted["input_tokens_details"] = {"cached_tokens": said.usage.cached}
    filtered = said.stop is StopReason.REFUSED and not said.text
    reason = "max_output_tokens" if said.stop is StopReason.LENGTH else "content_filter" if filtered else None
    answer = {**_response("incomplete" if reason else "completed", output), "usage": counted}
    return {**answer, "incomplete_details": {"reason": reason}} if reason else answer

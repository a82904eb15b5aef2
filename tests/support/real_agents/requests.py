"""What agents send to models, read as loosely as it may be written: who said what, and which tools are offered."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.real_agents.offered import Offered
from tests.support.real_agents.plan import Asked, asked

Turns = list[tuple[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model."""

    asked: Asked
    offered: list[Offered]
    streaming: bool


def anthropic(_: str, body: Any) -> Request:
    turns: Turns = []
    for said in body["messages"]:
        blocks = _blocks(said["content"])
        results = [text_of(one.get("content")) for one in blocks if one.get("type") == "tool_result"]
        # What came of the calls stands before what the user says next, also where both are in one message.
        turns += [("", results), (text_of(blocks) if said["role"] == "user" else "", [])]
    tools = [Offered(tool["name"], tool.get("input_schema", {})) for tool in body.get("tools", []) if "name" in tool]
    return Request(asked(turns), tools, bool(body.get("stream")))


def chat(_: str, body: Any) -> Request:
    turns: Turns = []
    for said in body["messages"]:
        text = text_of(said.get("content"))
        turns.append(("", [text]) if said["role"] == "tool" else (text if said["role"] == "user" else "", []))
    functions = [tool["function"] for tool in body.get("tools") or [] if tool.get("type") == "function"]
    tools = [Offered(one["name"], one.get("parameters", {})) for one in functions]
    return Request(asked(turns), tools, bool(body.get("stream")))


def responses(_: str, body: Any) -> Request:
    given = body["input"]
    turns: Turns = []
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        if item.get("role") == "user":
            turns.append((text_of(item.get("content")), []))
        elif str(item.get("type", "")).endswith("_call_output"):
            turns.append(("", [text_of(item.get("output"))]))
    functions = [tool for tool in body.get("tools") or [] if tool.get("type") == "function"]
    tools = [Offered(one["name"], one.get("parameters", {})) for one in functions]
    return Request(asked(turns), tools, bool(body.get("stream")))


def gemini(path: str, body: Any) -> Request:
    turns: Turns = []
    for said in body["contents"]:
        parts = said.get("parts", [])
        results = [str(one["functionResponse"].get("response")) for one in parts if "functionResponse" in one]
        turns.append((text_of(parts) if said.get("role") == "user" else "", results))
    functions = [one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations", [])]
    tools = [Offered(one["name"], one.get("parametersJsonSchema") or one.get("parameters", {})) for one in functions]
    return Request(asked(turns), tools, "streamGenerateContent" in path)


READERS: dict[str, Callable[[str, Any], Request]] = {
    "anthropic": anthropic,
    "openai-compatible": chat,
    "openai-responses": responses,
    "gemini": gemini,
}
"""By what a wire calls its provider."""


def text_of(content: Any) -> str:
    """All text in it, in a line each."""
    return "\n".join(_texts(content))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for one in _blocks(content) if isinstance(content, list) else ():
        if isinstance(one.get("text"), str):
            yield one["text"]


def _blocks(content: Any) -> list[dict[str, Any]]:
    return (
        [{"type": "text", "text": content}]
        if isinstance(content, str)
        else [one for one in content if isinstance(one, dict)]
    )

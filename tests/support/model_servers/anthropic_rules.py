"""What the Messages API does not take. Each rule is checked as its documentation says it."""

import re
from typing import Any

from tests.support.model_servers.pictures import picture

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}\Z")
_ID = re.compile(r"[a-zA-Z0-9_-]+\Z")
_SIGNATURE = re.compile(r"sig\d+==\Z")
_FIELDS = {"model", "messages", "max_tokens", "system", "tools", "stream", "temperature", "thinking", "tool_choice"}
_MARKS = 4


def check_request(body: Any) -> None:
    """Raises ValueError for what is answered with 400."""
    _demand(isinstance(body, dict), "the body is no object")
    unknown = set(body) - _FIELDS
    _demand(not unknown, f"{sorted(unknown)}: extra inputs are not permitted")
    for name in ("model", "messages", "max_tokens"):
        _demand(name in body, f"{name}: field required")
    _demand(isinstance(body["max_tokens"], int) and body["max_tokens"] > 0, "max_tokens: must be positive")
    _check_thinking(body)
    for block in body.get("system", []):
        _check_text(block)
    for tool in body.get("tools", []):
        _demand(bool(_NAME.match(tool["name"])), f"tools.name: {tool['name']!r} does not match")
        _demand(tool["input_schema"].get("type") == "object", "tools.input_schema.type: field required")
        _demand(set(tool) <= {"name", "description", "input_schema", "cache_control"}, "tools: extra inputs")
    names = [tool["name"] for tool in body.get("tools", [])]
    _demand(len(names) == len(set(names)), "tools: names must be unique")
    _demand(str(body).count("'cache_control'") <= _MARKS, "at most 4 blocks may have cache_control")
    _check_messages(body["messages"])


def _check_thinking(body: dict[str, Any]) -> None:
    thinking = body.get("thinking", {"type": "disabled"})
    if thinking["type"] == "enabled":
        budget = thinking["budget_tokens"]
        _demand(1024 <= budget < body["max_tokens"], "thinking.budget_tokens: at least 1024, less than max_tokens")
    if thinking["type"] != "disabled":
        _demand(body.get("temperature", 1) == 1, "temperature may only be 1 when thinking is enabled")


def _check_messages(messages: list[dict[str, Any]]) -> None:
    _demand(bool(messages), "messages: at least one message is required")
    _demand(messages[0]["role"] == "user", "messages: the first message must be the user's")
    _demand(messages[-1]["role"] == "user", "messages: the conversation must end with a user message")
    open_calls: list[str] = []
    before = ""
    for message in messages:
        role, blocks = message["role"], message["content"]
        _demand(role in ("user", "assistant") and role != before, f"messages: roles must alternate, found {role} twice")
        _demand(bool(blocks), "messages: content must not be empty")
        if role == "user":
            _check_user(blocks, open_calls)
            open_calls = []
        else:
            open_calls = _check_assistant(blocks)
        before = role


def _check_user(blocks: list[dict[str, Any]], open_calls: list[str]) -> None:
    results = [block for block in blocks if block["type"] == "tool_result"]
    _demand(blocks[: len(results)] == results, "messages: tool_result blocks must come first")
    answered = [block["tool_use_id"] for block in results]
    _demand(sorted(answered) == sorted(open_calls), f"tool_use and tool_result do not match: {open_calls}, {answered}")
    for block in results:
        _demand(
            set(block) <= {"type", "tool_use_id", "content", "is_error", "cache_control"}, "tool_result: extra inputs"
        )
        if isinstance(block.get("content"), list):
            _demand(block["content"] != [], "tool_result.content: an empty list")
            for one in block["content"]:
                (_check_image if one["type"] == "image" else _check_text)(one)
    for block in blocks[len(results) :]:
        if block["type"] == "image":
            _check_image(block)
        else:
            _check_text(block)


def _check_image(block: dict[str, Any]) -> None:
    _demand(set(block) <= {"type", "source", "cache_control"}, "image: extra inputs")
    source = block["source"]
    _demand(set(source) == {"type", "media_type", "data"} and source["type"] == "base64", "image.source: extra inputs")
    picture(source["media_type"], source["data"])


def _check_assistant(blocks: list[dict[str, Any]]) -> list[str]:
    kinds = [block["type"] for block in blocks]
    thoughts = ("thinking", "redacted_thinking")
    _demand(kinds[-1] not in thoughts, "the final block in an assistant message cannot be thinking")
    _demand(not set(kinds) & set(thoughts) or kinds[0] in thoughts, "the first block must be thinking")
    ids = []
    for block in blocks:
        if block["type"] == "tool_use":
            _demand(isinstance(block["input"], dict), "tool_use.input: should be an object")
            _demand(bool(_ID.match(block["id"])), "tool_use.id: does not match")
            _demand(bool(_NAME.match(block["name"])), "tool_use.name: does not match")
            ids.append(block["id"])
        elif block["type"] == "thinking":
            _demand(set(block) == {"type", "thinking", "signature"}, "thinking: extra inputs")
            _demand(bool(_SIGNATURE.match(block["signature"])), "thinking: invalid signature")
        elif block["type"] != "redacted_thinking":
            _check_text(block)
    _demand(len(ids) == len(set(ids)), "tool_use ids must be unique")
    return ids


def _check_text(block: dict[str, Any]) -> None:
    _demand(block["type"] == "text", f"unexpected block {block['type']}")
    _demand(bool(block["text"].strip()), "messages: text content blocks must contain non-whitespace text")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)

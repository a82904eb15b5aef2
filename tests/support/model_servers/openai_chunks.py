"""Streams of Chat Completions by hand."""

from typing import Any

from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from tests.support.dialects import Told, streamed
from tests.support.dialects import told as all_of
from tests.support.model_servers.openai_rules import event


def said(delta: Any, reason: Any = None) -> dict[str, Any]:
    """A chunk with this piece of the answer."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def call(index: int | None, arguments: Any, name: Any = None, call_id: Any = None) -> dict[str, Any]:
    """A piece of a call; what is None is not sent."""
    place = {} if index is None else {"index": index}
    named = {} if name is None else {"name": name}
    known = {} if call_id is None else {"id": call_id}
    return {"tool_calls": [{**place, **known, "type": "function", "function": {**named, "arguments": arguments}}]}


def told(*values: Any) -> Told:
    """What a stream of these events comes to. A text stands as it is."""
    data = (f"data: {value}\n\n".encode() if isinstance(value, str) else event(value) for value in values)
    return all_of(streamed(OpenAiChat("http://127.0.0.1:8000/v1"), data))

"""Events of Gemini, odd ones as well, and what is read in them."""

import json
from typing import Any

from assent.model.conversation import Delta
from assent.providers.dialects.gemini.dialect import Gemini
from tests.support.dialects import streamed


def event(answer: Any) -> bytes:
    return b"data: " + json.dumps(answer).encode() + b"\n\n"


def parts(*told_parts: Any, reason: Any = None, **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(told_parts)}}
    if reason is not None:
        candidate["finishReason"] = reason
    return {"candidates": [{**candidate, **more}]}


def call(name: Any = "bash", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


END = parts({"text": ""}, reason="STOP")


def read(*answers: Any) -> list[Delta]:
    return streamed(Gemini(), [event(answer) for answer in answers])

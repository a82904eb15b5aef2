"""What both formats of OpenAI demand of a request, and how both answer, as the public reference of OpenAI has it."""

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.support.model_servers.wire import Seen

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


def demand(condition: object, what: str) -> None:
    """What the server answers with 400 otherwise."""
    if not condition:
        raise ValueError(what)


def known_only(value: Any, *names: str) -> dict[str, Any]:
    """An object without fields that the server does not know."""
    demand(isinstance(value, dict), "an object is expected")
    unknown = set(value) - set(names)
    demand(not unknown, f"unknown parameter: {sorted(unknown)}")
    found: dict[str, Any] = value
    return found


def text_of(value: Any, what: str) -> str:
    demand(isinstance(value, str), f"{what}: a string is expected")
    return str(value)


def number_if_given(body: dict[str, Any], name: str, kinds: type | tuple[type, ...]) -> None:
    given = body.get(name, 0)
    demand(isinstance(given, kinds) and not isinstance(given, bool), f"{name}: a number is expected")


def function(value: Any, *more: str) -> str:
    """The name of a function that a request describes."""
    described = known_only(value, "name", "description", "parameters", "strict", *more)
    name = text_of(described.get("name"), "name")
    demand(NAME.match(name), f"name {name!r} does not fit {NAME.pattern}")
    demand(described.get("parameters", {"type": "object"}).get("type") == "object", "parameters: type object expected")
    return name


def tools(body: dict[str, Any], described: Any) -> tuple[str, ...]:
    """The names of the tools in a request; `described` takes the name out of one."""
    if "tools" not in body:
        return ()
    given = body["tools"]
    demand(isinstance(given, list) and given, "tools: an empty list is too short")
    names = tuple(described(tool) for tool in given)
    demand(len(set(names)) == len(names), "tools: two have the same name")
    return names


def arguments(value: Any) -> Any:
    """Arguments in the history: a text, which servers read."""
    return json.loads(text_of(value, "arguments"))


def event(value: Any, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def pieces(text: str, length: int) -> Iterable[str]:
    return (text[start : start + length] for start in range(0, len(text), length))


class OpenAiAnswers:
    """How a server of OpenAI's kind answers whatever is asked of it."""

    def seen(self, path: str, body: Any) -> Seen:
        """What lacks a field, or has one of another type, is refused as well."""
        try:
            return self.understood(path, body)
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(f"something is missing or of the wrong type: {fault}") from fault

    def understood(self, path: str, body: Any) -> Seen:
        """The request, in the words of this format."""
        raise NotImplementedError

    def content_type(self, *, streaming: bool) -> str:
        return "text/event-stream; charset=utf-8" if streaming else "application/json"

    def fault(self, status: int, message: str) -> bytes:
        kind = {401: "invalid_api_key", 429: "rate_limit_exceeded"}.get(status)
        family = "server_error" if status >= 500 else "invalid_request_error"
        return json.dumps({"error": {"message": message, "type": family, "param": None, "code": kind}}).encode()

    def key(self, headers: dict[str, str]) -> str | None:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return key if scheme == "Bearer" and key else None

    def models(self, names: list[str]) -> bytes:
        data = [{"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "us"} for name in names]
        return json.dumps({"object": "list", "data": data}).encode()

    def models_path(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/models")

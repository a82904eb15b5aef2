"""Which calls stand whole in the bytes of a stream, read plainly and apart from the code under test.

What makes no sense is passed over, so that this finds at least as many as a strict reader may make.
"""

import json
from collections.abc import Iterator
from typing import Any

Call = tuple[str, str]
"""Tool and arguments, these in one spelling where the format sends an object, else as the text that was sent."""


def sent_calls(provider: str, body: bytes) -> set[Call]:
    """Every call of which all is there."""
    found: set[Call] = set(_READERS[provider](_values(body)))
    return found


def spelled(args: Any) -> str:
    """One spelling for arguments that were sent as an object."""
    return json.dumps(args, sort_keys=True)


def sends_objects(provider: str) -> bool:
    """Whether arguments are sent as objects, and not as texts."""
    return provider in ("ollama", "gemini")


def _values(body: bytes) -> list[dict[str, Any]]:
    """Each line that is an object; where it does not say its type, the name of its event does."""
    values, name = [], ""
    for line in body.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        name = line.removeprefix("event:").strip() if line.startswith("event:") else name if line else ""
        text = line.removeprefix("data:").removeprefix("error:")
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if isinstance(value, dict):
            values.append({"type": name, **value})
    return values


def _at(value: Any, *path: str | int) -> Any:
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _ollama(values: list[dict[str, Any]]) -> Iterator[Call]:
    for value in values:
        for call in _at(value, "message", "tool_calls") or []:
            yield _named(_at(call, "function", "name"), _at(call, "function", "arguments"))


def _gemini(values: list[dict[str, Any]]) -> Iterator[Call]:
    for value in values:
        for part in _at(value, "candidates", 0, "content", "parts") or []:
            yield _named(_at(part, "functionCall", "name"), _at(part, "functionCall", "args"))


def _named(name: Any, args: Any) -> Call:
    return str(name), spelled({} if args is None else args)


def _anthropic(values: list[dict[str, Any]]) -> Iterator[Call]:
    begun: dict[Any, tuple[str, list[str]]] = {}
    for value in values:
        index = str(value.get("index"))
        match value.get("type"):
            case "content_block_start":
                begun[index] = str(_at(value, "content_block", "name")), []
            case "content_block_delta" if index in begun:
                begun[index][1].append(str(_at(value, "delta", "partial_json") or ""))
            case "content_block_stop" if index in begun:
                name, pieces = begun.pop(index)
                yield name, "".join(pieces)


def _chat(values: list[dict[str, Any]]) -> Iterator[Call]:
    """From each piece with a name: what it and those after it with its number, or without any, come to."""
    pieces = [
        (_at(piece, "index"), _at(piece, "function", "name"), _at(piece, "function", "arguments") or "")
        for value in values
        if _at(value, "choices", 0, "index") in (0, None)
        for piece in _at(value, "choices", 0, "delta", "tool_calls") or []
    ]
    for start, (place, name, _) in enumerate(pieces):
        text = ""
        for index, _, more in pieces[start:] if name else ():
            if index in (place, None) and isinstance(more, str):
                text += more
                yield str(name), text


def _responses(values: list[dict[str, Any]]) -> Iterator[Call]:
    told: dict[str, str] = {}
    for value in values:
        item, place = value.get("item"), str(value.get("output_index"))
        if value.get("type") == "response.function_call_arguments.done":
            told[place] = str(value.get("arguments"))
        if value.get("type") == "response.output_item.done" and _at(item, "status") == "completed":
            yield str(_at(item, "name")), str(_at(item, "arguments") or told.get(place, ""))


_READERS = {
    "ollama": _ollama,
    "gemini": _gemini,
    "anthropic": _anthropic,
    "openai-compatible": _chat,
    "openai-responses": _responses,
}

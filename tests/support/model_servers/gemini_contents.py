"""What Gemini takes as the contents of a conversation and as a function, strictly."""

import base64
import binascii
import json
import re
from typing import Any

from tests.support.model_servers.pictures import Picture, picture
from tests.support.model_servers.wire import SeenMessage

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_DATA = ("text", "functionCall", "functionResponse", "inlineData")
_NOT_SIGNED = ("skip_thought_signature_validator", "context_engineering_is_the_way_to_go")
_SCHEMA_WORDS = {
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "prefixItems",
    "properties",
    "required",
    "title",
    "type",
}
_VALUES: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "description": (str,),
    "type": (str, list),
    "minimum": (int, float),
    "maximum": (int, float),
    "minItems": (int,),
    "required": (list,),
    "properties": (dict,),
    "additionalProperties": (bool, dict),
}


def want(holds: bool, fault: str) -> None:
    """What does not hold is answered with 400."""
    if not holds:
        raise ValueError(fault)


def check_contents(contents: Any, *, signed: bool) -> None:
    """Roles alternate, parts hold something, responses answer the calls right before them."""
    want(isinstance(contents, list) and contents != [], "contents are missing")
    expected = "user"
    asked: list[dict[str, Any]] = []
    turn = _last_turn(contents)
    for place, content in enumerate(contents):
        want(content.get("role") == expected, f"content {place} is not of {expected}")
        parts = content.get("parts")
        want(isinstance(parts, list) and parts != [], "contents.parts must not be empty")
        for part in parts:
            _check_part(part)
        _check_answers(asked, [part["functionResponse"] for part in parts if "functionResponse" in part])
        asked = [part["functionCall"] for part in parts if "functionCall" in part]
        want(asked == [] or expected == "model", "a function call of the user")
        _check_signatures(parts, needed=signed and place >= turn)
        expected = "model" if expected == "user" else "user"
    want(asked == [], "the last function call has no response")
    want(expected == "model", "the conversation ends with the model")


def _last_turn(contents: list[dict[str, Any]]) -> int:
    """Where the user spoke last: signatures are wanted from there on."""
    spoken = (
        place for place, one in enumerate(contents) if one["role"] == "user" and any("text" in p for p in one["parts"])
    )
    return max(spoken, default=0)


def _check_part(part: Any) -> None:
    want(isinstance(part, dict), "a part is no object")
    kinds = [name for name in _DATA if name in part]
    want(len(kinds) == 1, "required oneof field 'data' must have one initialized field")
    want(set(part) <= {kinds[0], "thought", "thoughtSignature"}, f"unknown names in a part: {set(part)}")
    if kinds[0] == "text":
        want(isinstance(part["text"], str), "text is no text")
        want(part["text"] != "" or "thoughtSignature" in part, "a part with an empty text")
    elif kinds[0] == "inlineData":
        want(set(part[kinds[0]]) == {"mimeType", "data"}, "unknown names in inlineData")
        _picture(part)
    else:
        _check_function(part[kinds[0]], "args" if kinds[0] == "functionCall" else "response")


def _picture(part: dict[str, Any]) -> Picture:
    return picture(part["inlineData"]["mimeType"], part["inlineData"]["data"])


def _check_function(function: Any, member: str) -> None:
    want(isinstance(function, dict) and set(function) <= {"name", "id", member}, "unknown names in a function")
    want(
        isinstance(function.get("name"), str) and _NAME.fullmatch(function["name"]) is not None, "no name of a function"
    )
    want(isinstance(function.get(member, {}), dict), f"{member} is no object")


def _check_name(name: Any) -> None:
    want(isinstance(name, str) and _NAME.fullmatch(name) is not None, f"no name of a function: {name}")


def _check_answers(asked: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
    want(len(asked) == len(answers), "the number of function responses is not that of the function calls before them")
    for call, answer in zip(asked, answers, strict=True):
        want(call["name"] == answer["name"], "a function response is of another function")
        want(call.get("id") == answer.get("id"), "a function response is of another call")


def _check_signatures(parts: list[dict[str, Any]], *, needed: bool) -> None:
    calls = [part for part in parts if "functionCall" in part]
    if needed and calls:
        want("thoughtSignature" in calls[0], "Function call is missing a thought_signature in functionCall parts.")
    for part in calls:
        if (shown := part.get("thoughtSignature")) is not None and shown not in _NOT_SIGNED:
            call = part["functionCall"]
            want(_unsigned(shown) == ["signed", call["name"], call.get("args")], "Corrupted thought signature.")


def _unsigned(shown: Any) -> Any:
    try:
        return json.loads(base64.b64decode(shown, validate=True))
    except (binascii.Error, TypeError, ValueError):
        return None


def declared(function: Any) -> str:
    """The name of a declared function."""
    known = {"name", "description", "parametersJsonSchema"}
    want(isinstance(function, dict) and set(function) <= known, "unknown names in a declaration")
    _check_name(function.get("name"))
    want(isinstance(function.get("description", ""), str), "a description is no text")
    if "parametersJsonSchema" in function:
        schema = function["parametersJsonSchema"]
        want(isinstance(schema, dict), "parametersJsonSchema is no object")
        want(schema.get("type") == "object" or "$ref" in schema, "the parameters are no object")
        check_schema(schema)
    return str(function["name"])


def check_schema(schema: Any) -> None:
    """Words that Gemini does not know make it refuse the whole request."""
    want(isinstance(schema, dict), "a schema is no object")
    want(set(schema) <= _SCHEMA_WORDS, f"unknown words in a schema: {set(schema) - _SCHEMA_WORDS}")
    for word, kinds in _VALUES.items():
        want(word not in schema or isinstance(schema[word], kinds), f"{word} is of another type")
    if "$ref" in schema:
        want(all(word.startswith("$") for word in schema), "something stands beside $ref")
    want(set(schema.get("required", [])) <= set(schema.get("properties", {})), "required: property is not defined")
    want(all(isinstance(one, str | int | float) for one in schema.get("enum", [])), "enum of other things")
    for group in ("properties", "$defs"):
        for one in schema.get(group, {}).values():
            check_schema(one)
    for word in ("anyOf", "oneOf", "prefixItems"):
        for one in schema.get(word, []):
            check_schema(one)
    for word in ("items", "additionalProperties"):
        if not isinstance(schema.get(word, True), bool):
            check_schema(schema[word])


def seen_contents(contents: list[dict[str, Any]]) -> tuple[SeenMessage, ...]:
    """Responses and what the user said after them stand in one content, and are seen as two messages."""
    seen: list[SeenMessage] = []
    for content in contents:
        parts = content["parts"]
        text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
        calls = tuple(
            (p["functionCall"]["name"], p["functionCall"].get("args", {})) for p in parts if "functionCall" in p
        )
        results = tuple(_told(part["functionResponse"]["response"]) for part in parts if "functionResponse" in part)
        pictures = tuple(_picture(part) for part in parts if "inlineData" in part)
        if results:
            seen.append(SeenMessage("results", results=results, pictures=() if text else pictures))
        if text or not results:
            role = "assistant" if content["role"] == "model" else "user"
            seen.append(SeenMessage(role, text, calls, pictures=pictures))
    return tuple(seen)


def _told(response: dict[str, Any]) -> str:
    want(len(response) == 1 and set(response) <= {"output", "error"}, "a response with neither output nor error")
    return str(next(iter(response.values())))

"""What goes into a step: texts and numbers as they stand, and objects that stand for something else.

{"$param": "name"}                  a parameter of the workflow
{"$step": "id"}                     the result of an earlier step; with "at": "/a/0", a part of it that is JSON
{"$text": ["v", {"$param": "n"}]}   texts, one after the other
{"$literal": {"$param": "x"}}       just what stands there, whatever it looks like
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assent.jsontext import NotJson, read_json, write_json
from assent.model.json import Json, JsonObject

_WORDS = {"$param": {"$param"}, "$step": {"$step", "at"}, "$text": {"$text"}, "$literal": {"$literal"}}
LONGEST_TEXT = 1_000_000


class InputFault(ValueError):
    """Something stands for what there is not. Says what."""


class NotYetKnown(Exception):
    """It needs the result of a step that has none yet."""

    def __init__(self, step_id: str) -> None:
        super().__init__(step_id)
        self.step_id = step_id


def needed_steps(inputs: Json) -> frozenset[str]:
    """The steps whose results go in. Raises InputFault where something cannot be understood."""
    return frozenset(one["$step"] for one in _standing_in(inputs) if "$step" in one)


def used_parameters(inputs: Json) -> frozenset[str]:
    """The parameters that go in."""
    return frozenset(one["$param"] for one in _standing_in(inputs) if "$param" in one)


def filled(inputs: Json, parameters: JsonObject, results: Mapping[str, str]) -> Json:
    """The inputs with everything in its place. Raises NotYetKnown, or InputFault."""
    return _filled(inputs, lambda one: _value(one, parameters, results))


def _standing_in(inputs: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(inputs, list):
        for one in inputs:
            yield from _standing_in(one)
    elif isinstance(inputs, dict):
        word = _word(inputs)
        if word in ("$param", "$step"):
            yield inputs
        elif word == "$text":
            yield from _standing_in(inputs["$text"])
        elif word is None:
            yield from _standing_in(list(inputs.values()))


def _word(value: Mapping[str, Any]) -> str | None:
    """Which of the words makes this object stand for something. Raises InputFault where it says that badly."""
    word = next((name for name in value if name.startswith("$")), None)
    if word is None:
        return None
    if word not in _WORDS:
        raise InputFault(f"“{word[:40]}” stands for nothing; known are {', '.join(_WORDS)}")
    more = next((name for name in value if name not in _WORDS[word]), None)
    if more is not None:
        raise InputFault(f"beside “{word}” there cannot be “{more[:40]}”")
    if word in ("$param", "$step") and not isinstance(value[word], str):
        raise InputFault(f"“{word}” has to be a name")
    if word == "$text" and not isinstance(value[word], list):
        raise InputFault("“$text” has to be a list")
    if not isinstance(value.get("at", ""), str):
        raise InputFault("“at” has to be a pointer such as /items/0/name")
    return word


def _filled(value: Any, fill: Callable[[Mapping[str, Any]], Json]) -> Json:
    if isinstance(value, list):
        return [_filled(one, fill) for one in value]
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    word = _word(value)
    if word is None:
        return {name: _filled(one, fill) for name, one in value.items()}
    if word == "$literal":
        return value["$literal"]  # type: ignore[no-any-return]
    if word == "$text":
        text = "".join(_as_text(_filled(one, fill)) for one in value["$text"])
        if len(text) > LONGEST_TEXT:
            raise InputFault(f"a text that is put together has more than {LONGEST_TEXT:,} characters")
        return text
    return fill(value)


def _value(one: Mapping[str, Any], parameters: JsonObject, results: Mapping[str, str]) -> Json:
    if "$param" in one:
        name = one["$param"]
        if name not in parameters:
            raise InputFault(f"the parameter “{name[:80]}” was not given, and has no default")
        return parameters[name]
    step_id = one["$step"]
    if step_id not in results:
        raise NotYetKnown(step_id)
    return _part(step_id, results[step_id], one["at"]) if "at" in one else results[step_id]


def _part(step_id: str, result: str, pointer: str) -> Json:
    try:
        value = read_json(result)
    except NotJson as fault:
        raise InputFault(f"the result of “{step_id}” is no JSON, so nothing can be taken out of it") from fault
    if pointer and not pointer.startswith("/"):
        raise InputFault(f"“{pointer[:80]}” is no pointer: it has to begin with a slash")
    for name in pointer.split("/")[1:]:
        value = _member(step_id, value, name.replace("~1", "/").replace("~0", "~"))
    return value  # type: ignore[no-any-return]


def _member(step_id: str, value: Any, name: str) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(value) and len(name) < 10:
        return value[int(name)]
    raise InputFault(f"the result of “{step_id}” has nothing at “{name[:80]}”")


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else write_json(value).decode("ascii")

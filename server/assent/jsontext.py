"""JSON text, faithfully: what one side wrote is what the other side reads, or it is refused.

The policy, in one place:
- bare NaN and Infinity, and numbers too large for a float, are not JSON and are refused when read;
- integers of any size travel digit by digit;
- lone surrogates travel as \\u escapes, so the bytes are always valid UTF-8 and as many as the characters;
- a number that JSON, or Python, cannot write is carried as a string, and a pointer says where;
- nesting deeper than MAX_DEPTH and numbers longer than Python's own limit are refused when read;
- where a reader says that every name counts, an object with the same name twice is refused.
"""

import json
import math
from typing import Any, NoReturn

MAX_DEPTH = 200
_MOST_BITS = 14_280
"""Of an integer. Python writes and reads no more than 4,300 digits."""


class NotJson(ValueError):
    """A text that is no JSON, or that this policy refuses."""


def read_json(text: bytes | str, *, each_name_once: bool = False) -> Any:
    """The value of a JSON text."""
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value = (_READER_OF_NAMES if each_name_once else _READER).decode(decoded)
    except UnicodeDecodeError as fault:
        raise NotJson("the text is not valid UTF-8") from fault
    except RecursionError as fault:
        raise NotJson("the text is nested too deeply") from fault
    except ValueError as fault:
        raise NotJson(str(fault)) from fault
    # What opens no more often cannot be nested more deeply, and most texts are short.
    if decoded.count("{") + decoded.count("[") > MAX_DEPTH and _deeper_than(value, MAX_DEPTH):
        raise NotJson("the text is nested too deeply")
    return value


def says_each_thing_once(text: bytes) -> bool:
    """Whether no object of this JSON text has the same name twice."""
    try:
        read_json(text, each_name_once=True)
    except NotJson:
        return False
    return True


def write_json(value: Any) -> bytes:
    """The value as one line of JSON in ASCII. Raises ValueError for a number that JSON cannot carry."""
    return _WRITER.encode(value).encode("ascii")


def carry(value: Any) -> tuple[Any, tuple[str, ...]]:
    """The value with every number that JSON, or Python, cannot write as a string, and JSON pointers to those."""
    pointers: list[str] = []
    return _carry(value, "", pointers), tuple(pointers)


def _carry(value: Any, pointer: str, pointers: list[str]) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        pointers.append(pointer)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        pointers.append(pointer)
        return hex(value)
    if isinstance(value, dict):
        return {key: _carry(item, f"{pointer}/{_escape(key)}", pointers) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_carry(item, f"{pointer}/{index}", pointers) for index, item in enumerate(value)]
    return value


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise NotJson("a name stands twice in one object")
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJson(f"the number {digits[:40]} is too large")
    return number


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(child for child in item.values() if isinstance(child, (dict, list)))
            elif isinstance(item, list):
                below.extend(child for child in item if isinstance(child, (dict, list)))
        if not below:
            return False
        level = below
    return True


def canonical_json(value: Any) -> bytes:
    """The one spelling of a value, for digests: sorted keys, no blanks, every number digit by digit."""
    return _CANONICAL.encode(value).encode("ascii")


def readable_json(value: Any) -> str:
    """The value for a person: indented, in its own script, every number digit by digit."""
    return json.dumps(value, allow_nan=False, indent=2, ensure_ascii=False)


def line_json(value: Any) -> str:
    """The value on one line, in its own script: whatever stands in its texts, nothing of it begins another line."""
    return _LINE.encode(value).translate(_LINE_BREAKS)


# Made once: the functions of `json` make a new one for every text that is not read or written as usual.
_READER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_READER_OF_NAMES = json.JSONDecoder(object_pairs_hook=_once_each, parse_constant=_refuse_constant, parse_float=_finite)
_WRITER = json.JSONEncoder(allow_nan=False, separators=(",", ":"), check_circular=False)
_LINE = json.JSONEncoder(allow_nan=False, ensure_ascii=False)
_LINE_BREAKS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Those that JSON itself leaves as they are."""
_CANONICAL = json.JSONEncoder(allow_nan=False, separators=(",", ":"), sort_keys=True)

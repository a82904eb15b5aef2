"""Nodes about texts: cutting, joining, replacing, filling in."""

import re
from typing import Any

from assent.nodes.builtin.function import COUNT, MOST_TEXT, TEXT, Function, Inputs, not_too_long, taking, wrong

_CASES = {"upper": str.upper, "lower": str.lower, "title": str.title, "casefold": str.casefold}
_PLACE = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")


def _change(inputs: Inputs) -> str:
    text = str(inputs["text"])
    if inputs.get("trim"):
        text = text.strip()
    case = inputs.get("case")
    return _CASES[case](text) if case is not None else text


def _replace(inputs: Inputs) -> str:
    text, old, new = inputs["text"], inputs["find"], inputs["replace"]
    grown = len(text) + text.count(old) * (len(new) - len(old))
    if grown > MOST_TEXT:
        raise wrong(f"The result would have {grown} characters; {MOST_TEXT} are the most.")
    return str(text.replace(old, new))


def _split(inputs: Inputs) -> list[str]:
    separator = inputs.get("separator")
    return list(inputs["text"].splitlines() if separator is None else inputs["text"].split(separator))


def _join(inputs: Inputs) -> str:
    return not_too_long(str(inputs.get("separator", "")).join(inputs["parts"]))


def _count(inputs: Inputs) -> dict[str, int]:
    text = inputs["text"]
    return {
        "characters": len(text),
        "bytes": len(text.encode("utf-8", "surrogatepass")),
        "words": len(text.split()),
        "lines": len(text.splitlines()),
    }


def _fill(inputs: Inputs) -> str:
    values = inputs["values"]
    missing = sorted({name for name in _PLACE.findall(inputs["template"]) if _at(values, name) is None})
    if missing:
        raise wrong(f"values has nothing for {', '.join(missing[:10])}.")
    size = len(inputs["template"])
    pieces: list[str] = []
    at = 0
    for place in _PLACE.finditer(inputs["template"]):
        said = _said(_at(values, place[1]))
        size += len(said)
        if size > MOST_TEXT:
            raise wrong(f"The result would have more than {MOST_TEXT} characters.")
        pieces += (inputs["template"][at : place.start()], said)
        at = place.end()
    return "".join((*pieces, inputs["template"][at:]))


def _at(values: Any, name: str) -> Any:
    for step in name.split("."):
        values = values.get(step) if isinstance(values, dict) else None
    return values


def _said(value: Any) -> str:
    from assent.jsontext import line_json

    return value if isinstance(value, str) else line_json(value)


FUNCTIONS = (
    Function(
        "text.change",
        "Trim a text or change its case",
        "Takes blanks off both ends, or writes all of it in upper, lower or title case.",
        taking({"text": TEXT, "trim": {"type": "boolean"}, "case": {"type": "string", "enum": sorted(_CASES)}}, "text"),
        _change,
    ),
    Function(
        "text.replace",
        "Replace in a text",
        "Puts another text in the place of each occurrence of one, letter by letter.",
        taking({"text": TEXT, "find": {"type": "string", "minLength": 1}, "replace": TEXT}, "text", "find", "replace"),
        _replace,
    ),
    Function(
        "text.split",
        "Split a text",
        "The parts of a text between the separators; without one, its lines.",
        taking({"text": TEXT, "separator": {"type": "string", "minLength": 1}}, "text"),
        _split,
    ),
    Function(
        "text.join",
        "Join texts",
        "One text from several, with a separator between them.",
        taking({"parts": {"type": "array", "items": TEXT, "maxItems": 100_000}, "separator": TEXT}, "parts"),
        _join,
    ),
    Function(
        "text.count",
        "Count characters, words and lines",
        "How many characters, bytes in UTF-8, words and lines a text has.",
        taking({"text": TEXT}, "text"),
        _count,
    ),
    Function(
        "text.slice",
        "Cut out of a text",
        "The characters from one place to another, counted from 0.",
        taking({"text": TEXT, "start": COUNT, "end": COUNT}, "text"),
        lambda inputs: inputs["text"][inputs.get("start", 0) : inputs.get("end")],
    ),
    Function(
        "template.fill",
        "Fill in a template",
        "Puts values in the place of `{{name}}` and `{{name.inner}}` in a template. Nothing in it is run.",
        taking({"template": TEXT, "values": {"type": "object"}}, "template", "values"),
        _fill,
    ),
)

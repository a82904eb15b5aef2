"""Nodes about values and tables: JSON, a way into it, CSV."""

import csv
import io
import re
from typing import Any

from assent.jsontext import NotJson, line_json, read_json, readable_json
from assent.model.json import Json
from assent.nodes.builtin.function import TEXT, Function, Inputs, not_too_long, taking, wrong

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]|\[\*\]|\[\"((?:[^\"\\]|\\.)*)\"\]")
_MOST_FOUND = 10_000
_MOST_CELLS = 500_000


def _query(inputs: Inputs) -> Json:
    """One value, or with `[*]` in the way a list of all."""
    way = inputs["path"]
    steps = _steps(way if way.startswith((".", "[")) or not way else f".{way}")
    found = [_parsed(inputs["json"])]
    for name, index, every in steps:
        found = [inner for one in found for inner in _below(one, name, index, every)]
        if len(found) > _MOST_FOUND:
            raise wrong(f"path leads to more than {_MOST_FOUND} values.")
    if any(every for _, _, every in steps):
        return found
    if not found:
        raise wrong(f"path leads nowhere: {way[:200]}.")
    value: Json = found[0]
    return value


def _steps(way: str) -> list[tuple[str | None, int | None, bool]]:
    steps: list[tuple[str | None, int | None, bool]] = []
    at = 0
    while at < len(way):
        step = _STEP.match(way, at)
        if step is None:
            raise wrong(f'path is not understood from {way[at : at + 40]!r} on; write .name, [0], [*] or ["name"].')
        name = step[1] if step[1] is not None else step[3]
        steps.append((name, int(step[2]) if step[2] else None, step[0] == "[*]"))
        at = step.end()
    return steps


def _below(value: Any, name: str | None, index: int | None, every: bool) -> list[Any]:
    if every:
        return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if index is not None:
        return [value[index]] if isinstance(value, list) and index < len(value) else []
    return [value[name]] if isinstance(value, dict) and name in value else []


def _parsed(said: Any) -> Any:
    if not isinstance(said, str):
        return said
    try:
        return read_json(said)
    except NotJson as fault:
        raise wrong(f"json is no JSON: {fault}.") from None


def _format(inputs: Inputs) -> str:
    value = _parsed(inputs["json"])
    return not_too_long(readable_json(value) if inputs.get("indent", True) else line_json(value))


def _read_csv(inputs: Inputs) -> Json:
    try:
        rows = list(csv.reader(io.StringIO(inputs["csv"]), delimiter=inputs.get("delimiter", ","), strict=True))
    except csv.Error as fault:
        raise wrong(f"csv cannot be read: {fault}.") from None
    if sum(map(len, rows)) > _MOST_CELLS:
        raise wrong(f"csv has more than {_MOST_CELLS} cells.")
    if not inputs.get("header", True) or not rows:
        return rows
    head, *rest = rows
    return [dict(zip(head, row, strict=False)) for row in rest if row]


def _write_csv(inputs: Inputs) -> str:
    rows = inputs["rows"]
    head = list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))
    written = io.StringIO()
    writer = csv.writer(written, delimiter=inputs.get("delimiter", ","), lineterminator="\n")
    if head:
        writer.writerow(head)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in head] if isinstance(row, dict) else list(map(_cell, row)))
    return not_too_long(written.getvalue())


def _cell(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else line_json(value)


_SEPARATOR: Json = {"type": "string", "minLength": 1, "maxLength": 1}
_JSON: Json = {"description": "A JSON value, or a text that is JSON."}
FUNCTIONS = (
    Function(
        "json.query",
        "Look into JSON",
        'The value to which a path leads: `.users[0].name`, `.users[*].name`, `["odd name"]`.',
        taking({"json": _JSON, "path": {"type": "string", "maxLength": 2_000}}, "json", "path"),
        _query,
    ),
    Function(
        "json.format",
        "Format JSON",
        "A JSON value as text: indented, or with `indent` false on one line.",
        taking({"json": _JSON, "indent": {"type": "boolean"}}, "json"),
        _format,
    ),
    Function(
        "csv.read",
        "Read CSV",
        "The rows of a table in CSV: objects by the names in its first row, or with `header` false lists.",
        taking({"csv": TEXT, "delimiter": _SEPARATOR, "header": {"type": "boolean"}}, "csv"),
        _read_csv,
    ),
    Function(
        "csv.write",
        "Write CSV",
        "A table as CSV, from objects or from lists.",
        taking(
            {
                "rows": {
                    "type": "array",
                    "items": {"anyOf": [{"type": "object"}, {"type": "array"}]},
                    "maxItems": 100_000,
                },
                "delimiter": _SEPARATOR,
            },
            "rows",
        ),
        _write_csv,
    ),
)

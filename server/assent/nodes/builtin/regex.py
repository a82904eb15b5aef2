"""Nodes about regular expressions: in a process of their own, so that none of them outlasts its time."""

import json
import sys
from pathlib import Path
from typing import Any

from assent.jsontext import write_json
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.nodes.builtin.function import MOST_TEXT, TEXT, Inputs, taking, wrong
from assent.runtime.processes import Bounds, Processes, Start

SECONDS = 3.0
MOST_FOUND = 1_000
_PROGRAM = str(Path(__file__).with_name("regex_work.py"))
_MOST_MEMORY = 512 << 20
_FLAG: Json = {"type": "boolean"}
_COMMON: JsonObject = {
    "text": TEXT,
    "pattern": {"type": "string", "minLength": 1, "maxLength": 10_000},
    "ignore_case": _FLAG,
    "multiline": _FLAG,
    "dot_all": _FLAG,
}
FIND = (
    "regex.find",
    "Find by regular expression",
    f"Where a regular expression (Python's) matches in a text, with its groups: {MOST_FOUND} matches, {SECONDS:g} s.",
    taking(_COMMON, "text", "pattern"),
)
REPLACE = (
    "regex.replace",
    "Replace by regular expression",
    r"Puts a text in the place of each match of a regular expression (Python's); \1 and \g<name> stand for groups.",
    taking({**_COMMON, "replace": TEXT}, "text", "pattern", "replace"),
)


async def work(processes: Processes, inputs: Inputs) -> Json:
    """Matches, or the text with the replacements. Raises ToolFault, also where it takes too long."""
    replace = inputs.get("replace")
    given = {**inputs, "replace": replace, "most": MOST_FOUND if replace is None else 0}
    start = Start(
        (sys.executable, "-I", "-S", _PROGRAM),
        str(Path(_PROGRAM).parent),
        {"PYTHONIOENCODING": "utf-8"},
        bounds=Bounds(processes=4, memory_bytes=_MOST_MEMORY),
        talks=True,
    )
    ended = await processes.run(start, SECONDS, 8 * MOST_TEXT, given=write_json(given))
    if ended.timed_out:
        raise ToolFault(
            "timeout",
            f"The expression did not come to an end within {SECONDS:g} seconds: it tries too many ways. Write it so "
            "that no part that repeats holds another one, or use a shorter text.",
        )
    said = _said(ended.output.text())
    if "fault" in said:
        raise wrong(f"pattern is no regular expression, or replace is none for it: {said['fault']}.")
    if "result" not in said:
        raise ToolFault("failed", f"It came to nothing{f': {ended.limit}' if ended.limit else ''}.")
    result: Json = said["result"]
    return result


def _said(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}

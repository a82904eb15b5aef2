"""What a hook's end means: its exit, and what it printed. Whatever cannot be read is a fault, never an agreement."""

from enum import StrEnum
from typing import cast

from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass
from assent.model.hooks import Hook
from assent.model.json import JsonObject

MOST_OUTPUT = 1 << 20
"""Bytes that a hook may print: the new content of a file has to fit in."""
MOST_REASON = 1_000
MOST_NOTE = 4_000
_DENIES = 2
_NOT_FOUND = (126, 127)


class Word(StrEnum):
    """What a hook can say of a call."""

    ALLOW = "allow"
    DENY = "deny"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Ending:
    """How the program of a hook ended, and what it had printed by then."""

    code: int | None = None
    signal: str | None = None
    output: str = ""
    errors: str = ""
    not_started: str = ""
    timed_out: bool = False
    too_much: bool = False
    held_open: bool = False
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The answer of one hook. With a fault, nothing else of it counts."""

    hook: Hook
    word: Word | None = None
    reason: str = ""
    arguments: JsonObject | None = None
    note: str = ""
    fault: str = ""
    of_this_tool: bool = True
    """It is for the very tool of the call, and not only for another one that does the same."""


class _Senseless(Exception):
    """Why an answer cannot be read."""


def said_before(hook: Hook, end: Ending, *, of_this_tool: bool = True) -> Said:
    """What a hook says before a call."""
    fault = _fault_of(hook, end)
    if fault:
        return Said(hook, fault=fault)
    if end.code == _DENIES:
        return Said(hook, Word.DENY, _short(end.errors, MOST_REASON))
    try:
        answer = _object(end, ("decision", "reason", "updatedInput"))
        if answer is None:
            return Said(hook)
        word, reason = _word(answer.get("decision")), _text(answer, "reason", MOST_REASON)
        return Said(hook, word, reason, _arguments(answer.get("updatedInput")), of_this_tool=of_this_tool)
    except _Senseless as fault:
        return Said(hook, fault=str(fault))


def said_after(hook: Hook, end: Ending) -> Said:
    """What a hook says after a call: a note for the model. Nothing of it is undone by that."""
    fault = _fault_of(hook, end)
    if fault:
        return Said(hook, fault=fault)
    if end.code == _DENIES:
        return Said(hook, note=_short(end.errors, MOST_NOTE))
    try:
        answer = _object(end, ("note", "additionalContext")) or {}
        notes = [_text(answer, name, MOST_NOTE) for name in ("note", "additionalContext")]
        return Said(hook, note="\n".join(filter(None, notes)))
    except _Senseless as fault:
        return Said(hook, fault=str(fault))


def _fault_of(hook: Hook, end: Ending) -> str:
    """Why there is no answer of this program; nothing where there may be one."""
    if end.not_started:
        return f"it could not be started: {end.not_started}"
    if end.too_much:
        return f"it printed more than {MOST_OUTPUT} bytes"
    if end.timed_out:
        return f"it had not answered after {hook.timeout_seconds:g} seconds"
    if end.limit is not None:
        return f"it was ended: {end.limit}"
    if end.code is None:
        return f"it was ended by {end.signal or 'something unknown'}"
    if end.code not in (0, _DENIES):
        why = " (there is no such program, or it cannot be started)" if end.code in _NOT_FOUND else ""
        said = _short(end.errors, 200)
        return f"it ended with exit code {end.code}{why}{f': {said}' if said else ''}"
    if end.held_open and end.code == 0 and not end.output.strip():
        return "it left a program running that still held its output, so what it would have said is not known"
    return ""


def _object(end: Ending, names: tuple[str, ...]) -> JsonObject | None:
    if not end.output.strip():
        return None
    try:
        value = read_json(end.output, each_name_once=True)
    except NotJson:
        raise _Senseless("what it printed is no JSON") from None
    if not isinstance(value, dict):
        raise _Senseless("what it printed is no JSON object")
    unknown = next((name for name in value if name not in names), None)
    if unknown is not None:
        raise _Senseless(f"its answer holds {_short(repr(unknown), 60)}, which means nothing here")
    return cast("JsonObject", value)


def _word(value: object) -> Word | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in tuple(Word):
        raise _Senseless(f"its decision is {_short(repr(value), 60)}, which is none of allow, deny and ask")
    return Word(value)


def _text(answer: JsonObject, name: str, most: int) -> str:
    value = answer.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Senseless(f"its {name} is no text")
    return _short(value, most)


def _arguments(value: object) -> JsonObject | None:
    if value is not None and not isinstance(value, dict):
        raise _Senseless("its updatedInput is no JSON object")
    return value


def _short(text: str, most: int) -> str:
    """Readable, and not without end: it stands in a card, and a model reads it."""
    plain = "".join(char if char.isprintable() or char == "\n" else " " for char in text).strip()
    return plain if len(plain) <= most else f"{plain[:most]}…"

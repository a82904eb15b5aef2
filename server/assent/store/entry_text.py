"""An entry as the text that is kept: masked, bounded, in one spelling."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from assent.jsontext import canonical_json, carry
from assent.masking import mask_json, mask_text
from assent.model.json import Json
from assent.model.records import Entry

MOST_ARGS = 16 * 1024
"""Characters of a call's arguments that are kept; of longer ones the size and a digest as well."""
MOST_TEXT = 8 * 1024
"""Characters that are kept of any other text."""


def body_of(entry: Entry, known: frozenset[str] = frozenset()) -> str:
    """The entry as one line of JSON in ASCII, with everything masked that is one of these or looks like a secret."""
    fields, redactions = _masked(_fields(entry), known)
    fields["args"], more = _arguments(entry, known)
    if redactions + more:
        fields["redactions"] = redactions + more
    return text_of(fields)


def text_of(fields: Mapping[str, Any]) -> str:
    """The one spelling of an entry's fields. What says nothing is left out."""
    return canonical_json(
        {name: value for name, value in fields.items() if value is not None and value is not False}
    ).decode()


def _fields(entry: Entry) -> dict[str, Any]:
    subject, caller = entry.subject, entry.subject.caller
    return {
        "at": entry.at,
        "stage": entry.stage.value,
        "session_id": caller.session_id,
        "run_id": caller.run_id,
        "call_id": subject.call.call_id,
        "agent_id": caller.agent_id,
        "agent_name": caller.agent_name,
        "tool": subject.call.tool,
        "category": subject.category.value,
        "mode": subject.mode.value,
        "headline": subject.headline,
        "directory": subject.directory,
        "folder": subject.folder,
        "digest": subject.digest,
        "path": list(caller.path) or None,
        "approval_id": entry.approval_id,
        "ending": entry.ending and entry.ending.value,
        "by": entry.by and entry.by.value,
        "reason": entry.reason and entry.reason.value,
        "text": entry.text or None,
        "rule": _rule(entry),
        "option": entry.option and entry.option.value,
        "grant": entry.grant or (entry.granted.words if entry.granted is not None else None),
        "granted_at": entry.granted.at if entry.granted is not None else None,
        "grant_until": entry.granted.until if entry.granted is not None else None,
        "feedback": entry.feedback,
        "edited": entry.edited,
        "interrupted": entry.interrupted,
        "waited_ms": entry.waited_ms,
        "took_ms": entry.took_ms,
        "code": entry.code,
    }


def _rule(entry: Entry) -> dict[str, Any] | None:
    rule = entry.rule
    if rule is None:
        return None
    fields = {"pattern": rule.pattern, "scope": rule.scope, "file": rule.file, "line": rule.line}
    return {name: value for name, value in fields.items() if value is not None}


_OUR_WORDS = frozenset(
    {
        "at",
        "stage",
        "digest",
        "category",
        "mode",
        "ending",
        "by",
        "reason",
        "option",
        "session_id",
        "run_id",
        "approval_id",
        "granted_at",
        "grant_until",
    }
)
"""Made here, and nobody else's words: a digest would look like a secret."""
_MARGIN = 64 * 1024
_SHORT = 512
_MOST_ITEMS = 64


def _masked(fields: dict[str, Any], known: frozenset[str]) -> tuple[dict[str, Any], int]:
    """The fields without secrets and not endlessly long, and how many secrets there were."""
    masked: dict[str, Any] = {}
    redactions = 0
    for name, value in fields.items():
        if name in _OUR_WORDS or value is None or isinstance(value, (bool, int)):
            masked[name] = value
            continue
        masked[name], found = _masked_inside(value, known)
        redactions += found
    return masked, redactions


def _masked_inside(value: Any, known: frozenset[str]) -> tuple[Any, int]:
    """Texts, also those in lists and objects: there are no others in an entry."""
    if isinstance(value, str):
        return _masked_text(value, MOST_TEXT, known)
    if isinstance(value, dict):
        pairs = [(name, _masked_inside(item, known)) for name, item in value.items()]
        return {name: item for name, (item, _) in pairs}, sum(found for _, (_, found) in pairs)
    if isinstance(value, list):
        items = [_masked_inside(item, known) for item in value[:_MOST_ITEMS]]
        return [item for item, _ in items], sum(found for _, found in items)
    return value, 0


def _masked_text(text: str, most: int, known: frozenset[str]) -> tuple[str, int]:
    # No secret is so long that its beginning would be kept and its end not be seen.
    shown, found = mask_said(text[: most + _MARGIN], known)
    return _cut(shown, most, text), found


def mask_said(text: str, known: frozenset[str]) -> tuple[str, int]:
    """The text with every secret masked, and how many there were: of what one call says, most is said several times."""
    return _mask_again(text, known) if len(text) <= _SHORT else mask_text(text, known)


@lru_cache(maxsize=512)
def _mask_again(text: str, known: frozenset[str]) -> tuple[str, int]:
    """Names, folders and sentences that come back with every entry."""
    return mask_text(text, known)


def _arguments(entry: Entry, known: frozenset[str]) -> tuple[str, int]:
    """The arguments as JSON text, or the text that was none, and how many secrets were taken out."""
    call = entry.subject.call
    if call.args is None:
        return _masked_text(call.raw, MOST_ARGS, known)
    args = carry(_plain(call.args))[0]
    whole = canonical_json(args).decode()
    shown, found = mask_json(args if len(whole) <= _MARGIN else _shortened(args), known)
    # The beginning of what holds no secret is that of the whole, also where the rest of it was not looked at.
    text = canonical_json(_plain(shown)).decode() if found else whole
    return _cut(text, MOST_ARGS, whole), found


def _shortened(value: Any) -> Any:
    """The value with no text longer than can be kept of it."""
    if isinstance(value, dict):
        return {_shortened(name): _shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value[:MOST_ARGS]]
    return value[: MOST_ARGS + _MARGIN] if isinstance(value, str) else value


def _plain(value: Json) -> Any:
    """Any mapping and sequence as the ones that can be written as JSON."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _cut(text: str, most: int, whole: str) -> str:
    """The text, or its beginning with what the whole was: its length and its digest tell it again."""
    if len(text) <= most:
        return text
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:most]}… [cut: {len(whole)} characters, SHA-256 {digest}]"

"""An entry as the text that is kept: masked, bounded, in one spelling."""

import hashlib
from collections.abc import Mapping
from typing import Any

from assent.jsontext import canonical_json, carry
from assent.masking import mask_json, mask_text
from assent.model.json import Json
from assent.model.records import Entry

MOST_ARGS = 16 * 1024
"""Characters of a call's arguments that are kept; of longer ones the size and a digest as well."""
MOST_TEXT = 8 * 1024
"""Characters that are kept of any other text."""


def body_of(entry: Entry) -> str:
    """The entry as one line of JSON in ASCII, with everything masked that looks like a secret."""
    fields, redactions = _masked(_fields(entry))
    fields["args"], more = _arguments(entry)
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
        "grant": entry.grant or None,
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


_IDENTITIES = frozenset({"at", "stage", "digest", "category", "mode", "ending", "by", "reason", "option"})
"""Made here and no one else's words: a digest would look like a secret."""
_FREE = frozenset({"session_id", "run_id", "approval_id"})


def _masked(fields: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The fields without secrets and not endlessly long, and how many secrets there were."""
    masked: dict[str, Any] = {}
    redactions = 0
    for name, value in fields.items():
        if name in _IDENTITIES or name in _FREE or value is None or isinstance(value, (bool, int)):
            masked[name] = value
            continue
        if isinstance(value, str):
            text, found = mask_text(value)
            masked[name] = _cut(text, MOST_TEXT)
        else:
            shown, found = mask_json(value)
            masked[name] = _cut_inside(shown)
        redactions += found
    return masked, redactions


def _arguments(entry: Entry) -> tuple[str, int]:
    """The arguments as JSON text, or the text that was none, and how many secrets were taken out."""
    call = entry.subject.call
    if call.args is None:
        text, found = mask_text(call.raw)
        return _cut(text, MOST_ARGS), found
    shown, found = mask_json(call.args)
    return _cut(canonical_json(carry(_plain(shown))[0]).decode(), MOST_ARGS), found


def _plain(value: Json) -> Any:
    """Any mapping and sequence as the ones that can be written as JSON."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _cut_inside(value: Json) -> Any:
    if isinstance(value, Mapping):
        return {key: _cut_inside(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cut_inside(item) for item in value[:64]]
    return _cut(value, MOST_TEXT) if isinstance(value, str) else value


def _cut(text: str, most: int) -> str:
    """The text, or its beginning with what the whole was: its length and its digest tell it again."""
    if len(text) <= most:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:most]}… [cut: {len(text)} characters, SHA-256 {digest}]"

"""A card whose secrets are masked, for clients that can ask for the card as it is."""

import re
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from assent.masking import mask_harmless, mask_harmless_json
from assent.protocol.approval import (
    ApprovalRequest,
    CommandPart,
    CommandPreview,
    DiffLineInfo,
    DiffPreview,
    JsonPreview,
    Preview,
)

_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\s*")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}\s*")
_KEY_MARK = "[masked: private key]"


def masked(request: ApprovalRequest, known: frozenset[str]) -> ApprovalRequest:
    """The card with a mark for each secret in it that can do nothing but be known; everything else is as it is.

    What would run is not touched by this, and the digest speaks of that.
    """
    args, in_args = mask_harmless_json(request.args, known)
    preview, in_preview = _preview(request.preview, known)
    if not (in_args or in_preview):
        return request

    def text(value: Any) -> Any:
        return mask_harmless_json(value, known)[0]

    call = request.tool_call
    return evolve(
        request,
        args=args,
        preview=preview,
        tool_call=evolve(call, title=text(call.title), raw_input=text(call.raw_input)),
        headline=text(request.headline),
        agent_says=text(request.agent_says),
        reason=evolve(request.reason, text=text(request.reason.text)),
        risk=request.risk and evolve(request.risk, notes=text(request.risk.notes)),
        redactions=max(in_args, in_preview),
    )


def _preview(preview: Preview | None, known: frozenset[str]) -> tuple[Preview | None, int]:
    match preview:
        case CommandPreview():
            text, count = mask_harmless(preview.text, known)
            parts = tuple(_part(part, known) for part in preview.parts)
            return evolve(preview, text=text, parts=parts), count
        case DiffPreview():
            lines, count = _lines(preview.lines, known)
            return evolve(preview, lines=lines), count
        case JsonPreview():
            text, count = mask_harmless(preview.text, known)
            return evolve(preview, text=text), count
    return preview, 0


def _part(part: CommandPart, known: frozenset[str]) -> CommandPart:
    def text(value: str) -> str:
        return mask_harmless(value, known)[0]

    return evolve(part, written=text(part.written), does=text(part.does), notes=tuple(map(text, part.notes)))


def _lines(lines: Iterable[DiffLineInfo], known: frozenset[str]) -> tuple[tuple[DiffLineInfo, ...], int]:
    """Line by line; the key between two lines that say that there is one is not known by its own look."""
    shown: list[DiffLineInfo] = []
    count, in_key = 0, False
    for line in lines:
        if in_key and _KEY_LINE.fullmatch(line.text):
            text, found = _KEY_MARK, 1
        else:
            text, found = mask_harmless(line.text, known)
            in_key = _KEY_BEGINS.fullmatch(line.text) is not None
        shown.append(evolve(line, text=text) if found else line)
        count += found
    return tuple(shown), count

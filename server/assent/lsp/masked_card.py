"""Cards whose secrets are masked, for clients that let nobody allow what they mask before it was revealed."""

import re
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from assent.masking import mask_json, mask_text
from assent.protocol.approval import ApprovalRequest
from assent.protocol.events import AgentEvent, ShellData, ToolCallData, ToolUpdateData
from assent.protocol.previews import (
    CommandPart,
    CommandPreview,
    DiffLineInfo,
    DiffPreview,
    JsonPreview,
    PlainPreview,
    Preview,
    StepInfo,
    StepsPreview,
    UrlPreview,
)
from assent.protocol.shells import ShellInfo

_KEY_BEGINS = re.compile(r"\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\s*")
_KEY_LINE = re.compile(r"\s*[A-Za-z0-9+/=]{16,}\s*")
_KEY_MARK = "[masked: private key]"
_SHORTEST_KNOWN = 16
"""A key that is an ordinary word, as servers of one's own take any, would be masked all over."""


def masked(request: ApprovalRequest, known: frozenset[str]) -> ApprovalRequest:
    """The card with a mark for each secret that is found in it. What would run, and its digest, stay as they are."""
    known = _opaque(known)
    args, in_args = mask_json(request.args, known)
    preview, in_preview = _preview(request.preview, known)
    if not (in_args or in_preview):
        return request

    def text(value: Any) -> Any:
        return mask_json(value, known)[0]

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


def masked_event(event: AgentEvent, known: frozenset[str]) -> AgentEvent:
    """The event with its headline and its note as the card of the call has them."""
    data = event.data
    if isinstance(data, ToolCallData):
        return evolve(event, data=evolve(data, headline=mask_text(data.headline, _opaque(known))[0]))
    if isinstance(data, ToolUpdateData) and data.note:
        return evolve(event, data=evolve(data, note=mask_text(data.note, _opaque(known))[0]))
    if isinstance(data, ShellData) and data.command:
        return evolve(event, data=evolve(data, command=mask_text(data.command, _opaque(known))[0]))
    return event


def masked_command(info: ShellInfo, known: frozenset[str]) -> ShellInfo:
    """A running command as the card of its call has it. What it prints is shown as it is, as every result is."""
    return evolve(info, command=mask_text(info.command, _opaque(known))[0])


def _opaque(known: frozenset[str]) -> frozenset[str]:
    return frozenset(value for value in known if len(value) >= _SHORTEST_KNOWN)


def _preview(preview: Preview | None, known: frozenset[str]) -> tuple[Preview | None, int]:
    if isinstance(preview, StepsPreview):
        title, count = mask_text(preview.title, known)
        steps = [_step(step, known) for step in preview.steps]
        shown = evolve(preview, title=title, steps=tuple(step for step, _ in steps))
        return shown, count + sum(found for _, found in steps)
    return (preview, 0) if preview is None else _plain(preview, known)


def _plain(preview: PlainPreview, known: frozenset[str]) -> tuple[PlainPreview, int]:
    match preview:
        case CommandPreview():
            text, count = mask_text(preview.text, known)
            parts = tuple(_part(part, known) for part in preview.parts)
            note, noted = mask_text(preview.note or "", known)
            return evolve(preview, text=text, parts=parts, note=note or None), count + noted
        case DiffPreview():
            lines, count = _lines(preview.lines, known)
            return evolve(preview, lines=lines), count
        case JsonPreview():
            text, count = mask_text(preview.text, known)
            return evolve(preview, text=text), count
        case UrlPreview():
            after, count = mask_text(preview.after, known)
            note, more = mask_text(preview.note or "", known)
            return evolve(preview, after=after, note=note or None), count + more


def _step(step: StepInfo, known: frozenset[str]) -> tuple[StepInfo, int]:
    shown, count = _plain(step.preview, known)
    headline, found = mask_text(step.headline, known)
    return evolve(step, preview=shown, headline=headline), count + found


def _part(part: CommandPart, known: frozenset[str]) -> CommandPart:
    def text(value: str) -> str:
        return mask_text(value, known)[0]

    return evolve(part, written=text(part.written), does=text(part.does), notes=tuple(map(text, part.notes)))


def _lines(lines: Iterable[DiffLineInfo], known: frozenset[str]) -> tuple[tuple[DiffLineInfo, ...], int]:
    """Line by line; the key between two lines that say that there is one is not known by its own look."""
    shown: list[DiffLineInfo] = []
    count, in_key = 0, False
    for line in lines:
        if in_key and _KEY_LINE.fullmatch(line.text):
            text, found = _KEY_MARK, 1
        else:
            text, found = mask_text(line.text, known)
            in_key = _KEY_BEGINS.fullmatch(line.text) is not None
        shown.append(evolve(line, text=text) if found else line)
        count += found
    return tuple(shown), count

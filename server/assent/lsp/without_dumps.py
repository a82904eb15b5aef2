"""Cards without dumps: in the place of what nobody can read stands what it is. All of it can still be opened.

Only what is part of the full text of the call is left out, and then that has to be opened before anyone can approve.
"""

import json
import re
from dataclasses import replace
from itertools import groupby

from attrs import evolve

from assent.jsontext import write_json
from assent.lsp.previews_on_wire import preview_info
from assent.lsp.to_wire import details_text
from assent.media.opaque import SHORTEST, Opaque, opaque
from assent.model.approval import Question
from assent.model.preview import DiffLine, DiffPreview, JsonPreview, LineKind, Preview
from assent.protocol.approval import ApprovalRequest, TruncatedInfo

_LITERAL = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_PEM = "-----BEGIN "
"""A key or a certificate: what it is stands above it, and secrets are looked for in it."""


def without_dumps(request: ApprovalRequest, question: Question) -> ApprovalRequest:
    """The card with words in the place of bytes; the same card where there are none.

    What holds secrets stays as it is until they are revealed: words about them would be one more place to look in.
    """
    preview = question.card.preview
    if request.redactions or not _may_hold_bytes(preview):
        return request
    shown, left_out = shortened(preview, details_text(question))
    if shown is preview:
        return request
    truncated = request.truncated or (TruncatedInfo(len(details_text(question))) if left_out else None)
    return evolve(request, preview=preview_info(shown), truncated=truncated)


def shortened(preview: Preview, whole: str) -> tuple[Preview, bool]:
    """The preview without dumps, and whether any of what would run is left out of it. `whole` is the call's full text.

    The steps of a call stay as they are: nothing that could be opened holds all of them.
    """
    if isinstance(preview, JsonPreview):
        text = _json(preview.text, whole)
        return (preview, False) if text == preview.text else (replace(preview, text=text), True)
    if isinstance(preview, DiffPreview):
        lines, left_out = _lines(preview, whole)
        return (preview, False) if lines == preview.lines else (replace(preview, lines=lines), left_out)
    return preview, False


def _may_hold_bytes(preview: Preview) -> bool:
    """Nearly no card does, and finding that out costs next to nothing."""
    if isinstance(preview, JsonPreview):
        return len(preview.text) >= SHORTEST
    return isinstance(preview, DiffPreview) and sum(len(line.text) for line in preview.lines) >= SHORTEST


def _json(text: str, whole: str) -> str:
    """In a JSON text no value can look like these words: they stand without quotation marks."""

    def told(literal: "re.Match[str]") -> str:
        if len(literal[0]) < SHORTEST:
            return literal[0]
        value = json.loads(literal[0])
        found = opaque(value) if _in_text(value) in whole else None
        return literal[0] if found is None else f"⟨{found.words()}⟩"

    try:
        return _LITERAL.sub(told, text)
    except ValueError:
        # It only looks like JSON: it is shown as it is.
        return text


def _lines(diff: DiffPreview, whole: str) -> tuple[tuple[DiffLine, ...], bool]:
    """The lines of a diff, and whether any that would be written are left out."""
    shown: list[DiffLine] = []
    left_out = False
    for kind, grouped in groupby(diff.lines, lambda line: line.kind):
        run = list(grouped)
        changes = kind in (LineKind.ADDED, LineKind.REMOVED)
        told = _told(run, whole, cut=not diff.whole) if changes else run
        shown += told
        left_out = left_out or (told != run and kind is LineKind.ADDED)
    return tuple(shown), left_out


def _told(run: list[DiffLine], whole: str, *, cut: bool) -> list[DiffLine]:
    """Words in the place of these lines, or of those among them that are bytes."""
    if any(line.text.startswith(_PEM) for line in run):
        return run
    found = _of_all(run, whole)
    if found is not None:
        return [_gap(found, run, cut=cut)]
    each = ((line, _of_all([line], whole)) for line in run)
    return [line if one is None else _gap(one, [line]) for line, one in each]


def _of_all(run: list[DiffLine], whole: str) -> Opaque | None:
    text = "\n".join(line.text for line in run)
    if len(text) < SHORTEST or (run[0].kind is LineKind.ADDED and _in_text(text) not in whole):
        return None
    return opaque(text)


def _in_text(value: str) -> str:
    """As it stands in the full text."""
    return write_json(value).decode("ascii")[1:-1]


def _gap(found: Opaque, run: list[DiffLine], *, cut: bool = False) -> DiffLine:
    written = run[0].kind is LineKind.ADDED
    first, last = (line.new_number if written else line.old_number for line in (run[0], run[-1]))
    where = f"line {first}" if len(run) == 1 else f"lines {first} to {last}"
    done = "written" if written else "taken out"
    return DiffLine(LineKind.GAP, f"{where}, {done}: {found.words(cut=cut)}")

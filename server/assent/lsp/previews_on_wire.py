"""What a card shows of its call, in the words of the wire."""

from assent.lsp.wire_values import MAX_ARGS_BYTES, word
from assent.model.preview import (
    CommandPreview,
    DiffPreview,
    JsonPreview,
    PlainPreview,
    Preview,
    StepPreview,
    StepsPreview,
    UrlPreview,
)
from assent.protocol import previews as wire


def preview_info(preview: Preview) -> wire.Preview:
    """What a card shows of its call; the text of arguments only up to a size."""
    if isinstance(preview, StepsPreview):
        return wire.StepsPreview(preview.title, tuple(map(_step, preview.steps)), preview.done)
    return _plain(preview)


def _step(step: StepPreview) -> wire.StepInfo:
    shown = _plain(step.preview)
    return wire.StepInfo(step.number, step.name, step.headline, word(step.category), shown, step.notes)


def _plain(preview: PlainPreview) -> wire.PlainPreview:
    match preview:
        case DiffPreview():
            return diff_preview(preview)
        case JsonPreview(text):
            return wire.JsonPreview(text[:MAX_ARGS_BYTES])
        case CommandPreview():
            return _command(preview)
        case UrlPreview(before, host, after, note):
            return wire.UrlPreview(before, host, after, note)


def shows_all(preview: Preview) -> bool:
    """Whether nothing of it is left out."""
    if isinstance(preview, StepsPreview):
        return all(shows_all(step.preview) for step in preview.steps)
    return preview.whole if isinstance(preview, DiffPreview) else len(preview.text) <= MAX_ARGS_BYTES


def diff_preview(preview: DiffPreview) -> wire.DiffPreview:
    """A file as it is and as it would be."""
    return wire.DiffPreview(
        path=preview.path,
        real_path=preview.real_path,
        is_new=preview.is_new,
        lines=tuple(
            wire.DiffLineInfo(word(line.kind), line.text, line.old_number, line.new_number) for line in preview.lines
        ),
        added=preview.added,
        removed=preview.removed,
        note=preview.note,
    )


def _command(preview: CommandPreview) -> wire.CommandPreview:
    return wire.CommandPreview(
        text=preview.text[:MAX_ARGS_BYTES],
        parts=tuple(wire.CommandPart(part.written, part.does, part.notes) for part in preview.parts),
        more_parts=preview.more_parts,
        unreadable=preview.unreadable,
        more_only_read=preview.more_only_read,
        note=preview.note,
        sandbox=preview.sandbox,
    )

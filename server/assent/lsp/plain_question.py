"""A question as a message box, for clients that draw no cards. It says all of what would run, or offers no yes."""

from lsprotocol import types as lsp

from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.approval import OptionKind, Question
from assent.model.preview import (
    CommandPreview,
    DiffPreview,
    JsonPreview,
    LineKind,
    PartLine,
    PlainPreview,
    Preview,
    StepPreview,
    StepsPreview,
    UrlPreview,
)

MAX_SHOWN = 2_000
_OFFERED = (OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.ALLOW_SESSION)
_SIGNS = {LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.CONTEXT: " ", LineKind.GAP: "…"}


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """The message, and which option each of its buttons means."""

    params: lsp.ShowMessageRequestParams
    option_ids: dict[str, str]


def plain_question(question: Question) -> PlainQuestion:
    """The question in words. Where the call is too long for a message box, it can only be refused there."""
    card = question.card
    shown = _shown(question)
    whole = len(shown) <= MAX_SHOWN and _is_whole(card.preview)
    usable = [option for option in card.options if option.kind in _OFFERED and not option.disabled]
    offered = [option for option in usable if whole or option.kind.refuses]
    lines = [
        one_line(f"{card.caller.agent_name}: {card.headline}"),
        *([one_line(f"Asked for by its sub-agent: {' › '.join(card.caller.path)}")] if card.caller.path else []),
        *([one_line(f"In {card.directory}")] if card.directory else []),
        one_line(card.reason_text),
        *(one_line(note) for note in (card.risk.notes if card.risk else ())),
    ]
    lines.append(shown if whole else f"{shown[:MAX_SHOWN]}… It is too long to be shown here, so it can only be denied.")
    return PlainQuestion(
        lsp.ShowMessageRequestParams(
            type=lsp.MessageType.Warning,
            message="\n".join(lines),
            actions=[lsp.MessageActionItem(title=option.name) for option in offered],
        ),
        {option.name: option.option_id for option in offered},
    )


def _is_whole(preview: Preview) -> bool:
    """A diff can be short because most of it is left out."""
    if isinstance(preview, StepsPreview):
        return all(_is_whole(step.preview) for step in preview.steps)
    return preview.whole if isinstance(preview, DiffPreview) else True


def _shown(question: Question) -> str:
    preview = question.card.preview
    if isinstance(preview, StepsPreview):
        return "\n\n".join(map(_step, preview.steps))
    if isinstance(preview, JsonPreview):
        return _visible(readable_json(question.card.call.args))
    return _plain(preview)


def _step(step: StepPreview) -> str:
    said = [one_line(f"{step.number}. {step.headline}"), *map(one_line, step.notes), _plain(step.preview)]
    return "\n".join(said)


def _plain(preview: PlainPreview) -> str:
    if isinstance(preview, DiffPreview):
        body = "\n".join(f"{_SIGNS[line.kind]} {_visible(line.text)}" for line in preview.lines)
        return f"{one_line(preview.real_path)}\n{body}" + (f"\n{one_line(preview.note)}" if preview.note else "")
    if isinstance(preview, CommandPreview):
        return _command(preview)
    if isinstance(preview, UrlPreview):
        return "\n".join(one_line(text) for text in (preview.text, preview.note) if text)
    return _visible(preview.text)


def _command(preview: CommandPreview) -> str:
    known = [_part(part) for part in preview.parts]
    only = " that only read" if preview.more_only_read else ""
    more = [f"… and {preview.more_parts} more{only}"] if preview.more_parts else []
    said = [one_line(text) for text in (preview.note, preview.unreadable) if text]
    return "\n".join([_visible(preview.text), "", *said, *known, *more]).rstrip("\n")


def _part(part: PartLine) -> str:
    return one_line(" ".join([f"{part.written}: {part.does}.", *part.notes]))


def one_line(text: str) -> str:
    """A name may hold line ends too, and must not make what follows look like words of ours."""
    return _visible(text.replace("\n", "‹U+000A›"))


def _visible(text: str) -> str:
    """Characters that would reorder, hide or move what stands beside them are written out."""
    return "".join(char if char in "\n\t" or char.isprintable() else f"‹U+{ord(char):04X}›" for char in text)

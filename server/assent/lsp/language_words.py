"""What is said inside of settings files, as editors take it: places, Markdown, things that fit, changes of a text."""

import re
from collections.abc import Iterable

from lsprotocol import types as lsp

from assent.settings.jsonc import Document
from assent.settings.language.completing import Fits, Offer
from assent.settings.language.hovering import Hover
from assent.settings.language.lenses import Lens
from assent.settings.language.mending import Fix
from assent.settings.language.where import Where

_KINDS = {
    Fits.TOOL: lsp.CompletionItemKind.Function,
    Fits.AGENT: lsp.CompletionItemKind.Module,
    Fits.PATTERN: lsp.CompletionItemKind.Value,
    Fits.WORD: lsp.CompletionItemKind.EnumMember,
    Fits.SETTING: lsp.CompletionItemKind.Property,
}
_LINK = re.compile(r"\](?=[(\[:])")
_WORD_JOINER = "\u2060"


def markdown(text: str) -> lsp.MarkupContent:
    """Words with what somebody else wrote in them: nothing of it becomes a link, or a picture that is fetched."""
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, _LINK.sub(f"]{_WORD_JOINER}", text))


def range_in(text: str, start: int, end: int) -> lsp.Range:
    span = Document(text, None).span(start, end)
    return lsp.Range(lsp.Position(span.start_line, span.start_column), lsp.Position(span.end_line, span.end_column))


def shown_hover(hover: Hover, text: str) -> lsp.Hover:
    return lsp.Hover(markdown(hover.text), range_in(text, hover.start, hover.end))


def shown_offers(offers: Iterable[Offer], where: Where, text: str) -> list[lsp.CompletionItem]:
    """They take the place of the whole word: the quotes that are there come with it."""
    place = range_in(text, where.start, where.end)
    return [
        lsp.CompletionItem(
            label=offer.label,
            kind=_KINDS[offer.kind],
            detail=offer.detail or None,
            documentation=markdown(offer.about) if offer.about else None,
            sort_text=f"{number:04}",
            filter_text=offer.text,
            text_edit=lsp.TextEdit(place, offer.text),
        )
        for number, offer in enumerate(offers)
    ]


def shown_lenses(lenses: Iterable[Lens], scope: str, command: str) -> list[lsp.CodeLens]:
    shown = []
    for lens in lenses:
        span = lens.place.span
        start, end = lsp.Position(span.start_line, span.start_column), lsp.Position(span.end_line, span.end_column)
        clicked = lsp.Command(lens.title, command, arguments=[lens.agent, scope])
        shown.append(lsp.CodeLens(lsp.Range(start, end), clicked))
    return shown


def shown_fix(fix: Fix, uri: str, text: str, diagnostic: lsp.Diagnostic) -> lsp.CodeAction:
    edits = [lsp.TextEdit(range_in(text, change.start, change.end), change.text) for change in fix.changes]
    return lsp.CodeAction(
        fix.title,
        lsp.CodeActionKind.QuickFix,
        [diagnostic],
        is_preferred=fix.preferred or None,
        edit=lsp.WorkspaceEdit(changes={uri: edits}),
    )

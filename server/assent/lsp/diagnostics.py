"""What is wrong with settings files, underlined where it stands.

Of a file that is open in the editor, that is what its text says there, saved or not. What stands in no file that the
server knows is not shown here: chats say it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp

from assent.lazy_dataclasses import dataclass
from assent.settings.jsonc import BYTE_ORDER_MARK
from assent.settings.layers import Diagnostic, Kind, Origin, Severity

SOURCE = "Assent"

Publish = Callable[[str, list[lsp.Diagnostic]], None]
"""Tells the client all that is wrong with one document; an empty list takes back what was told of it."""

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
}


def file_uri(file: str) -> str:
    """The name of a document for an editor."""
    return Path(file).absolute().as_uri()


@dataclass(frozen=True, slots=True)
class _Drafted:
    """What was found in the text of an open file."""

    name: str
    text: str
    found: tuple[Diagnostic, ...]


class SettingsDiagnostics:
    """Remembers what one client was told, and tells it what is different now."""

    def __init__(self, publish: Publish, uri_of: Callable[[str], str] = file_uri) -> None:
        self._publish = publish
        self._uri_of = uri_of
        self._on_disk: tuple[Diagnostic, ...] = ()
        self._drafts: dict[str, _Drafted] = {}
        self._shown: dict[str, list[lsp.Diagnostic]] = {}

    def show(self, diagnostics: Iterable[Diagnostic]) -> None:
        """These are all that there are in settings as they count now."""
        self._on_disk = tuple(diagnostics)
        self._tell()

    def drafted(self, uri: str, name: str, text: str, found: Iterable[Diagnostic]) -> None:
        """These are all that there are in the text of this open file."""
        self._drafts[uri] = _Drafted(name, text, tuple(found))
        self._tell()

    def closed(self, uri: str) -> None:
        """It is open no more: what counts of it is what the disk holds."""
        if self._drafts.pop(uri, None) is not None:
            self._tell()

    def _tell(self) -> None:
        uris = {draft.name: uri for uri, draft in self._drafts.items()}
        drafts = {draft.name: draft for draft in self._drafts.values()}
        kept = (one for one in self._on_disk if _holds_beside(one, drafts))
        everything = [*kept, *(one for draft in drafts.values() for one in draft.found)]
        now = by_document(everything, lambda file: uris.get(file) or self._uri_of(file))
        for uri, found in changes(self._shown, now).items():
            self._publish(uri, found)
            if found:
                self._shown[uri] = found
            else:
                del self._shown[uri]


def _holds_beside(diagnostic: Diagnostic, drafts: Mapping[str, _Drafted]) -> bool:
    """Of a file that is open, its own text says what is wrong; what waits for the user's word waits as it was saved."""
    origin = diagnostic.origin
    draft = drafts.get(origin.file) if origin is not None and origin.file is not None else None
    if draft is None or origin is None:
        return True
    saved = origin.where.document.text.removeprefix(BYTE_ORDER_MARK) if origin.where else None
    return diagnostic.kind is Kind.AWAITING and saved == draft.text


def by_document(
    diagnostics: Iterable[Diagnostic], uri_of: Callable[[str], str] = file_uri
) -> dict[str, list[lsp.Diagnostic]]:
    """What editors show of each document, from top to bottom, each thing once."""
    documents: dict[str, list[lsp.Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.origin is None or diagnostic.origin.file is None:
            continue
        of_document = documents.setdefault(uri_of(diagnostic.origin.file), [])
        shown = _shown(diagnostic, diagnostic.origin, uri_of)
        if shown not in of_document:
            of_document.append(shown)
    return {uri: sorted(found, key=_place) for uri, found in documents.items()}


def changes(
    before: Mapping[str, list[lsp.Diagnostic]], now: Mapping[str, list[lsp.Diagnostic]]
) -> dict[str, list[lsp.Diagnostic]]:
    """The documents of which something else is to be shown; nothing any more, where the list is empty."""
    gone: dict[str, list[lsp.Diagnostic]] = {uri: [] for uri in before if uri not in now}
    return gone | {uri: found for uri, found in now.items() if before.get(uri) != found}


def shown_diagnostic(diagnostic: Diagnostic) -> lsp.Diagnostic | None:
    """As it was told, without what it leads to; None where it stands nowhere."""
    return (
        _shown(replace(diagnostic, beside=None), diagnostic.origin, file_uri) if diagnostic.origin is not None else None
    )


def _shown(diagnostic: Diagnostic, origin: Origin, uri_of: Callable[[str], str]) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=range_of(origin),
        message=diagnostic.text,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.kind.value,
        source=SOURCE,
        related_information=_beside(diagnostic.beside, uri_of),
    )


def _beside(origin: Origin | None, uri_of: Callable[[str], str]) -> list[lsp.DiagnosticRelatedInformation] | None:
    """The entry that is the reason, to be gone to."""
    if origin is None or origin.file is None:
        return None
    location = lsp.Location(uri_of(origin.file), range_of(origin))
    return [lsp.DiagnosticRelatedInformation(location, "This one comes first.")]


def range_of(origin: Origin) -> lsp.Range:
    """The stretch of text, as editors are told."""
    span = origin.span
    if span is not None:
        return lsp.Range(lsp.Position(span.start_line, span.start_column), lsp.Position(span.end_line, span.end_column))
    # Of what cannot be read at all, the beginning stands for the whole.
    line = (origin.line or 1) - 1
    return lsp.Range(lsp.Position(line, 0), lsp.Position(line + 1, 0))


def _place(diagnostic: lsp.Diagnostic) -> tuple[int, int, str]:
    start = diagnostic.range.start
    return start.line, start.character, diagnostic.message

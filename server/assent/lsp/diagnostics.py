"""What is wrong with settings files, underlined where it stands.

What stands in no file that the server knows, as the user's own settings, is not shown here: chats say it.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from lsprotocol import types as lsp

from assent.settings.layers import Diagnostic, Origin, Severity

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


class SettingsDiagnostics:
    """Remembers what one client was told, and tells it what is different now."""

    def __init__(self, publish: Publish, uri_of: Callable[[str], str] = file_uri) -> None:
        self._publish = publish
        self._uri_of = uri_of
        self._shown: dict[str, list[lsp.Diagnostic]] = {}

    def show(self, diagnostics: Iterable[Diagnostic]) -> None:
        """These are all that there are now."""
        for uri, found in changes(self._shown, by_document(diagnostics, self._uri_of)).items():
            self._publish(uri, found)
            if found:
                self._shown[uri] = found
            else:
                del self._shown[uri]


def by_document(
    diagnostics: Iterable[Diagnostic], uri_of: Callable[[str], str] = file_uri
) -> dict[str, list[lsp.Diagnostic]]:
    """What editors show of each document, from top to bottom, each thing once."""
    documents: dict[str, list[lsp.Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.origin is None or diagnostic.origin.file is None:
            continue
        of_document = documents.setdefault(uri_of(diagnostic.origin.file), [])
        shown = _shown(diagnostic, diagnostic.origin)
        if shown not in of_document:
            of_document.append(shown)
    return {uri: sorted(found, key=_place) for uri, found in documents.items()}


def changes(
    before: Mapping[str, list[lsp.Diagnostic]], now: Mapping[str, list[lsp.Diagnostic]]
) -> dict[str, list[lsp.Diagnostic]]:
    """The documents of which something else is to be shown; nothing any more, where the list is empty."""
    gone: dict[str, list[lsp.Diagnostic]] = {uri: [] for uri in before if uri not in now}
    return gone | {uri: found for uri, found in now.items() if before.get(uri) != found}


def _shown(diagnostic: Diagnostic, origin: Origin) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=_range(origin),
        message=diagnostic.text,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.kind.value,
        source=SOURCE,
    )


def _range(origin: Origin) -> lsp.Range:
    span = origin.span
    if span is not None:
        return lsp.Range(lsp.Position(span.start_line, span.start_column), lsp.Position(span.end_line, span.end_column))
    # Of what cannot be read at all, the beginning stands for the whole.
    line = (origin.line or 1) - 1
    return lsp.Range(lsp.Position(line, 0), lsp.Position(line + 1, 0))


def _place(diagnostic: lsp.Diagnostic) -> tuple[int, int, str]:
    start = diagnostic.range.start
    return start.line, start.character, diagnostic.message

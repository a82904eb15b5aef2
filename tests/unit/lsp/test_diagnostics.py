"""What is wrong with settings, as editors are told: which document, where, how bad, and when."""

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from assent.lsp.diagnostics import SettingsDiagnostics, by_document, changes, file_uri
from assent.settings.effective import effective
from assent.settings.jsonc import Place, parse
from assent.settings.layers import Diagnostic, Kind, Origin, Scope, layers_from
from assent.settings.reading import SettingsFile

TEXT = '{\n  "é🦊": 1, "b": 2\n}'


def at(member: str, text: str = "Wrong.", kind: Kind = Kind.WRONG_VALUE, file: str = "/w/settings.json") -> Diagnostic:
    document = parse(TEXT)
    node = document.find(member)
    assert node is not None
    place = Place(document, node.start, node.end)
    return Diagnostic(text, Origin(Scope.WORKSPACE, file, document.line(node.start), place), kind)


def extent(diagnostic: lsp.Diagnostic) -> tuple[int, int, int, int]:
    start, end = diagnostic.range.start, diagnostic.range.end
    return start.line, start.character, end.line, end.character


def test_each_says_what_where_and_how_bad() -> None:
    (shown,) = by_document([at("b")])["file:///w/settings.json"]
    assert extent(shown) == (1, 17, 1, 18)
    assert (shown.message, shown.source, shown.code) == ("Wrong.", "Assent", "wrong-value")
    assert shown.severity is lsp.DiagnosticSeverity.Error


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        (Kind.UNREADABLE, lsp.DiagnosticSeverity.Error),
        (Kind.WRONG_VALUE, lsp.DiagnosticSeverity.Error),
        (Kind.EXAMPLE, lsp.DiagnosticSeverity.Error),
        (Kind.PATTERN, lsp.DiagnosticSeverity.Error),
        (Kind.NO_EFFECT, lsp.DiagnosticSeverity.Warning),
        (Kind.REPEATED, lsp.DiagnosticSeverity.Warning),
        (Kind.UNKNOWN_SETTING, lsp.DiagnosticSeverity.Warning),
        (Kind.UNKNOWN_AGENT, lsp.DiagnosticSeverity.Warning),
        (Kind.UNKNOWN_TOOL, lsp.DiagnosticSeverity.Warning),
        (Kind.SHADOWED, lsp.DiagnosticSeverity.Information),
    ],
)
def test_every_kind_has_its_severity_and_its_word(kind: Kind, severity: lsp.DiagnosticSeverity) -> None:
    (shown,) = by_document([at("b", kind=kind)])["file:///w/settings.json"]
    assert (shown.severity, shown.code) == (severity, kind.value)


def test_what_stands_in_no_file_is_not_shown() -> None:
    assert by_document([Diagnostic("x"), Diagnostic("y", Origin(Scope.USER))]) == {}


def test_without_a_stretch_the_line_is_shown_and_without_a_line_the_beginning() -> None:
    found = [Diagnostic("x", Origin(Scope.FOLDER, "/w/a b#é.json", 4)), Diagnostic("y", Origin(Scope.FOLDER, "/w/n"))]
    shown = by_document(found)
    assert extent(shown["file:///w/a%20b%23%C3%A9.json"][0]) == (3, 0, 4, 0)
    assert extent(shown["file:///w/n"][0]) == (0, 0, 1, 0)


def test_they_stand_in_the_order_of_the_text_and_each_once() -> None:
    found = [at("b"), at("é🦊"), at("b"), at("b", "Another."), at("b", file="/w/other.json")]
    shown = by_document(found)
    assert [(one.message, extent(one)[1]) for one in shown["file:///w/settings.json"]] == [
        ("Wrong.", 9),
        ("Another.", 17),
        ("Wrong.", 17),
    ]
    assert len(shown["file:///w/other.json"]) == 1


def test_only_what_changed_is_told() -> None:
    one, other = by_document([at("b")]), by_document([at("é🦊")])
    assert changes({}, one) == one
    assert changes(one, by_document([at("b")])) == {}
    assert changes(one, other) == other
    assert changes(one, {}) == {"file:///w/settings.json": []}


class Published:
    """What a client was told, in order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, list[str]]] = []
        self.works = True

    def __call__(self, uri: str, found: list[lsp.Diagnostic]) -> None:
        if not self.works:
            raise ConnectionError
        self.told.append((uri, [one.message for one in found]))


def test_a_client_is_told_what_is_new_and_that_something_is_gone() -> None:
    published = Published()
    diagnostics = SettingsDiagnostics(published)
    a, b = file_uri("/w/a"), file_uri("/w/b")
    for found in (
        [],
        [at("b", file="/w/a"), at("b", file="/w/b")],
        [at("b", file="/w/b"), at("b", file="/w/a")],
        [at("b", file="/w/b"), at("b", "Other.", file="/w/a")],
        [at("b", "Other.", file="/w/a")],
        [],
        [],
    ):
        diagnostics.show(found)
    assert published.told == [(a, ["Wrong."]), (b, ["Wrong."]), (a, ["Other."]), (b, []), (a, [])]


def test_what_could_not_be_told_is_told_the_next_time() -> None:
    published = Published()
    diagnostics = SettingsDiagnostics(published)
    diagnostics.show([at("b")])
    published.works = False
    with pytest.raises(ConnectionError):
        diagnostics.show([])
    published.works = True
    diagnostics.show([])
    diagnostics.show([])
    assert published.told[1:] == [("file:///w/settings.json", [])]


@pytest.fixture
def shown_for(tmp_path: Path) -> Callable[[str], list[tuple[str | int | None, tuple[int, int, int, int]]]]:
    """What a workspace's file of this text comes to in the editor."""

    def make(text: str) -> list[tuple[str | int | None, tuple[int, int, int, int]]]:
        path = tmp_path / "settings.json"
        path.write_text(text, "utf-8")
        found = by_document(effective(layers_from(None, SettingsFile(path).read())).diagnostics)
        assert list(found) in ([], [path.as_uri()])
        return [(one.code, extent(one)) for one in found.get(path.as_uri(), [])]

    return make


def test_from_the_file_to_the_editor(shown_for: Callable[[str], object]) -> None:
    assert shown_for('{\n  "assent.mode": "ask"\n}') == []
    assert shown_for('{\n  "assent.mode": "yolo"\n}') == [("wrong-value", (1, 17, 1, 23))]
    assert shown_for('{\n  "assent.enabled": true,\n  "assent.enabled": false\n}') == [("repeated", (2, 2, 2, 18))]
    assert shown_for('{\n  "assent.bypassAvailable": true\n}') == [("no-effect", (1, 28, 1, 32))]
    assert shown_for('{\n  "assent.mode": "ask",,\n}') == [("unreadable", (1, 23, 1, 24))]


def told(show: Callable[[SettingsDiagnostics], object]) -> dict[str, list[str]]:
    """What is underlined in each document after all of this."""
    shown: dict[str, list[str]] = {}
    show(SettingsDiagnostics(lambda uri, found: shown.update({uri: [one.message for one in found]})))
    return {uri: messages for uri, messages in shown.items() if messages}


FILE, URI = "/w/settings.json", "file:///w/settings.json"


def test_of_an_open_file_its_own_text_says_what_is_wrong() -> None:
    def show(diagnostics: SettingsDiagnostics) -> None:
        diagnostics.show([at("b", "On the disk."), at("b", "Elsewhere.", file="/w/other.json")])
        diagnostics.drafted("file:///W%3A/settings.json", FILE, "{}", [at("b", "In the text.")])

    assert told(show) == {"file:///W%3A/settings.json": ["In the text."], "file:///w/other.json": ["Elsewhere."]}


def test_what_waits_for_a_word_waits_for_as_long_as_the_text_is_what_was_saved() -> None:
    waits = at("b", "Agree to it.", Kind.AWAITING)

    def saved(diagnostics: SettingsDiagnostics) -> None:
        diagnostics.drafted(URI, FILE, TEXT, [])
        diagnostics.show([waits])

    def typed(diagnostics: SettingsDiagnostics) -> None:
        saved(diagnostics)
        diagnostics.drafted(URI, FILE, TEXT + " ", [])

    assert told(saved) == {URI: ["Agree to it."]}
    assert told(typed) == {}


def test_a_closed_file_says_what_the_disk_says_again() -> None:
    def show(diagnostics: SettingsDiagnostics) -> None:
        diagnostics.show([at("b", "On the disk.")])
        diagnostics.drafted(URI, FILE, "{}", [])
        assert told_now == {URI: []}
        diagnostics.closed(URI)

    told_now: dict[str, list[str]] = {}
    diagnostics = SettingsDiagnostics(lambda uri, found: told_now.update({uri: [one.message for one in found]}))
    show(diagnostics)
    assert told_now == {URI: ["On the disk."]}


def test_the_entry_that_is_the_reason_is_linked() -> None:
    reason = at("é🦊", file="/w/other.json").origin
    (shown,) = by_document([Diagnostic("In vain.", at("b").origin, Kind.SHADOWED, beside=reason)])[URI]
    assert shown.related_information is not None
    (link,) = shown.related_information
    assert (link.location.uri, link.location.range.start.line) == ("file:///w/other.json", 1)

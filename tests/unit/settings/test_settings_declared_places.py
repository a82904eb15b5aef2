"""Where things stand in a settings file, as editors count, and what is said of a setting that stands there twice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.settings.effective import effective
from assent.settings.findings import Findings
from assent.settings.jsonc import MAX_VALUES, Span, parse
from assent.settings.layers import Kind, Layers, Severity, layers_from
from assent.settings.reading import SettingsFile


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[..., Layers]:
    """The layers of a workspace whose file says this, without a client that sends scopes unless blocks are given."""

    def make(text: str | bytes, blocks: object = None) -> Layers:
        path = tmp_path / "settings.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return layers_from(blocks, SettingsFile(path).read())

    return make


def span(text: str, *path: str | int) -> Span | None:
    document = parse(text)
    node = document.find(*path)
    assert node is not None
    return document.span(node.start, node.end)


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_a_stretch_is_counted_from_zero_over_any_line_end(eol: str) -> None:
    text = eol.join(["{", '  "a": [1,', "    2", "  ]", "}"])
    assert span(text, "a") == Span(1, 7, 3, 3)
    assert span(text, "a", 1) == Span(2, 4, 2, 5)


def test_columns_are_utf16_units_and_a_byte_order_mark_is_no_column() -> None:
    assert span('{"é🦊": "𝒳y"}', "é🦊") == Span(0, 8, 0, 13)
    assert span('\ufeff{"a": 1}', "a") == Span(0, 6, 0, 7)
    assert span('\ufeff{\n"a": 1}', "a") == Span(1, 5, 1, 6)


def test_an_origin_knows_its_stretch_also_of_an_item_of_a_list(on_disk: Callable[..., Layers]) -> None:
    layers = on_disk('{\n  "assent.alwaysDenyRules": {"bash": ["a",\n    {"pattern": "b"}]}\n}')
    whole = layers.workspace.origin("alwaysDenyRules", "bash")
    assert (whole.line, whole.span) == (2, Span(1, 37, 2, 21))
    item = layers.workspace.origin("alwaysDenyRules", "bash", 1)
    assert (item.line, item.span) == (3, Span(2, 4, 2, 20))
    assert layers.workspace.origin("alwaysDenyRules", "bash", 1, "pattern").span == Span(2, 16, 2, 19)
    for path in (("bash", 2), ("bash", -1), ("none", 0), (0,), ("bash", "x")):
        assert layers.workspace.origin("alwaysDenyRules", *path).span is None


def test_a_value_that_the_editor_read_elsewhere_has_no_place_in_this_file(on_disk: Callable[..., Layers]) -> None:
    layers = on_disk('{"assent.toolAllowlist": ["a", "b"]}', {"workspace": {"toolAllowlist": ["a", "c"]}})
    assert layers.workspace.origin("toolAllowlist", 0).span == Span(0, 26, 0, 29)
    assert layers.workspace.origin("toolAllowlist", 1).file is None
    assert layers.workspace.origin("toolAllowlist").file is None


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n  "a": 1\n  "b🦊": 2\n}', Span(2, 2, 2, 3)),
        ('{"a": 1', Span(0, 6, 0, 7)),
        ("[1]", Span(0, 0, 0, 3)),
        ('{\n"🦊": 1, /* never', Span(1, 9, 1, 10)),
        (b'{"a": 1,\n"\xc3\xa9\xff": 2}', Span(1, 2, 1, 3)),
        ('\ufeff{"a": nope}', Span(0, 6, 0, 7)),
    ],
)
def test_a_file_that_cannot_be_read_says_at_which_character(
    on_disk: Callable[..., Layers], text: str | bytes, where: Span
) -> None:
    (said,) = effective(on_disk(text)).diagnostics
    assert (said.kind, said.severity) == (Kind.UNREADABLE, Severity.ERROR)
    assert said.origin is not None
    assert said.origin.span == where
    assert said.origin.line == where.start_line + 1


def test_another_place_on_the_same_line_is_no_other_origin(on_disk: Callable[..., Layers]) -> None:
    one = on_disk('{"assent.mode": "ask"}').workspace.origin("mode")
    other = on_disk('{"x": 1, "assent.mode": "ask"}').workspace.origin("mode")
    assert one == other
    assert one.span != other.span


def kinds(layers: Layers) -> list[tuple[str, Span | None]]:
    found = Findings()
    found.report_unreadable(layers)
    return [
        (diagnostic.text, diagnostic.origin.span if diagnostic.origin else None) for diagnostic in found.diagnostics
    ]


def test_each_repetition_is_told_at_its_key(on_disk: Callable[..., Layers]) -> None:
    text = """{
  "editor.tabSize": 2, "editor.tabSize": 4,
  "assent.mode": "ask",
  "assent": {"mode": "plan", "agents": {"A": {"provider": "demo", "provider": "demo"}}},
  "assent.bypassPermissions": {"A": true, "A": true},
  "assent.alwaysDenyRules": {"t": ["x", {"pattern": "y", "pattern": "z"}]}
}"""
    said = "stands here more than once. The stricter reading counts; keep one of them."
    assert kinds(on_disk(text, {"workspace": {"mode": "ask"}})) == [
        (f"assent.mode {said}", Span(3, 13, 3, 19)),
        (f"assent.agents.A.provider {said}", Span(3, 66, 3, 76)),
        (f"assent.bypassPermissions.A {said}", Span(4, 42, 4, 45)),
        (f"assent.alwaysDenyRules.t.pattern {said}", Span(5, 57, 5, 66)),
    ]


def test_what_stands_once_is_not_told(on_disk: Callable[..., Layers]) -> None:
    text = '{"a": 1, "a": 2, "assent": {"mode": "ask"}, "assent.agents": {"A": {"x": 1}, "B": {"x": 1}}}'
    assert kinds(on_disk(text)) == []


def test_the_same_sentence_at_two_places_of_one_line_is_told_twice(on_disk: Callable[..., Layers]) -> None:
    found = Findings()
    layer = on_disk('{"assent.toolAllowlist": ["a", "b"]}').workspace
    for index in (0, 1, 1):
        found.add("Wrong.", layer, "toolAllowlist", index)
    assert [d.origin.span for d in found.diagnostics if d.origin] == [Span(0, 26, 0, 29), Span(0, 31, 0, 34)]


def test_what_two_scopes_say_at_the_same_place_is_told_once(on_disk: Callable[..., Layers]) -> None:
    rules = {"bash": [5]}
    layers = on_disk('{"assent.alwaysDenyRules": {"bash": [5]}}', {"folder": {"alwaysDenyRules": rules}})
    assert [diagnostic.kind for diagnostic in effective(layers).diagnostics] == [Kind.WRONG_VALUE]


def test_many_repetitions_leave_room_for_the_rest(on_disk: Callable[..., Layers]) -> None:
    twice = ", ".join('"assent.enabled": true' for _ in range(100))
    said = {diagnostic.kind for diagnostic in effective(on_disk(f'{{{twice}, "assent.mode": 5}}')).diagnostics}
    assert said == {Kind.REPEATED, Kind.WRONG_VALUE}


HUGE = {
    "nested": '{"assent.agents": ' + '{"a":' * 100_000,
    "a million keys": "{" + ",".join(f'"k{n}":1' for n in range(400_000)) + "}",
    "too many values": '{"assent.toolAllowlist": [' + "1," * (MAX_VALUES + 1) + "]}",
    "nothing but lines": "\n" * 5_000_000 + "x",
    "one long line": '{"é": "' + "é" * 2_000_000 + '" x}',
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_huge_cannot_be_read_and_says_so_at_a_place(on_disk: Callable[..., Layers], name: str) -> None:
    result = effective(on_disk(HUGE[name]))
    (said,) = result.diagnostics
    assert said.kind is Kind.UNREADABLE
    assert said.origin is not None
    assert said.origin.span is not None
    assert result.mode_ceiling is not None


def test_a_setting_that_stands_there_without_end_is_read_and_told_a_few_times(on_disk: Callable[..., Layers]) -> None:
    text = "{" + ",".join('"assent.enabled": false, "assent.mode": "ask"' for _ in range(20_000)) + "}"
    result = effective(on_disk(text))
    assert not result.enabled
    assert 1 <= len(result.diagnostics) <= 50

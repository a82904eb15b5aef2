"""How an edited settings text looks: the new entry follows the layout that it finds."""

import pytest

from assent.settings.faults import JsonFault
from assent.settings.jsonc import parse
from assent.settings.jsonc_edit import append_item, remove_entry, remove_item, set_entry

BYPASS = ("assent.bypassPermissions", "Claude Code")


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


NEW = lines("{", '    "assent.bypassPermissions": {', '        "Claude Code": true', "    }", "}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", NEW),
        ("// mine\n", "// mine\n" + NEW),
        ("// mine", "// mine\n" + NEW),
        ("{}\n", NEW),
        ("\ufeff{}\n", "\ufeff" + NEW),
        ("{}\r\n", NEW.replace("\n", "\r\n")),
        (
            '{\n\t"a": 1 // one\n}\n',
            '{\n\t"a": 1, // one\n\t"assent.bypassPermissions": {\n\t\t"Claude Code": true\n\t}\n}\n',
        ),
        (
            lines("{", '  "a": 1,', "  // the end", "}"),
            lines(
                "{",
                '  "a": 1,',
                '  "assent.bypassPermissions": {',
                '    "Claude Code": true',
                "  },",
                "  // the end",
                "}",
            ),
        ),
        ('{"a": 1}', '{"a": 1, "assent.bypassPermissions": {"Claude Code": true}}'),
        ('{"assent.bypassPermissions": {"Claude Code": false}}', '{"assent.bypassPermissions": {"Claude Code": true}}'),
        (
            lines("{", '  "assent.bypassPermissions": {', '    "Local": false // no', "  }", "}"),
            lines(
                "{",
                '  "assent.bypassPermissions": {',
                '    "Local": false, // no',
                '    "Claude Code": true',
                "  }",
                "}",
            ),
        ),
        (
            lines("{", '  "assent": {', '    "bypassPermissions": {},', '    "mode": "ask"', "  }", "}"),
            lines(
                "{",
                '  "assent": {',
                '    "bypassPermissions": {',
                '      "Claude Code": true',
                "    },",
                '    "mode": "ask"',
                "  }",
                "}",
            ),
        ),
    ],
)
def test_an_entry_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    assert set_entry(before, BYPASS, True) == after


def test_of_both_spellings_the_later_one_counts_and_is_changed() -> None:
    dotted, nested = '"assent.mode": "ask"', '"assent": {"mode": "plan"}'
    changed = '"assent.mode": "auto"', '"assent": {"mode": "auto"}'
    assert set_entry(f"{{{dotted}, {nested}}}", ("assent.mode",), "auto") == f"{{{dotted}, {changed[1]}}}"
    assert set_entry(f"{{{nested}, {dotted}}}", ("assent.mode",), "auto") == f"{{{nested}, {changed[0]}}}"


def test_of_repeated_keys_the_last_one_is_changed() -> None:
    before = '{"assent.bypassPermissions": {"Claude Code": true, "Claude Code": false}}'
    assert set_entry(before, BYPASS, True) == before.replace("false", "true")


@pytest.mark.parametrize("way", ["[]", "null", '"x"', "1", "true"])
def test_something_else_than_an_object_on_the_way_is_never_destroyed(way: str) -> None:
    for text in (way, f'{{"assent.bypassPermissions": {way}}}', f'{{"assent": {{"bypassPermissions": {way}}}}}'):
        with pytest.raises(JsonFault, match="left as it is"):
            set_entry(text, BYPASS, True)
        with pytest.raises(JsonFault, match="left as it is"):
            remove_entry(text, BYPASS)


def test_a_text_that_does_not_parse_is_not_edited() -> None:
    with pytest.raises(JsonFault, match="line 2"):
        set_entry('{"a": 1\n"b": 2}', BYPASS, True)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}])
def test_a_value_that_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(JsonFault, match="cannot be written as JSON"):
        set_entry('{"assent.mode": 1}', ("assent.mode",), value)  # type: ignore[arg-type]


def test_true_is_not_one() -> None:
    assert set_entry('{"assent.mode": 1}', ("assent.mode",), True) == '{"assent.mode": true}'


@pytest.mark.parametrize("name", ["__proto__", "a.b", " ", "🦊", "x" * 300, '"', "\\", "\ud800", "\x07", "\u2028"])
def test_any_name_of_an_agent_is_written_so_that_it_reads_the_same(name: str) -> None:
    text = set_entry("{}", ("assent.bypassPermissions", name), True)
    assert parse(text).value == {"assent.bypassPermissions": {name: True}}
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            lines("{", '  "a": 1,', '  "assent.mode": "ask", // why', '  "b": 2', "}"),
            lines("{", '  "a": 1,', "  // why", '  "b": 2', "}"),
        ),
        (lines("{", '  "a": 1,', '  "assent.mode": "ask"', "}"), lines("{", '  "a": 1', "}")),
        (lines("{", '  "a": 1,', '  "assent.mode": "ask",', "}"), lines("{", '  "a": 1,', "}")),
        ('{"a": 1, "assent.mode": "ask"}', '{"a": 1}'),
        ('{"assent.mode": "ask", "a": 1}', '{"a": 1}'),
        ('{"assent.mode": "ask", "a": 1, "assent.mode": "plan"}', '{"a": 1}'),
        ('{"assent": {"mode": "ask"}, "assent.mode": "plan"}', '{"assent": {}}'),
        ('{"a": 1}', '{"a": 1}'),
        ("", ""),
    ],
)
def test_a_removed_entry_takes_its_line_and_its_comma_along(before: str, after: str) -> None:
    assert remove_entry(before, ("assent.mode",)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"settings": {}}', '{"settings": {"assent.bypassPermissions": {"Claude Code": true}}}'),
        ('{"a": 1}', '{"a": 1, "settings": {"assent.bypassPermissions": {"Claude Code": true}}}'),
        (
            '{"settings": {"assent": {"bypassPermissions": {"Local": false}}}, "b": 2}',
            '{"settings": {"assent": {"bypassPermissions": {"Local": false, "Claude Code": true}}}, "b": 2}',
        ),
        # What stands beside the settings is none, whatever it is called.
        (
            '{"assent.mode": "ask", "settings": {}}',
            '{"assent.mode": "ask", "settings": {"assent.bypassPermissions": {"Claude Code": true}}}',
        ),
        (
            lines("// ours", "{", '  "settings": {', '    "a": 1 // one', "  } // end", "}"),
            lines(
                "// ours",
                "{",
                '  "settings": {',
                '    "a": 1, // one',
                '    "assent.bypassPermissions": {',
                '      "Claude Code": true',
                "    }",
                "  } // end",
                "}",
            ),
        ),
        (
            lines("{", '\t"folders": [],', '\t"settings": {', "\t},", "}"),
            lines(
                "{",
                '\t"folders": [],',
                '\t"settings": {',
                '\t\t"assent.bypassPermissions": {',
                '\t\t\t"Claude Code": true',
                "\t\t}",
                "\t},",
                "}",
            ),
        ),
    ],
)
def test_settings_that_are_one_member_of_a_file_are_changed_there(before: str, after: str) -> None:
    changed = set_entry(before, BYPASS, True, "settings")
    assert changed == after
    assert set_entry(changed, BYPASS, True, "settings") == changed
    assert parse(remove_entry(changed, BYPASS, "settings")).find("settings", *BYPASS) is None


def test_lists_in_them_as_well() -> None:
    path, text = (
        ("assent.toolAllowlist",),
        '{"settings": {"assent.toolAllowlist": ["a"]}, "assent.toolAllowlist": ["b"]}',
    )
    added = append_item(text, path, "b", "settings")
    assert added == '{"settings": {"assent.toolAllowlist": ["a", "b"]}, "assent.toolAllowlist": ["b"]}'
    assert remove_item(added, path, "b", "settings") == text
    assert append_item('{"folders": []}', path, "a", "settings") == (
        '{"folders": [], "settings": {"assent.toolAllowlist": ["a"]}}'
    )


@pytest.mark.parametrize("text", ["[]", "3", '{"settings": []}', '{"settings": null}', '{"settings": {}'])
def test_where_they_are_none_nothing_is_changed(text: str) -> None:
    for change in (
        lambda: set_entry(text, BYPASS, True, "settings"),
        lambda: append_item(text, ("assent.toolAllowlist",), "a", "settings"),
    ):
        with pytest.raises(JsonFault):
            change()

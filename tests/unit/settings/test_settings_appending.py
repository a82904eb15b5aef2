"""A value is added to a list in a settings text; everything else stays byte for byte."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assent.settings.faults import JsonFault
from assent.settings.jsonc import parse
from assent.settings.jsonc_edit import append_item
from tests.laws.settings_documents import FEW, LEAVES, Text, settings_texts
from tests.support.scale import examples

TOOLS, RULES = "assent.toolAllowlist", "assent.alwaysAllowRules"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n    "assent.toolAllowlist": [\n        "t"\n    ]\n}\n'),
        ("{}", '{\n    "assent.toolAllowlist": [\n        "t"\n    ]\n}'),
        ('{"x": 1}', '{"x": 1, "assent.toolAllowlist": ["t"]}'),
        ('{"assent.toolAllowlist": []}', '{"assent.toolAllowlist": ["t"]}'),
        ('{"assent.toolAllowlist": [/* none */]}', '{"assent.toolAllowlist": [/* none */"t"]}'),
        ('{"assent.toolAllowlist": ["a"]}', '{"assent.toolAllowlist": ["a", "t"]}'),
        ('{"assent.toolAllowlist": ["a",]}', '{"assent.toolAllowlist": ["a", "t",]}'),
        ('{"assent.toolAllowlist": ["a" /* , */ ]}', '{"assent.toolAllowlist": ["a", "t" /* , */ ]}'),
        ('{"assent.toolAllowlist": ["t"]}', '{"assent.toolAllowlist": ["t"]}'),
        ('{\n\t"assent.toolAllowlist": [\n\t]\n}', '{\n\t"assent.toolAllowlist": [\n\t\t"t"\n\t]\n}'),
        (
            '{\r\n  "assent.toolAllowlist": [\r\n    "a" // first\r\n  ]\r\n}',
            '{\r\n  "assent.toolAllowlist": [\r\n    "a", // first\r\n    "t"\r\n  ]\r\n}',
        ),
        (
            '{\n  "assent.toolAllowlist": [\n    "a", // first\n    // last\n  ]\n}',
            '{\n  "assent.toolAllowlist": [\n    "a", // first\n    "t",\n    // last\n  ]\n}',
        ),
        ('{"assent": {"toolAllowlist": ["a"]}}', '{"assent": {"toolAllowlist": ["a", "t"]}}'),
        (
            '\ufeff{"assent.toolAllowlist": ["a"], "assent.toolAllowlist": ["b"]}',
            '\ufeff{"assent.toolAllowlist": ["a"], "assent.toolAllowlist": ["b", "t"]}',
        ),
    ],
)
def test_a_text_before_and_after(before: str, after: str) -> None:
    assert append_item(before, (TOOLS,), "t") == after
    assert append_item(after, (TOOLS,), "t") == after


def test_a_list_below_a_setting_is_made_with_all_that_is_missing() -> None:
    text = append_item('{"assent.alwaysAllowRules": {"a.b": ["x"]}}', (RULES, "a"), "y")
    assert text == '{"assent.alwaysAllowRules": {"a.b": ["x"], "a": ["y"]}}'


def test_a_pattern_with_agents_is_another_one_than_the_same_pattern_alone() -> None:
    text = '{"assent.alwaysAllowRules": {"a": [{"pattern": "x"}, true, 1]}}'
    assert parse(append_item(text, (RULES, "a"), "x")).value == {
        RULES: {"a": [{"pattern": "x"}, True, 1, "x"]},
    }


@pytest.mark.parametrize("value", ["5", "null", "true", '"t"', '{"t": true}'])
def test_what_is_no_list_is_left_alone(value: str) -> None:
    with pytest.raises(JsonFault, match=r'line 2, column \d+: "assent.toolAllowlist" should hold \[ \]'):
        append_item('{\n"assent.toolAllowlist": ' + value + "}", (TOOLS,), "t")


@pytest.mark.parametrize(
    "text", ["[]", "5", "{", '{"assent.alwaysAllowRules": ["a"]}', '{"assent.alwaysAllowRules": 1}']
)
def test_a_text_that_cannot_be_changed_is_a_fault(text: str) -> None:
    with pytest.raises(JsonFault):
        append_item(text, (RULES, "a"), "t")


def inserted(value: Any, keys: list[str], item: object) -> Any:
    if not keys:
        return [*(value or []), item]
    members = dict(value) if isinstance(value, dict) else {}
    members[keys[0]] = inserted(members.get(keys[0]), keys[1:], item)
    return members


@settings(max_examples=examples(120), deadline=None)
@given(
    settings_texts(),
    st.one_of(
        st.sampled_from([("assent.mode",), ("assent.agents",), ("editor.tabSize",)]),
        st.tuples(st.sampled_from(["assent.bypassPermissions", "assent.agents"]), st.sampled_from(FEW)),
    ),
    LEAVES,
)
def test_only_the_list_changes_and_nothing_is_lost(made: Text, path: tuple[str, ...], value: object) -> None:
    """The spelling that counts gets the value; every byte of before is still there, in its order."""
    try:
        after = append_item(made.text, path, value)
    except JsonFault:
        return
    assume(after != made.text)
    was, becomes = parse(made.text).value, parse(after).value
    outer, inner = path[0].split(".", 1)
    spellings = [[path[0], *path[1:]], [outer, inner, *path[1:]]]
    assert any(becomes == inserted(was, keys, value) for keys in spellings)
    assert all(comment in after for comment in made.comments)
    rest = iter(after)
    assert all(char in rest for char in made.text if not char.isspace())

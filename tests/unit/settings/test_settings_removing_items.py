"""A value is taken out of a list in a settings text; everything else stays byte for byte."""

import pytest
from hypothesis import given

from assent.settings.faults import SettingsFault
from assent.settings.jsonc import parse
from assent.settings.jsonc_edit import append_item, remove_item
from tests.laws.settings_documents import Text, settings_texts
from tests.support.ladder import law
from tests.support.settings_text import find_entry

TOOLS, RULES = "assent.toolAllowlist", "assent.alwaysAllowRules"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("{}", "{}"),
        ('{"assent.toolAllowlist": []}', '{"assent.toolAllowlist": []}'),
        ('{"assent.toolAllowlist": "t"}', '{"assent.toolAllowlist": "t"}'),
        ('{"assent.toolAllowlist": ["t"]}', '{"assent.toolAllowlist": []}'),
        ('{"assent.toolAllowlist": ["a", "t"]}', '{"assent.toolAllowlist": ["a"]}'),
        ('{"assent.toolAllowlist": ["t", "a"]}', '{"assent.toolAllowlist": ["a"]}'),
        ('{"assent.toolAllowlist": ["a", "t", "b"]}', '{"assent.toolAllowlist": ["a", "b"]}'),
        ('{"assent.toolAllowlist": ["t", "a", "t"]}', '{"assent.toolAllowlist": ["a"]}'),
        ('{"assent": {"toolAllowlist": ["t", "a"]}}', '{"assent": {"toolAllowlist": ["a"]}}'),
        (
            '{"assent": {"toolAllowlist": ["t"]}, "assent.toolAllowlist": ["t", "a"]}',
            '{"assent": {"toolAllowlist": []}, "assent.toolAllowlist": ["a"]}',
        ),
        (
            '{\n  // mine\n  "assent.toolAllowlist": [\n    "a", // first\n    "t", // gone\n    "b"\n  ]\n}',
            '{\n  // mine\n  "assent.toolAllowlist": [\n    "a", // first\n    // gone\n    "b"\n  ]\n}',
        ),
        (
            '{\r\n\t"assent.toolAllowlist": [\r\n\t\t"a", /* why */\r\n\t\t"t"\r\n\t],\r\n\t"x": 1\r\n}',
            '{\r\n\t"assent.toolAllowlist": [\r\n\t\t"a" /* why */\r\n\t],\r\n\t"x": 1\r\n}',
        ),
    ],
)
def test_a_text_before_and_after(before: str, after: str) -> None:
    assert remove_item(before, (TOOLS,), "t") == after
    assert remove_item(after, (TOOLS,), "t") == after


def test_only_the_list_below_this_name_is_changed() -> None:
    before = '{"assent.alwaysAllowRules": {"a": ["x", {"pattern": "x"}], "b": ["x"]}}'
    after = '{"assent.alwaysAllowRules": {"a": ["x"], "b": ["x"]}}'
    assert remove_item(before, (RULES, "a"), {"pattern": "x"}) == after


def test_true_is_not_one() -> None:
    text = '{"assent.toolAllowlist": [1, true]}'
    assert remove_item(text, (TOOLS,), True) == '{"assent.toolAllowlist": [1]}'


@given(settings_texts())
@law
def test_what_is_added_can_be_taken_out_again(source: Text) -> None:
    """Whatever stands around it: what is read afterwards is what was read before, with an empty list at most."""
    try:
        added = append_item(source.text, (TOOLS,), "just added")
    except SettingsFault:
        return
    if added == source.text:
        return
    before, after = parse(source.text), parse(remove_item(added, (TOOLS,), "just added"))
    old, new = find_entry(before, (TOOLS,)), find_entry(after, (TOOLS,))
    assert new is not None
    assert new.value == (old.value if old is not None else [])

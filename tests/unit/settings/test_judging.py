"""Whether a value is what its setting takes: the words for one that is not, entries, and values from anywhere."""

import sys
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.modes import MODE_ALIASES, Category, Mode
from assent.settings.declared import declared
from assent.settings.entry_types import ActingCategory, ChangeableMode, ModeWord
from assent.settings.judging import check, check_item

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_a_wrong_value_is_answered_with_the_end_of_a_sentence() -> None:
    assert check("mode", "auto") is None
    assert check("mode", "yolo") == "plan, ask, default or auto"
    assert check("enabled", "yes") == "true or false"
    assert check("bypassWriteTarget", "folder") == '"workspace" or "user"'
    for setting in declared().values():
        assert setting.about.expected
        assert not setting.about.expected.endswith(".")


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("alwaysDenyRules", "x", ""),
        ("alwaysAskRules", {"pattern": "x", "notMatch": ["y"]}, {"pattern": "x", "notmatch": ["y"]}),
        ("alwaysAllowRules", {"pattern": "x", "agents": []}, {"pattern": "x", "agent": "A"}),
        ("bypassPermissions", False, 0),
        ("agents", {"provider": "demo", "note": 5}, {"provider": "demo", "bypassPermissions": "no"}),
        ("toolAllowlist", "bash", ""),
        ("additionalWorkingDirectories", "~/x", ["~/x"]),
        ("matrixOverrides", "ask", "block"),
    ],
)
def test_single_entries_are_judged_alike(key: str, good: Any, bad: Any) -> None:
    assert check_item(key, good) is None
    assert check_item(key, bad) == declared()[key].about.item
    assert declared()[key].about.item


@given(st.sampled_from(sorted(declared())), VALUES)
def test_any_value_has_an_answer(key: str, value: Any) -> None:
    assert check(key, value) in (None, declared()[key].about.expected)


def test_a_value_nested_without_end_is_judged() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in declared():
        assert check(key, deep) == declared()[key].about.expected


def test_the_words_are_those_of_the_gate() -> None:
    modes = {mode.value for mode in Mode} | MODE_ALIASES.keys()
    assert set(get_args(ModeWord)) == modes
    assert set(get_args(ChangeableMode)) == modes - {Mode.PLAN.value}
    assert set(get_args(ActingCategory)) == {category.value for category in Category} - {Category.INTERNAL.value}


def test_what_checks_types_is_loaded_with_the_first_value() -> None:
    import subprocess

    program = (
        "import sys; import assent.settings.judging as judging, assent.settings.inspection;"
        "assert 'pydantic' not in sys.modules; judging.check('mode', 'ask'); assert 'pydantic' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})

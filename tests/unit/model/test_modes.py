"""Words for modes, and which of two is the tighter or the graver one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.modes import MODE_ALIASES, Category, Mode, graver, held_by, parse_category, parse_mode, tightest
from tests.support.ladder import law

MODES = st.sampled_from(Mode)
CATEGORIES = st.sampled_from(Category)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_mode_is_known_by_its_word(mode: Mode) -> None:
    assert parse_mode(mode.value) is mode


@pytest.mark.parametrize(
    ("alias", "mode"),
    [("ask_every_time", Mode.ASK), ("auto_accept_read_only", Mode.DEFAULT), ("auto_accept_all", Mode.AUTO)],
)
def test_and_by_its_alias(alias: str, mode: Mode) -> None:
    assert parse_mode(alias) is mode
    assert alias in MODE_ALIASES


@pytest.mark.parametrize("word", ["", "AUTO", "Auto", " auto", "auto ", "autopilot", "yolo", "bypass", None, 3, [], {}])
def test_nothing_else_is_a_mode(word: object) -> None:
    assert parse_mode(word) is None


def test_from_tightest_to_loosest() -> None:
    order = [Mode.PLAN, Mode.ASK, Mode.DEFAULT, Mode.AUTO]
    for index, tight in enumerate(order):
        for loose in order[index:]:
            assert tightest([tight, loose]) is tightest([loose, tight]) is tight


def test_from_mildest_to_gravest() -> None:
    order = [Category.INTERNAL, Category.READ, Category.WRITE, Category.EXECUTE, Category.EXTERNAL]
    for index, mild in enumerate(order):
        for grave in order[index:]:
            assert graver(mild, grave) is graver(grave, mild) is grave


@law
@given(MODES, MODES, MODES)
def test_the_order_of_comparing_does_not_matter(one: Mode, two: Mode, three: Mode) -> None:
    assert tightest([one, two, three]) is tightest([three, one, two]) is tightest([tightest([one, two]), three])


def test_every_mode_has_a_name_for_people() -> None:
    assert len({mode.label for mode in Mode}) == len(Mode)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_word_that_is_known_stands_for_its_mode(mode: Mode) -> None:
    assert held_by(mode) == held_by(mode.value) == {mode}


@pytest.mark.parametrize("word", ["", "yolo", None, 3])
def test_an_unknown_one_stands_for_all_strictness_that_there_is(word: object) -> None:
    assert held_by(word) == {Mode.PLAN, Mode.ASK}


@pytest.mark.parametrize("category", list(Category))
def test_a_category_is_known_by_its_word(category: Category) -> None:
    assert parse_category(category.value) is category


@pytest.mark.parametrize("word", ["", "READ", "reads", "edit", None, 1, []])
def test_a_category_that_is_missing_or_unknown_may_reach_anywhere(word: object) -> None:
    assert parse_category(word) is Category.EXTERNAL

"""A diff says all of a change: applied to the old lines it gives the new ones, and no changed byte is left out."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assent.model.preview import DiffLine, LineKind
from assent.tools import diff as diff_module
from assent.tools.diff import CONTEXT_LINES, diff_lines

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "}", "\u2028x", "\x0c", "long line"]), max_size=30)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    text = "".join(line + draw(ENDS) for line in draw(LINES))
    return text[:-1] if text and draw(st.booleans()) else text


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same with a few lines changed, as edits are."""
    lines = draw(st.lists(st.sampled_from(["a", "b", "", "x = 1", "}"]), min_size=5, max_size=60))
    new = list(lines)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(new)))
        new[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(["new", "b"]), max_size=2))
    return "\n".join(lines), "\n".join(new)


PAIRS = st.tuples(texts(), texts()) | edited()


def plain(text: str) -> list[str]:
    """The lines without their ends."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def applied(old: list[str], lines: tuple[DiffLine, ...]) -> list[str]:
    """What the diff makes of the old lines, walking by what it says alone."""
    new: list[str] = []
    at = 0
    for line in lines:
        if line.kind is LineKind.GAP:
            hidden = re.fullmatch(r"(\d+) unchanged lines?", line.text)
            assert hidden is not None
            count = int(hidden.group(1))
            assert count > 0
            new += old[at : at + count]
            at += count
            continue
        if line.kind in (LineKind.CONTEXT, LineKind.REMOVED):
            assert old[at] == line.text
            assert line.old_number == at + 1
            at += 1
        else:
            assert line.old_number is None
        if line.kind in (LineKind.CONTEXT, LineKind.ADDED):
            new.append(line.text)
            assert line.new_number == len(new)
        else:
            assert line.new_number is None
    assert at == len(old)
    return new


@given(PAIRS)
def test_applied_to_the_old_text_it_gives_the_new_one(pair: tuple[str, str]) -> None:
    old, new = pair

    assert applied(plain(old), diff_lines(old, new)) == plain(new)


@given(PAIRS)
def test_no_changed_byte_is_left_out(pair: tuple[str, str]) -> None:
    old, new = pair
    changed = [line for line in diff_lines(old, new) if line.kind in (LineKind.ADDED, LineKind.REMOVED)]

    assert bool(changed) == (old != new)


@given(PAIRS)
def test_gaps_are_only_where_nothing_changes_near(pair: tuple[str, str]) -> None:
    lines = diff_lines(*pair)
    for at, line in enumerate(lines):
        if line.kind is LineKind.GAP:
            before, after = lines[max(at - CONTEXT_LINES, 0) : at], lines[at + 1 : at + 1 + CONTEXT_LINES]
            assert all(near.kind is LineKind.CONTEXT for near in (*before, *after))
            assert len(before) in (0, CONTEXT_LINES)
            assert len(after) in (0, CONTEXT_LINES)


@given(edited())
def test_above_the_limit_of_matching_it_is_coarser_and_still_true(pair: tuple[str, str]) -> None:
    old, new = pair
    before = diff_module.MATCHED_LINES
    diff_module.MATCHED_LINES = 2
    try:
        assert applied(plain(old), diff_lines(old, new)) == plain(new)
    finally:
        diff_module.MATCHED_LINES = before


def test_a_small_change_in_a_long_file_is_small() -> None:
    old = [f"line {number}" for number in range(50_000)]
    new = [*old[:25_000], "changed", *old[25_001:]]

    lines = diff_lines("\n".join(old), "\n".join(new))

    assert [line.kind for line in lines] == [
        LineKind.GAP,
        *[LineKind.CONTEXT] * CONTEXT_LINES,
        LineKind.REMOVED,
        LineKind.ADDED,
        *[LineKind.CONTEXT] * CONTEXT_LINES,
        LineKind.GAP,
    ]
    assert lines[0].text == "24997 unchanged lines"


def test_lines_added_at_the_end_stand_below_the_ones_before_them() -> None:
    lines = diff_lines("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\nnew\n")

    assert [line.text for line in lines] == ["2 unchanged lines", "3", "4", "5", "new"]


def test_lines_that_repeat_thousands_of_times_are_compared_without_end() -> None:
    """With each of them as an anchor this would take longer than any test may."""
    old, new = ["", "x"] * 1_000, ["x", "", "z"] * 660

    lines = diff_lines("\n".join(old), "\n".join(new))

    assert applied(plain("\n".join(old)), lines) == plain("\n".join(new))

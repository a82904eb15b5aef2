"""However nasty a pattern is, the work grows no faster than path times pattern: counted in lines run, not in time."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from assent.policy.rules import glob, index, segment, tool_rules
from assent.policy.rules.rule import Effect
from tests.support.rule_calls import book, call, rule

WATCHED = {module.__file__ for module in (glob, index, segment, tool_rules)}


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the matching code this runs."""
    count = 0

    def watch(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if frame.f_code.co_filename not in WATCHED:
            return None
        count += event == "line"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def steps(pattern: str, path: str, effect: Effect) -> int:
    # The last name has all the characters that the patterns need: none is ruled out at a glance.
    rules, facts = book(rule(pattern, effect)), call(f"{path.rstrip('/')}/xbc0{'a' * 60}bz")
    assert rules.faults == ()
    return lines_run(lambda: rules.first(effect, facts, "Demo"))


NASTY_NAMES = [
    ("a*" * 30 + "b", "a"),
    ("*a" * 30 + "*b", "a"),
    ("*" + "a?" * 30 + "b", "a"),
    ("[a-b]*" * 20 + "c", "ab"),
    ("*?" * 40 + "x", "a"),
    ("*" * 500 + "?x", "a"),
]
NASTY_PATHS = [
    ("**/a/" * 20 + "b", "a/"),
    ("**/*a*/" * 15 + "b", "a/"),
    ("*/**/" * 20 + "b", "a/"),
    ("**/" * 500 + "?x", "a/"),
    ("**/?*a*?/**/" * 10 + "**", "aaa/"),
]


@pytest.mark.parametrize("effect", [Effect.ALLOW, Effect.DENY])
@pytest.mark.parametrize(("pattern", "piece"), NASTY_NAMES)
def test_within_a_name_the_work_grows_with_its_length(pattern: str, piece: str, effect: Effect) -> None:
    short, long = (steps(pattern, piece * count, effect) for count in (100, 1_000))
    assert short > 100, "the watching sees the work"
    assert long <= 12 * short


@pytest.mark.parametrize("effect", [Effect.ALLOW, Effect.DENY])
@pytest.mark.parametrize(("pattern", "piece"), NASTY_PATHS)
def test_along_a_path_the_work_grows_with_its_length(pattern: str, piece: str, effect: Effect) -> None:
    short, long = (steps(pattern, piece * count, effect) for count in (50, 500))
    assert short > 100, "the watching sees the work"
    assert long <= 12 * short


@pytest.mark.parametrize(
    "pattern",
    [
        "a*" * 2_000 + "b",
        "**/a/" * 800 + "b",
        "/".join(f"**/*{'a' * count}*b" for count in range(1, 60)),
        "".join(f"[a-{chr(98 + count)}]*" for count in range(64)) + "0",
    ],
)
@pytest.mark.parametrize("path", ["a" * 2_000, "a/" * 1_000, "aaaaaaa/" * 250])
def test_the_longest_pattern_and_the_longest_path_end(pattern: str, path: str) -> None:
    parts = 1 + pattern.count("[") + pattern.count("/*")
    assert steps(pattern, path, Effect.DENY) < 60 * len(path) * parts

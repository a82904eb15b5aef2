"""However nasty a pattern is, the work grows no faster than path times pattern: counted in lines run, not in time."""

import pytest

from assent.model.calls import Access, CallFacts
from assent.policy.rules.book import RuleBook
from assent.policy.rules.name_globs import NameIndex
from assent.policy.rules.pattern import tokens_of
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.spelling import CASELESS
from tests.bench.rules import KINDS, ROOT, some_call, some_rules
from tests.support.rule_calls import book, call, rule, use
from tests.support.rule_work import lines_run


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
        "**/a/" * 60 + "b",
        "/".join(f"**/*{'a' * count}*b" for count in range(1, 60)),
        "".join(f"[a-{chr(98 + count)}]*" for count in range(64)) + "0",
    ],
)
@pytest.mark.parametrize("path", ["a" * 2_000, "a/" * 1_000, "aaaaaaa/" * 250])
def test_the_longest_pattern_and_the_longest_path_end(pattern: str, path: str) -> None:
    parts = 1 + pattern.count("[") + pattern.count("/*")
    assert steps(pattern, path, Effect.DENY) < 60 * (len(path) + len(pattern)) * parts


@pytest.mark.parametrize("effect", [Effect.ALLOW, Effect.DENY])
@pytest.mark.parametrize("kind", KINDS)
def test_rules_that_cannot_match_cost_nothing(kind: str, effect: Effect) -> None:
    few, many = (work_for_a_call(some_rules(effect, kind, size), effect) for size in (100, 3_000))
    assert many <= 2 * few, "what grows at all is only the number of different lengths of what names must hold"


def test_a_pattern_is_found_by_what_few_others_say() -> None:
    index: NameIndex[int] = NameIndex(CASELESS)
    for number in range(2_000):
        index.add(tokens_of(f"*module*_{number}_*"), number)
    (name,) = CASELESS.names("some_module_of_mine_1234_")
    assert sorted(index.matching(name)) == [1234]
    assert lines_run(lambda: list(index.matching(name))) < 6_000


def work_for_a_call(rules: list[Rule], effect: Effect, agent: str = "Demo") -> int:
    """Lines run for a call on a file that no earlier call was about; earlier ones prepared what they needed."""
    ready = book(*rules, roots=(ROOT,))
    assert ready.faults == ()
    for number in range(40):
        assert ready.first(effect, some_call(number), agent) is None
    return lines_run(lambda: ready.first(effect, some_call(4_711), agent))


def test_a_folder_that_goes_is_not_compared_with_each_rule_for_what_lies_in_it() -> None:
    gone = call(use("src/gen", Access.DELETE, folder=True))
    few, many = (
        again(book(*(rule(f"src/gen/{n}/**", Effect.DENY) for n in range(size))), Effect.DENY, gone)
        for size in (100, 3_000)
    )
    assert many <= few


def again(ready: RuleBook, effect: Effect, facts: CallFacts) -> int:
    """Lines run for a call that came before."""
    assert ready.first(effect, facts, "Demo") is not None
    return lines_run(lambda: ready.first(effect, facts, "Demo"))


@pytest.mark.parametrize("effect", [Effect.ALLOW, Effect.DENY])
def test_rules_that_no_call_comes_near_are_sorted_by_their_first_name_and_no_further(effect: Effect) -> None:
    few, many = (first_call(some_rules(effect, "folders elsewhere", size), effect) for size in (100, 3_000))
    assert many < few + 3_000 * 40


def first_call(rules: list[Rule], effect: Effect) -> int:
    made = book(*rules, roots=(ROOT,))
    return lines_run(lambda: made.first(effect, some_call(0), "Demo"))

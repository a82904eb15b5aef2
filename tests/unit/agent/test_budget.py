"""What a run may still use: each limit at its edge, and writes that are set aside before they are made."""

import random
from collections.abc import Callable

import pytest

from assent.agent.budget import Budget, Exhausted, Limits, Reservation, Share
from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Command, Part
from assent.model.conversation import ToolOutcome
from assent.model.ids import CallId
from assent.model.limits import LIMITS
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide

WRITE = CallFacts("write_file", True, Category.WRITE, (PathUse("/w/a", "a", Access.WRITE, inside=True),))
READ = CallFacts("read_file", True, Category.READ, (PathUse("/w/a", "a", Access.READ, inside=True),))
MAKE = CallFacts("bash", True, Category.EXECUTE, command=Command("make", (Part((), "make"),)))
MAKE_INTO_FILE = CallFacts("bash", True, Category.EXECUTE, WRITE.paths, command=MAKE.command)

RULES = Rules(Mode.AUTO)


def outcome(code: str | None = None, *, ran: bool = True) -> ToolOutcome:
    return ToolOutcome(CallId("c"), "write_file", "", is_error=code is not None, code=code, ran=ran)


def test_the_names_and_numbers_are_those_of_the_settings() -> None:
    assert [(LIMITS[field].name, getattr(Limits(), field)) for field in LIMITS] == [
        ("iterations", 50),
        ("toolCalls", 200),
        ("modelCalls", 60),
        ("wallClockSeconds", 1800),
        ("writes", 50),
        ("resultBytes", 50_000),
        ("parallelCalls", 8),
        ("subtasks", 32),
        ("depth", 3),
    ]
    assert all(words.least <= getattr(Limits(), field) <= words.most for field, words in LIMITS.items())


Ask = Callable[[Budget, int], Exhausted | None]
COUNTED: list[tuple[str, Ask]] = [
    ("iterations", lambda budget, number: budget.iteration(number)),
    ("modelCalls", lambda budget, number: budget.model_call()),
    ("subtasks", lambda budget, number: budget.subtask(1)),
    ("depth", lambda budget, number: budget.subtask(number)),
]


@pytest.mark.parametrize(("name", "ask"), COUNTED, ids=[name for name, _ in COUNTED])
def test_a_limit_lets_so_many_through_and_names_itself(name: str, ask: Ask) -> None:
    budget = Budget(Limits(iterations=3, model_calls=3, subtasks=3, depth=3))
    if name == "subtasks":
        budget.limits = Limits(subtasks=3, depth=9)
    answers = [ask(budget, number) for number in (1, 2, 3, 4, 5)]

    assert answers[:3] == [None] * 3
    first = answers[3]
    assert first is not None
    assert (first.limit, first.value, first.observed) == (name, 3, 4)
    assert f'"{name}" in the setting "assent.limits"' in first.message
    assert "limit of 3" in first.message
    assert answers[4] is not None


def test_of_many_calls_in_one_turn_the_first_run_and_the_rest_is_told_once() -> None:
    told: list[Exhausted] = []
    budget = Budget(Limits(tool_calls=200), told=told.append)
    decisions = [decide(READ, share.rules(RULES)) for share in [budget.call() for _ in range(500)]]

    assert [one.outcome for one in decisions[:200]] == [Outcome.RUN] * 200
    assert {one.reason for one in decisions[200:]} == {Reason.LIMIT_REACHED}
    assert [(one.limit, one.value, one.observed) for one in told] == [("toolCalls", 200, 201)]
    assert "toolCalls" in decisions[200].text


def test_five_writes_at_once_with_a_limit_of_two() -> None:
    budget = Budget(Limits(writes=2))
    shares = [budget.call() for _ in range(5)]

    answers = [share.start(WRITE) for share in shares]

    assert [answer is None for answer in answers] == [True, True, False, False, False]
    reached = answers[2]
    assert reached is not None
    assert (reached.limit, reached.value, reached.observed) == ("writes", 2, 3)
    for share, answer in zip(shares, answers, strict=True):
        share.end(outcome(None) if answer is None else None)
    assert budget.writes == 2


@pytest.mark.parametrize(
    ("end", "written"),
    [
        (outcome(), True),
        (outcome("time_limit"), True),
        (outcome("tool_failed"), True),
        (outcome("cancelled"), True),
        (outcome("changed_since"), False),
        (outcome("disk_full"), False),
        (outcome("cancelled", ran=False), False),
        (None, False),
    ],
)
def test_a_write_that_was_not_made_is_free_for_another_call(end: ToolOutcome | None, written: bool) -> None:
    budget = Budget(Limits(writes=1))
    first = budget.call()
    assert first.start(WRITE) is None
    first.end(end)
    first.end(outcome())

    assert budget.writes == written
    assert (budget.call().start(WRITE) is None) is not written


@pytest.mark.parametrize(("facts", "counts"), [(WRITE, True), (READ, False), (MAKE, False), (MAKE_INTO_FILE, True)])
def test_what_counts_as_a_write(facts: CallFacts, counts: bool) -> None:
    budget = Budget(Limits(writes=0))

    assert (budget.call().start(facts) is not None) is counts


def test_once_all_are_made_what_waits_is_refused_and_what_runs_goes_on() -> None:
    looked_again: list[int] = []
    budget = Budget(Limits(writes=2), no_more=lambda: looked_again.append(budget.writes))
    first, second, waiting = (budget.call() for _ in range(3))
    assert first.start(WRITE) is None
    first.end(outcome())
    assert second.start(WRITE) is None
    assert decide(WRITE, waiting.rules(RULES)).outcome is Outcome.RUN
    assert looked_again == []

    # Its own write is the last one: that does not forbid it.
    assert decide(WRITE, second.rules(RULES)).outcome is Outcome.RUN
    second.end(outcome())

    assert looked_again == [2]
    refused = decide(WRITE, waiting.rules(RULES))
    assert refused.reason is Reason.LIMIT_REACHED
    assert '"writes"' in refused.text
    assert decide(READ, waiting.rules(RULES)).outcome is Outcome.RUN
    assert decide(MAKE, waiting.rules(RULES)).outcome is Outcome.RUN
    assert decide(MAKE_INTO_FILE, waiting.rules(RULES)).reason is Reason.LIMIT_REACHED


def test_a_run_that_has_worked_too_long_begins_nothing_more() -> None:
    told: list[Exhausted] = []
    looked_again: list[bool] = []
    budget = Budget(Limits(wall_clock_seconds=180), told=told.append, no_more=lambda: looked_again.append(True))
    waiting = budget.call()
    assert budget.wall_clock(179.9) is None

    reached = budget.wall_clock(180.4)
    budget.wall_clock(200)

    assert reached is not None
    assert (reached.limit, reached.value, reached.observed) == ("wallClockSeconds", 180, 180)
    assert decide(READ, waiting.rules(RULES)).reason is Reason.LIMIT_REACHED
    assert budget.model_call() == budget.iteration(1) == budget.subtask(1) == reached == budget.over
    assert told == [reached]
    assert looked_again == [True]


@pytest.mark.parametrize("seed", range(50))
def test_however_writes_are_set_aside_and_settled_no_more_are_made_than_allowed(seed: int) -> None:
    chance = random.Random(seed)
    limit = chance.randrange(0, 6)
    budget, open_ones, made = Budget(Limits(writes=limit)), list[Reservation](), 0
    for _ in range(100):
        if open_ones and chance.random() < 0.5:
            written = chance.random() < 0.3
            open_ones.pop(chance.randrange(len(open_ones))).settle(written=written)
            made += written
        else:
            reserved = budget.reserve_write()
            assert isinstance(reserved, Exhausted) is (made + len(open_ones) >= limit)
            if isinstance(reserved, Reservation):
                open_ones.append(reserved)
        assert budget.writes == made <= limit


def test_sub_agents_share_what_is_left() -> None:
    budget = Budget(Limits(tool_calls=2, model_calls=1))
    parents: Share = budget.call()
    childs = budget.call()
    another = budget.call()

    assert [one.rules(RULES).exhausted_limit is None for one in (parents, childs, another)] == [True, True, False]
    assert budget.model_call() is None
    assert budget.model_call() is not None


def test_a_call_that_the_rules_refuse_because_all_is_written_tells_of_the_limit() -> None:
    told: list[Exhausted] = []
    budget = Budget(Limits(writes=1), told=told.append)
    first, second, third = budget.call(), budget.call(), budget.call()
    first.start(WRITE)
    first.end(outcome())
    assert told == []

    assert second.rules(Rules(Mode.AUTO)).no_more_writes is not None
    second.end(outcome(Reason.LIMIT_REACHED.value, ran=False))
    third.rules(Rules(Mode.AUTO))
    third.end(outcome())

    assert [(one.limit, one.value) for one in told] == [("writes", 1)]

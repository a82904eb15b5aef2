"""The clocks of waiting questions: a table of what starts and stops them, and a plain model of the same."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.approvals.patience import LONGEST_LOOK, Patience
from assent.model.ids import ApprovalId
from assent.model.patience import Allowance, Countdown, TimeoutWhen
from tests.support.scale import examples

ALWAYS, UNATTENDED, NEVER = TimeoutWhen
ONE = ApprovalId("one")


class Story:
    """One question and what happens around it, a step after the other: `30` lets time pass."""

    def __init__(self, when: TimeoutWhen, seconds: float = 100) -> None:
        self.now = 1_000.0
        self.patience = Patience(Allowance(seconds, when))

    def play(self, *steps: float | str | Allowance) -> None:
        for step in steps:
            match step:
                case Allowance():
                    self.patience.allow(step, self.now)
                case "ask":
                    self.patience.asked(ONE, self.now)
                case "attach" | "touch":
                    self.patience.active(self.now, attended=True)
                case "glimpse":
                    self.patience.active(self.now, attended=False)
                case "leave":
                    self.patience.left(self.now)
                case str():
                    raise AssertionError(step)
                case _:
                    self.now += step
                    self.patience.look(self.now)

    @property
    def left(self) -> tuple[bool, float] | None:
        countdown = self.patience.countdown(ONE, self.now)
        return None if countdown is None else (countdown.running, countdown.remaining)


@pytest.mark.parametrize(
    ("when", "steps", "left"),
    [
        (UNATTENDED, ["ask", 30], (True, 70)),
        (UNATTENDED, ["attach", "ask", 30], (True, 70)),
        (UNATTENDED, ["attach", "ask", 30, "touch", 30], (False, 100)),
        (UNATTENDED, ["ask", 30, "attach", 50, "touch", 50], (False, 100)),
        (UNATTENDED, ["ask", 30, "attach", 50, "leave", 20], (True, 80)),
        (UNATTENDED, ["attach", "leave", "ask", 60, 30], (True, 10)),
        (UNATTENDED, ["ask", 60, "glimpse", 10], (True, 90)),
        (UNATTENDED, ["attach", "touch", 5, "ask", 10, "leave", 10], (True, 80)),
        (UNATTENDED, ["ask", 60, 60], (True, 0)),
        (UNATTENDED, ["ask", 60.5], (True, 100)),
        (UNATTENDED, ["ask", 60, 8 * 3600, 10], (True, 30)),
        (UNATTENDED, ["ask", 30, -500, 10], (True, 60)),
        (ALWAYS, ["attach", "ask", 30, "touch", 30], (True, 40)),
        (ALWAYS, ["ask", 30, "attach", 30, "leave", 30], (True, 10)),
        (ALWAYS, ["ask", 30, "glimpse", 30], (True, 40)),
        (NEVER, ["ask", 60, "attach", "leave", 60], None),
        (NEVER, ["ask", 60, Allowance(100, ALWAYS), 10], (True, 90)),
        (NEVER, ["attach", "ask", 60, Allowance(100, UNATTENDED), 10], (True, 90)),
        (NEVER, ["ask", "attach", 60, Allowance(100, UNATTENDED), 10], (False, 100)),
        (ALWAYS, ["ask", "attach", 60, Allowance(100, UNATTENDED), 10], (False, 100)),
        (ALWAYS, ["attach", "ask", 60, Allowance(100, UNATTENDED), 10], (True, 30)),
        (UNATTENDED, ["ask", "attach", 60, Allowance(100, ALWAYS), 10], (True, 90)),
        (UNATTENDED, ["attach", "ask", 30, Allowance(50, UNATTENDED), 10], (True, 10)),
        (UNATTENDED, ["ask", 30, Allowance(20, UNATTENDED)], (True, 0)),
        (UNATTENDED, ["ask", 30, Allowance(100, NEVER), 30, Allowance(100, UNATTENDED)], (True, 100)),
    ],
)
def test_what_starts_and_stops_a_clock(
    when: TimeoutWhen, steps: list[float | str | Allowance], left: tuple[bool, float] | None
) -> None:
    story = Story(when)
    story.play(*steps)
    assert story.left == left
    over = story.patience.expired(story.now, 10)
    assert list(over) == ([ONE] if left is not None and left[0] and left[1] == 0 else [])


def test_what_passed_unseen_before_another_allowance_is_not_taken_off_it() -> None:
    patience = Patience(Allowance(100, NEVER))
    patience.asked(ONE, 0.0)
    patience.allow(Allowance(100, ALWAYS), 30.0)
    assert patience.countdown(ONE, 40.0) == Countdown(100, running=True, remaining=90.0)


def test_an_ended_question_has_no_clock() -> None:
    story = Story(ALWAYS)
    story.play("ask", 60)
    story.patience.ended(ONE)
    story.patience.ended(ONE)
    assert (len(story.patience), story.patience.running, story.left) == (0, 0, None)
    assert story.patience.next_look(story.now) is None


def test_the_next_look_is_at_the_first_end_and_never_far_away() -> None:
    story = Story(UNATTENDED, 40)
    assert story.patience.next_look(story.now) is None
    story.play("ask", 20)
    assert story.patience.next_look(story.now) == LONGEST_LOOK
    story.play(12)
    assert story.patience.next_look(story.now) == 8
    story.play(20)
    assert story.patience.next_look(story.now) == 0
    story.play("attach")
    assert story.patience.next_look(story.now) is None


@dataclass
class _Clock:
    """One question of the plain model: what counted so far, and whether anybody was there since it was asked."""

    counted: float = 0
    seen: bool = False
    runs: bool = True


@dataclass
class _Model:
    """The same, each question by itself."""

    allowance: Allowance
    attended: bool = False
    clocks: dict[ApprovalId, _Clock] = field(default_factory=dict)

    def settle(self) -> None:
        for clock in self.clocks.values():
            match self.allowance.when:
                case TimeoutWhen.ALWAYS:
                    runs = True
                case TimeoutWhen.NEVER:
                    runs = False
                case _:
                    runs = not (self.attended and clock.seen)
            if not runs:
                clock.counted = 0
            clock.runs = runs

    def act(self, *, attended: bool) -> None:
        self.attended = attended
        for clock in self.clocks.values():
            clock.seen = True
            if not attended and self.allowance.when is UNATTENDED:
                clock.counted = 0
        self.settle()

    def told(self, approval_id: ApprovalId) -> Countdown | None:
        clock, seconds = self.clocks[approval_id], self.allowance.seconds
        if self.allowance.when is NEVER:
            return None
        return Countdown(seconds, clock.runs, max(seconds - clock.counted, 0))


STEP = st.one_of(
    st.sampled_from(["ask", "attach", "glimpse", "leave", "end"]),
    st.integers(0, 90),
    st.builds(Allowance, st.sampled_from([1.0, 30.0, 100.0]), st.sampled_from(TimeoutWhen)),
)


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(STEP, max_size=40), st.builds(Allowance, st.just(50.0), st.sampled_from(TimeoutWhen)))
def test_all_clocks_together_are_as_each_by_itself(steps: list[int | str | Allowance], allowance: Allowance) -> None:
    patience, model, now = Patience(allowance), _Model(allowance), 0.0
    shown: dict[ApprovalId, Countdown | None] = {}
    for number, step in enumerate(steps):
        changed: set[ApprovalId] = set()
        match step:
            case Allowance():
                changed |= set(patience.allow(step, now))
                model.allowance = step
                model.settle()
            case "ask":
                approval_id = ApprovalId(str(number))
                patience.asked(approval_id, now)
                model.clocks[approval_id] = _Clock()
                model.settle()
                changed.add(approval_id)
            case "end":
                for approval_id in list(model.clocks)[:1]:
                    patience.ended(approval_id)
                    del model.clocks[approval_id]
            case "leave":
                changed |= set(patience.left(now))
                model.attended = False
                model.settle()
            case str():
                changed |= set(patience.active(now, attended=step == "attach"))
                model.act(attended=step == "attach")
            case _:
                now += step
                patience.look(now)
                for clock in model.clocks.values():
                    clock.counted += step if clock.runs and step <= 60 else 0
        told = {approval_id: patience.countdown(approval_id, now) for approval_id in model.clocks}
        assert told == {approval_id: model.told(approval_id) for approval_id in model.clocks}
        # Whatever is another one than time alone would make of it was told of.
        for approval_id in told.keys() - changed:
            before, after = shown[approval_id], told[approval_id]
            assert (before is None) == (after is None)
            assert before is None or after is None or (before.seconds, before.running) == (after.seconds, after.running)
        shown = told
        expired = [one for one, count in told.items() if count and count.running and count.remaining == 0]
        assert set(patience.expired(now, 100)) == set(expired)
        assert len(patience) == len(model.clocks)

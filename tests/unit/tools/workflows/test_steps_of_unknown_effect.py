"""What a step did that was cut off stays unknown until it has given something."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from assent.model.ids import CallId, SessionId
from assent.model.workflows import KeptRun, KeptStep, StepState
from assent.tools.workflows.definition import Step
from assent.tools.workflows.runs import Log, NotKept, WorkflowRuns

CHAT, RUN = SessionId("chat"), "run"
STEPS = tuple(Step(name, "bash", {}, frozenset()) for name in ("one", "two", "three"))


class Kept(NotKept):
    """A server before this one was cut off in these steps."""

    def __init__(self, *numbers: int) -> None:
        self.run = KeptRun(
            RUN,
            CallId("outer"),
            "same",
            tuple(KeptStep(number, STEPS[number].step_id, StepState.UNKNOWN) for number in numbers),
        )

    async def find(self, chat: SessionId, run: str) -> KeptRun | None:
        return self.run if (chat, run) == (CHAT, RUN) else None


async def going_on(runs: WorkflowRuns) -> Log:
    known = await runs.find(CHAT, RUN, STEPS)
    assert known is not None
    return await runs.begin(CHAT, RUN, CallId("again"), STEPS, known)


async def refused(log: Log) -> None:
    await log.is_open(STEPS[0])


async def stopped(log: Log) -> None:
    """Nothing more is said of it."""


@pytest.mark.parametrize("ends", [refused, stopped])
async def test_a_step_that_was_cut_off_is_asked_about_until_it_is_done(
    ends: Callable[[Log], Coroutine[Any, Any, None]],
) -> None:
    runs = WorkflowRuns(Kept(0))
    for _ in range(2):
        log = await going_on(runs)
        assert log.known.unknown == {"one"}
        await log.begins(STEPS[0], CallId("second"))
        await ends(log)
        log.leave()
    log = await going_on(runs)
    await log.begins(STEPS[0], CallId("third"))
    await log.gave(STEPS[0], "made")
    assert log.known.unknown == frozenset()
    # One that had never been cut off is still to be made where it was not made.
    await log.begins(STEPS[1], CallId("fourth"))
    await log.is_open(STEPS[1])
    assert log.known.unknown == frozenset() and log.known.done == {"one"}


async def test_of_several_that_were_cut_off_none_is_forgotten() -> None:
    # What the first one gave could not be written down, and the server ended in the second.
    known = await WorkflowRuns(Kept(0, 1)).find(CHAT, RUN, STEPS)
    assert known is not None and known.unknown == {"one", "two"}

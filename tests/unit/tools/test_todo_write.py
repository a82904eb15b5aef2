"""todo_write: what it takes, what it tells, and what it says to the model."""

from typing import Any

import pytest

from assent.agent.ports import Manner
from assent.model.events import PlanChanged, PlanStep
from assent.model.ids import CallId, RunId, SessionId
from assent.tools.todo_write import LONGEST_TODO, MOST_TODOS, TodoWrite

Told = list[tuple[str, PlanChanged, str]]


def todo(content: str, status: str = "pending") -> dict[str, Any]:
    return {"content": content, "status": status}


def tool(told: Told) -> TodoWrite:
    return TodoWrite(SessionId("chat"), lambda *what: told.append(what))


@pytest.mark.parametrize(
    ("args", "word"),
    [
        ({}, "todos"),
        ({"todos": "write it"}, "todos"),
        ({"todos": [{"content": "a"}]}, "todos.0.status"),
        ({"todos": [todo("a", "done")]}, "todos.0.status"),
        ({"todos": [todo("")]}, "todos.0.content"),
        ({"todos": [todo("x" * (LONGEST_TODO + 1))]}, "todos.0.content"),
        ({"todos": [todo("a", "in_progress"), todo("b", "in_progress")]}, "2 are in_progress, and no more than one"),
        ({"todos": [todo("a")] * (MOST_TODOS + 1)}, "todos"),
        ({"todos": [todo("a") | {"owner": "me"}]}, "todos.0.owner"),
        ({"todos": [], "chat": "another"}, "chat"),
    ],
)
def test_what_does_not_fit_is_said_by_its_place(args: dict[str, Any], word: str) -> None:
    fault = tool([]).fault(args)
    assert fault is not None and word in fault


async def test_the_list_is_told_when_it_is_carried_out_and_not_before() -> None:
    told: Told = []
    args = {"todos": [todo("Read", "completed"), todo("Write", "in_progress"), todo("Try")]}
    assert tool(told).fault(args) is None
    prepared = await tool(told).prepare(args)
    assert told == [] and prepared.paths == ()
    assert prepared.headline == "Update the to-do list (1 done, 1 in progress, 1 to do)"

    answer = await prepared.carry_out((), Manner(call_id=CallId("call"), run_id=RunId("run")))
    assert answer.text == "The list is updated: 1 done, 1 in progress, 1 to do."
    steps = (PlanStep("Read", "completed"), PlanStep("Write", "in_progress"), PlanStep("Try", "pending"))
    assert told == [("chat", PlanChanged(steps), "run")]


async def test_an_empty_list_takes_it_away() -> None:
    told: Told = []
    answer = await (await tool(told).prepare({"todos": []})).perform()
    assert answer.text == "The list is taken away."
    assert [event for _, event, _ in told] == [PlanChanged(())]

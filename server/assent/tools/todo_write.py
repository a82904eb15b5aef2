"""todo_write: the agent's own list of what it has to do, as the user sees it. It touches nothing else."""

import hashlib
from collections.abc import Callable
from typing import Literal

from pydantic import Field, field_validator

from assent.agent.ports import AS_SHOWN, Manner, Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.conversation import ToolSpec
from assent.model.events import PlanChanged, PlanStep
from assent.model.ids import RunId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.schema import Arguments, schema_fault, schema_of

MOST_TODOS = 100
LONGEST_TODO = 500
_WORDS = {"completed": "done", "in_progress": "in progress", "pending": "to do"}

Tell = Callable[[SessionId, PlanChanged, RunId], None]
"""Tells a chat of its list, as part of this run."""


class Todo(Arguments):
    """One thing to do."""

    content: str = Field(min_length=1, max_length=LONGEST_TODO, description="What is to be done, in a few words.")
    status: Literal["pending", "in_progress", "completed"] = Field(
        description="How far it is. At most one is in_progress."
    )


class TodoWriteArguments(Arguments):
    """What todo_write takes."""

    todos: list[Todo] = Field(
        max_length=MOST_TODOS,
        description="The whole list in its order; it takes the place of the one before. An empty one takes it away.",
    )

    @field_validator("todos")
    @classmethod
    def _one_at_a_time(cls, todos: list[Todo]) -> list[Todo]:
        going_on = sum(todo.status == "in_progress" for todo in todos)
        if going_on > 1:
            raise ValueError(f"{going_on} are in_progress, and no more than one may be")
        return todos


class TodoWrite:
    """Tells the chat of the list. A chat has one list at most: that which was told last."""

    spec = ToolSpec(
        "todo_write",
        "Keeps a list of the steps of longer work, which the user sees as a checklist. Each call gives the whole list:"
        " update it when a step begins and when it is done.",
        schema_of(TodoWriteArguments),
    )
    category = Category.INTERNAL

    def __init__(self, session_id: SessionId, tell: Tell) -> None:
        self._session_id = session_id
        self._tell = tell

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(TodoWriteArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        todos = TodoWriteArguments.model_validate(args).todos
        text = readable_json(args)
        counts = _counts(todos)

        async def keep(manner: Manner) -> ToolAnswer:
            steps = tuple(PlanStep(todo.content, todo.status) for todo in todos)
            self._tell(self._session_id, PlanChanged(steps), manner.run_id)
            return ToolAnswer(f"The list is updated: {counts}." if todos else "The list is taken away.")

        return Prepared(
            headline=f"Update the to-do list ({counts})" if todos else "Take the to-do list away",
            directory="",
            preview=JsonPreview(text),
            paths=(),
            state=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            grant_key=self.spec.name,
            perform=lambda: keep(AS_SHOWN),
            perform_in=keep,
        )


def _counts(todos: list[Todo]) -> str:
    found = {status: sum(todo.status == status for todo in todos) for status in _WORDS}
    return ", ".join(f"{number} {_WORDS[status]}" for status, number in found.items() if number)

"""The tasks of the editor, as workflows: what one would run is shown; the editor runs it in a terminal of its own."""

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import Protocol

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import canonical_json
from assent.model.calls import Access, CallFacts
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category
from assent.model.preview import CommandPreview
from assent.policy.rules.rule import SHELL_TOOL
from assent.tools.bash_words import NOT_WELL
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_places import paths_of
from assent.tools.command_preview import preview_of, risk_of
from assent.tools.names import printable
from assent.tools.open_documents import EditorSilent
from assent.tools.places import Place, locate

PREFIX = "task:"


@dataclass(frozen=True, slots=True)
class EditorTask:
    """A task as the editor tells it."""

    task_id: str
    label: str
    text: str | None
    """None: an extension decides what runs."""
    directory: str | None
    shell: str | None
    variables: tuple[str, ...]
    first: tuple[str, ...]
    """Labels of those that the editor runs before it."""


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """How a task ended; `fault` says why it did not begin."""

    exit_code: int | None
    fault: str | None


class EditorTasks(Protocol):
    """The editor's side."""

    async def all(self) -> tuple[EditorTask, ...]:
        """Those that there are now; none where no editor is there. Raises EditorSilent."""

    async def run(self, task: EditorTask) -> TaskEnd:
        """Runs it to its end; being cancelled ends it. Raises EditorSilent."""


class NoTasks:
    """Where there is no editor, it has no tasks."""

    async def all(self) -> tuple[EditorTask, ...]:
        return ()

    async def run(self, task: EditorTask) -> TaskEnd:
        return TaskEnd(None, "no editor is there")


NO_TASKS = NoTasks()


@dataclass(frozen=True, slots=True)
class TaskCall:
    """One task that is to be run, with those before it."""

    tasks: EditorTasks
    task: EditorTask
    before: tuple[EditorTask | None, ...]
    """None: one of which nothing is known."""

    async def prepared(self, roots: tuple[str, ...]) -> Prepared:
        """The call, frozen."""
        place = locate(self.task.directory or ".", roots)
        looks = [await asyncio.to_thread(_look, one, place, roots) for one in (*self.before, self.task)]
        preview = preview_of(looks[-1], frozenset(), note=self._note(), sandbox=None)
        return Prepared(
            headline=f"Run the editor's task {printable(self.task.label)}",
            directory=place.real,
            preview=self._with_others(preview),
            paths=(place.use(Access.RUN, is_directory=True),),
            state=self._state(place),
            grant_key=f"workflow {PREFIX}{self.task.label} #{self._state(place)[:12]}",
            perform=self._perform,
            risk=risk_of(looks[-1], preview),
            category=Category.EXECUTE,
            steps=tuple(map(_facts, looks)),
        )

    def _with_others(self, preview: CommandPreview) -> CommandPreview:
        """All that would run, in its order: the lines of the tasks before it, each with its name."""
        if not self.before:
            return preview
        lines = [line for one in self.before for line in _lines(one)]
        return replace(preview, text="\n".join([*lines, f"# {printable(self.task.label)}", preview.text]))

    def _note(self) -> str:
        told = ["The editor runs it in a terminal of its own, outside of any sandbox."]
        if self.task.shell is not None:
            told.append(f"It asks for the shell {printable(self.task.shell)}.")
        if self.task.variables:
            told.append(f"It sets {', '.join(map(printable, self.task.variables))}.")
        if self.before:
            told.append("Other tasks run before it.")
        return " ".join(told)

    def _state(self, place: Place) -> str:
        bound = [_spelled(one) for one in (*self.before, self.task)]
        return hashlib.sha256(canonical_json([place.bound(), bound])).hexdigest()

    async def _perform(self) -> ToolAnswer:
        try:
            now = await find_task(PREFIX + self.task.label, self.tasks)
            if (now.task, now.before) != (self.task, self.before):
                raise ToolFault("changed_since", "The task is another one by now, so it did not run.")
            end = await self.tasks.run(self.task)
        except EditorSilent as fault:
            raise ToolFault("editor_silent", "The editor did not answer; whether the task ran is not known.") from fault
        if end.fault is not None:
            raise ToolFault("not_started", f"The task did not run: {end.fault}.")
        if end.exit_code is None:
            return ToolAnswer("The task has ended, without an exit code. What it printed is in the editor's terminal.")
        code = None if end.exit_code == 0 else NOT_WELL
        return ToolAnswer(f"Exit code {end.exit_code}. What it printed is in the editor's terminal.", code=code)


async def find_task(workflow_id: str, tasks: EditorTasks) -> TaskCall:
    """The task of this id. Raises ToolFault where there is none, or several."""
    try:
        known = await tasks.all()
    except EditorSilent as fault:
        raise ToolFault(
            "editor_silent", "The editor does not say which tasks it has. It can be tried again."
        ) from fault
    label = workflow_id.removeprefix(PREFIX)
    found = [one for one in known if one.label == label]
    if len(found) > 1:
        raise ToolFault("ambiguous", f"The editor has {len(found)} tasks named {printable(label)}. It did not run.")
    if not found:
        names = ", ".join(PREFIX + printable(one.label) for one in known[:20]) or "none, or no editor is there"
        raise ToolFault("not_found", f"The editor has no task {printable(label)[:80]!r}. It has: {names}.")
    by_label = {one.label: one for one in known}
    return TaskCall(tasks, found[0], tuple(by_label.get(name) for name in found[0].first))


def _look(task: EditorTask | None, place: Place, roots: tuple[str, ...]) -> Command:
    if task is None or task.text is None:
        return Command("", (), "What this task runs is decided by an extension of the editor when it begins.")
    return look_at(task.text, task.directory or place.real, roots)


def _facts(command: Command) -> CallFacts:
    category = category_of(command) or Category.EXECUTE
    return CallFacts(SHELL_TOOL, known=True, category=category, paths=paths_of(command), command=command)


def _lines(task: EditorTask | None) -> tuple[str, str]:
    if task is None or task.text is None:
        return "# a task before it", "# (an extension of the editor decides what this runs)"
    return f"# {printable(task.label)}", task.text


def _spelled(task: EditorTask | None) -> list[object] | None:
    if task is None:
        return None
    return [task.task_id, task.label, task.text, task.directory, task.shell, list(task.variables), list(task.first)]

"""The tasks of the editor, as workflows: what one would run is shown; the editor runs it in a terminal of its own."""

import asyncio
import hashlib
import re
from itertools import count
from typing import Protocol

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, CallFacts, OfGuest
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category
from assent.model.nodes import FLOW_TOOL, NodeUse
from assent.model.preview import CommandPreview, StepPreview, StepsPreview
from assent.policy.rules.rule import SHELL_TOOL
from assent.tools.bash_words import NOT_WELL
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_places import paths_of
from assent.tools.command_preview import preview_of, risk_of
from assent.tools.names import printable
from assent.tools.open_documents import EditorSilent
from assent.tools.places import Place, locate

PREFIX = "task:"
_BY_HAND = "The editor runs its tasks outside of any sandbox, and what they start is not known: each is asked for."
_LONGEST_SHOWN = 120
_FILLED_IN = re.compile(
    r"\$\{(?:env|config|command|input|extensionInstallFolder|workspace\w*|file\w*|relativeFile\w*|cwd|lineNumber|columnNumber"
    r"|selectedText|execPath|defaultBuildTask|pathSeparator|userHome|/)[^}]*\}"
)
"""What the editor puts something in for before a shell sees it."""


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
    """As `NAME=value`."""
    first: tuple[str, ...]
    """Labels of those that the editor runs before it; an empty one for each of which nothing is known."""


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
        looks = [await asyncio.to_thread(_look, one, roots) for one in (*self.before, self.task)]
        last = looks[-1]
        preview = last.preview if not self.before else StepsPreview("", tuple(map(_shown, count(1), looks)))
        return Prepared(
            headline=f"Run the editor's task {printable(self.task.label)}",
            directory=last.place.real,
            preview=preview,
            paths=tuple(dict.fromkeys(one.place.use(Access.RUN, is_directory=True) for one in looks)),
            state=self._state(looks),
            grant_key="",
            node=NodeUse(PREFIX + self.task.label, self._state(looks), of_user=False, runner=FLOW_TOOL),
            perform=self._perform,
            risk=risk_of(last.command, last.preview),
            category=Category.EXECUTE,
            # What the editor runs is held by nothing, and what it does is never fully known.
            guest=OfGuest(by_hand=_BY_HAND),
            also=(SHELL_TOOL,),
            command=last.command,
            steps=tuple(one.facts for one in looks),
        )

    def _state(self, looks: list["_Look"]) -> str:
        bound = [_spelled(one) for one in (*self.before, self.task)]
        places = [one.place.bound() for one in looks]
        return hashlib.sha256(canonical_json([places, bound])).hexdigest()

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
    found = [one for one in known if label and one.label == label]
    if len(found) > 1:
        raise ToolFault("ambiguous", f"The editor has {len(found)} tasks named {printable(label)}. It did not run.")
    if not found:
        names = ", ".join(PREFIX + printable(one.label) for one in known[:20]) or "none, or no editor is there"
        raise ToolFault("not_found", f"The editor has no task {printable(label)[:80]!r}. It has: {names}.")
    return TaskCall(tasks, found[0], tuple(_named(name, known) for name in found[0].first))


def _named(label: str, known: tuple[EditorTask, ...]) -> EditorTask | None:
    """The one task of this label. Of two, which one the editor means is not known."""
    found = [one for one in known if label and one.label == label]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of one of the tasks."""

    label: str
    place: Place
    command: Command
    preview: CommandPreview

    @property
    def facts(self) -> CallFacts:
        category = category_of(self.command) or Category.EXECUTE
        paths = paths_of(self.command)
        return CallFacts(SHELL_TOOL, known=True, category=category, paths=paths, command=self.command)


def _look(task: EditorTask | None, roots: tuple[str, ...]) -> _Look:
    """Looks at the disk: belongs into a thread."""
    told = task.directory if task is not None else None
    place = locate(told or ".", roots)
    command = _command(task, place, roots)
    label = printable(task.label) if task is not None else "another task"
    return _Look(label, place, command, preview_of(command, frozenset(), note=_note(task), sandbox=None))


def _command(task: EditorTask | None, place: Place, roots: tuple[str, ...]) -> Command:
    if task is None:
        return Command("", (), "The editor runs another task before this one, and which one that is it does not say.")
    if task.text is None:
        return Command("", (), "What this task runs is decided by an extension of the editor when it begins.")
    if _FILLED_IN.search(task.text) or _FILLED_IN.search(task.directory or ""):
        return Command(task.text, (), "The editor puts something in here that is known only when it begins.")
    if task.shell is not None:
        return Command(task.text, (), f"This is read by the shell that it asks for: {printable(task.shell)}.")
    return look_at(task.text, place.real, roots)


def _note(task: EditorTask | None) -> str:
    told = ["The editor runs it in a terminal of its own, outside of any sandbox."]
    if task is not None and task.variables:
        told.append(f"It sets {', '.join(_short(one) for one in task.variables)}.")
    return " ".join(told)


def _short(variable: str) -> str:
    text = printable(variable)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _shown(number: int, look: _Look) -> StepPreview:
    risk = risk_of(look.command, look.preview)
    notes = risk.notes if risk is not None else ()
    return StepPreview(number, look.label, f"The task {look.label}", look.facts.category, look.preview, notes)


def _spelled(task: EditorTask | None) -> list[object] | None:
    if task is None:
        return None
    return [task.task_id, task.label, task.text, task.directory, task.shell, list(task.variables), list(task.first)]

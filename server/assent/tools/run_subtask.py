"""run_subtask: hands something on to a sub-agent, which has a conversation of its own and says what came of it."""

from typing import Any

from pydantic import Field

from assent.agent.json_schema import WORDS, not_understood
from assent.agent.ports import Errand, HandOn, Prepared, ToolAnswer
from assent.jsontext import readable_json, write_json
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of

LONGEST_TITLE = 80
_LOOKS_LIKE_A_CHAIN = frozenset("›❯❭〉⟩ᐳ")
"""The first of these stands between the titles of a chain of sub-agents: one title must not look like several."""
LONGEST_INSTRUCTIONS = 50_000
LONGEST_SCHEMA = 20_000


class RunSubtaskArguments(Arguments):
    """What run_subtask takes."""

    title: str = Field(
        min_length=1, max_length=LONGEST_TITLE, description="A few words for the user on what the sub-agent is to do."
    )
    instructions: str = Field(
        min_length=1,
        max_length=LONGEST_INSTRUCTIONS,
        description="All that the sub-agent needs to know. It sees nothing of this conversation.",
    )
    tools: list[str] | None = Field(
        None, max_length=100, description="The names of the tools that it may use, where that is not all of yours."
    )
    output_schema: dict[str, Any] | None = Field(
        None,
        description=f"A JSON schema that its answer has to fit, where you need the answer as JSON. It may say {WORDS}.",
    )


class RunSubtask:
    """Hands something on. The sub-agent's calls pass the same gate; this one has no effect but theirs."""

    spec = ToolSpec(
        "run_subtask",
        "Hands a task on to a sub-agent, which has its own conversation, and returns its last message. "
        "Several calls in one answer work at the same time.",
        schema_of(RunSubtaskArguments),
    )
    category = Category.INTERNAL

    def __init__(self, roots: Roots, hand_on: HandOn | None = None, known: tuple[str, ...] | None = None) -> None:
        self._roots = roots
        self._hand_on = hand_on
        self._known = known

    def for_call(self, hand_on: HandOn, known: tuple[str, ...]) -> "RunSubtask":
        """The same for one call of a conversation that has these tools."""
        return RunSubtask(self._roots, hand_on, known)

    def fault(self, args: JsonObject) -> str | None:
        fault = schema_fault(RunSubtaskArguments, args)
        if fault is not None:
            return fault
        wanted = RunSubtaskArguments.model_validate(args)
        found = _text_fault(wanted) or self._tools_fault(wanted.tools) or _schema_fault(wanted.output_schema)
        return None if found is None else f"The arguments do not fit. {found}"

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = RunSubtaskArguments.model_validate(args)
        errand = _errand(wanted)
        return Prepared(
            headline=f"Sub-agent: {errand.title}",
            directory=next(iter(self._roots()), ""),
            preview=JsonPreview(readable_json(args)),
            paths=(),
            state="",
            grant_key=self.spec.name,
            perform=lambda: self._perform(errand),
            impossible=_no_run() if self._hand_on is None else None,
            ends_with_run=True,
        )

    async def _perform(self, errand: Errand) -> ToolAnswer:
        if self._hand_on is None:
            raise _no_run()
        return await self._hand_on(errand)

    def _tools_fault(self, tools: list[str] | None) -> str | None:
        unknown = [name for name in tools or () if self._known is not None and name not in self._known]
        if not unknown:
            return None
        named = ", ".join(name[:LONGEST_TITLE] for name in unknown[:3])
        return f"tools: you have none named {named}; yours are {', '.join(self._known or ())}"


def _errand(wanted: RunSubtaskArguments) -> Errand:
    tools = None if wanted.tools is None else tuple(dict.fromkeys(wanted.tools))
    return Errand(_title(wanted), wanted.instructions, tools, wanted.output_schema)


def _title(wanted: RunSubtaskArguments) -> str:
    return " ".join(wanted.title.split())


def _text_fault(wanted: RunSubtaskArguments) -> str | None:
    title = _title(wanted)
    if not title:
        return "title: it says nothing"
    if not title.isprintable() or not _LOOKS_LIKE_A_CHAIN.isdisjoint(title):
        return "title: it may hold nothing that cannot be seen, and no “›” or what looks like it"
    return None if wanted.instructions.strip() else "instructions: they say nothing"


def _schema_fault(schema: dict[str, Any] | None) -> str | None:
    if schema is None:
        return None
    if len(write_json(schema)) > LONGEST_SCHEMA:
        return f"output_schema: it is longer than {LONGEST_SCHEMA:,} bytes"
    fault = not_understood(schema)
    return None if fault is None else f"output_schema: {fault}"


def _no_run() -> ToolFault:
    return ToolFault("no_run", "A sub-agent works only as long as the run that hands something on; ask again.")

"""Sub-agents: each leads a conversation of its own for one call of another, by everything that holds for the whole run.

A sub-agent has the gate, the modes, the grants and the limits of its run, and of the tools of the agent above it all
or fewer. Of its conversation only what is told is kept beyond this process; it is never gone on with.
"""

import asyncio
from dataclasses import replace
from functools import partial
from itertools import chain, count

from assent.agent.beside import QuestionBeside
from assent.agent.context import Context
from assent.agent.errands import MOST_TRIES, Answered, answered, not_fitting, rules_for
from assent.agent.execution_tree import execution_tree
from assent.agent.history import History
from assent.agent.inner_calls import CallsOf, Nesting
from assent.agent.loop import Conversation, Loop
from assent.agent.loop_end import LoopEnd
from assent.agent.nowhere import NoKeeper
from assent.agent.ports import AskingModel, CallingOthers, Errand, ToolAnswer
from assent.agent.results import excerpt
from assent.agent.run_state import RunState
from assent.agent.toolbelt import Toolbelt
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, UserText
from assent.model.errors import ToolFault
from assent.model.ids import CallId
from assent.model.verdict import Reason

LAST_WORDS = 2_000


class Belt:
    """The tools of one conversation. One that hands something on, or asks the model, is made for each call of it."""

    def __init__(self, run: RunState, caller: Caller, tools: Toolbelt, nesting: Nesting | None = None) -> None:
        self._run = run
        self._caller = caller
        self._tools = tools
        self._nesting = nesting
        """Within how many calls those stand for which these tools are; None: the model makes them itself."""
        self._titles: set[str] = set()

    def __call__(self, call: ToolCall | None) -> Toolbelt:
        """The tools as the model is told of them; for a call, as they are for this one."""
        tool = self._tools.get(call.tool) if call is not None else None
        if isinstance(tool, AskingModel):
            return self._tools.with_tool(tool.asking(QuestionBeside(self._run, self._caller)))
        handing_on = self._run.around.handing_on
        if call is not None and isinstance(tool, CallingOthers):
            return self._tools.with_tool(
                tool.with_calls(CallsOf(call, self._run, self._caller, self._within, self._nesting or Nesting()))
            )
        if handing_on is None or self._tools.get(handing_on.spec.name) is None:
            return self._tools
        if call is None:
            return self._tools if self._may_hand_on() else self._tools.without(handing_on.spec.name)
        if call.tool != handing_on.spec.name:
            return self._tools

        async def hand_on(errand: Errand) -> ToolAnswer:
            return await self._hand_on(call.call_id, errand)

        # Also where it may not: a call that is made all the same is told which limit stands in its way.
        return self._tools.with_tool(handing_on.for_call(hand_on, self._handed().names))

    def _within(self, call: ToolCall, caller: Caller, nesting: Nesting) -> Toolbelt:
        """The tools for a call that another call makes."""
        return Belt(self._run, caller, self._tools, nesting)(call)

    def _may_hand_on(self) -> bool:
        limits = self._run.budget.limits
        return self._caller.depth < limits.depth and limits.subtasks > 0

    async def _hand_on(self, call_id: CallId, errand: Errand) -> ToolAnswer:
        run = self._run
        if run.over:
            raise ToolFault(Reason.CANCELLED.value, "The run was stopped, so the sub-agent did not begin.")
        reached = run.budget.subtask(self._caller.depth + 1, by=self._caller)
        if reached is not None:
            raise ToolFault(Reason.LIMIT_REACHED.value, reached.message)
        caller = replace(self._caller, parent_call=call_id, path=(*self._caller.path, self._told_apart(errand.title)))
        tools = self._handed() if errand.tools is None else self._handed().only(errand.tools)
        with run.chat.grants.task(call_id, self._caller.parent_call, partial(run.grants_changed, released=False)):
            return await SubAgent(run, caller, errand, tools).answer()

    def _handed(self) -> Toolbelt:
        return self._tools.without(*self._run.around.of_chats)

    def _told_apart(self, title: str) -> str:
        """Cards name a sub-agent by its title: no two of one agent have the same."""
        numbered = (f"{title} ({number})" for number in count(2))
        own = next(one for one in chain([title], numbered) if one.casefold() not in self._titles)
        self._titles.add(own.casefold())
        return own


class SubAgent:
    """One sub-agent, from its instructions to its answer."""

    def __init__(self, run: RunState, caller: Caller, errand: Errand, tools: Toolbelt) -> None:
        self._run = run
        self._caller = caller
        self._errand = errand
        self._history = History(NoKeeper())
        context = Context(run.chat.context.window, run.chat.context.answer)
        talk = Conversation(
            self._history, NoKeeper(), context, caller, Belt(run, caller, tools), rules_of_its_own=rules_for(errand)
        )
        self._loop = Loop(talk, run)

    async def answer(self) -> ToolAnswer:
        """What it says in the end. Raises ToolFault; returns when nothing of it is under way any more."""
        task = self._run.tasks.start(self._work(), f"sub-agent {self._caller.depth}")
        await asyncio.wait({task})
        await self._loop.calls_ended()
        if task.cancelled():
            raise self._fault(Reason.CANCELLED.value, "The run was stopped before the sub-agent had ended.")
        if task.exception() is not None:
            raise self._fault(
                "subtask_failed", "Assent met an internal fault in the sub-agent; details are in the log."
            )
        result = task.result()
        if isinstance(result, ToolFault):
            raise result
        return result

    async def _work(self) -> ToolAnswer | ToolFault:
        self._history.append(UserText(self._errand.instructions))
        misfit = ""
        for _ in range(MOST_TRIES):
            fault = self._fault_of(await self._loop.turns())
            if fault is not None:
                return fault
            found = self._answered()
            if found.misfit is None:
                return ToolAnswer(found.text, content=self._tree())
            misfit = found.misfit
            self._history.append(UserText(not_fitting(misfit)))
        words = f"The answer of the sub-agent does not fit the output_schema, also after {MOST_TRIES} tries: {misfit}"
        return self._fault("output_misfit", words + self._last_words())

    def _answered(self) -> Answered:
        text = self._last_text()
        if self._errand.output_schema is None:
            return Answered(text or "The sub-agent ended without saying anything.")
        # A longer one would be shortened for the agent above, and no JSON any more.
        return answered(text, self._errand.output_schema, self._run.budget.limits.result_bytes)

    def _fault_of(self, end: LoopEnd) -> ToolFault | None:
        if end.broken is not None:
            return self._fault("subtask_failed", f"The sub-agent failed: {end.broken.message}{self._last_words()}")
        if end.message is not None:
            return self._fault(Reason.LIMIT_REACHED.value, end.message + self._last_words())
        return None

    def _fault(self, code: str, words: str) -> ToolFault:
        return ToolFault(code, words, content=self._tree())

    def _last_text(self) -> str:
        turns = (message.text for message in reversed(list(self._history)) if isinstance(message, AssistantTurn))
        return next(turns, "").strip()

    def _last_words(self) -> str:
        text = excerpt(self._last_text(), LAST_WORDS)
        return f"\n\nIts last words were:\n{text}" if text else ""

    def _tree(self) -> str:
        handing_on = self._run.around.handing_on
        return execution_tree(self._loop.made, handing_on.spec.name if handing_on is not None else "")

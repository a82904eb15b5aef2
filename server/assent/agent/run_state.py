"""What all conversations of one run share: its modes, its limits, its tasks, and whether it has ended."""

from dataclasses import replace
from typing import TYPE_CHECKING

from assent.agent.budget import Budget, Exhausted
from assent.agent.chat import Chat
from assent.agent.denials import Denials
from assent.agent.sequence import Sequence
from assent.agent.stopwatch import Stopwatch
from assent.agent.surroundings import Surroundings
from assent.model.approval import ResolvedBy
from assent.model.conversation import Usage
from assent.model.events import BudgetExceeded, TurnUsage
from assent.model.ids import CallId, RunId
from assent.model.json import LARGEST_EXACT
from assent.model.modes import Mode
from assent.policy.decide import Rules
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from assent.model.message_parts import Part


class RunState:
    """Owned by the run, and handed to the loop of the chat and to those of its sub-agents."""

    def __init__(self, run_id: RunId, chat: Chat, mode: Mode, around: Surroundings) -> None:
        self.run_id = run_id
        self.chat = chat
        self.around = around
        self.modes = frozenset({mode, chat.mode})
        self.tasks = TaskGroup(f"run {run_id}")
        """Every call, and every conversation of a sub-agent: they end together."""
        self.ended_by: ResolvedBy | None = None
        self.over = False
        """Nothing of it may begin any more."""
        self.budget = Budget(around.limits(), told=self._tell_limit, no_more=around.gate.reconsider)
        self.denials = Denials()
        self.sequence = Sequence(self.budget.limits.parallel_calls)
        self.watch = Stopwatch(around.clock)
        self.message: tuple[Part, ...] | None = None
        """What the user said. None where the run goes on without a message."""
        self._input = self._output = 0
        self._rules: Rules | None = None
        """What was in force last: one for all calls that wait by the same."""

    def rules(self) -> Rules:
        """What is in force for the run's calls at this moment."""
        rules = self.around.rules(self.chat, self.modes)
        if self.over or self.chat.closed:
            rules = replace(rules, alive=False)
        if rules != self._rules:
            self._rules = rules
        return self._rules

    def who_ended_it(self) -> ResolvedBy:
        """What ends the calls that wait."""
        return self.ended_by or ResolvedBy.STOP

    def end(self, by: ResolvedBy | None) -> None:
        """Nothing begins from here on."""
        self.over = True
        self.ended_by = self.ended_by or by

    def _tell_limit(self, reached: Exhausted) -> None:
        told = BudgetExceeded(reached.limit, reached.value, reached.observed, reached.message, reached.by)
        self.chat.events.add(told, self.run_id)

    def grants_changed(self, released: bool) -> None:
        """Uses are used up, or free again."""
        if released:
            self.around.gate.reconsider()
        rules = self.rules()
        agent, chat = rules.bypass_agent, rules.bypass_session or self.chat.grants.bypass
        self.chat.tell_grants(
            bypass_agent=agent and rules.bypass_available, bypass_chat=chat and rules.bypass_available
        )

    def count(self, usage: Usage, window: int | None, parent_call: CallId | None) -> None:
        """Tells what a turn cost, where the model's server says so, and what its model can take in."""
        if usage == Usage():
            return
        self._input = min(self._input + (usage.input or 0), LARGEST_EXACT)
        self._output = min(self._output + (usage.output or 0), LARGEST_EXACT)
        told = TurnUsage(usage.input, usage.output, usage.cached, self._input, self._output, window, parent_call)
        self.chat.events.add(told, self.run_id)

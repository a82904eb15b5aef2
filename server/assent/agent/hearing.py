"""What the user's hooks say to one call on its way through the gate, whatever arguments it has by now.

They are asked once about the same arguments, and only where the ladder comes to them. What they said stays with the
call until it has run or been refused: it is decided by that, however often, also where it had to wait for its turn and
is looked at anew. Only a hook that has come since has to be asked before such a look counts.
"""

import asyncio
from collections.abc import Callable
from dataclasses import field, replace
from typing import Protocol

from assent.agent.ports import Prepared
from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts, HookAnswer, Hooks, ToolCall
from assent.model.hooks import Hook, HookCall, HookRemarks, HookResult, HookVerdict, own_names
from assent.model.modes import Mode
from assent.runtime.tasks import TaskGroup

_BY_ITSELF = "{agent} carries this call out by itself, or counts on what it has asked for."


class HookPort(Protocol):
    """The user's hooks. They are programs, so asking takes its time; being cancelled ends them."""

    def concerned(self, names: tuple[str, ...]) -> tuple[Hook, ...]:
        """Those that have to be asked before calls that have these names."""

    async def ask(self, call: HookCall) -> HookVerdict:
        """What they say before a call."""

    def follow(self, names: tuple[str, ...]) -> bool:
        """Whether one is told how such calls end."""

    async def tell(self, result: HookResult) -> HookRemarks:
        """What they say after it."""


class Withdrawn(Exception):
    """Nobody waits for what hooks would have said."""


def names_of(call: ToolCall, facts: CallFacts) -> tuple[str, ...]:
    """The names by which hooks may mean this call."""
    return (*own_names(call), *facts.also)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was said about these arguments, and who was asked."""

    args: bytes
    hooks: Hooks
    asked: tuple[Hook, ...] = ()


@dataclass(slots=True)
class Hearing:
    """Of one call. It is made for each call where there are hooks, and for none where there are not."""

    port: HookPort
    caller: Caller
    tell: Callable[[ToolCall, str], None]
    """Takes what people should know of the asking."""
    _heard: list[_Heard] = field(default_factory=list)
    _asked: TaskGroup = field(default_factory=lambda: TaskGroup("hooks of a call"))

    def known(self, call: ToolCall, facts: CallFacts) -> CallFacts:
        """The facts with what was said about these arguments; or that nobody was asked yet."""
        heard = self._about(call)
        if heard is not None and heard.hooks.answer is HookAnswer.PENDING:
            return replace(facts, hooks=heard.hooks)
        usable = facts.known and facts.arguments_fault is None
        now = set(self.port.concerned(names_of(call, facts)) if usable else ())
        if heard is not None and heard.hooks.answer is HookAnswer.ALLOW and not now.issuperset(heard.asked):
            # Who has taken a hook away has taken its yes away. Those that are left are asked without it.
            heard = _Heard(heard.args, Hooks(changed=heard.hooks.changed))
        unasked = now - set(heard.asked if heard else ())
        said = Hooks() if heard is None else heard.hooks
        return replace(facts, hooks=Hooks(HookAnswer.PENDING, changed=said.changed) if unasked else said)

    def still(self, call: ToolCall, facts: CallFacts) -> CallFacts:
        """The facts with what was said about these arguments, which waits with the call. Nobody is to be asked now."""
        heard = self._about(call)
        return replace(facts, hooks=heard.hooks if heard is not None else Hooks())

    async def ask(
        self, call: ToolCall, prepared: Prepared, facts: CallFacts, mode: Mode, *, may_change: bool
    ) -> ToolCall:
        """Asks about these arguments, and gives the call to go on with: where a hook wants it, with new arguments.

        Those are yet to be asked about. Raises Withdrawn.
        """
        asking = self.port.concerned(names_of(call, facts))
        fixed = "" if prepared.editable else _BY_ITSELF.format(agent=self.caller.agent_name)
        already = facts.hooks.changed
        asked = HookCall(call, self.caller, mode, facts.also, already, fixed)
        verdict = await self._ask(asked if may_change or fixed else replace(asked, changed=already or _BY_USER))
        for note in verdict.notes:
            self.tell(call, note)
        if verdict.arguments is None:
            self._hear(call, verdict.hooks if may_change else replace(verdict.hooks, changed=already), asking)
            return call
        changed = replace(call, args=verdict.arguments, raw="")
        self.tell(call, verdict.hooks.changed)
        self._hear(changed, replace(verdict.hooks, answer=HookAnswer.PENDING))
        return changed

    async def end(self) -> None:
        """Nobody waits for it any more: what is still asked is ended."""
        await self._asked.cancel()

    async def _ask(self, asked: HookCall) -> HookVerdict:
        # A task of its own: a call that is withdrawn ends it, whoever had it asked.
        asking = self._asked.start(self.port.ask(asked), "asking")
        try:
            return await asking
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise
            raise Withdrawn from None

    def _about(self, call: ToolCall) -> _Heard | None:
        spelled = canonical_json(call.args)
        return next((one for one in reversed(self._heard) if one.args == spelled), None)

    def _hear(self, call: ToolCall, hooks: Hooks, asked: tuple[Hook, ...] = ()) -> None:
        self._heard.append(_Heard(canonical_json(call.args), hooks, asked))


_BY_USER = "You have changed the arguments of this call."

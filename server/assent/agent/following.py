"""What the user's hooks are told of a call that ran, and what they add to its result. They undo nothing."""

import asyncio
from dataclasses import replace

from assent.agent.hearing import HookPort
from assent.agent.permit import Permit
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import ToolOutcome
from assent.model.hooks import HookCall, HookResult, own_names


@dataclass(frozen=True, slots=True)
class Followed:
    """The result with what hooks have added to it, and what went wrong with them."""

    outcome: ToolOutcome
    notes: tuple[str, ...] = ()


async def followed(hooks: HookPort | None, permit: Permit, outcome: ToolOutcome, *, is_read: bool) -> Followed:
    """Tells the hooks of this tool how it ended. `is_read`: a model of Assent's own reads the result, and their notes.

    Being stopped ends their programs. The call has run: its result stands whatever becomes of them.
    """
    subject = permit.subject
    call = HookCall(permit.call, subject.caller, subject.mode, permit.facts.also)
    return await told_of(hooks, call, outcome, is_read=is_read)


async def told_of(hooks: HookPort | None, call: HookCall, outcome: ToolOutcome, *, is_read: bool) -> Followed:
    """The same for any call that has run, also for one that nobody here has decided about."""
    if hooks is None or not hooks.follow((*own_names(call.call), *call.also)):
        return Followed(outcome)
    told = HookResult(call, outcome.content, success=not outcome.is_error, code=outcome.code)
    try:
        said = await hooks.tell(told)
    except asyncio.CancelledError:
        return Followed(outcome, ("The hooks for this call were stopped with the run.",))
    if not said.for_model:
        return Followed(outcome, said.notes)
    if not is_read:
        # Whoever reads this result did not ask for more than it.
        return Followed(outcome, (*said.for_model, *said.notes))
    added = "\n".join(said.for_model)
    return Followed(replace(outcome, content=f"{outcome.content}\n\n{added}"), said.notes)

"""The only place that runs a tool. It takes a permit, which only the gate makes, and gives exactly one result."""

import asyncio
import logging
from typing import TYPE_CHECKING

from assent.agent.gate import Permit
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault

if TYPE_CHECKING:
    from assent.agent.ports import ToolAnswer

logger = logging.getLogger(__name__)

GRACE_AFTER_STOP = 0.2


async def execute(permit: Permit) -> ToolOutcome:
    """Carries out the permitted call. Failures of the tool become a result; only a stop ends it otherwise."""
    prepared = permit.take()
    call = permit.call
    work = asyncio.ensure_future(prepared.perform())
    try:
        answer = await asyncio.shield(work)
    except ToolFault as fault:
        return ToolOutcome(call.call_id, call.tool, str(fault), is_error=True, code=fault.code, ran=True)
    except asyncio.CancelledError:
        return await _stopped(permit, work)
    except Exception as fault:
        logger.exception("tool %s failed", call.tool)
        text = f"The tool failed with {type(fault).__name__}. Its effect is unknown; details are in the log."
        return ToolOutcome(call.call_id, call.tool, text, is_error=True, code="tool_failed", ran=True)
    return ToolOutcome(
        call.call_id,
        call.tool,
        answer.text,
        path=answer.path,
        file_content=answer.content,
        truncated=answer.truncated,
        ran=True,
    )


async def _stopped(permit: Permit, work: "asyncio.Future[ToolAnswer]") -> ToolOutcome:
    """A stop does not undo: say whether the call had its effect, as far as that is known after a moment."""
    await asyncio.wait({work}, timeout=GRACE_AFTER_STOP)
    if work.done() and not work.cancelled() and work.exception() is None:
        text = "The run was stopped, but this call had already taken effect."
    elif work.done():
        text = "The run was stopped, and this call failed."
    else:
        work.cancel()
        text = "The run was stopped while this call was running; its effect is unknown."
    call = permit.call
    return ToolOutcome(call.call_id, call.tool, text, is_error=True, code="cancelled", ran=True)

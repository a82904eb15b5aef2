"""The only place that runs a tool. It takes a permit, which only the gate makes, and gives exactly one result.

That it starts is durable before it starts, and how it ended before anyone is told.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from assent.agent.permit import Permit, Refusal
from assent.agent.place import Alone
from assent.agent.recorder import Recorder
from assent.jsontext import readable_json
from assent.model.conversation import ToolOutcome
from assent.model.errors import NotRecorded, ToolFault
from assent.model.records import Ending
from assent.model.verdict import Reason

if TYPE_CHECKING:
    from assent.agent.ports import Prepared, ToolAnswer

logger = logging.getLogger(__name__)

ALONE = Alone()
GRACE_AFTER_STOP = 0.2
"""Seconds in which what is nearly done may be done."""
GRACE_TO_END = 2.0
"""Seconds in which what is told to end may say how it ended."""
MOST_SHOWN_CHANGES = 4_000


async def execute(
    permit: Permit, recorder: Recorder, on_start: Callable[[], None], place: Alone = ALONE
) -> ToolOutcome | Refusal:
    """Carries out the permitted call. Failures of the tool become a result; only a stop ends it otherwise."""
    prepared = permit.take()
    since = recorder.now()
    try:
        if not permit.begun:
            await recorder.started(permit.subject, permit.unwritten)
    except NotRecorded as fault:
        # It has its result: once the disk takes something again, it must not look as if it still waited.
        recorder.never_ran(permit.subject, since=since)
        return Refusal("not_recorded", str(fault))
    except asyncio.CancelledError:
        # Its start may stand in the journal by now, and it will not run.
        recorder.never_ran(permit.subject, since=since)
        raise
    try:
        refusal = permit.still() or place.begin(permit)
    except Exception:
        # Whatever cannot be thought to its end does not run, and nobody is to wonder whether it did.
        recorder.never_ran(permit.subject, since=since)
        raise
    if refusal is not None:
        recorder.never_ran(permit.subject, since=since)
        return refusal
    on_start()
    outcome, ending = await _perform(permit, prepared, place)
    await _record_end(permit, recorder, outcome, ending, since)
    return outcome


async def _record_end(permit: Permit, recorder: Recorder, outcome: ToolOutcome, ending: Ending, since: float) -> None:
    """It has run: neither a stop nor a store that cannot be written takes its result away."""
    writing = asyncio.ensure_future(recorder.finished(permit.subject, outcome, ending, since=since))
    with suppress(NotRecorded, asyncio.CancelledError):
        await asyncio.shield(writing)


async def _perform(permit: Permit, prepared: "Prepared", place: Alone) -> tuple[ToolOutcome, Ending]:
    call, caller = permit.call, permit.subject.caller
    whose = replace(
        permit.manner,
        call_id=call.call_id,
        run_id=caller.run_id,
        session_id=caller.session_id,
        asking=place.asking,
    )
    work = asyncio.ensure_future(prepared.carry_out(place.before(), whose))
    try:
        answer = await asyncio.shield(work)
    except ToolFault as fault:
        return _failed(permit, fault), Ending.FAILED
    except asyncio.CancelledError:
        return await _stopped(permit, prepared, work), Ending.STOPPED
    except Exception as fault:
        logger.exception("tool %s failed", call.tool)
        text = f"The tool failed with {type(fault).__name__}. Its effect is unknown; details are in the log."
        failed = ToolOutcome(call.call_id, call.tool, text, is_error=True, code="tool_failed", ran=True)
        return failed, Ending.FAILED
    place.leaves(answer.left)
    done = ToolOutcome(
        call.call_id,
        call.tool,
        _with_change(permit, answer.text),
        path=answer.path,
        file_content=answer.content,
        truncated=answer.truncated,
        code=answer.code,
        ran=True,
        made=answer.made,
        picture_names=tuple(one.name or "" for one in answer.pictures),
        pictures=answer.pictures,
        masked=(_with_change(permit, answer.masked[0]), answer.masked[1]) if answer.masked is not None else None,
    )
    return done, Ending.DONE


def _with_change(permit: Permit, text: str) -> str:
    """The model must know that what ran is not what it asked for."""
    by_hook = bool(permit.facts.hooks.changed)
    if not permit.changed and not by_hook:
        return text
    who = "The user changed" if permit.changed else "A program of the user's (a hook) changed"
    ran = readable_json(permit.call.args)
    shown = ran if len(ran) <= MOST_SHOWN_CHANGES else f"{ran[:MOST_SHOWN_CHANGES]}…"
    return f"{who} the arguments before allowing this call. This ran instead: {shown}\n\n{text}"


def _failed(permit: Permit, fault: ToolFault) -> ToolOutcome:
    call, code = permit.call, fault.code
    return ToolOutcome(
        call.call_id, call.tool, str(fault), is_error=True, code=code, file_content=fault.content, ran=True
    )


async def _stopped(permit: Permit, prepared: "Prepared", work: "asyncio.Future[ToolAnswer]") -> ToolOutcome:
    """A stop does not undo: say whether the call had its effect, as far as that is known after a moment."""
    await asyncio.wait({work}, timeout=None if prepared.ends_with_run else GRACE_AFTER_STOP)
    fault = work.exception() if work.done() and not work.cancelled() else None
    if isinstance(fault, ToolFault) and fault.code == Reason.CANCELLED:
        return _failed(permit, fault)
    if work.done() and not work.cancelled() and fault is None:
        answer = work.result()
        text = "The run was stopped, but this call had already taken effect."
        if answer.code is not None:
            text = f"The run was stopped. {answer.text}"
    elif work.done():
        text = "The run was stopped, and this call failed."
    else:
        work.cancel()
        await asyncio.wait({work}, timeout=GRACE_TO_END)
        said = work.exception() if work.done() and not work.cancelled() else None
        if isinstance(said, ToolFault) and said.code == Reason.CANCELLED:
            return _failed(permit, said)
        text = "The run was stopped while this call was running; its effect is unknown."
    call = permit.call
    return ToolOutcome(call.call_id, call.tool, text, is_error=True, code="cancelled", ran=True)

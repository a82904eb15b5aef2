"""Runs hooks: each with its own time, all that are asked at once beside each other, and nothing of them left behind."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence

from assent.hooks.answers import MOST_OUTPUT, Ending, said_after, said_before
from assent.hooks.joining import joined, remarks
from assent.hooks.matching import matches
from assent.hooks.telling import after_text, before_text, environment_for, notice_text
from assent.lazy_dataclasses import dataclass
from assent.model.hooks import Hook, HookCall, HookNotice, HookRemarks, HookResult, HookVerdict, own_names
from assent.model.ids import SessionId
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Bounds, Processes, Start

AT_ONCE = 8
"""Programs of hooks that run at the same time around calls."""
NOTICES_AT_ONCE = 2
"""And those beside them that are only told something."""
_BOUNDS = Bounds(processes=256, memory_bytes=2 << 30)


@dataclass(frozen=True, slots=True)
class Place:
    """Where hooks work: the folder, and all folders of the workspace."""

    folder: str
    roots: tuple[str, ...]


class HookRunner:
    """Asks and tells hooks. It decides nothing: what they say is joined, and the gate decides."""

    def __init__(self, processes: Processes, secrets: KnownSecrets, place: Callable[[], Place]) -> None:
        self._processes = processes
        self._secrets = secrets
        self._place = place
        self._free = asyncio.Semaphore(AT_ONCE)
        self._free_for_notices = asyncio.Semaphore(NOTICES_AT_ONCE)

    async def before(self, hooks: Sequence[Hook], call: HookCall) -> HookVerdict:
        """Asks all of them. Being cancelled ends their programs with all that these have started."""
        text, session = before_text(call, self._place().folder), call.caller.session_id
        ends = await asyncio.gather(*(self._run(hook, text, session) for hook in hooks))
        answers = [
            said_before(hook, end, of_this_tool=any(matches(hook.matcher, name) for name in own_names(call.call)))
            for hook, end in zip(hooks, ends, strict=True)
        ]
        return joined(call, answers)

    async def after(self, hooks: Sequence[Hook], result: HookResult) -> HookRemarks:
        """Tells all of them how a call ended."""
        text, session = after_text(result, self._place().folder), result.call.caller.session_id
        ends = await asyncio.gather(*(self._run(hook, text, session) for hook in hooks))
        return remarks([said_after(hook, end) for hook, end in zip(hooks, ends, strict=True)])

    async def notify(self, hook: Hook, notice: HookNotice) -> str:
        """Tells one of them what happened; says what went wrong."""
        text = notice_text(notice, self._place().folder)
        async with self._free_for_notices:
            end = await self._started(hook, text, notice.caller.session_id)
        return said_after(hook, end).fault

    async def _run(self, hook: Hook, text: bytes, session_id: SessionId) -> Ending:
        async with self._free:
            return await self._started(hook, text, session_id)

    async def _started(self, hook: Hook, text: bytes, session_id: SessionId) -> Ending:
        if hook.fault:
            return Ending(not_started=hook.fault)
        place = self._place()
        environment = environment_for(
            os.environ, self._secrets.values, place.roots, hook.event, session_id, place.folder
        )
        start = Start(_argv(hook.command), place.folder, environment, bounds=_BOUNDS, talks=True)
        try:
            end = await self._processes.run(start, hook.timeout_seconds, MOST_OUTPUT, given=text)
        except OSError as fault:
            return Ending(not_started=fault.strerror or "the system would not")
        output, errors = end.output, end.errors
        return Ending(
            end.code,
            end.signal,
            output.text(),
            errors.text(),
            timed_out=end.timed_out,
            too_much=output.left_out > 0 or errors.left_out > 0,
            held_open=end.held_open,
            limit=end.limit,
        )


def _argv(command: str) -> tuple[str, ...]:
    """The command is a line of the system's own shell."""
    if sys.platform == "win32":
        return (os.environ.get("COMSPEC", "cmd.exe"), "/d", "/s", "/c", command)
    return ("/bin/sh", "-c", command)

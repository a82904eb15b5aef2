"""Chats of a server that is gone, taken over by this one: shown as they were, with an end where there was none."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from assent.agent import mending
from assent.agent.chat import Agent, Chat
from assent.agent.ports import Journal, Keeper
from assent.agent.resume import Interrupted
from assent.app.agent_of_now import gone, gone_words, redefined_words
from assent.app.desk import Desk
from assent.app.fates import Fates
from assent.app.seat import Agents
from assent.model.errors import NotRecorded
from assent.model.events import Notice, NoticeLevel
from assent.model.ids import CallId, SessionId
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup
from assent.store.calls import CutOff
from assent.store.chat_rows import KeptChat
from assent.store.chats import Chats

logger = logging.getLogger(__name__)

WAIT_SECONDS = 3.0
"""How long whoever asks for chats waits for them to be there."""
SOON_SECONDS = 0.5
"""A window that is reloaded can be faster than the end of its old server: its chats are looked for a while longer."""
LATER_SECONDS = 5.0
LOOKS = (*[SOON_SECONDS] * 20, *[LATER_SECONDS] * 10)
"""The pauses after each look. A server that has much to end takes its time."""


class Restoring:
    """Looks once, when the folders are known, for the chats that belong to this window now."""

    def __init__(
        self,
        chats: Chats,
        desk: Desk,
        agents: Agents,
        journal: Journal,
        clock: Clock,
        restored: Callable[[Chat], None],
        told: Callable[[tuple[SessionId, ...]], None],
        say: Callable[[str], None],
    ) -> None:
        self._chats = chats
        self._desk = desk
        self._agents = agents
        self._journal = journal
        self._clock = clock
        self._restored = restored
        self._tell = told
        self._say = say
        self._tasks = TaskGroup("restoring")
        self._begun = False
        self._looked = asyncio.Event()
        self._over = asyncio.Event()
        self._trouble: str | None = None

    def begin(self, folder: str) -> None:
        """Begins, the first time; nobody waits for it who does not ask for chats."""
        if not self._begun:
            self._begun = True
            self._tasks.start(self._look(folder), "look for chats")

    async def wait(self, session_id: SessionId | None = None) -> None:
        """Returns when the chats are there, or this one, or when it takes too long."""
        if not self._begun:
            return
        done = self._looked if session_id is None else self._over
        if session_id is not None and self._desk.has(session_id):
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS):
                await done.wait()

    async def end(self) -> None:
        """Looks no further, because the server ends."""
        await self._tasks.cancel()

    async def _look(self, folder: str) -> None:
        try:
            for pause in LOOKS:
                more = await self._look_once(folder)
                self._looked.set()
                if not more:
                    break
                await self._clock.sleep(pause)
        finally:
            self._looked.set()
            self._over.set()

    async def _look_once(self, folder: str) -> bool:
        """Says whether there may be more to find soon."""
        try:
            return await self._take_what_is_there(folder)
        except NotRecorded as fault:
            trouble = f"Your earlier chats cannot be shown. {fault}"
            if trouble != self._trouble:
                logger.error("%s", trouble)  # noqa: TRY400 - the fault says all there is
                self._say(trouble)
            self._trouble = trouble
            return True

    async def _take_what_is_there(self, folder: str) -> bool:
        session_ids, elsewhere = await self._chats.orphans(folder)
        restored: list[SessionId] = []
        try:
            for session_id in session_ids:
                kept = await self._chats.take_over(session_id)
                if kept is not None and self._is_restored(kept):
                    restored.append(session_id)
        finally:
            if restored:
                self._tell(tuple(restored))
        return elsewhere

    def _is_restored(self, kept: KeptChat) -> bool:
        try:
            self._restore(kept)
        except Exception:
            logger.exception("a chat could not be restored")
            self._say("One of your earlier chats cannot be shown; details are in the log.")
            return False
        return True

    def _restore(self, kept: KeptChat) -> None:
        fates = Fates(kept)
        results = fates.results()
        history = mending.mended_history(kept.messages, kept.turn, kept.outcomes, results)
        events = mending.mended_events(kept.events, history, fates.again_ids, kept.unreadable, results)
        for entry in fates.ends(self._clock.timestamp()):
            self._journal.note(entry)
        agent, remark = self._agent_of(kept)
        whole = replace(kept, heading=replace(kept.heading, agent_digest=agent.digest), events=events, messages=history)
        keeper = self._keeper_of(kept, whole, fates.again_ids)
        chat = self._desk.restore(whole.heading.session_id, agent, whole.heading.mode, events, history, keeper)
        if remark is not None and not any(event == remark for _, event in events):
            chat.events.add(remark)
        self._restored(chat)
        self._desk.resume(chat.session_id, [_interrupted(one, chat) for one in fates.again])

    def _keeper_of(self, found: KeptChat, whole: KeptChat, waiting: frozenset[CallId]) -> Keeper:
        if whole == found and not (found.calls or found.turn or found.outcomes):
            return self._chats.go_on(whole)
        return self._chats.rewrite(whole.heading, whole.events, whole.messages, waiting)

    def _agent_of(self, kept: KeptChat) -> tuple[Agent, Notice | None]:
        heading = kept.heading
        known = self._agents().get(heading.agent_id)
        if known is None:
            name = heading.agent_name
            lost = Agent(heading.agent_id, name, "", gone(name), heading.agent_digest)
            return lost, Notice(gone_words(name), NoticeLevel.WARNING)
        if known.digest != heading.agent_digest:
            text = redefined_words(known.name)
            return known, Notice(f"{text} Your next message goes to it as it is now.", NoticeLevel.WARNING)
        return known, None


def _interrupted(call: CutOff, chat: Chat) -> Interrupted:
    """Whatever its row says, the call is one of this chat and of its agent."""
    agent, caller = chat.agent, call.subject.caller
    mine = replace(caller, agent_id=agent.agent_id, agent_name=agent.name, session_id=chat.session_id)
    return Interrupted(call.subject.call, mine)

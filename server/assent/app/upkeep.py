"""What has to happen when settings, grants or folders are others now: told once, to everybody whom it concerns."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from assent.agent.chat import Chat
from assent.agent.gate import Gate
from assent.agent.recorder import Recorder
from assent.app.allowed import NO_CALLER
from assent.app.chat_rules import Bypasses
from assent.app.consents import Consents
from assent.app.desk import Desk
from assent.app.hub import Hub, Watcher
from assent.app.settings_watch import SettingsWatch
from assent.app.trust import Trust
from assent.approvals.broker import Broker
from assent.approvals.timekeeper import Timekeeper
from assent.model.approval import Question, Resolution
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup
from assent.settings.layers import Diagnostic, Kind
from assent.tools.command_facts import get_ready

if TYPE_CHECKING:
    from pathlib import Path

    from assent.model.ids import ApprovalId
    from assent.settings.agents import AgentDefinition
    from assent.settings.loosening import LooseningEntry

logger = logging.getLogger(__name__)

COUNT_AFTER_SECONDS = 0.1
MOST_PUT_OFF = 10
"""How often that is put off because questions still come and go; then the numbers are told all the same."""
LOOK_FOR_ENDS_SECONDS = 1.0


def warn(chat: Chat, diagnostics: Iterable[Diagnostic]) -> None:
    """Says in a chat what is wrong with the settings. What waits for the user's agreement is asked about elsewhere."""
    for diagnostic in diagnostics:
        if diagnostic.kind is not Kind.AWAITING:
            chat.warn(diagnostic.sentence)


class Upkeep:
    """Takes waiting calls down the ladder again, tells chats what counts, asks about what would loosen something."""

    def __init__(
        self,
        *,
        gate: Gate,
        broker: Broker,
        desk: Desk,
        hub: Hub,
        trust: Trust,
        recorder: Recorder,
        clock: Clock,
        timekeeper: Timekeeper,
        bypasses: Callable[[Chat], Bypasses],
        settings_are: Callable[[], None],
    ) -> None:
        self._gate = gate
        self._broker = broker
        self._desk = desk
        self._hub = hub
        self._trust = trust
        self._recorder = recorder
        self._timekeeper = timekeeper
        self._bypasses = bypasses
        self._settings_are = settings_are
        """Told whenever settings may be others."""
        self.consents = Consents(trust, hub, self.agreed, self.changed)
        self._watch = SettingsWatch(clock, lambda: trust.state, self.changed)
        self._watching = False
        self._listed: tuple[str, Mapping[str, AgentDefinition], tuple[Path, ...]] | None = None
        """The agent of new chats, all agents and the folders, as they were told last."""
        self._told: tuple[Diagnostic, ...] = ()
        self._shown: tuple[Diagnostic, ...] = ()
        self._look: asyncio.Task[None] | None = None
        self._stale = False
        self._ends: asyncio.Task[None] | None = None
        self._count: asyncio.Task[None] | None = None
        self._uncounted = False
        self._waiting: set[ApprovalId] = set()
        self._clock = clock
        self._tasks = TaskGroup("upkeep")
        broker.watch(self)

    def attend(self, client: Watcher) -> None:
        """A client is there and has said who it is: it is told what waits, and everything from now on."""
        self.changed()
        self._hub.attach(client)
        client.settings_found(self._shown)
        if self.consents.open is not None:
            client.consent_asked(self.consents.open)
        if not self._watching:
            self._watching = True
            self._tasks.start(self._watch.run(), "watch settings")
            self._tasks.start(asyncio.to_thread(get_ready), "get ready for commands")

    def changed(self) -> None:
        """Something that decides is another now."""
        self._watch.seen()
        self._timekeeper.allow(self._trust.now().allowance)
        self._settings_are()
        self._tell_list()
        self.reconsider()
        self._tell_grants()
        self._wait_for_ends()
        self.consents.look()
        self._tell_what_is_wrong()
        self._look_again()

    def agreed(self, entries: "Sequence[LooseningEntry]", how: str) -> None:
        """The user let these settings count: the history says so, entry by entry."""
        mode = self._trust.now().mode_for_new_chats
        for entry in entries:
            place = f" (in {entry.folder})" if entry.folder else ""
            self._recorder.given(NO_CALLER, mode, f"{how}: {entry.words}{place}")

    def _tell_list(self) -> None:
        listed = self._trust.agent_for_new_chats(), self._trust.now().agents, self._trust.folders
        if listed != self._listed:
            self._listed = listed
            self._hub.list_changed(listed[0])

    def _tell_grants(self) -> None:
        with self._trust.still():
            for chat in self._desk.chats():
                on = self._bypasses(chat)
                chat.tell_grants(bypass_agent=on.agent, bypass_chat=on.chat)

    def _wait_for_ends(self) -> None:
        """What ends by time ends whether or not a call comes: chats are told in that moment."""
        if self._seconds_to_next_end() is not None and (self._ends is None or self._ends.done()):
            self._ends = self._tasks.start(self._tell_ends(), "ends of grants")

    async def _tell_ends(self) -> None:
        while (seconds := self._seconds_to_next_end()) is not None:
            # Meanwhile something may be given that ends earlier.
            await self._clock.sleep(min(seconds, LOOK_FOR_ENDS_SECONDS))
            self._tell_grants()

    def _seconds_to_next_end(self) -> float | None:
        ends = (chat.grants.seconds_left() for chat in self._desk.chats())
        return min((end for end in ends if end is not None), default=None)

    def asked(self, question: Question) -> None:
        """A question waits: what the answers to others would settle is another number now."""
        if question.approval_id not in self._waiting:
            self._waiting.add(question.approval_id)
            self._count_soon()

    def updated(self, question: Question) -> None:
        """A number that was counted here, or a clock."""

    def resolved(self, question: Question, resolution: Resolution) -> None:
        """A question ended."""
        self._waiting.discard(question.approval_id)
        self._count_soon()

    def _count_soon(self) -> None:
        self._uncounted = True
        if self._count is None or self._count.done():
            self._count = self._tasks.start(self._count_settled(), "count")

    async def _count_settled(self) -> None:
        """Once a burst of questions is over. Nobody waits for these numbers."""
        while self._uncounted:
            await self._burst_is_over()
            await self._gate.count_settled()

    async def _burst_is_over(self) -> None:
        """With every question that comes or goes the numbers are others, and each takes a decision for each card."""
        for _ in range(MOST_PUT_OFF):
            self._uncounted = False
            await self._clock.sleep(COUNT_AFTER_SECONDS)
            if not self._uncounted:
                return
        self._uncounted = False

    def reconsider(self) -> None:
        """Takes what waits down the ladder again, all by the same settings."""
        with self._trust.still():
            self._gate.reconsider()

    async def end(self) -> None:
        """Ends the looking, because the server ends."""
        await self._tasks.cancel()

    def _look_again(self) -> None:
        """Cards that wait show what is so now: what they offer, why they ask, where their paths lead."""
        self._stale = len(self._broker.waiting()) > 0
        if self._stale and (self._look is None or self._look.done()):
            self._look = self._tasks.start(self._refresh(), "look again")

    async def _refresh(self) -> None:
        while self._stale:
            self._stale = False
            for question in self._broker.waiting():
                try:
                    await self._broker.refresh(question.approval_id)
                except Exception:
                    # Its next look, at the latest the one before it runs, meets the same fault.
                    logger.exception("a waiting call could not be looked at again")
            # What lay outside may lie inside now.
            self.reconsider()

    def _tell_what_is_wrong(self) -> None:
        found, remarks = self._trust.diagnostics(), self._trust.remarks()
        if found + remarks == self._shown:
            return
        self._shown = found + remarks
        self._hub.settings_found(self._shown)
        news = [diagnostic for diagnostic in found if diagnostic not in self._told]
        self._told = found
        for chat in self._desk.followed():
            warn(chat, news)

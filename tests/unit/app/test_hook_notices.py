"""When hooks are told that calls wait: after their time, once for all of a chat, and only while they count."""

import asyncio
from dataclasses import replace

import pytest

from assent.app.hook_notices import MOST_UNDER_WAY, HookNotices
from assent.app.hooks import CurrentHooks
from assent.model.approval import Question, Resolution, ResolvedBy, Status
from assent.model.hooks import Hook, HookEvent, HookNotice
from assent.model.ids import ApprovalId, SessionId
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from tests.support.cards import card
from tests.support.clock import FakeClock
from tests.support.scale import eventually

FAST = Hook(HookEvent.NOTIFICATION, "fast", after_seconds=10.0)
SLOW = Hook(HookEvent.NOTIFICATION, "slow", after_seconds=60.0)
ENDED = Resolution(Status.REJECTED, ResolvedBy.USER, "no", "then")


class Told(CurrentHooks):
    """Notes down what would be told, and starts nothing."""

    def __init__(self, *hooks: Hook) -> None:
        self.hooks = hooks
        self.told: list[tuple[str, str]] = []
        self.held = asyncio.Event()
        self.held.set()
        super().__init__(Processes(), KnownSecrets(), lambda: self.hooks, lambda: (), "/")

    async def notify(self, hook: Hook, notice: HookNotice) -> str:
        self.told.append((hook.command, notice.message))
        await self.held.wait()
        return ""


class Scene:
    def __init__(self, *hooks: Hook) -> None:
        self.clock = FakeClock()
        self.hooks = Told(*hooks)
        self.notices = HookNotices(self.hooks, self.clock, lambda session_id: None)

    def ask(self, name: str, chat: str = "chat") -> Question:
        shown = replace(card(chat=SessionId(chat)), headline=f"Write {name}")
        question = Question(ApprovalId(name), 1, "then", shown)
        self.notices.asked(question)
        return question

    @property
    def commands(self) -> list[str]:
        return [command for command, _ in self.hooks.told]

    async def pass_on(self, seconds: float) -> None:
        """Lets so much time pass, once all that waits for time does so."""
        for _ in range(20):
            await asyncio.sleep(0)
        self.clock.advance(seconds)
        for _ in range(20):
            await asyncio.sleep(0)


async def test_each_is_told_after_its_own_time() -> None:
    scene = Scene(FAST, SLOW)
    scene.ask("a")
    await scene.pass_on(9)
    assert scene.commands == []
    await scene.pass_on(1)
    assert scene.commands == ["fast"]
    assert scene.hooks.told[0][1] == "Demo waits for your answer: Write a."
    await scene.pass_on(49)
    assert scene.commands == ["fast"]
    await scene.pass_on(1)
    assert scene.commands == ["fast", "slow"]
    await scene.pass_on(1_000)
    assert scene.commands == ["fast", "slow"]


async def test_what_was_answered_is_not_told_and_what_came_later_has_its_own_time() -> None:
    scene = Scene(FAST)
    first = scene.ask("a")
    await scene.pass_on(6)
    scene.ask("b")
    scene.notices.resolved(first, ENDED)
    await scene.pass_on(4)
    assert scene.commands == []
    await scene.pass_on(6)
    assert scene.hooks.told == [("fast", "Demo waits for your answer: Write b.")]


async def test_several_of_a_chat_are_told_at_once_and_chats_by_themselves() -> None:
    scene = Scene(FAST)
    for name in ("a", "b", "c"):
        scene.ask(name)
    scene.ask("d", chat="other")
    await scene.pass_on(10)

    assert sorted(message for _, message in scene.hooks.told) == [
        "Demo waits for your answer: Write a. So do 2 more calls.",
        "Demo waits for your answer: Write d.",
    ]


async def test_one_that_was_taken_away_meanwhile_is_told_nothing() -> None:
    scene = Scene(FAST)
    scene.ask("a")
    await scene.pass_on(5)
    scene.hooks.hooks = ()
    await scene.pass_on(5)

    assert scene.commands == []


async def test_a_card_that_is_told_anew_has_no_time_of_its_own() -> None:
    scene = Scene(FAST)
    question = scene.ask("a")
    await scene.pass_on(9)
    scene.notices.asked(question)
    await scene.pass_on(1)

    assert scene.commands == ["fast"]


async def test_where_they_cannot_keep_up_something_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    scene = Scene(FAST)
    scene.hooks.held.clear()
    for number in range(MOST_UNDER_WAY + 5):
        scene.ask(f"a{number}", chat=f"chat {number}")
    await scene.pass_on(10)
    await eventually(lambda: "cannot keep up" in caplog.text, what="the line in the log")
    assert len(scene.hooks.told) == MOST_UNDER_WAY
    scene.hooks.held.set()
    await scene.notices.end()


async def test_without_hooks_nothing_waits() -> None:
    scene = Scene()
    scene.ask("a")
    await scene.pass_on(0)

    assert scene.clock.sleeping == 0

"""What follows when settings change, whoever changed them: questions, cards, notices, numbers."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assent.agent.chat import Chat
from assent.app.app import App
from assent.app.records import KeptRecords
from assent.app.scopes import Scopes
from assent.app.settings_watch import EVERY_SECONDS
from assent.app.upkeep import COUNT_AFTER_SECONDS, MOST_PUT_OFF
from assent.model.approval import OptionKind, Question, ResolvedBy, Status
from assent.model.events import GrantsChanged, Notice
from assent.model.json import Json
from assent.model.modes import Mode
from assent.settings.layers import Kind
from tests.support.clock import FakeClock
from tests.support.world import Watching, settled, until

LOOSE: Json = {"assent.toolAllowlist": ["write_file"]}


@dataclass
class Place:
    """An app whose clock stands still, with a workspace and a client."""

    app: App
    clock: FakeClock
    root: Path
    client: Watching

    def put(self, settings: Json) -> None:
        """Another program writes the workspace's settings."""
        (self.root / ".vscode").mkdir(exist_ok=True)
        text = settings if isinstance(settings, str) else json.dumps(settings)
        (self.root / ".vscode/settings.json").write_text(text)

    async def later(self) -> None:
        """Time passes until somebody looks."""
        await settled()
        self.clock.advance(EVERY_SECONDS)
        await settled()

    async def waiting_write(self, *names: str) -> Chat:
        chat = self.app.open_chat("Scripted", Mode.DEFAULT)
        script = self.root.parent / "script.json"
        calls = [{"call": "write_file", "args": {"path": name, "content": "x"}} for name in names]
        script.write_text(json.dumps({"turns": [calls]}))
        self.app.desk.send(chat.session_id, "go", None)
        await until(lambda: len(self.app.broker.told()) == len(names), "the cards")
        return chat

    async def time_to_count(self) -> None:
        """As much time as counting waits for more questions."""
        await settled()
        self.clock.advance(COUNT_AFTER_SECONDS)
        await settled()

    @property
    def counted(self) -> bool:
        """Whether any card says what its answers would settle as well."""
        return any(question.also_settles for question in self.app.broker.waiting())

    @property
    def card(self) -> Question:
        return self.client.questions[-1]


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    root = tmp_path / "root"
    root.mkdir()
    clock = FakeClock()
    app = App(clock, tmp_path / "state", (), KeptRecords(tmp_path / "state"))
    app.workspace.folders = (str(root),)
    app.trust.add_scripted_agent("Scripted", tmp_path / "script.json")
    app.trust.meet((root,), None, trusted=True, write=None)
    client = Watching()
    app.attend(client)
    yield Place(app, clock, root, client)
    await app.shut_down()


async def test_a_file_that_another_program_writes_is_noticed(place: Place) -> None:
    place.put(LOOSE)
    assert place.client.consents == []
    await place.later()

    (question,) = place.client.consents
    assert [entry.after for entry in question.entries] == ["write_file"]
    await place.later()
    assert len(place.client.consents) == 1

    place.put({})
    await place.later()
    assert place.client.consents_closed == [question.consent_id]


async def test_a_client_that_comes_later_is_told_what_waits(place: Place) -> None:
    place.put(LOOSE)
    await place.later()
    second = Watching()
    place.app.attend(second)

    assert [question.consent_id for question in second.consents] == [place.client.consents[0].consent_id]
    assert second.diagnostics == place.client.diagnostics != ()
    assert len(place.client.consents) == 1


async def test_what_goes_wrong_with_the_settings_is_said_once_in_every_open_chat(place: Place) -> None:
    chat = place.app.open_chat("Demo", None)

    def notices() -> list[str]:
        return [event.text for event in (one.event for one in chat.events.since(0)) if isinstance(event, Notice)]

    place.put("{ this is no JSON")
    await place.later()
    await place.later()
    (notice,) = notices()
    assert "settings.json" in notice

    place.put({})
    await place.later()
    assert place.client.diagnostics == ()
    assert len(notices()) == 1


async def test_what_waits_for_an_agreement_is_asked_about_and_not_said_in_chats_as_well(place: Place) -> None:
    early = place.app.open_chat("Demo", None)
    place.put(LOOSE)
    await place.later()
    late = place.app.open_chat("Demo", None)

    assert len(place.client.consents) == 1
    assert [diagnostic.kind for diagnostic in place.client.diagnostics] == [Kind.AWAITING]
    for chat in (early, late):
        assert [one for one in chat.events.since(0) if isinstance(one.event, Notice)] == []


async def test_a_card_that_waits_offers_what_the_settings_offer_now(place: Place) -> None:
    await place.waiting_write("a.txt")
    assert OptionKind.BYPASS_AGENT in {option.kind for option in place.card.card.options}

    place.put({"assent.alwaysAskRules": {"write_file": ["*"]}})
    await place.later()
    await until(lambda: place.card.refreshed, "the card's new state")
    assert {option.kind for option in place.card.card.options} == {
        OptionKind.ALLOW_ONCE,
        OptionKind.REJECT_ONCE,
        OptionKind.REJECT_ALWAYS,
    }
    assert place.card.card.reason_text.startswith("The ask rule")


async def test_what_is_bypassed_is_told_to_a_chat_when_it_changes_and_only_then(place: Place) -> None:
    chat = place.app.open_chat("Demo", None)
    user: dict[str, Json] = {"bypassPermissions": {"Demo": True}}
    for _ in range(2):
        place.app.trust.settings_changed(Scopes(user=user, workspace={}, folder={}))
        place.app.settings_changed()

    told = [one.event for one in chat.events.since(0) if isinstance(one.event, GrantsChanged)]
    assert [event.bypass_agent for event in told] == [True]


async def test_cards_count_what_else_an_answer_would_settle_when_a_burst_is_over(place: Place) -> None:
    await place.waiting_write("a.txt", "b.txt")
    assert not place.counted
    # The second one may have come when the first wait had begun.
    for _ in range(2):
        await place.time_to_count()
    await until(lambda: all(question.also_settles for question in place.app.broker.told()), "the numbers")

    one, other = place.app.broker.waiting()
    assert one.also_settles["bypass_session"] == other.also_settles["bypass_session"] == 1


async def test_while_questions_come_and_go_nothing_is_counted_but_not_for_ever(place: Place) -> None:
    await place.waiting_write(*(f"{number}.txt" for number in range(MOST_PUT_OFF + 5)))
    # All cards can have been told at once, and what counts them has not begun to wait yet.
    await settled()
    waits = 0
    while not place.counted:
        gone = place.app.broker.waiting()[0]
        place.app.broker.end(gone.approval_id, Status.CANCELLED, ResolvedBy.STOP, "It is gone.")
        await place.time_to_count()
        waits += 1
    assert MOST_PUT_OFF <= waits <= MOST_PUT_OFF + 1

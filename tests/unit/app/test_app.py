"""The app as it is wired, with real tools, a real disk and the demo agent: from a sentence to a file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assent.agent.chat import Chat
from assent.app.app import App
from assent.app.records import KeptRecords
from assent.app.scopes import Scopes
from assent.model.approval import Answer, OptionKind, Question
from assent.model.errors import DigestMismatch, InvalidOption
from assent.model.events import DoneReason, Event, Notice, PermissionAsked, ToolFinished
from assent.model.grants import ChatBypass, KeyGrant
from assent.model.modes import Mode
from tests.support.clock import FakeClock
from tests.support.world import Watching, check_story, until

SCRIPTED = "Scripted"
ON = {"bypassPermissions": {SCRIPTED: True}}
A_MOMENT = 5.0


class QuickClock(FakeClock):
    """Does not wait for what takes a moment."""

    async def sleep(self, seconds: float) -> None:
        if seconds > A_MOMENT:
            await super().sleep(seconds)
        else:
            self.advance(seconds)


@dataclass
class House:
    """An app with a workspace and a client that looks on."""

    app: App
    root: Path
    state: Path
    client: Watching

    def settings(self, user: dict[str, Any] | None = None, workspace: dict[str, Any] | None = None) -> None:
        """What the client tells of its settings."""
        self.app.trust.settings_changed(Scopes(user=user or {}, workspace=workspace or {}, folder={}))
        self.app.settings_changed()

    def script(self, *turns: list[dict[str, Any]]) -> None:
        (self.root.parent / "script.json").write_text(json.dumps({"turns": turns}))

    def chat(self, mode: Mode | None = None, agent: str = SCRIPTED) -> Chat:
        return self.app.open_chat(agent, mode)

    async def send(self, chat: Chat, text: str = "go") -> Any:
        return await self.app.desk.send(chat.session_id, text, None)

    async def question(self) -> Question:
        await until(self.app.broker.told, "a question")
        return self.app.broker.waiting()[0]

    async def answer(self, question: Question, kind: OptionKind) -> Any:
        answer = Answer(kind=kind, digest=question.card.digest)
        return await self.app.answer(question.approval_id, answer, question.session_id, None)

    def events(self, chat: Chat) -> list[Event]:
        return [told.event for told in self.client.happenings if told.session_id == chat.session_id]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    state.mkdir()
    app = App(QuickClock(), state, (tmp_path / "product",), KeptRecords(state))
    app.workspace.folders = (str(root),)
    client = Watching()
    app.hub.attach(client)
    app.trust.add_scripted_agent(SCRIPTED, tmp_path / "script.json")
    app.trust.meet((root,), Scopes(user={}, workspace={}, folder={}), trusted=True, write=None)
    yield House(app, root, state, client)


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"call": tool, "args": args}


async def test_the_demo_writes_what_it_was_told_after_a_yes(house: House) -> None:
    chat = house.chat(agent="Demo")
    sending = house.app.desk.send(chat.session_id, "write hello to greeting.txt", None)
    question = await house.question()
    assert question.card.headline == "Write greeting.txt (+1 −0)"
    assert list(house.root.iterdir()) == []

    await house.answer(question, OptionKind.ALLOW_ONCE)
    assert (await sending).end.reason is DoneReason.STOP

    assert (house.root / "greeting.txt").read_text() == "hello"
    (outcome,) = check_story(chat, house.events(chat))
    assert outcome.ran


async def test_the_demo_writes_nothing_after_a_no_and_stops(house: House) -> None:
    chat = house.chat(agent="Demo")
    sending = house.app.desk.send(chat.session_id, "write a to a.txt, then write b to b.txt", None)
    await house.answer(await house.question(), OptionKind.REJECT_ONCE)
    await sending

    assert list(house.root.iterdir()) == []
    assert "You did not allow write_file" in chat.history[-1].text  # type: ignore[union-attr]
    assert len(house.client.questions) == 1


async def test_the_demo_reads_without_a_card(house: House) -> None:
    (house.root / "notes.txt").write_text("remember the milk")
    chat = house.chat(agent="Demo")
    await house.send(chat, "list files, then read notes.txt")

    assert house.client.questions == []
    assert [outcome.tool for outcome in check_story(chat, house.events(chat))] == ["list_files", "read_file"]
    assert "remember the milk" in chat.history[-1].text  # type: ignore[union-attr]


async def test_a_file_that_changes_under_the_card_is_shown_again(house: House) -> None:
    house.script([call("write_file", path="a", content="new\n")])
    (house.root / "a").write_text("old\n")
    chat = house.chat()
    sending = house.app.desk.send(chat.session_id, "go", None)
    question = await house.question()
    (house.root / "a").write_text("edited by hand\n")

    with pytest.raises(Exception, match="changed"):
        await house.answer(question, OptionKind.ALLOW_ONCE)
    assert (house.root / "a").read_text() == "edited by hand\n"
    again = await house.question()
    assert again.approval_id == question.approval_id
    assert again.card.digest != question.card.digest
    await house.answer(again, OptionKind.ALLOW_ONCE)
    await sending
    assert (house.root / "a").read_text() == "new\n"


@pytest.mark.parametrize("mode", list(Mode))
async def test_own_files_and_the_own_process_are_out_of_reach_in_every_mode(house: House, mode: Mode) -> None:
    own = [str(house.state / "consent.json"), str(house.root.parent / "product/assent.py"), "/proc/self/environ"]
    house.script(
        [call("read_file", path=path) for path in own]
        + [call("write_file", path=path, content="x") for path in own]
        + [call("list_files", path=str(house.state)), call("list_files", path="/proc/self/fd")]
    )
    chat = house.chat(mode)
    chat.grants.give(ChatBypass())
    await house.send(chat)

    outcomes = check_story(chat, house.events(chat))
    assert [outcome.code for outcome in outcomes] == ["permission_denied"] * 8
    assert not any(outcome.ran for outcome in outcomes)
    assert house.client.questions == []
    assert list(house.state.glob("consent.json")) == []


async def test_a_link_in_the_workspace_does_not_lead_to_own_files(house: House) -> None:
    (house.root / "link").symlink_to(house.state)
    house.script([call("write_file", path="link/consent.json", content="x"), call("list_files", path="link")])
    chat = house.chat(Mode.AUTO)
    await house.send(chat)

    assert [outcome.code for outcome in check_story(chat, house.events(chat))] == ["permission_denied"] * 2


async def test_settings_that_an_agent_writes_are_always_asked_for(house: House) -> None:
    house.script([call("write_file", path=".vscode/settings.json", content="{}")])
    chat = house.chat(Mode.AUTO)
    chat.grants.give(ChatBypass())
    sending = house.app.desk.send(chat.session_id, "go", None)
    question = await house.question()

    kinds = {option.kind for option in question.card.options}
    assert kinds == {OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE, OptionKind.REJECT_ALWAYS}
    await house.answer(question, OptionKind.REJECT_ONCE)
    await sending
    assert not (house.root / ".vscode").exists()


async def test_switched_off_in_the_settings_what_waits_is_refused(house: House) -> None:
    house.script([call("write_file", path="a", content="x")])
    chat = house.chat()
    sending = house.app.desk.send(chat.session_id, "go", None)
    await house.question()

    house.settings(user={"enabled": False})
    await sending

    assert [outcome.code for outcome in check_story(chat, house.events(chat))] == ["disabled"]
    assert list(house.root.iterdir()) == []


async def test_nobody_to_answer_ends_the_wait(house: House) -> None:
    house.script([call("write_file", path="a", content="x")])
    chat = house.chat()
    sending = house.app.desk.send(chat.session_id, "go", None)
    await house.question()
    house.client.deaf = True

    house.app.nobody_answers()
    await sending

    assert [outcome.code for outcome in check_story(chat, house.events(chat))] == ["unattended"]


async def test_an_unknown_script_is_named(house: House) -> None:
    chat = house.chat()
    end = (await house.send(chat)).end

    assert end.reason is None
    assert "script.json cannot be read" in (end.message or "")


async def test_several_folders(house: House, tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    house.app.workspace.folders = (str(house.root), str(second))
    house.script([call("write_file", path=str(second / "a"), content="x")])
    chat = house.chat(Mode.DEFAULT)
    sending = house.app.desk.send(chat.session_id, "go", None)
    question = await house.question()

    assert question.card.headline.startswith(f"Write {second}/a ")
    assert KeyGrant("write_file") in {option.grant for option in question.card.options}
    # The folder is closed while the card waits: now it lies outside, and an answer to the old card does not count.
    house.app.workspace.folders = (str(house.root),)
    with pytest.raises(DigestMismatch):
        await house.answer(question, OptionKind.ALLOW_SESSION)
    refreshed = await house.question()
    assert KeyGrant("write_file") not in {option.grant for option in refreshed.card.options}
    await house.answer(refreshed, OptionKind.ALLOW_ONCE)
    await sending
    assert (second / "a").read_text() == "x"


def breaks_settings(house: House) -> None:
    """What they last said still restricts, and nothing can be stored there."""
    file = house.root / ".vscode/settings.json"
    file.parent.mkdir()
    file.write_text("{}")
    house.app.trust.now()
    file.write_text("{ this is no JSON")


class TestBypassInTheSettings:
    """The click counts in its chat at once; from then on the settings have the last word."""

    async def click(self, house: House) -> Chat:
        once = [[call("write_file", path="a", content="x")], [{"text": "done"}]]
        house.script(*once, *once, *once)
        chat = house.chat(Mode.DEFAULT)
        sending = house.app.desk.send(chat.session_id, "go", None)
        self.accepted = await house.answer(await house.question(), OptionKind.BYPASS_AGENT)
        await sending
        return chat

    async def asks(self, house: House, agent: str = SCRIPTED) -> bool:
        """Whether a write of the agent is asked for now."""
        before = len(house.client.questions)
        house.script([call("write_file", path="again", content="x")])
        chat = house.chat(Mode.DEFAULT, agent)
        sending = house.app.desk.send(chat.session_id, "write x to again.txt", None)
        await until(lambda: sending.done() or len(house.client.questions) > before, "a run or a card")
        asked = len(house.client.questions) > before
        await house.app.desk.close(chat.session_id)
        return asked

    async def asks_again(self, house: House, chat: Chat) -> bool:
        """Whether the next write in this chat is asked for."""
        before = len(house.client.questions)
        sending = house.app.desk.send(chat.session_id, "go", None)
        await until(lambda: sending.done() or len(house.client.questions) > before, "a run or a card")
        asked = len(house.client.questions) > before
        await house.app.desk.stop(chat.session_id)
        await sending
        return asked

    async def test_it_is_stored_and_counts(self, house: House) -> None:
        chat = await self.click(house)

        assert self.accepted.stored.written
        stored = json.loads((house.root / ".vscode/settings.json").read_text())
        assert stored == {"assent.bypassPermissions": {SCRIPTED: True}}
        assert not await self.asks_again(house, chat)
        # This client tells its settings by scope, so it has to tell of the new ones before they count elsewhere.
        house.settings(workspace=ON)
        assert not await self.asks(house)
        assert await self.asks(house, "Demo")

    async def test_switched_off_in_the_file_right_after_the_click_it_is_off(self, house: House) -> None:
        await self.click(house)
        (house.root / ".vscode/settings.json").write_text(
            json.dumps({"assent.bypassPermissions": {SCRIPTED: False}}) + " \n"
        )

        assert await self.asks(house)

    async def test_the_entry_removed_it_is_off(self, house: House) -> None:
        await self.click(house)
        house.settings(workspace=ON)
        assert not await self.asks(house)

        (house.root / ".vscode/settings.json").write_text("{}\n")
        house.settings(workspace={})
        assert await self.asks(house)

    async def test_not_stored_it_holds_for_its_chat_until_it_is_switched_off_somewhere(self, house: House) -> None:
        breaks_settings(house)
        chat = await self.click(house)
        assert not self.accepted.stored.written
        assert any(isinstance(event, Notice) for event in house.events(chat))
        assert not await self.asks_again(house, chat)

        house.settings(user={"bypassPermissions": {SCRIPTED: False}})
        assert await self.asks_again(house, chat)

    async def test_not_stored_it_holds_in_no_other_chat(self, house: House) -> None:
        breaks_settings(house)
        await self.click(house)

        assert await self.asks(house)

    async def test_it_does_not_hold_for_an_agent_that_is_another_one_now(self, house: House, tmp_path: Path) -> None:
        breaks_settings(house)
        chat = await self.click(house)
        assert not await self.asks_again(house, chat)

        house.app.trust.add_scripted_agent(SCRIPTED, tmp_path / "other.json")
        house.settings()
        (tmp_path / "other.json").write_text(json.dumps({"turns": [[call("write_file", path="o", content="x")]] * 9}))

        assert await self.asks_again(house, chat)
        assert await self.asks(house)

    async def test_a_user_without_bypass_is_not_offered_one(self, house: House) -> None:
        house.settings(user={"bypassAvailable": False})
        house.script([call("write_file", path="a", content="x")])
        chat = house.chat(Mode.DEFAULT)
        sending = house.app.desk.send(chat.session_id, "go", None)
        question = await house.question()

        kinds = {option.kind for option in question.card.options}
        assert not kinds & {OptionKind.BYPASS_AGENT, OptionKind.BYPASS_SESSION}
        await house.app.desk.stop(chat.session_id)
        await sending

    async def test_taken_away_while_the_card_waits_it_cannot_be_clicked(self, house: House) -> None:
        house.script([call("write_file", path="a", content="x")])
        chat = house.chat(Mode.DEFAULT)
        sending = house.app.desk.send(chat.session_id, "go", None)
        question = await house.question()
        house.settings(user={"bypassAvailable": False})

        with pytest.raises(InvalidOption):
            await house.answer(question, OptionKind.BYPASS_AGENT)
        assert not (house.root / ".vscode").exists()
        await house.answer(await house.question(), OptionKind.ALLOW_ONCE)
        await sending


async def test_every_card_is_mirrored_and_every_call_ends(house: House) -> None:
    house.script([call("write_file", path="a", content="x"), call("read_file", path="a"), call("no_such_tool")])
    chat = house.chat(Mode.ASK)
    sending = house.app.desk.send(chat.session_id, "go", None)
    for _ in range(2):
        await house.answer(await house.question(), OptionKind.REJECT_ONCE)
    await sending

    events = house.events(chat)
    # A card may be told again, with other numbers beside its options.
    cards = {question.approval_id for question in house.client.questions}
    assert sum(isinstance(event, PermissionAsked) for event in events) == len(cards) == 2
    assert sum(isinstance(event, ToolFinished) for event in events) == 3

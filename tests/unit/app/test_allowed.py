"""Everything that is allowed now: listed, taken back where it stands, given back once and only as it was."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assent.agent.chat import Chat
from assent.app.allowance import Allowance
from assent.app.app import App
from assent.app.records import KeptRecords
from assent.app.scopes import Scopes
from assent.app.settings_watch import EVERY_SECONDS
from assent.model.approval import Answer
from assent.model.errors import InvalidRequest, SessionNotFound
from assent.model.events import GrantsChanged
from assent.model.grants import KeyGrant, Limits
from assent.model.ids import SessionId
from assent.model.json import Json
from assent.model.modes import Mode
from assent.settings.store import ClientWrite, Stored
from tests.support.clock import FakeClock
from tests.support.world import Watching, settled, until

SETTINGS = """{
  // what I use
  "editor.tabSize": 2,
  "assent.toolAllowlist": [
    "bash", // why
    "write_file"
  ],
  "assent.alwaysDenyRules": {"bash": ["rm:*"]} // never
}
"""


@dataclass
class Place:
    """An app with a workspace, a client that writes settings or not, and a clock that stands still."""

    app: App
    clock: FakeClock
    root: Path
    client: Watching
    writes: list[ClientWrite] = field(default_factory=list)
    refuses: str | None = None
    hold: asyncio.Event | None = None
    user: dict[str, Json] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        return self.root / ".vscode/settings.json"

    def put(self, text: str) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text)

    async def write(self, wanted: ClientWrite) -> Stored:
        """What the editor does when it is asked to write the user's settings."""
        self.writes.append(wanted)
        if self.hold is not None:
            await self.hold.wait()
        if wanted.target == "workspace":
            # Only of bypasses, here.
            self.put(json.dumps({f"assent.{wanted.key}": {wanted.path[0]: wanted.value}}))
            return Stored(True, wanted.target)
        if self.refuses is not None:
            return Stored(False, wanted.target, self.refuses)
        at: Any = self.user.setdefault(wanted.key, {} if wanted.path else [])
        for step in wanted.path[:-1]:
            at = at.setdefault(step, {})
        if wanted.remove or wanted.append:
            items = at.setdefault(wanted.path[-1], []) if wanted.path else at
            items.append(wanted.value) if wanted.append else items.remove(wanted.value)
        elif wanted.value is None:
            del at[wanted.path[-1]]
        else:
            at[wanted.path[-1]] = wanted.value
        return Stored(True, wanted.target)

    def meet(self, user: dict[str, Json] | None = None, *, writes: bool = False, trusted: bool = True) -> None:
        self.user = user or {}
        write = self.write if writes else None
        self.app.trust.meet((self.root,), Scopes(user=json.loads(json.dumps(self.user))), trusted=trusted, write=write)
        self.app.settings_changed()

    def tell_user_settings(self) -> None:
        self.app.trust.settings_changed(Scopes(user=json.loads(json.dumps(self.user))))
        self.app.settings_changed()

    async def agree(self) -> None:
        """The user agrees to all that is asked about."""
        question = self.app.consents.open
        assert question is not None
        ids = frozenset(map(question.entry_id, question.entries))
        await self.app.consents.answer(question.consent_id, question.digest, ids)

    async def later(self) -> None:
        await settled()
        self.clock.advance(EVERY_SECONDS)
        await settled()

    async def chat_with_card(self, *names: str) -> Chat:
        chat = self.app.open_chat("Scripted", Mode.DEFAULT)
        script = self.root.parent / "script.json"
        turns = [[{"call": "write_file", "args": {"path": name, "content": "x"}}] for name in names]
        script.write_text(json.dumps({"turns": turns}))
        self.app.desk.send(chat.session_id, "go", None)
        await self.card()
        return chat

    async def card(self) -> None:
        await until(lambda: len(self.app.broker.told()) == 1, "a card")

    async def click(self, option: str, limits: Limits | None = None) -> None:
        (question,) = self.app.broker.waiting()
        await self.app.answer(
            question.approval_id, Answer(option, digest=question.card.digest, limits=limits), None, None
        )

    def of(self, kind: str) -> Allowance:
        (one,) = [one for one in self.app.allowed.everything() if one.kind == kind]
        return one

    def kinds(self) -> list[str]:
        return [one.kind for one in self.app.allowed.everything() if one.effective]

    async def refused(self, doing: Any) -> str:
        with pytest.raises(InvalidRequest) as fault:
            await doing
        assert fault.value.path == "params.grantId"
        return str(fault.value)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    root = tmp_path / "root"
    root.mkdir()
    clock = FakeClock()
    app = App(clock, tmp_path / "state", (), KeptRecords(tmp_path / "state"))
    app.workspace.folders = (str(root),)
    app.trust.add_scripted_agent("Scripted", tmp_path / "script.json")
    client = Watching()
    found = Place(app, clock, root, client)
    found.meet()
    app.attend(client)
    yield found
    await app.shut_down()


# What is allowed in a chat


async def test_a_grant_of_a_chat_is_listed_with_its_card_its_end_and_its_uses(place: Place) -> None:
    chat = await place.chat_with_card("a", "b", "c")
    await place.click("allow_session", Limits(minutes=15, uses=5))
    await until(lambda: (place.root / "c").exists(), "all calls")
    place.clock.advance(60)
    one = place.of("key")
    assert (one.text, one.scope, one.session_id, one.agent_name) == ("write_file", "chat", chat.session_id, "Scripted")
    assert one.given_on == "Write a (+1 −0)"
    assert (one.used, one.effective) == (2, True)
    assert one.given_at and one.last_used_at
    assert one.end is not None
    assert one.end.seconds == pytest.approx(14 * 60, abs=2)
    assert (one.end.uses, one.end.with_run) == (3, False)


async def test_taken_back_it_counts_for_no_further_call_and_given_back_to_its_old_end(place: Place) -> None:
    chat = await place.chat_with_card("a", "b", "c")
    await place.click("bypass_session", Limits(minutes=15))
    await until(lambda: (place.root / "c").exists(), "all calls")
    one = place.of("bypass_session")
    assert (await place.app.allowed.revoke(one.grant_id)).undoable
    assert place.app.allowed.everything() == ()
    assert not place.app.bypasses(chat).chat
    assert "taken back already" in await place.refused(place.app.allowed.revoke(one.grant_id))

    place.clock.advance(14 * 60)
    restored = await place.app.allowed.undo(one.grant_id)
    assert restored.end is not None
    assert restored.end.seconds == pytest.approx(60, abs=3)
    assert place.app.bypasses(chat).chat
    assert "given back once" in await place.refused(place.app.allowed.undo(one.grant_id))
    place.clock.advance(61)
    assert not place.app.bypasses(chat).chat


async def test_what_would_have_ended_is_not_given_back(place: Place) -> None:
    await place.chat_with_card("a")
    await place.click("allow_session", Limits(minutes=1))
    one = place.of("key")
    await place.app.allowed.revoke(one.grant_id)
    place.clock.advance(60)
    assert "ended by now" in await place.refused(place.app.allowed.undo(one.grant_id))
    assert place.app.allowed.everything() == ()


async def test_what_ended_with_its_run_is_not_given_back(place: Place) -> None:
    chat = await place.chat_with_card("a", "b")
    await place.click("allow_session", Limits(until_run_ends=True))
    one = place.of("key")
    await place.app.allowed.revoke(one.grant_id)
    await place.app.desk.stop(chat.session_id)
    assert "ended by now" in await place.refused(place.app.allowed.undo(one.grant_id))


async def test_what_was_allowed_in_a_closed_chat_is_not_given_back(place: Place) -> None:
    chat = await place.chat_with_card("a")
    await place.click("allow_session")
    one = place.of("key")
    await place.app.allowed.revoke(one.grant_id)
    await place.app.desk.close(chat.session_id)
    assert "closed" in await place.refused(place.app.allowed.undo(one.grant_id))


async def test_a_call_that_waits_goes_on_waiting_when_a_grant_is_taken_back(place: Place) -> None:
    place.meet({"alwaysAskRules": {"write_file": ["b"]}})
    await place.chat_with_card("a", "b")
    await place.click("allow_session")
    await until(lambda: (place.root / "a").exists(), "the first call")
    await place.card()
    waiting = place.app.broker.waiting()
    await place.app.allowed.revoke(place.of("key").grant_id)
    await place.later()
    assert [one.approval_id for one in place.app.broker.waiting()] == [one.approval_id for one in waiting]


@pytest.mark.parametrize("grant_id", ["", "x", "0" * 32, "00000000-0000-4000-8000-000000000000"])
async def test_an_id_that_nobody_gave_is_refused(place: Place, grant_id: str) -> None:
    assert "nothing is allowed" in await place.refused(place.app.allowed.revoke(grant_id))
    assert "nothing that was taken back" in await place.refused(place.app.allowed.undo(grant_id))


async def test_only_what_was_taken_back_can_be_given_back(place: Place) -> None:
    """Neither what counts nor what ended by itself is under the ids that can be given back."""
    await place.chat_with_card("a")
    await place.click("allow_session", Limits(minutes=1))
    one = place.of("key")
    await place.refused(place.app.allowed.undo(one.grant_id))
    place.clock.advance(60)
    await place.refused(place.app.allowed.undo(one.grant_id))
    assert place.app.allowed.everything() == ()


async def test_the_list_of_one_chat_is_that_chats(place: Place) -> None:
    place.meet({"toolAllowlist": ["list_files"]})
    chat = await place.chat_with_card("a")
    await place.click("allow_session")
    other = place.app.open_chat("Scripted", None)
    assert [one.kind for one in place.app.allowed.everything(chat.session_id)] == ["key", "tool"]
    assert [one.kind for one in place.app.allowed.everything(other.session_id)] == ["tool"]
    with pytest.raises(SessionNotFound):
        place.app.allowed.everything(SessionId("nowhere"))


# What is stored in the workspace


async def test_a_tool_is_taken_out_of_the_file_and_nothing_else_changes(place: Place) -> None:
    place.put(SETTINGS)
    place.app.settings_changed()
    assert place.kinds() == ["deny_rule"]
    await place.agree()
    tools = [one for one in place.app.allowed.everything() if one.kind == "tool"]
    assert [(one.effective, one.setting, one.file, one.line) for one in tools] == [
        (True, "assent.toolAllowlist", str(place.file), 5),
        (True, "assent.toolAllowlist", str(place.file), 6),
    ]
    assert len({one.grant_id for one in place.app.allowed.everything()}) == 3
    write_file = tools[1]
    assert (await place.app.allowed.revoke(write_file.grant_id)).undoable
    assert place.file.read_text() == SETTINGS.replace('"bash", // why\n    "write_file"', '"bash" // why')
    assert place.app.trust.now().rules.always_allowed == {"bash"}
    # The same file again: the agreement went with the entry.
    place.put(SETTINGS)
    await place.later()
    assert place.app.trust.now().rules.always_allowed == {"bash"}
    assert [entry.entry for entry in place.app.trust.awaiting()] == ["write_file"]


async def test_given_back_it_counts_with_its_agreement(place: Place) -> None:
    place.put(SETTINGS)
    place.app.settings_changed()
    await place.agree()
    one = next(one for one in place.app.allowed.everything() if "write_file" in one.text)
    await place.app.allowed.revoke(one.grant_id)
    restored = await place.app.allowed.undo(one.grant_id)
    assert restored.effective
    assert restored.grant_id == one.grant_id
    assert place.app.trust.now().rules.always_allowed == {"bash", "write_file"}
    assert place.app.trust.awaiting() == ()
    assert "given back once" in await place.refused(place.app.allowed.undo(one.grant_id))


async def test_what_was_never_agreed_to_is_taken_out_and_cannot_be_given_back(place: Place) -> None:
    """Else an entry that an agent wrote would come to count by two clicks that look harmless."""
    place.put(SETTINGS)
    place.app.settings_changed()
    one = next(one for one in place.app.allowed.everything() if "write_file" in one.text)
    assert not one.effective
    assert not (await place.app.allowed.revoke(one.grant_id)).undoable
    await place.refused(place.app.allowed.undo(one.grant_id))
    assert "write_file" not in place.file.read_text()
    assert place.app.trust.now().rules.always_allowed == frozenset()


async def test_a_deny_rule_is_taken_back_and_given_back(place: Place) -> None:
    place.put(SETTINGS)
    place.app.settings_changed()
    one = place.of("deny_rule")
    assert one.text == "Never “bash”: “rm:*”."
    await place.app.allowed.revoke(one.grant_id)
    assert place.app.trust.now().rules.rules == ()
    assert '"assent.alwaysDenyRules": {"bash": []} // never' in place.file.read_text()
    await place.app.allowed.undo(one.grant_id)
    assert len(place.app.trust.now().rules.rules) == 1


async def test_a_bypass_is_switched_off_and_on_again(place: Place) -> None:
    chat = await place.chat_with_card("a", "b")
    await place.click("bypass_agent")
    await until(lambda: (place.root / "b").exists(), "both calls")
    one = place.of("bypass_agent")
    assert (one.scope, one.effective, one.agent_name) == ("workspace", True, "Scripted")
    await place.app.allowed.revoke(one.grant_id)
    assert json.loads(place.file.read_text()) == {"assent.bypassPermissions": {"Scripted": False}}
    assert not place.app.bypasses(chat).agent
    assert place.app.allowed.everything() == ()
    assert (await place.app.allowed.undo(one.grant_id)).effective
    assert place.app.bypasses(chat).agent


async def test_a_bypass_of_an_agent_that_is_another_one_by_now_is_not_given_back(place: Place, tmp_path: Path) -> None:
    place.meet({"agents": {"Own": {"provider": "scripted", "script": "a.json"}}})
    place.put('{"assent.bypassPermissions": {"Own": true}}')
    place.app.settings_changed()
    await place.agree()
    one = place.of("bypass_agent")
    await place.app.allowed.revoke(one.grant_id)
    place.user = {"agents": {"Own": {"provider": "scripted", "script": "other.json"}}}
    place.tell_user_settings()
    assert "defined otherwise" in await place.refused(place.app.allowed.undo(one.grant_id))
    assert not place.app.trust.now().bypass("Own").on


async def test_what_was_taken_back_in_other_folders_is_not_given_back_here(place: Place, tmp_path: Path) -> None:
    place.put(SETTINGS)
    place.app.settings_changed()
    await place.agree()
    one = next(one for one in place.app.allowed.everything() if "write_file" in one.text)
    await place.app.allowed.revoke(one.grant_id)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place.app.folders_changed((str(elsewhere),))
    assert "other folders" in await place.refused(place.app.allowed.undo(one.grant_id))
    assert not (elsewhere / ".vscode").exists()


async def test_in_a_file_that_cannot_be_written_the_agreement_is_gone_all_the_same(place: Place) -> None:
    place.put(SETTINGS)
    place.app.settings_changed()
    await place.agree()
    one = next(one for one in place.app.allowed.everything() if "write_file" in one.text)
    place.file.chmod(0o444)
    told = await place.refused(place.app.allowed.revoke(one.grant_id))
    assert "read-only" in told
    assert "no effect any more" in told
    assert str(place.file) in told
    assert "write_file" not in place.app.trust.now().rules.always_allowed
    assert place.file.read_text() == SETTINGS


# What is stored in the user's settings


async def test_of_the_users_settings_the_editor_takes_it_out(place: Place) -> None:
    place.meet({"toolAllowlist": ["write_file", "bash"], "alwaysAllowRules": {"bash": ["ls:*"]}}, writes=True)
    rule = place.of("rule")
    assert (rule.scope, rule.effective, rule.file) == ("user", True, None)
    assert (await place.app.allowed.revoke(rule.grant_id)).undoable
    (wanted,) = place.writes
    assert (wanted.key, wanted.path, wanted.value, wanted.target, wanted.remove, wanted.append) == (
        "alwaysAllowRules",
        ("bash",),
        "ls:*",
        "user",
        True,
        False,
    )
    # The editor tells a little later, and until then it counts no more.
    assert place.app.trust.now().rules.rules == ()
    place.tell_user_settings()
    assert place.app.trust.now().rules.rules == ()
    await place.app.allowed.undo(rule.grant_id)
    place.tell_user_settings()
    assert [found.pattern for found in place.app.trust.now().rules.rules] == ["ls:*"]
    assert place.app.trust.awaiting() == ()


async def test_what_the_user_writes_again_by_hand_counts_again(place: Place) -> None:
    place.meet({"toolAllowlist": ["write_file"]}, writes=True)
    await place.app.allowed.revoke(place.of("tool").grant_id)
    place.tell_user_settings()
    assert place.kinds() == []
    place.user = {"toolAllowlist": ["write_file"]}
    place.tell_user_settings()
    assert place.app.trust.now().rules.always_allowed == {"write_file"}


async def test_without_an_editor_that_writes_it_is_told_where_it_stands(place: Place) -> None:
    place.meet({"toolAllowlist": ["write_file"]})
    told = await place.refused(place.app.allowed.revoke(place.of("tool").grant_id))
    assert "Only the editor can write user settings" in told
    assert "assent.toolAllowlist in the user settings" in told
    assert place.app.trust.now().rules.always_allowed == {"write_file"}


async def test_what_the_editor_refuses_is_told_and_goes_on_counting(place: Place) -> None:
    place.meet({"toolAllowlist": ["write_file"]}, writes=True)
    place.refuses = "The file is open elsewhere."
    one = place.of("tool")
    assert "The file is open elsewhere." in await place.refused(place.app.allowed.revoke(one.grant_id))
    assert place.of("tool").effective
    await place.refused(place.app.allowed.undo(one.grant_id))


async def test_cells_of_the_matrix_and_the_mode_are_listed_and_taken_back(place: Place) -> None:
    place.meet({"matrixOverrides": {"ask": {"write": "auto"}}, "mode": "auto"}, writes=True)
    assert sorted(place.kinds()) == ["matrix", "mode"]
    await place.app.allowed.revoke(place.of("matrix").grant_id)
    assert place.writes[-1].path == ("ask", "write")
    assert place.writes[-1].value is None
    place.tell_user_settings()
    assert place.kinds() == ["mode"]


async def test_a_lasting_grant_that_could_not_be_stored_is_taken_back_in_its_chat(place: Place) -> None:
    file = place.root / ".vscode/settings.json"
    file.parent.mkdir()
    file.write_text("{}")
    place.app.trust.now()
    file.write_text("{ this is no JSON")
    chat = await place.chat_with_card("a", "b")
    await place.click("bypass_agent")
    await until(lambda: (place.root / "b").exists(), "both calls")
    one = place.of("bypass_agent")
    assert (one.scope, one.given_on) == ("chat", "Write a (+1 −0)")
    await place.app.allowed.revoke(one.grant_id)
    assert not place.app.bypasses(chat).agent
    await place.app.allowed.undo(one.grant_id)
    assert place.app.bypasses(chat).agent


async def test_a_chat_is_told_when_the_time_of_a_grant_is_over_without_any_call(place: Place) -> None:
    chat = await place.chat_with_card("a")
    await place.click("bypass_session", Limits(minutes=15))
    await until(lambda: (place.root / "a").exists(), "the call")
    await settled()

    def told() -> list[GrantsChanged]:
        return [one.event for one in chat.events.since(0) if isinstance(one.event, GrantsChanged)]

    assert told()[-1].bypass_session
    place.clock.advance(15 * 60 - 1)
    await settled()
    assert told()[-1].bypass_session
    place.clock.advance(1)
    await settled()
    assert not told()[-1].bypass_session


async def test_an_earlier_end_that_is_given_later_is_told_in_its_time(place: Place) -> None:
    chat = await place.chat_with_card("a")
    await place.click("bypass_session", Limits(minutes=60))
    await settled()
    chat.grants.give(KeyGrant("write_file"), Limits(minutes=1))
    place.app.settings_changed()
    for _ in range(61):
        place.clock.advance(1)
        await settled()
    told = [one.event for one in chat.events.since(0) if isinstance(one.event, GrantsChanged)]
    assert (told[-2].grants, told[-1].grants) == (("write_file",), ())
    assert told[-1].bypass_session


async def test_what_is_taken_back_while_it_is_being_stored_is_not_stored(place: Place) -> None:
    place.meet(writes=True)
    place.hold = asyncio.Event()
    chat = await place.chat_with_card("a")
    clicking = asyncio.ensure_future(place.click("bypass_agent"))
    await until(lambda: place.writes, "the write")
    await place.app.allowed.revoke(place.of("bypass_agent").grant_id)
    assert not place.app.bypasses(chat).agent
    place.hold.set()
    await clicking
    assert [wanted.value for wanted in place.writes] == [True, False]
    assert json.loads(place.file.read_text()) == {"assent.bypassPermissions": {"Scripted": False}}
    assert not place.app.bypasses(chat).agent
    assert place.app.allowed.everything() == ()
    # Put there again by another hand, it is asked about: the agreement went, too.
    place.put('{"assent.bypassPermissions": {"Scripted": true}}')
    await place.later()
    assert not place.app.bypasses(chat).agent


async def test_a_mode_and_a_directory_of_the_workspace_go_from_its_file_and_come_back(
    place: Place, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    text = f"""{{
    "assent.mode": "auto", // fast
    /* more */
    "assent.additionalWorkingDirectories": ["{data}"],
}}"""
    place.put(text)
    place.app.settings_changed()
    assert [one.effective for one in place.app.allowed.everything()] == [False, False]
    await place.agree()
    assert sorted(place.kinds()) == ["mode", "root"]
    mode, root = place.of("mode"), place.of("root")
    assert str(data) in root.text
    await place.app.allowed.revoke(mode.grant_id)
    await place.app.allowed.revoke(root.grant_id)
    left = place.file.read_text()
    assert "fast" in left
    assert "/* more */" in left
    assert "auto" not in left
    assert str(data) not in left
    assert place.app.trust.now().mode_for_new_chats is Mode.DEFAULT
    assert place.app.trust.now().additional_directories == ()
    for one in (mode, root):
        assert (await place.app.allowed.undo(one.grant_id)).effective
    assert place.app.trust.now().mode_for_new_chats is Mode.AUTO
    assert place.app.trust.now().additional_directories == (str(data),)
    assert place.app.trust.awaiting() == ()


async def test_of_a_further_folder_its_own_file_is_changed(place: Place, tmp_path: Path) -> None:
    second = tmp_path / "second"
    (second / ".vscode").mkdir(parents=True)
    file = second / ".vscode/settings.json"
    file.write_text('{"assent.toolAllowlist": ["bash", "write_file"]}')
    place.put('{"assent.toolAllowlist": ["write_file"]}')
    place.app.folders_changed((str(place.root), str(second)))
    await place.agree()
    mine = [one for one in place.app.allowed.everything() if one.file == str(file)]
    assert [one.effective for one in mine] == [True, True]
    assert len({one.grant_id for one in place.app.allowed.everything()}) == 3
    await place.app.allowed.revoke(mine[0].grant_id)
    assert file.read_text() == '{"assent.toolAllowlist": ["write_file"]}'
    assert place.file.read_text() == '{"assent.toolAllowlist": ["write_file"]}'
    assert place.app.trust.now().rules.always_allowed == {"write_file"}
    assert (await place.app.allowed.undo(mine[0].grant_id)).effective
    assert json.loads(file.read_text()) == {"assent.toolAllowlist": ["write_file", "bash"]}


async def test_in_a_workspace_that_is_not_trusted_nothing_is_written(place: Place) -> None:
    place.put(SETTINGS)
    place.meet(trusted=False)
    assert "not trusted" in await place.refused(place.app.allowed.revoke(place.of("deny_rule").grant_id))
    assert place.file.read_text() == SETTINGS
    assert len(place.app.trust.now().rules.rules) == 1


async def test_an_entry_that_is_taken_back_twice_at_once_is_taken_back_once(place: Place) -> None:
    place.meet({"toolAllowlist": ["write_file"]}, writes=True)
    place.hold = asyncio.Event()
    one = place.of("tool")
    first = asyncio.ensure_future(place.app.allowed.revoke(one.grant_id))
    await until(lambda: place.writes, "the write")
    await place.refused(place.app.allowed.revoke(one.grant_id))
    await place.refused(place.app.allowed.undo(one.grant_id))
    place.hold.set()
    assert (await first).undoable
    assert len(place.writes) == 1


async def test_what_was_taken_back_from_an_agent_is_not_given_back_to_what_took_its_place(place: Place) -> None:
    chat = await place.chat_with_card("a", "b")
    await place.click("allow_session")
    await until(lambda: (place.root / "b").exists() and not place.app.desk.busy(), "the run")
    one = place.of("key")
    await place.app.allowed.revoke(one.grant_id)

    other = place.root.parent / "other.json"
    other.write_text(json.dumps({"turns": [[{"call": "write_file", "args": {"path": "c", "content": "x"}}]] * 9}))
    place.app.trust.add_scripted_agent("Scripted", other)
    place.meet()
    place.app.desk.send(chat.session_id, "go on", None)
    await place.card()

    assert "defined otherwise" in await place.refused(place.app.allowed.undo(one.grant_id))
    assert place.kinds() == []

"""A clicked bypass on its way into the settings, and back out: by the server itself, or by way of the client."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assent.settings.effective import WriteTarget
from assent.settings.files import workspace_settings_file
from assent.settings.live import LiveSettings
from assent.settings.store import Change, ClientWrite, Stored, Surroundings, begin_store, bypass_change, finish_store

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs permission bits")
BUILTIN = {"Demo": {"provider": "demo"}}


class World:
    """A workspace, a state directory, and servers that come and go."""

    def __init__(self, base: Path) -> None:
        self.folder, self.state = base / "work", base / "state"
        self.folder.mkdir()
        self.file = workspace_settings_file(self.folder)
        self.live = self.restart()

    def restart(self, blocks: object = None, builtin: object = None) -> LiveSettings:
        self.live = LiveSettings(folders=(self.folder,), state_dir=self.state, builtin_agents=builtin or BUILTIN)
        self.live.client_settings(blocks)
        return self.live

    def change(self, *, on: bool) -> Change:
        return bypass_change(self.live.now().agents["Demo"], on=on)

    def click(self, *, on: bool, place: Surroundings | None = None) -> Stored | ClientWrite:
        place = place or self.live.surroundings(client_writes=False)
        return begin_store(self.change(on=on), place, self.live.ledger)

    @property
    def on(self) -> bool:
        return self.live.now().bypass("Demo").on

    @property
    def consents(self) -> list[str]:
        file = self.state / "consent.json"
        records = json.loads(file.read_text())["records"] if file.exists() else []
        return [record["entry"] for record in records if record["honoured"]]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_click_stores_setting_and_consent_and_lasts(world: World) -> None:
    assert world.click(on=True) == Stored(True, str(world.file.resolve()))
    assert json.loads(world.file.read_text()) == {"assent.bypassPermissions": {"Demo": True}}
    assert world.consents == ["Demo"]
    assert world.on
    world.restart()
    assert world.on


def test_switched_off_it_is_off_for_good_and_forgotten(world: World) -> None:
    world.click(on=True)
    assert world.click(on=False) == Stored(True, str(world.file.resolve()))
    assert json.loads(world.file.read_text()) == {"assent.bypassPermissions": {"Demo": False}}
    assert world.consents == []
    assert not world.on
    world.file.write_text('{"assent.bypassPermissions": {"Demo": true}}')
    assert not world.on


def test_neighbours_that_a_repository_shipped_stay_without_effect(world: World) -> None:
    world.file.parent.mkdir()
    world.file.write_text('{"assent.bypassPermissions": {"Other": true}, "assent.mode": "auto"}')
    world.restart(builtin={**BUILTIN, "Other": {"provider": "scripted"}})
    world.click(on=True)
    now = world.live.now()
    assert now.bypass("Demo").on
    assert not now.bypass("Other").on
    assert now.mode_for_new_chats == "default"


def test_a_changed_definition_of_the_agent_inherits_nothing(world: World) -> None:
    world.click(on=True)
    world.restart(builtin={"Demo": {"provider": "demo", "baseUrl": "http://127.0.0.1:1"}})
    assert not world.on


def test_an_edit_by_hand_counts_at_once(world: World) -> None:
    world.click(on=True)
    assert world.on
    world.file.write_text('{"assent.bypassPermissions": {"Demo": false}}')
    assert not world.on
    world.file.write_text('{"assent.bypassPermissions": {"Demo": true}}')
    assert world.on


@pytest.mark.parametrize("content", ["[]", "{", '{"assent.bypassPermissions": null}'])
def test_if_the_setting_cannot_be_written_no_consent_remains(world: World, content: str) -> None:
    world.click(on=True)
    world.file.write_text(content)
    stored = world.click(on=True)
    assert isinstance(stored, Stored)
    assert not stored.written
    assert stored.error is not None
    assert "was not changed: line 1" in stored.error
    assert "for this chat only" in stored.error
    assert world.consents == []
    assert world.file.read_text() == content


@posix_only
def test_a_read_only_workspace_is_told_of(world: World) -> None:
    world.folder.chmod(0o555)
    stored = world.click(on=True)
    assert isinstance(stored, Stored)
    assert not stored.written
    assert "read-only" in (stored.error or "")
    assert world.consents == []


def test_if_the_consent_cannot_be_kept_the_user_is_told_and_it_does_not_last(world: World) -> None:
    (world.state / "consent.json").mkdir(parents=True)
    stored = world.click(on=True)
    assert isinstance(stored, Stored)
    assert stored.written
    assert "asks again after a restart" in (stored.error or "")
    world.restart()
    assert not world.on


def test_if_the_consent_cannot_be_forgotten_the_bypass_is_switched_off_all_the_same(world: World) -> None:
    world.click(on=True)
    (world.state / "locks" / "consent.lock").unlink()
    (world.state / "locks" / "consent.lock").mkdir()
    stored = world.click(on=False)
    assert isinstance(stored, Stored)
    assert stored.written
    assert "could not be forgotten" in (stored.error or "")
    assert not world.on


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("client_writes", [True, False])
def test_nothing_is_written_to_an_untrusted_workspace(world: World, on: bool, client_writes: bool) -> None:
    world.live.trusted = False
    stored = world.click(on=on, place=world.live.surroundings(client_writes=client_writes))
    assert isinstance(stored, Stored)
    assert not stored.written
    assert "not trusted" in (stored.error or "")
    assert not world.file.parent.exists()
    assert world.consents == []


def test_without_a_folder_there_is_nothing_to_write_to(world: World) -> None:
    place = replace(world.live.surroundings(client_writes=False), folder=None)
    for on in (True, False):
        stored = world.click(on=on, place=place)
        assert isinstance(stored, Stored)
        assert not stored.written
        assert "No folder is open" in (stored.error or "")


def test_a_client_that_writes_settings_is_asked_to_and_the_consent_follows(world: World) -> None:
    place = world.live.surroundings(client_writes=True)
    write = world.click(on=True, place=place)
    assert write == ClientWrite("bypassPermissions", ("Demo",), True, WriteTarget.WORKSPACE)
    assert world.consents == []
    stored = finish_store(world.change(on=True), place, world.live.ledger, written=True, target="workspace")
    assert stored == Stored(True, "workspace")
    assert world.consents == ["Demo"]
    assert not world.file.exists()
    world.live.client_settings({"user": {}, "workspace": {"bypassPermissions": {"Demo": True}}})
    assert world.on


def test_if_the_client_fails_no_consent_remains(world: World) -> None:
    place = world.live.surroundings(client_writes=True)
    change = world.change(on=True)
    stored = finish_store(
        change, place, world.live.ledger, written=False, target="workspace", error="The file is dirty."
    )
    assert stored == Stored(False, "workspace", "The file is dirty. It holds for this chat only.")
    assert world.consents == []


def test_user_settings_are_written_by_the_client_alone_and_need_no_consent(world: World) -> None:
    world.restart({"user": {"bypassWriteTarget": "user"}})
    place = world.live.surroundings(client_writes=True)
    write = world.click(on=True, place=place)
    assert isinstance(write, ClientWrite)
    assert write.target is WriteTarget.USER
    assert finish_store(world.change(on=True), place, world.live.ledger, written=True, target="user") == Stored(
        True, "user"
    )
    assert world.consents == []
    alone = world.click(on=True)
    assert isinstance(alone, Stored)
    assert "Only the editor can write user settings" in (alone.error or "")
    assert not world.file.exists()

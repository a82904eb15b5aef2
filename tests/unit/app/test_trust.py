"""What counts now: doubt ends where it began, broken files go on restricting, clicks are good for what they said."""

import json
from pathlib import Path

import pytest

from assent.app.scopes import Scopes
from assent.app.trust import Trust
from assent.model.grants import AgentBypass, RootGrant, ToolGrant
from assent.model.json import Json, JsonObject
from assent.model.limits import ShellLimits
from assent.model.modes import Mode
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.settings.store import ClientWrite, Stored

USER: JsonObject = {"toolAllowlist": ["write_file"]}
DENY: Json = {"assent.alwaysDenyRules": {"write_file": ["infra/**"]}}


class Place:
    """Trust in a folder, and whether an agent is at work."""

    def __init__(self, home: Path) -> None:
        self.root = home / "root"
        (self.root / ".vscode").mkdir(parents=True)
        self.file = self.root / ".vscode/settings.json"
        self.busy = False
        self.trust = Trust(home / "state", busy=lambda: self.busy)

    def tell(self, user: JsonObject | None = None, workspace: JsonObject | None = None) -> None:
        self.trust.settings_changed(Scopes(user=user, workspace=workspace))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.trust.meet((made.root,), Scopes(user=USER, workspace={}, folder={}), trusted=True, write=None)
    return made


def test_doubt_ends_only_when_the_users_settings_are_told_again(place: Place) -> None:
    assert place.trust.now().rules.always_allowed == {"write_file"}
    place.trust.settings_unreadable()
    assert place.trust.now().rules.always_allowed == frozenset()
    assert place.trust.now().mode_ceiling is Mode.ASK
    assert not place.trust.now().bypass_available

    place.tell()
    place.tell(workspace={})
    assert place.trust.now().rules.always_allowed == frozenset()
    place.tell(user=USER)
    assert place.trust.now().rules.always_allowed == {"write_file"}


def test_in_doubt_a_run_goes_no_further_than_usual(place: Place) -> None:
    place.tell(user={**USER, "limits": {"toolCalls": 900, "writes": 2}})
    assert (place.trust.now().limits.tool_calls, place.trust.now().limits.writes) == (900, 2)
    place.trust.settings_unreadable()
    assert (place.trust.now().limits.tool_calls, place.trust.now().limits.writes) == (200, 2)


def test_in_doubt_commands_take_no_more_than_usual_and_are_held_as_usual(place: Place) -> None:
    shell: Json = {"path": "/bin/sh", "maxProcesses": 900, "maxBackground": 2}
    sandbox: Json = {"enabled": "off", "autoAllow": True, "network": True, "writable": ["/elsewhere"]}
    place.tell(user={**USER, "shell": shell, "sandbox": sandbox})
    now = place.trust.now()
    assert now.shell == ShellLimits(path="/bin/sh", max_processes=900, max_background=2)
    assert now.sandbox == SandboxChoice(SandboxKind.OFF, auto_allow=True, network=True, writable=("/elsewhere",))
    place.trust.settings_unreadable()
    assert place.trust.now().shell == ShellLimits(max_background=2)
    assert place.trust.now().sandbox == SandboxChoice()


def test_a_new_client_begins_without_doubt(place: Place) -> None:
    place.trust.settings_unreadable()
    place.trust.meet((place.root,), Scopes(user=USER), trusted=True, write=None)
    assert place.trust.now().rules.always_allowed == {"write_file"}


def test_a_broken_file_restricts_as_before_also_when_a_folder_is_added(place: Place, tmp_path: Path) -> None:
    place.file.write_text(json.dumps(DENY))
    assert [rule.pattern for rule in place.trust.now().rules.rules] == ["infra/**"]
    place.file.write_text("{ broken")
    assert [rule.pattern for rule in place.trust.now().rules.rules] == ["infra/**"]

    (tmp_path / "second").mkdir()
    place.trust.folders_changed((place.root, tmp_path / "second"))
    assert [rule.pattern for rule in place.trust.now().rules.rules] == ["infra/**"]


def test_a_mode_that_the_user_takes_back_is_asked_about_no_more(place: Place) -> None:
    place.tell(user={"mode": "ask"})
    place.busy = True
    place.tell(user={"mode": "default"})
    (entry,) = place.trust.awaiting()
    assert entry.setting == "mode"
    assert place.trust.now().mode_for_new_chats is Mode.ASK

    place.tell(user={"mode": "ask"})
    assert place.trust.awaiting() == ()


def test_after_ignoring_it_a_mode_that_the_user_chooses_later_counts(place: Place) -> None:
    place.tell(user={"mode": "ask"})
    place.busy = True
    place.tell(user={"mode": "default"})
    place.trust.was_kept((), place.trust.awaiting())
    place.tell(user={"mode": "ask"})
    place.busy = False
    place.tell(user={"mode": "default"})

    assert place.trust.now().mode_for_new_chats is Mode.DEFAULT


async def test_a_click_for_the_workspace_says_nothing_of_the_users_settings(place: Place) -> None:
    assert (await place.trust.store(AgentBypass("Demo"))).written
    place.busy = True
    place.tell(user={"bypassPermissions": {"Demo": True}})

    assert not place.trust.now().bypass("Demo").on
    assert [entry.setting for entry in place.trust.awaiting()] == ["bypassPermissions"]


async def test_a_click_that_the_editor_did_not_store_expects_nothing(tmp_path: Path) -> None:
    async def refuse(_: ClientWrite) -> Stored:
        return Stored(False, "user", "It is read-only.")

    place = Place(tmp_path)
    user: JsonObject = {"bypassWriteTarget": "user"}
    place.trust.meet((place.root,), Scopes(user=user), trusted=True, write=refuse)
    assert not (await place.trust.store(AgentBypass("Demo"))).written
    place.busy = True
    place.tell(user={**user, "bypassPermissions": {"Demo": True}})

    assert not place.trust.now().bypass("Demo").on


async def test_a_click_whose_storing_breaks_off_expects_nothing(tmp_path: Path) -> None:
    async def break_off(_: ClientWrite) -> Stored:
        raise ZeroDivisionError

    place = Place(tmp_path)
    user: JsonObject = {"bypassWriteTarget": "user"}
    place.trust.meet((place.root,), Scopes(user=user), trusted=True, write=break_off)
    with pytest.raises(ZeroDivisionError):
        await place.trust.store(AgentBypass("Demo"))
    place.busy = True
    place.tell(user={**user, "bypassPermissions": {"Demo": True}})

    assert not place.trust.now().bypass("Demo").on


async def test_an_answer_is_kept_for_the_folders_that_it_was_given_for(place: Place, tmp_path: Path) -> None:
    place.tell(workspace={"toolAllowlist": ["read_file"]})
    waiting = place.trust.awaiting()
    keep = place.trust.to_keep(waiting, ())
    (tmp_path / "other").mkdir()
    place.trust.folders_changed((tmp_path / "other",))
    assert keep() is None

    assert place.trust.awaiting() != ()
    place.trust.folders_changed((place.root,))
    assert place.trust.awaiting() == ()


async def test_a_directory_that_cannot_be_stored_is_not_said_to_hold(place: Place) -> None:
    place.file.write_text("{ broken")
    stored = await place.trust.store(RootGrant("/far"))

    assert not stored.written
    assert "only this call ran" in (stored.error or "")
    assert "holds" not in (await place.trust.store(RootGrant("/far"))).error
    assert "holds for this chat only" in ((await place.trust.store(ToolGrant("write_file"))).error or "")

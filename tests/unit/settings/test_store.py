"""What was clicked on its way into the settings, and back out: by the server itself, or by way of the client."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assent.model.calls import Access
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    Grant,
    KeyGrant,
    RootGrant,
    RuleGrant,
    ToolGrant,
)
from assent.settings.effective import WriteTarget
from assent.settings.files import workspace_settings_file
from assent.settings.live import LiveSettings
from assent.settings.loosening import consent_to_bypass
from assent.settings.store import (
    Change,
    ClientWrite,
    Stored,
    Surroundings,
    begin_store,
    bypass_change,
    change_for,
    finish_store,
)
from tests.support.scale import limit

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs permission bits")
SERVER = Path(__file__).parents[3] / "server"
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
        return bypass_change("Demo", consent_to_bypass(self.live.now().agents["Demo"]), on=on)

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


def test_what_was_taken_back_by_hand_stays_taken_back(world: World) -> None:
    world.click(on=True)
    assert world.on
    world.file.write_text('{"assent.bypassPermissions": {"Demo": false}}')
    assert not world.on
    world.file.write_text('{"assent.bypassPermissions": {"Demo": true}}')
    assert not world.on
    world.click(on=True)
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


RULE = RuleGrant("write_file", "src/**")
ADDED = [
    (RULE, {"assent.alwaysAllowRules": {"write_file": ["src/**"]}}),
    (RuleGrant("write_file", "infra/**", permits=False), {"assent.alwaysDenyRules": {"write_file": ["infra/**"]}}),
    (ToolGrant("write_file"), {"assent.toolAllowlist": ["write_file"]}),
]


def change(world: World, grant: Grant) -> Change:
    made = change_for(grant, world.live.now().agents)
    assert made is not None
    return made


def store(world: World, grant: Grant) -> Stored | ClientWrite:
    return begin_store(change(world, grant), world.live.surroundings(client_writes=False), world.live.ledger)


@pytest.mark.parametrize(("grant", "content"), ADDED)
def test_a_clicked_rule_or_tool_is_added_and_counts_at_once_and_after_a_restart(
    world: World, grant: Grant, content: object
) -> None:
    assert store(world, grant) == Stored(True, str(world.file.resolve()))
    assert json.loads(world.file.read_text()) == content
    for live in (world.live, world.restart()):
        now = live.now()
        assert now.awaiting == ()
        assert now.diagnostics == ()
        found = {(rule.effect.value, rule.tool, rule.pattern) for rule in now.rules.rules}
        match grant:
            case RuleGrant(tool, pattern, permits):
                assert found == {("allow" if permits else "deny", tool, pattern)}
            case ToolGrant(tool):
                assert now.rules.always_allowed == {tool}


def test_a_deny_rule_needs_no_consent(world: World) -> None:
    store(world, RuleGrant("bash", "rm", permits=False))
    assert world.consents == []
    assert not (world.state / "consent.json").exists()


def test_a_clicked_directory_counts_by_its_real_path(world: World, tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    real = str((tmp_path / "beside").resolve())
    store(world, RootGrant(real))
    assert json.loads(world.file.read_text()) == {"assent.additionalWorkingDirectories": [real]}
    assert world.restart().now().additional_directories == (real,)


def test_a_rule_is_added_behind_those_that_are_there_and_its_neighbours_stay_without_effect(world: World) -> None:
    rules = '"assent.alwaysAllowRules": {\n    "write_file": [\n      "docs/**", // shipped\n    ]\n  }'
    text = "{\n  // mine\n  " + rules + "\n}\n"
    world.file.parent.mkdir()
    world.file.write_text(text)
    store(world, RULE)
    assert world.file.read_text() == text.replace("// shipped\n", '// shipped\n      "src/**",\n')
    now = world.live.now()
    assert [rule.pattern for rule in now.rules.rules] == ["src/**"]
    assert [entry.after for entry in now.awaiting] == ["docs/**"]


def test_what_is_stored_already_is_agreed_to_by_a_click(world: World) -> None:
    """The card came up because nobody had agreed to it: the file stays as it is."""
    world.file.parent.mkdir()
    world.file.write_text('{"assent.toolAllowlist": ["write_file"]}')
    assert world.live.now().rules.always_allowed == frozenset()
    store(world, ToolGrant("write_file"))
    assert world.file.read_text() == '{"assent.toolAllowlist": ["write_file"]}'
    assert world.live.now().rules.always_allowed == {"write_file"}


@pytest.mark.parametrize(
    "grant", [KeyGrant("x"), ChatBypass(), DirectoryGrant("/x", Access.READ), AgentBypass("Ghost")]
)
def test_what_holds_for_a_chat_only_has_nothing_to_store(world: World, grant: Grant) -> None:
    assert change_for(grant, world.live.now().agents) is None


def test_a_clicked_bypass_is_a_change_like_the_others(world: World) -> None:
    assert change(world, AgentBypass("Demo")) == world.change(on=True)


@pytest.mark.parametrize("content", ['{"assent.toolAllowlist": {"a": 1}}', '{"assent.toolAllowlist": "x"}', "{", "[]"])
def test_a_list_that_is_none_is_left_alone_and_no_consent_remains(world: World, content: str) -> None:
    world.file.parent.mkdir()
    world.file.write_text(content)
    stored = store(world, ToolGrant("write_file"))
    assert isinstance(stored, Stored)
    assert not stored.written
    assert "It holds for this chat only." in (stored.error or "")
    assert world.file.read_text() == content
    assert world.consents == []


def test_only_a_bypass_goes_to_the_user_settings(world: World) -> None:
    world.restart({"user": {"bypassWriteTarget": "user"}})
    place = world.live.surroundings(client_writes=True)
    write = begin_store(change(world, RULE), place, world.live.ledger)
    assert write == ClientWrite("alwaysAllowRules", ("write_file",), "src/**", WriteTarget.WORKSPACE, append=True)
    assert finish_store(change(world, RULE), place, world.live.ledger, written=True, target="workspace").written
    assert world.consents == [json.dumps(["write_file", "src/**"])]
    world.live.client_settings({"workspace": {"alwaysAllowRules": {"write_file": ["src/**"]}}})
    assert [rule.pattern for rule in world.live.now().rules.rules] == ["src/**"]


def test_a_consent_that_waited_for_a_setting_to_come_is_gone_if_the_click_cannot_be_stored(world: World) -> None:
    store(world, RULE)
    world.file.unlink()
    place = world.live.surroundings(client_writes=True)
    finish_store(change(world, RULE), place, world.live.ledger, written=False, target="workspace")
    assert world.consents == []


def test_a_bypass_that_cannot_be_switched_off_in_the_settings_has_no_effect_and_nobody_is_asked(world: World) -> None:
    world.click(on=True)
    place = world.live.surroundings(client_writes=True)
    off = world.change(on=False)
    assert begin_store(off, place, world.live.ledger) == ClientWrite(
        "bypassPermissions", ("Demo",), False, WriteTarget.WORKSPACE
    )
    assert world.consents == []
    assert not world.on
    stored = finish_store(off, place, world.live.ledger, written=False, target="workspace", error="It is open.")
    assert stored == Stored(
        False, "workspace", "It is open. It still stands in the settings, but it has no effect any more."
    )
    assert not world.on
    assert world.live.now().awaiting == ()


def test_a_bypass_of_the_user_settings_that_cannot_be_switched_off_is_still_on(world: World) -> None:
    world.restart({"user": {"bypassWriteTarget": "user", "bypassPermissions": {"Demo": True}}})
    place = world.live.surroundings(client_writes=True)
    stored = finish_store(world.change(on=False), place, world.live.ledger, written=False, target="user", error="No.")
    assert stored == Stored(False, "user", "No. It still stands in the settings.")
    assert world.on


NAMES = ["a.b.c", "with space", "🦊", "__proto__", "constructor", "x" * 300, "x" * 3000, '"\\', "\u202e", ""]


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_of_any_name_is_stored_and_switched_off_again(world: World, name: str) -> None:
    world.restart(builtin={**BUILTIN, name: {"provider": "demo", "n": 1}})
    agent = world.live.now().agents[name]
    place = world.live.surroundings(client_writes=False)
    consent = consent_to_bypass(agent)
    on, off = bypass_change(name, consent, on=True), bypass_change(name, consent, on=False)
    assert begin_store(on, place, world.live.ledger) == Stored(True, str(world.file.resolve()))
    assert world.live.now().bypass(name).on
    assert not world.on
    assert begin_store(off, place, world.live.ledger) == Stored(True, str(world.file.resolve()))
    assert not world.live.now().bypass(name).on
    assert world.consents == []


CLICKS = """
import sys
from pathlib import Path
from assent.settings.live import LiveSettings
from assent.settings.loosening import consent_to_bypass
from assent.settings.store import begin_store, bypass_change

folder, state, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].split(",")
builtin = {{name: {{"provider": "demo"}} for name in names}}
live = LiveSettings(folders=(folder,), state_dir=state, builtin_agents=builtin)
live.client_settings(None)
sys.stdin.readline()
for turn in range({turns}):
    for name in names:
        consent = consent_to_bypass(live.now().agents[name])
        change = bypass_change(name, consent, on=turn % 2 == 0)
        stored = begin_store(change, live.surroundings(client_writes=False), live.ledger)
        assert stored.written and not stored.error, stored
"""


def test_two_servers_that_store_at_the_same_time_lose_nothing(world: World) -> None:
    """Each clicks a hundred times on ten agents of its own; the last click on each switches it on."""
    names = {side: [f"{side} {number}" for number in range(10)] for side in ("left", "right")}
    program = CLICKS.format(turns=11)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(world.folder), str(world.state), ",".join(some)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SERVER)},
        )
        for some in names.values()
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        said, _ = child.communicate(timeout=limit(60))
        assert child.returncode == 0, said
    everybody = [name for some in names.values() for name in some]
    assert json.loads(world.file.read_text()) == {"assent.bypassPermissions": dict.fromkeys(everybody, True)}
    assert sorted(world.consents) == sorted(everybody)
    world.restart(builtin={name: {"provider": "demo"} for name in everybody})
    assert all(world.live.now().bypass(name).on for name in everybody)

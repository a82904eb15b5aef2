"""The settings of a server over time: each question gets what counts at that moment."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from assent.model.modes import Mode
from assent.policy.matrix import Cell
from assent.settings.agents import bypass_consent
from assent.settings.consent import Consent, ConsentLedger
from assent.settings.effective import Effective
from assent.settings.facts import Facts
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.gathering import Gatherer, Wanted
from assent.settings.live import LiveSettings

BUILTIN = {"Demo": {"provider": "demo"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace_settings_file(tmp_path / "work").parent.mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def live(folder: Path, tmp_path: Path) -> LiveSettings:
    return LiveSettings(folders=(folder,), state_dir=tmp_path / "state", builtin_agents=BUILTIN)


def test_until_the_client_spoke_every_chat_asks(live: LiveSettings, folder: Path) -> None:
    workspace_settings_file(folder).write_text('{"assent.mode": "plan"}')
    assert live.now().mode_ceiling is Mode.ASK
    live.client_settings(None)
    assert live.now().mode_ceiling is None
    assert live.now().mode_for_new_chats is Mode.PLAN


def test_unchanged_settings_are_put_together_once(live: LiveSettings) -> None:
    live.client_settings({"user": {}})
    assert live.now() is live.now()


def test_every_source_counts_from_the_next_question_on(live: LiveSettings, folder: Path) -> None:
    file = workspace_settings_file(folder)
    live.client_settings({"user": {"mode": "auto"}})
    assert live.now().mode_for_new_chats is Mode.AUTO
    file.write_text('{"assent.mode": "ask"}')
    assert live.now().mode_for_new_chats is Mode.ASK
    file.unlink()
    assert live.now().mode_for_new_chats is Mode.AUTO
    live.client_settings({"user": {"mode": "plan"}})
    assert live.now().mode_for_new_chats is Mode.PLAN


def test_a_consent_given_in_another_window_counts_and_trust_taken_away_counts(live: LiveSettings, folder: Path) -> None:
    live.client_settings(None)
    workspace_settings_file(folder).write_text('{"assent.bypassPermissions": {"Demo": true}}')
    assert not live.now().bypass("Demo").on
    assert "no effect until you agree" in live.diagnostics()[0].text
    other = ConsentLedger(live.ledger.state_dir)
    other.grant(folder, bypass_consent("Demo", live.now().agents["Demo"].digest))
    assert live.now().bypass("Demo").on
    live.trusted = False
    assert not live.now().bypass("Demo").on
    live.trusted = True
    assert live.now().bypass("Demo").on
    other.revoke(folder, "bypassPermissions", "Demo")
    assert not live.now().bypass("Demo").on


def test_a_folder_that_was_replaced_is_another_folder(live: LiveSettings, folder: Path) -> None:
    live.client_settings({"user": {}, "workspace": {"bypassPermissions": {"Demo": True}}})
    live.ledger.grant(folder, bypass_consent("Demo", live.now().agents["Demo"].digest))
    assert live.now().bypass("Demo").on
    folder.rename(folder.with_name("moved"))
    assert not live.now().bypass("Demo").on
    folder.mkdir()
    assert not live.now().bypass("Demo").on


def test_a_broken_ledger_is_reported(live: LiveSettings) -> None:
    live.client_settings(None)
    live.ledger.state_dir.mkdir()
    live.ledger.file.write_text("{")
    assert any("asks again" in diagnostic.sentence for diagnostic in live.diagnostics())


def test_without_a_folder_the_users_settings_count(tmp_path: Path) -> None:
    live = LiveSettings(folders=(), state_dir=tmp_path, builtin_agents=BUILTIN)
    live.client_settings({"user": {"bypassPermissions": {"Demo": True}}, "workspace": {"mode": "plan"}})
    assert live.now().bypass("Demo").on
    assert live.now().mode_for_new_chats is Mode.PLAN


ALLOW = "alwaysAllowRules"
DENY = "alwaysDenyRules"


def said(folder: Path, **values: object) -> Path:
    """The folder's own settings file says this now."""
    file = workspace_settings_file(folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({f"assent.{key}": value for key, value in values.items()}))
    return file


def patterns(live: LiveSettings) -> set[tuple[str, str]]:
    return {(rule.effect.value, rule.pattern) for rule in live.now().rules.rules}


# Answers


def test_what_a_repository_ships_waits_and_counts_or_is_ignored_for_good(live: LiveSettings, folder: Path) -> None:
    live.client_settings(None)
    said(folder, **{ALLOW: {"write_file": ["src/**", "docs/**"]}, "toolAllowlist": ["bash"]})
    src, docs, bash = live.awaiting()
    assert (src.origin.line, src.words) == (
        1,
        "Every call of the tool “write_file” that matches “src/**” would run without asking.",
    )
    live.record([src], [docs, bash])
    assert live.awaiting() == ()
    assert patterns(live) == {("allow", "src/**")}
    assert live.now().rules.always_allowed == frozenset()
    again = LiveSettings(folders=(folder,), state_dir=live.ledger.state_dir, builtin_agents=BUILTIN)
    again.client_settings(None)
    assert again.awaiting() == ()
    assert patterns(again) == {("allow", "src/**")}
    said(folder, **{ALLOW: {"write_file": ["src/*", "docs/**"]}})
    assert [entry.after for entry in live.awaiting()] == ["src/*"]
    assert patterns(live) == set()


def test_the_line_is_that_of_the_single_pattern(live: LiveSettings, folder: Path) -> None:
    live.client_settings(None)
    workspace_settings_file(folder).write_text(
        '{\n"assent.alwaysAllowRules": {"t": [\n"a",\n{"pattern": "b", "agents": ["Demo"]}\n]},\n'
        '"assent.alwaysDenyRules": {"t": [\n"c"]},\n"assent.toolAllowlist": [\n"t"]}'
    )
    assert {rule.pattern: rule.line for rule in live.now().rules.rules} == {"c": 7}
    assert [entry.origin.line for entry in live.awaiting()] == [3, 4, 9]
    live.record(live.awaiting(), [])
    assert {rule.pattern: rule.line for rule in live.now().rules.rules} == {"a": 3, "b": 4, "c": 7}


def test_an_answer_without_a_folder_is_a_fault(tmp_path: Path) -> None:
    live = LiveSettings(folders=(), state_dir=tmp_path, builtin_agents=BUILTIN)
    live.client_settings({"user": {}, "workspace": {"toolAllowlist": ["t"]}})
    assert live.awaiting() == ()
    (entry,) = live.attested("toolAllowlist", None, ["t"])
    with pytest.raises(SettingsFault, match="no folder is open"):
        live.record([entry], [])


def test_answers_on_two_definitions_of_one_name_stand_side_by_side(live: LiveSettings) -> None:
    one, other = {"agents": {"T": {"command": "one"}}}, {"agents": {"T": {"command": "other"}}}
    live.client_settings({"user": {}, "workspace": one, "folder": other})
    live.record(live.awaiting(), [])
    assert live.awaiting() == ()
    assert live.now().agents["T"].definition == {"command": "other"}


# Several folders


@pytest.fixture
def other(folder: Path) -> Path:
    folder.with_name("other").mkdir()
    return folder.with_name("other")


@pytest.fixture
def both(folder: Path, other: Path, tmp_path: Path) -> LiveSettings:
    return LiveSettings(folders=(folder, other), state_dir=tmp_path / "state", builtin_agents=BUILTIN)


@pytest.mark.parametrize("blocks", [None, {"user": {}}, {"user": {}, "workspace": {}, "folder": {}}])
def test_every_folders_own_file_restricts(both: LiveSettings, other: Path, folder: Path, blocks: object) -> None:
    both.client_settings(blocks)
    said(other, **{DENY: {"t": ["x"]}, "mode": "ask", "sessionGrants": False, "enabled": False})
    said(folder, **{DENY: {"t": ["y"]}})
    now = both.now()
    assert patterns(both) == {("deny", "x"), ("deny", "y")}
    assert (now.mode_for_new_chats, now.session_grants, now.enabled) == (Mode.ASK, False, False)
    assert {rule.scope for rule in now.rules.rules} == {"workspace", "folder"}
    workspace_settings_file(other).write_text("{")
    assert patterns(both) == {("deny", "x"), ("deny", "y")}
    workspace_settings_file(other).unlink()
    assert patterns(both) == {("deny", "y")}


def test_restrictions_of_a_further_folder_that_make_no_sense_beside_others_count_too(
    both: LiveSettings, other: Path
) -> None:
    both.client_settings({"user": {"toolAllowlist": ["t"]}})
    file = said(other)
    file.write_text('{"assent.alwaysDenyRules": 5, "assent.alwaysDenyRules": {"t": ["x"]}}')
    assert both.now().rules.in_doubt
    assert both.now().rules.always_allowed == frozenset()
    assert patterns(both) == {("deny", "x")}


def test_a_folders_own_file_permits_with_an_agreement_for_that_folder(
    both: LiveSettings, folder: Path, other: Path
) -> None:
    both.client_settings(None)
    said(other, toolAllowlist=["t"])
    (entry,) = both.awaiting()
    assert entry.folder == str(other)
    both.ledger.grant(folder, entry.consent)
    assert both.now().rules.always_allowed == frozenset()
    both.record([entry], [])
    assert both.now().rules.always_allowed == {"t"}
    assert both.ledger.holds(other, entry.consent)
    other.rename(other.with_name("moved"))
    other.mkdir()
    said(other, toolAllowlist=["t"])
    assert both.now().rules.always_allowed == frozenset()


def test_of_a_client_that_sends_scopes_the_folders_files_permit_nothing(
    both: LiveSettings, folder: Path, other: Path
) -> None:
    both.client_settings({"user": {}, "workspace": {}})
    for place in (folder, other):
        said(
            place, **{"toolAllowlist": ["t"], "mode": "auto", ALLOW: {"t": ["x"]}, "bypassPermissions": {"Demo": True}}
        )
    assert both.awaiting() == ()
    assert patterns(both) == set()
    assert not both.now().bypass("Demo").on
    both.client_settings({"user": {}, "workspace": {"toolAllowlist": ["t"]}})
    (entry,) = both.awaiting()
    assert entry.folder is None
    both.record([entry], [])
    assert both.ledger.holds(folder, entry.consent)
    assert both.now().rules.always_allowed == {"t"}


# What the settings depend on


def test_the_state_is_equal_until_anything_changed(both: LiveSettings, folder: Path, other: Path) -> None:
    seen = both.state

    def changed() -> bool:
        nonlocal seen
        before, seen = seen, both.state
        assert seen == both.state
        return seen != before

    assert not changed()
    both.client_settings(None)
    assert changed()
    said(other, agents={"T": {"command": "./run"}}, additionalWorkingDirectories=["../link"])
    assert changed()
    (other / "run").write_text("one")
    assert changed()
    (other / "run").write_text("two")
    assert changed()
    (other.parent / "link").symlink_to(folder)
    assert changed()
    both.record(both.awaiting(), [])
    assert changed()
    both.trusted = False
    assert changed()
    both.withheld = frozenset({Consent("mode", "auto", "d")})
    assert changed()
    folder.rename(folder.with_name("moved"))
    assert changed()
    (other / "unrelated").write_text("x")
    assert not changed()


# Directories and agents on the disk


def test_directories_count_by_where_they_really_lead(folder: Path, tmp_path: Path) -> None:
    home, target = tmp_path / "home", tmp_path / "target"
    for place in (target, tmp_path / "beside", tmp_path / "real" / "mine"):
        place.mkdir(parents=True)
    home.symlink_to(tmp_path / "real")
    (folder / "link").symlink_to(target)
    live = LiveSettings(folders=(folder,), state_dir=tmp_path / "state", builtin_agents=BUILTIN, home=home)
    live.client_settings({"user": {"additionalWorkingDirectories": ["~/mine", "../beside", "sub", "a\0b", "", " "]}})
    assert live.now().additional_directories == (str(tmp_path / "real" / "mine"), str(tmp_path / "beside"))
    said(folder, additionalWorkingDirectories=["link"])
    (entry,) = live.awaiting()
    assert entry.after == str(target)
    live.record([entry], [])
    assert str(target) in live.now().additional_directories
    (folder / "link").unlink()
    (folder / "link").symlink_to("/")
    assert live.now().additional_directories == (str(tmp_path / "real" / "mine"), str(tmp_path / "beside"))
    assert [entry.after for entry in live.awaiting()] == ["/"]


def test_directories_that_are_asked_for_alone_are_those_of_this_moment(both: LiveSettings, other: Path) -> None:
    """Without a look at the files that definitions name, on which they do not depend."""
    folder, target = both.folders[0], other.parent / "target"
    target.mkdir()
    link = folder / "link"
    link.symlink_to(target)

    def alone() -> tuple[str, ...]:
        before_the_rest_is_known = both.additional_directories()
        assert both.now().additional_directories == before_the_rest_is_known
        assert both.additional_directories() == before_the_rest_is_known
        return before_the_rest_is_known

    assert alone() == ()
    both.client_settings(None)
    said(folder, additionalWorkingDirectories=["link"], agents={"T": {"command": "./run"}})
    assert alone() == ()
    both.record(both.awaiting(), [])
    assert alone() == (str(target),)
    (folder / "run").write_text("other")
    assert alone() == (str(target),)
    link.unlink()
    assert alone() == ()
    link.symlink_to(target)
    assert alone() == (str(target),)
    both.trusted = False
    assert alone() == ()
    both.trusted = True
    assert alone() == (str(target),)
    folder.rename(folder.with_name("moved"))
    folder.mkdir()
    said(folder, additionalWorkingDirectories=["link"])
    link.symlink_to(target)
    assert alone() == ()


async def test_what_is_known_of_directories_is_never_older_than_what_is_known_of_the_folders(
    live: LiveSettings, folder: Path, tmp_path: Path
) -> None:
    """Directories alone were asked for first, then all: where they led then is forgotten at one moment, not at two."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    (folder / "link").symlink_to(before)
    live.client_settings({"user": {"additionalWorkingDirectories": [str(folder / "link")]}})
    loop = asyncio.get_running_loop()
    found: asyncio.Future[tuple[str, ...]] = loop.create_future()
    live.now()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert live.additional_directories() == (str(before),)
    (folder / "link").unlink()
    (folder / "link").symlink_to(after)
    loop.call_soon(lambda: found.set_result(live.now().additional_directories))
    live.now()
    assert await found == (str(after),)
    assert live.additional_directories() == (str(after),)


def test_beside_the_loop_one_question_gets_what_one_look_found(
    live: LiveSettings, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that is turned between two looks would let directories count that nobody looks at any more."""
    looks: list[object] = []
    places = Gatherer.places

    def counted(self: Gatherer, wanted: Wanted) -> Facts:
        looks.append(wanted)
        return places(self, wanted)

    monkeypatch.setattr(Gatherer, "places", counted)
    live.client_settings({"user": {"additionalWorkingDirectories": [str(tmp_path)]}})
    live.now()
    assert len(looks) == 1


RUNNING = {"command": "node", "args": ["--require=./hook.js", "agent.js", "-x"], "env": {"NODE_OPTIONS": "-r ./pre.js"}}


@pytest.mark.parametrize("file", ["hook.js", "agent.js", "pre.js"])
def test_a_workspaces_agent_counts_as_long_as_the_files_that_it_names_are_the_same(
    live: LiveSettings, folder: Path, file: str
) -> None:
    for name in ("hook.js", "agent.js", "pre.js", "other.js"):
        (folder / name).write_text("one")
    live.client_settings(None)
    said(folder, agents={"T": RUNNING})
    live.record(live.awaiting(), [])
    assert "T" in live.now().agents
    assert live.now().named_files == tuple(str(folder / name) for name in ("agent.js", "hook.js", "pre.js"))
    (folder / "other.js").write_text("two")
    assert "T" in live.now().agents
    (folder / file).write_text("two")
    assert "T" not in live.now().agents
    assert live.now().named_files == ()
    (entry,) = live.awaiting()
    live.record([], [entry])
    assert live.awaiting() == ()
    (folder / file).unlink()
    assert "T" not in live.now().agents
    assert len(live.awaiting()) == 1


def test_a_file_that_comes_into_being_where_the_command_looks_changes_the_agent(
    live: LiveSettings, folder: Path
) -> None:
    live.client_settings(None)
    said(folder, agents={"T": {"command": "tool", "args": ["sub/x"], "cwd": "in"}})
    live.record(live.awaiting(), [])
    assert "T" in live.now().agents
    (folder / "in" / "sub").mkdir(parents=True)
    assert "T" in live.now().agents
    (folder / "in" / "sub" / "x").write_text("new")
    assert "T" not in live.now().agents


def test_files_outside_the_workspace_are_not_bound_but_links_in_it_are(
    live: LiveSettings, folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("one")
    (folder / "link").symlink_to(outside)
    live.client_settings(None)
    said(folder, agents={"A": {"command": str(outside)}, "B": {"command": "./link"}})
    live.record(live.awaiting(), [])
    assert {"A", "B"} <= live.now().agents.keys()
    # A file elsewhere is neither the workspace's to change nor read here; where a link leads is.
    outside.write_text("two")
    assert {"A", "B"} <= live.now().agents.keys()
    (folder / "link").unlink()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text("one")
    assert live.now().agents.keys() == {"Demo", "A"}


def test_a_folder_whose_name_only_begins_as_the_workspaces_is_outside(live: LiveSettings, folder: Path) -> None:
    beside = folder.with_name(f"{folder.name}-two")
    beside.mkdir()
    (beside / "tool").write_text("one")
    live.client_settings(None)
    said(folder, agents={"A": {"command": f"../{beside.name}/tool"}})
    live.record(live.awaiting(), [])
    (beside / "tool").write_text("two")
    assert "A" in live.now().agents


def test_a_pipe_or_a_folder_that_a_definition_names_holds_nobody_up(live: LiveSettings, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    live.client_settings(None)
    said(folder, agents={"T": {"command": "./pipe", "args": [".", "..", "/", ".vscode"]}})
    live.record(live.awaiting(), [])
    assert "T" in live.now().agents


def test_more_than_can_be_bound_is_not_asked_about(live: LiveSettings, folder: Path) -> None:
    live.client_settings(None)
    with (folder / "huge").open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    said(folder, agents={"T": {"command": "./huge"}})
    assert live.awaiting() == ()
    assert "Too much belongs to the agent" in live.diagnostics()[0].text
    said(folder, agents={"T": {"command": "x", "args": [f"f{number}" for number in range(1000)]}})
    assert live.awaiting() == ()
    said(folder, agents={"T": {"command": "x"}})
    assert len(live.awaiting()) == 1


# What appeared


@pytest.mark.parametrize(
    ("key", "before", "after", "names"),
    [
        ("toolAllowlist", ["a"], ["a", "b"], ["b"]),
        ("toolAllowlist", None, ["a"], ["a"]),
        ("toolAllowlist", ["a", "b"], ["a"], []),
        ("toolAllowlist", ["a"], "b", []),
        (ALLOW, {"t": ["a"]}, {"t": ["a", "b"], "u": ["a"]}, ['["t", "b"]', '["u", "a"]']),
        (ALLOW, 5, {"t": ["a"]}, ['["t", "a"]']),
        ("bypassPermissions", {"Demo": False}, {"Demo": True, "Ghost": True}, ["Demo"]),
        ("bypassPermissions", {"Demo": True}, {"Demo": True}, []),
        ("mode", "ask", "auto", ["auto"]),
        ("mode", "auto", "auto", []),
        ("agent", None, "Demo", ["Demo"]),
        ("additionalWorkingDirectories", ["/x"], ["/x", "/y"], ["/y"]),
        ("shell", {"path": "/x"}, {"path": "/y", "maxProcesses": 600}, ["path /y", "maxProcesses 600"]),
        ("shell", {"maxProcesses": 600}, {"maxProcesses": 600}, []),
        ("sandbox", {}, {"enabled": "off", "autoAllow": True}, ["enabled off", "autoAllow true"]),
        ("sandbox", {"writable": ["/x"]}, {"writable": ["/x", "/y"]}, ["writable /y"]),
        ("alwaysDenyRules", {"t": ["a"]}, {}, []),
        ("matrixOverrides", None, {"default": {"write": "auto"}}, []),
        ("bypassAvailable", False, True, []),
        ("no such setting", None, ["x"], []),
    ],
)
def test_what_a_save_by_hand_changed_counts_once_recorded(
    live: LiveSettings, folder: Path, key: str, before: object, after: object, names: list[str]
) -> None:
    live.client_settings({"user": {"mode": "plan"}, "workspace": {key: after}})
    waiting = {entry.consent for entry in live.awaiting()}
    attested = live.attested(key, before, after)
    assert [entry.entry for entry in attested] == names
    live.record(attested, [])
    assert not {entry.consent for entry in live.awaiting()} & {entry.consent for entry in attested}
    assert waiting - {entry.consent for entry in live.awaiting()} == {entry.consent for entry in attested}


def test_a_definition_that_was_saved_by_hand_counts_and_a_bypass_beside_an_older_one_does_not(
    live: LiveSettings, folder: Path
) -> None:
    live.client_settings({"user": {}, "workspace": {}})
    before = {"T": {"command": "x", "bypassPermissions": True}}
    after = {"T": {"command": "y", "bypassPermissions": True}, "U": {"command": "u", "bypassPermissions": True}}
    attested = live.attested("agents", before, after)
    assert sorted((entry.setting, entry.entry.split(" ")[0]) for entry in attested) == [
        ("agents", "T"),
        ("agents", "U"),
        ("bypassPermissions", "U"),
    ]
    live.record(attested, [])
    live.client_settings({"user": {}, "workspace": {"agents": after}})
    assert live.now().bypass("U").on
    assert not live.now().bypass("T").on
    assert "T" in live.now().agents


def test_what_appeared_in_the_users_own_settings_can_be_held_back(live: LiveSettings) -> None:
    before = {"mode": "ask", "toolAllowlist": ["a"], "bypassAvailable": False, "agents": {"M": {"command": "m"}}}
    after = {
        "toolAllowlist": ["a", "b"],
        "bypassPermissions": {"M": True},
        "agents": {"M": {"command": "m"}},
        "matrixOverrides": {"default": {"write": "auto", "execute": "ask"}},
        "confirmOutsideWorkspace": False,
        ALLOW: {"t": ["x"]},
    }
    live.client_settings({"user": after})
    appeared = live.appeared_in_user(before, after)
    assert sorted((entry.setting, entry.entry) for entry in appeared) == [
        (ALLOW, '["t", "x"]'),
        ("bypassAvailable", "bypassAvailable"),
        ("bypassPermissions", "M"),
        ("confirmOutsideWorkspace", "confirmOutsideWorkspace"),
        ("matrixOverrides", "default.write"),
        ("mode", "default"),
        ("toolAllowlist", "b"),
    ]
    assert live.appeared_in_user(after, after) == ()
    assert live.appeared_in_user(after, before) == ()
    assert live.now().bypass("M").on
    live.withheld = frozenset(entry.consent for entry in appeared)
    now = live.now()
    assert not now.bypass("M").on
    assert not now.bypass_available
    assert now.rules.always_allowed == {"a"}
    assert now.rules.rules == ()
    assert now.mode_for_new_chats is Mode.ASK
    assert now.confirm_outside_workspace
    assert auto_cells(now) == set()
    live.withheld = frozenset()
    assert live.now().bypass("M").on


def auto_cells(now: Effective) -> set[tuple[str, str]]:
    overrides = now.matrix_overrides.items()
    return {(mode, category) for mode, cells in overrides for category, cell in cells.items() if cell is Cell.AUTO}

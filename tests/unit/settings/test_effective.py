"""What the settings of all scopes come to: who wins, what needs consent, what a wrong value means."""

from pathlib import Path

import pytest

from assent.model.modes import Mode
from assent.settings.agents import bypass_consent
from assent.settings.effective import Effective, WriteTarget, before_settings, effective
from assent.settings.facts import Facts
from assent.settings.layers import Scope, layers_from
from assent.settings.reading import SettingsFile
from assent.settings.scales import Consents

DEMO = {"Demo": {"provider": "demo"}}


class NoFiles(dict):
    """No definition names a file of the workspace."""

    def get(self, key, default=None):
        return ()


AGREED: Consents = lambda _: lambda _: True  # noqa: E731


def come_to(user=None, workspace=None, folder=None, *, agreed=False, trusted=True, builtin=DEMO) -> Effective:
    layers = layers_from({"user": user, "workspace": workspace, "folder": folder}, None)
    return effective(
        layers,
        consents=lambda _: lambda _: agreed or None,
        workspace_trusted=trusted,
        builtin_agents=builtin,
        facts=Facts(files=NoFiles()),
    )


def texts(result: Effective) -> str:
    return "\n".join(diagnostic.sentence for diagnostic in result.diagnostics)


ON, OFF = {"bypassPermissions": {"Demo": True}}, {"bypassPermissions": {"Demo": False}}
ON_BESIDE = {"agents": {"Demo": {"bypassPermissions": True}}}


def test_without_any_setting_the_defaults_count() -> None:
    result = come_to()
    assert result.mode_for_new_chats is Mode.DEFAULT
    assert result.mode_ceiling is None
    assert result.agent_for_new_chats is None
    assert list(result.agents) == ["Demo"]
    assert result.bypass_available
    assert result.confirm_outside_workspace
    assert result.enabled
    assert result.write_target is WriteTarget.WORKSPACE
    assert not result.bypass("Demo").on
    assert result.diagnostics == ()


def test_before_the_settings_came_every_chat_asks() -> None:
    result = before_settings(DEMO)
    assert result.mode_ceiling is Mode.ASK
    assert result.mode_ceiling is Mode.ASK
    assert not result.bypass("Demo").on


@pytest.mark.parametrize(
    ("user", "workspace", "folder", "agreed", "trusted", "on"),
    [
        (ON, None, None, False, True, True),
        (ON, None, None, False, False, True),
        (None, ON, None, False, True, False),
        (None, ON, None, True, True, True),
        (None, ON, None, True, None, True),
        (None, ON, None, True, False, False),
        (OFF, ON, None, True, True, True),
        (OFF, ON, None, False, True, False),
        (ON, OFF, None, True, True, False),
        (ON, ON, None, False, True, True),
        (None, ON, OFF, True, True, False),
        (ON, ON, OFF, True, True, False),
        (None, OFF, ON, True, True, True),
        (ON, OFF, ON, False, True, False),
        ({**ON, "bypassAvailable": False}, ON, ON, True, True, False),
        (ON, {"bypassAvailable": False}, None, False, True, True),
        ({"bypassAvailable": False}, {**ON, "bypassAvailable": True}, None, True, True, False),
        ({"agents": {"Demo": {"provider": "demo", "bypassPermissions": True}}}, None, None, False, True, True),
        ({"agents": {"Demo": {"provider": "demo", "bypassPermissions": True}}, **OFF}, None, None, False, True, False),
        (None, ON_BESIDE, None, True, True, True),
        (None, ON_BESIDE, None, False, True, False),
        (None, {**ON_BESIDE, **OFF}, None, True, True, False),
    ],
)
def test_who_decides_on_the_bypass(user, workspace, folder, agreed, trusted, on) -> None:
    assert come_to(user, workspace, folder, agreed=agreed, trusted=trusted).bypass("Demo").on is on


def test_a_consent_is_asked_for_the_agent_as_it_is_defined_now() -> None:
    asked = []
    layers = layers_from({"workspace": ON}, None)
    result = effective(layers, consents=lambda _: asked.append, builtin_agents=DEMO)
    assert asked == [bypass_consent("Demo", result.agents["Demo"].digest)]
    changed = effective(layers, builtin_agents={"Demo": {"provider": "demo", "model": "other"}})
    assert changed.agents["Demo"].digest != result.agents["Demo"].digest


def test_a_verdict_says_where_it_comes_from_and_what_waits_for_consent() -> None:
    waiting = come_to(OFF, ON).bypass("Demo")
    assert waiting.without_consent is not None
    assert waiting.without_consent.scope is Scope.WORKSPACE
    assert waiting.origin is not None
    assert waiting.origin.scope is Scope.USER
    assert "You have not agreed" in waiting.text
    on = come_to(None, ON, agreed=True).bypass("Demo")
    assert on.origin is not None
    assert on.origin.scope is Scope.WORKSPACE
    assert "the workspace settings" in on.text


@pytest.mark.parametrize("value", ["yes", "true", 1, 0, [], {}, [True], 1.0])
def test_only_true_is_true(value: object) -> None:
    for layers in (
        {"user": {"bypassPermissions": {"Demo": value}}},
        {"user": {**ON_BESIDE, "bypassPermissions": {"Demo": value}}},
        {"user": ON, "workspace": {"bypassPermissions": {"Demo": value}}},
        {"user": ON, "folder": {"agents": {"Demo": {"bypassPermissions": value}}}},
    ):
        result = come_to(**layers, agreed=True)
        assert not result.bypass("Demo").on
        assert "true or false" in texts(result)


@pytest.mark.parametrize("value", [True, "x", 1, ["Demo"]])
def test_a_bypass_map_that_is_none_switches_everything_off(value: object) -> None:
    for layers in (
        {"user": {**ON_BESIDE, "bypassPermissions": value}},
        {"user": ON, "workspace": {"bypassPermissions": value}},
    ):
        result = come_to(**layers, agreed=True)
        assert not result.bypass("Demo").on
        assert "assent.bypassPermissions should be an object" in texts(result)


def test_the_bypass_of_an_agent_that_nobody_defines_is_off() -> None:
    result = come_to({"bypassPermissions": {"Ghost": True}})
    assert not result.bypass("Ghost").on
    assert 'There is no agent "Ghost"' in texts(result)


@pytest.mark.parametrize(
    ("user", "workspace", "folder", "mode"),
    [
        ("auto", None, None, Mode.AUTO),
        ("auto_accept_all", None, None, Mode.AUTO),
        ("auto", "ask", None, Mode.ASK),
        ("auto", "ask", "plan", Mode.PLAN),
        ("auto", "plan", "auto", Mode.PLAN),
        (None, "auto", "auto", Mode.DEFAULT),
        ("plan", "auto", None, Mode.PLAN),
        ("ask", "default", None, Mode.ASK),
        ("default", "Auto", "yolo", Mode.DEFAULT),
        ("Auto", None, None, Mode.ASK),
        (1, None, None, Mode.ASK),
    ],
)
def test_a_workspace_can_only_tighten_the_mode(user, workspace, folder, mode: Mode) -> None:
    result = come_to({"mode": user}, {"mode": workspace}, {"mode": folder})
    assert result.mode_for_new_chats is mode


def test_a_looser_mode_of_a_workspace_waits() -> None:
    assert "New chats would start in the mode “Auto-accept all”" in texts(come_to({}, {"mode": "auto"}))
    assert texts(come_to({"mode": "auto"}, {"mode": "auto"})) == ""
    assert "assent.mode should be plan, ask, default or auto" in texts(come_to({}, {"mode": "yolo"}))


def test_without_consent_agents_come_from_the_user_alone() -> None:
    mine = {"provider": "scripted", "script": "turns"}
    result = come_to(
        {"agents": {"Mine": mine, "Demo": {"provider": "demo", "model": "x"}}},
        {"agents": {"Mine": {**mine, "script": "theirs"}, "Theirs": {"command": "evil"}, "Demo": ON_BESIDE}},
    )
    assert result.agents["Mine"].definition == mine
    assert result.agents["Demo"].definition == {"provider": "demo", "model": "x"}
    assert "Theirs" not in result.agents
    assert "The agent “Theirs” would be the program “evil”" in texts(result)
    assert "The agent “Mine” would be what answers at “theirs”" in texts(result)


def test_a_workspace_that_repeats_a_definition_is_not_reported() -> None:
    mine = {"command": "npx", "args": ["x"], "env": {}}
    assert texts(come_to({"agents": {"Mine": mine}}, {"agents": {"Mine": {**mine, "bypassPermissions": False}}})) == ""


def test_an_agent_is_the_users_where_the_user_defines_it_whatever_repeats_it() -> None:
    mine = {"provider": "ollama", "model": "a"}
    theirs = {"provider": "ollama", "model": "b", "baseUrl": "http://elsewhere"}
    result = come_to({"agents": {"Mine": mine}}, {"agents": {"Mine": mine, "Theirs": theirs}}, agreed=True)
    assert result.agents["Mine"].of_user
    assert not result.agents["Theirs"].of_user
    assert not come_to({"agents": {"Mine": mine}}, {"agents": {"Mine": theirs}}, agreed=True).agents["Mine"].of_user


def test_a_model_that_cannot_be_reached_is_named_and_stays() -> None:
    result = come_to({"agents": {"Mine": {"provider": "ollama"}}})
    assert 'The agent "Mine" cannot answer: the provider ollama needs a model' in texts(result)
    assert "Mine" in result.agents


ILL_DEFINED = [
    None,
    1,
    "npx",
    [],
    {},
    {"command": ""},
    {"command": 1},
    {"command": "x", "provider": "demo"},
    {"command": "x", "args": "y"},
    {"command": "x", "args": [1]},
    {"command": "x", "env": []},
    {"command": "x", "env": {"A": 1}},
    {"command": "x", "n": float("nan")},
]


@pytest.mark.parametrize("value", ILL_DEFINED)
def test_an_agent_that_is_not_well_defined_is_left_out_and_the_others_stay(value: object) -> None:
    result = come_to({"agents": {"Broken": value, "Good": {"command": "x"}}})
    assert sorted(result.agents) == ["Demo", "Good"]
    assert 'The agent "Broken" is left out' in texts(result)


@pytest.mark.parametrize("name", ["__proto__", "a.b.c", "", " ", "🦊", "\ud800", "x" * 300])
def test_an_agent_may_have_any_name(name: str) -> None:
    result = come_to({"agents": {name: {"command": "x"}}, "bypassPermissions": {name: True}})
    assert result.bypass(name).on


def test_the_agent_of_new_chats_is_the_users_choice() -> None:
    assert come_to({"agent": "Demo"}, {"agent": "Demo"}).agent_for_new_chats == "Demo"
    theirs = come_to({}, {"agent": "Demo"})
    assert theirs.agent_for_new_chats is None
    assert "New chats would start with the agent “Demo”" in texts(theirs)
    for wrong in ("Ghost", 1, ["Demo"], {}):
        result = come_to({"agent": wrong})
        assert result.agent_for_new_chats is None
        assert ('There is no agent "Ghost"' if wrong == "Ghost" else "assent.agent should be the name") in texts(result)


def test_switches_of_the_machine_ignore_the_workspace() -> None:
    theirs = {"bypassAvailable": True, "confirmOutsideWorkspace": False, "bypassWriteTarget": "user"}
    result = come_to({"bypassAvailable": False}, theirs, theirs)
    assert not result.bypass_available
    assert result.confirm_outside_workspace
    assert result.write_target is WriteTarget.WORKSPACE
    assert texts(result).count("counts only in your user settings") == 6
    mine = come_to({"confirmOutsideWorkspace": False, "bypassWriteTarget": "user"})
    assert not mine.confirm_outside_workspace
    assert mine.write_target is WriteTarget.USER


def test_a_switch_with_a_wrong_value_takes_its_safe_side() -> None:
    wrong = {"bypassAvailable": "no", "confirmOutsideWorkspace": "no", "enabled": "no", "bypassWriteTarget": ["user"]}
    result = come_to(wrong)
    assert not result.bypass_available
    assert result.confirm_outside_workspace
    assert not result.enabled
    assert result.write_target is WriteTarget.WORKSPACE
    assert len(result.diagnostics) == 4


def test_a_workspace_can_only_switch_assent_off() -> None:
    assert not come_to({}, {"enabled": False}).enabled
    assert not come_to({"enabled": False}, {"enabled": True}, {"enabled": True}).enabled


@pytest.mark.parametrize("blocks", [1, "x", [], True, {"user": []}, {"user": "x"}])
def test_settings_that_are_none_permit_nothing_and_every_chat_asks(blocks: object) -> None:
    result = effective(layers_from(blocks, None), builtin_agents=DEMO)
    assert result.mode_ceiling is Mode.ASK
    assert "cannot be read" in texts(result)


def test_a_workspace_block_that_is_none_permits_nothing() -> None:
    result = effective(
        layers_from({"user": {}, "workspace": 5, "folder": ON}, None),
        consents=AGREED,
        builtin_agents=DEMO,
    )
    assert not result.bypass("Demo").on
    assert result.mode_ceiling is Mode.ASK


def test_hostile_settings_cost_little(tmp_path: Path) -> None:
    many = {f"agent {number}": "x" for number in range(50_000)}
    result = come_to({}, {"bypassPermissions": many, "agents": many, "x": many})
    assert len(result.diagnostics) <= 50


def file_with(tmp_path: Path, text: str) -> SettingsFile:
    path = tmp_path / "settings.json"
    path.write_text(text)
    return SettingsFile(path)


def test_of_a_client_without_scopes_the_workspaces_file_is_read(tmp_path: Path) -> None:
    file = file_with(
        tmp_path, '{\n"assent.mode": "plan",\n"assent": {\n"bypassPermissions": {"Demo": true}}, "mode": "auto"}'
    )
    for blocks in (None, {}, {"user": {"mode": "auto"}}):
        result = effective(layers_from(blocks, file.read()), consents=AGREED, builtin_agents=DEMO)
        assert result.mode_for_new_chats is Mode.PLAN
        origin = result.bypass("Demo").origin
        assert origin is not None
        assert (origin.file, origin.line) == (str(file.file), 4)


def test_of_a_client_with_scopes_the_file_gives_the_lines_and_only_restricts(tmp_path: Path) -> None:
    file = file_with(tmp_path, '{\n"assent.bypassPermissions": {\n"Demo": true}}')
    same = effective(layers_from({"workspace": ON}, file.read()), consents=AGREED, builtin_agents=DEMO)
    origin = same.bypass("Demo").origin
    assert origin is not None
    assert origin.line == 3
    unseen = effective(layers_from({"workspace": {}}, file.read()), consents=AGREED, builtin_agents=DEMO)
    assert not unseen.bypass("Demo").on
    file.file.write_text(
        '{"assent.bypassPermissions": {"Demo": false}, "assent.mode": "plan", "assent.enabled": false}'
    )
    tighter = effective(layers_from({"workspace": ON, "user": ON}, file.read()), consents=AGREED, builtin_agents=DEMO)
    assert not tighter.bypass("Demo").on
    assert tighter.mode_for_new_chats is Mode.PLAN
    assert not tighter.enabled


def test_a_file_that_breaks_keeps_its_restrictions_and_loses_its_permissions(tmp_path: Path) -> None:
    text = '{"assent.bypassPermissions": {"Demo": true, "Other": false}, "assent.mode": "ask"}'
    file = file_with(tmp_path, text)
    user = {"agents": {"Other": {"command": "x"}}, "bypassPermissions": {"Other": True}, "mode": "auto"}
    file.read()
    file.file.write_text(text + "\n]")
    for blocks in ({"user": user}, {"user": user, "workspace": ON, "folder": ON}):
        result = effective(layers_from(blocks, file.read()), consents=AGREED, builtin_agents=DEMO)
        assert not result.bypass("Demo").on
        assert not result.bypass("Other").on
        assert result.mode_for_new_chats is Mode.ASK
        assert result.mode_ceiling is None
        assert "cannot be read: line 2" in texts(result)
        assert texts(result).count("cannot be read") == 1


def test_a_file_that_was_never_good_makes_every_chat_ask_and_takes_every_stored_permission_away(
    tmp_path: Path,
) -> None:
    user = {"mode": "auto", **ON, "toolAllowlist": ["write_file"], "alwaysAllowRules": {"bash": ["*"]}}
    result = effective(layers_from({"user": user}, file_with(tmp_path, "{").read()), builtin_agents=DEMO)
    assert result.mode_ceiling is Mode.ASK
    assert not result.bypass("Demo").on and not result.bypass_available
    assert "cannot be read" in result.bypass("Demo").text
    assert result.rules.always_allowed == frozenset()
    assert any("nothing that is stored in any settings permits anything" in one.text for one in result.diagnostics)


def test_what_was_last_read_of_a_file_that_broke_restricts_and_the_user_permits(tmp_path: Path) -> None:
    file = file_with(tmp_path, '{"assent.alwaysDenyRules": {"write_file": ["infra/**"]}}')
    file.read()
    (tmp_path / "settings.json").write_text("{")
    result = effective(layers_from({"user": ON}, file.read()), builtin_agents=DEMO)
    assert result.mode_ceiling is None and result.bypass("Demo").on
    assert [rule.pattern for rule in result.rules.rules] == ["infra/**"]


def test_restrictions_that_make_no_sense_take_every_stored_permission_away() -> None:
    user = {
        "bypassPermissions": {"Coder": True},
        "agents": {"Coder": {"command": "coder"}},
        "alwaysAllowRules": {"write_file": ["docs/**"]},
        "alwaysDenyRules": {"write_file": ["infra/**"]},
        "toolAllowlist": ["read_file"],
    }
    sound = effective(layers_from({"user": user}, None))
    assert sound.bypass("Coder").on and sound.bypass_available and sound.rules.always_allowed

    result = effective(layers_from({"user": user, "workspace": {"alwaysDenyRules": 5}}, None))
    assert result.mode_ceiling is Mode.ASK
    assert not result.bypass("Coder").on and not result.bypass_available
    assert result.rules.always_allowed == frozenset()
    assert [rule.pattern for rule in result.rules.rules] == ["infra/**"]

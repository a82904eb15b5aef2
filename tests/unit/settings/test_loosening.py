"""What a workspace's settings would loosen: it waits, counts once agreed to, and is ignored once refused."""

from dataclasses import replace
from typing import Any

import pytest

from assent.model.limits import ShellLimits
from assent.model.modes import Category, Mode
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.model.services import Maker, Makes, ServiceChoice, usual_service
from assent.policy.matrix import Cell
from assent.settings.consent import Consent
from assent.settings.effective import Effective, before_settings, effective
from assent.settings.entries import loosening_of
from assent.settings.facts import Facts, NamedFile
from assent.settings.layers import Layer, Layers, Scope
from assent.settings.loosening import LooseningEntry, bounded, shown

BUILTIN = {"Demo": {"provider": "demo"}}
ALLOW = "alwaysAllowRules"
DRAWN_THERE = {"provider": "automatic1111", "baseUrl": "http://there.example"}
SEARCHED_THERE = {"provider": "searxng", "baseUrl": "http://there.example"}
SPOKEN_THERE = {"provider": "openai-compatible", "baseUrl": "http://there.example/v1", "model": "m"}
DRAWS, SPEAKS = usual_service(Makes.IMAGES), usual_service(Makes.SPEECH)
DRAWS_THERE = ServiceChoice(Maker.AUTOMATIC1111, "http://there.example")
SPEAKS_THERE = ServiceChoice(Maker.OPENAI, "http://there.example/v1", "m")
FOR_X = {"pattern": "a", "agents": ["X"]}
MINE = {"command": "mine"}
THEIRS = {"command": "theirs", "args": ["./run.js"]}


class Told(dict[Any, Any]):
    """Facts about everything: a directory leads where it says, a definition names one file."""

    def __init__(self, make: Any) -> None:
        super().__init__()
        self._make = make

    def get(self, key: Any, default: Any = None) -> Any:
        return self._make(*key)


class Scene:
    """Layers and answers, as they change."""

    def __init__(self, workspace: Any = None, *, user: Any = None, folder: Any = None, trusted: bool = True) -> None:
        self.layers = Layers(
            Layer(Scope.USER, user or {}), Layer(Scope.WORKSPACE, workspace or {}), Layer(Scope.FOLDER, folder or {})
        )
        self.answers: dict[tuple[str | None, Consent], bool] = {}
        self.content = "content"
        self.trusted: bool | None = trusted
        self.withheld: set[Consent] = set()

    def now(self) -> Effective:
        facts = Facts(
            ("/work",),
            Told(lambda _, text: text if text.startswith("/") else None),
            Told(lambda *_: (NamedFile("run.js", self.content),)),
        )
        return effective(
            self.layers,
            consents=lambda folder: lambda consent: self.answers.get((folder, consent)),
            workspace_trusted=self.trusted,
            builtin_agents=BUILTIN,
            facts=facts,
            withheld=self.withheld.__contains__,
        )

    @property
    def awaiting(self) -> tuple[LooseningEntry, ...]:
        return self.now().awaiting

    def answer(self, honoured: bool) -> Effective:
        """Answers all that waits, until nothing does."""
        while entries := self.awaiting:
            self.answers |= {(entry.folder, entry.consent): honoured for entry in entries}
        return self.now()

    def workspace(self, **values: Any) -> None:
        self.layers = replace(self.layers, workspace=replace(self.layers.workspace, values=values))


def agents(result: Effective) -> dict[str, Any]:
    return {name: agent.definition for name, agent in result.agents.items()}


def counts(result: Effective) -> dict[str, Any]:
    """What of all that a workspace may loosen counts."""
    return {
        "mode": result.mode_for_new_chats,
        "agent": result.agent_for_new_chats,
        "agents": agents(result),
        "bypass": {name for name in result.agents if result.bypass(name).on},
        "rules": [(rule.tool, rule.pattern, rule.agents) for rule in result.rules.rules],
        "tools": result.rules.always_allowed,
        "directories": result.additional_directories,
        "shell": result.shell,
        "sandbox": result.sandbox,
        "collections": {(one.name, *one.folders, one.include) for one in result.collections},
        "servers": {name: server.definition for name, server in result.mcp_servers.items()},
        "services": (result.images, result.speech),
        "searches": result.web_search,
    }


NOTHING = counts(Scene().now())

LOOSENING = [
    pytest.param({ALLOW: {"t": ["a/**"]}}, {"rules": [("t", "a/**", None)]}, id="rule"),
    pytest.param(
        {ALLOW: {"t": [{"pattern": "a", "agents": ["Demo"]}]}},
        {"rules": [("t", "a", ("Demo",))]},
        id="rule of an agent",
    ),
    pytest.param({"toolAllowlist": ["t"]}, {"tools": frozenset({"t"})}, id="tool"),
    pytest.param({"bypassPermissions": {"Demo": True}}, {"bypass": {"Demo"}}, id="bypass"),
    pytest.param({"agents": {"Demo": {"bypassPermissions": True}}}, {"bypass": {"Demo"}}, id="bypass beside"),
    pytest.param({"additionalWorkingDirectories": ["/x"]}, {"directories": ("/x",)}, id="directory"),
    pytest.param({"shell": {"path": "/bin/x"}}, {"shell": ShellLimits(path="/bin/x")}, id="shell"),
    pytest.param({"shell": {"maxProcesses": 513}}, {"shell": ShellLimits(max_processes=513)}, id="processes"),
    pytest.param({"sandbox": {"enabled": "off"}}, {"sandbox": SandboxChoice(SandboxKind.OFF)}, id="no sandbox"),
    pytest.param({"sandbox": {"autoAllow": True}}, {"sandbox": SandboxChoice(auto_allow=True)}, id="unasked"),
    pytest.param({"sandbox": {"network": True}}, {"sandbox": SandboxChoice(network=True)}, id="network"),
    pytest.param({"sandbox": {"writable": ["/x"]}}, {"sandbox": SandboxChoice(writable=("/x",))}, id="writable"),
    pytest.param({"images": DRAWN_THERE}, {"services": (DRAWS_THERE, SPEAKS)}, id="pictures"),
    pytest.param({"speech": SPOKEN_THERE}, {"services": (DRAWS, SPEAKS_THERE)}, id="speech"),
    pytest.param(
        {"webSearch": SEARCHED_THERE}, {"searches": ServiceChoice(Maker.SEARXNG, "http://there.example")}, id="searches"
    ),
    pytest.param({"webSearch": {"provider": "brave"}}, {"searches": ServiceChoice(Maker.BRAVE)}, id="a known place"),
    pytest.param({"mode": "auto"}, {"mode": Mode.AUTO}, id="mode"),
    pytest.param({"agent": "Demo"}, {"agent": "Demo"}, id="agent"),
    pytest.param({"agents": {"T": THEIRS}}, {"agents": {**BUILTIN, "T": THEIRS}}, id="definition"),
    pytest.param(
        {"collections": {"n": {"path": "/x", "include": ["*.md"]}}},
        {"collections": {("n", "/x", ("*.md",))}},
        id="collection",
    ),
    pytest.param({"mcpServers": {"t": THEIRS}}, {"servers": {"t": THEIRS}}, id="server"),
]


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
@pytest.mark.parametrize("scope", ["workspace", "folder"])
def test_it_waits_and_counts_with_the_users_agreement_alone(workspace: Any, change: dict[str, Any], scope: str) -> None:
    scene = Scene(**{scope: workspace})
    assert counts(scene.now()) == NOTHING
    (entry,) = scene.awaiting
    assert f"{entry.words} This has no effect until you agree to it." in [
        diagnostic.text for diagnostic in scene.now().diagnostics
    ]
    agreed = scene.answer(honoured=True)
    assert counts(agreed) == NOTHING | change
    assert agreed.awaiting == ()
    assert agreed.diagnostics == ()


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_refused_it_is_ignored_and_nobody_is_asked_again(workspace: Any, change: dict[str, Any]) -> None:
    refused = Scene(workspace)
    result = refused.answer(honoured=False)
    assert counts(result) == NOTHING
    assert result.awaiting == ()
    assert result.diagnostics == ()


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_without_trust_nobody_is_asked_and_no_agreement_counts(workspace: Any, change: dict[str, Any]) -> None:
    scene = Scene(workspace)
    scene.answer(honoured=True)
    scene.trusted = False
    assert counts(scene.now()) == NOTHING
    assert scene.awaiting == ()
    assert "This workspace is not trusted" in scene.now().diagnostics[0].text
    assert len(scene.now().diagnostics) == 1
    scene.trusted = None
    assert counts(scene.now()) == NOTHING | change


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
@pytest.mark.parametrize("which", ["workspace", "folder", "disk", "other"])
def test_settings_that_cannot_be_read_permit_nothing_and_ask_nothing(
    workspace: Any, change: dict[str, Any], which: str
) -> None:
    scene = Scene(workspace)
    scene.answer(honoured=True)
    broken = Layer(Scope.WORKSPACE, fault="broken", values=scene.layers.workspace.values, restricts_as_last_read=True)
    layer = {"others": (broken,)} if which == "other" else {which: broken}
    scene.layers = replace(scene.layers, **layer)
    assert counts(scene.now()) == NOTHING
    assert scene.awaiting == ()


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_what_only_restricts_permits_nothing_and_asks_nothing(workspace: Any, change: dict[str, Any]) -> None:
    scene = Scene()
    scene.layers = replace(scene.layers, disk=Layer(Scope.WORKSPACE, workspace, only_restricts=True))
    assert counts(scene.answer(honoured=True)) == NOTHING
    assert scene.answers == {}


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_what_the_users_settings_permit_anyway_is_not_asked_about(workspace: Any, change: dict[str, Any]) -> None:
    scene = Scene(workspace, user={"agents": {"Demo": BUILTIN["Demo"]}} | workspace)
    if workspace.get("agents", {}).get("Demo"):
        scene = Scene(workspace, user={"agents": {"Demo": {**BUILTIN["Demo"], "bypassPermissions": True}}})
    assert counts(scene.now()) == NOTHING | change
    assert scene.awaiting == ()
    assert scene.now().diagnostics == ()


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_a_folder_of_its_own_needs_an_agreement_of_its_own(workspace: Any, change: dict[str, Any]) -> None:
    scene = Scene(workspace)
    scene.answer(honoured=True)
    scene.layers = Layers(others=(Layer(Scope.FOLDER, workspace, folder="/other"),))
    assert counts(scene.now()) == NOTHING
    assert [entry.folder for entry in scene.awaiting] == ["/other"]
    assert counts(scene.answer(honoured=True)) == NOTHING | change


@pytest.mark.parametrize(("workspace", "change"), LOOSENING)
def test_without_a_place_for_answers_nobody_is_asked(workspace: Any, change: dict[str, Any]) -> None:
    result = effective(Scene(workspace).layers, consents=lambda _: None, builtin_agents=BUILTIN)
    assert counts(result) == NOTHING
    assert result.awaiting == ()


def test_restrictions_in_doubt_take_along_what_was_agreed_to_and_ask_nothing() -> None:
    for block in ({ALLOW: {"t": ["a"]}}, {"toolAllowlist": ["t"]}, {"additionalWorkingDirectories": ["/x"]}):
        scene = Scene(block)
        scene.answer(honoured=True)
        scene.layers = replace(scene.layers, folder=Layer(Scope.FOLDER, {"alwaysDenyRules": 5, "mode": "auto"}))
        assert counts(scene.now()) == NOTHING
        assert scene.awaiting == ()
        assert not scene.now().session_grants


def test_in_doubt_the_users_own_directories_do_not_count_either() -> None:
    scene = Scene({"alwaysDenyRules": 5}, user={"additionalWorkingDirectories": ["/x"]})
    assert scene.now().additional_directories == ()


def test_as_long_as_the_users_settings_are_not_known_every_switch_is_in_its_safe_position() -> None:
    unknown = Scene({"toolAllowlist": ["t"]})
    unknown.layers = replace(unknown.layers, user=Layer(Scope.USER, fault="broken"))
    for result in (before_settings(BUILTIN), unknown.now()):
        assert not result.bypass_available
        assert not result.session_grants
        assert result.confirm_outside_workspace
        assert result.mode_ceiling is Mode.ASK
        assert result.awaiting == ()


# What an answer is bound to


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({ALLOW: {"t": ["a"]}}, {ALLOW: {"t": ["a*"]}}),
        ({ALLOW: {"t": ["a"]}}, {ALLOW: {"u": ["a"]}}),
        ({ALLOW: {"t": [{"pattern": "a", "agents": ["Demo"]}]}}, {ALLOW: {"t": ["a"]}}),
        (
            {ALLOW: {"t": [{"pattern": "a", "agents": ["X"]}]}},
            {ALLOW: {"t": [{"pattern": "a", "agents": ["X", "Demo"]}]}},
        ),
        ({ALLOW: {"a": ["b, c"]}}, {ALLOW: {"a, b": ["c"]}}),
        ({"toolAllowlist": ["t"]}, {"toolAllowlist": ["u"]}),
        ({"additionalWorkingDirectories": ["/x"]}, {"additionalWorkingDirectories": ["/"]}),
        ({"shell": {"path": "/bin/x"}}, {"shell": {"path": "/bin/y"}}),
        ({"sandbox": {"writable": ["/x"]}}, {"sandbox": {"writable": ["/"]}}),
        ({"sandbox": {"enabled": "landlock"}}, {"sandbox": {"enabled": "off"}}),
        ({"images": DRAWN_THERE}, {"images": {**DRAWN_THERE, "baseUrl": "http://other.example"}}),
        ({"images": DRAWN_THERE}, {"images": {**DRAWN_THERE, "apiKeyEnv": "KEY"}}),
        ({"speech": SPOKEN_THERE}, {"speech": {**SPOKEN_THERE, "baseUrl": "http://other.example"}}),
        ({"webSearch": SEARCHED_THERE}, {"webSearch": {**SEARCHED_THERE, "baseUrl": "http://other.example"}}),
        ({"webSearch": {"provider": "brave"}}, {"webSearch": {"provider": "tavily"}}),
        ({"mode": "plan"}, {"mode": "auto"}),
        ({"agents": {"T": THEIRS}}, {"agents": {"T": {**THEIRS, "args": ["./run.js", "-x"]}}}),
        ({"agents": {"T": THEIRS}}, {"agents": {"T": {**THEIRS, "env": {"PATH": "."}}}}),
        ({"agents": {"T": THEIRS}}, {"agents": {"U": THEIRS}}),
        ({"mcpServers": {"t": THEIRS}}, {"mcpServers": {"t": {**THEIRS, "args": ["./run.js", "-x"]}}}),
        ({"mcpServers": {"t": THEIRS}}, {"mcpServers": {"t": {**THEIRS, "env": {"PATH": "."}}}}),
        ({"mcpServers": {"t": THEIRS}}, {"mcpServers": {"u": THEIRS}}),
        ({"collections": {"n": {"path": "/x"}}}, {"collections": {"n": {"path": "/"}}}),
        ({"collections": {"n": {"path": "/x"}}}, {"collections": {"n": {"path": "/x", "include": ["**"]}}}),
        (
            {"collections": {"n": {"path": "/x", "exclude": ["private"]}}},
            {"collections": {"n": {"path": "/x", "exclude": []}}},
        ),
        ({"mcpServers": {"t": {"url": "https://a/"}}}, {"mcpServers": {"t": {"url": "https://b/"}}}),
    ],
)
def test_a_changed_entry_inherits_nothing(before: Any, after: Any) -> None:
    scene = Scene(before, user={"mode": "ask"})
    scene.answer(honoured=True)
    scene.workspace(**after)
    untouched = Scene(after, user={"mode": "ask"})
    assert counts(scene.now()) == counts(untouched.now())
    assert scene.awaiting == untouched.awaiting != ()


def test_what_was_refused_asks_again_once_it_is_something_else() -> None:
    scene = Scene({"mode": "default"}, user={"mode": "ask"})
    scene.answer(honoured=False)
    scene.workspace(mode="auto")
    assert [entry.after for entry in scene.awaiting] == ["auto"]


def test_an_agent_is_bound_to_the_files_of_the_workspace_that_it_names() -> None:
    scene = Scene({"agents": {"T": THEIRS}})
    assert agents(scene.answer(honoured=True)).keys() == {"Demo", "T"}
    scene.content = "changed"
    assert agents(scene.now()).keys() == {"Demo"}
    (entry,) = scene.awaiting
    assert "“run.js”" in entry.words
    scene.content = "content"
    assert agents(scene.now()).keys() == {"Demo", "T"}


def test_a_server_and_the_word_of_its_tools_are_bound_to_the_files_of_the_workspace_that_it_names() -> None:
    scene = Scene({"mcpServers": {"t": THEIRS, "u": {**THEIRS, "trusted": True}}})
    servers = scene.answer(honoured=True).mcp_servers
    assert {name: server.trusted for name, server in servers.items()} == {"t": False, "u": True}
    scene.content = "changed"
    assert not scene.now().mcp_servers
    assert {entry.setting for entry in scene.awaiting} == {"mcpServers"}
    assert any("“run.js”" in entry.words for entry in scene.awaiting)
    scene.content = "content"
    assert scene.now().mcp_servers.keys() == {"t", "u"}


def test_the_word_of_a_server_is_bound_to_its_files_where_the_server_itself_was_agreed_to_anew() -> None:
    scene = Scene({"mcpServers": {"u": {**THEIRS, "trusted": True}}})
    scene.answer(honoured=True)
    scene.content = "changed"
    scene.answers |= {(one.folder, one.consent): True for one in scene.awaiting if one.after is not True}
    assert not scene.now().mcp_servers["u"].trusted
    assert [one.after for one in scene.awaiting] == [True]


def test_a_hook_is_bound_to_the_files_of_the_workspace_that_it_names() -> None:
    scene = Scene({"hooks": {"PreToolUse": [{"command": "./check.sh"}]}})
    assert len(scene.answer(honoured=True).hooks) == 1
    scene.content = "changed"
    assert not scene.now().hooks
    assert [entry.setting for entry in scene.awaiting] == ["hooks"]


def test_an_agent_to_which_too_much_belongs_does_not_count() -> None:
    layers = Scene({"agents": {"T": THEIRS}}).layers
    result = effective(layers, consents=lambda _: lambda _: True, builtin_agents=BUILTIN, facts=Facts())
    assert agents(result) == BUILTIN
    assert result.awaiting == ()
    assert "Too much belongs to the agent" in result.diagnostics[0].text


def test_a_bypass_a_rule_and_a_choice_are_for_the_agent_as_it_was_defined() -> None:
    rules = {"t": [{"pattern": "a", "agents": ["Mine"]}]}
    workspace = {"bypassPermissions": {"Mine": True}, ALLOW: rules, "agent": "Mine"}
    scene = Scene(workspace, user={"agents": {"Mine": MINE}})
    scene.answer(honoured=True)
    assert scene.now().bypass("Mine").on
    scene.layers = replace(scene.layers, user=Layer(Scope.USER, {"agents": {"Mine": {"command": "other"}}}))
    assert not scene.now().bypass("Mine").on
    assert scene.now().rules.rules == ()
    assert scene.now().agent_for_new_chats is None
    assert {entry.setting for entry in scene.awaiting} == {"bypassPermissions", ALLOW, "agent"}


# Definitions of a workspace


def test_a_workspaces_agent_takes_the_place_of_the_users_only_with_agreement_and_inherits_no_trust() -> None:
    user = {
        "agents": {"Mine": {**MINE, "bypassPermissions": True}},
        ALLOW: {"t": [{"pattern": "a", "agents": ["Mine", "Demo"]}], "u": [{"pattern": "b", "agents": ["Mine"]}]},
    }
    scene = Scene({"agents": {"Mine": THEIRS}}, user=user)
    assert agents(scene.now())["Mine"] == MINE
    assert scene.now().bypass("Mine").on
    (entry,) = scene.awaiting
    assert (entry.before, entry.after) == (MINE, THEIRS)
    agreed = scene.answer(honoured=True)
    assert agents(agreed)["Mine"] == THEIRS
    assert not agreed.bypass("Mine").on
    assert counts(agreed)["rules"] == [("t", "a", ("Demo",))]
    assert agreed.diagnostics == ()


def test_a_workspaces_agent_its_bypass_and_its_rules_are_asked_about_together() -> None:
    workspace = {
        "agents": {"T": {**THEIRS, "bypassPermissions": True}},
        ALLOW: {"t": [{"pattern": "a", "agents": ["T"]}]},
        "agent": "T",
    }
    scene = Scene(workspace)
    first = scene.awaiting
    assert sorted(entry.setting for entry in first) == ["agent", "agents", ALLOW, "bypassPermissions"]
    scene.answers = {(entry.folder, entry.consent): True for entry in first}
    agreed = scene.now()
    assert agreed.awaiting == ()
    assert agreed.bypass("T").on
    assert agreed.agent_for_new_chats == "T"
    assert counts(agreed)["rules"] == [("t", "a", ("T",))]


def test_agreement_to_a_bypass_alone_does_not_start_its_agent() -> None:
    scene = Scene({"agents": {"T": {**THEIRS, "bypassPermissions": True}}, "agent": "T"})
    scene.answers = {(entry.folder, entry.consent): entry.setting != "agents" for entry in scene.awaiting}
    assert agents(scene.now()) == BUILTIN
    assert not scene.now().bypass("T").on
    assert scene.now().agent_for_new_chats is None
    assert scene.awaiting == ()


def test_what_was_agreed_to_for_a_definition_that_still_waits_is_not_meant_for_the_users_agent_of_that_name() -> None:
    workspace = {
        "agents": {"Mine": THEIRS, "T": THEIRS},
        "bypassPermissions": {"Mine": True},
        ALLOW: {"t": [{"pattern": "a", "agents": ["Mine"]}]},
        "agent": "T",
    }
    scene = Scene(workspace, user={"agents": {"Mine": MINE}})
    waiting = scene.awaiting
    scene.answers = {(entry.folder, entry.consent): True for entry in waiting if entry.setting != "agents"}
    assert counts(scene.now()) == NOTHING | {"agents": {**BUILTIN, "Mine": MINE}}
    assert scene.awaiting == tuple(entry for entry in waiting if entry.setting == "agents")


def test_a_refused_definition_leaves_the_bypass_to_the_users_agent_of_that_name() -> None:
    scene = Scene({"agents": {"Mine": THEIRS}, "bypassPermissions": {"Mine": True}}, user={"agents": {"Mine": MINE}})
    first = {entry.setting: entry for entry in scene.awaiting}
    scene.answers[None, first["agents"].consent] = False
    (second,) = scene.awaiting
    assert second.setting == "bypassPermissions"
    assert second.digest != first["bypassPermissions"].digest
    scene.answers[None, second.consent] = True
    assert scene.now().bypass("Mine").on
    assert agents(scene.now())["Mine"] == MINE


def test_two_scopes_that_define_an_agent_are_two_entries_and_the_more_specific_counts() -> None:
    one, other = {"command": "one"}, {"command": "other"}
    scene = Scene({"agents": {"T": one}}, folder={"agents": {"T": other}})
    assert {entry.after["command"] for entry in scene.awaiting} == {"one", "other"}  # type: ignore[call-overload,index]
    assert agents(scene.answer(honoured=True))["T"] == other
    assert len(scene.answers) == 2


def test_an_ill_defined_agent_of_a_workspace_is_told_and_left_out() -> None:
    scene = Scene({"agents": {"T": {"command": 5}, "Demo": {"bypassPermissions": False}}})
    assert agents(scene.answer(honoured=True)) == BUILTIN
    assert ['The agent "T" is left out' in one.text for one in scene.now().diagnostics] == [True]


# Modes


@pytest.mark.parametrize(
    ("user", "workspace", "folder", "without", "asked", "agreed"),
    [
        ("ask", "default", None, Mode.ASK, ["default"], Mode.DEFAULT),
        ("ask", "auto", "default", Mode.ASK, ["auto", "default"], Mode.DEFAULT),
        ("ask", "auto", "ask", Mode.ASK, ["auto"], Mode.ASK),
        ("ask", "plan", None, Mode.ASK, ["plan"], Mode.PLAN),
        ("plan", "ask", None, Mode.PLAN, ["ask"], Mode.ASK),
        (None, "auto", "plan", Mode.PLAN, ["auto"], Mode.PLAN),
        (None, "plan", "auto", Mode.PLAN, ["auto"], Mode.AUTO),
        ("auto", "ask", "plan", Mode.PLAN, [], Mode.PLAN),
        ("auto", "plan", "auto", Mode.PLAN, [], Mode.PLAN),
        ("default", "ask", "default", Mode.ASK, [], Mode.ASK),
    ],
)
def test_a_mode_is_tightened_by_anyone_and_loosened_with_agreement(
    user: str | None, workspace: str, folder: str | None, without: Mode, asked: list[str], agreed: Mode
) -> None:
    scene = Scene({"mode": workspace}, user={"mode": user}, folder={"mode": folder})
    assert scene.now().mode_for_new_chats is without
    assert [entry.after for entry in scene.awaiting] == asked
    assert scene.answer(honoured=True).mode_for_new_chats is agreed
    assert counts(Scene({"mode": workspace}, user={"mode": user}, folder={"mode": folder}).answer(False)) == NOTHING | {
        "mode": without
    }


def test_a_mode_that_the_user_made_looser_than_their_own_is_looser() -> None:
    user = {"matrixOverrides": {"ask": {"write": "auto", "execute": "auto"}}}
    scene = Scene({"mode": "ask"}, user=user)
    assert scene.now().mode_for_new_chats is Mode.DEFAULT
    assert [entry.after for entry in scene.awaiting] == ["ask"]
    assert scene.answer(honoured=True).mode_for_new_chats is Mode.ASK
    tightened = Scene({"mode": "plan"}, user={**user, "mode": "auto"}, folder={"mode": "ask"})
    assert tightened.now().mode_for_new_chats is Mode.PLAN
    assert tightened.awaiting == ()


def test_a_mode_that_the_user_made_stricter_than_another_one_takes_its_place() -> None:
    """Default writes here without asking, and auto does not."""
    user = {"matrixOverrides": {"default": {"write": "auto"}, "auto": {"write": "ask"}}, "mode": "auto"}
    scene = Scene({"mode": "default"}, user=user)
    assert scene.now().mode_for_new_chats is Mode.AUTO
    assert [entry.after for entry in scene.awaiting] == ["default"]


# Bypasses


def test_a_bypass_that_could_not_count_is_not_asked_about() -> None:
    for user in ({"bypassAvailable": False}, {"bypassAvailable": "no"}):
        assert Scene({"bypassPermissions": {"Demo": True}}, user=user).awaiting == ()
    assert Scene({"bypassPermissions": {"Demo": True}}, folder={"bypassPermissions": {"Demo": False}}).awaiting == ()
    assert Scene({"bypassPermissions": {"Ghost": True}}).awaiting == ()


@pytest.mark.parametrize("value", ["yes", 1, "true", [True], None, {}])
def test_only_true_is_asked_about(value: object) -> None:
    assert Scene({"bypassPermissions": {"Demo": value}}).awaiting == ()


def test_agreed_to_it_wins_over_the_users_no() -> None:
    scene = Scene({"bypassPermissions": {"Demo": True}}, user={"bypassPermissions": {"Demo": False}})
    (entry,) = scene.awaiting
    assert (entry.before, entry.after) == (False, True)
    assert scene.answer(honoured=True).bypass("Demo").on


# Rules and tools


@pytest.mark.parametrize(
    "entry",
    [
        5,
        {"pattern": 5},
        {"pattern": "a", "agents": []},
        {"pattern": "docs/**", "match": ["src/a"]},
        {"pattern": "docs/**", "notMatch": ["docs/a"]},
        "[",
        "",
    ],
)
def test_a_rule_that_would_allow_nothing_is_told_and_not_asked_about(entry: object) -> None:
    scene = Scene({ALLOW: {"read_file": [entry]}})
    assert scene.awaiting == ()
    assert scene.now().rules.rules == ()
    assert len(scene.now().diagnostics) == 1


def test_a_rule_whose_examples_fail_allows_nothing_and_a_restriction_still_restricts() -> None:
    wrong = {"pattern": "docs/**", "match": ["src/a"]}
    result = Scene(user={ALLOW: {"read_file": [wrong]}, "alwaysDenyRules": {"read_file": [wrong]}}).now()
    assert [(rule.effect.value, rule.pattern) for rule in result.rules.rules] == [("deny", "docs/**")]
    assert ["the rule allows nothing" in one.text for one in result.diagnostics] == [False, True]


def test_examples_without_end_are_not_tried() -> None:
    entry = {"pattern": "docs/**", "match": ["docs/a"] * 501}
    result = Scene(user={ALLOW: {"read_file": [entry]}, "alwaysDenyRules": {"read_file": [entry]}}).now()
    assert [rule.effect.value for rule in result.rules.rules] == ["deny"]
    assert "more than 500 examples" in result.diagnostics[0].text


def test_a_rule_of_the_user_for_all_agents_covers_one_for_some_and_not_the_other_way_round() -> None:
    for_some = {"pattern": "a", "agents": ["Demo"]}
    assert Scene({ALLOW: {"t": [for_some]}}, user={ALLOW: {"t": ["a"]}}).awaiting == ()
    assert len(Scene({ALLOW: {"t": ["a"]}}, user={ALLOW: {"t": [for_some]}}).awaiting) == 1


def test_a_hostile_number_of_entries_is_bounded() -> None:
    many = {"toolAllowlist": [f"t{number}" for number in range(5000)]}
    scene = Scene(many)
    assert len(scene.awaiting) == 50
    assert len(scene.answer(honoured=True).rules.always_allowed) == 200
    assert "Only the first 200 entries" in scene.now().diagnostics[0].text
    assert len(Scene(user=many).now().rules.always_allowed) == 5000


# Directories


def test_directories_are_united_and_what_lies_in_one_that_counts_is_none_of_its_own() -> None:
    theirs = {"additionalWorkingDirectories": ["/x/deep", "/work/sub", "/y", "/y", "/y/deep"]}
    scene = Scene(theirs, user={"additionalWorkingDirectories": ["/x"]})
    assert scene.now().additional_directories == ("/x",)
    assert [entry.after for entry in scene.awaiting] == ["/y", "/y/deep"]
    assert scene.answer(honoured=True).additional_directories == ("/x", "/y")


@pytest.mark.parametrize("value", ["x", 5, {"a": 1}, ["/x", 5], [None], True])
def test_directories_that_are_no_list_of_texts_add_none(value: object) -> None:
    for scene in (Scene({"additionalWorkingDirectories": value}), Scene(user={"additionalWorkingDirectories": value})):
        assert scene.answer(honoured=True).additional_directories == ()
        assert "a list of directories" in scene.now().diagnostics[0].text


def test_a_directory_that_cannot_be_told_is_told_of() -> None:
    scene = Scene({"additionalWorkingDirectories": ["nowhere"]})
    assert scene.answer(honoured=True).additional_directories == ()
    assert "no directory that could be told" in scene.now().diagnostics[0].text


# Switches and the matrix


@pytest.mark.parametrize(
    ("user", "workspace", "on"),
    [(None, None, True), (False, True, False), (True, False, False), ("no", None, False), (None, "no", False)],
)
def test_grants_for_a_chat_are_switched_off_by_anyone(user: object, workspace: object, on: bool) -> None:
    scene = Scene({"sessionGrants": workspace}, user={"sessionGrants": user})
    assert scene.now().session_grants is on


def cells(scene: Scene) -> dict[str, str]:
    return {
        f"{mode}.{category}": cell.value
        for mode, of_mode in scene.now().matrix_overrides.items()
        for category, cell in of_mode.items()
    }


def test_the_user_changes_cells_of_the_matrix() -> None:
    said = {"default": {"write": "auto"}, "auto_accept_all": {"external": "ask"}, "ask": {"read": "auto"}}
    scene = Scene(user={"matrixOverrides": said})
    assert cells(scene) == {"default.write": "auto", "auto.external": "ask", "ask.read": "auto"}
    assert scene.now().diagnostics == ()
    assert scene.now().matrix_overrides[Mode.DEFAULT] == {Category.WRITE: Cell.AUTO}


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("x", {}),
        ([], {}),
        ({"plan": {"write": "auto"}}, {}),
        ({"yolo": {"write": "auto"}}, {}),
        ({"default": "auto"}, {}),
        ({"default": {"internal": "ask"}}, {}),
        ({"default": {"everything": "auto"}}, {}),
        ({"default": {"write": "block"}}, {"default.write": "ask"}),
        ({"default": {"write": "AUTO"}}, {"default.write": "ask"}),
        ({"default": {"write": True}}, {"default.write": "ask"}),
        ({"default": {"write": ["auto"]}}, {"default.write": "ask"}),
        ({"default": {"write": "auto"}, "auto_accept_read_only": {"write": "ask"}}, {"default.write": "ask"}),
        ({"auto_accept_read_only": {"write": "ask"}, "default": {"write": "auto"}}, {"default.write": "ask"}),
    ],
)
def test_what_is_wrong_in_the_matrix_permits_nothing(value: object, left: dict[str, str]) -> None:
    scene = Scene(user={"matrixOverrides": value})
    assert cells(scene) == left
    if not isinstance(value, dict) or len(value) < 2:
        assert len(scene.now().diagnostics) == 1


def test_a_workspace_changes_no_cell() -> None:
    scene = Scene({"matrixOverrides": {"default": {"write": "auto"}}})
    assert cells(scene) == {}
    assert scene.awaiting == ()
    assert "counts only in your user settings" in scene.now().diagnostics[0].text


def test_in_doubt_only_cells_that_ask_count() -> None:
    said = {"ask": {"write": "auto"}, "auto": {"write": "ask"}}
    scene = Scene({"alwaysAskRules": []}, user={"matrixOverrides": said})
    assert cells(scene) == {"auto.write": "ask"}


# Entries of the user's own settings that are held back


@pytest.mark.parametrize(
    ("user", "strict"),
    [
        ({ALLOW: {"t": ["a"]}}, {}),
        ({"toolAllowlist": ["t"]}, {}),
        ({"agents": {"M": MINE}, "bypassPermissions": {"M": True}}, {}),
        ({"additionalWorkingDirectories": ["/x"]}, {}),
        ({"mode": "auto"}, {"mode": "ask"}),
        ({"mode": "default"}, {"mode": "ask"}),
        ({"agent": "Demo"}, {}),
        ({"matrixOverrides": {"ask": {"write": "auto"}}}, {}),
        ({"confirmOutsideWorkspace": False}, {}),
        ({"approvalTimeoutSeconds": 301}, {}),
        ({"approvalTimeoutWhen": "never"}, {}),
        ({"limits": {"toolCalls": 201, "writes": 5}}, {"limits": {"writes": 5}}),
        ({"shell": {"path": "/bin/x"}}, {}),
        ({"shell": {"maxBackground": 9, "maxProcesses": 20}}, {"shell": {"maxProcesses": 20}}),
        ({"sandbox": {"enabled": "off", "autoAllow": True, "network": True, "writable": ["/x"]}}, {}),
        ({"images": DRAWN_THERE, "speech": SPOKEN_THERE}, {}),
        ({"webSearch": SEARCHED_THERE}, {}),
        ({"bypassAvailable": True}, {"bypassAvailable": False}),
    ],
)
def test_a_withheld_entry_of_the_user_counts_as_if_it_were_not_there(user: Any, strict: Any) -> None:
    scene = Scene(user=user)
    facts = Facts((), {(None, path): path for path in ("/x", "/bin/x", "/bin")}, {})
    entries = loosening_of(scene.layers.user, scene.now().agents, facts)
    keys = {entry.setting for entry in entries} & user.keys()
    assert keys == user.keys()
    scene.withheld = {entry.consent for entry in entries if entry.setting in user}
    expected = Scene(user=strict).now()
    assert counts(scene.now()) == counts(expected)
    assert scene.now().matrix_overrides == {}
    assert scene.now().confirm_outside_workspace
    assert scene.now().bypass_available is expected.bypass_available
    assert scene.now().awaiting == ()


# Words


def test_words_hide_nothing() -> None:
    assert shown("a\nb\u202ec\x00\u200b") == "“a\\u{a}b\\u{202e}c\\u{0}\\u{200b}”"
    assert shown("x" * 1000) == f"“{'x' * 80}…{'x' * 20}”"
    assert shown("\ud800") == "“\\u{d800}”"


def test_long_names_are_shortened_and_stay_apart() -> None:
    one, other = bounded("x" * 5000), bounded("x" * 5001)
    assert one != other
    assert len(one) < 1000
    assert bounded("\ud800" * 2000)


@pytest.mark.parametrize("name", ["\u202e", "\ud800", "a\nb", "x" * 100_000, "__proto__", ""])
def test_any_name_makes_an_entry_that_can_be_kept(name: str) -> None:
    scene = Scene(
        {
            ALLOW: {name: [name + "a", {"pattern": name + "b", "agents": [name]}]},
            "toolAllowlist": [name],
            "agents": {name: {"command": name or "x", "bypassPermissions": True}},
            "agent": name,
            "additionalWorkingDirectories": [f"/{name}"],
        }
    )
    entries = scene.awaiting
    assert len({entry.consent for entry in entries}) == len(entries) >= 5
    assert all(len(entry.entry) <= 1100 and entry.words.isprintable() for entry in entries)
    scene.answer(honoured=True)
    assert scene.now().bypass(name).on

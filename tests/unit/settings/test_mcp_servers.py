"""MCP servers in the settings: what makes one, whose definition counts, and whose word about its tools is believed."""

from typing import Any

import pytest

from assent.settings.consent import Consent
from assent.settings.effective import Effective, effective
from assent.settings.facts import Facts, NamedFile
from assent.settings.faults import SettingsFault
from assent.settings.layers import layers_from
from assent.settings.mcp_servers import define_server

PROGRAM = {"command": "npx", "args": ["-y", "files"]}


class Everything(dict[Any, Any]):
    """Every definition names the same file of the workspace."""

    def get(self, key: Any, default: Any = None) -> Any:
        return (NamedFile("run.js", "content"),)


class Scene:
    """Settings, and what the user answered."""

    def __init__(self, *, user: Any = None, workspace: Any = None, trusted: bool = True) -> None:
        named = {"user": user, "workspace": workspace}
        self._layers = layers_from({scope: {"mcpServers": said} for scope, said in named.items() if said}, None)
        self._answers: dict[Consent, bool] = {}
        self._trusted = trusted

    def now(self) -> Effective:
        return effective(
            self._layers,
            consents=lambda _: self._answers.get,
            workspace_trusted=self._trusted,
            facts=Facts(files=Everything()),
        )

    def agree(self, *but: str) -> Effective:
        """To all that waits, but for what says one of these words."""
        for entry in self.now().awaiting:
            self._answers[entry.consent] = not any(word in entry.words for word in but)
        return self.now()


def trusted(result: Effective) -> dict[str, bool]:
    return {name: server.trusted for name, server in result.mcp_servers.items()}


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("a b", PROGRAM, "letters, digits"),
        ("", PROGRAM, "letters, digits"),
        ("a.b", PROGRAM, "letters, digits"),
        ("a:b", PROGRAM, "letters, digits"),
        ("a" * 65, PROGRAM, "letters, digits"),
        ("a", 5, "object with a command or a url"),
        ("a", {}, "either a command or a url"),
        ("a", {"command": "x", "url": "https://a"}, "either a command or a url"),
        ("a", {"command": ""}, "command is a text"),
        ("a", {"command": "x", "args": "y"}, "args is a list"),
        ("a", {"command": "x", "args": [5]}, "args is a list"),
        ("a", {"command": "x", "env": {"A": 5}}, "env is an object"),
        ("a", {"command": "x", "headers": {}}, "headers means nothing"),
        ("a", {"command": "x", "cwd": 5}, "cwd is a text"),
        ("a", {"command": "x", "trusted": "yes"}, "trusted is true or false"),
        ("a", {"command": "x", "transport": "stdio"}, "'transport' is not known"),
        ("a", {"url": "ftp://a"}, "begins with https://"),
        ("a", {"url": "https://a", "env": {}}, "env means nothing"),
        ("a", {"url": "https://a", "headers": {"A": 5}}, "headers is an object"),
    ],
)
def test_what_is_no_server_says_why(name: str, value: Any, fault: str) -> None:
    with pytest.raises(SettingsFault, match=fault):
        define_server(name, value)
    result = Scene(user={name: value}).now()
    assert result.mcp_servers == {}
    (diagnostic,) = result.diagnostics
    assert fault.replace("'", "") in diagnostic.text.replace("'", "")


def test_the_users_own_servers_count_with_the_trust_in_them() -> None:
    result = Scene(user={"a": PROGRAM, "b": {"url": "https://x/mcp", "trusted": True}}).now()
    assert trusted(result) == {"a": False, "b": True}
    assert result.mcp_servers["b"].definition == {"url": "https://x/mcp"}
    assert result.awaiting == ()


def test_trust_changes_nothing_of_what_a_server_is() -> None:
    assert define_server("a", PROGRAM).digest == define_server("a", {**PROGRAM, "trusted": True}).digest


def test_a_workspaces_server_and_the_trust_in_it_are_two_things_to_agree_to() -> None:
    scene = Scene(workspace={"a": {**PROGRAM, "trusted": True}})
    assert trusted(scene.now()) == {}
    definition, trust = scene.now().awaiting
    assert "would be the program “npx -y files”" in definition.words
    assert "“run.js”" in definition.words
    assert "would be believed" in trust.words
    assert trusted(scene.agree("believed")) == {"a": False}
    scene = Scene(workspace={"a": {**PROGRAM, "trusted": True}})
    assert trusted(scene.agree("would be the program")) == {}
    scene = Scene(workspace={"a": {**PROGRAM, "trusted": True}})
    assert trusted(scene.agree()) == {"a": True}


def test_of_the_users_own_server_a_workspace_can_only_believe_less() -> None:
    mine = {"a": {**PROGRAM, "trusted": True}}
    for said, believed in (({}, True), ({"trusted": True}, True), ({"trusted": False}, False)):
        scene = Scene(user=mine, workspace={"a": {**PROGRAM, **said}})
        assert trusted(scene.now()) == {"a": believed}
        assert scene.now().awaiting == ()
    believing = Scene(user={"a": PROGRAM}, workspace={"a": {**PROGRAM, "trusted": True}})
    assert trusted(believing.now()) == {"a": False}


def test_another_definition_of_the_same_name_inherits_no_trust() -> None:
    scene = Scene(user={"a": {**PROGRAM, "trusted": True}}, workspace={"a": {"command": "evil"}})
    assert scene.now().mcp_servers["a"].definition == PROGRAM
    (entry,) = scene.now().awaiting
    assert entry.before == PROGRAM
    result = scene.agree()
    assert result.mcp_servers["a"].definition == {"command": "evil"}
    assert trusted(result) == {"a": False}


def test_an_untrusted_workspace_adds_none() -> None:
    scene = Scene(user={"a": PROGRAM}, workspace={"b": PROGRAM}, trusted=False)
    assert trusted(scene.agree()) == {"a": False}


def test_the_files_that_a_server_names_are_named() -> None:
    digest = define_server("a", PROGRAM).digest
    layers = layers_from({"user": {"mcpServers": {"a": PROGRAM}}}, None)
    facts = Facts(roots=("/w",), files={(None, digest): (NamedFile("run.js", "x", "/w/run.js"),)})
    assert effective(layers, facts=facts).named_files == ("/w/run.js",)

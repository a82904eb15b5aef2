"""The agents that are well known: their data, and that they are recognised."""

import json
import re

import pytest

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.made_to_ask import made_to_ask
from assent.acp.recognising import known_agent
from assent.acp.well_known import Installer
from assent.acp.words import Introduction
from assent.runtime.launching import Launch

KEYS = {
    *("claude", "codex", "codex-zed", "gemini", "opencode", "qwen", "copilot", "cline", "kimi-code", "kimi", "vibe"),
    *("hermes", "openhands", "fast-agent", "pi"),
}


def found(*words: str, name: str | None = None) -> str | None:
    agent = known_agent(Introduction(1, name=name) if name is not None else None, words)
    return agent.key if agent is not None else None


def test_there_is_one_entry_for_each() -> None:
    assert len(KNOWN_AGENTS) == len(KEYS)
    assert {agent.key for agent in KNOWN_AGENTS} == KEYS


@pytest.mark.parametrize("agent", KNOWN_AGENTS, ids=lambda agent: agent.key)
def test_an_entry_is_fit_to_be_shown(agent: object) -> None:
    entry = next(one for one in KNOWN_AGENTS if one is agent)

    assert re.fullmatch(r"(npm install --global|pip install) '?[@a-z0-9/._\[\]-]+'?", entry.install)
    assert entry.install.startswith(entry.installer)
    assert ("[" in entry.package) == ("'" in entry.install), "a shell would take it for a pattern"
    assert (entry.installer is Installer.NPM) == entry.needs.startswith("Node.js")
    assert entry.about.endswith(".")
    assert entry.advice == "" or entry.advice.endswith(".")
    assert all(name == name.casefold() for name in entry.known_as), "they are compared so"
    assert all(re.fullmatch(r"[A-Z_]+", name) and words for name, words in entry.env)
    if not entry.asks_by_default and entry.modes_are_modes:
        assert entry.asking_modes
    if not entry.asks_at_all:
        assert "never asks" in entry.advice


@pytest.mark.parametrize("agent", KNOWN_AGENTS, ids=lambda agent: agent.key)
def test_each_is_recognised_by_what_it_is_installed_with(agent: object) -> None:
    entry = next(one for one in KNOWN_AGENTS if one is agent)
    package = entry.package.partition("[")[0]

    assert found("npx" if entry.installer is Installer.NPM else "uvx", package) == entry.key
    assert all(found(name=name) == entry.key for name in entry.known_as)


def test_claude_is_known_by_the_name_that_its_adapter_says() -> None:
    assert found("/usr/local/bin/starts-my-agent", name="@agentclientprotocol/claude-agent-acp") == "claude"


def test_only_those_who_offer_two_ways_have_one_named() -> None:
    assert {agent.key: agent.two_ways_once for agent in KNOWN_AGENTS if agent.two_ways_once} == {"openhands": "accept"}


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["gemini", "--acp"], "gemini"),
        (["/usr/local/bin/gemini", "--acp"], "gemini"),
        (["C:\\Users\\a b\\npm\\gemini.CMD", "--acp"], "gemini"),
        (["npx", "-y", "@google/gemini-cli@latest", "--acp"], "gemini"),
        (["npx.cmd", "@agentclientprotocol/claude-agent-acp"], "claude"),
        (["node", "/x/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"], "claude"),
        (["node", "--max-old-space-size=4096", "/x/claude-agent-acp/dist/index.js"], "claude"),
        (["/x/node_modules/@zed-industries/codex-acp-linux-x64/bin/codex-acp"], "codex-zed"),
        (["npx", "@zed-industries/codex-acp@0.16"], "codex-zed"),
        (["npx", "@agentclientprotocol/codex-acp"], "codex"),
        (["env", "A=1", "qwen", "--acp"], "qwen"),
        (["uv", "tool", "run", "openhands", "acp"], "openhands"),
        (["python", "-m", "kimi_cli", "acp"], "kimi"),
        (["vibe-acp"], "vibe"),
        (["my-agent", "--model", "gemini"], None),
        (["npx", "my-agent", "--like", "gemini"], None),
        (["/home/gemini/bin/my-agent"], None),
        (["geminify"], None),
        (["sh", "-c", "gemini --acp"], None),
        ([], None),
        ([""], None),
        (["@"], None),
        (["@google/"], None),
    ],
)
def test_by_the_words_that_start_it(words: list[str], key: str | None) -> None:
    assert found(*words) == key


def test_words_and_introduction_must_agree() -> None:
    assert found("gemini", "--acp", name="gemini-cli") == "gemini"
    assert found("gemini", "--acp", name="qwen-code") is None
    assert found("gemini", "--acp", name="Something else") == "gemini"
    assert found("my-agent", name="openhands") == "openhands"
    assert found(name="Copilot") == "copilot"
    assert found(name="") is None


def test_two_that_start_alike_are_told_apart_by_what_they_say() -> None:
    assert found("kimi", "acp") == "kimi-code"
    assert found("kimi", "acp", name="Kimi CLI") == "kimi"
    assert found("kimi", "acp", name="Kimi Code") == "kimi-code"
    assert found("codex-acp", name="@zed-industries/codex-acp") == "codex-zed"


@pytest.mark.parametrize(
    ("words", "given", "own", "told"),
    [
        (("/opt/opencode", "acp"), {}, {}, {"OPENCODE_PERMISSION"}),
        (("npx", "-y", "opencode-ai@1.18.33", "acp"), {"A": "b"}, {}, {"A", "OPENCODE_PERMISSION"}),
        (("opencode", "acp"), {"OPENCODE_PERMISSION": "{}"}, {}, set()),
        (("opencode", "acp"), {}, {"OPENCODE_PERMISSION": "{}"}, set()),
        (("another", "acp"), {"A": "b"}, {}, {"A"}),
    ],
    ids=["by its program", "by its package", "set for it", "set for all", "another agent"],
)
def test_one_that_asks_only_where_it_is_told_to_is_told_so_unless_somebody_says_otherwise(
    words: tuple[str, ...], given: dict[str, str], own: dict[str, str], told: set[str]
) -> None:
    launch = made_to_ask(Launch(words, "/w", given), own)

    assert (launch.argv, launch.folder) == (words, "/w")
    assert {**launch.environment, **given} == launch.environment
    assert launch.environment.keys() == told | given.keys()
    if "OPENCODE_PERMISSION" in told:
        assert json.loads(launch.environment["OPENCODE_PERMISSION"])["bash"] == "ask"

"""Which programs do not speak the protocol as they are started, and what is said instead."""

import pytest

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.launch_hints import hint, is_help, why_silent


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("gemini", '"command": "gemini", "args": ["--acp"]'),
        ("gemini -m pro", '"command": "gemini", "args": ["-m", "pro", "--acp"]'),
        ("/opt/bin/gemini.cmd --yolo", '"command": "/opt/bin/gemini.cmd", "args": ["--yolo", "--acp"]'),
        ("npx -y @google/gemini-cli@0.61", '"command": "npx", "args": ["-y", "@google/gemini-cli@0.61", "--acp"]'),
        (
            "node /x/node_modules/@google/gemini-cli/dist/index.js",
            '"/x/node_modules/@google/gemini-cli/dist/index.js", "--acp"',
        ),
        ("qwen", '"args": ["--acp"]'),
        ("copilot", '"args": ["--acp"]'),
        ("opencode", '"args": ["acp"]'),
        ("npx opencode-ai", '"args": ["opencode-ai", "acp"]'),
        ("kimi", '"args": ["acp"]'),
        ("python -m kimi_cli", '"args": ["-m", "kimi_cli", "acp"]'),
        ("fast-agent go", '"args": ["go", "acp", "--shell"]'),
        ("claude", '"command": "claude-agent-acp"'),
        ("/usr/local/bin/claude --dangerously-skip-permissions", '"command": "claude-agent-acp"'),
        ("npx @anthropic-ai/claude-code", "npm install --global @agentclientprotocol/claude-agent-acp"),
        ("codex", '"command": "codex-acp"'),
        ("npx @openai/codex exec", '"command": "codex-acp"'),
        ("vibe", '"command": "vibe-acp"'),
    ],
)
def test_a_known_program_without_its_option_is_told_with_the_right_command(line: str, instead: str) -> None:
    why = why_silent(line.split())
    assert why is not None
    assert instead in why


@pytest.mark.parametrize(
    "line",
    [
        *(" ".join((agent.command, *agent.args)) for agent in KNOWN_AGENTS),
        "gemini --experimental-acp",
        "gemini -m pro --acp",
        "npx @agentclientprotocol/claude-agent-acp",
        "npx --package @google/gemini-cli gemini --acp",
        "hermes acp",
        # What is called like many others may be somebody's own.
        "hermes",
        "pi",
        "uvx --from hermes-agent[acp] hermes-acp",
        "node /x/@zed-industries/codex-acp-linux-x64/bin/codex-acp",
        "node agent.js gemini",
        "python -m my_agent --model claude",
        "docker run --rm claude",
        "my-agent",
        "npx",
        "-x",
        "",
    ],
)
def test_whatever_may_speak_it_is_started(line: str) -> None:
    assert why_silent(line.split()) is None


@pytest.mark.parametrize(
    ("words", "printed", "said"),
    [
        (["x"], "Usage: x [options]\n  --experimental-acp  Starts the agent in ACP mode", "with --experimental-acp:"),
        (["x"], "Commands:\n  acp   Speak to editors\n", "with acp:"),
        (["x"], "Welcome to X! Loading /opt/acp/x, see example.org/acp.html", "often “--acp” or “acp”"),
        (["x", "--acp"], "Usage: x [options]", ""),
        (["x"], "", ""),
    ],
)
def test_what_a_program_prints_says_which_option_it_has(words: list[str], printed: str, said: str) -> None:
    found = hint(words, printed)
    assert said in found if said else found == ""


@pytest.mark.parametrize(
    ("printed", "helps"),
    [
        ("Usage: x [options]", True),
        ("error: unknown option '--acpp'", True),
        ("Try x --help.", True),
        ("I need a key", False),
        ("Memory usage is high", False),
        ("bad option\nusage x [-a]", True),
        ("", False),
    ],
)
def test_help_is_told_from_other_last_words(printed: str, helps: bool) -> None:
    assert is_help(printed) is helps

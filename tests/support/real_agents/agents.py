"""How the public agents of the suite are started, so that each asks our model and nobody else."""

import json
import os
import pwd
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devtools.agents import SUITE, Lot
from devtools.node_packages import OWN_NODE
from tests.support.real_agents.model import MODEL
from tests.support.real_agents.plan import Call, Round, edit, patch, read, write

_NOBODY = "http://127.0.0.1:9"
"""Nobody listens there: what an agent wants of others than our model, it does not get."""
_ALONE = {
    "HTTP_PROXY": _NOBODY,
    "HTTPS_PROXY": _NOBODY,
    "NO_PROXY": "127.0.0.1,localhost",
    "DO_NOT_TRACK": "1",
    "DISABLE_TELEMETRY": "1",
    "OTEL_SDK_DISABLED": "true",
    "NO_COLOR": "1",
}


@dataclass(frozen=True, slots=True)
class RealAgent:
    """One of them."""

    name: str
    command: tuple[str, ...]
    env: Callable[[Path, str], Mapping[str, str]]
    """For its home and the address of the model."""
    files: Callable[[str], Mapping[str, str]] = field(default=lambda _: {})
    """What stands in its home before it starts, for the address of the model."""
    asks_at_once: bool = False
    """It asks for all calls of one message at once, and not for one after the other."""
    asks_for_all: bool = False
    """It asks once for all calls of one message, and the answer counts for each of them."""
    in_login_shell: bool = False
    """Its commands run in the login shell of the user, and that is what it shows of them."""
    goes_on: bool = True
    """After a refusal it goes on, and tells the model."""
    writes_over: bool = True
    """Its tool that writes a file takes one that is there. Else another of its tools replaces pieces of it."""
    reads_first: bool = False
    """That tool takes one only which the model has read."""
    patches: bool = False
    """It has no such tool, but takes patches."""
    ends_lines: bool = False
    """What it writes ends in a newline."""
    has_us_run: bool = False
    """What it may run it has its client run, in a terminal. That stands in a row of its own as well."""
    shows_arguments: bool = True
    """It tells the commands that it runs without having asked otherwise than in words."""
    shows_results: bool = True
    """It tells what a command has printed."""
    loose: Callable[[str], tuple[tuple[str, ...], Mapping[str, str]]] | None = None
    """What its user may set so that it changes files alone: words of its command, and files of its home, for the
    address of the model.
    """

    def make(self, path: str, content: str) -> Call:
        """How its model makes a file."""
        return patch(path, None, content) if self.patches else write(path, content)

    def shown(self, command: str) -> str:
        """What its card shows of a command."""
        return shlex.join((pwd.getpwuid(os.getuid()).pw_shell, "-lc", command)) if self.in_login_shell else command

    def change(self, path: str, old: str, new: str, rest: str) -> list[Round]:
        """How its model makes of a file that begins with `old` one that begins with `new`."""
        if self.patches:
            return [[patch(path, old, new, rest)]]
        change = write(path, new + rest) if self.writes_over else edit(path, old, new)
        return [[read(path)], [change]] if self.reads_first else [[change]]

    def definition(self, home: Path, address: str, *, loose: bool = False, **more: Any) -> dict[str, Any]:
        """Its entry in the settings, with a home of its own that is made here."""
        words, files = self.loose(address) if loose and self.loose is not None else ((), {})
        for name, text in {**self.files(address), **files}.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8")
        home.mkdir(parents=True, exist_ok=True)
        env = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), **_ALONE, **self.env(home, address)}
        env |= {"XDG_DATA_HOME": str(home / ".local/share"), "XDG_CACHE_HOME": str(home / ".cache")}
        env["PATH"] = f"{OWN_NODE / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {"command": self.command[0], "args": [*self.command[1:], *words], "env": env, **more}


def by_node(lot: Lot, script: str, *words: str) -> tuple[str, ...]:
    """The command of an agent that is a script for Node."""
    return (str(OWN_NODE / "bin" / "node"), str(lot.script(script)), *words)


def _claude(home: Path, address: str) -> dict[str, str]:
    # Whoever is root and says that this is a sandbox is offered a mode that does not start then.
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": ""}
    return {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        **quiet,
    }


def _copilot(_: Path, address: str) -> dict[str, str]:
    model = {"COPILOT_PROVIDER_BASE_URL": f"{address}/v1", "COPILOT_MODEL": MODEL, "COPILOT_PROVIDER_API_KEY": "x"}
    return {**model, "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}


def _gemini(_: Path, address: str) -> dict[str, str]:
    return {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": address, "GEMINI_TELEMETRY_ENABLED": "false"}


def _gemini_files(_: str) -> dict[str, str]:
    security = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
    quiet = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
    return {".gemini/settings.json": json.dumps({"security": security, **quiet})}


def _hermes(home: Path, _: str) -> dict[str, str]:
    return {"HERMES_HOME": str(home / ".hermes"), "OPENAI_API_KEY": "x"}


def _hermes_files(address: str) -> dict[str, str]:
    model = f"model:\n  provider: custom\n  default: {MODEL}\n  base_url: {address}/v1\n  api_key: x\n"
    return {".hermes/config.yaml": f"{model}  context_length: 200000\n"}


def codex(home: Path, _: str) -> dict[str, str]:
    own = {"CODEX_HOME": str(home / ".codex"), "CODEX_API_KEY": "x", "OPENAI_API_KEY": "x"}
    return {**own, "MODEL_PROVIDER": MODEL, "NO_BROWSER": "1"}


def codex_files(address: str, more: str = "") -> dict[str, str]:
    first = f'model = "{MODEL}"\nmodel_provider = "{MODEL}"\ncheck_for_update_on_startup = false\n'
    provider = f'name = "{MODEL}"\nbase_url = "{address}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
    return {".codex/config.toml": f"{first}{more}[model_providers.{MODEL}]\n{provider}"}


_CLAUDE_EDITS = {".claude/settings.json": json.dumps({"permissions": {"defaultMode": "acceptEdits"}})}

CLAUDE = RealAgent(
    "claude",
    by_node(SUITE, "@agentclientprotocol/claude-agent-acp/dist/index.js"),
    _claude,
    loose=lambda _: ((), _CLAUDE_EDITS),
)
COPILOT = RealAgent(
    "copilot",
    by_node(SUITE, "@github/copilot/npm-loader.js", "--acp"),
    _copilot,
    asks_at_once=True,
    goes_on=False,
    writes_over=False,
)
GEMINI = RealAgent(
    "gemini",
    by_node(SUITE, "@google/gemini-cli/bundle/gemini.js", "--acp", "-m", "gemini-2.5-pro"),
    _gemini,
    _gemini_files,
    shows_results=False,
    loose=lambda _: (("--approval-mode", "auto_edit"), {}),
)
HERMES = RealAgent(
    "hermes",
    (str(SUITE.program("hermes", "hermes-acp")),),
    _hermes,
    _hermes_files,
    shows_arguments=False,
)
CODEX = RealAgent(
    "codex",
    by_node(SUITE, "@agentclientprotocol/codex-acp/dist/index.js"),
    codex,
    codex_files,
    asks_at_once=True,
    goes_on=False,
    patches=True,
    ends_lines=True,
    loose=lambda address: (
        (),
        codex_files(address, 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'),
    ),
)
ALL = (CLAUDE, CODEX, COPILOT, GEMINI, HERMES)

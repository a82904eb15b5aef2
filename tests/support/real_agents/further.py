"""How the further public agents are started: those that the tests lead where somebody has installed them."""

import json
from collections.abc import Mapping
from pathlib import Path

from devtools.agents import FURTHER
from tests.support.real_agents.agents import RealAgent, by_node, codex, codex_files
from tests.support.real_agents.model import MODEL


def _opencode(_: Path, __: str) -> dict[str, str]:
    quiet = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD")
    return dict.fromkeys(quiet, "true")


def _opencode_files(address: str, **permission: object) -> dict[str, str]:
    own = {"name": MODEL, "tool_call": True, "limit": {"context": 200000, "output": 8000}}
    options = {"baseURL": f"{address}/v1", "apiKey": "x"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": MODEL, "options": options, "models": {MODEL: own}}
    models = {"provider": {MODEL: provider}, "model": f"{MODEL}/{MODEL}", "small_model": f"{MODEL}/{MODEL}"}
    quiet = {"autoupdate": False, "share": "disabled"}
    return {".config/opencode/opencode.json": json.dumps({**models, **quiet, "permission": permission})}


def _qwen(_: Path, address: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": "x", "OPENAI_MODEL": MODEL}


def _qwen_files(_: str) -> dict[str, str]:
    security = {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}}
    quiet = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
    return {".qwen/settings.json": json.dumps({"security": security, **quiet})}


def _codex_zed(home: Path, address: str) -> dict[str, str]:
    # It puts the program of its sandbox into its home, except where that is a folder for what is temporary.
    return {**codex(home, address), "TMPDIR": str(home / ".tmp")}


def _codex_zed_files(address: str, more: str = "") -> dict[str, str]:
    return {**codex_files(address, more), ".tmp/readme": "What is temporary."}


def _cline(_: Path, __: str) -> dict[str, str]:
    return {"CLINE_PROVIDER": "openai-compatible", "CLINE_API_KEY": "x", "CLINE_MODEL": MODEL}


def _cline_files(address: str) -> dict[str, str]:
    settings = {"provider": "openai-compatible", "apiKey": "x", "model": MODEL, "baseUrl": f"{address}/v1"}
    provider = {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    all_of_them = {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}}
    all_of_them["providers"] = {"openai-compatible": provider}
    return {".cline/data/settings/providers.json": json.dumps(all_of_them)}


def _kimi_code(home: Path, _: str) -> dict[str, str]:
    return {"KIMI_CODE_HOME": str(home / ".kimi-code"), "KIMI_CODE_NO_AUTO_UPDATE": "1"}


def _kimi_code_files(address: str, more: str = "") -> dict[str, str]:
    provider = f'[providers.{MODEL}]\ntype = "openai"\nbase_url = "{address}/v1"\napi_key = "x"\n'
    model = f'[models.{MODEL}]\nprovider = "{MODEL}"\nmodel = "{MODEL}"\nmax_context_size = 200000\n'
    return {".kimi-code/config.toml": f'default_model = "{MODEL}"\ntelemetry = false\n{more}{provider}{model}'}


def _vibe(home: Path, _: str) -> dict[str, str]:
    return {"VIBE_HOME": str(home / ".vibe"), "MISTRAL_API_KEY": "x"}


def _vibe_files(address: str, more: str = "") -> dict[str, str]:
    quiet = "enable_telemetry = false\nenable_update_checks = false\nenable_auto_update = false\n"
    provider = f'[[providers]]\nname = "{MODEL}"\napi_base = "{address}/v1"\napi_key_env_var = "MISTRAL_API_KEY"\n'
    model = f'[[models]]\nname = "{MODEL}"\nprovider = "{MODEL}"\nalias = "{MODEL}"\n'
    return {".vibe/config.toml": f'active_model = "{MODEL}"\n{quiet}{more}{provider}{model}'}


def _kimi(home: Path, _: str) -> dict[str, str]:
    return {"KIMI_SHARE_DIR": str(home / ".kimi"), "KIMI_CLI_NO_AUTO_UPDATE": "1"}


def _kimi_files(address: str, more: str = "") -> dict[str, str]:
    provider = f'[providers.{MODEL}]\ntype = "openai_legacy"\nbase_url = "{address}/v1"\napi_key = "x"\n'
    model = f'[models.{MODEL}]\nprovider = "{MODEL}"\nmodel = "{MODEL}"\nmax_context_size = 200000\n'
    # It begins no chat without a login of its own, also where its model wants none.
    login = {"access_token": "x", "refresh_token": "", "expires_at": 0, "scope": "", "token_type": "Bearer"}
    return {
        ".kimi/config.toml": f'default_model = "{MODEL}"\ntelemetry = false\n{more}{provider}{model}',
        ".kimi/credentials/kimi-code.json": json.dumps(login),
    }


def _fast_agent(_: Path, address: str) -> dict[str, str]:
    return {"GENERIC_BASE_URL": f"{address}/v1", "GENERIC_API_KEY": "x"}


def _openhands(home: Path, _: str) -> dict[str, str]:
    # Else it looks for the prices of models.
    return {"OPENHANDS_PERSISTENCE_DIR": str(home / ".openhands"), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


def _openhands_files(address: str) -> dict[str, str]:
    model = {"model": f"openai/{MODEL}", "base_url": f"{address}/v1", "api_key": "x"}
    return {".openhands/agent_settings.json": json.dumps({"llm": model})}


OPENCODE = RealAgent(
    "opencode",
    # What npm calls `opencode` is put in its place by a script of its package, and those do not run.
    (str(FURTHER.script("opencode-linux-x64/bin/opencode")), "acp"),
    _opencode,
    _opencode_files,
    goes_on=False,
    loose=lambda address: ((), _opencode_files(address, edit="allow", bash={"*": "allow"}, webfetch="allow")),
)
QWEN = RealAgent(
    "qwen",
    by_node(FURTHER, "@qwen-code/qwen-code/cli-entry.js", "--acp"),
    _qwen,
    _qwen_files,
    goes_on=False,
    reads_first=True,
    loose=lambda _: (("--approval-mode", "auto-edit"), {}),
)
CLINE = RealAgent(
    "cline",
    (str(FURTHER.script("@cline/cli-linux-x64/bin/cline")), "--acp", "--auto-approve", "false"),
    _cline,
    _cline_files,
    patches=True,
    loose=lambda _: (("--auto-approve", "true"), {}),
)
KIMI_CODE = RealAgent(
    "kimi-code",
    by_node(FURTHER, "@moonshot-ai/kimi-code/dist/main.mjs", "acp"),
    _kimi_code,
    _kimi_code_files,
    has_us_run=True,
    loose=lambda address: ((), _kimi_code_files(address, 'default_permission_mode = "yolo"\n')),
)
VIBE = RealAgent(
    "vibe",
    (str(FURTHER.program("vibe", "vibe-acp")),),
    _vibe,
    _vibe_files,
    loose=lambda address: ((), _vibe_files(address, 'default_agent = "auto-approve"\n')),
)
CODEX_ZED = RealAgent(
    "codex-zed",
    (str(FURTHER.script("@zed-industries/codex-acp-linux-x64/bin/codex-acp")),),
    _codex_zed,
    _codex_zed_files,
    asks_at_once=True,
    goes_on=False,
    in_login_shell=True,
    patches=True,
    ends_lines=True,
    loose=lambda address: (
        (),
        _codex_zed_files(address, 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'),
    ),
)
KIMI = RealAgent(
    "kimi",
    (str(FURTHER.program("kimi", "kimi")), "acp"),
    _kimi,
    _kimi_files,
    goes_on=False,
    has_us_run=True,
    # Then it asks for nothing. It has its client write files and run commands, and there it is asked about.
    loose=lambda address: ((), _kimi_files(address, "default_yolo = true\n")),
)
FAST_AGENT = RealAgent(
    "fast-agent",
    (str(FURTHER.program("fast-agent", "fast-agent")), "acp", "--shell", "--model", f"generic.{MODEL}"),
    _fast_agent,
    asks_at_once=True,
    has_us_run=True,
)
OPENHANDS = RealAgent(
    "openhands",
    (str(FURTHER.program("openhands", "openhands")), "acp"),
    _openhands,
    _openhands_files,
    loose=lambda _: (("--always-approve",), {}),
    asks_for_all=True,
    writes_over=False,
)

_ALL = (OPENCODE, QWEN, CLINE, KIMI_CODE, VIBE, KIMI, FAST_AGENT, OPENHANDS, CODEX_ZED)
MISSING: Mapping[str, str] = {agent.name: why for agent in _ALL if (why := FURTHER.missing(agent.name))}
"""Those that cannot be led here, each with the reason."""
INSTALLED = tuple(agent for agent in _ALL if agent.name not in MISSING)

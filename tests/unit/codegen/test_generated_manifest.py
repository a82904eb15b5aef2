"""The settings in the extension's manifest: what the editor accepts is what the server accepts."""

import json
from typing import Any

import pytest

from assent.settings.declared import declared
from assent.settings.declaring import Power
from assent.settings.jsonc import parse
from assent.settings.judging import check
from codegen.files import ROOT
from codegen.manifest import manifest_with_settings
from codegen.settings_document import settings_document
from tests.support.json_schema import accepts

MANIFEST = ROOT / "client-ts/package.json"


def shipped() -> dict[str, Any]:
    return json.loads(MANIFEST.read_text(encoding="utf-8"))


def properties() -> dict[str, Any]:
    return shipped()["contributes"]["configuration"]["properties"]


RULES_GOOD: list[Any] = [
    {},
    {"bash": []},
    {"bash": ["rm:*", "*"], "": ["x"]},
    {"a": [{"pattern": "x"}]},
    {"a": ["y", {"pattern": "x", "agents": ["Demo"], "match": ["a"], "notMatch": []}]},
]
RULES_BAD: list[Any] = [
    [],
    "bash",
    {"bash": "rm:*"},
    {"bash": [""]},
    {"bash": [5]},
    {"bash": [None]},
    {"bash": {}},
    {"bash": [["x"]]},
    {"a": [{}]},
    {"a": [{"pattern": ""}]},
    {"a": [{"pattern": 5}]},
    {"a": [{"patern": "x"}]},
    {"a": [{"pattern": "x", "agent": ["Demo"]}]},
    {"a": [{"pattern": "x", "not_match": ["y"]}]},
    {"a": [{"pattern": "x", "agents": "Demo"}]},
    {"a": [{"pattern": "x", "agents": [5]}]},
    {"a": [{"pattern": "x", "match": None}]},
]
SWITCH: tuple[list[Any], list[Any]] = ([True, False], ["true", "yes", 1, 0, [], {}])
TEXTS: tuple[list[Any], list[Any]] = ([[], ["a"], ["a", "a", ""]], ["a", [5], [None], {}, {"a": True}, True, [["a"]]])

_SERVED = {"provider": "openai-compatible", "baseUrl": "http://127.0.0.1:8000/v1", "model": "m", "apiKeyEnv": "KEY"}
CORPUS: dict[str, tuple[list[Any], list[Any]]] = {
    "mode": (
        ["plan", "ask", "default", "auto", "ask_every_time", "auto_accept_read_only", "auto_accept_all"],
        ["", "Auto", "yolo", "bypass", 1, True, ["auto"], {"mode": "auto"}],
    ),
    "agent": (["Demo", "", "a.b", "__proto__"], [5, True, ["Demo"], {"Demo": {}}]),
    "agents": (
        [
            {},
            {"A": {}},
            {"A": {"provider": "scripted", "script": "x"}},
            {"A": {"command": "npx", "args": ["x"], "env": {"A": "b"}}},
            {"A": {"provider": "demo", "bypassPermissions": False, "note": 5}},
        ],
        [[], "A", {"A": "demo"}, {"A": {"provider": 5}}, {"A": {"bypassPermissions": "yes"}}, {"A": {"script": []}}],
    ),
    "bypassPermissions": (
        [{}, {"Demo": True, "a.b": False, "": True}],
        [[], True, "Demo", {"Demo": 1}, {"Demo": "true"}, {"Demo": {}}],
    ),
    "bypassAvailable": SWITCH,
    "bypassWriteTarget": (["workspace", "user"], ["", "folder", "User", True, ["user"]]),
    "confirmOutsideWorkspace": SWITCH,
    "enabled": SWITCH,
    "sessionGrants": SWITCH,
    "alwaysDenyRules": (RULES_GOOD, RULES_BAD),
    "alwaysAskRules": (RULES_GOOD, RULES_BAD),
    "alwaysAllowRules": (RULES_GOOD, RULES_BAD),
    "toolAllowlist": ([[], ["write_file"], ["a", "a"]], ["a", [""], [5], {}, {"a": True}]),
    "matrixOverrides": (
        [{}, {"default": {}}, {"default": {"write": "auto", "read": "ask"}, "auto_accept_all": {"external": "ask"}}],
        [
            [],
            "auto",
            {"plan": {"write": "auto"}},
            {"yolo": {}},
            {"default": "auto"},
            {"default": {"internal": "ask"}},
            {"default": {"write": "block"}},
            {"default": {"write": True}},
        ],
    ),
    "additionalWorkingDirectories": TEXTS,
    "approvalTimeoutSeconds": ([1, 300, 0.5 + 1, 86_400], [0, 0.99, -1, 86_401, "300", True, [300], {}]),
    "approvalTimeoutWhen": (["unattended", "always", "never"], ["", "Never", "on", False, 0, ["never"], {}]),
    "limits": (
        [{}, {"iterations": 1}, {"toolCalls": 0, "writes": 100_000}, {"resultBytes": 1_000, "depth": 0}],
        [
            [],
            50,
            None,
            {"iterations": 0},
            {"iterations": 10_001},
            {"toolCalls": -1},
            {"toolCalls": "5"},
            {"toolCalls": 1.5},
            {"toolCalls": True},
            {"tool_calls": 5},
            {"resultBytes": 999},
            {"parallelCalls": 65},
        ],
    ),
    "shell": (
        [
            {},
            {"path": None, "maxMemoryMb": None},
            {"path": "/bin/zsh", "maxBackground": 1, "maxOutputBytes": 65_536},
            {"maxBackground": 64, "maxOutputBytes": 67_108_864, "maxProcesses": 16, "maxMemoryMb": 64},
            {"maxProcesses": 100_000, "maxMemoryMb": 16_777_216},
        ],
        [
            [],
            "/bin/zsh",
            None,
            {"path": 5},
            {"path": ["/bin/zsh"]},
            {"maxBackground": 0},
            {"maxBackground": 65},
            {"maxBackground": None},
            {"maxOutputBytes": 65_535},
            {"maxOutputBytes": 67_108_865},
            {"maxProcesses": 15},
            {"maxProcesses": 100_001},
            {"maxProcesses": "64"},
            {"maxMemoryMb": 63},
            {"maxMemoryMb": 16_777_217},
            {"maxMemoryMb": 64.5},
            {"maxMemoryMb": True},
            {"max_processes": 64},
        ],
    ),
    "images": (
        [{}, {"provider": "svg"}, {"provider": "automatic1111", "baseUrl": "http://127.0.0.1:7860"}, _SERVED],
        [[], "svg", None, {"provider": "system"}, {"provider": None}, {"voice": "v"}, {"apiKey": "x"}, {"baseUrl": 5}],
    ),
    "speech": (
        [{}, {"provider": "system", "voice": "en"}, {**_SERVED, "voice": "alloy"}],
        [[], "system", None, {"provider": "svg"}, {"voice": 5}, {"model": None}, {"apiKey": "x"}],
    ),
    "webSearch": (
        [{}, {"provider": "brave", "apiKeyEnv": "KEY"}, {"provider": "searxng", "baseUrl": "http://127.0.0.1:8888"}],
        [[], "brave", None, {"provider": "svg"}, {"model": "m"}, {"baseUrl": 5}, {"apiKey": "x"}],
    ),
    "sandbox": (
        [
            {},
            {"enabled": "auto"},
            {"enabled": "bubblewrap", "autoAllow": True},
            {"enabled": "landlock", "network": False, "writable": []},
            {"enabled": "seatbelt", "writable": ["~/.cache", ""]},
            {"enabled": "off"},
        ],
        [
            [],
            "off",
            True,
            None,
            {"enabled": True},
            {"enabled": "OFF"},
            {"enabled": "docker"},
            {"enabled": None},
            {"autoAllow": "true"},
            {"autoAllow": None},
            {"network": 1},
            {"network": ["example.org"]},
            {"writable": "/x"},
            {"writable": [5]},
            {"writable": None},
            {"auto_allow": True},
        ],
    ),
    "collections": (
        [
            {},
            {"handbook": {"path": "docs"}},
            {"notes": {"path": "~/notes", "include": ["**/*.md"], "exclude": ["old/**"], "description": "Mine."}},
        ],
        [
            [],
            "docs",
            {"docs": "docs"},
            {"docs": {}},
            {"docs": {"path": ""}},
            {"docs": {"path": "docs", "include": "**/*.md"}},
            {"docs": {"path": "docs", "exclude": [5]}},
            {"docs": {"path": "docs", "n": 1}},
        ],
    ),
    "mcpServers": (
        [
            {},
            {"files": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}, "cwd": "~", "trusted": False}},
            {"remote": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer x"}, "trusted": True}},
        ],
        [
            [],
            "npx",
            {"files": "npx"},
            {"files": {"command": 5}},
            {"files": {"command": "npx", "args": "-y"}},
            {"files": {"command": "npx", "env": {"A": 5}}},
            {"files": {"command": "npx", "trusted": "yes"}},
            {"files": {"command": "npx", "transport": "stdio"}},
        ],
    ),
    "hooks": (
        [
            {},
            {"PreToolUse": []},
            {"PreToolUse": [{"command": "x"}, {"matcher": "bash|*_file", "command": "x", "failClosed": False}]},
            {"PreToolUse": [{"command": "x", "timeoutSeconds": 0.1}, {"command": "x", "timeoutSeconds": 60}]},
        ],
        [
            [],
            "x",
            None,
            {"PreToolUse": {}},
            {"PreToolUse": None},
            {"PreToolUse": ["x"]},
            {"PreToolUse": [{}]},
            {"PreToolUse": [{"command": ""}]},
            {"PreToolUse": [{"command": ["x"]}]},
            {"PreToolUse": [{"command": "x", "matcher": 5}]},
            {"PreToolUse": [{"command": "x", "timeoutSeconds": 0}]},
            {"PreToolUse": [{"command": "x", "timeoutSeconds": 61}]},
            {"PreToolUse": [{"command": "x", "timeoutSeconds": "5"}]},
            {"PreToolUse": [{"command": "x", "failClosed": "no"}]},
            {"PreToolUse": [{"command": "x", "args": []}]},
            {"preToolUse": []},
            {"pre_tool_use": []},
        ],
    ),
    "streaming": SWITCH,
    "notifyAfterSeconds": ([0, 0.5, 5, 3600], [-1, 3601, "5", None, True, [5]]),
    "secrets.reading": (["show", "mask", "ask"], ["", "Mask", "hide", True, None, ["mask"]]),
    "keys.approve": SWITCH,
    "server.python": ([None, "", "/usr/bin/python3"], [5, True, ["python"], {}]),
    "server.args": TEXTS,
    "trace.server": (["off", "messages"], ["", "on", "verbose", True, ["off"]]),
}
CASES = [
    pytest.param(name, value, good, id=f"{name}={json.dumps(value)}")
    for name, (goods, bads) in CORPUS.items()
    for values, good in ((goods, True), (bads, False))
    for value in values
]


def test_the_corpus_has_every_setting() -> None:
    assert list(properties()) == [f"assent.{name}" for name in declared()]
    assert CORPUS.keys() == declared().keys()


@pytest.mark.parametrize(("name", "value", "good"), CASES)
def test_the_editor_and_the_server_accept_the_same(name: str, value: Any, good: bool) -> None:
    assert accepts(properties()[f"assent.{name}"], value) is good
    assert (check(name, value) is None) is good


@pytest.mark.parametrize("name", declared())
def test_each_default_is_a_value_of_its_setting_and_each_word_has_a_meaning(name: str) -> None:
    schema = properties()[f"assent.{name}"]
    if schema["default"] is not None:
        assert check(name, schema["default"]) is None
    assert accepts(schema, schema["default"])
    assert len(schema.get("enumDescriptions", [])) == len(schema.get("enum", []))
    assert all(text.endswith(".") for text in schema.get("enumDescriptions", []))


# Named one by one: a new setting has to be looked at before it stands here.
HARMLESS_FROM_ANYWHERE = {
    "assent.alwaysDenyRules",
    "assent.alwaysAskRules",
    "assent.enabled",
    "assent.sessionGrants",
    "assent.streaming",
}


def test_what_can_start_send_or_loosen_cannot_be_set_by_a_workspace_that_nobody_trusts() -> None:
    restricted = set(shipped()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])
    known = properties()
    assert restricted <= known.keys()
    for name, schema in known.items():
        guarded = schema["scope"] in ("machine", "application") or name in restricted
        assert guarded is (name not in HARMLESS_FROM_ANYWHERE), name
    for setting in declared().values():
        assert (f"assent.{setting.name}" in HARMLESS_FROM_ANYWHERE) <= (not setting.about.powers), setting.name


def test_what_no_workspace_may_set_at_all() -> None:
    scopes = {name.removeprefix("assent."): schema["scope"] for name, schema in properties().items()}
    closed = {name: scope for name, scope in scopes.items() if scope not in ("window", "resource")}
    assert closed == {
        "bypassAvailable": "machine",
        "bypassWriteTarget": "machine",
        "confirmOutsideWorkspace": "machine",
        "matrixOverrides": "application",
        "notifyAfterSeconds": "application",
        "keys.approve": "application",
        "server.python": "machine",
        "server.args": "machine",
        "trace.server": "machine",
    }


def test_every_setting_says_what_it_risks_in_the_editor_and_in_the_table() -> None:
    document = settings_document()
    for setting in declared().values():
        described = properties()[f"assent.{setting.name}"]["markdownDescription"]
        assert "**Risk" in described
        assert setting.about.does in described
        assert f"### assent.{setting.name}\n" in document
        assert f"| `{setting.name}` |" in document
        consent = "needs your consent" in next(
            line for line in document.splitlines() if line.startswith(f"| `{setting.name}` |")
        )
        for entry, schema in properties()[f"assent.{setting.name}"].get("properties", {}).items():
            assert f"- `{entry}`" in document
            assert schema["description"] in document
        assert consent is (Power.LOOSENS in setting.about.powers and setting.about.reach.is_open_to_workspaces)


def test_the_rest_of_the_manifest_stays_byte_for_byte() -> None:
    text = MANIFEST.read_text(encoding="utf-8")
    odd = text.replace('"displayName": "Assent"', '"displayName":   "Ässent",\t"odd" : [ ]').replace("\n", "\r\n")
    emptied = odd
    for path in (("contributes", "configuration"), ("capabilities", "untrustedWorkspaces", "restrictedConfigurations")):
        node = parse(emptied).find(*path)
        assert node is not None
        emptied = emptied[: node.start] + "0" + emptied[node.end :]
    before, rest = emptied.split('"restrictedConfigurations": 0')
    between, after = rest.split('"configuration": 0')

    written = manifest_with_settings(emptied)

    assert json.loads(written) == json.loads(odd)
    assert written.startswith(before + '"restrictedConfigurations": [')
    assert f"]{between}" in written
    assert written.endswith("}" + after)

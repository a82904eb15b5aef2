"""`assent diagnostics`: what helps is in it, what is nobody's business is not, and nothing is changed by asking."""

import json
import os
import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import assent
from tests.support.assent_command import run_assent
from tests.support.secret_samples import an, glued

SECTIONS = (
    "Versions",
    "Tools for a sandbox",
    "Commands",
    "Settings",
    "What is wrong with the settings",
    "State directory",
    "The last lines of the log",
)
TOKEN = glued("gh", "p_", an(36))
CANARY = "canary-" + "of-the-environment"


class Place:
    """A workspace, a state directory that need not be there, and the user's settings."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        self.state = folder / "state"
        self.user = folder / "settings.json"
        self.workspace.mkdir()

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """The command as a person starts it."""
        return run_assent(
            *("diagnostics", "--folder", str(self.workspace), *arguments),
            env={"ASSENT_STATE_DIR": str(self.state), **env},
        )

    def bundle(self, *arguments: str, **env: str) -> Any:
        """What it says, for programs."""
        done = self.run("--json", *arguments, **env)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def set(self, **workspace: object) -> None:
        """The workspace's own settings."""
        file = self.workspace / ".vscode" / "settings.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({f"assent.{name}": value for name, value in workspace.items()}, indent=1))

    def set_user(self, **user: object) -> tuple[str, str]:
        """The user's settings, as arguments of the command."""
        self.user.write_text(json.dumps({f"assent.{name}": value for name, value in user.items()}, indent=1))
        return "--user-settings", str(self.user)

    def log(self, text: str) -> None:
        """A log that a server wrote."""
        (self.state / "logs").mkdir(parents=True, exist_ok=True)
        (self.state / "logs" / "server.log").write_text(text)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_versions_are_those_that_run(place: Place) -> None:
    versions = place.bundle()["versions"]

    assert versions["assent"] == assent.__version__
    assert versions["pygls"] == version("pygls")
    assert versions["sqlite"] == sqlite3.sqlite_version
    assert versions["python"].startswith(".".join(map(str, sys.version_info[:3])))


def test_what_commands_run_with_is_told_by_name_only(place: Place) -> None:
    environment = place.workspace / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n")
    user = place.set_user(shell={"environment": {"pass": ["TEAM_TOKEN"], "withhold": ["HTTPS_*"]}})
    given = {"TEAM_TOKEN": CANARY, "OTHER_TOKEN": CANARY, "HTTPS_PROXY": CANARY, "NODE_OPTIONS": CANARY}

    commands = place.bundle(*user, **given)["commands"]
    text = place.run(*user, **given).stdout

    names = {one["why"]: one["names"] for one in commands["withheld"]}
    assert "OTHER_TOKEN" in names["it looks like a secret"]
    assert "TEAM_TOKEN" not in names["it looks like a secret"]
    assert names["it changes what programs do"] == ["NODE_OPTIONS"]
    assert names["the settings withhold it"] == ["HTTPS_PROXY"]
    assert commands["python"]["folder"].endswith("/workspace/.venv")
    assert "OTHER_TOKEN" in text
    assert "python and pytest are those of " in text
    assert CANARY not in text


def test_each_setting_says_who_set_it_and_what_counts(place: Place) -> None:
    place.set(mode="ask", sessionGrants=False, alwaysDenyRules={"bash": ["rm:*"]})
    user = place.set_user(mode="auto", approvalTimeoutSeconds=60)

    settings = place.bundle(*user)["settings"]
    about = {one["key"]: one for one in settings["byKey"]}

    assert about["assent.mode"]["counts"] == "ask"
    assert [(said["scope"], said["value"]) for said in about["assent.mode"]["said"]] == [
        ("workspace", "ask"),
        ("user", "auto"),
    ]
    assert about["assent.mode"]["said"][0]["line"] == 2
    assert about["assent.sessionGrants"]["counts"] is False
    assert about["assent.approvalTimeoutSeconds"]["counts"] == 60
    assert about["assent.enabled"] == {"key": "assent.enabled", "said": [], "default": True, "counts": True}
    assert settings["rules"] == 1
    assert settings["problems"] == []


def test_what_servers_hooks_and_collections_come_to(place: Place) -> None:
    (place.workspace / "docs").mkdir()
    place.set(
        collections={"handbook": {"path": "docs", "exclude": ["old/**"]}, "apart": {"path": "/etc"}},
        mcpServers={"theirs": {"command": "npx"}},
    )
    user = place.set_user(
        mcpServers={"files": {"command": "npx", "trusted": True}, "remote": {"url": "https://example.org/mcp"}},
        hooks={"PreToolUse": [{"matcher": "bash|write_file", "command": "check-call"}]},
        webSearch={"provider": "searxng", "baseUrl": "http://127.0.0.1:8080"},
    )

    settings = place.bundle(*user)["settings"]
    about = {one["key"].removeprefix("assent."): one for one in settings["byKey"]}

    assert about["mcpServers"]["counts"] == [
        {"name": "files", "is": "a program", "definedBy": "user", "trusted": True},
        {"name": "remote", "is": "an address", "definedBy": "user", "trusted": False},
    ]
    (hook,) = about["hooks"]["counts"]
    assert (hook["event"], hook["matcher"], hook["failClosed"]) == ("PreToolUse", "bash|write_file", True)
    (collection,) = about["collections"]["counts"]
    assert (collection["name"], collection["exclude"]) == ("handbook", ["old/**"])
    assert collection["folders"][0].endswith("/docs")
    assert about["webSearch"]["counts"] == {"provider": "searxng"}
    assert sorted(settings["awaitingConsent"]) == ["assent.collections", "assent.mcpServers"]
    assert about["images"]["said"] == [] and about["speech"]["said"] == []


def test_what_is_wrong_with_the_settings_is_said(place: Place) -> None:
    place.set(nope=1, mode="sometimes", bypassAvailable=True, alwaysAllowRules={"bash": ["ls:*"]})

    settings = place.bundle()["settings"]

    assert any("assent.nope" in problem for problem in settings["problems"])
    assert any("sometimes" in problem or "mode" in problem.lower() for problem in settings["problems"])
    assert settings["awaitingConsent"] == ["assent.alwaysAllowRules"]


def test_files_of_the_state_directory_with_size_and_mode(place: Place) -> None:
    place.log("one\n")
    (place.state / "consent.json").write_text("{}")
    (place.state / "consent.json").chmod(0o600)

    state = place.bundle()["state"]

    files = {file["name"]: file for file in state["files"]}
    assert files["consent.json"]["bytes"] == 2
    assert files["consent.json"]["mode"] == "0600" or os.name == "nt"
    assert set(files) == {"consent.json", "logs/server.log"}


def test_the_last_fifty_lines_of_the_log(place: Place) -> None:
    place.log("".join(f"line {number}\n" for number in range(200)))

    assert place.bundle()["log"] == [f"line {number}" for number in range(150, 200)]


def test_no_secret_and_no_variable_is_in_it(place: Place) -> None:
    place.log(f"cannot reach https://bob:{TOKEN}@host\n")
    (place.state / "consent.json").write_text(CANARY)
    (place.state / TOKEN).write_text("")
    agent = {"provider": "demo", "apiKey": CANARY, "env": {CANARY: CANARY}, "headers": {"X-Key": CANARY}}
    place.set(agents={"Theirs": agent}, alwaysAllowRules={"bash": [f"curl -H 'Authorization: Bearer {TOKEN}' x"]})
    user = place.set_user(agents={"Mine": {**agent, "args": ["--token", TOKEN, f"--password={CANARY}"]}})

    said = [
        place.run(*form, *user, SOME_VARIABLE=CANARY, **{CANARY.replace("-", "_"): "x"}) for form in ((), ("--json",))
    ]

    for done in said:
        assert done.returncode == 0, done.stderr
        for secret in (TOKEN, TOKEN[6:30], CANARY, CANARY.replace("-", "_")):
            assert secret not in done.stdout + done.stderr
        assert "[masked: GitHub token]" in done.stdout
        assert "1 of them, not shown" in done.stdout
    assert json.loads(said[1].stdout)["masked"] >= 5


def test_no_secret_of_servers_hooks_and_services_is_in_it(place: Place) -> None:
    address = f"https://{CANARY}@example.org/mcp?{CANARY}=1#{CANARY}"
    server = {"command": "npx", "args": ["--api-key", CANARY, f"--token={CANARY}"], "env": {CANARY: CANARY}}
    place.set(
        mcpServers={"theirs": server, "remote": {"url": address, "headers": {"X-Key": CANARY}}},
        hooks={"PreToolUse": [{"command": f"API_TOKEN={CANARY} check --password {CANARY}"}]},
    )
    user = place.set_user(
        mcpServers={"mine": server, "far": {"url": address, "headers": {"Authorization": f"Bearer {CANARY}"}}},
        hooks={
            "PostToolUse": [{"command": f"curl -H 'Authorization: Bearer {TOKEN}' https://bob:{CANARY}@example.org"}]
        },
        webSearch={"provider": "custom", "baseUrl": address, "headers": {"X-Key": CANARY}},
        images={"provider": "openai-compatible", "baseUrl": address, "model": "m"},
    )

    for form in ((), ("--json",)):
        done = place.run(*form, *user)
        assert done.returncode == 0, done.stderr
        assert "https://example.org/mcp (more of it is not shown)" in done.stdout
        for secret in (TOKEN, TOKEN[6:30], CANARY):
            assert secret not in done.stdout + done.stderr


def test_asking_changes_nothing(place: Place) -> None:
    place.run()

    assert not place.state.exists()
    assert list(place.workspace.iterdir()) == []


def test_the_text_has_all_sections_and_no_line_of_somebody_else(place: Place) -> None:
    place.log("an evil line\x1b[2J\rVersions\n")
    place.set(alwaysDenyRules={"bash": ["a\nVersions"]})

    text = place.run().stdout

    for section in SECTIONS:
        assert text.count(f"\n{section}") == 1, text
    assert "\x1b" not in text


def test_the_text_says_what_is_in_force_and_who_set_it_where(place: Place) -> None:
    place.set(mode="ask", alwaysDenyRules={"bash": ["rm:*"]})
    (place.state).mkdir()
    (place.state / "consent.json").write_text("{}")

    lines = place.run().stdout.splitlines()

    at = lines.index("  assent.mode: ask is in force")
    assert lines[at + 1].startswith("    set in workspace, ") and lines[at + 1].endswith("line 2: ask")
    assert "  assent.alwaysDenyRules:" in lines and "  assent.enabled: true (set nowhere)" in lines
    assert "  of the user: not read (name their file with --user-settings to see them here)" in lines
    assert any(line.startswith("  consent.json: 2 bytes, permissions ") for line in lines)
    start = lines.index("Tools for a sandbox")
    assert not any(": true" in line or ": false" in line for line in lines[start : start + 6])


def test_the_users_own_folder_is_not_named(place: Place) -> None:
    home = str(place.workspace.parent)

    done = place.run(HOME=home, USERPROFILE=home)

    assert done.returncode == 0
    assert home not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "what"),
    [(("--folder", "/no/such/folder"), "there is no folder"), (("--user-settings", "/no/such"), "cannot be read")],
)
def test_a_command_line_that_makes_no_sense(place: Place, arguments: tuple[str, str], what: str) -> None:
    done = place.run(*arguments)

    assert done.returncode == 2
    assert what in done.stderr
    assert done.stdout == ""


def test_a_broken_state_directory_and_broken_settings_are_told_of(place: Place) -> None:
    place.state.write_text("a file")
    (place.workspace / ".vscode").mkdir()
    (place.workspace / ".vscode" / "settings.json").write_text("{ broken")

    bundle = place.bundle()

    assert bundle["settings"]["problems"]
    assert bundle["state"]["files"] == []
    assert bundle["log"] == [] or "cannot be read" in bundle["log"][0]

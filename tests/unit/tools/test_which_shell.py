"""Which shell runs commands: a known one, installed outside of the workspace, with the options before its text."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.model.errors import ToolFault
from assent.tools import shell as module
from assent.tools.shell import PLACES, SHELLS, Shell, environment_for, find_shell, kind_of

HERE = [name for name in SHELLS if any(shutil.which(name, path=place) for place in PLACES)]


@pytest.mark.parametrize("name", HERE)
def test_each_one_that_is_installed_runs_a_text_and_nothing_of_the_users(name: str, tmp_path: Path) -> None:
    for file in (".bashrc", ".zshrc", ".profile", ".zshenv", ".dashrc"):
        (tmp_path / file).write_text("echo loaded\n")
    found = find_shell((), {**os.environ, "HOME": str(tmp_path)}, name)
    assert isinstance(found, Shell)
    done = subprocess.run(found.argv("echo -n; echo hi"), env=dict(found.environment), capture_output=True, check=True)
    assert done.stdout == b"hi\n" or done.stdout == b"-n\nhi\n"


def test_a_text_that_looks_like_an_option_is_a_text(tmp_path: Path) -> None:
    for name in {"bash", "sh", "dash"} & set(HERE):
        found = find_shell((), os.environ, name)
        assert isinstance(found, Shell)
        done = subprocess.run(found.argv("-x"), env=dict(found.environment), capture_output=True, check=False)
        assert done.returncode == 127


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        ("bash", "bash"),
        ("/bin/bash", "bash"),
        ("/opt/x/zsh", "zsh"),
        ("./bash", None),
        ("sub/bash", None),
        ("python3", None),
        ("/usr/bin/env", None),
        ("BASH", None),
        ("", None),
    ],
)
def test_only_known_shells_by_name_or_whole_path_are_shells(wanted: str, kind: str | None) -> None:
    assert kind_of(wanted) == kind


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [("powershell", "powershell"), ("CMD.EXE", None), ("pwsh", "pwsh"), ("bash", "bash")],
)
def test_on_windows_names_are_known_as_well(monkeypatch: pytest.MonkeyPatch, wanted: str, kind: str | None) -> None:
    monkeypatch.setattr(module, "PLATFORM", "win32")
    assert kind_of(wanted) == kind


def test_one_in_the_workspace_is_not_used(tmp_path: Path) -> None:
    mine = tmp_path / "bash"
    shutil.copy("/bin/bash", mine)
    found = find_shell((str(tmp_path),), os.environ, str(mine))
    assert isinstance(found, ToolFault)
    assert "lies in the workspace" in str(found)


def test_its_environment_is_a_list_of_what_may_pass(tmp_path: Path) -> None:
    secrets = {
        f"{name}_{kind}": f"value{number}"
        for number, (name, kind) in enumerate(
            (name, kind)
            for name in ("AWS", "OPENAI", "ANTHROPIC", "GITHUB", "NPM")
            for kind in ("SECRET", "TOKEN", "API_KEY", "PASSWORD")
        )
    }
    given = {**secrets, "PATH": "/usr/bin:relative::/bin", "HOME": "/home/x", "LC_ALL": "C", "SSH_AUTH_SOCK": "/s"}
    passed = environment_for((str(tmp_path),), given)
    assert not set(secrets) & set(passed) and not set(secrets.values()) & set(passed.values())
    assert "SSH_AUTH_SOCK" not in passed
    assert (passed["PATH"], passed["HOME"], passed["LC_ALL"]) == ("/usr/bin:/bin", "/home/x", "C")
    assert passed["GIT_TERMINAL_PROMPT"] == "0" and passed["PAGER"] == "cat"

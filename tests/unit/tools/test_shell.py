"""The shell and its environment: none of it comes from the workspace, and no secret comes along."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.model.errors import ToolFault
from assent.tools import shell
from assent.tools.shell import Shell, environment_for, find_shell


def test_bash_of_the_system_is_found(tmp_path: Path) -> None:
    found = find_shell((str(tmp_path),), {"PATH": str(tmp_path)})

    assert isinstance(found, Shell)
    assert found.path in {"/bin/bash", "/usr/bin/bash"}


def test_where_there_is_none_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "PLACES", (str(tmp_path),))
    found = find_shell((), {})

    assert isinstance(found, ToolFault)
    assert found.code == "no_shell"
    assert str(tmp_path) in str(found)


def test_one_of_the_workspace_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bash").write_text("#!/bin/sh\n")
    (tmp_path / "bash").chmod(0o755)
    monkeypatch.setattr(shell, "PLACES", (str(tmp_path),))

    assert isinstance(find_shell((), {}), Shell)
    assert isinstance(find_shell((str(tmp_path),), {}), ToolFault)


def test_something_that_cannot_be_started_is_no_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a/bash").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/bash").write_text("x")
    monkeypatch.setattr(shell, "PLACES", (str(tmp_path / "a"), str(tmp_path / "b")))

    assert isinstance(find_shell((), {}), ToolFault)


def test_only_what_is_listed_is_passed_on() -> None:
    given = {
        "HOME": "/home/me",
        "LANG": "C.UTF-8",
        "LC_TIME": "C",
        "TZ": "UTC",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "OPENAI_API_KEY": "secret",
        "BASH_ENV": "/evil",
        "ENV": "/evil",
        "SHELLOPTS": "xtrace",
        "BASH_FUNC_ls%%": "() { evil; }",
        "LD_PRELOAD": "/evil.so",
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": "/evil",
        "GIT_DIR": "/evil",
        "GIT_SSH_COMMAND": "evil",
        "PROMPT_COMMAND": "evil",
        "IFS": "x",
        "PATH": "/usr/bin",
    }

    found = environment_for((), given)

    assert {name: found[name] for name in ("HOME", "LANG", "LC_TIME", "TZ", "PATH")} == {
        "HOME": "/home/me",
        "LANG": "C.UTF-8",
        "LC_TIME": "C",
        "TZ": "UTC",
        "PATH": "/usr/bin",
    }
    assert "secret" not in str(found)
    assert "evil" not in str(found)
    assert not {"SHELLOPTS", "PYTHONUNBUFFERED", "IFS", "ENV"} & found.keys()


def test_programs_are_never_looked_for_in_the_workspace(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "bin").mkdir(parents=True)
    (tmp_path / "tools").mkdir()
    (tmp_path / "to-root").symlink_to(root / "bin")
    (root / "out").symlink_to("/usr/bin")
    entries = [
        "/usr/bin",
        str(root),
        str(root / "bin"),
        str(root / "missing"),
        str(tmp_path / "to-root"),
        str(root / "out"),
        str(tmp_path / "tools"),
        "",
        ".",
        "bin",
        "~/bin",
        "/bin",
    ]

    found = environment_for((str(root),), {"PATH": ":".join(entries)})

    assert found["PATH"].split(":") == ["/usr/bin", str(tmp_path / "tools"), "/bin"]


@pytest.mark.parametrize("path", ["", "relative", ".:"])
def test_without_any_folder_the_usual_ones_are_searched(path: str) -> None:
    assert environment_for((), {"PATH": path})["PATH"] == "/usr/local/bin:/usr/bin:/bin"


@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
@pytest.mark.parametrize("line", ["npm ls", "npm config get registry", "npm prefix"])
def test_npm_only_reads_where_nobody_agreed_to_more(tmp_path: Path, line: str) -> None:
    """Its logs, its cache and the look for a newer npm go where a file of the workspace says."""
    places = {name: tmp_path / name for name in ("workspace", "home", "outside")}
    for place in places.values():
        place.mkdir()
    settings = "registry=http://127.0.0.1:9/\nlogs-dir=../outside/logs\ncache=../outside/cache\ntiming=true\n"
    (places["workspace"] / ".npmrc").write_text(settings)
    (places["workspace"] / "package.json").write_text("{}")
    found = find_shell((str(places["workspace"]),), {"PATH": os.environ["PATH"], "HOME": str(places["home"])})
    assert isinstance(found, Shell)

    subprocess.run(found.argv(line), cwd=places["workspace"], env=found.clean, capture_output=True, check=True)
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert made == {*places, "workspace/.npmrc", "workspace/package.json"}

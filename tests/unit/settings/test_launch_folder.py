"""Where the program of an agent works, whatever its definition says."""

import pwd
from os import getuid
from pathlib import Path

import pytest

from assent.app.launches import launch_of
from assent.settings.agents import define_agent
from assent.settings.launch_folder import launch_folder

START, HOME = Path("/work/start"), Path("/homes/me")


@pytest.mark.parametrize(
    ("cwd", "folder"),
    [
        (None, "/work/start"),
        ("", "/work/start"),
        (5, "/work/start"),
        ("sub", "/work/start/sub"),
        ("/else", "/else"),
        ("~", "/homes/me"),
        ("~/x", "/homes/me/x"),
        ("x/~", "/work/start/x/~"),
        ("~nobody-of-this-name/x", "/work/start/~nobody-of-this-name/x"),
        ("~no\0body/x", "/work/start/~no\0body/x"),
        ("~\ud800/x", "/work/start/~\ud800/x"),
        ("x\0y", "/work/start/x\0y"),
    ],
)
def test_the_folder_of_a_definition(cwd: object, folder: str) -> None:
    assert str(launch_folder({"cwd": cwd}, START, HOME)) == folder  # type: ignore[dict-item]


def test_the_home_of_a_user_by_name() -> None:
    user = pwd.getpwuid(getuid())
    assert launch_folder({"cwd": f"~{user.pw_name}/x"}, START, HOME) == Path(user.pw_dir, "x")


@pytest.mark.parametrize("cwd", ["~nobody-of-this-name/x", "x\0y", "~a\0b", "\ud800"])
def test_a_launch_can_be_made_of_any_definition(cwd: str) -> None:
    agent = define_agent("T", {"command": "x", "cwd": cwd})
    assert launch_of(agent.definition, ("/work/start",)).folder == f"/work/start/{cwd}"

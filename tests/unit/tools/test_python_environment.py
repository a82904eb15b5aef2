"""Which virtual environment `python` means, and that it never stands in for a program that is not Python's."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.limits import Interpreter
from assent.tools.python_environment import PythonEnvironment, python_environment

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(name: str, *programs: str) -> Path:
        folder = tmp_path / name
        (folder / "bin").mkdir(parents=True)
        (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
        for program in programs or ("python", "pytest"):
            (folder / "bin" / program).write_text("#!/bin/sh\n")
            (folder / "bin" / program).chmod(0o644 if program.endswith(".ps1") else 0o755)
        return folder

    return made


def found(
    root: Path, directory: str = "", interpreter: str | None = None, path: str = "/usr/bin:/bin", **environment: str
) -> PythonEnvironment | None:
    named = Interpreter(interpreter, users=False) if interpreter is not None else None
    return python_environment(str(root / directory), (str(root),), {"PATH": path, **environment}, named)


def test_the_nearest_one_in_the_workspace_counts_and_none_above_it(make: Make, tmp_path: Path) -> None:
    make(".venv")
    root = make("work/.venv").parent
    near = make("work/packages/api/.venv")
    (near.parent / "src").mkdir()
    (root / "docs").mkdir()

    for directory, folder in (("", root / ".venv"), ("docs", root / ".venv"), ("packages/api/src", near)):
        one = found(root, directory)
        assert one is not None
        assert (one.folder, one.comes_first) == (str(folder), True)
    bare = tmp_path / "bare"
    bare.mkdir()
    assert found(bare) is None


def test_a_folder_of_that_name_which_is_none_does_not_count(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)

    assert found(tmp_path) is None


@pytest.mark.parametrize(
    "named", ["${workspaceFolder}/env/bin/python", "env/bin/python3", "./env/bin/python", "{root}/env/bin/python"]
)
def test_the_interpreter_of_the_settings_comes_before_what_lies_beside(make: Make, named: str) -> None:
    make("work/.venv")
    chosen = make("work/env")
    root = chosen.parent

    one = found(root, interpreter=named.replace("{root}", str(root)))

    assert one is not None
    assert one.folder == str(chosen)


def test_a_workspace_names_no_interpreter_that_lies_elsewhere_and_the_user_may(make: Make) -> None:
    beside, elsewhere = make("work/.venv"), make("other/env")
    place = str(elsewhere / "bin" / "python")
    root = str(beside.parent)

    for users, folder in ((False, beside), (True, elsewhere)):
        one = python_environment(root, (root,), {"PATH": "/usr/bin"}, Interpreter(place, users=users))
        assert one is not None
        assert one.folder == str(folder)


@pytest.mark.parametrize("named", ["python3", "/usr/bin/python3", "${workspaceFolder}/gone/bin/python", ""])
def test_an_interpreter_of_no_environment_leaves_what_lies_beside(make: Make, named: str) -> None:
    beside = make("work/.venv")

    one = found(beside.parent, interpreter=named)

    assert one is not None
    assert one.folder == str(beside)


def test_what_was_entered_before_the_editor_was_started_counts_where_the_project_has_none(make: Make) -> None:
    entered, beside = make("mine"), make("work/.venv")
    bare = beside.parent.parent / "bare"
    bare.mkdir()

    own, other = found(beside.parent, VIRTUAL_ENV=str(entered)), found(bare, VIRTUAL_ENV=str(entered))

    assert own is not None
    assert other is not None
    assert (own.folder, other.folder) == (str(beside), str(entered))
    assert found(bare, VIRTUAL_ENV="mine") is None


@pytest.mark.parametrize(
    ("own", "first"),
    [
        (("python", "python3.12", "pip", "pytest", "ruff"), True),
        (("python", "only-here"), True),
        (("python", "Enter.ps1"), True),
        (("python", "git"), False),
        (("python", "terraform"), False),
    ],
)
def test_its_programs_come_last_where_one_would_stand_in_for_a_program_that_is_not_pythons(
    make: Make, tmp_path: Path, own: tuple[str, ...], first: bool
) -> None:
    folder = make("work/.venv", *own)
    system = tmp_path / "system"
    system.mkdir()
    for name in ("python", "python3.12", "pip", "pytest", "ruff", "git", "terraform", "Enter.ps1"):
        (system / name).touch()

    one = found(folder.parent, path=f"/nowhere:{system}")

    assert one is not None
    environment = one.added_to({"PATH": f"/nowhere:{system}", "LANG": "C"})
    inner = str(folder / "bin")
    assert environment == {
        "PATH": f"{inner}:/nowhere:{system}" if first else f"/nowhere:{system}:{inner}",
        "LANG": "C",
        "VIRTUAL_ENV": str(folder),
    }


def test_a_program_that_appears_later_is_seen(make: Make, tmp_path: Path) -> None:
    folder = make("work/.venv")
    system = tmp_path / "system"
    system.mkdir()
    (system / "git").touch()

    def comes_first() -> bool | None:
        one = found(folder.parent, path=str(system))
        return one and one.comes_first

    assert comes_first() is True
    (folder / "bin" / "git").touch(0o755)
    assert comes_first() is False

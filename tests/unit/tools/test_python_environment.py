"""Which virtual environment `python` means, and that it never stands in for a program that is not Python's."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.limits import Interpreter
from assent.tools.python_environment import PythonEnvironment, installation_of, python_environment

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


@pytest.mark.parametrize(("names", "chosen"), [(("venv",), "venv"), (("env", "venv", ".venv"), ".venv")])
def test_it_may_have_any_of_the_usual_names(make: Make, names: tuple[str, ...], chosen: str) -> None:
    root = next(reversed([make(f"work/{name}").parent for name in names]))

    one = found(root)

    assert one is not None
    assert one.folder == str(root / chosen)


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
        (("python", "cmake", "ninja"), True),
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
    for name in ("python", "python3.12", "pip", "pytest", "ruff", "git", "terraform", "Enter.ps1", "cmake", "ninja"):
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
        return one.comes_first if one is not None else None

    assert comes_first() is True
    (folder / "bin" / "git").touch(0o755)
    assert comes_first() is False


def installed(folder: Path) -> Path:
    """A Python as it is installed."""
    modules = folder / "lib" / "python3.12"
    modules.mkdir(parents=True)
    (modules / "os.py").touch()
    (folder / "bin").mkdir()
    (folder / "bin" / "python3.12").touch(0o755)
    return folder / "bin" / "python3.12"


def test_what_is_installed_is_known_by_what_belongs_to_it(tmp_path: Path) -> None:
    interpreter = installed(tmp_path / "pythons" / "3.12")
    alike = tmp_path / "mine" / "bin" / "python3.12"
    alike.parent.mkdir(parents=True)
    alike.touch(0o755)
    other = interpreter.with_name("deploy")
    other.touch(0o755)

    assert installation_of(str(interpreter)) == (str(interpreter.parent), str(tmp_path / "pythons" / "3.12" / "lib"))
    assert installation_of(str(alike)) == ()
    assert installation_of(str(other)) == ()
    assert installation_of("") == ()


def test_it_needs_the_python_that_it_was_made_with_by_each_name(make: Make, tmp_path: Path) -> None:
    interpreter = installed(tmp_path / "pythons" / "3.12.7")
    (tmp_path / "pythons" / "3.12").symlink_to("3.12.7")
    python = make("work/.venv") / "bin" / "python"
    python.unlink()

    def needed(target: Path) -> tuple[str, ...]:
        python.unlink(missing_ok=True)
        python.symlink_to(target)
        one = found(tmp_path / "work")
        assert one is not None
        return one.installation

    own = [str(tmp_path / "pythons" / "3.12.7" / name) for name in ("bin", "lib")]
    by_name = [str(tmp_path / "pythons" / "3.12" / name) for name in ("bin", "lib")]
    assert needed(tmp_path / "pythons" / "3.12" / "bin" / "python3.12") == (*by_name, *own)
    assert needed(interpreter) == tuple(own)
    private = tmp_path / "private" / "bin" / "python3.12"
    private.parent.mkdir(parents=True)
    private.touch(0o755)
    assert needed(private) == ()
    assert needed(tmp_path / "gone") == ()


def test_which_names_mean_its_programs(make: Make, tmp_path: Path) -> None:
    folder = make("work/.venv", "python", "own", "git")
    system = tmp_path / "system"
    system.mkdir()

    def meant() -> list[str]:
        one = found(folder.parent, path=str(system))
        assert one is not None
        return [name for name in ("python", "own", "git", "ls") if one.program(name)]

    assert meant() == ["python", "own", "git"]
    for name in ("git", "python", "ls"):
        (system / name).touch(0o755)
    assert meant() == ["own"]

"""The first activation: an environment is made whole or not at all, from exactly what was packed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.unit.bootstrap.wheelhouse import Wheelhouse, finish, make, rubble, start

MANY_FILES = {f"other/module_{n}.py": f"VALUE = {n}\n" for n in range(400)} | {"other/__init__.py": ""}


def imported(python: Path, statement: str) -> str:
    done = subprocess.run([str(python), "-I", "-c", statement], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_makes_an_environment_with_the_packed_packages_and_nothing_else(house: Wheelhouse, target: Path):
    python = make(house.folder, target).python
    assert python.is_relative_to(target)
    assert imported(python, "import assent, other; print(assent.NAME, other.NAME)") == "assent other"
    assert imported(python, "from importlib.util import find_spec; print(find_spec('pip'), find_spec('pytest'))") == (
        "None None"
    )
    assert rubble(target) == []


def test_tells_each_step_in_words(house: Wheelhouse, target: Path):
    said = make(house.folder, target)
    assert said.steps == ["create", "unpack", "unpack", "compile", "verify"]
    assert all(line["message"] for line in said.lines if "step" in line)


def test_the_second_time_there_is_nothing_to_do(house: Wheelhouse, target: Path):
    first = make(house.folder, target)
    second = make(house.folder, target)
    assert second.python == first.python
    assert second.steps == []


def test_sources_are_compiled_under_their_final_names(house: Wheelhouse, target: Path):
    python = make(house.folder, target).python
    cached = imported(python, "import assent; print(assent.__cached__)")
    assert Path(cached).is_file()
    assert imported(python, "import assent; print(assent.__file__)").startswith(str(target))


def test_an_environment_that_lost_a_file_is_made_again(house: Wheelhouse, target: Path):
    python = make(house.folder, target).python
    Path(imported(python, "import other; print(other.__file__)")).unlink()
    again = make(house.folder, target)
    assert "create" in again.steps
    assert imported(again.python, "import other; print(other.NAME)") == "other"
    assert rubble(target) == []


def test_an_environment_with_a_cut_file_is_made_again(house: Wheelhouse, target: Path):
    python = make(house.folder, target).python
    Path(imported(python, "import other; print(other.__file__)")).write_text("")
    assert "create" in make(house.folder, target).steps


def test_another_set_of_packages_gets_another_environment(house: Wheelhouse, target: Path):
    before = make(house.folder, target).python
    house.bring("third")
    after = make(house.folder, target).python
    assert after != before
    assert before.exists(), "another window may still run from it"


def test_environments_that_no_window_used_for_long_are_cleared_away(house: Wheelhouse, target: Path):
    before = make(house.folder, target).python.parent.parent
    os.utime(before / "assent-environment.json", (0, 0))
    house.bring("third")
    make(house.folder, target)
    assert not before.exists()


def test_two_windows_at_once_make_one_environment(house: Wheelhouse, target: Path):
    said = [finish(process) for process in [start(house.folder, target) for _ in range(4)]]
    assert len({each.python for each in said}) == 1
    assert sum("create" in each.steps for each in said) == 1
    assert rubble(target) == []


def test_after_a_kill_in_the_middle_the_next_start_makes_it_whole(house: Wheelhouse, target: Path):
    house.bring("slow", MANY_FILES)
    process = start(house.folder, target)
    assert process.stdout is not None
    while json.loads(process.stdout.readline())["step"] != "compile":
        pass
    process.kill()
    process.communicate()
    assert rubble(target) != [], "a kill leaves what was begun"
    again = make(house.folder, target)
    assert imported(again.python, "import assent; print(assent.NAME)") == "assent"
    assert rubble(target) == []


def test_an_editor_that_closes_in_the_middle_leaves_nothing(house: Wheelhouse, target: Path):
    house.bring("slow", MANY_FILES)
    process = start(house.folder, target)
    assert process.stdout is not None
    while json.loads(process.stdout.readline())["step"] != "unpack":
        pass
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert rubble(target) == []


def test_works_under_an_isolated_interpreter(house: Wheelhouse, target: Path):
    from tests.unit.bootstrap.wheelhouse import PROGRAM

    command = [sys.executable, "-I", str(PROGRAM), "--wheels", str(house.folder), "--target", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["done"] is True

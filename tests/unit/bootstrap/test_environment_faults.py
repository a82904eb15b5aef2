"""Whatever is wrong with the packed files, the machine or its disk: a clear message, and nothing left behind."""

import errno
import json
import resource
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.unit.bootstrap.wheelhouse import PROGRAM, Wheelhouse, make, rubble, sha256, start, write_wheel

NOT_HERE = "cp27-cp27m-win32"


def test_a_wheel_that_was_changed_after_packing_is_not_unpacked(house: Wheelhouse, target: Path):
    wheel = house.folder / str(house.wheels[0]["file"])
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("assent/added.py", "")
    assert "not the file that was packed" in make(house.folder, target).error
    assert rubble(target) == []


@pytest.mark.parametrize("name", ["../evil.py", "/evil.py", "assent/../../evil.py", "C:evil.py", "a\\..\\evil.py"])
def test_an_entry_that_would_land_elsewhere_is_refused(house: Wheelhouse, target: Path, name: str):
    house.bring("third", {"third/__init__.py": "", name: "raise SystemExit('ran')"})
    assert "would land elsewhere" in make(house.folder, target).error
    assert not list(target.parent.rglob("evil.py"))
    assert rubble(target) == []


def test_a_symbolic_link_in_a_wheel_is_refused(house: Wheelhouse, target: Path):
    wheel = house.bring("third")
    link = zipfile.ZipInfo("third/link")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(link, "/etc")
    house.wheels[-1]["sha256"] = sha256(wheel)
    house.write()
    assert "would land elsewhere" in make(house.folder, target).error


@pytest.mark.parametrize("file", ["../assent-1.0-py3-none-any.whl", "/elsewhere/x.whl", "..\\x.whl"])
def test_a_manifest_that_names_a_file_outside_is_refused(house: Wheelhouse, target: Path, file: str):
    house.wheels[0]["file"] = file
    house.write()
    assert "outside its own folder" in make(house.folder, target).error


def test_a_missing_wheel_is_named(house: Wheelhouse, target: Path):
    (house.folder / str(house.wheels[1]["file"])).unlink()
    assert "other-1.0-py3-none-any.whl is missing" in make(house.folder, target).error
    assert rubble(target) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "proof": "", "packages": [1]}'])
def test_an_unreadable_manifest_is_a_damaged_extension(house: Wheelhouse, target: Path, text: str):
    (house.folder / "manifest.json").write_text(text)
    assert "install it again" in make(house.folder, target).error


def test_a_server_that_does_not_start_is_met_here(house: Wheelhouse, target: Path):
    house.proof = "import nowhere_to_be_found"
    house.write()
    error = make(house.folder, target).error
    assert "nowhere_to_be_found" in error
    assert "assent.server.python" in error
    assert rubble(target) == []


def test_what_was_not_packed_for_this_machine_comes_from_the_registry(house: Wheelhouse, target: Path, tmp_path: Path):
    registry = tmp_path / "registry"
    registry.mkdir()
    offered = write_wheel(registry, "native")
    house.bring("native", tag=NOT_HERE)
    house.from_registry("native", sha256(offered))
    house.proof = "import native"
    house.write()
    said = make(house.folder, target, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(registry))
    assert "download" in said.steps
    assert said.python.exists()


def test_a_registry_that_offers_something_else_is_refused(house: Wheelhouse, target: Path, tmp_path: Path):
    registry = tmp_path / "registry"
    registry.mkdir()
    write_wheel(registry, "native", {"native/__init__.py": "raise SystemExit('ran')"})
    house.from_registry("native", "0" * 64)
    error = make(house.folder, target, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(registry)).error
    assert "pip could not fetch native 1.0" in error
    assert rubble(target) == []


def test_the_server_itself_never_comes_from_a_registry(tmp_path: Path, target: Path):
    house = Wheelhouse(tmp_path / "wheels")
    house.bring("assent", tag=NOT_HERE)
    registry = tmp_path / "registry"
    registry.mkdir()
    write_wheel(registry, "assent")
    error = make(house.folder, target, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(registry)).error
    assert "does not bring assent for this machine" in error


def test_a_python_without_pip_is_told_how_to_get_it(house: Wheelhouse, target: Path, tmp_path: Path):
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    house.from_registry("native", "0" * 64)
    error = make(house.folder, target, python=str(bare / "bin" / "python")).error
    assert "has no pip" in error
    assert "python3-pip" in error


def test_a_place_that_cannot_be_written_is_named(house: Wheelhouse):
    error = make(house.folder, Path("/sys/assent-test")).error
    assert "/sys/assent-test cannot be written" in error


def test_a_write_that_fails_half_way_leaves_nothing(house: Wheelhouse, target: Path):
    house.bring("big", {"big/__init__.py": "", "big/data.txt": "x" * 2_000_000})
    command = [sys.executable, str(PROGRAM), "--wheels", str(house.folder), "--target", str(target)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)),
    )
    last = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 1
    assert "could not be made" in last["error"]
    assert rubble(target) == []


def test_a_full_disk_is_called_that(bootstrap_on_path: None):
    from make_environment import _explained

    problem = _explained(OSError(errno.ENOSPC, "No space left on device"), Path("there"))
    assert str(problem) == "The disk is full."
    assert "there" in problem.hint


def test_the_lock_of_a_killed_maker_holds_nobody_up(house: Wheelhouse, target: Path):
    target.mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(target / ".lock")], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waiting = start(house.folder, target)
    assert waiting.stdout is not None
    assert json.loads(waiting.stdout.readline())["step"] == "wait"
    holder.kill()
    holder.communicate()
    stdout, _ = waiting.communicate()
    assert json.loads(stdout.splitlines()[-1])["done"] is True


_HOLD = """
import fcntl, sys
held = open(sys.argv[1], "a+b")
fcntl.flock(held, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""

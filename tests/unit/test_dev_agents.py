"""The public agents that tests lead: their locks, and what is said of one that is not there."""

import json
import re
from pathlib import Path

import pytest

from devtools.agents import FURTHER, SUITE, Lot

LOTS = pytest.mark.parametrize("lot", [SUITE, FURTHER], ids=["suite", "further"])


def lot_in(folder: Path, **pythons: str | None) -> Lot:
    return Lot(folder / "installed", folder / "locks", "install them", "0 GB", pythons)


@LOTS
def test_every_package_of_npm_is_locked_and_no_registry_is_named(lot: Lot):
    wanted = json.loads((lot.locks / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((lot.locks / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert locked.pop("")["dependencies"] == wanted
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("resolved" not in package and package["integrity"] for package in locked.values())


@LOTS
def test_every_agent_of_pypi_is_locked_and_no_registry_is_named(lot: Lot):
    for name in lot.pythons:
        wanted = (lot.locks / f"{name}.in").read_text(encoding="utf-8").splitlines()
        locked = (lot.locks / f"{name}.txt").read_text(encoding="utf-8")
        assert all(re.fullmatch(r"[\w.-]+(\[[\w,-]+\])?==[\w.]+", line) for line in wanted)
        assert "://" not in locked and "--hash=sha256:" in locked


def test_the_further_agents_are_no_part_of_the_suite():
    assert not FURTHER.folder.is_relative_to(SUITE.folder) and not FURTHER.pythons.keys() & SUITE.pythons.keys()


def test_one_that_is_not_installed_is_said_to_be_missing_with_the_way_to_it(tmp_path: Path):
    lot = lot_in(tmp_path, snake=None)
    for name in ("of-npm", "snake"):
        assert lot.missing(name) == f"{name} is not installed as its lock says; run: install them"
    assert not lot.complete()


def test_one_whose_python_is_not_there_is_said_to_need_it(tmp_path: Path):
    assert lot_in(tmp_path, snake="3.0").missing("snake") == "snake needs Python 3.0, which is not on this machine"


def test_a_python_that_only_pyenv_knows_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "versions" / "3.1.7" / "bin" / "python3.1"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho 3.1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert (
        lot_in(tmp_path, snake="3.1").missing("snake") == "snake is not installed as its lock says; run: install them"
    )

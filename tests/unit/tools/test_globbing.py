"""Patterns match at least what bash matches, and nearly always exactly that; they never cost much."""

import os
import subprocess
from pathlib import Path

import pytest

from assent.tools.globbing import MOST_LOOKED_AT, MOST_MATCHES, Budget, expand
from tests.support.scale import limit

NAMES = ["a.txt", "b.txt", "B.txt", ".hidden", "sub/a.txt", "sub/.x", "sub/deep/c.md", "sp ace", "[x]", "st*r", "é.txt"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("x")
    (tmp_path / "link").symlink_to("sub")
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def by_bash(folder: Path, pattern: str) -> set[str]:
    """What the real shell makes of it."""
    text = f"printf '%s\\0' {pattern}"
    done = subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-c", text],
        cwd=folder,
        env={"LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    return {str(folder / name) for name in done.stdout.decode().split("\0")[:-1]}


def matched(folder: Path, pattern: str) -> set[str]:
    found = expand(str(folder), pattern, Budget())
    assert found.whole
    return set(found.names)


EXACT = [
    "*",
    "*.txt",
    "?.txt",
    "sub/*",
    "*/*.txt",
    "*/deep/*",
    "*/",
    "link/*",
    "./*.txt",
    "sub/../*.txt",
    "g*",
    "p*",
    "**",
    "**/*.md",
    "nothing*",
    "*x*",
    "sp*",
]


@pytest.mark.parametrize("pattern", EXACT)
def test_as_the_shell_would(folder: Path, pattern: str) -> None:
    assert {os.path.normpath(name) for name in matched(folder, pattern)} == {
        os.path.normpath(name) for name in by_bash(folder, pattern)
    }


@pytest.mark.parametrize(
    "pattern",
    [".*", "[ab].txt", "[[]x]", "st[*]r", "[!a].txt", "[^a].txt", "[a-b].txt", "[[:alpha:]].txt", "[]x]*", "[a", "a]*"],
)
def test_never_less_than_the_shell(folder: Path, pattern: str) -> None:
    assert {os.path.normpath(name) for name in matched(folder, pattern)} >= {
        os.path.normpath(name) for name in by_bash(folder, pattern)
    }


def test_from_the_root_on(folder: Path) -> None:
    assert matched(Path("/nowhere"), f"{folder}/*.md") == {f"{folder}/*.md"}
    assert matched(Path("/nowhere"), f"{folder}/sub/*") == {f"{folder}/sub/a.txt", f"{folder}/sub/deep"}
    assert "/etc" in matched(Path("/nowhere"), "/e*")


def test_the_folder_is_no_pattern(tmp_path: Path) -> None:
    odd = tmp_path / "[ab]*"
    odd.mkdir()
    (odd / "in").write_text("x")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "out").write_text("x")

    assert matched(odd, "*") == {str(odd / "in")}


def test_without_a_match_the_name_itself_is_meant(tmp_path: Path) -> None:
    assert matched(tmp_path, "no*") == {str(tmp_path / "no*")}
    # A star that was quoted is written down in brackets; which of both it was is not known here.
    assert matched(tmp_path, "a[*]b?") == {str(tmp_path / "a[*]b?"), str(tmp_path / "a*b?")}


def test_too_many_are_the_folder(tmp_path: Path) -> None:
    for number in range(MOST_MATCHES + 1):
        (tmp_path / f"f{number}").touch()

    assert expand(str(tmp_path), "f*", Budget()).whole is False
    assert expand(str(tmp_path), "f*", Budget()).names == (str(tmp_path),)
    assert len(matched(tmp_path, "f1*")) > 1


@pytest.mark.parametrize("pattern", ["a\\*", "@(a|b)*", "*(x)", "!(a)"])
def test_what_is_not_expanded_here_is_the_folder(tmp_path: Path, pattern: str) -> None:
    assert expand(str(tmp_path), pattern, Budget()) == expand(str(tmp_path), "@(x)", Budget())
    assert expand(str(tmp_path), pattern, Budget()).whole is False


@pytest.mark.timeout(limit(30))  # trying each star with each length would take years
def test_many_stars_cost_little(tmp_path: Path) -> None:
    (tmp_path / ("a" * 250)).touch()

    assert matched(tmp_path, "*a" * 40 + "*b") == {str(tmp_path / ("*a" * 40 + "*b"))}


def test_many_patterns_cost_no_more_than_one(tmp_path: Path) -> None:
    for number in range(1_000):
        (tmp_path / f"f{number}").touch()
    budget = Budget()
    found = [expand(str(tmp_path), f"g{number}*", budget).whole for number in range(50)]

    assert found == [True] * (MOST_LOOKED_AT // 1_000) + [False] * (50 - MOST_LOOKED_AT // 1_000)

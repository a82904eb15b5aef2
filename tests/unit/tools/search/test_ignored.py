"""What .gitignore files leave out, held against git itself; and patterns that are made to take for ever."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.tools.globs import UnusableGlob, alternatives, glob_of, name_pattern
from assent.tools.search.ignored import Ignored

NAMES = ["a", "b", "ab", "a.b", "foo", "build", ".x", "a b", "[a]", "x*y"]
PATTERNS = """a|*.b|/a|a/|!a|**/b|a/**|a/**/b|foo/b|/foo/|!/foo/a|a*|*|!*/|[ab]|[!a]|\\!a|#x|\\#|a?b|a\\ |b |**|***
a**|**a|/**|[[:alpha:]]|[a-|[]a]|[^]]*|\\[a\\]|x\\*y|[b-a]|foo//b|/|//a|\\|a\\|!|!!a|*/*|a/b/|**/|/**/b|[[:foo:]]|{a,b}|?"""
LINES = PATTERNS.replace("\n", "|").split("|")


def git(folder: Path, *args: str, given: str = "") -> str:
    done = subprocess.run(["git", "-C", str(folder), *args], input=given, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
@pytest.mark.parametrize("seed", range(25))
def test_the_same_is_left_out_as_by_git(tmp_path: Path, seed: int) -> None:
    rolls = random.Random(seed)
    git(tmp_path, "init", "-q")
    for _ in range(25):
        path = tmp_path.joinpath(*rolls.choices(NAMES, k=rolls.randint(1, 4)))
        if not any(above.is_file() for above in path.parents) and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
    folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir() and ".git" not in path.parts)]
    files = [
        str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file() and ".git" not in path.parts
    ]
    said: dict[tuple[str, ...], str] = {}
    for folder in (one for one in folders if one == tmp_path or rolls.random() < 0.3):
        text = rolls.choice(["\n", "\r\n"]).join(rolls.choices(LINES, k=rolls.randint(1, 4)))
        said[folder.relative_to(tmp_path).parts] = text
        (folder / ".gitignore").write_bytes(text.encode())

    theirs = git(tmp_path, "check-ignore", "-z", "--no-index", "--stdin", given="\0".join(files))
    ours = Ignored(said.get)
    assert {file for file in files if ours.hides(tuple(file.split("/")))} == set(filter(None, theirs.split("\0"))), said


def test_a_pattern_of_many_stars_ends() -> None:
    assert not name_pattern("*a" * 120 + "b").fullmatch("a" * 250)
    assert not glob_of("**/a/" * 120 + "b").matches(["a"] * 100)
    assert not glob_of("*/" * 200 + "**/" * 50 + "x").matches(["a"] * 300)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("a", ("a",)),
        ("{a}", ("{a}",)),
        ("{a,b}c", ("ac", "bc")),
        ("{a,{b,c}}", ("a", "b", "c")),
        ("x{,y}", ("x", "xy")),
        ("\\{a,b}", ("\\{a,b}",)),
        ("{a,b}{c,d}", ("ac", "ad", "bc", "bd")),
        ("a}", ("a}",)),
    ],
)
def test_braces(pattern: str, parts: tuple[str, ...]) -> None:
    assert alternatives(pattern) == parts


@pytest.mark.parametrize("pattern", ["{a,b", "{a,b}" * 10, "{{a,b}"])
def test_braces_that_are_none(pattern: str) -> None:
    with pytest.raises(UnusableGlob):
        alternatives(pattern)

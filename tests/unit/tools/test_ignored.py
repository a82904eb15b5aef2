"""What is passed over is what git itself passes over; no pattern costs much."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from assent.tools.ignored import MOST_LINES, Ignored, ignored_at
from tests.support.scale import limit

FILES = [
    "a.md",
    "b.txt",
    "build/out.md",
    "build/keep/in.md",
    "docs/a.md",
    "docs/build/x.md",
    "docs/deep/b.txt",
    "docs/deep/er/a.md",
    "src/[x].md",
    "src/st*r.md",
    "src/sp ace.md",
    "src/end ",
    "src/#hash.md",
    "src/!bang.md",
    "src/a-long-name-é.md",
    "src/Upper.MD",
    "log/1.log",
    "log/keep.log",
]


def shown(top: Path, folder: Path | None = None) -> set[str]:
    """All files that a walk meets, from the top on."""
    found: set[str] = set()

    def walk(ignored: Ignored) -> None:
        for entry in os.scandir(ignored.folder):
            is_folder = entry.is_dir(follow_symlinks=False)
            if ignored.hides(entry.name, is_folder=is_folder):
                continue
            if is_folder:
                walk(ignored.into(entry.name))
            else:
                found.add(str(Path(entry.path).relative_to(top)))

    walk(ignored_at(str(folder or top)))
    return found


def by_git(top: Path) -> set[str]:
    """The same by git: what it would add."""
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    env = {"PATH": os.environ["PATH"], "HOME": str(top), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, cwd=top, env=env, capture_output=True, check=True)
    return {os.fsdecode(name) for name in done.stdout.split(b"\0") if name}


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for name in FILES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


LISTS = [
    "build",
    "/build",
    "build/",
    "docs/build",
    "/docs/**/a.md",
    "**/a.md",
    "docs/**",
    "**/deep/**",
    "*.md\n!a.md",
    "docs/*\n!docs/deep",
    "docs\n!docs/a.md",
    "*.log\n!keep.log",
    "log/*\n!log/keep.log\n",
    "# comment\n\\#hash.md\n\\!bang.md",
    "src/\\[x\\].md",
    "src/[[]x].md",
    "src/st\\*r.md",
    "[a-b].*",
    "[!a].txt",
    "[^a].txt",
    "[[:lower:]].md",
    "[]x]*",
    "sp ace.md   ",
    "end\\ ",
    "?.md",
    "*é.md",
    "upper.md",
    "[",
    "a[",
    "\\",
    "!",
    "/",
    "//",
    "",
    "   ",
    "*",
    "/*\n!/docs",
    "**",
    "a.md/",
    "docs/a.md/",
    "**/",
    "/**",
    "docs/**/",
    "**build",
    "bui**ld",
    "\ufeffbuild",
    "build\r\ndocs\r",
    "docs//a.md",
    "./build",
]


@pytest.mark.parametrize("text", LISTS)
def test_a_list_hides_what_git_hides(top: Path, text: str) -> None:
    (top / ".gitignore").write_bytes(text.encode())
    assert shown(top) == by_git(top)


def test_deeper_lists_have_the_last_word_and_the_repositorys_own_the_first(top: Path) -> None:
    (top / ".gitignore").write_text("*.txt\n/docs/deep/er\n")
    (top / "docs/.gitignore").write_text("!b.txt\n/a.md\nbuild/x.md\n")
    (top / ".git/info/exclude").write_text("src\n*.log\n!*.txt\n")
    (top / "log/.gitignore").write_text("!keep.log\n")
    assert shown(top) == by_git(top)
    assert {"docs/deep/b.txt", "log/keep.log"} < shown(top)
    assert "b.txt" not in shown(top)


def test_a_walk_that_begins_below_obeys_the_lists_above(top: Path) -> None:
    (top / ".gitignore").write_text("docs/deep/b.txt\n*.log\nbuild\n")
    assert shown(top, top / "docs") == {"docs/a.md", "docs/deep/er/a.md"}
    assert ignored_at(str(top / "build/keep")).everything
    assert not ignored_at(str(top / "docs/deep")).everything


def test_a_repository_within_has_its_own_lists(top: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(top / "docs")], check=True)
    (top / ".gitignore").write_text("*.md\n")
    (top / "docs/.git/info/exclude").write_text("build\n")
    assert shown(top / "docs") == {"docs/a.md".removeprefix("docs/"), "deep/b.txt", "deep/er/a.md"}
    assert ignored_at(str(top)).into("docs").hides("a.md", is_folder=False) is False


def test_the_exclude_of_a_linked_worktree_is_that_of_its_repository(top: Path) -> None:
    run = {"cwd": top, "check": True, "capture_output": True}
    names = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *names, "commit", "--allow-empty", "-m", "first"], **run)
    subprocess.run(["git", "worktree", "add", "../linked"], **run)
    linked = top.parent / "linked"
    (top / ".git/info/exclude").write_text("*.log\n")
    for name in ("a.log", "a.md"):
        (linked / name).write_text("x")
    assert shown(linked) - {".git"} == by_git(linked) == {"a.md"}


def test_a_link_is_no_list(top: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("*\n")
    (top / ".gitignore").symlink_to(tmp_path / "elsewhere")
    assert "a.md" in shown(top)


def test_what_cannot_be_a_list_hides_nothing(top: Path) -> None:
    os.mkfifo(top / ".gitignore")
    (top / "docs/.gitignore").mkdir()
    (top / "src/.gitignore").write_bytes(b"\xff\xfe*\n\xc3\n")
    assert {"a.md", "docs/a.md", "src/[x].md"} < shown(top)


def test_made_up_lists_hide_what_git_hides(top: Path) -> None:
    chance = random.Random(7)
    pieces = ["a", "b", "build", "docs", "deep", "*", "**", "?", "/", "/", ".md", ".txt", "[a-d]", "!", "\\", " ", "er"]
    for _ in range(40):
        lines = ["".join(chance.choices(pieces, k=chance.randint(1, 6))) for _ in range(chance.randint(1, 4))]
        (top / ".gitignore").write_text("\n".join(lines))
        assert shown(top) == by_git(top), lines


@pytest.mark.timeout(limit(30))  # trying each star with each length would take years
def test_no_line_takes_long_and_only_so_many_count(top: Path) -> None:
    (top / ("a" * 250)).write_text("x")
    lines = [
        "*a*a*a*a*a*a*a*a*a*b",
        "/".join(["**", "a"] * 12 + ["b"]),
        *(f"n{at}" for at in range(MOST_LINES)),
        "b.txt",
    ]
    (top / ".gitignore").write_text("\n".join(lines))
    assert "b.txt" in shown(top)

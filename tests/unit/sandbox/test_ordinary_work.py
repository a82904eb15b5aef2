"""What people do with commands all day works inside."""

import shutil
import subprocess
from pathlib import Path

import pytest

from assent.sandbox.words import Tier
from tests.support.confining import BOTH, PYTHON, Room

GIT = "git -c user.name=a -c user.email=a@b"


def needs(*programs: str) -> None:
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")


def repository(room: Room) -> None:
    room.file("file")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=room.root, check=True)


def test_git_keeps_its_books(room: Room) -> None:
    needs("git")
    repository(room)
    work = " && ".join(
        [
            *("echo more > other", "git add other", f"{GIT} commit -qm two", "git checkout -q -b side"),
            *("echo x >> file", f"{GIT} commit -qam three", "git checkout -q main", f"{GIT} merge -q side"),
            *("git tag t", f"{GIT} stash", "git gc -q", "git status --short", "git log --oneline | wc -l"),
        ]
    )

    ran = room.run(work, Tier.BUBBLEWRAP)

    assert (ran.code, ran.output.split()[-1]) == (0, "3"), ran
    assert ran.appeared == ()
    assert sorted(path.name for path in room.root.iterdir()) == [".git", "file", "other"]
    assert not (room.root / ".git/commondir").exists()


def test_git_runs_nothing_that_a_command_left(room: Room) -> None:
    needs("git")
    repository(room)
    evil = "echo '#!/bin/sh' > h; echo touch ../ran >> h; mkdir -p .git/hooks; cp h .git/hooks/pre-commit; "
    evil += "git config core.fsmonitor ./h; git config core.hooksPath .; echo . > .git/commondir; true"

    room.run(evil, Tier.BUBBLEWRAP)

    assert "fsmonitor" not in (room.root / ".git/config").read_text()
    assert not (room.root / ".git/hooks/pre-commit").exists()


@pytest.mark.parametrize("tier", BOTH)
def test_python_runs_its_tests(room: Room, tier: Tier) -> None:
    room.file("test_it.py", "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n")

    ran = room.run(f"{PYTHON} -m unittest -q test_it", tier)

    assert ran.code == 0, ran
    assert "Ran 1 test" in ran.errors


def test_python_starts_workers_and_listens_to_itself(room: Room) -> None:
    text = "import multiprocessing as m, socket, asyncio\nif __name__ == '__main__':\n"
    text += "    print(m.Pool(2).map(abs, [-1, -2]))\n    s = socket.create_server(('127.0.0.1', 0))\n"
    text += "    socket.create_connection(s.getsockname())\n    asyncio.run(asyncio.sleep(0))\n"
    room.file("work.py", text)

    ran = room.run(f"{PYTHON} work.py", Tier.BUBBLEWRAP)

    assert (ran.code, ran.output) == (0, "[1, 2]\n"), ran


@pytest.mark.parametrize("tier", BOTH)
def test_node_runs_and_starts_others(room: Room, tier: Tier) -> None:
    needs("node")
    room.file("a.js", "console.log(require('child_process').execSync('echo ' + [1].map(x => x + 1)).toString().trim())")

    ran = room.run("node a.js", tier)

    assert (ran.code, ran.output) == (0, "2\n"), ran


def test_npm_runs_a_script(room: Room) -> None:
    needs("npm")
    room.file(
        "package.json", '{"name": "x", "version": "1.0.0", "scripts": {"build": "mkdir -p dist && echo 1 > dist/x"}}'
    )

    ran = room.run("npm run --silent build", Tier.BUBBLEWRAP)

    assert ran.code == 0, ran
    assert (room.root / "dist/x").read_text() == "1\n"


def test_make_builds_and_the_program_runs(room: Room) -> None:
    needs("make", "gcc")
    room.file("a.c", "int main(void) { return 7; }\n")
    room.file("Makefile", "a: a.c\n\tgcc -o a a.c\n")

    ran = room.run("make -s && ./a", Tier.BUBBLEWRAP)

    assert ran.code == 7, ran


def test_where_it_runs_and_how_it_ends_is_told(room: Room) -> None:
    (room.root / "sub").mkdir()

    assert room.run("pwd; exit 5", Tier.BUBBLEWRAP).output == f"{room.root}\n"
    assert room.run("exit 5", Tier.BUBBLEWRAP).code == 5
    assert room.run("echo $((1+1)) | cat; ls /proc/self/fd | wc -l", Tier.BUBBLEWRAP).output == "2\n4\n"


def test_a_workspace_below_the_hidden_folders_is_there(room: Room, tmp_path: Path) -> None:
    if not str(tmp_path).startswith("/tmp/"):
        pytest.skip("temporary folders lie elsewhere")
    room.root = tmp_path / "w"
    room.root.mkdir()
    (tmp_path / "beside").write_text("x")

    ran = room.run("echo x > made; ls ..; cat ../beside", Tier.BUBBLEWRAP)

    assert ran.output == "w\n"
    assert (room.root / "made").exists()


@pytest.mark.parametrize("tier", BOTH)
def test_odd_names_are_held_too(room: Room, tier: Tier) -> None:
    names = ["a b", 'quo"te', "line\nbreak", "--dash", "uml\u00e4ut", "$(touch x)"]
    for name in names:
        room.file(f"{name}/package.json")

    room.run('for d in */; do echo x > "$d/package.json"; mv "$d" moved; done; true', tier)

    assert all((room.root / name / "package.json").read_text() == "as it was\n" for name in names)


@pytest.mark.parametrize("tier", BOTH)
def test_a_guarded_command_is_as_outside_but_for_what_is_held(room: Room, tier: Tier) -> None:
    room.editor.write_text("{}")
    held = [room.file("package.json"), room.file(".env"), room.home / ".bashrc", room.editor]
    (room.home / ".bashrc").write_text("as it was\n")
    (room.state / "grants").write_text("secret\n")
    text = "for f in package.json .env ~/.bashrc ~/editor-settings.json; do echo evil > $f; mv ./e $f; rm -f $f; done; "
    text += f"cat {room.state}/grants; echo evil > {room.state}/grants; echo x > {room.outside}/made; cat .env"

    ran = room.run(text, tier, guard=True)

    assert all("evil" not in file.read_text() for file in held)
    assert (room.state / "grants").read_text() == "secret\n"
    assert "secret" not in ran.output
    assert ran.output == "as it was\n"
    assert (room.outside / "made").exists()


def test_a_worktree_and_a_submodule_are_held_and_work(room: Room) -> None:
    needs("git")
    repository(room)
    lib = room.outside / "lib"
    for words in (
        ["init", "-q", str(lib)],
        ["-C", str(lib), "commit", "-q", "--allow-empty", "-m", "x"],
        ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(lib), "lib"],
        ["commit", "-qm", "lib"],
        ["worktree", "add", "-q", "tree"],
        ["config", "extensions.worktreeConfig", "true"],
    ):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=room.root, check=True)
    evil = (
        "for g in .git .git/modules/lib .git/worktrees/tree; do for n in config config.worktree commondir hooks/x; do "
    )
    evil += "echo '[core] fsmonitor = ./evil' >> $g/$n; done; done 2>/dev/null; "
    before = {
        path: path.read_text() for path in (room.root / ".git").rglob("*") if path.name in {"config", "commondir"}
    }

    ran = room.run(
        f"{evil} cd tree && echo x > y && git add y && {GIT} commit -qm y && git -C ../lib status", Tier.BUBBLEWRAP
    )

    assert ran.code == 0, ran
    assert before == {path: path.read_text() for path in (room.root / ".git").rglob("*") if path in before}
    assert not list((room.root / ".git").rglob("hooks/x"))
    # Git does not read these, and they are taken out all the same.
    places = {".git/worktrees/tree/config", ".git/modules/lib/config.worktree"}
    assert set(ran.appeared) == {str(room.root / name) for name in places}
    assert not list((room.root / ".git").rglob("config.worktree"))

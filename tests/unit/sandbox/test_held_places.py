"""Protected places cannot be written from inside, whether they exist or not, whatever trick is tried."""

import asyncio
import errno
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assent.policy.protected import protection
from assent.sandbox import scan
from assent.sandbox.sandbox import prepare
from assent.sandbox.taken_out import LIST, Appeared
from assent.sandbox.words import Tier, Unheld
from tests.support.confining import BOTH, Room
from tests.support.scale import eventually

PLACES = [
    *(".vscode/settings.json", ".vscode/tasks.json", ".assent/agents.json", ".git/hooks/pre-commit", ".git/config"),
    *(".git/info/attributes", ".git/config.worktree", ".git/commondir", ".git/modules/lib/config", ".idea/run.xml"),
    *(".mcp.json", "AGENTS.md", "CLAUDE.md", ".claude/settings.json", ".cursor/mcp.json", "package.json", ".envrc"),
    *(".bashrc", ".gitattributes", ".gitmodules", ".husky/pre-commit", "work.code-workspace", ".devcontainer.json"),
    *("deep/er/settings.json", "deep/er/.vscode/launch.json", ".github/agents/one.md", "Cargo.toml", ".npmrc"),
]
GROUPS = [PLACES[start::4] for start in range(4)]
"""Several at a time: each start of a sandbox takes a moment."""
WRITES = {
    "redirected to": 'echo evil > "$F"',
    "added to": 'echo evil >> "$F"',
    "cut off": 'truncate -s 0 "$F"',
    "replaced": 'echo evil > "$TMPDIR/evil"; mv -f "$TMPDIR/evil" "$F"',
    "replaced within": 'echo evil > ./evil.txt; mv -f ./evil.txt "$F"',
    "removed": 'rm -rf "$F"; echo evil > "$F"',
    "made by mknod": 'rm -f "$F"; mknod "$F" p',
    "linked over": 'ln -sf /etc/passwd "$F"',
    "written through a symbolic link": 'ln -s "$PWD/$F" "$TMPDIR/one"; echo evil > "$TMPDIR/one"',
    "written through a hard link": 'ln "$F" ./two; echo evil > ./two',
    "moved away with its folder": 'D=$(dirname "$F"); mv "$D" "$D.away"; mkdir -p "$D"; echo evil > "$F"',
    "moved away with all above": 'T=${F%%/*}; mv "$T" "$T.away"; mkdir -p "$(dirname "$F")"; echo evil > "$F"',
    "taken another mode": 'chmod 777 "$F"',
    "unmounted": 'umount "$F"; umount -l "$PWD/${F%%/*}"; echo evil > "$F"',
}
ALL_WRITES = "\n".join(f"( {way} ) 2>/dev/null" for way in WRITES.values()) + "\ntrue"


def git_folder(room: Room) -> None:
    """A repository as git makes it, as far as it matters."""
    for name in ("HEAD", "objects/a", "refs/heads/main", "modules/lib/HEAD"):
        room.file(f".git/{name}", "ref: refs/heads/main\n")


def for_each(names: list[str]) -> str:
    """Everything is tried with each of these files."""
    return f'for F in {shlex.join(names)}; do\nmkdir -p "$(dirname "$F")" 2>/dev/null\n{ALL_WRITES}\ndone'


def test_these_are_protected() -> None:
    assert len(PLACES) >= 25
    assert all(protection(f"/x/{name}") for name in PLACES)


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("names", GROUPS)
def test_what_exists_stays_as_it_is(room: Room, names: list[str], tier: Tier) -> None:
    git_folder(room)
    files = [room.file(name) for name in names]
    before = [(file.stat().st_ino, file.stat().st_mode) for file in files]

    ran = room.run(for_each(names), tier)

    assert not [file for file in files if file.is_symlink() or not file.is_file()], ran
    assert [file.read_text() for file in files] == ["as it was\n"] * len(files), ran
    assert [(file.stat().st_ino, file.stat().st_mode) for file in files] == before
    assert ran.appeared == ()


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("repository", [False, True])
@pytest.mark.parametrize("names", GROUPS)
def test_what_is_missing_is_missing_afterwards(room: Room, names: list[str], repository: bool, tier: Tier) -> None:
    if repository:
        git_folder(room)

    ran = room.run(for_each(names), tier)

    assert not [name for name in names if (room.root / name).exists()], ran


@pytest.mark.parametrize("way", [way for way in WRITES if way != "unmounted"])
def test_each_way_works_where_nothing_holds_it(room: Room, way: str) -> None:
    """Otherwise what is said above would say nothing."""
    file = room.file("deep/er/ordinary.txt")
    before = (file.stat().st_ino, file.stat().st_mode, file.read_text())

    room.run(f"( {WRITES[way]} )", Tier.BUBBLEWRAP, F="deep/er/ordinary.txt")

    now = room.root / "deep/er/ordinary.txt"
    assert now.is_symlink() or now.is_fifo() or (now.stat().st_ino, now.stat().st_mode, now.read_text()) != before


def test_a_missing_file_is_taken_out_and_not_lost(room: Room) -> None:
    ran = room.run("mkdir -p new && echo mine > new/package.json && echo kept > new/other", Tier.BUBBLEWRAP)

    assert ran.appeared == (str(room.root / "new/package.json"),)
    taken = list((room.state / "taken-out").rglob("*package.json"))
    assert [file.read_text() for file in taken] == ["mine\n"]
    assert str(taken[0].parent) == ran.told.place
    where = json.loads((taken[0].parent / LIST).read_text())
    assert where == {taken[0].name: str(room.root / "new/package.json")}
    assert (room.root / "new/other").read_text() == "kept\n"


def test_where_it_is_not_to_be_taken_it_is_only_told(room: Room) -> None:
    ran = room.run("echo mine > AGENTS.md", Tier.BUBBLEWRAP, take=False)

    assert ran.told == Appeared(left=(str(room.root / "AGENTS.md"),))
    assert (room.root / "AGENTS.md").read_text() == "mine\n"


@pytest.mark.parametrize("tier", BOTH)
def test_a_repository_within_is_taken_out(room: Room, tier: Tier) -> None:
    room.file("sub/inner/file")

    ran = room.run("git init -q sub/inner/deeper 2>/dev/null || mkdir -p sub/inner/deeper/.git", tier)

    assert not (room.root / "sub/inner/deeper/.git").exists(), ran
    assert any("deeper/.git" in path for path in ran.appeared), ran


def test_a_bare_repository_that_a_command_makes_is_none_afterwards(room: Room) -> None:
    room.run("mkdir -p x/objects x/refs && echo ref: refs/heads/main > x/HEAD && echo > x/config", Tier.BUBBLEWRAP)

    assert not (room.root / "x/HEAD").exists()


def test_a_protected_link_cannot_be_held(room: Room) -> None:
    room.file("real.md")
    (room.root / "AGENTS.md").symlink_to("real.md")

    answer = room.confine(Tier.BUBBLEWRAP)

    assert isinstance(answer, Unheld)
    assert "AGENTS.md" in answer.why
    assert not (room.root / ".vscode").exists()


def test_a_second_name_in_the_workspace_cannot_be_held(room: Room) -> None:
    (room.root / "other").hardlink_to(room.file("sub/package.json"))

    answer = room.confine(Tier.BUBBLEWRAP)

    assert isinstance(answer, Unheld)
    assert "package.json" in answer.why


def test_a_second_name_within_a_held_folder_cannot_be_held(room: Room) -> None:
    (room.root / "other").hardlink_to(room.file(".claude/deep/run.sh"))

    assert isinstance(room.confine(Tier.BUBBLEWRAP), Unheld)


def test_two_names_that_are_both_held_are_no_matter(room: Room) -> None:
    one = room.file("a/package.json")
    (room.root / "package.json").hardlink_to(one)

    room.run("echo x > package.json; echo x > a/package.json", Tier.BUBBLEWRAP)

    assert one.read_text() == "as it was\n"


def test_what_settings_of_git_name_is_held(room: Room) -> None:
    git_folder(room)
    room.file(".git/config", "[core]\n\thooksPath = tools/checks\n[include]\n\tpath = ../more.cfg\n")
    hook, more = room.file("tools/checks/pre-commit"), room.file("more.cfg")

    room.run("echo x > tools/checks/pre-commit; echo x > more.cfg; mv tools t", Tier.BUBBLEWRAP)

    assert hook.read_text() == more.read_text() == "as it was\n"


@pytest.mark.parametrize("guard", [False, True])
def test_one_that_cannot_be_stood_in_for_is_no_end_of_a_guard(
    room: Room, monkeypatch: pytest.MonkeyPatch, guard: bool
) -> None:
    make = room.places.make

    def made(path: str, content: str | None) -> bool:
        if path.endswith(".assent"):
            raise OSError(errno.ENAMETOOLONG, "File name too long", path)
        return make(path, content)

    monkeypatch.setattr(room.places, "make", made)
    held = room.file("AGENTS.md")

    answer = room.looking.look(room.wanted(), everything=guard)

    assert isinstance(answer, Unheld) is not guard
    if not isinstance(answer, Unheld):
        assert {str(held), str(room.root / ".vscode")} <= set(answer.layout.held)
        room.looking.release(answer.placed)
    assert [path.name for path in room.root.iterdir()] == ["AGENTS.md"]


def test_stand_ins_are_gone_afterwards_and_shared_meanwhile(room: Room) -> None:
    first, second = room.confine(Tier.BUBBLEWRAP), room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(first, Unheld)
    assert not isinstance(second, Unheld)
    stand_in = room.root / ".vscode"

    assert stand_in.is_dir()
    assert first._after() == Appeared()
    assert stand_in.is_dir()
    assert second._after() == Appeared()
    assert not stand_in.exists()
    assert list((room.state / "placeholders").iterdir()) == []


async def test_stand_ins_go_soon_after_the_answer(room: Room) -> None:
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)

    assert await confined.after() == Appeared()

    await eventually(lambda: list(room.root.iterdir()) == [] and list((room.state / "placeholders").iterdir()) == [])


def test_stand_ins_are_gone_when_the_server_ends_at_once(room: Room) -> None:
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)
    assert (room.root / ".vscode").is_dir()

    asyncio.run(confined.after())

    assert list(room.root.iterdir()) == []
    assert list((room.state / "placeholders").iterdir()) == []


def test_what_the_user_puts_into_a_stand_in_stays(room: Room) -> None:
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)
    (room.root / ".vscode/settings.json").write_text("{}")

    (room.root / ".git/config").write_text("")

    assert confined._after() == Appeared()
    assert (room.root / ".vscode/settings.json").read_text() == "{}"
    assert (room.root / ".git/config").exists()


def test_what_a_crash_has_left_goes_with_the_next_use(room: Room) -> None:
    """Another process makes them and is gone."""
    code = "import sys, os; from assent.sandbox.placeholders import Placeholders as P; p = P(sys.argv[1])\n"
    code += "for x in ('.vscode', '.git'): p.make(os.path.join(sys.argv[2], x), None)\nos._exit(9)"
    subprocess.run([sys.executable, "-c", code, str(room.state / "placeholders"), str(room.root)], check=False)
    assert (room.root / ".vscode").is_dir()

    room.places.sweep()

    assert list(room.root.iterdir()) == []
    assert list(Path(room.state / "placeholders").iterdir()) == []


def test_time_stamps_set_back_hide_nothing(room: Room) -> None:
    room.file("sub/file")
    room.run("true", Tier.BUBBLEWRAP)

    back = "touch -r sub t; echo x > sub/package.json; touch -r t sub; touch -r t sub/package.json"
    ran = room.run(back, Tier.BUBBLEWRAP)

    assert ran.appeared == (str(room.root / "sub/package.json"),)


def test_a_folder_that_cannot_be_listed_is_held_as_a_whole(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = room.file("closed/package.json")
    listed = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if path == str(inside.parent):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)

    ran = room.run("echo x > closed/package.json; echo x > closed/new; mv closed away; true", Tier.BUBBLEWRAP)

    assert inside.read_text() == "as it was\n"
    assert ran.appeared == ()


def test_a_folder_that_was_replaced_is_not_opened(room: Room) -> None:
    """Between the look and the start its name has come to lead elsewhere."""
    room.file("sub/package.json")
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)
    (room.root / "sub").rename(room.root / "before")
    (room.root / "sub").symlink_to(room.outside)

    with pytest.raises(OSError, match=r"director|replaced|symbolic"), confined.applied(room.start("true")):
        pass
    confined._after()


def test_where_nothing_can_run_it_is_said(room: Room) -> None:
    for directory in ("/tmp", str(room.state)):
        wanted = replace(room.wanted(), directory=directory)
        answer = prepare(room.means(Tier.BUBBLEWRAP), room.looking, wanted, str(room.state), everything=False)
        assert isinstance(answer, Unheld)
        assert directory in answer.why
    assert list(room.root.iterdir()) == []


@pytest.mark.parametrize("top", ["/", "/nowhere-at-all"])
def test_what_cannot_be_a_workspace_is_not_held(room: Room, top: str) -> None:
    wanted = replace(room.wanted(), roots=(top,))

    assert isinstance(room.looking.look(wanted, everything=False), Unheld)


def test_a_home_as_workspace_has_its_own_files_held(room: Room) -> None:
    files = [room.home / name for name in (".bashrc", ".profile", ".anything", ".config/autostart/x", ".local/bin/ls")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("as it was\n")
    room.root = room.home

    room.run("for f in $(find . -type f); do echo evil > $f; mv $f x; done; echo x > ordinary; true", Tier.BUBBLEWRAP)

    assert [file.read_text() for file in files] == ["as it was\n"] * len(files)
    assert (room.home / "ordinary").exists()


def test_too_much_to_look_through_is_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MOST_ENTRIES", 10)
    for number in range(20):
        room.file(f"a/{number}")

    answer = room.confine(Tier.BUBBLEWRAP)

    assert isinstance(answer, Unheld)
    assert "too many" in answer.why


def test_a_further_folder_is_writable_and_a_missing_one_is_no_matter(room: Room) -> None:
    wanted = replace(room.wanted(), further=(str(room.outside), str(room.base / "missing")))

    look = room.looking.look(wanted, everything=False)

    assert not isinstance(look, Unheld)
    assert str(room.outside) in look.layout.writable
    assert str(room.base / "missing") not in look.layout.writable
    room.looking.release(look.placed)

"""Whoever makes folders too deep, or too many, hides nothing by it: neither before nor after a command."""

import os
from pathlib import Path

import pytest

from assent.sandbox import looking, scan
from assent.sandbox.fewer import fewer
from assent.sandbox.words import Tier, Unheld
from tests.support.confining import BOTH, Room

DEEP = "/".join("d" * 62)
PACKAGES = range(12)
OVERWRITE = "for f in p*/.vscode/tasks.json; do echo evil > $f; mv $f x; done 2>/dev/null; true"


def packages(room: Room) -> list[Path]:
    """Protected files in folders between which others lie, whatever order they are looked at in."""
    return [room.file(f"p{number}/.vscode/tasks.json") for number in PACKAGES]


def deep_folders(room: Room, count: int) -> None:
    for number in range(count):
        (room.root / f"z{number}" / DEEP).mkdir(parents=True)


@pytest.mark.parametrize("tier", BOTH)
def test_deep_folders_hide_nothing_from_the_look_after(room: Room, tier: Tier) -> None:
    (room.root / "made").mkdir()
    for number in PACKAGES:
        (room.root / "made" / str(number)).mkdir()
    script = f"for n in made/*; do mkdir -p $n/{DEEP}; echo x > $n/.envrc; echo x > $n/package.json; done"

    ran = room.run(script, tier)

    assert not list(room.root.rglob(".envrc")), ran
    assert not list(room.root.rglob("package.json")), ran
    assert ran.told.left == ()


def test_what_is_too_deep_is_taken_out_whole(room: Room) -> None:
    ran = room.run(
        f"mkdir -p z/{DEEP}/.vscode; echo x > z/{DEEP}/.vscode/tasks.json; mkdir -p y/ordinary", Tier.BUBBLEWRAP
    )

    assert not [found for found in os.walk(room.root) if ".vscode" in found[1]]
    assert len(ran.told.taken) == 1
    assert (room.root / "y/ordinary").is_dir()


@pytest.mark.parametrize("guard", [False, True])
def test_deep_folders_hide_nothing_from_the_look_before(room: Room, guard: bool) -> None:
    files = packages(room)
    deep_folders(room, 2 if not guard else looking.MOST_UNSEEN - 1)
    ordinary = "echo x > z0/ordinary; mkdir z1/sub; echo x > ordinary"

    ran = room.run(f"{OVERWRITE}; {ordinary}", Tier.BUBBLEWRAP, guard=guard)

    assert [file.read_text() for file in files] == ["as it was\n"] * len(files), ran
    assert (room.root / "ordinary").exists()
    assert guard or (room.root / "z0/ordinary").exists()


@pytest.mark.parametrize("guard", [False, True])
def test_a_folder_that_is_too_deep_is_held_whole(room: Room, guard: bool) -> None:
    """It was there before, so it is not taken out either."""
    inside = room.file(f"z/{DEEP}/package.json")

    ran = room.run(f"echo evil > z/{DEEP}/package.json; rm -rf z; mv z y; true", Tier.BUBBLEWRAP, guard=guard)

    assert inside.read_text() == "as it was\n"
    assert ran.appeared == ()


def test_a_path_too_long_for_what_lies_in_it_is_held_whole(room: Room) -> None:
    long = "/".join(["d" * 200] * 17)
    inside = room.file(f"{long}/package.json")
    assert len(str(inside)) < 4_096

    ran = room.run(f"echo evil > {long}/package.json; true", Tier.BUBBLEWRAP)

    assert inside.read_text() == "as it was\n"
    assert ran.appeared == ()


def test_a_guard_holds_what_it_saw_where_there_is_too_much(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """And all that it did not see: it is not for the fullest folder to say what is protected."""
    files = packages(room)
    for number in range(40):
        room.file(f"p3/many/{number}")
        room.file(f"many/{number}")
    monkeypatch.setattr(scan, "MOST_ENTRIES", 20)

    ran = room.run(OVERWRITE, Tier.BUBBLEWRAP, guard=True)

    assert [file.read_text() for file in files] == ["as it was\n"] * len(files), ran
    assert ran.appeared == ()


def test_filling_a_folder_hides_nothing_from_the_look_after(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in PACKAGES:
        room.file(f"p{number}/ordinary")
    monkeypatch.setattr(scan, "MOST_ENTRIES", 60)
    script = "mkdir a z p3/n; for d in a z p3/n; do for n in $(seq 100); do echo > $d/$n; done; done\n"

    ran = room.run(f"{script} for d in p*; do mkdir $d/.vscode; echo x > $d/.envrc; done", Tier.BUBBLEWRAP)

    assert not [found for found in os.walk(room.root) if ".vscode" in found[1] or ".envrc" in found[2]], ran
    assert [(room.root / f"p{number}/ordinary").read_text() for number in PACKAGES] == ["as it was\n"] * len(PACKAGES)


def test_new_folders_beyond_what_can_be_looked_through_do_not_stay(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MOST_ENTRIES", 20)
    script = "for d in $(seq 30); do mkdir -p new/$d; touch new/$d/ordinary new/$d/.envrc; done"

    ran = room.run(script, Tier.BUBBLEWRAP)

    assert ran.told.taken
    assert not list(room.root.rglob(".envrc")), ran


def test_a_guard_is_no_weaker_where_there_is_more_to_hold(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MOST_GUARDED", 30)
    before = [room.file(f"a/{number}/package.json") for number in range(40)]

    ran = room.run("for f in a/*/package.json; do echo evil > $f; done; echo x > ordinary", Tier.BUBBLEWRAP, guard=True)

    assert [file.read_text() for file in before] == ["as it was\n"] * len(before), ran
    assert (room.root / "ordinary").exists()


def test_deep_folders_right_in_the_workspace_leave_a_guard_in_place(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many that the workspace itself is held: then nothing in it can be written, however deep it lies."""
    monkeypatch.setattr(looking, "MOST_UNSEEN", 4)
    files = packages(room)
    for number in range(5):
        (room.root / f"z{number}" / DEEP).mkdir(parents=True)
    sub = room.file("sub/.git/config")

    ran = room.run(f"{OVERWRITE}; echo x > sub/.git/config; echo x > sub/new", Tier.BUBBLEWRAP, guard=True)

    assert [file.read_text() for file in files] == ["as it was\n"] * len(files), ran
    assert sub.read_text() == "as it was\n"
    assert not (room.root / "sub/new").exists()


def test_a_folder_that_can_be_listed_and_not_entered_is_held(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = room.file("half/below/package.json")
    looked = os.lstat

    def lstat(path: str) -> os.stat_result:
        if path == str(inside.parent):
            raise PermissionError(13, "Permission denied", path)
        return looked(path)

    monkeypatch.setattr(os, "lstat", lstat)

    answer = room.looking.look(room.wanted(), everything=False)

    assert not isinstance(answer, Unheld)
    assert str(room.root / "half") in answer.layout.held
    room.looking.release(answer.placed)


def test_fewer_places_hold_the_same() -> None:
    many = {f"/w/a/{number}/x" for number in range(10)} | {"/w/b", "/etc/hosts"}

    assert fewer(many, ("/w",), 22) == many
    assert fewer(many, ("/w",), 21) == {*(f"/w/a/{number}" for number in range(10)), "/w/b", "/etc/hosts"}
    assert fewer(many, ("/w",), 2) == {"/w/a", "/w/b", "/etc/hosts"}
    assert fewer(many, ("/w",), 1) == {"/w", "/etc/hosts"}
    assert fewer(many, (), 1) == many
    assert fewer((), ("/w",), 1) == frozenset()

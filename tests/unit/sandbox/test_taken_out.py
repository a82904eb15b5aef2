"""What a command has made and may not stay is put beside the server's own files, and whatever stayed is told."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest

from assent.sandbox.taken_out import LIST, Appeared, take_out
from assent.sandbox.words import Tier, Unheld
from tests.support.confining import Room


def test_what_lies_deep_is_taken_out_as_well(room: Room) -> None:
    """Its path is nearly as long as the system takes: below another folder there would be no room for it."""
    long = "d" * 200
    script = f"for i in $(seq 1 18); do mkdir -p {long} && cd {long} || exit 1; done; mkdir .vscode; echo x > .vscode/t"

    ran = room.run(script, Tier.BUBBLEWRAP)

    assert ran.code == 0, ran
    assert ran.told.left == ()
    assert ran.appeared
    assert not [found for found in os.walk(room.root) if ".vscode" in found[1]]
    where = json.loads(Path(ran.told.place, LIST).read_text())
    assert tuple(where.values()) == ran.told.taken
    assert all(Path(ran.told.place, name).exists() for name in where)


def test_what_could_not_be_moved_is_told_as_left(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two cannot be moved."""
    one, two = room.file("a/AGENTS.md"), room.file("b/AGENTS.md")
    move = shutil.move

    def moved(path: str, target: str, copy_function: object) -> str:
        if path == str(one):
            raise PermissionError(13, "Permission denied", path)
        return str(move(path, target))

    monkeypatch.setattr(shutil, "move", moved)

    appeared = take_out((str(one), str(two)), str(room.state))

    assert (appeared.taken, appeared.left) == ((str(two),), (str(one),))
    assert one.exists()
    assert not two.exists()
    assert Path(appeared.place, "2-AGENTS.md").read_text() == "as it was\n"


def test_to_another_disk_it_is_copied_whatever_is_in_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    file = room.file(".vscode/tasks.json")
    os.mkfifo(file.parent / "pipe")
    (file.parent / "link").symlink_to("/nowhere")

    def other_disk(path: str, target: str) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link", path)

    monkeypatch.setattr(os, "rename", other_disk)

    appeared = take_out((str(file.parent),), str(room.state))

    assert appeared.taken == (str(file.parent),)
    assert not file.parent.exists()
    assert Path(appeared.place, "1-.vscode", "tasks.json").read_text() == "as it was\n"


def test_without_a_place_everything_is_told_as_left(room: Room) -> None:
    file = room.file("AGENTS.md")
    (room.state / "taken-out").write_text("no folder")

    assert take_out((str(file),), str(room.state)) == Appeared(left=(str(file),))
    assert file.exists()


def test_where_nothing_could_be_moved_no_folder_stays(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    file = room.file("AGENTS.md")

    def refused(path: str, _target: str, copy_function: object) -> str:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(shutil, "move", refused)

    assert take_out((str(file),), str(room.state)) == Appeared(left=(str(file),))
    assert list((room.state / "taken-out").iterdir()) == []


def test_what_was_copied_and_not_removed_is_in_both_places(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    file = room.file("AGENTS.md")

    def copied(path: str, target: str, copy_function: object) -> str:
        shutil.copy(path, target)
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(shutil, "move", copied)

    assert take_out((str(file),), str(room.state)) == Appeared(left=(str(file),))
    assert file.exists()
    assert len(list((room.state / "taken-out").rglob("*AGENTS.md"))) == 1


async def test_what_the_user_chose_meanwhile_stays(room: Room) -> None:
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)
    chosen, within = room.file(".mcp.json", "{}"), room.file("sub/.vscode/settings.json", "{}")
    made = room.file("package.json", "{}")

    appeared = await confined.after(keep=[str(chosen), str(within)])

    assert appeared.taken == (str(made),)
    assert appeared.left == ()
    assert chosen.exists()
    assert within.exists()


async def test_asked_again_it_tells_the_same(room: Room) -> None:
    confined = room.confine(Tier.BUBBLEWRAP)
    assert not isinstance(confined, Unheld)
    room.file("AGENTS.md")

    first = await confined.after()

    assert first.taken
    assert await confined.after(take=False) == first

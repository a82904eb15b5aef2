"""What a guarded command makes in the home folder, where it is protected and was missing, does not stay there."""

import shlex
from pathlib import Path

import pytest

from assent.policy.protected_places import FILES, PLACES, TOP
from assent.sandbox.scan import Scanner
from assent.sandbox.words import Tier
from tests.support.confining import Room


def _places() -> list[str]:
    """One path for each that the lists name, as a file. Where one lies within another, once is enough."""
    folders = ["/".join(names) for names, _ in PLACES if names[0] != TOP and names[0].startswith((".", "library"))]
    files = [name for name, _ in FILES]
    return sorted(name.replace("*", "x") for name in {*(f"{folder}/file" for folder in folders), *files})


def test_nothing_of_it_stays(room: Room) -> None:
    names = _places()
    made = "".join(f'mkdir -p "$(dirname {shlex.quote(name)})"; echo evil > {shlex.quote(name)}\n' for name in names)

    ran = room.run(f'cd "$HOME"\n{made}echo kept > ordinary', Tier.BUBBLEWRAP, guard=True, take=False)

    assert not [name for name in names if (room.home / name).exists()]
    assert (room.home / "ordinary").read_text() == "kept\n"
    assert len(ran.told.taken) > 100 and not ran.told.left
    kept = [path.read_text() for path in Path(ran.told.place).rglob("*") if path.is_file() and path.suffix != ".json"]
    assert kept.count("evil\n") > 150
    # What is made now would be seen to be new: it is not known as having been there.
    assert not Scanner(str(room.home)).look((), (), home=True).protected()


WAYS = {
    "moved there": 'mkdir -p "$TMPDIR/d"; echo evil > "$TMPDIR/d/authorized_keys"; mv "$TMPDIR/d" "$HOME/.ssh"',
    "linked": 'echo evil > "$TMPDIR/rc"; ln "$TMPDIR/rc" "$HOME/.bashrc" || ln -s "$TMPDIR/rc" "$HOME/.bashrc"',
    "linked to another file": 'ln -s "$PWD/of-the-workspace" "$HOME/.bashrc"',
    "in capital letters": 'mkdir "$HOME/.SSH"; echo evil > "$HOME/.BashRC"',
    "a link to a folder": 'mkdir -p "$TMPDIR/auto" "$HOME/.config"; ln -s "$TMPDIR/auto" "$HOME/.config/autostart"',
    "a repository": 'mkdir "$HOME/.git"; echo "[core]" > "$HOME/.git/config"',
    "a pipe": 'mkfifo "$HOME/.profile"',
    "nobody may read it": 'mkdir -m 000 "$HOME/.ssh"; echo > "$HOME/.bashrc"; chmod 000 "$HOME/.bashrc"',
}


@pytest.mark.parametrize("way", WAYS)
def test_however_it_comes_to_be_there(room: Room, way: str) -> None:
    room.file("of-the-workspace")
    before = set(room.home.rglob("*"))

    ran = room.run(WAYS[way], Tier.BUBBLEWRAP, guard=True, take=False)

    left = {path for path in set(room.home.rglob("*")) - before if path != room.home / ".config"}
    assert not left, ran
    assert ran.told.taken and not ran.told.left


def test_what_was_there_stays_as_it_is(room: Room) -> None:
    (room.home / ".ssh").mkdir()
    (room.home / ".ssh" / "config").write_text("as it was\n")
    (room.home / ".cache").mkdir()

    ran = room.run('echo more > "$HOME/.ssh/authorized_keys"; echo > "$HOME/.cache/x"', Tier.BUBBLEWRAP, guard=True)

    assert (room.home / ".ssh" / "config").read_text() == "as it was\n"
    assert not (room.home / ".ssh" / "authorized_keys").exists()
    assert (room.home / ".cache" / "x").exists()
    assert ran.appeared == ()


def test_what_a_project_is_made_of_stays_in_the_workspace_and_is_told(room: Room) -> None:
    ran = room.run(
        "git init -q sub; echo {} > package.json; echo x > AGENTS.md", Tier.BUBBLEWRAP, guard=True, take=False
    )

    assert {Path(path).name for path in ran.told.left} == {".git", "package.json", "AGENTS.md"}
    assert ran.told.taken == ()
    assert (room.root / "sub/.git/config").exists() and (room.root / "AGENTS.md").exists()

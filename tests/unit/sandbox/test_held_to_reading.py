"""Commands that are held to reading: whatever their text makes of them, they find little and change nothing."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assent.runtime.processes import Processes
from assent.sandbox.confined import Held
from assent.sandbox.layout import Layout
from assent.sandbox.words import Reading, Tier, Unheld
from tests.support.confining import BOTH, Room
from tests.support.scale import limit
from tests.unit.sandbox.test_nothing_gets_out import UNHEARD, WAYS, listening

CANARY = "a-canary-that-nobody-may-see"


def _layout(room: Room, *programs: str) -> Layout | Unheld:
    roots = (str(room.root),)
    return room.looking.reading(Reading((*roots, str(room.scratch)), roots, str(room.root), programs))


def _run(
    room: Room, tier: Tier, text: str, *programs: str, layout: Layout | Unheld | None = None, **given: str
) -> tuple[int | None, str]:
    layout = layout or _layout(room, *programs)
    assert isinstance(layout, Layout)
    prepared = room.readers(tier).prepare(layout)
    assert not isinstance(prepared, Unheld)

    async def run() -> tuple[int | None, str]:
        processes = Processes()
        with Held(tier, prepared).applied(room.start(text, **given)) as start:
            ended = await processes.run(start, limit(60), 100_000)
        processes.end_all()
        return ended.code, ended.output.text() + ended.errors.text()

    return asyncio.run(run())


@pytest.mark.parametrize("tier", BOTH)
def test_the_workspace_is_read(room: Room, tier: Tier):
    room.file("src/a.txt", "one\n")
    (room.scratch / "b.txt").write_text("two\n")
    code, said = _run(room, tier, f"cat src/a.txt {room.scratch}/b.txt; find . -type f | sort | head; exit 0")
    assert (code, said) == (0, "one\ntwo\n./src/a.txt\n")


CHANGES = (
    "echo x > new",
    "echo x > a.txt",
    "echo x >> a.txt",
    "rm -f a.txt",
    "mv a.txt b.txt",
    "ln -s a.txt link",
    "ln a.txt hard",
    "mkdir folder",
    "truncate -s 0 a.txt",
    "chmod 777 a.txt",
    "touch -d 2001-01-01 a.txt",
    'echo x > "$OUTSIDE/new"',
    'echo x > "$OUTSIDE/file"',
    'echo x > "$ATHOME/.bashrc"',
    'echo x > "$SCRATCHED/new"',
    'echo x > "$STATE/new"',
    "echo x > /var/tmp/of-a-held-command",
    "echo x > /etc/of-a-held-command",
    "echo x > /usr/local/of-a-held-command",
)


@pytest.mark.parametrize("tier", BOTH)
def test_nothing_is_changed(room: Room, tier: Tier):
    file = room.file("a.txt", "as it was\n")
    (room.outside / "file").write_text("as it was\n")
    (room.home / ".bashrc").write_text("as it was\n")
    room.means(tier)
    before = {path: _looks(path) for path in sorted(room.base.rglob("*"))}
    _run(room, tier, "; ".join(f"({one}) 2>/dev/null" for one in CHANGES), **_places(room))
    assert {path: _looks(path) for path in sorted(room.base.rglob("*"))} == before
    assert file.read_text() == "as it was\n"
    assert not [Path(f"/{at}/of-a-held-command") for at in ("var/tmp", "etc", "usr/local") if _there(at)]


def _there(at: str) -> bool:
    return Path(f"/{at}/of-a-held-command").exists()


def _looks(path: Path) -> tuple[int, float, bytes]:
    found = path.lstat()
    return found.st_mode, found.st_mtime, path.read_bytes() if path.is_file() else b""


def _places(room: Room) -> dict[str, str]:
    return {
        "OUTSIDE": str(room.outside),
        "ATHOME": str(room.home),
        "SCRATCHED": str(room.scratch),
        "STATE": str(room.state),
    }


@pytest.mark.parametrize("tier", BOTH)
def test_neither_secrets_nor_other_folders_are_read(room: Room, tier: Tier):
    for path in (
        *(room.file(name) for name in (".env", "keys/id_rsa", "deep/.env.local")),
        *(room.home / name for name in ("notes.txt", ".netrc", ".bash_history")),
        room.outside / "file",
        room.state / "file",
    ):
        path.write_text(CANARY)
    # The control: outside of it, all are there to be read.
    search = f"grep -rl {CANARY} {room.base} 2>/dev/null"
    assert len(subprocess.run(["/bin/sh", "-c", search], capture_output=True, check=False).stdout.split()) == 8
    _, said = _run(room, tier, f"cd {room.root}; {search}; cat .env keys/id_rsa {room.outside}/file ~/notes.txt")
    assert CANARY not in said
    assert str(room.root) not in said.replace("No such file", "")


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("way", [*WAYS, *UNHEARD])
def test_nobody_is_reached(room: Room, tier: Tier, way: str):
    script = {**WAYS, **UNHEARD}[way]
    with listening(room.root) as listeners:
        abstract = listeners.abstract.getsockname()[1:]
        given = {
            "TCP": str(listeners.tcp.getsockname()[1]),
            "UDP": str(listeners.udp.getsockname()[1]),
            "ABSTRACT": abstract.decode(),
        }
        _run(room, tier, f'/usr/bin/python3 -c "{script}"', **given)
        assert not listeners.anything()


@pytest.mark.parametrize("tier", BOTH)
def test_other_programs_are_neither_ended_nor_looked_into(room: Room, tier: Tier):
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"CANARY": CANARY})
    try:
        _, said = _run(room, tier, f"kill -9 {other.pid}; tr '\\0' ' ' < /proc/{other.pid}/environ; ps eww")
        assert CANARY not in said
        assert other.poll() is None
    finally:
        other.kill()
        other.communicate()


@pytest.mark.parametrize("tier", BOTH)
def test_programs_that_the_user_has_installed_are_there(room: Room, tier: Tier):
    tools = room.home / ".tools" / "bin"
    tools.mkdir(parents=True)
    (tools / "greets").write_text("#!/bin/sh\ncat ${0%/*}/../words\n")
    (tools / "greets").chmod(0o755)
    (tools.parent / "words").write_text("hello\n")
    (room.home / "notes.txt").write_text(CANARY)
    (room.home / ".tool-versions").write_text("greets 1\n")
    path = {"PATH": f"{tools}:{os.environ['PATH']}"}
    code, said = _run(room, tier, "greets; cat ~/.tool-versions ~/notes.txt", str(tools), **path)
    assert said.startswith("hello\ngreets 1\n")
    assert CANARY not in said
    assert code == 1


def test_what_passes_can_be_kept_in_a_folder_of_its_own(room: Room):
    code, said = _run(room, Tier.BUBBLEWRAP, 'echo kept > "$TMPDIR/a"; cat "$TMPDIR/a"; cat <<< here')
    assert (code, said) == (0, "kept\nhere\n")


def test_the_whole_file_system_is_no_workspace(room: Room):
    found = room.looking.reading(Reading(("/",), ("/",), "/"))
    assert isinstance(found, Unheld)


def test_too_many_secrets_are_not_held(room: Room):
    for number in range(201):
        room.file(f"{number}/.env", "x")
    assert isinstance(_layout(room), Unheld)


@pytest.mark.parametrize("tier", BOTH)
def test_what_it_needs_of_an_installed_program_is_there_and_nothing_beside_it(room: Room, tier: Tier):
    installed = room.home / "pythons" / "3.12"
    for name, said in (("lib/os.py", "one"), ("secret.txt", CANARY)):
        (installed / name).parent.mkdir(parents=True, exist_ok=True)
        (installed / name).write_text(f"{said}\n")
    roots = (str(room.root),)
    layout = room.looking.reading(Reading(roots, roots, str(room.root), (), (str(installed / "lib"), "/nowhere")))

    code, said = _run(room, tier, f"cat {installed}/lib/os.py; cat {installed}/secret.txt", layout=layout)

    assert (code, said.startswith("one\n"), CANARY in said) == (1, True, False)

"""A guarded command of an administrator becomes another user where it must, and reaches the outside by none of them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assent.sandbox.words import Tier
from tests.support.confining import PYTHON, Room

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only an administrator's command can become another user")

NOBODY = 65_534
AS_NOBODY = f"""
import os, socket
def as_nobody(work):
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([]); os.setresgid(*[{NOBODY}] * 3); os.setresuid(*[{NOBODY}] * 3)
            work(other)
        except OSError as fault:
            other.send(fault.strerror.encode())
        os._exit(0)
    os.waitpid(child, 0)
    return socket.recv_fds(one, 200, 1)
"""
OUT = (
    AS_NOBODY
    + """
def send_root(other):
    handle = os.open("/proc/" + os.environ["OTHER"] + "/root", os.O_PATH | os.O_DIRECTORY)
    socket.send_fds(other, [b"opened"], [handle])
said, handles, _, _ = as_nobody(send_root)
print(said.decode())
for handle in handles:
    file = os.open(os.environ["HELD"].lstrip("/"), os.O_WRONLY | os.O_TRUNC, dir_fd=handle)
    os.write(file, b"evil")
"""
)
WORK = (
    AS_NOBODY
    + """
said, *_ = as_nobody(lambda other: other.send(str(os.getuid()).encode()))
print(said.decode())
"""
)


@contextmanager
def somebody_else() -> Iterator[int]:
    """A program of another user outside, that waits."""
    as_other = ["/usr/bin/setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
    with subprocess.Popen([*as_other, "/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(b"runs\n")
        program.stdin.flush()
        assert program.stdout.readline() == b"runs\n"
        yield program.pid
        program.kill()


def test_what_another_user_sees_is_no_way_out(room: Room) -> None:
    held = room.file(".mcp.json")
    command = f'{PYTHON} -c "$CODE"'
    with somebody_else() as other:
        ran = room.run(command, Tier.BUBBLEWRAP, guard=True, CODE=OUT, OTHER=str(other), HELD=str(held))

    assert held.read_text() == "as it was\n", ran
    assert "No such file" in ran.output, ran


def test_becoming_another_user_goes_on(room: Room) -> None:
    """As package managers do, to fetch what they install."""
    ran = room.run(f'{PYTHON} -c "$CODE"', Tier.BUBBLEWRAP, guard=True, CODE=WORK)

    assert ran.output == f"{NOBODY}\n", ran


def test_its_own_programs_are_seen(room: Room) -> None:
    ran = room.run("sleep 30 & cat /proc/$!/comm; kill $!; wait; ls -d /proc/$$", Tier.BUBBLEWRAP, guard=True)

    assert ran.output.splitlines()[1].startswith("/proc/"), ran

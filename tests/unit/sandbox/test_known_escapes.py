"""Ways out of a sandbox that are known, tried from inside a command that is held to reading.

Each is a line of Python. Where it does not raise, it says what it could do; what it did to files is looked at as well.
"""

import asyncio
import json
import os
import platform
import socket
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from assent.runtime.processes import Processes, Start
from assent.sandbox.confined import Held
from assent.sandbox.layout import Layout
from assent.sandbox.words import Reading, Tier, Unheld
from tests.support.confining import BOTH, Room
from tests.support.scale import limit

SECRET = "what-nobody-may-read"

_PRELUDE = r"""
import ctypes, json, os, shutil, signal, socket, stat, struct, subprocess, sys
W, H, O, S, SCRATCH = (os.environ[name] for name in ("W", "H", "O", "S", "SCRATCH"))
SERVER, PORT = int(os.environ["SERVER"]), int(os.environ["TCP"])
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    if libc.syscall(number, *words) < 0:
        raise OSError(ctypes.get_errno(), "refused")
def b(text):
    return ctypes.c_char_p(text.encode())
def wrote(path, flags=os.O_WRONLY, mode=0o644):
    handle = os.open(path, flags, mode)
    os.write(handle, b"x")
    os.close(handle)
def saw(path):
    assert os.environ["SECRET"] in open(path, errors="replace").read()
def at(folder, name, flags):
    return os.open(name, flags, dir_fd=os.open(folder, os.O_RDONLY))
def same_network():
    return os.readlink("/proc/self/ns/net") == os.environ["NET"]
def call_of(number, *words):
    return libc.syscall(number, *words)
def refused(kind):
    try:
        sock(kind)
    except OSError:
        return True
    return False
def outside_queues():
    return os.readlink("/proc/self/ns/ipc") == os.environ["IPC"]
def own_numbers():
    return not outside_queues()
def sock(kind, *more):
    return socket.socket(kind, *more)
escaped = []
for name, line in json.loads(sys.stdin.read()):
    try:
        exec(line)
    except BaseException:
        continue
    escaped.append(name)
print(json.dumps(escaped))
"""

_TARGETS = {"a file of the workspace": "W+'/a.txt'", "a file outside": "O+'/f'", "a file at home": "H+'/.bashrc'"}
_FOLDERS = {"the workspace": "W", "a folder outside": "O", "the home folder": "H", "what Assent keeps": "S"}
_TO_FILES = {
    "written": "wrote({0})",
    "appended to": "wrote({0}, os.O_WRONLY | os.O_APPEND)",
    "cut off by opening": "os.open({0}, os.O_WRONLY | os.O_TRUNC)",
    "cut off": "os.truncate({0}, 0)",
    "opened for both": "os.open({0}, os.O_RDWR)",
    "removed": "os.unlink({0})",
    "renamed": "os.rename({0}, {0} + '.moved')",
    "replaced": "open(SCRATCH + '/new', 'w'); os.replace(SCRATCH + '/new', {0})",
    "written by way of /proc/self/root": "wrote('/proc/self/root' + {0})",
    "written by its open handle": "wrote('/proc/self/fd/%d' % os.open({0}, os.O_RDONLY))",
    "written through a link": "os.symlink({0}, SCRATCH + '/l'); wrote(SCRATCH + '/l')",
    "linked to": "os.link({0}, {0} + '.linked')",
    "made anew by openat": "at(os.path.dirname({0}), 'new', os.O_CREAT | os.O_WRONLY)",
    "given an attribute": "os.setxattr({0}, 'user.x', b'y'); assert os.getxattr({0}, 'user.x') == b'y'",
    "given another mode": "os.chmod({0}, 0o777); assert os.stat({0}).st_mode & 0o777 == 0o777",
    "given another time": "os.utime({0}, (1, 1)); assert os.stat({0}).st_mtime == 1",
    "swapped": "call(316, -100, b({0}), -100, b(O + '/g'), 2)",
    "allocated": "call(285, os.open({0}, os.O_RDWR), 0, 0, 10)",
    "given another mode by its handle": "h = os.open({0}, os.O_RDONLY); os.fchmod(h, 0o700); "
    "assert os.fstat(h).st_mode & 0o777 == 0o700",
    "given another mode by the newest call": "call(452, -100, b({0}), 0o711, 0); "
    "assert os.stat({0}).st_mode & 0o777 == 0o711",
    "given another owner": "os.chown({0}, 12345, 12345); assert os.stat({0}).st_uid == 12345",
    "given another time by its handle": "h = os.open({0}, os.O_RDONLY); os.utime(h, (2, 2)); "
    "assert os.fstat(h).st_mtime == 2",
    "given an attribute by its handle": "h = os.open({0}, os.O_RDONLY); os.setxattr(h, 'user.y', b'z')",
    "given flags by its handle": "import fcntl; h = os.open({0}, os.O_RDONLY); "
    "fcntl.ioctl(h, 0x40086602, struct.pack('L', 0x40))",
    "copied into another": "h = os.open({0}, os.O_RDWR); os.copy_file_range(os.open('/etc/hostname', 0), h, 5)",
}
_TO_FOLDERS = {
    "a file made in": "wrote({0} + '/made', os.O_CREAT | os.O_WRONLY); assert os.path.exists({0} + '/made')",
    "a folder made in": "os.mkdir({0} + '/made-folder')",
    "a pipe made in": "os.mkfifo({0} + '/made-pipe')",
    "a link made in": "os.symlink('x', {0} + '/made-link')",
    "a socket made in": "sock(socket.AF_UNIX).bind({0} + '/made-socket')",
    "a device made in": "os.mknod({0} + '/made-device', 0o600 | stat.S_IFCHR, os.makedev(1, 3))",
    "a nameless file made in": "os.open({0}, os.O_TMPFILE | os.O_WRONLY)",
}
_OTHERS = {
    "a secret of the workspace read": "saw(W + '/.env')",
    "a secret of the workspace read by way of /proc/self/root": "saw('/proc/self/root' + W + '/.env')",
    "a secret of the workspace read by way of /proc/self/cwd": "saw('/proc/self/cwd/.env')",
    "a secret of the workspace read through a link in it": "saw(W + '/to-secret')",
    "a file outside read": "saw(O + '/secret')",
    "a file outside read through a link of the workspace": "saw(W + '/to-outside')",
    "a file outside read by way of another program": "saw('/proc/%d/root%s/secret' % (SERVER, O))",
    "a file at home read": "saw(H + '/notes')",
    "what Assent keeps read": "saw(S + '/kept')",
    "a file outside read by a handle": "call(304, -100, b(O + '/secret'), 0)",
    "another program's environment read": "saw('/proc/%d/environ' % SERVER)",
    "another program's memory opened": "os.open('/proc/%d/mem' % SERVER, os.O_RDONLY)",
    "another program's memory read": "call(310, SERVER, ctypes.create_string_buffer(16), 1, 0, 0, 0)",
    "another program's handle taken": "call(438, os.pidfd_open(SERVER), 1, 0)",
    "another program traced": "call(101, 16, SERVER, 0, 0)",
    "another program ended": "os.kill(SERVER, 0)",
    "another program told by its handle": "signal.pidfd_send_signal(os.pidfd_open(SERVER), 0)",
    "the parent told": "os.kill(os.getppid(), 0) if os.getppid() == SERVER else 1 / 0",
    "another program's priority set": "os.setpriority(os.PRIO_PROCESS, SERVER, 19)",
    "a device's mode set": "before = os.stat('/dev/zero').st_mode; os.chmod('/dev/zero', 0o600); "
    "now = os.stat('/dev/zero').st_mode; os.chmod('/dev/zero', before & 0o777); assert now != before",
    "a device's time set": "os.utime('/dev/zero', (0, 0)); assert os.stat('/dev/zero').st_mtime == 0",
    "another program's processors set": "os.sched_setaffinity(SERVER, {0})",
    "another program's turns set": "os.sched_setscheduler(SERVER, os.SCHED_IDLE, os.sched_param(0))",
    "another program's turns set by a number": "call(142, SERVER, b'\0' * 4)",
    "another program's turns at the disk set": "call(251, 1, SERVER, 3 << 13)",
    "another program's limits set": "call(302, SERVER, 7, struct.pack('QQ', 64, 64), 0)",
    "a port of the machine reached": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "a port of the machine reached by the newer address": "socket.create_connection(('::1', PORT), 2)",
    "a port waited at": "assert same_network(); sock(socket.AF_INET).bind(('0.0.0.0', 0))",
    "a raw socket made": "sock(socket.AF_INET, socket.SOCK_RAW, 1)",
    "a packet socket made": "sock(socket.AF_PACKET, socket.SOCK_RAW)",
    "the network's settings reached": "sock(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a virtual machine's socket made": "sock(socket.AF_VSOCK)",
    "a named socket reached": "sock(socket.AF_UNIX).connect(W + '/named')",
    "an abstract socket reached": "sock(socket.AF_UNIX).connect('\\0' + os.environ['ABSTRACT'])",
    "the session bus reached": "sock(socket.AF_UNIX).connect('/run/dbus/system_bus_socket')",
    "docker reached": "sock(socket.AF_UNIX).connect('/var/run/docker.sock')",
    "a file system mounted": "call(165, b('none'), b('/tmp'), b('tmpfs'), 0, 0)",
    "the workspace mounted again for writing": "call(165, b('none'), b(W), b('none'), 32 | 4096, 0)",
    "a mount taken away": "call(166, b(W + '/.env'), 2)",
    "a mount taken away by its root": "call(166, b(W), 2)",
    "the root changed": "os.chroot('/')",
    "a tree of mounts opened": "call(428, -100, b('/'), 1)",
    "a file system opened": "call(430, b('proc'), 0)",
    "mounts given other properties": "call(442, -100, b(W), 0, ctypes.create_string_buffer(32), 32)",
    "a namespace of users made": "call(272, 0x10000000)",
    "a namespace of mounts made": "call(272, 0x00020000)",
    "a namespace of networks made": "call(272, 0x40000000)",
    "a namespace entered": "call(308, os.open('/proc/%d/ns/mnt' % SERVER, os.O_RDONLY), 0)",
    "another user become": "os.setuid(12345); assert os.getuid() == 12345; wrote(O + '/f')",
    "rights taken up": "call(126, struct.pack('II', 0x20080522, 0), struct.pack('IIIIII', *[0xFFFFFFFF] * 6))",
    "a module loaded": "call(313, 0, b(''), 0)",
    "a program for the kernel loaded": "call(321, 5, ctypes.create_string_buffer(128), 128)",
    "memory faults watched": "call(323, 0)",
    "the machine's events watched": "call(298, ctypes.create_string_buffer(128), SERVER, -1, -1, 0)",
    "the kernel's log read": "call(103, 3, ctypes.create_string_buffer(64), 64)",
    "keys of the kernel read": "call(250, 0, -3, 1)",
    "a ring of system calls made": "call(425, 1, ctypes.create_string_buffer(120))",
    "file accesses watched": "call(300, 0, 0)",
    "the machine's name set": "socket.sethostname('escaped')",
    "the clock set": "call(227, 0, ctypes.create_string_buffer(16))",
    "swapping begun": "call(167, b(W + '/a.txt'), 0)",
    "accounting begun": "call(163, b(W + '/a.txt'))",
    "the machine restarted": "call(169, 0, 0, 0, 0)",
    "what dumps memory set": "wrote('/proc/sys/kernel/core_pattern')",
    "how memory is shared out set": "wrote('/proc/sys/vm/overcommit_memory')",
    "forwarding set": "wrote('/proc/sys/net/ipv4/ip_forward')",
    "a key of the console pressed": "os.open('/proc/sysrq-trigger', os.O_WRONLY)",
    "an interrupt moved": "os.open('/proc/irq/default_smp_affinity', os.O_WRONLY)",
    "the machine's memory opened": "os.open('/dev/mem', os.O_RDONLY)",
    "the kernel's memory opened": "os.read(os.open('/proc/kcore', os.O_RDONLY), 64)",
    "a disk opened": "os.open(next(filter(os.path.exists, ('/dev/vda', '/dev/sda'))), os.O_RDONLY)",
    "file systems in user space opened": "os.open('/dev/fuse', os.O_RDWR)",
    "virtual machines opened": "os.open('/dev/kvm', os.O_RDWR)",
    "tunnels opened": "os.open('/dev/net/tun', os.O_RDWR)",
    "groups of programs changed": "os.mkdir('/sys/fs/cgroup/escaped')",
    "how devices are told of set": "os.open('/sys/kernel/uevent_helper', os.O_WRONLY)",
    "the terminal typed into": "__import__('fcntl').ioctl(os.open('/dev/tty', os.O_RDWR), 0x5412, b'x')",
    "memory shared by a number": "call(29, 12345, 4096, 0o1600); 1 / os.path.exists('/proc/sysvipc/shm') and 1 / 0",
    "memory shared by a name": "open('/dev/shm/escaped', 'w'); assert False",
    "a program of the machine replaced": "wrote('/usr/bin/env')",
    "a program added": "wrote('/usr/local/bin/escaped', os.O_CREAT | os.O_WRONLY)",
    "the users' file written": "wrote('/etc/passwd', os.O_WRONLY | os.O_APPEND)",
    "a task for later added": "wrote('/etc/cron.d/escaped', os.O_CREAT | os.O_WRONLY)",
    "what is loaded first set": "wrote('/etc/ld.so.preload', os.O_CREAT | os.O_WRONLY)",
    "another kind of socket made": "assert not all(map(refused, (15, 30, 31, 38, 44)))",
    "a datagram sent": "sock(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT)); "
    "assert same_network()",
    "a datagram sent to a named socket": "sock(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', W + '/named')",
    "a message queue by a name made": "call(240, b('escaped'), 0o102, 0o600, 0); assert outside_queues()",
    "a message queue by a number made": "call(68, 12345, 0o1600); assert not own_numbers()",
    "a lock by a number made": "call(64, 12345, 1, 0o1600); assert not own_numbers()",
    "a key added": "call(248, b('user'), b('escaped'), b('x'), 1, -4)",
    "a key asked for": "call(249, b('user'), b('escaped'), 0, -4)",
    "another program's handles followed": "os.readlink('/proc/%d/fd/0' % SERVER)",
    "another program's place read": "os.readlink('/proc/%d/cwd' % SERVER)",
    "another program's memory mapped": "open('/proc/%d/maps' % SERVER).read()[0]",
    "another program's weight set": "wrote('/proc/%d/oom_score_adj' % SERVER)",
    "another program's name set": "wrote('/proc/%d/comm' % SERVER)",
    "another program compared": "call(312, os.getpid(), SERVER, 0, 0, 0)",
    "another program's pages moved": "call(279, SERVER, 0, 0, 0, 0, 0)",
    "another program's memory advised": "call(440, os.pidfd_open(SERVER), 0, 0, 20, 0)",
    "a folder outside watched": "call(254, call_of(253), b(O), 0xFFF)",
    "a folder outside listed": "os.listdir(O + '/..') and 1 / ('outside' in os.listdir(O + '/..'))",
    "the home folder listed": "assert 'notes' in os.listdir(H)",
    "the passwords read": "assert ':' in open('/etc/shadow').read()",
}


def _escapes() -> list[tuple[str, str]]:
    to_files = product(_TARGETS.items(), _TO_FILES.items())
    to_folders = product(_FOLDERS.items(), _TO_FOLDERS.items())
    found = [(f"{where}: {how}", line.format(f"({path})")) for (where, path), (how, line) in to_files]
    found += [(f"{how} {where}", line.format(f"({path})")) for (where, path), (how, line) in to_folders]
    return [*found, *_OTHERS.items()]


ESCAPES = _escapes()
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are given by their numbers on x86-64")


def _plant(room: Room) -> None:
    (room.root / "a.txt").write_text("as it was\n")
    for path in (room.root / ".env", room.outside / "secret", room.home / "notes", room.state / "kept"):
        path.write_text(SECRET)
    for path in (room.outside / "f", room.outside / "g", room.home / ".bashrc"):
        path.write_text("as it was\n")
    (room.root / "to-secret").symlink_to(".env")
    (room.root / "to-outside").symlink_to(room.outside / "secret")


def _looks(room: Room) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(room.base.rglob("*")):
        looked = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (looked.st_mode, looked.st_mtime_ns, content)
    return found


@pytest.mark.parametrize("tier", BOTH)
def test_none_of_the_known_ways_leads_out(room: Room, tier: Tier) -> None:
    _plant(room)
    means = room.readers(tier)
    roots = (str(room.root),)
    layout = room.looking.reading(Reading(roots, roots, str(room.root)))
    assert isinstance(layout, Layout)
    prepared = means.prepare(layout)
    assert not isinstance(prepared, Unheld)
    before = _looks(room)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"SECRET": SECRET})
    abstract, network = f"escapes-{os.getpid()}", str(Path("/proc/self/ns/net").readlink())
    numbers = str(Path("/proc/self/ns/ipc").readlink())

    async def run() -> list[str]:
        processes = Processes()
        given = {
            "W": str(room.root),
            "H": str(room.home),
            "O": str(room.outside),
            "S": str(room.state),
            "SECRET": SECRET,
            "SERVER": str(other.pid),
            "PATH": "/usr/bin:/bin",
            "HOME": str(room.home),
            "TCP": str(tcp.getsockname()[1]),
            "ABSTRACT": abstract,
            "SCRATCH": "/tmp",
            "NET": network,
            "IPC": numbers,
        }
        words = json.dumps(ESCAPES)
        text = f"/usr/bin/python3 -c \"$PROBE\" <<'END_OF_WORDS'\n{words}\nEND_OF_WORDS"
        start = Start(("/bin/bash", "--norc", "-c", text), str(room.root), {**given, "PROBE": _PRELUDE})
        with Held(tier, prepared).applied(start) as inside:
            ended = await processes.run(inside, limit(60), 100_000)
        processes.end_all()
        assert ended.code == 0, ended.errors.text()
        return list(json.loads(ended.output.text()))

    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as named:
        named.bind(f"\0{abstract}")
        named.listen()
        try:
            escaped = asyncio.run(run())
        finally:
            other.kill()
            other.communicate()
    allowed = {"a file made in the home folder", *_IN_MEMORY} if tier is Tier.BUBBLEWRAP else set()
    assert set(escaped) <= allowed
    assert _looks(room) == before
    assert not Path("/usr/local/bin/escaped").exists()
    assert len(ESCAPES) >= 120


_IN_MEMORY = {
    *(
        f"{how} {where}"
        for how in _TO_FOLDERS
        for where in ("the home folder", "a folder outside", "what Assent keeps")
    ),
    *(f"a file at home: {how}" for how in _TO_FILES),
    *(f"a file outside: {how}" for how in _TO_FILES),
}
"""Folders that are not there have a double in memory, which goes with the command: that the real ones are as they were
is looked at."""

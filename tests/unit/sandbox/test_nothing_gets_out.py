"""Networks, other programs, secrets and places outside, from inside: each with a control that shows it there."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from assent.policy.protected import is_secret
from assent.sandbox.words import Tier
from tests.support.confining import BOTH, PYTHON, Room
from tests.support.scale import limit


@dataclass
class Listeners:
    """Sockets of this process, and what came in."""

    tcp: socket.socket
    udp: socket.socket
    named: socket.socket
    messages: socket.socket
    abstract: socket.socket

    def anything(self) -> bool:
        """Whether anybody reached any of them."""
        listeners = (self.tcp, self.named, self.abstract)
        attempts: list[Callable[[], object]] = [lambda one=one: one.accept()[0].close() for one in listeners]
        attempts += [lambda: self.udp.recv(9), lambda: self.messages.recv(9)]
        reached = False
        for attempt in attempts:
            with suppress(BlockingIOError):
                attempt()
                reached = True
        return reached


@contextmanager
def listening(folder: Path) -> Iterator[Listeners]:
    """One of each kind."""
    unix, stream, message = socket.AF_UNIX, socket.SOCK_STREAM, socket.SOCK_DGRAM
    kinds = ((socket.AF_INET, stream), (socket.AF_INET, message), (unix, stream), (unix, message), (unix, stream))
    sockets = [socket.socket(*kind) for kind in kinds]
    addresses = (("127.0.0.1", 0), ("127.0.0.1", 0), "named", "messages", f"\0sandbox-test-{os.getpid()}")
    here = Path.cwd()
    os.chdir(folder)
    try:
        for one, address in zip(sockets, addresses, strict=True):
            one.bind(address)
            if one.type == stream:
                one.listen(8)
            one.setblocking(False)
        yield Listeners(*sockets)
    finally:
        os.chdir(here)
        for one in sockets:
            one.close()


_PYTHON = "import socket as s, os\n"
WAYS = {
    "TCP": _PYTHON + "s.create_connection(('127.0.0.1', int(os.environ['TCP'])), 2)",
    "UDP": _PYTHON + "s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', int(os.environ['UDP'])))",
    "a named socket": _PYTHON + "s.socket(s.AF_UNIX).connect('named')",
    "messages to a named socket": _PYTHON + "s.socket(s.AF_UNIX, s.SOCK_DGRAM).sendto(b'x', 'messages')",
    "one end of a pair": _PYTHON + "s.socketpair(s.AF_UNIX, s.SOCK_DGRAM)[0].sendto(b'x', 'messages')",
    "an abstract socket": _PYTHON + "s.socket(s.AF_UNIX).connect('\\0' + os.environ['ABSTRACT'])",
}
UNHEARD = {
    "a raw socket": _PYTHON + "s.socket(s.AF_INET, s.SOCK_RAW, 1)",
    "netlink": _PYTHON + "s.socket(s.AF_NETLINK, s.SOCK_RAW)",
    "packets": _PYTHON + "s.socket(s.AF_PACKET, s.SOCK_RAW)",
}


def environment(listeners: Listeners) -> dict[str, str]:
    abstract = str(listeners.abstract.getsockname().decode()[1:])
    ports = (listeners.tcp.getsockname()[1], listeners.udp.getsockname()[1])
    return {"TCP": str(ports[0]), "UDP": str(ports[1]), "ABSTRACT": abstract}


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("way", WAYS)
def test_nobody_is_reached(room: Room, way: str, tier: Tier) -> None:
    with listening(room.root) as listeners:
        told = environment(listeners)
        code = [sys.executable, "-c", WAYS[way]]
        subprocess.run(code, cwd=room.root, env={**os.environ, **told}, timeout=limit(20), check=True)
        assert listeners.anything(), "the control"

        room.run(f"{PYTHON} -c '{WAYS[way].replace(chr(39), chr(34))}'", tier, **told)

        assert not listeners.anything()


@pytest.mark.parametrize("tier", BOTH)
def test_the_shells_own_way_reaches_nobody(room: Room, tier: Tier) -> None:
    text = "echo x > /dev/tcp/127.0.0.1/$TCP; echo x > /dev/udp/127.0.0.1/$UDP; true"
    with listening(room.root) as listeners:
        told = environment(listeners)
        subprocess.run(["/bin/bash", "-c", text], env=told, timeout=limit(20), check=True)
        assert listeners.anything(), "the control"

        room.run(text, tier, **told)

        assert not listeners.anything()


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("way", UNHEARD)
def test_other_kinds_of_sockets_are_refused(room: Room, way: str, tier: Tier, network: bool) -> None:
    ran = room.run(f"{PYTHON} -c '{UNHEARD[way]}'", tier, network=network)

    assert ran.code == 1
    assert "Operation not permitted" in ran.errors


@pytest.mark.parametrize("tier", BOTH)
def test_with_the_network_on_it_is_reached_and_other_programs_sockets_are_not(room: Room, tier: Tier) -> None:
    with listening(room.root) as listeners:
        told = environment(listeners)
        for way in ("a named socket", "messages to a named socket", "one end of a pair", "an abstract socket"):
            room.run(f"{PYTHON} -c '{WAYS[way].replace(chr(39), chr(34))}'", tier, network=True, **told)
            assert not listeners.anything(), way

        ran = room.run(f"{PYTHON} -c '{WAYS['TCP'].replace(chr(39), chr(34))}'", tier, network=True, **told)

        assert ran.code == 0, ran.errors
        assert listeners.anything()


SECRETS = [
    *(
        ".ssh/id_ed25519",
        ".ssh/config",
        ".gnupg/private-keys-v1.d/a",
        ".aws/credentials",
        ".azure/token",
        ".kube/config",
    ),
    *(".docker/config.json", ".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".vault-token"),
    *(".config/gh/hosts.yml", ".config/gcloud/key.json", ".cargo/credentials.toml", ".m2/settings.xml"),
    *(".local/share/keyrings/login", ".terraform.d/credentials.tfrc.json", ".bash_history", "server.pem"),
]
SECRETS_INSIDE = [".env", ".env.local", "deep/prod.env", "deep/key.pem", "certs/id_rsa", ".claude/.env", "a/.aws/x"]


@pytest.mark.parametrize("tier", BOTH)
def test_no_secret_is_read(room: Room, tier: Tier) -> None:
    files = [room.home / name for name in SECRETS] + [room.root / name for name in SECRETS_INSIDE]
    for file in files:
        assert is_secret(str(file))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a-planted-secret\n")
    (room.state / "history").write_text("a-planted-secret\n")
    (room.home / "ordinary").write_text("ordinary\n")
    (room.root / "ordinary").write_text("ordinary\n")
    look = f"grep -rs planted {room.base}; cat {' '.join(map(str, files))} {room.state}/history; "

    ran = room.run(look + f"cat {room.home}/ordinary ordinary; true", tier)

    assert len(files) >= 20
    assert "planted" not in ran.output + ran.errors
    assert ran.output == "ordinary\nordinary\n"
    assert all(file.read_text() == "a-planted-secret\n" for file in files)


@pytest.mark.parametrize("tier", BOTH)
def test_source_code_is_no_key_by_its_name(room: Room, tier: Tier) -> None:
    shown = ["id_map.py", "source/id_table.rs", "ID_Notes.MD"]
    hidden = ["id_deploy", "id_rsa.py", "id_map.py.pem", "id_map.txt", ".ssh/id_map.py"]
    for name in (*shown, *hidden):
        room.file(name, f"text of {name}\n")

    ran = room.run(f"cat {' '.join(shown)}; cat {' '.join(hidden)}; true", tier)

    assert ran.output == "".join(f"text of {name}\n" for name in shown)


@pytest.mark.parametrize("tier", BOTH)
def test_nothing_is_written_outside(room: Room, tier: Tier) -> None:
    there = room.outside / "there"
    there.write_text("as it was\n")
    places = [room.outside, room.home, room.state, room.base, Path("/var"), Path("/etc"), Path("/usr/local/bin")]
    name = f"sandbox-test-{os.getpid()}"
    text = "\n".join(f"echo x > {place}/{name}; mkdir {place}/{name}.d" for place in places)
    text += f"\necho x > {there}; rm {there}; mv {there} {room.scratch}; ln {there} {room.scratch}/l; chmod 777 {there}"

    ran = room.run(f"{{ {text}\n}} 2>/dev/null; echo x > {room.scratch}/ordinary && echo done", tier)

    assert ran.output == "done\n"
    assert there.read_text() == "as it was\n"
    assert there.stat().st_mode & 0o777 == 0o644
    assert not [place for place in places if (place / name).exists() or (place / f"{name}.d").exists()]


@pytest.mark.parametrize("tier", BOTH)
def test_other_programs_are_out_of_reach(room: Room, tier: Tier) -> None:
    with subprocess.Popen(["sleep", "1000"], env={"SECRET": "in-the-environment"}) as other:
        try:
            ran = room.run(f"kill -9 {other.pid}; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep SECRET", tier)

            assert other.poll() is None
            assert "in-the-environment" not in ran.output
        finally:
            other.kill()


@pytest.mark.parametrize("tier", BOTH)
@pytest.mark.parametrize("text", ["unshare -U true", "unshare -m true", "unshare -Ur true", "mount -t tmpfs x ."])
def test_no_namespace_and_no_mount_is_made(room: Room, text: str, tier: Tier) -> None:
    assert room.run(text, tier).code != 0


@pytest.mark.parametrize("tier", BOTH)
def test_the_temporary_folders_are_its_own(room: Room, tier: Tier) -> None:
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        name = Path(folder) / f"sandbox-test-{os.getpid()}"
        name.write_text("of another program")
        try:
            ran = room.run(f"cat {name}; echo x > {name}; echo x > {name}.new; true", tier)
            assert "of another" not in ran.output
            assert name.read_text() == "of another program"
            assert not Path(f"{name}.new").exists()
        finally:
            name.unlink()

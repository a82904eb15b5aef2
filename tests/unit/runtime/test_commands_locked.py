"""Commands that are locked in by the kernel before they begin; where that fails, they do not begin."""

import errno
import struct
import sys
from pathlib import Path
from platform import machine

import pytest

from assent.runtime.processes import Ended, Lock, Processes, Start
from tests.support.scale import limit
from tests.support.stubborn import ENVIRONMENT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_REG = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 8
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
WRITES = WRITE_FILE | MAKE_REG
SYSTEM = sorted(
    {str(Path(path).resolve()) for path in ("/usr", "/lib", "/lib64", "/bin", "/etc") if Path(path).exists()}
)


def names_in(folder: Path) -> list[str]:
    """What is in a folder."""
    return [path.name for path in folder.iterdir()]


async def ran(text: str, lock: Lock, directory: str = "/") -> Ended:
    """The end of a shell command that is locked in."""
    start = Start(("/bin/bash", "-c", text), directory, ENVIRONMENT, lock=lock)
    return await Processes().run(start, limit(60), 10_000)


async def test_what_no_rule_allows_is_forbidden_to_it_and_to_all_it_starts(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    text = (
        f"echo x > {mine}/a; echo x > {other}/a; setsid bash -c 'echo x > {other}/b'; env -i /bin/cp {mine}/a {other}/c"
    )
    ended = await ran(text, Lock(WRITES, 0, 0, ((str(mine), WRITES),)))

    assert (names_in(mine), names_in(other)) == (["a"], [])
    assert "Permission denied" in ended.errors.text()


async def test_what_can_be_read_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    reads = EXECUTE | READ_FILE | READ_DIR
    rules = tuple((path, reads) for path in SYSTEM)
    ended = await ran(f"cat {tmp_path}/secret || ls {tmp_path} || echo no", Lock(reads, 0, 0, rules))

    assert ended.output.text() == "no\n"


async def test_the_network_can_be_closed() -> None:
    connect = "exec 3<> /dev/tcp/127.0.0.1/9 || echo no"
    refused = await ran(connect, Lock(0, 0, 0, ()))
    closed = await ran(connect, Lock(0, BIND_TCP | CONNECT_TCP, 0, ()))

    assert "Connection refused" in refused.errors.text()
    assert "Permission denied" in closed.errors.text()


ALLOW, NO_ENTRY = 0x7FFF0000, 0x00050000 | errno.EPERM
LOAD, EQUALS, RETURN = 0x20, 0x15, 0x06


def forbidding(call: int) -> bytes:
    """A filter that refuses one system call of this machine."""
    steps = ((LOAD, 0, 0, 0), (EQUALS, 0, 1, call), (RETURN, 0, 0, NO_ENTRY), (RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


async def test_system_calls_can_be_forbidden(tmp_path: Path) -> None:
    mkdir = {"x86_64": 83, "aarch64": 34}[machine()]
    ended = await ran("mkdir never-made", Lock(0, 0, 0, (), forbidding(mkdir)), str(tmp_path))

    assert ended.code == 1
    assert "Operation not permitted" in ended.errors.text()
    assert names_in(tmp_path) == []


async def test_no_program_gains_privileges() -> None:
    ended = await ran("grep NoNewPrivs /proc/self/status", Lock(0, 0, 0, ()))

    assert ended.output.text().split() == ["NoNewPrivs:", "1"]


@pytest.mark.parametrize(
    ("lock", "number"),
    [
        pytest.param(Lock(WRITES, 0, 0, (("/tmp", READ_FILE),)), errno.EINVAL, id="a rule for what is not forbidden"),
        pytest.param(Lock(1 << 63, 0, 0, ()), errno.EINVAL, id="files that this kernel does not know"),
        pytest.param(Lock(WRITES, 1 << 40, 0, ()), errno.EINVAL, id="a network that it does not know"),
        pytest.param(Lock(WRITES, 0, 1 << 40, ()), errno.EINVAL, id="a scope that it does not know"),
        pytest.param(Lock(0, 0, 0, (("/tmp", WRITES),)), None, id="a rule without anything that is forbidden"),
        pytest.param(Lock(0, 0, 0, (), b"1234567"), errno.EINVAL, id="a filter that is cut off"),
        pytest.param(Lock(0, 0, 0, (), b"12345678"), errno.EINVAL, id="a filter that is none"),
        pytest.param(Lock(0, 0, 0, (), bytes(8 * 5_000)), errno.EINVAL, id="a filter that is too long"),
        pytest.param(Lock(0, 0, 0, (("/t\0mp", WRITES),)), errno.EINVAL, id="a path that is none"),
    ],
)
async def test_where_it_cannot_be_locked_in_it_does_not_begin(lock: Lock, number: int | None, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        await ran("echo begun > begun", lock, str(tmp_path))

    assert number in (None, caught.value.errno)
    assert names_in(tmp_path) == []


async def test_what_could_not_be_locked_in_is_told() -> None:
    with pytest.raises(OSError, match=r"its lock \(/tmp\): Invalid argument"):
        await ran("true", Lock(WRITES, 0, 0, (("/tmp", READ_FILE),)))


async def test_what_has_gone_since_it_was_looked_for_is_not_missed(tmp_path: Path) -> None:
    """Beside what is held other programs make and remove files all the time."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (tmp_path / "file").touch()
    gone = ((f"{tmp_path}/gone", WRITES), (f"{tmp_path}/gone/below", WRITES), (f"{tmp_path}/file/below", WRITES))
    ended = await ran(f"echo x > {mine}/a; echo x > {tmp_path}/b", Lock(WRITES, 0, 0, (*gone, (str(mine), WRITES))))

    assert ended.code == 1
    assert (names_in(mine), sorted(names_in(tmp_path))) == (["a"], ["file", "mine"])


@pytest.mark.parametrize("below", ["", "/below"])
async def test_what_has_become_a_link_since_opens_nothing(tmp_path: Path, below: str) -> None:
    other = tmp_path / "other"
    (other / "below").mkdir(parents=True)
    (tmp_path / "was a folder").symlink_to(other)
    rules = ((f"{tmp_path}/was a folder{below}", WRITES),)
    ended = await ran(f"echo x > {other}{below}/a", Lock(WRITES, 0, 0, rules))

    assert (ended.code, names_in(other), names_in(other / "below")) == (1, ["below"], [])


async def test_what_has_become_a_file_since_is_opened_as_one(tmp_path: Path) -> None:
    file = tmp_path / "was a folder"
    file.touch()
    ended = await ran(f"echo x > '{file}'; echo x > {tmp_path}/a", Lock(WRITES, 0, 0, ((str(file), WRITES),)))

    assert (ended.code, names_in(tmp_path), file.read_text()) == (1, ["was a folder"], "x\n")

"""What a command gets of this process, what it costs in handles, and what happens where there are none left."""

import asyncio
import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from assent.runtime.processes import Processes, Start, Stream
from tests.support.processes import ROOT, python
from tests.support.scale import eventually, limit
from tests.support.stubborn import ENVIRONMENT, kept_by, warden_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")


async def output_of(start: Start) -> str:
    """What a program prints, that must end well."""
    ended = await Processes().run(start, limit(60), 1 << 20)
    assert ended.code == 0, ended.errors.text()
    return ended.output.text()


def open_handles(pid: int) -> list[str]:
    """What a process has open."""
    return [str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir() if path.is_symlink()]


async def test_files_are_passed_on_under_their_numbers(tmp_path: Path) -> None:
    handles = []
    for name in "abc":
        (tmp_path / name).write_text(name)
        handles.append(os.open(tmp_path / name, os.O_RDONLY))
    crossed = ((5, handles[0]), (3, handles[1]), (400, handles[2]), (handles[0], handles[2]))
    text = (
        f"cat <&5; cat <&3; cat <&400; ls /proc/self/fd | wc -l; [ /dev/fd/{handles[0]} -ef {tmp_path}/c ] && echo same"
    )
    try:
        printed = await output_of(Start(("/bin/bash", "-c", text), "/", ENVIRONMENT, crossed))
        assert [os.fstat(handle).st_size for handle in handles] == [1, 1, 1]
    finally:
        for handle in handles:
            os.close(handle)

    # Three of its own, the four, and the one by which the folder is listed.
    assert printed == "abc8\nsame\n"


@pytest.mark.parametrize("numbers", [(0,), (2,), (-1,), (3, 3), (1_001,), tuple(range(3, 260))])
async def test_numbers_that_cannot_be_are_refused(numbers: tuple[int, ...]) -> None:
    files = tuple((number, 0) for number in numbers)
    with pytest.raises(OSError, match="files") as caught:
        await Processes().start(Start(("/bin/true",), "/", {}, files), lambda *_: None)
    assert caught.value.errno == errno.EINVAL


async def test_a_handle_that_is_none_is_refused() -> None:
    processes = Processes()
    with pytest.raises(OSError, match="Bad file descriptor"):
        await processes.start(Start(("/bin/true",), "/", {}, ((3, 9_999),)), lambda *_: None)
    assert (await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code == 0


async def test_nobody_beside_the_server_holds_what_is_the_servers(tmp_path: Path) -> None:
    processes = Processes()
    with (tmp_path / "own").open("w") as own:
        os.set_inheritable(own.fileno(), True)
        running = [await processes.start(Start(("/bin/sleep", "1000"), "/", {}), lambda *_: None) for _ in range(3)]
        watching = [warden_of(processes), *kept_by(warden_of(processes))]
        assert len(watching) == 4
        for pid in (*watching, *(one.pid for one in running)):
            held = open_handles(pid)
            assert str(tmp_path / "own") not in held
            assert sum(name.startswith("socket:") for name in held) == (pid in watching)
            assert not [name for name in held if name.startswith("/") and name != os.devnull]
    for one in running:
        await one.end()


async def test_the_program_finds_the_system_as_it_always_is() -> None:
    printed = await output_of(Start(("/bin/cat", "/proc/self/status"), "/", {}))
    status = dict(line.split(":\t", 1) for line in printed.splitlines())

    assert {int(status[name], 16) for name in ("SigBlk", "SigIgn", "SigCgt")} == {0}
    assert await output_of(Start(("/bin/cat", "/proc/self/oom_score_adj"), "/", {})) == "800\n"
    # Its number, its group and its session are one.
    numbers = (await output_of(Start(("/bin/cat", "/proc/self/stat"), "/", {}))).rpartition(")")[2].split()
    assert numbers[2] == numbers[3] != str(os.getsid(0))


async def test_a_program_is_found_by_its_name_in_its_own_environment(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a" / "tell").write_text("not to be run")
    (tmp_path / "b" / "tell").write_text("#!/bin/sh\necho told\n")
    (tmp_path / "b" / "tell").chmod(0o755)
    path = {"PATH": f"{tmp_path}/none:{tmp_path}/a:{tmp_path}/b"}

    assert await output_of(Start(("tell",), "/", path)) == "told\n"
    with pytest.raises(PermissionError):
        await Processes().start(Start(("tell",), "/", {"PATH": f"{tmp_path}/none:{tmp_path}/a"}), lambda *_: None)
    with pytest.raises(FileNotFoundError, match="told"):
        await Processes().start(Start(("told",), "/", path), lambda *_: None)


@pytest.mark.parametrize(
    ("argv", "environment"),
    [
        pytest.param((), {}, id="no name"),
        pytest.param(("/bin/echo", "a\0b"), {}, id="a NUL among the words"),
        pytest.param(("/bin/echo",), {"A": "a\0b"}, id="a NUL in the environment"),
        pytest.param(("/bin/echo",), {"A=B": "a"}, id="a variable that is two"),
        pytest.param(("/bin/echo",), {"": "a"}, id="a variable without a name"),
        pytest.param(("/bin/echo", "\ud83d"), {}, id="half a character"),
    ],
)
async def test_words_that_no_program_can_have_are_refused(argv: tuple[str, ...], environment: dict[str, str]) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        await Processes().start(Start(argv, "/", environment), lambda *_: None)
    assert caught.value.errno == errno.EINVAL


@pytest.mark.parametrize("folder", ["/tmp/a\0b", "/tmp/\ud83d"], ids=["a NUL", "half a character"])
async def test_a_folder_that_none_can_be_is_refused(folder: str) -> None:
    with pytest.raises(OSError, match="folder") as caught:
        await Processes().start(Start(("/bin/echo",), folder, {}), lambda *_: None)
    assert caught.value.errno == errno.EINVAL


async def test_long_words_arrive_and_too_long_ones_are_refused() -> None:
    word, value = "x" * (128 * 1024 - 1), "y" * 100_000
    count = ("/bin/bash", "-c", 'echo ${#1} ${#A}; printf %s "$B" | wc -c', "bash", word)
    printed = await output_of(Start(count, "/", {**ENVIRONMENT, "A": value, "B": "\udcff\u00e4"}))
    assert printed.split() == [str(len(word)), str(len(value)), "3"]

    with pytest.raises(OSError, match="Argument list too long") as caught:
        await Processes().start(Start((*count, word + "x"), "/", ENVIRONMENT), lambda *_: None)
    assert caught.value.errno == errno.E2BIG


async def test_long_words_arrive_also_where_there_are_no_files_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create")
    count = ("/bin/bash", "-c", "echo ${#1}", "bash", "x" * 100_000)

    assert await output_of(Start(count, "/", ENVIRONMENT)) == "100000\n"


@pytest.mark.parametrize("kind", ["file", "gone", "closed"])
async def test_a_folder_that_is_none_is_a_fault(kind: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((NotADirectoryError, FileNotFoundError)):
        await Processes().start(Start(("/bin/true",), str(tmp_path / kind), {}), lambda *_: None)


async def test_a_folder_by_its_handle_is_the_one_that_was_opened(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    handle = os.open(tmp_path / "a", os.O_PATH | os.O_DIRECTORY)
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "a").mkdir()
    try:
        assert await output_of(Start(("/bin/pwd", "-P"), f"/proc/self/fd/{handle}", {})) == f"{tmp_path}/b\n"
    finally:
        os.close(handle)


async def test_a_thousand_starts_leave_no_handle_open_anywhere() -> None:
    processes = Processes()
    codes = set()
    for number in range(1_000):
        if number % 10:
            codes.add((await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code)
        else:
            with pytest.raises(FileNotFoundError):
                await processes.run(Start(("/not/there",), "/", {}), limit(60), 10)
        if number == 20:
            before = [len(open_handles(pid)) for pid in (os.getpid(), warden_of(processes))]
    after = [len(open_handles(pid)) for pid in (os.getpid(), warden_of(processes))]

    assert codes == {0}
    # Fewer, where something of another test was tidied up meanwhile.
    assert after[0] <= before[0]
    assert after[1] == before[1]
    processes.end_all()


SCARCE = """
import asyncio, errno, os, resource
from assent.runtime.processes import Processes, Start

async def main():
    processes, running, faults = Processes(), [], []
    await processes.run(Start(("/bin/true",), "/", {}), 60, 10)
    before = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
    for number in range(50):
        try:
            running.append(await processes.start(Start(("/bin/sleep", "1000"), "/", {}), lambda *_: None))
        except OSError as fault:
            faults.append(fault.errno)
            if len(faults) % 5 == 0 and running:
                await running.pop().end()
    assert set(faults) == {errno.EMFILE}, faults
    assert len(faults) > 20 and len(running) >= 1, (len(faults), len(running))
    for one in running:
        await one.end()
    together = await asyncio.gather(
        *(processes.run(Start(("/bin/true",), "/", {}), 60, 10) for _ in range(50)), return_exceptions=True
    )
    codes = [one.code for one in together if not isinstance(one, BaseException)]
    assert set(codes) == {0}, together
    assert {one.errno for one in together if isinstance(one, OSError)} == {errno.EMFILE}, together
    assert len(codes) < 50
    assert (await processes.run(Start(("/bin/true",), "/", {}), 60, 10)).code == 0
    assert len(os.listdir("/proc/self/fd")) <= before
    print("all well")

asyncio.run(main())
"""


def test_without_handles_starting_is_a_clean_fault_and_works_again_afterwards() -> None:
    done = subprocess.run(
        python("-W", "error", "-c", SCARCE),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        capture_output=True,
        text=True,
        timeout=limit(50),
        check=False,
    )
    assert (done.stdout, done.stderr) == ("all well\n", "")


async def _stays_and_is_ended(processes: Processes) -> None:
    script = Start(("/bin/sh", "-c", "sleep 1000 & sleep 1000"), "/", ENVIRONMENT)
    running = await processes.start(script, lambda *_: None)
    await eventually(lambda: psutil.Process(running.pid).children(), what="its child")
    child = psutil.Process(running.pid).children()[0]
    await running.end()
    assert not child.is_running()


async def test_where_the_warden_has_no_handles_left_it_is_told_and_goes_on() -> None:
    """From none for the order itself up to almost enough for the pipes of the keeper."""
    processes = Processes()
    assert (await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code == 0
    warden = warden_of(processes)
    enough, hard = resource.prlimit(warden, resource.RLIMIT_NOFILE)
    refused = 0
    for most in range(4, 20):
        resource.prlimit(warden, resource.RLIMIT_NOFILE, (most, hard))
        try:
            running = await processes.start(Start(("/bin/true",), "/", {}), lambda *_: None)
        except OSError as fault:
            refused += 1
            # Where a number above what is allowed is asked for, the system calls it so.
            assert fault.errno in (errno.EMFILE, errno.EINVAL, errno.ECONNRESET), most
        else:
            # Whoever could begin can also be ended, with as few.
            assert (await running.ended()).code == 0
            await running.end()
            await _stays_and_is_ended(processes)
        resource.prlimit(warden, resource.RLIMIT_NOFILE, (enough, hard))
        assert (await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code == 0
    assert 5 < refused < 16
    assert warden_of(processes) == warden


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() == 0, reason="who may do everything may start everything")
async def test_where_no_process_is_left_it_is_told_and_goes_on() -> None:
    processes = Processes()
    assert (await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code == 0
    warden = warden_of(processes)
    enough, hard = resource.prlimit(warden, resource.RLIMIT_NPROC)
    resource.prlimit(warden, resource.RLIMIT_NPROC, (1, hard))
    with pytest.raises(BlockingIOError, match="a process of its own"):
        await processes.start(Start(("/bin/true",), "/", {}), lambda *_: None)
    resource.prlimit(warden, resource.RLIMIT_NPROC, (enough, hard))

    assert (await processes.run(Start(("/bin/true",), "/", {}), limit(60), 10)).code == 0
    assert warden_of(processes) == warden


async def test_ten_megabytes_on_both_streams_are_complete() -> None:
    pieces: dict[Stream, list[bytes]] = {stream: [] for stream in Stream}
    code = "import os\nfor n in range(5000):\n for h in (1, 2): os.write(h, b'%d %04d ' % (h, n) * 128)"
    running = await Processes().start(
        Start((sys.executable, "-I", "-S", "-c", code), "/", {}), lambda stream, data: pieces[stream].append(data)
    )
    assert (await running.ended()).code == 0
    assert await running.silent(limit(20))
    await running.end()

    for number, stream in enumerate(Stream, start=1):
        assert b"".join(pieces[stream]) == b"".join(b"%d %04d " % (number, n) * 128 for n in range(5_000))


async def test_a_gigabyte_neither_grows_nor_holds_up_the_others() -> None:
    total, at_once = 0, 0

    def printed(_: Stream, data: bytes) -> None:
        nonlocal total
        total += len(data)

    processes = Processes()
    most_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    running = await processes.start(Start(("/usr/bin/head", "-c", "1G", "/dev/zero"), "/", {}), printed)
    ending = asyncio.create_task(running.silent(limit(50)))
    while not ending.done():
        before = total
        await asyncio.sleep(0)
        at_once = max(at_once, total - before)
    await running.end()

    assert ending.result()
    assert total == 1 << 30
    # Between two turns of somebody else no more than one pipe was emptied.
    assert 0 < at_once <= 64 * 1024
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most_before < 10 * 1024

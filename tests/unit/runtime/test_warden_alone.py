"""The program that starts all others stands alone: it is small, and knows nothing of the server."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from assent.runtime import warden
from assent.runtime.processes import Processes, Start
from assent.runtime.warden import bounds, family, kernel
from assent.runtime.warden.words import Order, heard, said, unpacked
from tests.support.processes import is_running
from tests.support.scale import limit, wait_until
from tests.support.stubborn import warden_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is one on Linux only")

LOADED = """
import sys
main = sys.argv[1]
exec(compile(open(main).read(), main, "exec"), {"__name__": "loaded", "__file__": main})
print("\\n".join(sorted(sys.modules)))
"""


def test_it_loads_nothing_of_the_server_and_little_of_the_library() -> None:
    main = Path(warden.__file__).with_name("__main__.py")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED, str(main)], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()

    own = {name for name in loaded if name.startswith("assent")}
    assert own - {"assent", "assent.runtime"} == {name for name in own if name.startswith("assent.runtime.warden")}
    assert not {"asyncio", "subprocess", "threading", "typing", "dataclasses", "pathlib", "re", "json"} & set(loaded)
    assert len(loaded) < 90


def test_it_is_reaped_soon_after_it_was_let_go() -> None:
    processes = Processes()
    asyncio.run(processes.run(Start(("/bin/true",), "/", {}), limit(60), 10))
    pid = warden_of(processes)
    processes.end_all()

    wait_until(lambda: not psutil.pid_exists(pid), within=10, what="the reaping of the warden")


def test_an_order_arrives_as_it_was_given() -> None:
    order = Order((b"/a", b"/b"), (b"a", b"\xff"), {b"A": b"\xfe"}, (3, 7), 1, 2, None, (1, 2, 3, ((b"/", 4),), b"f"))
    arrived = unpacked(order.packed())

    assert [getattr(arrived, name) for name in Order.__slots__] == [getattr(order, name) for name in Order.__slots__]


def test_what_is_said_is_heard() -> None:
    assert heard(said("ended", 256, None)) == ("ended", 256, None)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (1_023, "1023 bytes"),
        (1_024, "1 KB"),
        (1_536, "1.5 KB"),
        (4 << 30, "4 GB"),
        (100 << 20, "100 MB"),
    ],
)
def test_sizes_are_said_as_people_say_them(size: int, words: str) -> None:
    assert bounds.in_words(size) == words


def test_the_family_is_found_without_the_help_of_newer_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some keep no list of children. Then all processes are looked at."""
    with subprocess.Popen(["/bin/bash", "-c", "sleep 1000 & sleep 1000; true"], start_new_session=True) as parent:
        try:
            wait_until(lambda: len(family.children(parent.pid)) == 2, what="two children")
            with_help = sorted(pid for pid, _ in family.descendants(os.getpid()))
            assert family._looked_up(parent.pid) == sorted(family.children(parent.pid))
            monkeypatch.setattr(family, "children", family._looked_up)
            assert sorted(pid for pid, _ in family.descendants(os.getpid())) == with_help
            assert len(family.descendants(parent.pid)) == 2
            assert [pid for pid, _ in family.descendants(os.getpid(), {parent.pid}) if pid in with_help] == [
                pid for pid in with_help if pid != parent.pid and psutil.Process(pid).ppid() != parent.pid
            ]
        finally:
            os.killpg(parent.pid, 9)


STARTS = "import subprocess, sys, time; subprocess.Popen(sys.argv[1:], start_new_session=True); time.sleep(1000)"


def test_whole_groups_are_killed_and_nobody_beside_them() -> None:
    """In the group of the first, in others, stopped for good: all below the one that keeps them."""
    mine = "sleep 1000 & setsid sleep 1001 & sleep 1002 & (kill -STOP $BASHPID) & setsid sleep 1003 & wait"
    command = [sys.executable, "-I", "-S", "-c", STARTS, "/bin/bash", "-c", mine]
    with (
        subprocess.Popen(command, preexec_fn=_takes_orphans) as keeper,
        subprocess.Popen(["/bin/sleep", "1000"]) as beside,
    ):
        try:
            wait_until(lambda: len(family.descendants(keeper.pid)) == 6, what="the first and five children")
            assert family.more_than(5, keeper.pid)
            assert not family.more_than(6, keeper.pid)
            everybody = [pid for pid, _ in family.descendants(keeper.pid)]
            wait_until(lambda: len({os.getpgid(pid) for pid in everybody}) == 3, what="three groups")
            family.kill_all(keeper.pid)
            wait_until(lambda: not any(map(is_running, everybody)), what="the end of all")
            assert (keeper.poll(), beside.poll()) == (None, None)
        finally:
            family.kill_all(keeper.pid)
            keeper.kill()
            beside.kill()


def test_what_is_excepted_is_not_killed_with_the_others() -> None:
    with (
        subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True) as excepted,
        subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True) as other,
    ):
        others = {pid for pid in family.children(os.getpid()) if pid != other.pid}
        family.kill_all(os.getpid(), others)
        assert other.wait() == -9
        assert excepted.poll() is None
        excepted.kill()


def _takes_orphans() -> None:
    kernel.prctl(kernel.TAKE_ORPHANS, 1)


def test_another_process_under_the_same_number_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["/bin/sleep", "1000"]) as process:
        status = family.status(process.pid)
        assert status is not None
        # Where there is no other way, it is told by the number alone, after the same look.
        for by_handle in (True, False):
            monkeypatch.setattr(family, "_BY_HANDLE", by_handle)
            for start, told in ((b"1", False), (status[19], True)):
                assert family.tell((process.pid, start), 0) is told
        assert family.tell((process.pid, b"1"), 9) is False
        assert process.poll() is None
        process.kill()
    assert family.tell((process.pid, status[19]), 9) is False

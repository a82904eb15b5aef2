"""Tests may take a forked process for a cold one: both behave the same, and nothing stays behind."""

import json
import os
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.support.assent_command import run_assent
from tests.support.forked import ASSENT, CAN_FORK, Forked, ForkParent, Spawn, forked, started
from tests.support.processes import environment_with, is_running, python
from tests.support.rpc import RawClient
from tests.support.scale import limit, wait_until
from tests.support.server import Json, Server, call, say

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="nothing is forked here")

COLD = "compared with a fork"
BOTH = pytest.mark.parametrize("cold", ["", COLD], ids=["forked", "cold"])
LOOKS = ("tests.integration.test_forked_servers", "look", {})


def seen_by(spawn: Spawn, argv: list[str], folder: Path) -> Json:
    with spawn(
        argv, environment_with({"SEEN": "in the test", "HOME": str(folder), "TZ": "HERE-5", "PATH": None}), folder
    ) as process:
        out, errors = process.communicate(b"", limit(30))
    assert process.returncode == 3, errors
    assert errors == b"seen\n"
    return json.loads(out)


def look() -> None:
    """Prints what a process finds of itself, and ends."""
    import gc
    import sys
    import threading
    import time

    found = {
        "environment": {name: value for name, value in os.environ.items() if name != "LC_CTYPE"},
        "directory": str(Path.cwd()),
        "home": str(Path.home()),
        "zone": time.tzname,
        "descriptors": sorted(int(one.name) for one in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
        "signals": {
            name: str(signal.getsignal(getattr(signal, name))).partition(" at ")[0]
            for name in ("SIGINT", "SIGTERM", "SIGCHLD", "SIGPIPE")
        },
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "group": os.getpgid(0),
        "umask": os.umask(0o22),
        "collecting": gc.isenabled(),
        "streams": [[one.encoding, one.errors, one.line_buffering] for one in (sys.stdin, sys.stdout, sys.stderr)],
        "warnings": sys.warnoptions,
        "path": [one for one in sys.path if one],
        "flags": str(sys.flags),
    }
    sys.stdout.write(json.dumps(found))
    sys.stderr.write("seen\n")
    sys.exit(3)


def test_a_fork_finds_what_a_cold_start_finds(tmp_path: Path) -> None:
    """Environment, working directory, descriptors, signals, streams and the rest of what a process is born with."""
    module, function, _ = LOOKS
    program = f"import sys; sys.path.pop(0); from {module} import {function}; {function}()"
    assert seen_by(forked(LOOKS), ASSENT, tmp_path) == seen_by(started, python("-c", program), tmp_path)


@BOTH
def test_a_server_serves_and_ends_as_it_should(tmp_path: Path, cold: str) -> None:
    with Server(tmp_path, env={"PLANTED": "here"}, cold=cold) as server:
        server.meet()
        server.script([call("bash", command="pwd; echo $HOME; cat > taken"), say("done")])
        chat = server.chat()
        run = chat.send()
        chat.select(chat.card(), "approve")
        run.result(30)
        assert chat.results()[-1]["output"].splitlines()[-2:] == [str(server.workspace), os.environ["HOME"]]
        assert server.client.shutdown() == 0
    assert [path.name for path in server.workspace.iterdir()] == ["taken"]


@BOTH
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_a_signal_ends_both_with_the_same_code(tmp_path: Path, cold: str, number: signal.Signals) -> None:
    codes = {signal.SIGTERM: 1, signal.SIGINT: 1, signal.SIGKILL: -signal.SIGKILL}
    with Server(tmp_path, cold=cold) as server:
        server.meet()
        server.client.process.send_signal(number)
        assert server.client.wait_exit() == codes[number]


WORDS: dict[str, tuple[tuple[str, ...], bytes]] = {
    "no command": ((), b""),
    "an unknown command": (("no-such-command",), b""),
    "the version": (("--version",), b""),
    "help": (("explain", "--help"), b""),
    "a call explained": (("explain", "write_file", '{"path": "a.txt", "content": ""}'), b""),
    "a tool that is not there": (("explain", "no_such_tool"), b""),
    "what is read from the input": (("explain", "--batch", "-"), b'{"id": 1, "tool": "read_file"}\nnonsense\n'),
    "an empty history": (("history",), b""),
    "settings that are not there": (("acp", "--user-settings", "nowhere.json"), b""),
}


@pytest.mark.parametrize(("words", "given"), WORDS.values(), ids=WORDS)
def test_a_command_says_and_ends_the_same(tmp_path: Path, words: tuple[str, ...], given: bytes) -> None:
    env: dict[str, str | None] = {"ASSENT_STATE_DIR": str(tmp_path / "state"), "COLUMNS": "100"}
    fork, cold = (run_assent(*words, env=env, cwd=tmp_path, given=given, cold=why) for why in ("", COLD))
    assert (fork.returncode, fork.stdout, fork.stderr) == (cold.returncode, cold.stdout, cold.stderr)
    assert fork.args == cold.args and fork.stdout + fork.stderr


def test_more_is_written_and_read_than_a_pipe_holds(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"id": number, "tool": "read_file"}) + "\n" for number in range(5_000))
    done = run_assent(
        *("explain", "--batch", "-"), env={"ASSENT_STATE_DIR": str(tmp_path)}, cwd=tmp_path, given=lines.encode()
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == list(range(5_000))
    assert done.returncode == 0


def test_no_two_forks_draw_the_same_random_numbers(tmp_path: Path) -> None:
    drawn = {_drawn(tmp_path) for _ in range(3)}
    assert len(drawn) == 3


def _drawn(folder: Path) -> bytes:
    with forked(("tests.integration.test_forked_servers", "draw", {}))(ASSENT, environment_with(), folder) as process:
        return process.communicate(b"", limit(30))[0]


def draw() -> None:
    """Prints random numbers, and ends."""
    import random
    import secrets
    import sys
    import uuid

    sys.stdout.write(f"{random.random()} ")
    sys.stdout.flush()
    assert len({random.random(), secrets.token_hex(8), str(uuid.uuid4())}) == 3
    sys.exit(0)


@pytest.mark.parametrize("name", ["PYTHONHASHSEED", "LANG", "LC_ALL", "LD_PRELOAD", "MALLOC_ARENA_MAX"])
def test_what_only_a_cold_start_obeys_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="start it cold"):
        Server(tmp_path, env={name: "other"})


def test_other_programs_are_not_forked(tmp_path: Path) -> None:
    for argv in (python("-c", "0"), ["assent", "serve"], [*python("-I", "-m", "assent"), "serve"]):
        with pytest.raises(ValueError, match="start it cold"):
            forked()(argv, environment_with(), tmp_path)


# Nothing stays behind


def test_the_parent_ends_with_the_one_that_asks_and_so_do_its_forks(tmp_path: Path) -> None:
    parent = ForkParent()
    client = RawClient([*ASSENT, "serve", "--stdio"], env={"ASSENT_STATE_DIR": str(tmp_path)}, spawn=parent.fork)
    client.initialize()
    assert {one.pid for one in psutil.Process(parent.pid).children()} == {client.pid}
    parent.end()
    assert not is_running(parent.pid)
    client.close()
    wait_until(lambda: not is_running(client.pid), what="the end of the fork")


def test_a_test_run_that_is_killed_leaves_neither_parent_nor_fork(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from tests.support.server import Server\n"
        f"server = Server(Path({str(tmp_path)!r})); server.meet()\n"
        "import psutil; print(server.client.pid, psutil.Process(server.client.pid).ppid(), flush=True)\n"
        "time.sleep(3600)"
    )
    run = subprocess.Popen(python("-c", program), env=environment_with(), stdout=subprocess.PIPE)
    try:
        assert run.stdout is not None
        left = [int(word) for word in run.stdout.readline().split()]
        assert len(left) == 2 and all(map(is_running, left))
    finally:
        run.kill()
        run.communicate()
    wait_until(lambda: not any(map(is_running, left)), what="the end of both")


def test_forks_do_not_hold_each_others_pipes(tmp_path: Path) -> None:
    """The end of one's input is heard by that one, while others that were forked later still run."""
    with Server(tmp_path / "first") as first, Server(tmp_path / "second") as second:
        first.meet()
        second.meet()
        first.client.close_stdin()
        first.client.wait_exit()
        assert second.client.process.poll() is None


def test_who_asks_after_the_end_of_the_parent_is_told(tmp_path: Path) -> None:
    parent = ForkParent()
    try:
        os.kill(parent.pid, signal.SIGKILL)
        with pytest.raises((RuntimeError, OSError)):
            parent.fork(ASSENT, environment_with(), tmp_path)
    finally:
        parent.end()


def test_a_fork_has_the_face_of_a_process(tmp_path: Path) -> None:
    process = forked()([*ASSENT, "serve", "--stdio"], environment_with(), tmp_path)
    assert isinstance(process, Forked) and process.args == [*ASSENT, "serve", "--stdio"]
    with process:
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0)
        process.terminate()
        assert process.wait(limit(10)) == process.poll() == process.returncode
    process.kill()

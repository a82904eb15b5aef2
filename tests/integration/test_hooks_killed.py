"""kill -9 of the server while a hook runs: nothing of the hook is left, its call did not run, or does not run again."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.support.crashed import again, results, same
from tests.support.hook_programs import HookPrograms
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, say, write

SLOW = """
import subprocess
# What a hook has started, and what made a session of its own, ends with it.
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10_000)"], start_new_session=True)
open({pids!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(10_000)
"""


@pytest.fixture
def killed(start: Callable[..., Server], tmp_path: Path) -> Callable[[str], tuple[Server, Chat]]:
    """Kills a server while a hook for this event runs, and gives the next one with the chat."""

    def kill_in(event: str) -> tuple[Server, Chat]:
        hooks, pids = HookPrograms(tmp_path), tmp_path / "pids"
        first = again(start, user={"hooks": {event: [hooks.running(SLOW.format(pids=str(pids)), timeoutSeconds=60)]}})
        first.script([say("I write it."), write("a.txt", "once")], [say("done")])
        chat = first.chat(mode="auto")
        chat.send()
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, what="a hook that runs")
        # Nobody but the server: what it had started has to find out by itself.
        os.kill(first.client.process.pid, signal.SIGKILL)
        first.client.wait_exit()
        started = [int(pid) for pid in pids.read_text().split()]
        server = again(start)
        wait_until(lambda: not any(is_alive(pid) for pid in started), what="the end of the hook and its child")
        server.client.wait_for("session/restored", within=20)
        return server, same(server, chat)

    return kill_in


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def only_result(chat: Chat) -> Json:
    (result,) = results(chat)
    return result


def test_before_a_call_it_did_not_run_and_the_chat_says_so(killed: Callable[[str], tuple[Server, Chat]]) -> None:
    server, chat = killed("PreToolUse")
    result = only_result(chat)
    assert not result["success"]
    assert "The server ended before this call ran. It did not run" in result["output"]
    assert server.waiting() == [] and not (server.workspace / "a.txt").exists()


def test_after_a_call_it_has_run_once_and_the_chat_says_so(killed: Callable[[str], tuple[Server, Chat]]) -> None:
    server, chat = killed("PostToolUse")
    result = only_result(chat)
    assert "This call ran to its end" in result["output"] and "not run again" in result["output"]
    assert server.waiting() == [] and (server.workspace / "a.txt").read_text() == "once"

"""Running other programs: quietly with their last words on failure, or with their output passed on."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

from devtools.console import Trouble
from devtools.places import ROOT

Command = Sequence[str | Path]

_FIRST_WORDS = 15
_LAST_WORDS = 40


def environment(**changes: str) -> dict[str, str]:
    """This process's environment without what would disturb the project's own tools, and with `changes`."""
    kept = {key: value for key, value in os.environ.items() if key not in _DISTURBING}
    return {**kept, **changes}


_DISTURBING = frozenset(
    {
        *("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "VSCODE_IPC_HOOK_CLI", "NODE_OPTIONS"),
        "PYTHONDONTWRITEBYTECODE",  # each of hundreds of processes would compile all that it imports
    }
)


def quietly(command: Command, *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    """Runs a program and returns what it printed; a failure shows its last words."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(  # noqa: S603  the words are the project's own
            words,
            cwd=cwd,
            env=dict(env) if env is not None else environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as fault:
        raise Trouble(f"{words[0]} could not be started: {fault}") from fault
    if done.returncode != 0:
        said = _shortened(done.stdout)
        raise Trouble(f"This command failed with exit code {done.returncode}:\n    {' '.join(words)}\n{said}")
    return done.stdout


def _shortened(text: str) -> str:
    """The beginning and the end: some programs say first what went wrong, most say it last."""
    lines = text.splitlines()
    if len(lines) > _FIRST_WORDS + _LAST_WORDS:
        lines = [*lines[:_FIRST_WORDS], "...", *lines[-_LAST_WORDS:]]
    return "\n".join("    " + line for line in lines)


def passing_on(command: Command, *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> tuple[int, list[str]]:
    """Runs a program with its output passed on as it comes; returns its exit code and the lines it printed."""
    words = [str(word) for word in command]
    lines: list[str] = []
    try:
        child = subprocess.Popen(  # noqa: S603
            words,
            cwd=cwd,
            env=dict(env) if env is not None else environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as fault:
        raise Trouble(f"{words[0]} could not be started: {fault}") from fault
    assert child.stdout is not None
    with child:
        for line in child.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip("\n"))
    return child.returncode, lines


def become(command: Command, *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> int:
    """Hands the terminal over to a program that lives until the person ends it.

    Where the system allows it this process turns into that program, so that every signal reaches the right one.
    """
    words = [str(word) for word in command]
    chosen = dict(env) if env is not None else environment()
    if os.name == "posix":
        os.chdir(cwd)
        os.execve(words[0], words, chosen)  # noqa: S606  the words are the project's own
    return subprocess.run(words, cwd=cwd, env=chosen, check=False).returncode  # noqa: S603


class Background:
    """A program in a process group of its own, whose output is kept, so that all of it can be ended and explained."""

    def __init__(self, command: Command, *, cwd: Path, env: Mapping[str, str], log: Path | None = None) -> None:
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
        self.log = log
        self._grown = threading.Condition()
        self._ended = False
        self._lines: list[str] = []
        self._child = subprocess.Popen(  # noqa: S603
            [str(word) for word in command],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, name=f"output of {command[0]}", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def output(self) -> str:
        return "".join(self._lines)

    def lines(self) -> Iterator[str]:
        """What it prints, from the beginning and as it comes, until its end."""
        for number in count():
            with self._grown:
                self._grown.wait_for(lambda: len(self._lines) > number or self._ended)  # noqa: B023  called right here
                if number >= len(self._lines):
                    return
            yield self._lines[number]

    def wait(self) -> int:
        """Its exit code, once it has ended and all of its output is here."""
        self._reader.join()
        return self._child.wait()

    def wait_for(self, text: str, seconds: float) -> None:
        """Returns once the program has printed `text`; its end or the time's end before that is a Trouble."""
        with self._grown:
            self._grown.wait_for(lambda: text in self.output or self._ended, timeout=seconds)
        if text not in self.output:
            state = "ended" if self._ended else f"did not get there in {seconds:.0f} s"
            raise Trouble(f"Waiting for {text!r}: the program {state}. Its last words:\n{self.last_words()}")

    def last_words(self) -> str:
        return "\n".join("    " + line for line in self.output.splitlines()[-_LAST_WORDS:])

    def end(self, patience: float = 10, first: signal.Signals = signal.SIGTERM) -> None:
        """Ends the whole group: politely, then for certain."""
        self._signal(first)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(patience)
        self._signal(signal.SIGKILL)
        self._child.wait()
        self._reader.join(patience)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, number)

    def _read(self) -> None:
        assert self._child.stdout is not None
        with contextlib.ExitStack() as files:
            lines = files.enter_context(self._child.stdout)
            log = files.enter_context(self.log.open("a", encoding="utf-8")) if self.log else None
            for line in lines:
                if log is not None:
                    log.write(line)
                    log.flush()
                with self._grown:
                    self._lines.append(line)
                    self._grown.notify_all()
        with self._grown:
            self._ended = True
            self._grown.notify_all()

"""kill -9 at each step of a roll back, and once more while the next server finishes it.

Every file is the one or the other in whole, at every moment. Once a server has come to its end with it, each is as
before the run, but for what somebody changed in between, which is left; and the chat says so.
"""

import os
import random
import signal
import stat
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.support.rpc import ServerGone
from tests.support.scale import wait_until
from tests.support.server import Chat, write

Json = Any

MARK = "rolling-back.json"
STEPS = ("fchmod", "fsync", "link", "mkdir", "open", "replace", "rename", "rmdir", "unlink", "write")
MOST_STEPS = 400
BROKEN_OFF, DONE = "The server ended in the middle of a roll back", "You rolled a run back"
FILES: dict[str, tuple[bytes | None, bytes]] = {
    "a.txt": (b"before\n" * 3000, b"after\n"),
    "script.sh": (b"echo before\n", b"echo after\n"),
    "new/deep/made.txt": (None, b"made\n"),
    "gone.txt": (b"was there\n", b"after\n"),
    "hand.txt": (b"before\n", b"after\n"),
}
"""What each holds before the run, and what the run makes of it."""
BY_HAND = b"somebody's own\n"


def die_at(moment: int) -> None:
    """In the child that is about to be a server: from the mark of a roll back on, it dies before the step of this
    number."""
    steps = 0
    begun = False

    def told(name: str, path: object) -> None:
        nonlocal steps, begun
        begun = begun or (name == "open" and isinstance(path, (str, os.PathLike)) and MARK in os.fspath(path))
        if begun:
            if steps == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            steps += 1

    def counted(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def step(*arguments: Any, **named: Any) -> Any:
            told(name, arguments[0] if arguments else None)
            return real(*arguments, **named)

        return step

    for name in STEPS:
        setattr(os, name, counted(name))


def roll_backs(folder: Path, seed: int, every: int, *, lanes: int = 3) -> Report:
    """Dies at each so manieth step. There are as many as it takes until a roll back comes to its end unharmed."""
    report = Report("F19 kill -9 in a roll back", 0, figures={"begun": 0, "files back by then": 0, "left": 0})

    def work(report: Report) -> None:
        moments = iter(range(random.Random(seed).randrange(every), MOST_STEPS, every))
        with ThreadPoolExecutor(lanes) as pool:
            over = False
            while not over:
                some = list(islice(moments, lanes))
                cases = [_Case(folder / f"rolling-{moment}", moment, seed + moment) for moment in some]
                for case, survived in zip(cases, pool.map(_Case.tried, cases), strict=True):
                    report.size += 1
                    over = over or survived
                    report.violations += [f"step {case.moment}: {one}" for one in case.faults]
                    for name, count in case.figures.items():
                        report.figures[name] += count
                if not some:
                    report.violations.append(f"a roll back did not come to its end in {MOST_STEPS} steps")
                    return

    return timed(work, report)


class _Case:
    """One roll back that is killed at one moment."""

    def __init__(self, folder: Path, moment: int, seed: int) -> None:
        self.place = Place(folder)
        self.moment = moment
        self.faults: list[str] = []
        self.figures = {"begun": 0, "files back by then": 0, "left": 0}
        self._numbers = random.Random(seed)

    def tried(self) -> bool:
        """Whether it came to its end before the moment came."""
        life = self._life(die_at=self.moment)
        chat = self._run(life)
        survived = self._roll_back(chat)
        life.kill()
        begun = self._is_marked()
        # Between the end of the mark and the answer it is over, and nobody has heard of it.
        over = survived or (not begun and self._is("a.txt", FILES["a.txt"][0]))
        self.figures["begun"] += begun
        self.figures["files back by then"] += sum(self._is(name, before) for name, (before, _) in FILES.items())
        self._check_whole(begun or over)
        edited = begun and self._numbers.random() < 0.5 and self._is("hand.txt", FILES["hand.txt"][1])
        if edited:
            self._path("hand.txt").write_bytes(BY_HAND)
            self.figures["left"] += 1
        if begun and self._numbers.random() < 0.5:
            self._die_again()
        self._finish(chat, begun=begun, edited=edited, over=over)
        return survived

    def _life(self, die_at: int | None = None) -> Life:
        before = None if die_at is None else ("tests.faults.roll_backs", "die_at", {"moment": die_at})
        return self.place.life(before=before)

    def _run(self, life: Life) -> Chat:
        for name, (before, _) in FILES.items():
            if before is not None:
                self._path(name).write_bytes(before)
        self._path("script.sh").chmod(0o750)
        life.plays([write(name, made.decode()) for name, (_, made) in FILES.items()])
        chat = life.chat(agent=life.agent, mode="auto")
        chat.run()
        self._path("gone.txt").unlink()
        return chat

    def _roll_back(self, chat: Chat) -> bool:
        (run,) = chat.client.request("checkpoint/list", {"sessionId": chat.id})["checkpoints"]
        reference = {"sessionId": chat.id, "runId": run["runId"]}
        found = chat.client.request("checkpoint/diff", reference)
        also = [one["path"] for one in found["files"] if one["state"] == "changed_since"]
        with suppress(ServerGone):
            done = chat.client.request(
                "checkpoint/restore", {**reference, "digest": found["digest"], "alsoChanged": also}
            )
            if len(done["restored"]) != len(FILES) or "error" in done:
                self.faults.append(f"it did not do all that was agreed to: {done}")
            return True
        return False

    def _die_again(self) -> None:
        life = self._life(die_at=self._numbers.randrange(60))
        # It may have come to its end before.
        with suppress(ServerGone, AssertionError):
            wait_until(lambda: life.client.process.poll() is not None or not self._is_marked(), what="an end of it")
        life.kill()
        self._check_whole(begun=True)

    def _finish(self, chat: Chat, *, begun: bool, edited: bool, over: bool) -> None:
        life = self._life()
        life.client.wait_for("session/restored", within=20)
        wait_until(lambda: not self._is_marked(), what="the end of the roll back")
        events = life.client.request("session/load", {"sessionId": chat.id})["events"]
        told = [one["data"]["text"] for one in events if one["event"] == "Notification"]
        life.end()
        if not begun and not over:
            if told:
                self.faults.append(f"nothing was begun, and something is told: {told}")
            self._check({name: made for name, (_, made) in FILES.items() if name != "gone.txt"})
            return
        if not any(BROKEN_OFF in one or DONE in one for one in told):
            self.faults.append(f"the chat says nothing of it: {told}")
        self._check({name: BY_HAND if edited and name == "hand.txt" else now for name, (now, _) in FILES.items()})
        if edited and not any("hand.txt (It changed after you agreed" in one for one in told):
            self.faults.append(f"it is not told that a file was left: {told}")
        if self._path("new").exists():
            self.faults.append("a folder of the run is still there")
        if stat.S_IMODE(self._path("script.sh").stat().st_mode) != 0o750:
            self.faults.append("a file is not what it was in who may run it")

    def _check_whole(self, begun: bool) -> None:
        for name, sides in FILES.items():
            allowed: Iterable[bytes | None] = [*sides, None, BY_HAND] if name in ("gone.txt", "hand.txt") else sides
            now = self._content(name)
            if now not in allowed:
                self.faults.append(f"{name} is neither the one nor the other")
            if not begun and now == sides[0]:
                self.faults.append(f"{name} was rolled back before that was written down")

    def _check(self, expected: dict[str, bytes | None]) -> None:
        wrong = [name for name, content in expected.items() if self._content(name) != content]
        self.faults += [f"{name} is not what it should be in the end" for name in wrong]

    def _is(self, name: str, content: bytes | None) -> bool:
        return self._content(name) == content

    def _content(self, name: str) -> bytes | None:
        path = self._path(name)
        return path.read_bytes() if path.exists() else None

    def _path(self, name: str) -> Path:
        return self.place.workspace / name

    def _is_marked(self) -> bool:
        return any((self.place.state / "checkpoints").glob(f"*/{MARK}"))

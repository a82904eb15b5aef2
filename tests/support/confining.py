"""A workspace, a home and what lies around them, and commands that run in there confined for real."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from assent.runtime.processes import Processes, Start
from assent.sandbox.bubblewrap import find
from assent.sandbox.bubblewrap_means import bubblewrap
from assent.sandbox.confined import Confined
from assent.sandbox.landlock_means import landlock
from assent.sandbox.looking import Looking
from assent.sandbox.means import Means
from assent.sandbox.placeholders import Placeholders
from assent.sandbox.sandbox import prepare
from assent.sandbox.taken_out import Appeared
from assent.sandbox.words import Tier, Unheld, Wanted
from tests.support.scale import limit

BOTH = (Tier.BUBBLEWRAP, Tier.LANDLOCK)


@dataclass(frozen=True)
class Ran:
    """How a confined command ended."""

    code: int | None
    output: str
    errors: str
    told: Appeared

    @property
    def appeared(self) -> tuple[str, ...]:
        """Protected things that were made, whatever became of them."""
        return self.told.all


PYTHON = os.path.realpath(sys.executable)
"""The one of the system: an environment of its own may lie where a command cannot look."""


def what_bubblewrap_says() -> bytes | None:
    """What the program of this machine says that it can do."""
    program = find()
    return None if program is None else subprocess.run([program, "--help"], capture_output=True, check=False).stdout


class Room:
    """Folders of one test. They lie where commands can see them: not below /tmp, which each has to itself."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root, self.home, self.scratch = base / "workspace", base / "home", base / "scratch"
        self.state, self.outside = base / "state", base / "outside"
        for folder in (self.root, self.home, self.scratch, self.state, self.outside):
            folder.mkdir(exist_ok=True)
        self._means: dict[Tier, Means] = {}
        self.editor = self.home / "editor-settings.json"
        self.places = Placeholders(str(self.state / "placeholders"))
        self.looking = Looking(str(self.home), (str(self.state),), (str(self.editor),), self.places)

    def file(self, name: str, text: str = "as it was\n") -> Path:
        """A file in the workspace."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def wanted(self, *, network: bool = False) -> Wanted:
        return Wanted((str(self.root),), (), str(self.scratch), str(self.root), network)

    def confine(self, tier: Tier, *, network: bool = False, guard: bool = False) -> Confined | Unheld:
        wanted = self.wanted(network=network)
        return prepare(self.means(tier), self.looking, wanted, str(self.state), everything=guard)

    def means(self, tier: Tier) -> Means:
        if tier not in self._means:
            empty = self.state / "empty"
            empty.touch()
            means = bubblewrap(str(empty), what_bubblewrap_says()) if tier is Tier.BUBBLEWRAP else landlock("")
            if isinstance(means, str):
                pytest.skip(means)
            self._means[tier] = means
        return self._means[tier]

    def readers(self, tier: Tier) -> Means:
        """The same, where it can hold a command to reading."""
        means = self.means(tier)
        if not means.holds_readers:
            pytest.skip(f"{tier.label} of this kernel holds no command to reading")
        return means

    def start(self, text: str, **environment: str) -> Start:
        """A command for the shell, before anything is put around it."""
        given = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.scratch), **environment}
        return Start(("/bin/bash", "--noprofile", "--norc", "-c", text), str(self.root), given)

    def run(
        self, text: str, tier: Tier, *, network: bool = False, guard: bool = False, take: bool = True, **env: str
    ) -> Ran:
        """Runs a command confined, to its end."""

        async def run() -> Ran:
            confined = await asyncio.to_thread(self.confine, tier, network=network, guard=guard)
            assert not isinstance(confined, Unheld), confined.why
            processes = Processes()
            try:
                with confined.applied(self.start(text, **env)) as start:
                    ended = await processes.run(start, limit(60), 100_000)
            finally:
                appeared = await confined.after(take=take)
                processes.end_all()
            return Ran(ended.code, ended.output.text(), ended.errors.text(), appeared)

        return asyncio.run(run())


@contextmanager
def room() -> Iterator[Room]:
    """Folders that are gone afterwards."""
    above = Path.home() / ".cache"
    above.mkdir(exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="assent-sandbox-", dir=above)).resolve()
    try:
        yield Room(base)
    finally:
        shutil.rmtree(base, ignore_errors=True)

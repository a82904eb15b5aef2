"""Runs `assent explain` in a workspace of a test and reads what it says."""

import json
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.assent_command import run_assent

_OUTCOMES = {"It would run": "run", "It would ask": "ask", "It would be blocked": "block", "It would fail": "error"}


Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True, slots=True)
class Said:
    """What it printed about one call."""

    text: str

    def json(self) -> Any:
        return json.loads(self.text)

    def outcome(self) -> str:
        second = self.text.splitlines()[1]
        return next(word for words, word in _OUTCOMES.items() if second.startswith(words))

    def part(self, title: str) -> str:
        """What stands below a title, up to the next empty line."""
        return self.text.split(f"\n{title}\n", 1)[1].split("\n\n", 1)[0]

    def rungs(self) -> dict[int, tuple[str, str]]:
        """By level, what was looked for and what was found."""
        ladder = self.text.split("What was looked at", 1)[1]
        found = re.findall(r"^[> ] +(\d+)  (.+)\n((?: {7}.+\n)+)", ladder, re.MULTILINE)
        return {int(level): (question, " ".join(answer.split())) for level, question, answer in found}

    def decided(self) -> int:
        """The level that decided."""
        (level,) = re.findall(r"^> +(\d+)  ", self.text, re.MULTILINE)
        return int(level)


class Explaining:
    """A workspace, and a state directory that is not made."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place / "workspace"
        self.folder.mkdir()
        self.state = place / "state"

    def settings(self, values: Any) -> None:
        """What the workspace's own file says, all on one line."""
        file = self.folder / ".vscode" / "settings.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(values if isinstance(values, str) else json.dumps(values))

    def user_settings(self, text: str) -> Path:
        """A file of the user's settings."""
        file = self.place / "user-settings.json"
        file.write_text(text)
        return file

    def run(
        self, *arguments: str, folder: Path | None = None, given: bytes = b""
    ) -> "subprocess.CompletedProcess[str]":
        """Runs the command."""
        return run_assent(
            *("explain", *arguments, "--folder", str(folder or self.folder)),
            env={"ASSENT_STATE_DIR": str(self.state)},
            cwd=self.place,
            given=given,
        )

    def asks(self, tool: str, args: Any, *options: str) -> Said:
        """What it says about a call."""
        done = self.run(tool, json.dumps(args), *options)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return Said(done.stdout)

    def batch(self, lines: Iterable[Any]) -> list[Any]:
        """The answers to these lines: bytes as they are, anything else as JSON."""
        given = b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in lines)
        done = self.run("--batch", "-", given=given)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def everything(self) -> dict[str, bytes]:
        """Every file below, with its content."""
        files = (path for path in self.place.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files}

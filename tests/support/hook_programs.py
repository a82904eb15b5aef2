"""Programs that hooks start in tests: each writes down what it read, and answers as it is told to.

hooks = HookPrograms(tmp_path)
server.meet(user={"hooks": {"PreToolUse": [hooks.answering({"decision": "deny"}, matcher="bash")]}})
...
assert hooks.told()[0]["tool_name"] == "bash"
"""

import json
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.support.scale import wait_until

Json = Any

_BEGINNING = """
import json, os, sys, time
told = json.load(sys.stdin)
told["hook"], told["pid"], told["env"], told["at"] = {name!r}, os.getpid(), dict(os.environ), os.getcwd()
with open({record!r}, "a") as record:
    record.write(json.dumps(told) + "\\n")
    record.flush()
"""


class HookPrograms:
    """Programs outside of every workspace, unless another folder is named."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "hooks"
        self._folder.mkdir(exist_ok=True)
        self._record = self._folder / "record.jsonl"
        self._made = 0

    def program(self, code: str, *, folder: Path | None = None) -> Path:
        """A program that first writes down what it was told, and then does this."""
        self._made += 1
        name = f"hook{self._made}.py"
        path = (folder or self._folder) / name
        path.write_text(_BEGINNING.format(name=name, record=str(self._record)) + dedent(code))
        return path

    def running(self, code: str, **members: Json) -> Json:
        """The entry of a hook that runs such a program."""
        return {"command": self.line(self.program(code)), **members}

    def answering(self, answer: Json, **members: Json) -> Json:
        """The entry of a hook that always gives this answer."""
        return self.running(f"print({json.dumps(answer)!r})", **members)

    def silent(self, **members: Json) -> Json:
        """One that says nothing."""
        return self.running("", **members)

    def line(self, path: Path | str) -> str:
        """A command line that starts this program."""
        return f"{sys.executable} -I {path}"

    def told(self, hook: str | None = None) -> list[Json]:
        """What programs were told so far, in the order in which they began."""
        lines = self._record.read_text().splitlines() if self._record.exists() else []
        found = []
        for line in lines:
            # The last one may not be there as a whole.
            with suppress(ValueError):
                found.append(json.loads(line))
        return [one for one in found if hook is None or one["hook"] == hook]

    def wait_told(self, count: int = 1) -> list[Json]:
        """The same, when it is so much."""
        wait_until(lambda: len(self.told()) >= count, what=f"{count} hooks that began")
        return self.told()

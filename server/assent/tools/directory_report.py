"""How bash tells in which folder a command has ended: beside its text, which runs as it was shown.

Bash reads what BASH_ENV names before it runs a command. There it is told to write its folder into a pipe when it ends.
What else writes into that pipe could name any folder: so the report counts only for a command that goes somewhere by
its own words, and only where it names a folder of the workspace.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from assent.lazy_dataclasses import dataclass
from assent.tools.handles import release

_SCRIPT, _REPORT = 20, 21
"""The numbers of both pipes in the shell."""
_TEXT = (
    "unset BASH_ENV; "
    f"trap 'trap \"\" PIPE; {{ builtin pwd -P >&{_REPORT}; }} 2>/dev/null || :' EXIT; "
    f"exec {_SCRIPT}<&-\n"
)
_MOST = 64 * 1024
_GOES = re.compile(r"\b(?:cd|pushd|popd)\b")


@dataclass(slots=True)
class Report:
    """What a started shell needs for it, and where its report is read."""

    files: tuple[tuple[int, int], ...]
    environment: dict[str, str]
    _pipe: int

    def read(self) -> str | None:
        """The folder in which the shell has ended; None where it did not say. To be read once it has ended."""
        with suppress(OSError):
            os.set_blocking(self._pipe, False)
            lines = os.read(self._pipe, _MOST).decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
            return lines[-1] if lines[-1].startswith("/") else None
        return None


def goes_elsewhere(text: str) -> bool:
    """Whether a command goes to another folder, or may do so."""
    return _GOES.search(text) is not None


@contextmanager
def reporting(text: str, shell: str) -> Iterator[Report | None]:
    """While a command runs whose last folder is wanted; None where it stays where it is, or its shell cannot tell."""
    if shell != "bash" or not goes_elsewhere(text) or not hasattr(os, "set_blocking"):
        yield None
        return
    read, write = os.pipe()
    script, source = os.pipe()
    try:
        os.write(source, _TEXT.encode())
        os.close(source)
        yield Report(((_SCRIPT, script), (_REPORT, write)), {"BASH_ENV": f"/dev/fd/{_SCRIPT}"}, read)
    finally:
        for handle in (read, write, script):
            release(handle)

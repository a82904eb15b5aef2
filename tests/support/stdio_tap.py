"""`stdio_tap.py LOG COMMAND [ARGUMENT ...]`: runs a program, and notes when which line passes through its pipes.

Each line of LOG is `[seconds of the monotonic clock, "in" or "out", the line]`: `in` is what the program is told, and
`out` what it says. It is noted before it is passed on when it goes in, and as soon as it has come when it goes out, so
that the time between two notes holds nothing of the program itself.
"""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO


class Log:
    """Where the notes go. Two threads write."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115  open for as long as this runs
        self._turn = threading.Lock()

    def note(self, when: float, way: str, line: bytes) -> None:
        with self._turn:
            self._file.write(json.dumps([when, way, line.decode("utf-8", "replace")]) + "\n")
            self._file.flush()


def passed_on(source: IO[bytes], target: IO[bytes], way: str, log: Log) -> None:
    """Every line from here to there, until one of them is closed."""
    try:
        for line in source:
            # The note is written after the line: writing it is not to be part of what is measured.
            when = time.monotonic()
            target.write(line)
            target.flush()
            log.note(when, way, line)
        target.close()
    except OSError:
        return


def main(path: str, command: list[str]) -> int:
    log = Log(path)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None and program.stdout is not None
        inward = threading.Thread(target=passed_on, args=(sys.stdin.buffer, program.stdin, "in", log), daemon=True)
        inward.start()
        passed_on(program.stdout, sys.stdout.buffer, "out", log)
        return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

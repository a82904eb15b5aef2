"""An agent that plays a script, for tests and for trying out: a program of its own, with the standard library only."""

import sys
from os.path import abspath, dirname, join


def command(script: str, record: str | None = None) -> tuple[str, ...]:
    """The words that start it, in any folder: nothing that lies there is taken for a part of it."""
    program = join(dirname(abspath(__file__)), "__main__.py")  # noqa: PTH100, PTH118, PTH120 - pathlib takes long to load
    return (sys.executable, "-I", "-S", program, script, *(("--record", record) if record is not None else ()))

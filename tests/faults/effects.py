"""Calls that leave exactly one mark each where they run, and the marks that were left."""

from collections import Counter
from pathlib import Path

from tests.support.server import Step, call

FILE = "effects.txt"
FREE = "free"
"""What the mark of a call begins with that settings allow without a click."""
FREE_RULES = {"write_file": [f"{FREE}*"]}


def mark_by_command(mark: str) -> Step:
    """A shell command that appends the mark to the effects file."""
    return call("bash", command=f"printf '{mark}\\n' >> {FILE}")


def mark_by_file(mark: str) -> Step:
    """A file that is named after the mark."""
    return call("write_file", path=f"{mark}.mark", content="there")


def marks_in(workspace: Path) -> Counter[str]:
    """How often each mark was left."""
    file = workspace / FILE
    marks = Counter(file.read_text().split()) if file.exists() else Counter()
    return marks + Counter(one.stem for one in workspace.glob("*.mark"))

"""The history as Assent itself shows it, against what stands in its file: export, and the check of the chain."""

import json
import subprocess
from pathlib import Path

from assent.model.errors import AssentError
from assent.store.export import export
from assent.store.reading import NoHistory, reading
from assent.store.verify import verify
from tests.faults.written import Line
from tests.support.assent_command import run_assent


def contradictions(state: Path, lines: list[Line]) -> list[str]:
    """What Assent says otherwise of this history than its file does."""
    try:
        found = verify(state)
    except NoHistory:
        return [] if not lines else ["there is a history, and Assent finds none"]
    except AssentError as fault:
        return [f"Assent cannot check its history: {fault}"]
    faults = [] if found.intact else [f"Assent's own check finds: {found.problem}"]
    if found.entries != len(lines):
        faults.append(f"Assent's own check counts {found.entries} entries of {len(lines)}")
    return faults + _differences(_exported(state), lines, "the export")


def contradictions_of_commands(state: Path, lines: list[Line]) -> list[str]:
    """The same with the commands that a person would use."""
    checked, exported = _command(state, "verify", "--json"), _command(state, "export")
    faults = []
    if checked.returncode != 0 or json.loads(checked.stdout)["entries"] != len(lines):
        faults.append(f"`history verify` says {checked.stdout.strip()} {checked.stderr.strip()}")
    return faults + _differences(exported.stdout, lines, "`history export`")


def _exported(state: Path) -> str:
    pieces = []
    after, done = None, False
    with reading(state) as connection:
        while not done:
            piece = export(connection, after, None)
            pieces.append(piece.text)
            after, done = piece.last, piece.done
    return "".join(pieces)


def _differences(text: str, lines: list[Line], name: str) -> list[str]:
    shown = [json.loads(line) for line in text.splitlines()]
    expected = [{"n": line.n, "hash": line.hash, "entry": line.fields} for line in lines]
    if shown == expected:
        return []
    return [f"{name} has {len(shown)} entries, which are not the {len(expected)} of the file"]


def _command(state: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return run_assent("history", *words, env={"ASSENT_STATE_DIR": str(state)}, cwd=state)

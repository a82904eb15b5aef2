"""Several processes with one history, one that is killed while it writes, and a disk that is full."""

import json
import os
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from assent.store.verify import verify
from tests.support.history_entries import decided, kept, rows
from tests.support.processes import ROOT, python
from tests.support.scale import ALL, limit

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
KILLS = int(os.environ.get("ASSENT_HISTORY_KILLS", "12" if ALL else "6"))
SEED = int(os.environ.get("ASSENT_TEST_SEED", "1"))


def writing(folder: Path, name: str, many: int, padding: int = 1, *, together: bool = False) -> "subprocess.Popen[str]":
    """A process that writes so many pairs of entries; with others `together`, it says when it is ready, and waits."""
    words = ("together",) if together else ()
    command = python("-m", "tests.support.history_writer", str(folder), name, str(many), str(padding), *words)
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=ENVIRONMENT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def calls(folder: Path) -> list[str]:
    """The calls of all entries in their order."""
    return [json.loads(str(body)).get("call_id", "") for _, _, body in rows(folder)]


def test_two_windows_write_one_chain(tmp_path: Path) -> None:
    many = 200
    writers = [writing(tmp_path, name, many, together=True) for name in ("left", "right", "third")]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        said, faults = writer.communicate(timeout=limit(120))
        assert writer.returncode == 0 and said.count("\n") == many and "!" not in said, faults
    found = verify(tmp_path)
    assert found.intact and found.entries == 6 * many
    written = calls(tmp_path)
    for name in ("left", "right", "third"):
        own = [call for call in written if call.startswith(name)]
        assert own == [f"{name}-{number // 2}" for number in range(2 * many)], "each in its own order, none lost"
    # The entries of one write stay together, also between those of others.
    assert written[::2] == written[1::2]
    turns = sum(one.split("-")[0] != other.split("-")[0] for one, other in pairwise(written))
    assert turns > 2, "they wrote at once"


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    dice = random.Random(SEED)
    acknowledged: set[str] = set()
    for number in range(KILLS):
        writer = writing(tmp_path, f"life{number}", 100_000, padding=50)
        assert writer.stdout is not None
        lines = [writer.stdout.readline().strip() for _ in range(dice.randrange(1, 30))]
        writer.kill()
        rest, faults = writer.communicate(timeout=limit(30))
        lines += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        acknowledged |= {line.strip() for line in lines if line.strip()}
        assert acknowledged, faults
        found = verify(tmp_path)
        assert found.intact, found.problem
    written = calls(tmp_path)
    assert acknowledged <= set(written)
    assert not any(call.startswith("!") for call in acknowledged)
    # Both entries of a write or none.
    assert written[::2] == written[1::2]
    assert len(acknowledged) >= KILLS


def _in_a_namespace(folder: Path, size: str, script: str) -> "subprocess.CompletedProcess[str]":
    """Runs a shell script as the root of a namespace of its own, with a small disk on the folder."""
    setup = f'mount -t tmpfs -o size={size},mode=700 none "$1" && shift && {script}'
    return subprocess.run(
        ["unshare", "-Urm", "sh", "-ec", setup, "sh", str(folder), sys.executable],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=limit(120),
        check=False,
    )


def _has_namespaces() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _has_namespaces(), reason="this machine allows no namespaces of one's own")
def test_a_full_disk_is_said_and_everything_before_it_is_kept(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    # Once with a small disk; then what was in the way is taken away, and it goes on.
    script = f"""
        dd if=/dev/zero of={disk}/in-the-way bs=1024 count=300 2>/dev/null
        "$1" -m tests.support.history_writer {disk}/state before 60 400
        echo -- full
        rm {disk}/in-the-way
        "$1" -m tests.support.history_writer {disk}/state after 3 1
        echo -- found
        "$1" -c "from assent.store.verify import verify; from pathlib import Path; f = verify(Path('{disk}/state')); \\
            print(f.intact, f.entries, f.problem)"
    """
    done = _in_a_namespace(disk, "1m", script)
    assert done.returncode == 0, done.stdout + done.stderr
    before, rest = done.stdout.split("-- full\n")
    after, found = rest.split("-- found\n")
    taken = [line for line in before.splitlines() if not line.startswith("!")]
    refused = [line for line in before.splitlines() if line.startswith("!")]
    assert taken and refused
    assert all("The disk is full (" in line and "Nothing ran. Free some space" in line for line in refused), refused
    assert after.split() == ["after-0", "after-1", "after-2"]
    assert found.split()[:2] == ["True", str(2 * (len(taken) + 3))], found


def test_a_limit_of_file_size_is_said_and_everything_before_it_is_kept(tmp_path: Path) -> None:
    kept(tmp_path, [decided("first")])
    program = (
        "import resource, signal, sys, runpy; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY)); "
        f"sys.argv = ['x', {str(tmp_path)!r}, 'limited', '60', '400']; "
        "runpy.run_module('tests.support.history_writer', run_name='__main__')"
    )
    done = subprocess.run(
        python("-c", program), cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=limit(60), check=False
    )
    taken = [line for line in done.stdout.splitlines() if not line.startswith("!")]
    refused = [line for line in done.stdout.splitlines() if line.startswith("!")]
    assert taken and refused, done.stdout + done.stderr
    assert all("Nothing ran" in line for line in refused)
    assert set(taken) | {"first"} == set(calls(tmp_path))
    assert verify(tmp_path).intact
    kept(tmp_path, [decided("after")])
    assert verify(tmp_path).intact

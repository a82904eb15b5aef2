"""The process that serves, as it is once its app is there."""

import os
import subprocess
from pathlib import Path

from tests.support.processes import ROOT, python

LOOKS = """
import gc
from assent.cli.host import build_app
from assent.runtime.known_secrets import KnownSecrets

app = build_app(KnownSecrets())
print(gc.isenabled(), len(gc.get_objects()) < gc.get_freeze_count() / 10)
"""


def test_a_search_for_garbage_leaves_out_what_was_loaded(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "server"), "ASSENT_STATE_DIR": str(tmp_path / "state")}

    done = subprocess.run(python("-c", LOOKS), env=env, cwd=tmp_path, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "True"]

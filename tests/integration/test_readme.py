"""What the README shows works as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.scale import limit

ROOT = Path(__file__).parents[2]


def test_the_script_of_the_protocol_section_drives_an_approval(tmp_path: Path) -> None:
    (script,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert sum(bool(line.strip()) for line in script.splitlines()) <= 20

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "ASSENT_STATE_DIR": str(tmp_path / "state"), "PYTHONPATH": str(ROOT / "server")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=limit(60),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["Write greeting.txt (+1 −0)", "stop hello"]

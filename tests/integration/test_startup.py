"""The way to the first answer is short: what is heavy loads later."""

import json
import subprocess
import sys
from importlib.util import find_spec

from tests.support.processes import ROOT
from tests.support.scale import limit

HEAVY = {
    "pydantic",
    "pydantic_core",
    "httpx2",
    "httpcore2",
    "websockets",
    "mcp",
    "sqlite3",
    "http",
    "xml",
    "charset_normalizer",
}
OURS = {"assent.app.app", "assent.masking"}

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from assent.cli.main import main
from assent.cli.serve import serve
import assent.lsp.stdio
print(json.dumps(sorted(sys.modules)))
"""


def test_nothing_heavy_is_imported_before_the_first_message() -> None:
    """Everything that `serve` has imported when it begins to read."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ROOT / "server")], capture_output=True, check=True, timeout=limit(60)
    )
    modules = json.loads(done.stdout)
    loaded = {name.partition(".")[0] for name in modules}
    assert {"assent", "pygls", "lsprotocol"} <= loaded
    # What does not exist is never imported: to look for it would prove nothing.
    assert all(find_spec(name) for name in HEAVY | OURS)
    assert loaded & HEAVY == set()
    assert OURS.isdisjoint(modules)

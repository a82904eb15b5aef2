"""The way to the first answer is short: what is heavy loads later."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

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


A_CHAT_IS_SHOWN = """
import asyncio, json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from assent.app.app import App
from assent.app.scopes import Scopes
from assent.lazy_dataclasses import _written
from assent.model.ids import ViewId
from assent.runtime.clock import SystemClock

def loaded():
    written = {cls.__name__ for cls in _written}
    return ["httpx2" in sys.modules, "RunDone" in written]

async def main():
    app = App(SystemClock(), Path(sys.argv[2]), ())
    agents = {"Remote": {"provider": "ollama", "model": "m", "baseUrl": "http://127.0.0.1:9"}}
    app.trust.settings_changed(Scopes(user={"agents": agents}, workspace={}, folder={}))
    app.settings_changed()
    chat = app.open_chat("Remote", None)
    before = loaded()
    app.shown(chat.session_id, ViewId("v"), object())
    while loaded() != [True, True]:
        await asyncio.sleep(0)
    print(json.dumps([before, loaded()]))
    await app.shut_down()

asyncio.run(main())
"""


def test_what_the_first_message_needs_is_loaded_when_a_chat_is_shown(tmp_path: Path) -> None:
    command = [sys.executable, "-c", A_CHAT_IS_SHOWN, str(ROOT / "server"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=limit(60))
    assert json.loads(done.stdout) == [[False, False], [True, True]]


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

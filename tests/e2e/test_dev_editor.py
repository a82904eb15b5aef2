"""`dev.py editor`: the editor in the browser, with the extension in it, until it is interrupted."""

import json
import re
import signal
import sys
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

from devtools import workbench
from devtools.places import CACHE, ROOT
from devtools.processes import Background, environment
from tests.e2e.vscode import EXTENSION_ID
from tests.support.processes import descendants
from tests.support.scale import limit, wait_until


def test_it_prints_an_address_of_the_editor_and_leaves_nothing_behind(vsix: Path, tmp_path: Path) -> None:
    newest = workbench.RELEASES["newest"]
    workbench.ensure(newest)
    command = [sys.executable, ROOT / "dev.py", "editor", "--folder", tmp_path, "--no-open"]
    running = Background(command, cwd=tmp_path, env=environment())
    try:
        running.wait_for("End it with Ctrl+C", limit(120))
        (address,) = re.findall(r"http://127\.0\.0\.1:\S+", running.output)
        assert address.endswith(f"folder={tmp_path}")
        # The token of the address becomes a cookie.
        with build_opener(HTTPCookieProcessor()).open(address, timeout=limit(30)) as page:
            assert b"workbench.js" in page.read()
        extensions = CACHE / "editor" / newest.vscode / "extensions" / "extensions.json"
        installed = {one["identifier"]["id"]: one["version"] for one in json.loads(extensions.read_text())}
        assert vsix.name == f"assent-{installed[EXTENSION_ID]}-linux-x64.vsix"
        started = descendants(running.pid)
        assert started
    finally:
        running.end(limit(30), signal.SIGINT)
    assert "Ending VS Code." in running.output
    wait_until(lambda: not any(one.is_running() for one in started), within=30, what="the end of the editor")

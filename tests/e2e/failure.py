"""What is kept of a failed test: a picture of every window, what was printed, and every log."""

import re
import shutil
from pathlib import Path

from devtools.places import TEST_RESULTS
from tests.e2e.browser import Window
from tests.e2e.vscode import VsCode

_LAST_WORDS = 25


async def keep(test: str, windows: list[Window], editors: list[VsCode]) -> str:
    """Saves it under test-results, and returns the last words for the report."""
    folder = TEST_RESULTS / re.sub(r"[^\w.-]+", "-", test)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    last = [f"kept in {folder.relative_to(TEST_RESULTS.parent)}"]
    for number, window in enumerate(windows):
        await window.page.screenshot(path=folder / f"window-{number}.png")
        (folder / f"console-{number}.txt").write_text("\n".join(window.console), encoding="utf-8")
    for number, editor in enumerate(editors):
        last += _keep_logs(folder / f"editor-{number}", editor)
    return "\n".join(last)


def _keep_logs(folder: Path, editor: VsCode) -> list[str]:
    last: list[str] = []
    for name, text in editor.logs().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        if "assent" in name.lower() and text.strip():
            last += [f"--- the end of {name}", *text.splitlines()[-_LAST_WORDS:]]
    return last

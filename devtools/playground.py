"""The page in a plain browser, with the server behind it."""

from pathlib import Path

from devtools import client, python_packages
from devtools.places import CACHE, PLAYGROUND_PAGE, VENV_PYTHON
from devtools.processes import become

_SAMPLES = {
    "README.md": "# A folder to play in\n\nAsk the demo agent to read this file, or to write another one.\n",
    "notes.txt": "milk\nbread\na present for Ada\n",
}


def run(folder: Path | None, port: int | None, open_browser: bool) -> int:
    python_packages.ensure()
    client.build()
    return become(command(folder or scratch_folder(), port, open_browser))


def command(folder: Path, port: int | None, open_browser: bool) -> list[str]:
    words = [str(VENV_PYTHON), "-m", "assent", "playground", "--folder", str(folder), "--page", str(PLAYGROUND_PAGE)]
    if port is not None:
        words += ["--port", str(port)]
    if not open_browser:
        words.append("--no-open")
    return words


def scratch_folder() -> Path:
    """A folder of its own with something to read, so that a first try touches nothing that matters."""
    folder = CACHE / "playground" / "playground-workspace"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _SAMPLES.items():
        if not (folder / name).exists():
            (folder / name).write_text(text, encoding="utf-8")
    return folder

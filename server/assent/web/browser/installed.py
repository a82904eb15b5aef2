"""Browsers that are installed on the machine, outside of everything that is open in the editor."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from assent.lazy_dataclasses import dataclass

PROGRAM = "ASSENT_BROWSER"
"""The variable that names the program, where it is none of the usual ones."""
WITHOUT_SANDBOX = "ASSENT_BROWSER_NO_SANDBOX"
"""The variable with which the user says that the browser's own sandbox cannot be had on this machine."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
)


@dataclass(frozen=True, slots=True)
class Installed:
    """A browser, and how it has to be started here."""

    program: str
    sandbox: bool = True


def find_browser(environment: Mapping[str, str], roots: tuple[str, ...]) -> Installed | None:
    """The first that is there. One inside an open folder is never taken: a repository could have put it there."""
    real_roots = [os.path.realpath(root) for root in roots]
    for place in _candidates(environment):
        real = os.path.realpath(place)
        inside = any(os.path.commonpath([real, root]) == root for root in real_roots if _comparable(real, root))
        if not inside and Path(real).is_file() and os.access(real, os.X_OK):
            return Installed(place, environment.get(WITHOUT_SANDBOX) != "1")
    return None


def _candidates(environment: Mapping[str, str]) -> Iterator[str]:
    named = environment.get(PROGRAM)
    if named:
        yield from [named] if Path(named).is_absolute() else []
        return
    for folder in environment.get("PATH", "").split(os.pathsep):
        if Path(folder).is_absolute():
            yield from (str(Path(folder) / name) for name in _NAMES)
    yield from _PLACES


def _comparable(one: str, other: str) -> bool:
    return Path(one).drive == Path(other).drive

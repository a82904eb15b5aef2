"""Which shell runs commands, and with what environment: neither is ever taken from the workspace."""
# ruff: noqa: PTH118 - names as the system spells them

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from assent.model.errors import ToolFault
from assent.tools.places import locate
from assent.tools.resolve import resolve

PLACES = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin")
"""Where systems keep bash, in the order in which it is looked for."""
OPTIONS = ("--noprofile", "--norc", "-c", "--")
_PASSED = frozenset({"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "SHELL", "TZ", "TMPDIR"})
_NO_EDITOR = "sh -c 'echo \"There is no editor here: give the text as an option, as in git commit -m.\" >&2; exit 1'"
_SET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    # Nobody is there to turn a page, to answer a question or to close an editor.
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "EDITOR": _NO_EDITOR,
    "VISUAL": _NO_EDITOR,
    "GIT_EDITOR": _NO_EDITOR,
    "GIT_SEQUENCE_EDITOR": _NO_EDITOR,
    "DEBIAN_FRONTEND": "noninteractive",
}
_USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Shell:
    """The program that runs commands, and all of the environment that they get."""

    path: str
    environment: Mapping[str, str]


def find_shell(roots: tuple[str, ...], given: Mapping[str, str]) -> Shell | ToolFault:
    """The shell of this system, or why there is none. `given` is the environment of this process."""
    path = next(filter(_is_program, (os.path.join(folder, "bash") for folder in PLACES)), None)
    if path is None:
        listed = ", ".join(PLACES)
        return ToolFault("no_shell", f"There is no bash in {listed}, so no command can be run. Please install bash.")
    if locate(path, roots).inside:
        return ToolFault("no_shell", f"{path} lies in the workspace, so it is not used to run commands.")
    return Shell(path, environment_for(roots, given))


def environment_for(roots: tuple[str, ...], given: Mapping[str, str]) -> dict[str, str]:
    """What a command sees of this process's environment: what is listed here, and no secret."""
    passed = {name: value for name, value in given.items() if name in _PASSED or name.startswith("LC_")}
    return {**passed, **_SET, "PATH": _path(roots, given.get("PATH", ""))}


def _path(roots: tuple[str, ...], given: str) -> str:
    """Without folders of the workspace, whose programs could stand in for any other, and without relative ones."""
    folders = [folder for folder in given.split(os.pathsep) if folder.startswith("/") and not _inside(folder, roots)]
    return os.pathsep.join(folders) or _USUAL_PATH


def _inside(folder: str, roots: tuple[str, ...]) -> bool:
    place = locate(folder, roots)
    # Its name may be what lies in the workspace, though it leads elsewhere now.
    return place.inside or any(place.named == root or place.named.startswith(root.rstrip("/") + "/") for root in roots)


def _is_program(path: str) -> bool:
    mode = resolve(path).mode
    return mode is not None and stat.S_ISREG(mode) and os.access(path, os.X_OK)

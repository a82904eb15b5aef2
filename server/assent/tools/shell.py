"""Which shell runs commands, and with what environment: neither is ever taken from the workspace."""
# ruff: noqa: PTH117, PTH118, PTH119 - names as the system spells them

import ntpath
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import field, replace

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools.command_environment import Given
from assent.tools.places import locate
from assent.tools.python_environment import PythonEnvironment
from assent.tools.resolve import resolve

PLATFORM: str = sys.platform
PLACES = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin")
"""Where systems keep bash, in the order in which it is looked for."""
OPTIONS = ("--noprofile", "--norc", "-c", "--")
SHELLS: Mapping[str, tuple[str, ...]] = {
    "bash": OPTIONS,
    "sh": ("-c", "--"),
    "dash": ("-c", "--"),
    "ksh": ("-c", "--"),
    "zsh": ("-f", "-c", "--"),
    "fish": ("--no-config", "-c"),
    "pwsh": ("-NoProfile", "-NonInteractive", "-Command"),
    "powershell": ("-NoProfile", "-NonInteractive", "-Command"),
    "cmd": ("/d", "/c"),
}
"""The shells that can be asked for, with the options after which the text of a command stands."""
_PASSED = frozenset({"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "SHELL", "TZ", "TMPDIR"})
_PASSED_ON_WINDOWS = frozenset(
    {"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA"}
    | {"PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS"}
)
_NO_EDITOR = "sh -c 'echo \"There is no editor here: give the text as an option, as in git commit -m.\" >&2; exit 1'"
_SET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    # Nobody is there to turn a page, to answer a question or to close an editor.
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    # What is not there is not fetched by a look at it.
    "GIT_NO_LAZY_FETCH": "1",
    "EDITOR": _NO_EDITOR,
    "VISUAL": _NO_EDITOR,
    "GIT_EDITOR": _NO_EDITOR,
    "GIT_SEQUENCE_EDITOR": _NO_EDITOR,
    "DEBIAN_FRONTEND": "noninteractive",
}
_ONLY_TO_READ = {
    # npm makes folders where a file of the workspace says, writes logs of each look, and asks for a newer npm.
    "npm_config_cache": os.devnull,
    "npm_config_logs_max": "0",
    "npm_config_timing": "false",
    "npm_config_update_notifier": "false",
    # Go fetches another one of itself where a file of the workspace wants it.
    "GOTOOLCHAIN": "local",
}
"""What keeps programs to what they are asked for."""
_USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Shell:
    """The program that runs commands, and all of the environment that they get."""

    path: str
    environment: Mapping[str, str]
    name: str = "bash"
    """Which shell it is."""
    clean: Mapping[str, str] = field(default_factory=dict)
    """The environment of what nobody agreed to: only what every command needs."""
    withheld: tuple[str, ...] = ()
    """Names of what the user's environment has and commands do not get."""

    def argv(self, text: str) -> tuple[str, ...]:
        """What is started to run this text."""
        return (self.path, *SHELLS[self.name], text)

    def with_scratch(self, scratch: str) -> "Shell":
        """The same, whose programs find their temporary folder here."""
        names = ("TMP", "TEMP") if PLATFORM == "win32" else ("TMPDIR",)
        own = dict.fromkeys(names, scratch)
        return replace(self, environment={**self.environment, **own}, clean={**self.clean, **own})

    def with_python(self, python: PythonEnvironment | None) -> "Shell":
        """The same, for which `python` is this one's. What nobody agreed to has the system's."""
        return self if python is None else replace(self, environment=python.added_to(self.environment))


def find_shell(
    roots: tuple[str, ...], given: Mapping[str, str], wanted: str | None = None, chosen: Given | None = None
) -> Shell | ToolFault:
    """The shell that is wanted, else that of this system; or why there is none.

    `given` is our environment, `chosen` what of it commands get; without it, only what every command needs.
    """
    name = kind_of(wanted) if wanted is not None else ("powershell" if PLATFORM == "win32" else "bash")
    if name is None:
        known = ", ".join(SHELLS)
        return ToolFault("no_shell", f"{wanted} is none of the shells that are known here: {known}.")
    if wanted is not None and os.path.isabs(wanted):
        path = wanted if _is_program(wanted) else None
        listed = wanted
    else:
        path, listed = _found(name, given), ", ".join(_places(name, given))
    if path is None:
        return ToolFault(
            "no_shell", f"There is no {name} in {listed}, so no command can be run. Please install {name}."
        )
    if locate(path, roots).inside:
        return ToolFault("no_shell", f"{path} lies in the workspace, so it is not used to run commands.")
    clean = environment_for(roots, given)
    if chosen is None:
        return Shell(path, clean, name, {**clean, **_ONLY_TO_READ})
    clean = {name: value for name, value in clean.items() if name in (*_SET, "PATH") or name not in chosen.unwanted}
    withheld = tuple(one for one in (*chosen.secret, *chosen.redirecting, *chosen.unwanted) if one not in clean)
    return Shell(path, {**chosen.passed, **clean}, name, {**clean, **_ONLY_TO_READ}, withheld)


def kind_of(wanted: str) -> str | None:
    """Which of the known shells a name or a path means; None where it is none."""
    name = ntpath.basename(wanted) if PLATFORM == "win32" else os.path.basename(wanted)
    if PLATFORM == "win32":
        name = name.lower().removesuffix(".exe")
    return name if name in SHELLS and (name == wanted or os.path.isabs(wanted)) else None


def _found(name: str, given: Mapping[str, str]) -> str | None:
    file = f"{name}.exe" if PLATFORM == "win32" else name
    return next(filter(_is_program, (os.path.join(folder, file) for folder in _places(name, given))), None)


def _places(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    if PLATFORM != "win32":
        return PLACES
    system = os.path.join(given.get("SYSTEMROOT", r"C:\Windows"), "System32")
    programs = given.get("PROGRAMFILES", r"C:\Program Files")
    own = {"powershell": (os.path.join(system, "WindowsPowerShell", "v1.0"),), "cmd": (system,)}
    further = {"pwsh": (os.path.join(programs, "PowerShell", "7"),), "bash": (os.path.join(programs, "Git", "bin"),)}
    return own.get(name) or further.get(name) or (system,)


def environment_for(roots: tuple[str, ...], given: Mapping[str, str]) -> dict[str, str]:
    """What a command sees of this process's environment: what is listed here, and no secret."""
    listed = _PASSED | _PASSED_ON_WINDOWS if PLATFORM == "win32" else _PASSED
    passed = {name: value for name, value in given.items() if name in listed or name.startswith("LC_")}
    return {**passed, **_SET, "PATH": _path(roots, given.get("PATH", ""))}


def _path(roots: tuple[str, ...], given: str) -> str:
    """Without folders of the workspace, whose programs could stand in for any other, and without relative ones."""
    folders = [folder for folder in given.split(os.pathsep) if os.path.isabs(folder) and not _inside(folder, roots)]
    return os.pathsep.join(folders) or _USUAL_PATH


def _inside(folder: str, roots: tuple[str, ...]) -> bool:
    place = locate(folder, roots)
    # Its name may be what lies in the workspace, though it leads elsewhere now.
    return place.inside or any(place.named == root or place.named.startswith(root.rstrip("/") + "/") for root in roots)


def _is_program(path: str) -> bool:
    mode = resolve(path).mode
    return mode is not None and stat.S_ISREG(mode) and os.access(path, os.X_OK)


def is_usable(path: str, roots: tuple[str, ...]) -> bool:
    """Whether this is a program that does not lie in the workspace, by name or by where it leads."""
    return _is_program(path) and not _inside(path, roots)

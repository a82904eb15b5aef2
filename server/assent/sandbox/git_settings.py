"""Files of a workspace that a repository's settings let git run or read settings from: they act as those do."""
# ruff: noqa: PTH110, PTH118, PTH123 - names as the system spells them

import os
import re
from collections.abc import Iterator

_KEYS = re.compile(
    r"^\s*(?:hookspath|fsmonitor|path|sshcommand|program|textconv|command|driver|clean|smudge|process|pager|editor"
    r"|attributesfile|helper|templatedir|askpass)\s*=\s*(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS = re.compile(r"[^\s\"';|&()<>=]+")
_MOST = 262_144


def has_settings_of_worktrees(git: str) -> bool:
    """Whether git reads one file of settings more in this folder than elsewhere."""
    return "worktreeconfig" in _read(os.path.join(git, "config")).lower()


def named_by(git: str) -> Iterator[str]:
    """Existing paths that the settings of this folder of git's name, as absolute paths."""
    for name in ("config", "config.worktree"):
        for value in _KEYS.findall(_read(os.path.join(git, name))):
            yield from _paths(value, git)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_MOST)
    except OSError:
        return ""


def _paths(value: str, git: str) -> Iterator[str]:
    for word in _WORDS.findall(value):
        for base in (os.path.dirname(git), git):  # noqa: PTH120
            path = os.path.normpath(os.path.join(base, os.path.expanduser(word)))  # noqa: PTH111
            if os.path.exists(path):
                yield os.path.realpath(path)

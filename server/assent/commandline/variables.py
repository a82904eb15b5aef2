"""Which variables can be set without a program becoming another one.

A variable that is set for a program is harmful unless its name is known to be harmless, because each program has its
own. One that is merely assigned in the shell is harmless unless its name is known to matter: it reaches a program only
where the environment has it already.
"""

import re

from assent.commandline.variable_names import HARMLESS, HARMLESS_WITH, LOADS_CODE, MATTERS
from assent.model.commands import Argument

_LOADS = "which can make it load other code"
_NOT_KNOWN = "which is not known to be harmless"
NAMES_GIT_SETTINGS = re.compile(r"GIT_.*|HOME|XDG_CONFIG_HOME")
"""Git takes settings from there, or from where they say."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def harm(name: str, value: Argument) -> str:
    """Why this assignment for a program matters, as the end of a sentence; empty where it does not."""
    if LOADS_CODE.fullmatch(name) and not _harmless_value(name, value):
        return _LOADS
    return "" if HARMLESS.fullmatch(name) or _harmless_value(name, value) else _NOT_KNOWN


def assignment_harm(name: str, value: Argument) -> str:
    """Why setting this variable for the shell alone matters, as the end of a sentence; empty where it does not."""
    if not _NAME.fullmatch(name):
        return _NOT_KNOWN
    why = harm(name, value)
    return why if why == _LOADS or MATTERS.fullmatch(name) else ""


def _harmless_value(name: str, value: Argument) -> bool:
    """Whether a name that is harmless with some values has one of them."""
    if not value.exact:
        return False
    return any(names.fullmatch(name) and values.fullmatch(value.text) for names, values in HARMLESS_WITH)

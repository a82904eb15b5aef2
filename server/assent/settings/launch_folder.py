"""The folder in which the program of an agent is started, for those who start it and those who look what it is."""

import os
from contextlib import suppress
from pathlib import Path

from assent.model.json import JsonObject

_OWN_HOME = tuple(f"~{separator}" for separator in {"/", os.sep})


def launch_folder(definition: JsonObject, start: Path, home: Path) -> Path:
    """Where this definition's program works; a relative folder begins at `start`.

    Never raises: what is no folder comes out as one that is not there, and says so when something is started in it.
    """
    cwd = definition.get("cwd")
    return start / from_home(cwd, home) if isinstance(cwd, str) and cwd else start


def from_home(text: str, home: Path) -> str:
    """The path with the home directory in the place of its `~`; `~name` stays where nobody has that name."""
    if text == "~" or text.startswith(_OWN_HOME):
        return f"{home}{text[1:]}"
    if text.startswith("~"):
        # No name of a user holds a NUL character or half of one.
        with suppress(ValueError):
            return os.path.expanduser(text)  # noqa: PTH111 - that of pathlib raises where there is no such user
    return text

"""Finding what a server started, also after its end: by a mark in the environment and by the working directory."""

import os
from contextlib import suppress
from pathlib import Path

NAME = "LC_ASSENT_FAULTS"
"""Passed on to commands like any other LC_ variable, and it means nothing to them."""


def bearers(value: str, workspace: Path) -> list[str]:
    """The processes that have this cookie or work below this folder, in words."""
    cookie = f"{NAME}={value}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(process.name) == os.getpid() or _is_zombie(process):
                continue
            inside = Path(process.joinpath("cwd").readlink()).is_relative_to(workspace)
            if inside or cookie in process.joinpath("environ").read_bytes().split(b"\0"):
                words = process.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found.append(f"process {process.name} ({words.strip()})")
    return found


def _is_zombie(process: Path) -> bool:
    return process.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z"

"""The programs that are known, by name. A module a subject; each entry says why it says what it says."""

from functools import cache
from importlib import import_module

from assent.commandline.catalogue.schema import Program

_SUBJECTS = (
    "builtins",
    "looking",
    "files",
    "text",
    "search",
    "system",
    "git",
    "packages",
    "builds",
    "checks",
    "checks_script",
    "linters",
    "interpreters",
    "wrappers",
    "network",
    "containers",
)
"""Each has a tuple PROGRAMS."""


@cache
def _index() -> dict[str, Program]:
    index: dict[str, Program] = {}
    for subject in _SUBJECTS:
        module = import_module(f"{__name__}.{subject}")
        for program in module.PROGRAMS:
            for name in program.names:
                if name in index:
                    raise ValueError(f"{name} is listed twice")
                index[name] = program
    return index


def program_named(name: str) -> Program | None:
    """What is known of the program that a bare name means."""
    return _index().get(name)


def all_programs() -> tuple[Program, ...]:
    """Every entry once, for tests and tables."""
    return tuple({id(program): program for program in _index().values()}.values())

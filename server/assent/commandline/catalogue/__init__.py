"""The programs that are known, by name. A module a subject; each entry says why it says what it says."""

from functools import cache
from importlib import import_module

from assent.commandline.schema import Program

_SUBJECTS = (
    "builtins",
    "looking",
    "files",
    "text",
    "languages",
    "archives",
    "search",
    "system",
    "git",
    "packages",
    "packages_python",
    "packages_projects",
    "packages_system",
    "builds",
    "builds_rust",
    "builds_go",
    "compilers",
    "builds_managed",
    "checks",
    "checks_script",
    "tests_script",
    "linters",
    "interpreters",
    "wrappers",
    "network",
    "transfers",
    "databases",
    "clouds",
    "sockets",
    "containers",
    "editors",
    "compose",
    "clusters",
    "infrastructure",
    "forges",
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


_UNIX_ONLY = ("builtins", "looking", "files", "text", "languages", "search", "system", "wrappers", "network")
"""Under Windows' own shells, many of these names mean other programs."""


@cache
def _unix_names() -> frozenset[str]:
    programs = (one for subject in _UNIX_ONLY for one in import_module(f"{__name__}.{subject}").PROGRAMS)
    return frozenset(name for program in programs for name in program.names)


def means_the_same_everywhere(name: str) -> bool:
    """Whether a name that is known means the same program under every shell."""
    return name in _index() and name not in _unix_names()

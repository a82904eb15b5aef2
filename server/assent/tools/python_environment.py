"""Which virtual environment `python` and `pytest` mean in a project, and where its programs stand among the others."""
# ruff: noqa: PTH111, PTH112, PTH113, PTH115, PTH116, PTH117, PTH118, PTH119, PTH120, PTH208 - names as the system spells them

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.model.limits import Interpreter

_PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
_MARK = "pyvenv.cfg"
USUAL = (".venv", "venv", "env")
"""How people call the folder of it in their project."""
# What is Python's own, or comes with what is installed for it: of these a project has its own beside the system's.
_OF_PYTHON = re.compile(
    r"(?:python|pip|pydoc|idle|2to3|easy_install|wheel|virtualenv|f2py|ipython|pybabel|pyrsa|rst2|sphinx|jupyter|jlpm"
    r"|coverage|pyright|basedpyright|cython|activate)[\w.-]*"
    r"|pytest|py\.test|ruff|d?mypyc?|stub(?:gen|test)|blackd?|isort(?:-identify-imports)?|flake8|py(?:flakes|codestyle|lint"
    r"|reverse|build|project-build|gmentize|semver|upgrade|compile)|autopep8|autoflake|bandit|tox|nox|pre-commit"
    r"|identify-cli|nodeenv|poetry|pdm|hatch|hatchling|uvx?|twine|keyring|doit|invoke|inv|fab|django-admin|flask|uvicorn"
    r"|gunicorn|hypercorn|celery|alembic|dotenv|fastapi|httpx|mkdocs|markdown-it|markdown_py|normalizer|tqdm|distro"
    r"|jsonschema|tabulate|numba|hypothesis|cffi-gen-src|lint-imports|import-linter|pip-audit|cyclonedx-py|vulture"
    # Builders that packages bring along. They run what the project says, whichever they are.
    r"|c(?:make|test|pack)|ninja|meson|scons",
    re.ASCII,
)
_INTERPRETER = re.compile(r"python\d+\.\d+t?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """A virtual environment."""

    folder: str
    path: str = ""
    """The PATH that commands have without it."""
    stand_in: str = ""
    """One of its programs that would stand in for one of the system which is not Python's; empty where none would."""

    @property
    def comes_first(self) -> bool:
        """Whether its programs stand before those of the system, else all of them stand behind."""
        return not self.stand_in

    @property
    def entry(self) -> str:
        """The script that would enter it, where its programs come first in any case."""
        return os.path.join(self.programs, "activate") if self.comes_first else ""

    @property
    def installation(self) -> tuple[str, ...]:
        """Folders of the Python that it was made with, without which it does not start. Looks at the disk."""
        interpreter = os.path.join(self.programs, "python")
        found = installation_of(os.path.realpath(interpreter))
        if not found:
            return ()
        with suppress(OSError):
            # The link may lead there by another name, which the interpreter goes by.
            named = os.path.dirname(os.path.join(self.programs, os.readlink(interpreter)))
            found = (named, os.path.join(os.path.dirname(named), "lib"), *found)
        return tuple(folder for folder in dict.fromkeys(found) if os.path.isdir(folder))

    def program(self, name: str) -> str | None:
        """The file that this bare name stands for, where it is one of this environment. Looks at the disk."""
        own = os.path.join(self.programs, name)
        if not os.path.lexists(own):
            return None
        others = () if self.comes_first else filter(None, self.path.split(os.pathsep))
        return None if any(os.access(os.path.join(folder, name), os.X_OK) for folder in others) else own

    @property
    def programs(self) -> str:
        """The folder of its programs."""
        return os.path.join(self.folder, _PROGRAMS)

    def added_to(self, environment: Mapping[str, str]) -> dict[str, str]:
        """An environment of commands, with this one entered as its own script would do it."""
        both = (self.programs, self.path) if self.comes_first else (self.path, self.programs)
        return {**environment, "VIRTUAL_ENV": self.folder, "PATH": os.pathsep.join(filter(None, both))}


def python_environment(
    directory: str, roots: tuple[str, ...], environment: Mapping[str, str], interpreter: Interpreter | None = None
) -> PythonEnvironment | None:
    """That of a project, if it has one: the interpreter's which the settings name, the one that lies beside what is
    worked on, or the one that was entered before the editor was started. Looks at the disk."""
    entered, path = environment.get("VIRTUAL_ENV"), environment.get("PATH", "")
    for folder in (*_named(interpreter, roots), *_beside(directory, roots), *([entered] if entered else ())):
        if _is_one(folder):
            return PythonEnvironment(folder, path, _stands_in(os.path.join(folder, _PROGRAMS), path))
    return None


def environment_with(program: str) -> str:
    """The folder of the environment whose program has this name; empty where it is of none. Looks at the disk."""
    programs = os.path.dirname(program)
    folder = os.path.dirname(programs)
    return folder if os.path.basename(programs) == _PROGRAMS and _is_one(folder) else ""


def installation_of(interpreter: str) -> tuple[str, ...]:
    """The folders of programs and of modules of an installed Python, if this real path is its interpreter: it is as
    much a program of the machine as those where the system keeps its own. Looks at the disk."""
    folder, name = os.path.split(interpreter)
    modules = os.path.join(os.path.dirname(folder), "lib")
    is_one = os.path.basename(folder) == "bin" and _INTERPRETER.fullmatch(name) is not None
    return (folder, modules) if is_one and os.path.isfile(os.path.join(modules, name, "os.py")) else ()


def _named(interpreter: Interpreter | None, roots: tuple[str, ...]) -> Iterator[str]:
    if interpreter is None:
        return
    for root in roots[:1]:
        path = os.path.expanduser(interpreter.path.replace("${workspaceFolder}", root))
        # A name without a folder is looked for on the PATH, as ever.
        if "/" in path or os.sep in path:
            folder = os.path.dirname(os.path.dirname(os.path.normpath(os.path.join(root, path))))
            # A repository must not choose among the programs that lie elsewhere on this machine.
            if interpreter.users or _lies_in(folder, roots):
                yield folder


def _lies_in(folder: str, roots: tuple[str, ...]) -> bool:
    return any(folder == root or folder.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _beside(directory: str, roots: tuple[str, ...]) -> Iterator[str]:
    """In the folder itself, then in those above it, as far as they are of the workspace."""
    folder = directory
    while _lies_in(folder, roots):
        yield from (os.path.join(folder, name) for name in USUAL)
        if folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)


def _is_one(folder: str) -> bool:
    return os.path.isabs(folder) and os.path.isfile(os.path.join(folder, _MARK))


def _stands_in(programs: str, path: str) -> str:
    """A program in this folder that, put first, would stand in for one that is not Python's. What lies in the
    workspace was perhaps written by an agent."""
    own = {name for name in _names(programs) if not _OF_PYTHON.fullmatch(name.removesuffix(".exe"))}
    both = set().union(*(own & _names(folder) for folder in path.split(os.pathsep) if folder))
    return min((name for name in both if os.access(os.path.join(programs, name), os.X_OK)), default="")


def _names(folder: str) -> frozenset[str]:
    try:
        return _listed(folder, os.stat(folder).st_mtime_ns)
    except OSError:
        return frozenset()


@lru_cache(maxsize=64)
def _listed(folder: str, _changed: int) -> frozenset[str]:
    return frozenset(os.listdir(folder))

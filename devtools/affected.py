"""Which test files a change can affect, by what imports what and by what starts or reads what.

A test file is affected by every module that it imports, by itself or through others, by the `conftest.py` of the
folders it lies in, by a program that it starts with `-m` and all that this one may load, and by a file of another kind
that a test among these names. What nobody can tell of (a lock, this project's own settings) affects all.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from devtools.console import Trouble
from devtools.places import CLIENT, ROOT, SERVER, TESTS

_CODE = (SERVER, TESTS, ROOT / "devtools")
_AFFECTS_ALL = frozenset({"pyproject.toml", "requirements-dev.txt", "tests/conftest.py", "tests/support/scale.py"})
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]+))", re.MULTILINE
)
_STARTED = re.compile(r"""["']-m["'],\s*["']([\w.]+)["']""")
_NAMED = re.compile(r"""["']((?:assent|codegen|tests|devtools)(?:\.\w+)+)["']""")
_DRIVES_THE_EXTENSION = TESTS / "e2e"


def changed_since(revision: str) -> set[Path]:
    """What differs from a revision, with what git does not know yet."""
    listed = [
        *_git("diff", "--name-only", "--relative", revision, "--"),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]
    return {ROOT / name for name in listed}


def pytest_files(changed: Iterable[Path]) -> list[Path]:
    """The test files of pytest that a change of these files can affect, those that name a changed module first."""
    changed = set(changed)
    tests = sorted(file for file in _modules().values() if _is_test(file))
    if any(file.relative_to(ROOT).as_posix() in _AFFECTS_ALL for file in changed):
        return tests
    others = {file for file in changed if file.suffix != ".py"}
    in_extension = any(file.is_relative_to(CLIENT) or file.is_relative_to(SERVER / "assent") for file in changed)
    affected = []
    for test in tests:
        reached = _reached(test)
        driven = in_extension and test.is_relative_to(_DRIVES_THE_EXTENSION)
        if driven or reached & changed or _names_one(reached, others):
            affected.append(test)
    return sorted(affected, key=lambda test: (not _uses(test) & changed, test))


def vitest_files(changed: Iterable[Path]) -> list[Path]:
    """What vitest is asked to find the related tests of."""
    return sorted(file for file in changed if file.is_relative_to(CLIENT) and file.exists())


def _git(*words: str) -> list[str]:
    done = subprocess.run(  # noqa: S603  the words are the project's own, and a revision that its user types
        ["git", "-C", ROOT, *words],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Trouble(f"git could not say what has changed: {done.stderr.strip()}")
    return done.stdout.splitlines()


def _is_test(file: Path) -> bool:
    return file.is_relative_to(TESTS) and (file.name.startswith("test_") or file.name.endswith("_test.py"))


@cache
def _modules() -> dict[str, Path]:
    """Every module of the project's Python code by its name."""
    found = {}
    for folder in _CODE:
        base = SERVER if folder == SERVER else ROOT
        for file in folder.rglob("*.py"):
            parts = file.relative_to(base).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


@cache
def _uses(file: Path) -> frozenset[Path]:
    """The files that this one imports, starts, loads by a name that it makes up, or finds beside it, and itself."""
    modules = _modules()
    text = _text(file)
    found = {file, *(folder / "conftest.py" for folder in file.parents if folder.is_relative_to(TESTS))}
    for name in _names(text):
        words = name.split(".")
        packages = (".".join(words[:end]) for end in range(1, len(words) + 1))
        found |= {modules[package] for package in packages if package in modules}
    if file.is_relative_to(SERVER):
        started = [main.parent for main in file.parent.glob("*/__main__.py")]
        loaded = [file.parent] if "import_module" in text or file.name == "__main__.py" else []
        found |= {each for folder in (*started, *loaded) for each in folder.rglob("*.py")}
    return frozenset(found & set(modules.values()))


def _names(text: str) -> Iterator[str]:
    """Names of modules, and of what is in them."""
    for package, what, plain in _IMPORT.findall(text):
        for word in re.split(r"[(),\s]+", what or plain):
            if word:
                yield f"{package}.{word}" if package else word
    for program in _STARTED.findall(text):
        yield f"{program}.__main__"
    yield from _NAMED.findall(text)


@cache
def _reached(file: Path) -> frozenset[Path]:
    """All that it uses, directly or through others."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _uses(one)
    return frozenset(found)


def _names_one(reached: frozenset[Path], others: Iterable[Path]) -> bool:
    """Whether any of the tests' own files among them names one of these, or the folder it lies in."""
    words = {word for other in others for word in (other.name, *_own_folder(other))}
    return any(word in _text(file) for file in reached if file.is_relative_to(TESTS) for word in words)


def _own_folder(file: Path) -> list[str]:
    inside = file.relative_to(ROOT).parts
    return [inside[1]] if inside[:1] == (TESTS.name,) and len(inside) > 2 else []

"""Which files the words of a definition may name. No look at the disk: only what could be there."""

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePath

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.launch_folder import from_home, launch_folder

_MOST_FOLDERS = 16
_MOST_DEPTH = 4
_LONGEST = 64 * 1024
# Parts of a command line in which a file can be named: `--require=./x.js`, `sh -c "./run.sh; true"`.
_WORDS = re.compile(r"[^\s\"'=,:;|&()<>`]+")
_QUOTING = re.compile(r"[\"'\\]")
_ENTERED = re.compile(r"(?:^|[\s;&|(])(?:cd|pushd)\s+(?:--\s+)?(\"[^\"]*\"|'[^']*'|[^\s;&|()]+)")
_MODULE = re.compile(r"(?:^|\s)-m\s*([^\W\d]\w*(?:\.\w+)*)(?!\S)")
_AT_HOME = re.compile(r"\$HOME(?=[/\\])|\$\{HOME\}(?=[/\\])")
_HERE = re.compile(r"(?:\$PWD|\$\{PWD\})[/\\]+")
_ON_WINDOWS = (".exe", ".com", ".cmd", ".bat")

BEGINNINGS = frozenset(
    {"__main__.py", "__init__.py", "package.json", "index.js", "index.cjs", "index.mjs", "index.ts", "main.go"}
)
"""Files by which a folder is a program: `python pkg`, `node ./agent`, `go run ./cmd`."""


@dataclass(frozen=True, slots=True)
class NamedPath:
    """Where a word of a definition would name a file, spelled as far as that is known without a look."""

    asked: str
    spelled: str
    name: str
    """From the folder on. Another one for any other way: only a look tells where `link/..` leads."""
    is_start: bool
    """Programs of the definition begin to work in it: as a folder it is no program."""


def paths_of(
    definition: JsonObject, words: Iterable[str], folders: tuple[Path, ...], home: Path
) -> Iterator[NamedPath]:
    """Every path that the words may mean to a program that is started in one of the folders; each once."""
    starts = _starts(definition, folders, home)
    spelled_starts = {_spelled(start) for start in starts}
    seen: set[str] = set()
    for name in (name for word in words for name in (word, *_meant(word, home))):
        for start in starts:
            path = os.path.join(start, name)  # noqa: PTH118
            # Another drive is not below the folder, and some words are no path at all.
            with suppress(OSError, ValueError):
                if path not in seen and not names_a_share(path):
                    seen.add(path)
                    spelled = _spelled(path)
                    yield NamedPath(path, spelled, _name(path, folders[0]), spelled in spelled_starts)


def words_of(definition: JsonObject) -> Iterator[str]:
    """Every text of a definition, and every part of one, that could be the name of a file; each once."""
    seen: set[str] = set()
    for name in _all_words(definition):
        if name not in seen and name.strip("."):
            seen.add(name)
            yield name


def says_too_much(definition: JsonObject) -> bool:
    """Whether its words are too long to be read, or its programs go to more folders than can be looked through."""
    texts = tuple(_texts(definition))
    if sum(map(len, texts)) > _LONGEST:
        return True
    return sum(len(_ENTERED.findall(text)) for text in texts) > _MOST_FOLDERS


def names_a_share(path: str) -> bool:
    """Only to look at it would call another machine."""
    return sys.platform == "win32" and Path(path).drive.startswith("\\\\")


def _starts(definition: JsonObject, folders: tuple[Path, ...], home: Path) -> tuple[str, ...]:
    """Where the programs of the definition work: each folder, the one that it says, and those that it goes to."""
    starts = list(
        dict.fromkeys(str(one) for folder in folders for one in (folder, launch_folder(definition, folder, home)))
    )
    for text in _texts(definition):
        here = ""
        for told in _ENTERED.findall(text):
            entered = next(iter(_meant(told.strip("\"'"), home)), told.strip("\"'"))
            here = os.path.join(here, entered)  # noqa: PTH118
            starts += [os.path.join(start, one) for start in tuple(starts[:4]) for one in (entered, here)]  # noqa: PTH118
    return tuple(dict.fromkeys(starts))


def _name(path: str, folder: Path) -> str:
    tidy = PurePath(path)
    return str(tidy.relative_to(folder)) if tidy.is_relative_to(folder) else str(tidy)


def _spelled(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100


def _meant(word: str, home: Path) -> Iterator[str]:
    """What a shell would make of it."""
    for text in (from_home(word, home), _AT_HOME.sub(lambda _: str(home), word), _HERE.sub("", word)):
        if text != word:
            yield text


def _all_words(definition: JsonObject) -> Iterator[str]:
    for text in _texts(definition):
        yield text
        yield from _WORDS.findall(text)
        yield from _unquoted(text, _MOST_DEPTH)
    yield from _modules(definition)
    yield from _found_by_name(definition)
    first = next(iter(_args(definition)), "")
    if first and not first.strip("./\\"):
        # `node .`
        yield from (f"{first}/{name}" for name in sorted(BEGINNINGS))


def _unquoted(text: str, depth: int) -> Iterator[str]:
    """Words as a shell takes them: `'my tool.py'` and `my\\ tool.py` are one, and one may hold a line for another."""
    if not depth or not _QUOTING.search(text):
        return
    reader = shlex.shlex(text, posix=True, punctuation_chars=True)
    reader.whitespace_split, reader.commenters = True, ""
    words: list[str] = []
    # A quote that is not closed: what came before it was read.
    with suppress(ValueError):
        words.extend(reader)
    for word in words:
        yield word
        yield from _WORDS.findall(word)
        if word != text:
            yield from _unquoted(word, depth - 1)


def _modules(definition: JsonObject) -> Iterator[str]:
    """Where Python looks for `-m package.module`."""
    places = ("", *_places_of(definition, "PYTHONPATH"))
    for text in (*_texts(definition), " ".join(_args(definition))):
        for module in _MODULE.findall(text):
            parts = module.split(".")
            parents = ("/".join((*parts[:count], "__init__.py")) for count in range(1, len(parts)))
            for name in chain(("/".join(parts), "/".join(parts) + ".py"), parents):
                yield from (os.path.join(place, name) for place in places)  # noqa: PTH118


def _found_by_name(definition: JsonObject) -> Iterator[str]:
    """Where the command is looked for in the folders that the definition itself gives."""
    command = definition.get("command")
    if not isinstance(command, str) or not command or os.path.dirname(command):  # noqa: PTH120
        return
    endings = ("", *_ON_WINDOWS) if sys.platform == "win32" else ("",)
    for place in _places_of(definition, "PATH"):
        yield from (os.path.join(place, command + ending) for ending in endings)  # noqa: PTH118


def _places_of(definition: JsonObject, variable: str) -> tuple[str, ...]:
    environment = definition.get("env")
    value = environment.get(variable) if isinstance(environment, dict) else None
    return tuple(value.split(os.pathsep)) if isinstance(value, str) else ()


def _args(definition: JsonObject) -> tuple[str, ...]:
    args = definition.get("args")
    return tuple(arg for arg in args if isinstance(arg, str)) if isinstance(args, list) else ()


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)

"""Which of the well-known agents this is."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.well_known import KnownAgent
from assent.acp.words import Introduction

_STARTERS = frozenset(
    {"npx", "npm", "pnpm", "yarn", "bunx", "bun", "dlx", "exec", "node", "deno", "run", "env"}
    | {"python", "python3", "py", "uv", "uvx", "pipx", "tool"}
)
"""Programs, and words of theirs, that start another."""
_PLATFORM = re.compile(r"-(?:linux|darwin|win32)-(?:x64|arm64)$")


def known_agent(introduction: Introduction | None, launch_words: Sequence[str] = ()) -> KnownAgent | None:
    """The agent that this is, by the words that start it and by what it says of itself; None where they disagree.

    Two that are started alike are told apart by what they say.
    """
    said = _by_name(introduction.name if introduction is not None else None)
    started = _by_words(tuple(launch_words))
    if not started:
        return said
    if said is None:
        return started[0]
    return said if said in started or any(_akin(said, one) for one in started) else None


def _akin(one: KnownAgent, other: KnownAgent) -> bool:
    """Whether both are started with the same command, so that the words alone do not tell which it is."""
    return one.command == other.command


def _by_name(name: str | None) -> KnownAgent | None:
    plain = (name or "").casefold().strip()
    return next((agent for agent in KNOWN_AGENTS if plain in agent.known_as), None)


@lru_cache(maxsize=64)
def _by_words(words: tuple[str, ...]) -> tuple[KnownAgent, ...]:
    """Those that the words name: of the first word that names any. A package says more than a program."""
    for word in _before_its_options(words):
        packages = set(packages_in(word))
        program = program_in(word)
        found = [agent for agent in KNOWN_AGENTS if agent.package.partition("[")[0] in packages]
        found = found or [agent for agent in KNOWN_AGENTS if program in programs_of(agent)]
        if found:
            return tuple(found)
    return ()


def _before_its_options(words: Sequence[str]) -> Iterator[str]:
    """Without the options of the agent itself: one of them may name a model that is called like another agent."""
    begins = program_word(words)
    for at, word in enumerate(words):
        if word.startswith("-"):
            if begins is not None and at > begins:
                return
            continue
        yield word


def program_word(words: Sequence[str]) -> int | None:
    """Where the program stands among the words, behind what only starts others; None where it is not told."""
    named = (at for at, word in enumerate(words) if not word.startswith("-") and program_in(word) not in _STARTERS)
    return next(named, None)


@cache
def programs_of(agent: KnownAgent) -> frozenset[str]:
    """What its program is called."""
    return frozenset({agent.command, *(name for name in agent.known_as if " " not in name and "/" not in name)})


def program_in(word: str) -> str:
    """The name of a program, or of a module: without its folder, its ending and a version."""
    name = _plain(word).rpartition("/")[2].partition("@")[0]
    for ending in (".exe", ".cmd", ".bat", ".ps1"):
        name = name.removesuffix(ending)
    return name.replace("_", "-")


def packages_in(word: str) -> Iterator[str]:
    """The packages that a word names: one with its version, as it is given to npx, or the one that a file is in."""
    path = _plain(word)
    if path.startswith("@"):
        scope, _, rest = path.partition("/")
        yield f"{scope}/{rest.partition('@')[0]}"
    parts = path.split("/")
    for at, part in enumerate(parts[:-1]):
        if part.startswith("@") and at:
            yield _PLATFORM.sub("", f"{part}/{parts[at + 1]}")
        elif part.endswith("-acp") and not parts[at - 1].startswith("@"):
            yield from (agent.package for agent in KNOWN_AGENTS if agent.package.rpartition("/")[2] == part)


def _plain(word: str) -> str:
    return word.replace("\\", "/").casefold()

"""How long it takes to read shell commands and to decide about them: CPU time. Prints JSON."""

import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from assent.commandline.syntax.parser import parse
from assent.commandline.syntax.tree import NotUnderstood
from assent.model.calls import CallFacts
from assent.model.commands import Command
from assent.model.modes import Category, Mode
from assent.policy.decide import Rules, decide
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_places import paths_of
from tests.support.shell_battery import battery, command_of, settle

LINES = 30
ROUNDS = 60
LONG = 10_000
SIZES = (0, 1_000, 10_000)
DECISIONS = 4_000
TOOL = "bash"
_HOME = "/home/someone"
_SURROUNDINGS = Surroundings(f"{_HOME}/code/project", _HOME)


def main() -> None:
    """Microseconds for typical lines, milliseconds for a long one, and decisions among many rules."""
    lines = typical_lines()
    with tempfile.TemporaryDirectory(prefix="bench") as place:
        folder = str(settle(Path(place), traps=False).folder)
        looked = [look_at(line, folder, (folder,)) for line in lines]
        looking = _of_each(lines, lambda line: look_at(line, folder, (folder,)), ROUNDS // 6)
        decisions = [_decisions(size, looked, folder) for size in SIZES]
    figures = {
        "grammar": _of_each(lines, parse, ROUNDS),
        "reading": _of_each(lines, _read, ROUNDS),
        "looking": looking,
        "long": [_long(piece) for piece in ("git status && ", "ls src; ", "cat README.md | ", "echo $(git status); ")],
        "decisions": decisions,
    }
    print(json.dumps(figures))


def typical_lines() -> list[str]:
    """Lines of daily work, from all over the battery."""
    core = [command_of(one) for one in battery("ordinary") if one["group"] == "core"]
    return core[:: len(core) // LINES][:LINES]


def _read(text: str) -> Command:
    return read_command(text, _SURROUNDINGS)


def _of_each(lines: list[str], does: Callable[[str], object], rounds: int) -> dict[str, float]:
    """Over all lines, in microseconds: the middle of the lines' medians, and the slowest line's."""
    medians = []
    for line in lines:
        does(line)
        medians.append(statistics.median(_taken(does, line) for _ in range(rounds)) / 1_000)
    return {"median": statistics.median(medians), "slowest": max(medians)}


def _taken(does: Callable[[str], object], line: str) -> int:
    begun = time.thread_time_ns()
    does(line)
    return time.thread_time_ns() - begun


def _long(piece: str) -> dict[str, object]:
    text = piece * (LONG - 1) + "ls"
    gc.collect()
    try:
        grammar: float | None = _taken(parse, text) / 1e6
    except NotUnderstood:
        grammar = None
    begun = time.thread_time_ns()
    command = _read(text)
    reading = (time.thread_time_ns() - begun) / 1e6
    refused = command.unreadable is not None
    return {"piece": piece.strip(), "grammar": grammar, "reading": reading, "refused": refused}


def _decisions(size: int, looked: list[Command], folder: str) -> dict[str, float]:
    begun = time.thread_time_ns()
    book = RuleBook(_rules(size), (folder,), _HOME)
    facts = [_facts(one) for one in looked]
    settings = Rules(mode=Mode.ASK, home=_HOME, roots=(folder,), agent_name="Demo", book=book)
    kinds = [settings, replace(settings, mode=Mode.DEFAULT), replace(settings, mode=Mode.AUTO)]
    decide(facts[0], settings)
    ready = (time.thread_time_ns() - begun) / 1e6
    taken = []
    for number in range(DECISIONS):
        one, chosen = facts[number % len(facts)], kinds[number % len(kinds)]
        begun = time.thread_time_ns()
        decide(one, chosen)
        taken.append((time.thread_time_ns() - begun) / 1_000)
    taken.sort()
    return {"rules": size, "p50": taken[DECISIONS // 2], "p99": taken[DECISIONS * 99 // 100], "ready": ready}


def _facts(command: Command) -> CallFacts:
    category = category_of(command) or Category.EXECUTE
    return CallFacts(TOOL, known=True, category=category, paths=paths_of(command), grant_key=TOOL, command=command)


_KINDS: tuple[Callable[[int], str], ...] = (
    lambda n: f"program{n}:*",
    lambda n: f"git verb{n}:*",
    lambda n: f"npm run script{n}:*",
    lambda n: f"ls -la folder{n}",
    lambda n: f"cat src/part{n}/*",
    lambda n: f"git log --author=name{n} | head",
)


def _rules(size: int) -> list[Rule]:
    """Rules of every effect; many begin with the programs of the lines, none means one of them."""
    effects = list(Effect)
    return [Rule(effects[number % len(effects)], TOOL, _KINDS[number % len(_KINDS)](number)) for number in range(size)]


if __name__ == "__main__":
    main()

"""Calls of shell commands and rules for them: a workspace folder /ws, a home directory /home/u, nothing on disk."""

import posixpath
from dataclasses import replace

from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from assent.model.calls import CallFacts
from assent.model.commands import Command, Part, Touch
from assent.model.modes import Category, Mode, graver
from assent.model.paths import PathUse
from assent.policy.decide import Rules, decide
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import SHELL_TOOL, Effect, Rule

HERE, HOME = "/ws", "/home/u"


def command(text: str) -> Command:
    """The command as it is read in HERE, its paths resolved as if there were no links."""
    found = read_command(text, Surroundings(HERE, HOME))
    return replace(found, parts=tuple(map(_resolved, found.parts)))


def shell_call(text: str, grant_key: str = "") -> CallFacts:
    """What is known of a call that runs this command."""
    read = command(text)
    parts = list(read.all())
    category = Category.READ if parts else Category.EXECUTE
    for part in parts:
        category = graver(category, part.category)
    paths = tuple(use for part in parts for use in part.paths)
    return CallFacts(SHELL_TOOL, True, category, paths, grant_key=grant_key, command=read)


def shell_rules(
    *,
    allow: tuple[str, ...] = (),
    ask: tuple[str, ...] = (),
    deny: tuple[str, ...] = (),
    files: tuple[Rule, ...] = (),
    mode: Mode = Mode.DEFAULT,
) -> Rules:
    """These rules for commands, and others, in force."""
    said = ((Effect.ALLOW, allow), (Effect.ASK, ask), (Effect.DENY, deny))
    rules = [Rule(effect, SHELL_TOOL, pattern) for effect, patterns in said for pattern in patterns]
    book = RuleBook((*rules, *files), (HERE,), HOME)
    return Rules(mode, book=book, roots=(HERE,), home=HOME, agent_name="Agent")


def outcome(text: str, rules: Rules) -> str:
    """run, ask or block."""
    return decide(shell_call(text), rules).outcome.value


def _resolved(part: Part) -> Part:
    return replace(part, paths=tuple(map(_use, part.touches)), inner=tuple(map(_resolved, part.inner)))


def _use(touch: Touch) -> PathUse:
    real = posixpath.normpath(touch.name)
    inside = real == HERE or real.startswith(f"{HERE}/")
    folder = "." not in posixpath.basename(real) and touch.whole
    return PathUse(real, touch.written, touch.access, inside, is_directory=folder, named=real)

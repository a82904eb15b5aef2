"""Patterns to offer for a command: its exact words, or the first words of its one part that needs a permission.

First words are only offered where they say what will be done: the verb of a program, the name of a script. Never for
what starts anything that its further words name.
"""

import re

from assent.model.commands import Command, Part
from assent.model.modes import Category, graver
from assent.policy.rules.commands.pattern import normal_text, parse_command
from assent.policy.rules.commands.programs import leaf_of
from assent.policy.rules.commands.restrict import bare
from assent.policy.rules.commands.unproposed import NEVER_ALONE
from assent.policy.rules.naming import is_raised
from assent.policy.rules.pattern import UnusablePattern

_PLAIN = re.compile(r"[A-Za-z0-9_.+@/][A-Za-z0-9_.+@:/-]*")
_VERB = re.compile(r"[a-z][a-z0-9_-]*")
_NEVER_ALONE = frozenset(map(bare, NEVER_ALONE))


def exact_pattern(command: Command) -> str | None:
    """The pattern that is the command's text, if it means that and nothing else, or single names in place of globs."""
    text = normal_text(command.text)
    try:
        pattern = parse_command(text, generous=False)
    except UnusablePattern:
        return None
    wild = any(word.wild for word in pattern.words)
    return None if pattern.prefix or (wild and len(command.parts) > 1) else text


def first_words(part: Part) -> str | None:
    """The words that say what the part does: with any further words, it still does this."""
    words = _first_words(part)
    if not words or not all(_PLAIN.fullmatch(word) for word in words) or words[-1].endswith(":"):
        return None
    return " ".join(words)


def denying_words(part: Part) -> str | None:
    """The words by which a restriction knows such a part, whatever else is said."""
    words = part.steps if not _says_too_little(part) else _first_words(part)
    return " ".join(words) if words and all(_PLAIN.fullmatch(word) for word in words) else None


def unsettled(command: Command) -> tuple[Part, ...]:
    """The parts that do more than read in the workspace; where all only read, all of them."""
    parts = [one for part in command.parts for one in _unsettled(part)]
    return tuple(parts) or command.parts


def gravest(command: Command) -> Part | None:
    """The part that can do most harm; what only starts it is left aside."""
    found: Part | None = None
    for part in command.all():
        if part.inner and part.transparent:
            continue
        if found is None or (graver(found.category, part.category) is not found.category):
            found = part
    return found


def _unsettled(part: Part) -> list[Part]:
    if part.inner_at is not None and len(_first_words(part)) > part.inner_at:
        return [part]  # Its first words say what it starts.
    inner = [one for deep in part.inner for one in _unsettled(deep)]
    if part.transparent and not part.dangers:
        return inner
    settled = part.category is Category.READ and not any(map(is_raised, part.paths))
    return inner if settled else [part, *inner]


def _first_words(part: Part) -> tuple[str, ...]:
    if part.dynamic or not part.steps:
        return ()
    program, taken = leaf_of(part)
    if program is None:
        return _of_stranger(part)
    if taken < len(part.steps) or program.verbs:
        return ()
    following = part.words[part.steps_at[-1] + 1 :][: program.named_operands]
    named = tuple(word.text for word in following if word.exact and not word.many and not word.glob)
    if any(not name or name.startswith("-") for name in named):
        return ()
    words = (*part.steps, *named)
    says_little = program.runs_code or program.wraps or bare(part.steps[0]) in _NEVER_ALONE
    needed = taken + 1 if program.runs_code or program.wraps else 2
    return () if says_little and len(words) < needed else words


def _of_stranger(part: Part) -> tuple[str, ...]:
    """Of a program that nobody knows, its name with a word that looks like a verb."""
    name, following = part.steps[0], part.words[1:2]
    if bare(name) in _NEVER_ALONE or _without_version(bare(name)) in _NEVER_ALONE or not following:
        return ()
    verb = following[0]
    usable = verb.exact and not verb.many and not verb.glob and _VERB.fullmatch(verb.text)
    return (name, verb.text) if usable else ()


def _without_version(name: str) -> str:
    return name.rstrip("0123456789.-")


def _says_too_little(part: Part) -> bool:
    program, _ = leaf_of(part)
    if program is None:
        return bare(part.steps[0]) in _NEVER_ALONE if part.steps else True
    return program.runs_code or program.wraps or part.dynamic

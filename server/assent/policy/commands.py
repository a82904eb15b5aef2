"""Whether rules, or what was granted in a chat, permit a whole command: the rules in force, seen from a command."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from assent.model.calls import CallFacts
from assent.model.commands import Command, Part
from assent.model.modes import Category
from assent.model.paths import PathUse
from assent.policy.matrix import Cell
from assent.policy.reach import category_of_use, effective_category, granted
from assent.policy.rules.commands.cover import Covering, Ground, cover, text_covers
from assent.policy.rules.commands.index import Placed
from assent.policy.rules.commands.pattern import CommandPattern, parse_command, without_identities
from assent.policy.rules.commands.permit import Match, is_for_another, permits
from assent.policy.rules.commands.propose import first_words, unsettled
from assent.policy.rules.pattern import UnusablePattern
from assent.policy.rules.rule import SHELL_TOOL
from assent.policy.rules_in_force import Rules

KEY_START = f"{SHELL_TOOL}:"
"""So begins a grant key for commands; what follows are their first words."""

Used = Placed | str
"""A rule, or the grant key that was clicked in the chat."""


def covered_by_rules(facts: CallFacts, rules: Rules) -> Covering[Used] | None:
    """What the allow rules make of the command, together with what the mode runs anyway. None: it has none."""
    if facts.command is None or not facts.known or facts.arguments_fault is not None:
        return None
    for book in (rules.book, rules.chat_book):
        text = book.shell.whole_text(facts.command, rules.agent_name)
        if text is not None:
            return Covering([text])

    def ground(plain: bool, held: bool) -> Ground[Used]:
        return _ground(rules, lambda part: _by_rules(part, rules, plain), plain=plain, held=held)

    return _covered(facts, facts.command, ground)


def covered_in_chat(facts: CallFacts, rules: Rules) -> Covering[Used] | None:
    """The same, together with what was granted in the chat: first words of commands, and directories."""
    if facts.command is None or not facts.known or facts.arguments_fault is not None:
        return None
    keys = [(key, pattern) for key in sorted(rules.session_grants) if (pattern := _pattern_of(key)) is not None]
    for key, pattern in keys:
        if pattern.means_text(facts.command.text) and text_covers(facts.command):
            return Covering([key])

    def of_part(part: Part, plain: bool) -> Iterator[tuple[Used, Match]]:
        yield from _by_rules(part, rules, plain)
        for key, pattern in keys if plain else ():
            match = permits(pattern, part, rules.home)
            if match is not None:
                yield key, match

    def ground(plain: bool, held: bool) -> Ground[Used]:
        return _ground(rules, lambda part: of_part(part, plain), plain=plain, held=held, in_chat=True)

    return _covered(facts, facts.command, ground)


def _covered(facts: CallFacts, command: Command, ground: Callable[[bool, bool], Ground[Used]]) -> Covering[Used]:
    """Of what is only believed to read, that counts where it is held to that."""
    covering = cover(command, ground(not command.beyond, False))
    if covering.complete or not command.doubt:
        return covering
    if facts.wall is None or effective_category(facts) is not Category.READ:
        return covering
    held = cover(command, ground(True, True))
    held.held = True
    return held


def grant_key(command: Command) -> str:
    """Under which key a chat may allow such commands; empty where no first words would say what is allowed."""
    parts = unsettled(command)
    words = first_words(parts[0]) if len(parts) == 1 else None
    return f"{KEY_START}{words}" if words is not None else ""


_MOST_KEYS = 3


def grant_keys(facts: CallFacts, needing: Iterable[Part]) -> tuple[str, ...]:
    """The keys under which a chat may allow this call together: one for each part that needs a permission."""
    words = [first_words(part) for part in needing]
    keys = tuple(dict.fromkeys(f"{KEY_START}{one}" for one in words if one is not None))
    return keys if keys and None not in words and len(keys) <= _MOST_KEYS else (facts.grant_key,)


def uncovered_parts(facts: CallFacts, rules: Rules) -> tuple[Part, ...]:
    """Every part that needs a permission which is not there yet."""
    if facts.command is None or facts.command.unreadable is not None:
        return ()
    found: dict[Part, None] = {}
    for part in facts.command.parts:
        is_all = len(facts.command.parts) == 1
        alone = facts if is_all else replace(facts, command=replace(facts.command, parts=(part,)))
        open_part = uncovered(alone, rules)
        if open_part is not None:
            found[open_part] = None
    return tuple(found)


def uncovered(facts: CallFacts, rules: Rules) -> Part | None:
    """The first part of the command that neither rules nor the chat nor the mode permit."""
    covering = covered_in_chat(facts, rules)
    return covering.uncovered if covering is not None else None


def shortfall(facts: CallFacts, rules: Rules) -> str:
    """What of the command is not permitted, or not known, in a sentence or two; empty where nothing can be told."""
    parts = uncovered_parts(facts, rules)
    if not parts:
        return ""
    told = next(filter(None, (_for_another(part, rules) or _beyond_rules(part, rules) for part in parts)), "")
    beyond = facts.command.beyond if facts.command is not None else ""
    if not told and beyond and any(not how.whole for part in parts for _, how in _by_rules(part, rules, True)):
        return f"A rule on the first words of a command does not cover a line that {beyond}."
    if told or len(facts.command.parts if facts.command is not None else ()) < _SEVERAL:
        return told
    named = [f"“{shortened(part.written)}”" for part in parts[:_NAMED] if part.written]
    more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return f"No rule covers {' or '.join(named)}{more}." if named else ""


def _for_another(part: Part, rules: Rules) -> str:
    """That a permission was for another program than the one that lies in the workspace now."""
    books = (text for book in (rules.book, rules.chat_book) for text in book.shell.of_changed(part, rules.agent_name))
    keys = ((key, _pattern_of(key)) for key in sorted(rules.session_grants) if part.identities)
    granted = (key.removeprefix(KEY_START) for key, one in keys if one and is_for_another(one, part, rules.home))
    text = next(chain(books, granted), None)
    if text is not None:
        shown = without_identities(text).removesuffix(":*")
        return f"What was allowed as “{shown}” has changed since: it is another file now."
    text = next(rules.book.shell.of_the_machine(part, rules.agent_name), None)
    if text is None:
        return ""
    return f"Your rule “{text}” does not count here: “{part.steps[0]}” is a program that lies in this workspace."


def _beyond_rules(part: Part, rules: Rules) -> str:
    """What the part does beyond the rule that speaks of it, or what of it nobody can know."""
    placed, match = next(((one, how) for one, how in _by_rules(part, rules, True) if not how.whole), (None, None))
    named = match.named if match is not None else frozenset[int]()
    beyond = next((danger.text for danger in part.dangers if danger.at not in named), None)
    if beyond is None:
        return part.unknown[0] if part.unknown else ""
    if beyond[:1].isupper():
        return beyond
    if isinstance(placed, Placed):
        return f"The rule “{placed.rule.pattern}” does not cover all of it: it {beyond}."
    return f"“{shortened(part.written)}” {beyond}."


_SEVERAL = 2
_NAMED = 2
_LONG = 120


def shortened(text: str) -> str:
    """A piece of a command within a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else f"{line[: _LONG - 1]}…"


def _by_rules(part: Part, rules: Rules, plain: bool) -> Iterator[tuple[Used, Match]]:
    """The rules that speak of this part. Of a line that is more than plain commands, only those for every command do:
    what its first words are, is only believed."""
    for book in (rules.book, rules.chat_book):
        found = book.shell.of_part(part, rules.agent_name)
        yield from found if plain else (one for one in found if one[1].whole)


def _ground(
    rules: Rules,
    of_part: Callable[[Part], Iterable[tuple[Used, Match]]],
    *,
    plain: bool,
    held: bool,
    in_chat: bool = False,
) -> Ground[Used]:
    def permits_path(use: PathUse) -> Used | None:
        if not plain:
            return None
        found = (book.permits_path(use, rules.agent_name) for book in (rules.book, rules.chat_book))
        return next((placed for placed in found if placed is not None), None)

    known: dict[Category, bool] = {}

    def runs(category: Category) -> bool:
        # A long command asks it of every file that it touches.
        runs = known.get(category)
        if runs is None:
            runs = known[category] = plain and rules.cell(category) is Cell.AUTO
        return runs

    return Ground(
        of_part,
        runs=runs,
        touching=category_of_use,
        excuses=lambda use: in_chat and plain and granted(use, rules.directory_grants),
        permits_path=permits_path,
        home=rules.home,
        held=held,
    )


@lru_cache(maxsize=256)
def _pattern_of(key: str) -> CommandPattern | None:
    """What a grant key for commands means; None where it is another one."""
    if not key.startswith(KEY_START):
        return None
    try:
        return parse_command(f"{key.removeprefix(KEY_START)}:*", generous=False)
    except UnusablePattern:
        return None

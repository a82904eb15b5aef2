"""The rules of one effect on shell commands, found by the program that they name."""

from collections.abc import Iterable, Iterator, Sequence

from assent.commandline.invocation import bare_name
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command, Part
from assent.model.paths import Access
from assent.policy.rules.commands.cover import text_covers
from assent.policy.rules.commands.pattern import CommandPattern, normal_text, parse_command
from assent.policy.rules.commands.permit import (
    WHOLE,
    Match,
    beginning_of,
    folded_part,
    folded_pattern,
    is_for_another,
    permits,
    ways_of,
)
from assent.policy.rules.commands.put_together import as_written, could_spell, is_put_together, without_escapes
from assent.policy.rules.commands.restrict import Restriction, Speaks, Started, bare, speaks, started_by
from assent.policy.rules.commands.shelves import ByBeginning, BySome
from assent.policy.rules.commands.unread import hides, in_order, in_unread, is_fed, loose_words, names_in, names_in_code
from assent.policy.rules.pattern import UnusablePattern
from assent.policy.rules.rule import USER, WHOLE_TOOL, Rule


@dataclass(frozen=True, slots=True)
class Placed:
    """A rule with its number in the book: of several that match, the first one counts."""

    order: int
    rule: Rule

    def is_for(self, agent: str) -> bool:
        """Whether the rule speaks of this agent at all."""
        return self.rule.audience is None or agent in self.rule.audience


@dataclass(frozen=True, slots=True)
class Doubt:
    """A restriction that could be about the command, and why that cannot be known, as a sentence."""

    placed: Placed
    why: str


class _Shelf:
    """What both kinds of rules have in common: those for the whole tool, and whole texts."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.whole: list[Placed] = []
        self.texts: dict[str, list[Placed]] = {}

    def whole_for(self, agent: str) -> Placed | None:
        """The first rule for the whole tool."""
        return next((one for one in self.whole if one.is_for(agent)), None)

    def text_for(self, command: Command, agent: str) -> Placed | None:
        """The first rule that gives the whole text of the command."""
        found = self.texts.get(normal_text(command.text), ()) if self.texts else ()
        return next((one for one in found if one.is_for(agent)), None)

    def take(self, placed: Placed, pattern: CommandPattern) -> None:
        """Takes up the text of a pattern, where it says all of it."""
        if pattern.spells_all:
            self.texts.setdefault(pattern.text, []).append(placed)


class Permissions(_Shelf):
    """Allow rules."""

    def __init__(self, home: str = "") -> None:
        super().__init__(home)
        self._patterns: ByBeginning[tuple[Placed, CommandPattern]] = ByBeginning()
        self._folded: list[tuple[Placed, CommandPattern]] = []
        """The same for shells that do not mind the case of a program's name."""

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used: then it permits nothing."""
        placed = Placed(order, rule)
        if rule.pattern == WHOLE_TOOL:
            self.whole.append(placed)
            return None
        try:
            pattern = parse_command(rule.pattern, generous=False)
        except UnusablePattern as unusable:
            return str(unusable)
        self.take(placed, pattern)
        if pattern.words:
            self._patterns.add(beginning_of(pattern), (placed, pattern))
            self._folded.append((placed, folded_pattern(pattern)))
        return None

    def whole_text(self, command: Command, agent: str) -> Placed | None:
        """The rule that gives the command letter by letter, if all that must be named is in it."""
        placed = self.text_for(command, agent)
        if placed is None or not text_covers(command):
            return None
        return None if any(_means_another(placed.rule, part) for part in command.parts) else placed

    def of_part(self, part: Part, agent: str) -> Iterator[tuple[Placed, Match]]:
        """The rules that speak of this part."""
        if not (self._folded or self.whole):
            return
        found: Iterable[tuple[Placed, CommandPattern]] = self._patterns.starting(ways_of(part))
        if part.caseless:
            part, found = folded_part(part), self._folded
        for placed, pattern in found:
            if not placed.is_for(agent) or (not pattern.is_bound and _means_another(placed.rule, part)):
                continue
            match = permits(pattern, part, self.home)
            if match is not None:
                yield placed, match
        whole = self.whole_for(agent)
        if whole is not None:
            yield whole, WHOLE

    def of_changed(self, part: Part, agent: str) -> Iterator[str]:
        """The patterns of rules that spoke of this part until a file that it starts changed."""
        for placed, pattern in self._patterns.starting(ways_of(part)) if part.identities else ():
            if placed.is_for(agent) and is_for_another(pattern, part, self.home):
                yield pattern.text

    def of_the_machine(self, part: Part, agent: str) -> Iterator[str]:
        """The patterns of rules that would speak of this part if its program did not lie in the workspace."""
        for placed, pattern in self._patterns.starting(ways_of(part)) if part.is_own_by_name else ():
            if placed.is_for(agent) and not pattern.is_bound and _means_another(placed.rule, part):
                yield pattern.text


def _means_another(rule: Rule, part: Part) -> bool:
    """Whether the part starts a program of the workspace by its bare name, and the rule is one for all workspaces: any
    of them could bring a program of that name."""
    return rule.scope == USER and any(one.is_own_by_name for one in part.all())


class Restrictions(_Shelf):
    """Deny rules, or ask rules."""

    def __init__(self, home: str = "") -> None:
        super().__init__(home)
        self._by_program: dict[str, BySome[tuple[Placed, Restriction]]] = {}
        self._wild: list[tuple[Placed, Restriction]] = []
        self._with_words: list[tuple[Placed, Restriction]] = []

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used: then it holds for every command."""
        placed = Placed(order, rule)
        try:
            pattern = None if rule.pattern == WHOLE_TOOL else parse_command(rule.pattern, generous=True)
        except UnusablePattern as unusable:
            self.whole.append(placed)
            return str(unusable)
        if pattern is None:
            self.whole.append(placed)
            return None
        self.take(placed, pattern)
        restriction = Restriction(pattern)
        if not pattern.words:
            return None
        self._with_words.append((placed, restriction))
        if restriction.program:
            shelf = self._by_program.setdefault(restriction.program, BySome())
            shelf.add(restriction.first_operands, (placed, restriction))
        else:
            self._wild.append((placed, restriction))
        return None

    def first(self, command: Command | None, agent: str) -> Placed | None:
        """The first rule that surely speaks of the command."""
        found = [self.whole_for(agent)]
        if command is not None:
            found.append(self.text_for(command, agent))
            found += [placed for placed, how, _ in self._about(command, agent) if how is Speaks.YES]
            if command.unreadable is not None:
                found += [one for one, restriction in self._for(agent) if in_unread(restriction, command)]
        return min((one for one in found if one is not None), key=lambda one: one.order, default=None)

    def doubt(self, command: Command | None, agent: str) -> Doubt | None:
        """The first rule that could be about the command, where that cannot be known."""
        if not self._with_words:
            return None
        if command is None or command.unreadable is not None:
            why = "The command is not known." if command is None else command.unreadable or ""
            return next((Doubt(one, why) for one, _ in self._for(agent)), None)
        found = [Doubt(one, _why(part)) for one, how, part in self._about(command, agent) if how is Speaks.PERHAPS]
        for part in command.all():
            why = hides(part)
            if why:
                found += [Doubt(one, why) for one, _ in self._for(agent)][:1]
            for name in names_in_code(part):
                why = f"Its name stands in code that is not read: {part.written}"
                named = self._by_program[name].all() if name in self._by_program else ()
                found += [Doubt(one, why) for one, _ in named if one.is_for(agent)][:1]
            found += self._loosely(loose_words(part), part.written, agent)
            found += self._copied(part, agent)
        if command.beyond:
            found += self._as_written(command, agent)
        if any(map(is_fed, command.all())):
            for text in {command.text, without_escapes(command.text)}:
                found += self._loosely(names_in(text), "what is given to a program to read", agent)
        return min(found, key=lambda doubt: doubt.placed.order, default=None)

    def _copied(self, part: Part, agent: str) -> Iterator[Doubt]:
        """Rules on a program that is read as a file: what is made of it does the same under another name."""
        for touch in part.touches:
            name = bare_name(touch.name)
            if touch.access is Access.READ and name != touch.name and name in self._by_program:
                named = (one for one, _ in self._by_program[name].all() if one.is_for(agent))
                yield from (Doubt(one, f"It reads {touch.name}, which is the program.") for one in named)

    def _as_written(self, command: Command, agent: str) -> Iterator[Doubt]:
        """Rules that could be about a line in which the shell puts words together: what it makes of them is believed
        to be known, which is enough to forbid something, and not to let it run."""
        for part in command.all():
            if part.words and is_put_together(part.words[0]):
                why = f"The name of the program is put together by the shell: {part.written}"
                spelled = (one for one, how in self._for(agent) if could_spell(command.text, how.program))
                yield from (Doubt(one, why) for one in spelled)
                continue
            written = as_written(part)
            for started in started_by(written):
                for placed, restriction in self._named(started):
                    if placed.is_for(agent) and speaks(restriction, started, self.home) is not Speaks.NO:
                        yield Doubt(placed, f"Words of it are put together by the shell: {part.written}")
        for text in {command.text, without_escapes(command.text)}:
            yield from self._loosely(names_in(text), "a line that is more than plain commands", agent)

    def _loosely(self, words: Sequence[str], where: str, agent: str) -> Iterator[Doubt]:
        """Rules whose words stand among those of something that could do anything with them."""
        for name in dict.fromkeys(map(bare, words)):
            for one, restriction in self._by_program[name].among(words) if name in self._by_program else ():
                if one.is_for(agent) and in_order(restriction, words):
                    yield Doubt(one, f"Its words stand in {where}, and what is done with them is not known.")

    def _about(self, command: Command, agent: str) -> Iterator[tuple[Placed, Speaks, Part]]:
        if not (self._by_program or self._wild):
            return
        for part in command.all():
            for started in started_by(part):
                for placed, restriction in self._named(started):
                    if placed.is_for(agent):
                        how = speaks(restriction, started, self.home)
                        if how is not Speaks.NO:
                            yield placed, how, part

    def _named(self, started: Started) -> Iterator[tuple[Placed, Restriction]]:
        shelf = self._by_program.get(started.name)
        if shelf is not None:
            words = started.words
            yield from shelf.all() if words is None else shelf.among(words)
        yield from self._wild

    def _for(self, agent: str) -> Iterator[tuple[Placed, Restriction]]:
        return ((placed, restriction) for placed, restriction in self._with_words if placed.is_for(agent))


def _why(part: Part) -> str:
    return part.unknown[0] if part.unknown else f"Some words of {part.written} are only known when it runs."

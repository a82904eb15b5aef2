"""The rules of one effect for one tool, sorted so that a call is compared with few of them."""

from collections.abc import Iterable, Iterator

from assent.model.calls import PathUse
from assent.policy.protected import is_secret
from assent.policy.rules.ground import Ground, Trees
from assent.policy.rules.naming import all_names, changes_folder, holds_secrets, is_raised
from assent.policy.rules.pattern import Base, Pattern, Step, UnusablePattern, named_step, readings
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.policy.rules.segment import Wild, what_is_said
from assent.policy.rules.spelling import CASELESS, EXACT, LAX, deeper_than_the_top, is_resolved, names_of
from assent.policy.rules.tree import RESTRICTS, Entry, Hit, Meaning


class _Shelf:
    """The rules that hold for everybody, or those for one agent: those of others are never looked at."""

    __slots__ = ("trees", "whole")

    def __init__(self, grounds: Iterable[Ground]) -> None:
        self.whole: Entry | None = None
        """The first rule that holds for the whole tool; a later one would change nothing."""
        self.trees = [Trees(ground) for ground in grounds]


class ToolRules:
    """All rules of one effect for one tool. They are added in their order."""

    def __init__(self, effect: Effect, roots: tuple[str, ...], home: str) -> None:
        self._effect = effect
        self._home = home
        # Without a folder, relative names start at home. A permission in relation to nothing is none.
        self._roots = roots or ((home,) if effect.restricts and home else ())
        spellings = (CASELESS, LAX) if effect.restricts else (EXACT,)
        self._grounds = [Ground(spelling, self._roots) for spelling in spellings]
        self._for_all = _Shelf(self._grounds)
        self._for_agent: dict[str, _Shelf] = {}

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used. A restriction then holds for the whole tool."""
        fault = None
        entries: list[tuple[Base, tuple[Step, ...], Entry]] = []
        if rule.pattern != WHOLE_TOOL:
            try:
                patterns = readings(rule.pattern, generous=self._effect.restricts)
                entries = [found for pattern in patterns for found in self._entries(order, rule, pattern)]
            except UnusablePattern as unusable:
                fault = str(unusable)
        whole = rule.pattern == WHOLE_TOOL or (fault is not None and self._effect.restricts)
        for shelf in self._shelves_of(rule):
            if whole:
                shelf.whole = shelf.whole or Entry(order, rule)
            for base, steps, entry in entries:
                for trees in shelf.trees:
                    (trees.relative if base is Base.ROOTS else trees.absolute).add(steps, entry)
        return fault

    def _shelves_of(self, rule: Rule) -> Iterator[_Shelf]:
        if rule.audience is None:
            yield self._for_all
            return
        for agent in dict.fromkeys(rule.audience):
            if agent not in self._for_agent:
                self._for_agent[agent] = _Shelf(self._grounds)
            yield self._for_agent[agent]

    def _entries(self, order: int, rule: Rule, pattern: Pattern) -> Iterator[tuple[Base, tuple[Step, ...], Entry]]:
        for base in pattern.bases:
            if base is Base.HOME and not self._home:
                raise UnusablePattern("the home directory is not known; write the whole path")
            # Of a restriction that may match at any depth, the relative reading is meant for all places outside, too.
            if base is Base.TOP and pattern.floats and Base.ROOTS in pattern.bases and self._effect.restricts:
                continue
            start = names_of(self._home) if base is Base.HOME else ()
            meaning = RESTRICTS if self._effect.restricts else _meaning(pattern, base, (*start, *pattern.said))
            yield base, (*map(named_step, start), *pattern.steps), Entry(order, rule, meaning)

    def restricts(self, paths: tuple[PathUse, ...], agent: str) -> Entry | None:
        """The first rule that speaks of any of these paths."""
        found = [*self._whole(agent), *(entry for use in paths for entry in self._touching(use, agent))]
        return min(found, key=_order, default=None)

    def permits(self, paths: tuple[PathUse, ...], agent: str) -> Entry | None:
        """The rule that permits the first of these paths, if each is permitted by one."""
        if not paths:
            return min(self._whole(agent), key=_order, default=None)
        each = [self._permitting(use, agent) for use in paths]
        return None if None in each else each[0]

    def _shelves(self, agent: str) -> list[_Shelf]:
        own = self._for_agent.get(agent)
        return [self._for_all] if own is None else [self._for_all, own]

    def _whole(self, agent: str) -> list[Entry]:
        return [shelf.whole for shelf in self._shelves(agent) if shelf.whole is not None]

    def _touching(self, use: PathUse, agent: str) -> Iterator[Entry]:
        folder = changes_folder(use)
        texts = all_names(use, self._roots)
        for number, ground in enumerate(self._grounds):
            for names in {ground.spelling.names(text) for text in texts}:
                for shelf in self._shelves(agent):
                    yield from shelf.trees[number].touched_by(names, with_all_below=folder)

    def _permitting(self, use: PathUse, agent: str) -> Entry | None:
        found = [] if is_raised(use) else self._whole(agent)
        if is_resolved(use.real):
            for number, ground in enumerate(self._grounds):
                names = ground.spelling.names(use.real)
                for shelf in self._shelves(agent):
                    hits = shelf.trees[number].hits(names)
                    found += [entry for entry, hit in hits if _permits(entry.meaning, hit, use)]
        return min(found, key=_order, default=None)


def _order(entry: Entry) -> int:
    return entry.order


def _permits(meaning: Meaning, hit: Hit, use: PathUse) -> bool:
    if is_raised(use):
        if not use.inside and not meaning.says_place:
            return False
        if holds_secrets(use) and not (hit is Hit.ITSELF and meaning.says_secret):
            return False
    if hit is Hit.ABOVE:
        return meaning.covers_below
    if meaning.folder_only and not use.is_directory:
        return False
    return meaning.covers_below or meaning.means_all_below or not changes_folder(use)


def _meaning(pattern: Pattern, base: Base, says: tuple[str, ...]) -> Meaning:
    return Meaning(
        covers_below=_covers_below(pattern),
        folder_only=pattern.folder_only,
        means_all_below=_means_all_below(pattern),
        says_place=base is not Base.ROOTS and deeper_than_the_top(says),
        says_secret=_says_secret(pattern),
    )


def _covers_below(pattern: Pattern) -> bool:
    """A name, or a slash at the end, means a folder with all that is in it; a wildcard means what it matches."""
    return pattern.folder_only or not pattern.steps or pattern.steps[-1].plain is not None


def _means_all_below(pattern: Pattern) -> bool:
    """It ends in `**`: whatever lies at any depth is meant by itself."""
    return bool(pattern.steps) and pattern.steps[-1].deep and pattern.steps[-1].tokens == (Wild.MANY,)


def _says_secret(pattern: Pattern) -> bool:
    """It gives the whole name of the file, or a part of it that only secrets have: `.env*` does, `*` does not."""
    if not pattern.steps:
        return False
    last = pattern.steps[-1]
    return last.plain is not None or is_secret(what_is_said(last.tokens))

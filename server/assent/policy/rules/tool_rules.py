"""The rules of one effect for one tool, sorted so that a call is compared with few of them."""

from collections.abc import Iterator

from assent.model.calls import PathUse
from assent.policy.protected import is_secret
from assent.policy.rules.glob import Hit, PathGlob
from assent.policy.rules.index import Entry, Index
from assent.policy.rules.naming import all_names, changes_folder, holds_secrets, is_raised
from assent.policy.rules.pattern import Base, Pattern, Step, UnusablePattern, readings
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.policy.rules.segment import Wild, plain_text, what_is_said
from assent.policy.rules.spelling import CASELESS, EXACT, LAX, deeper_than_the_top, is_resolved, names_of

Found = tuple[int, Rule]
"""A rule and its number in the book: of several that match, the first one counts."""


class ToolRules:
    """All rules of one effect for one tool."""

    def __init__(self, effect: Effect, roots: tuple[str, ...], home: str) -> None:
        self._effect = effect
        self._home = home
        # Without a folder, relative names start at home. A permission in relation to nothing is none.
        self._roots = roots or ((home,) if effect.restricts and home else ())
        self._root_names = [names_of(root) for root in self._roots]
        self._whole: list[Found] = []
        spellings = (CASELESS, LAX) if effect.restricts else (EXACT,)
        self._indexes = [Index(spelling, self._roots) for spelling in spellings]

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used. A restriction then holds for the whole tool."""
        if rule.pattern == WHOLE_TOOL:
            self._whole.append((order, rule))
            return None
        try:
            for pattern in readings(rule.pattern, generous=self._effect.restricts):
                self._add_pattern(order, rule, pattern)
        except UnusablePattern as fault:
            if self._effect.restricts:
                self._whole.append((order, rule))
            return str(fault)
        return None

    def _add_pattern(self, order: int, rule: Rule, pattern: Pattern) -> None:
        for base, start in self._starts(pattern):
            way = (*start, *pattern.said)
            only_outside = base is Base.TOP and pattern.floats and Base.ROOTS in pattern.bases
            for index in self._indexes:
                entry = Entry(
                    order,
                    rule,
                    PathGlob(pattern.rest, index.spelling),
                    covers_below=_covers_below(pattern),
                    folder_only=pattern.folder_only,
                    means_all_below=_means_all_below(pattern),
                    only_outside=only_outside,
                    says_place=base is not Base.ROOTS and deeper_than_the_top(way),
                    says_secret=_says_secret(pattern),
                )
                index.add(way, entry)

    def _starts(self, pattern: Pattern) -> Iterator[tuple[Base, tuple[str, ...]]]:
        if Base.ROOTS in pattern.bases:
            yield from ((Base.ROOTS, names) for names in self._root_names)
        if Base.HOME in pattern.bases:
            if not self._home:
                raise UnusablePattern("the home directory is not known; write the whole path")
            yield Base.HOME, names_of(self._home)
        # A restriction that may match at any depth is meant for the places outside as well.
        if Base.TOP in pattern.bases or (pattern.floats and self._effect.restricts):
            yield Base.TOP, ()

    def restricts(self, paths: tuple[PathUse, ...], agent: str) -> Found | None:
        """The first rule that speaks of any of these paths."""
        found = [*self._for_all(agent), *(hit for use in paths for hit in self._touching(use, agent))]
        return min(found, key=_order, default=None)

    def permits(self, paths: tuple[PathUse, ...], agent: str) -> Found | None:
        """The rule that permits the first of these paths, if each is permitted by one."""
        if not paths:
            return next(self._for_all(agent), None)
        each = [self._permitting(use, agent) for use in paths]
        return None if None in each else each[0]

    def _for_all(self, agent: str) -> Iterator[Found]:
        return (found for found in self._whole if found[1].holds_for(agent))

    def _touching(self, use: PathUse, agent: str) -> Iterator[Found]:
        folder = changes_folder(use)
        for index in self._indexes:
            for names in {index.spelling.names(name) for name in all_names(use, self._roots)}:
                inside = index.is_inside(names)
                for entry, hit in index.hits(names, with_all_below=folder):
                    counts = (folder or hit.itself or hit.above) and not (inside and entry.only_outside)
                    if counts and entry.rule.holds_for(agent):
                        yield entry.order, entry.rule

    def _permitting(self, use: PathUse, agent: str) -> Found | None:
        found = [] if is_raised(use) else list(self._for_all(agent))
        if is_resolved(use.real):
            for index in self._indexes:
                for entry, hit in index.hits(index.spelling.names(use.real), with_all_below=False):
                    if _permits(entry, hit, use) and entry.rule.holds_for(agent):
                        found.append((entry.order, entry.rule))
        return min(found, key=_order, default=None)


def _order(found: Found) -> int:
    return found[0]


def _permits(entry: Entry, hit: Hit, use: PathUse) -> bool:
    if is_raised(use):
        if not use.inside and not entry.says_place:
            return False
        if holds_secrets(use) and not (hit.itself and entry.says_secret):
            return False
    if hit.above and entry.covers_below:
        return True
    if not hit.itself or (entry.folder_only and not use.is_directory):
        return False
    return entry.covers_below or entry.means_all_below or not changes_folder(use)


def _covers_below(pattern: Pattern) -> bool:
    """A name, or a slash at the end, means a folder with all that is in it; a wildcard means what it matches."""
    return pattern.folder_only or not pattern.steps or plain_text(pattern.steps[-1].tokens) is not None


def _means_all_below(pattern: Pattern) -> bool:
    """It ends in `**`: whatever lies at any depth is meant by itself."""
    return bool(pattern.steps) and pattern.steps[-1] == Step((Wild.MANY,), deep=True)


def _says_secret(pattern: Pattern) -> bool:
    """It gives the whole name of the file, or a part of it that only secrets have: `.env*` does, `*` does not."""
    if not pattern.steps:
        return False
    tokens = pattern.steps[-1].tokens
    return plain_text(tokens) is not None or is_secret(what_is_said(tokens))

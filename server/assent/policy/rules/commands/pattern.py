"""From the text of a rule on commands to what it means: exact words, words that come first, or one whole text."""

import re
from dataclasses import replace
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.commands.words import PatternWord, split_words
from assent.policy.rules.pattern import MAX_LENGTH, UnusablePattern

_PREFIX = ":*"
_SHORT = 1_024
"""Characters of a pattern whose meaning is kept for the next time that it is asked for."""
BOUND = "@"
"""Between the name of a workspace's file and what it has to be."""
_BOUND = re.compile(rf"(.+){BOUND}([0-9a-f]{{12}})", re.DOTALL)
_BOUND_IN_TEXT = re.compile(rf"^((?:\S+ )?\S+?){BOUND}[0-9a-f]{{12}}(?= |$|:\*$)")
_STARTING = 2
"""So many words can name the file that is started: the program itself, or the script of an interpreter."""
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """A pattern that was understood. Without words it is an exact text."""

    text: str
    words: tuple[PatternWord, ...] = ()
    prefix: bool = False
    """Further words may follow."""

    @property
    def spells_all(self) -> bool:
        """Whether it says every letter of what it means."""
        return not self.prefix and not self.is_bound and not any(word.wild for word in self.words)

    @property
    def is_bound(self) -> bool:
        """Whether it says what a file has to be that is started."""
        return any(word.identity for word in self.words)

    def means_text(self, text: str) -> bool:
        """Whether this whole command, letter by letter, is what the pattern says."""
        return self.spells_all and normal_text(text) == self.text

    def rest(self, start: int) -> "CommandPattern | None":
        """What it says of the words from here on."""
        return CommandPattern("", self.words[start:], self.prefix) if start < len(self.words) else None


def normal_text(text: str) -> str:
    """The text of a command as it is compared."""
    return text.replace("\r\n", "\n").strip()


def parse_command(text: str, *, generous: bool) -> CommandPattern:
    """What the text means, or UnusablePattern. A restriction may be vaguer than a permission."""
    if len(text) > MAX_LENGTH:
        raise UnusablePattern(f"it is longer than {MAX_LENGTH} characters")
    # One card suggests the same text to be allowed and to be denied, and tries each.
    return _kept(text, generous) if len(text) <= _SHORT else _parsed(text, generous)


@lru_cache(maxsize=256)
def _kept(text: str, generous: bool) -> CommandPattern:
    return _parsed(text, generous)


def _parsed(text: str, generous: bool) -> CommandPattern:
    if "\0" in text:
        raise UnusablePattern("it holds a NUL character")
    plain = normal_text(text)
    prefix = plain.endswith(_PREFIX)
    words = split_words(plain.removesuffix(_PREFIX))
    if words is None:
        if prefix:
            raise UnusablePattern("only plain words can come before “:*”; leave it out to mean exactly this text")
        return CommandPattern(plain)
    if len(words) > 1 and words[-1].is_star and not prefix:
        words, prefix = words[:-1], True
    return _checked(plain, words, prefix, generous=generous)


def _checked(plain: str, words: tuple[PatternWord, ...], prefix: bool, *, generous: bool) -> CommandPattern:
    if not words or not any(word.text for word in words):
        raise UnusablePattern("it names no program; write * where every command is meant")
    assigned = next((at for at, word in enumerate(words) if not _ASSIGNMENT.match(word.text)), len(words))
    if assigned and generous and assigned < len(words):
        words = words[assigned:]
    elif assigned and not prefix and not any(word.wild for word in words):
        return CommandPattern(plain)
    elif assigned:
        raise UnusablePattern("it must begin with the program; leave out what is set before it")
    if not generous and not words[0].text.strip("*?./"):
        raise UnusablePattern("it must name the program")
    bound = () if generous else tuple(map(_bound, words[:_STARTING]))
    return CommandPattern(plain, (*bound, *words[len(bound) :]), prefix)


def _bound(word: PatternWord) -> PatternWord:
    found = None if word.wild else _BOUND.fullmatch(word.text)
    return word if found is None else replace(word, text=found[1], identity=found[2])


def without_identities(text: str) -> str:
    """Words of a permission, for people."""
    return _BOUND_IN_TEXT.sub(r"\1", text)

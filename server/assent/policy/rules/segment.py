"""The pattern of one name: plain characters, `*`, `?` and classes like `[a-z]`.

Matching follows all possibilities at once, as bits of one number: each character of the name is looked at once, however
many stars the pattern has.
"""

from dataclasses import dataclass
from enum import Enum

from assent.policy.rules.spelling import Segment, Spelling


class Wild(Enum):
    """What stands for other characters."""

    ONE = "?"
    MANY = "*"


@dataclass(frozen=True, slots=True)
class Letter:
    """A character that stands for itself; `quoted` where the pattern says so expressly."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One character out of some ranges, or out of all others."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def accepts(self, *spellings: str) -> bool:
        """Whether a character is meant that can be spelled in these ways."""
        return any(low <= one <= high for one in spellings for low, high in self.ranges) is not self.negated


Token = Letter | Wild | CharacterClass
Tokens = tuple[Token, ...]


def plain_text(tokens: Tokens) -> str | None:
    """The one name that these tokens match, or None where there are more."""
    letters = [token.text for token in tokens if isinstance(token, Letter)]
    return "".join(letters) if len(letters) == len(tokens) else None


def what_is_said(tokens: Tokens) -> str:
    """What is left of the pattern without its wildcards."""
    return "".join(token.text for token in tokens if isinstance(token, Letter))


class SegmentGlob:
    """Tokens made ready to be compared with names in one spelling."""

    __slots__ = ("_any", "_caseless", "_classes", "_end", "_letters", "_loops", "ending", "needs", "plain")

    def __init__(self, tokens: Tokens, spelling: Spelling) -> None:
        plain = plain_text(tokens)
        self.plain = None if plain is None else spelling.name(plain)
        self.ending = _ending(tokens, spelling)
        self._caseless = spelling.caseless
        self._letters: dict[str, int] = {}
        self._classes: dict[CharacterClass, int] = {}
        self._any = self._loops = 0
        self._end = 1
        folded = _folded(tokens, spelling)
        for token in folded:
            self._add(token)
        self.needs = self.plain if self.plain is not None else _longest_run(folded)

    def _add(self, token: Token) -> None:
        """A star lets the bit of its position stay; every other token moves it on by one."""
        if token is Wild.MANY:
            self._loops |= self._end
            return
        if isinstance(token, Letter):
            self._letters[token.text] = self._letters.get(token.text, 0) | self._end
        elif isinstance(token, CharacterClass):
            self._classes[token] = self._classes.get(token, 0) | self._end
        else:
            self._any |= self._end
        self._end <<= 1

    def matches(self, name: Segment) -> bool:
        """Whether this is one of the names that the pattern means."""
        if self.plain is not None:
            return name.key == self.plain
        if self.ending is not None:
            return name.key.endswith(self.ending)
        state = 1
        for text, key in zip(name.text, name.key, strict=True):
            accepted = self._letters.get(key, 0) | self._any | self._accepted_by_class(state, text, key)
            state = ((state & accepted) << 1) | (state & self._loops)
            if not state:
                return False
        return bool(state & self._end)

    def _accepted_by_class(self, state: int, text: str, key: str) -> int:
        found = 0
        for one, bits in self._classes.items():
            # “All but a” leaves out A as well where case does not count; it still means the A that it means by itself.
            if state & bits and (
                one.accepts(text) or (self._caseless and one.accepts(text, key, key.upper(), key.lower()))
            ):
                found |= bits
        return found


def _longest_run(tokens: list[Token]) -> str:
    """Characters that every matching name has, one after the other."""
    runs = "".join(token.text if isinstance(token, Letter) else "/" for token in tokens).split("/")
    return max(runs, key=len)


def _ending(tokens: Tokens, spelling: Spelling) -> str | None:
    """What the name must end in, where that and one star in front is all."""
    if not tokens or tokens[0] is not Wild.MANY:
        return None
    rest = plain_text(tokens[1:])
    return None if rest is None else spelling.run(rest)


def _folded(tokens: Tokens, spelling: Spelling) -> list[Token]:
    """Letters are folded together with their neighbours: some make one character with what follows."""
    found: list[Token] = []
    run = ""
    for token in (*tokens, None):
        if isinstance(token, Letter):
            run += token.text
            continue
        found += map(Letter, spelling.run(run))
        run = ""
        if token is not None:
            found.append(token)
    return found

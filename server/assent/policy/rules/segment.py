"""The pattern of one name: plain characters, `*`, `?` and classes like `[a-z]`."""

from enum import Enum
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.spelling import Spelling


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
Pieces = tuple[str | Token, ...]
"""Tokens in which letters that follow one another are one text."""


def plain_text(tokens: Tokens) -> str | None:
    """The one name that these tokens match, or None where there are more."""
    letters = [token.text for token in tokens if isinstance(token, Letter)]
    return "".join(letters) if len(letters) == len(tokens) else None


def what_is_said(tokens: Tokens) -> str:
    """What is left of the pattern without its wildcards."""
    return "".join(token.text for token in tokens if isinstance(token, Letter))


def pieces_of(tokens: Tokens, spelling: Spelling) -> Pieces:
    """The tokens as a spelling compares them. Letters are folded with their neighbours: some make one character."""
    pieces: list[str | Token] = []
    run = ""
    for token in tokens:
        if isinstance(token, Letter):
            run += token.text
            continue
        if run:
            pieces.append(spelling.run(run))
            run = ""
        pieces.append(token)
    if run:
        pieces.append(spelling.run(run))
    return tuple(pieces)


@lru_cache(maxsize=1_024)
def letter(text: str) -> Letter:
    """The same object each time: a long list of rules holds few different characters."""
    return Letter(text)

"""The words of a command's pattern, split as the shell would split plain text: blanks, quotes, backslashes."""

import re
from collections.abc import Iterator
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.pattern import UnusablePattern

_OPERATORS = frozenset("|&;<>()$`\n")
_BLANK = frozenset(" \t")
_ANY, _ONE = "*", "?"


@dataclass(frozen=True, slots=True)
class PatternWord:
    """One word of a pattern. With wildcards it has chunks: what stands between its stars, None for a `?`."""

    text: str
    chunks: tuple[tuple[str | None, ...], ...] = ()
    tilde: bool = False
    """It begins with an unquoted `~/`, or is `~`: the home directory."""
    identity: str = ""
    """What the file has to be that it starts: a digest of what stands in it."""

    @property
    def wild(self) -> bool:
        """Whether it stands for more than one word."""
        return bool(self.chunks)

    @property
    def is_star(self) -> bool:
        """Whether it says nothing but “any”."""
        return self.wild and not any(self.chunks)

    def fits(self, text: str) -> bool:
        """Whether the word is meant, as far as letters go. The time it takes grows with its length alone."""
        if not self.wild:
            return text == self.text
        first, *rest = self.chunks
        if not _stands_at(first, text, 0):
            return False
        if not rest:
            return len(text) == len(first)
        at, last = len(first), rest.pop()
        for chunk in rest:
            found = _find(chunk, text, at)
            if found < 0:
                return False
            at = found + len(chunk)
        end = len(text) - len(last)
        return end >= at and _stands_at(last, text, end)

    def home(self, home: str) -> str:
        """Its text with the home directory in place of the tilde."""
        return home + self.text[1:] if self.tilde and home else self.text


def _find(chunk: tuple[str | None, ...], text: str, at: int) -> int:
    if None not in chunk:
        return text.find("".join(filter(None, chunk)), at)
    plain = "".join("." if one is None else re.escape(one) for one in chunk)
    found = re.compile(plain, re.DOTALL).search(text, at)
    return -1 if found is None else found.start()


def _stands_at(chunk: tuple[str | None, ...], text: str, at: int) -> bool:
    if at + len(chunk) > len(text):
        return False
    return all(one is None or one == text[at + place] for place, one in enumerate(chunk))


@dataclass(slots=True)
class _Word:
    """A word while it is read."""

    pieces: list[str | None] = field(default_factory=list)
    """Letters; `*` and `?` that are wildcards come as texts of two characters, so that no letter is like them."""
    begun: bool = False
    quoted_start: bool = False

    def add(self, text: str) -> None:
        self.pieces.extend(text)
        self.begun = True

    def done(self) -> PatternWord:
        text = "".join((piece or "")[-1:] for piece in self.pieces)
        tilde = not self.quoted_start and (text == "~" or text.startswith("~/"))
        if not any(piece is not None and len(piece) > 1 for piece in self.pieces):
            return PatternWord(text, tilde=tilde)
        chunks: list[tuple[str | None, ...]] = [()]
        for piece in self.pieces:
            if piece == f"\0{_ANY}":
                chunks.append(())
            else:
                chunks[-1] = (*chunks[-1], None if piece == f"\0{_ONE}" else piece)
        return PatternWord(text, tuple(chunks))


def split_words(text: str) -> tuple[PatternWord, ...] | None:
    """The words; None where the text is more than plain words. UnusablePattern where it makes no sense."""
    words: list[PatternWord] = []
    word = _Word()
    characters = iter(text)
    for character in characters:
        if character in _BLANK:
            if word.begun:
                words.append(word.done())
            word = _Word()
        elif character in _OPERATORS or (character == "#" and not word.begun):
            return None
        elif character == "'":
            _begin(word)
            word.add(_until_quote(characters))
        elif character == '"':
            _begin(word)
            inside = _double_quoted(characters)
            if inside is None:
                return None
            word.add(inside)
        elif character == "\\":
            escaped = next(characters, "")
            if escaped in {"", "\n"}:
                return None
            _begin(word)
            word.add(escaped)
        else:
            word.pieces.append(f"\0{character}" if character in {_ANY, _ONE} else character)
            word.begun = True
    if word.begun:
        words.append(word.done())
    return None if any(map(_expands, text.split())) else tuple(words)


def _begin(word: _Word) -> None:
    word.quoted_start = word.quoted_start or not word.begun
    word.begun = True


def _until_quote(characters: Iterator[str]) -> str:
    found: list[str] = []
    for character in characters:
        if character == "'":
            return "".join(found)
        found.append(character)
    raise UnusablePattern("a quote is not closed")


def _double_quoted(characters: Iterator[str]) -> str | None:
    """What stands between double quotes; None where the shell would replace something in it."""
    found: list[str] = []
    for character in characters:
        if character == '"':
            return "".join(found)
        if character in {"$", "`"}:
            return None
        if character == "\\":
            escaped = next(characters, "")
            found.append(escaped if escaped in {"$", "`", '"', "\\"} else f"\\{escaped}")
        else:
            found.append(character)
    raise UnusablePattern("a quote is not closed")


def _expands(word: str) -> bool:
    """`{a,b}` and `{1..3}`: the shell makes several words of it."""
    inside = word.partition("{")[2].rpartition("}")[0]
    return ("," in inside or ".." in inside) and not {"'", '"', "\\"} & set(word)

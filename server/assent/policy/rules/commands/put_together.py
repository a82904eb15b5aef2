"""Words that a shell puts together from variables and outputs: as they are written, not as they are believed to be."""

import re
from dataclasses import replace

from assent.model.commands import Argument, Part, Touch

_ESCAPES = re.compile(r"\\+(?:[abefnrtv]|x[0-9A-Fa-f]{1,2}|0?[0-7]{1,3})")
_SIGNS = ("$", "`")


def is_put_together(word: Argument | Touch) -> bool:
    """Whether more than its text decides what it becomes."""
    return any(sign in word.written for sign in _SIGNS)


def as_written(part: Part) -> Part:
    """The same part where nothing is known of such words, nor of verbs among them."""
    words = tuple(
        replace(word, text="", exact=False, many=True) if is_put_together(word) else word for word in part.words
    )
    known = len(_known_steps(part))
    return replace(part, words=words, steps=part.steps[:known], steps_at=part.steps_at[:known], inner=())


def _known_steps(part: Part) -> list[int]:
    found = []
    for at in part.steps_at:
        if is_put_together(part.words[at]):
            break
        found.append(at)
    return found


def without_escapes(text: str) -> str:
    """The text as it could be once a program has read it: words begin after a new line, however that is written."""
    return _ESCAPES.sub(" ", text)


def could_spell(text: str, name: str) -> bool:
    """Whether the letters of a name stand in the text in their order, in as many pieces as there may be."""
    letters = iter(text.casefold())
    return all(letter in letters for letter in name)

"""What sentences have in common: how they name things, and how what is named becomes a wish."""

import re
from collections.abc import Callable

from assent.model.json import Json
from assent.providers.held import MARK, Held
from assent.providers.wish import Wish

Found = re.Match[str]
"""A sentence that fits a pattern."""
Make = Callable[[Found, Held], Wish | None]
"""Makes the wish of a sentence; None where this is not what it means."""
Phrases = tuple[tuple[str, Make], ...]
"""Patterns of whole sentences, and what they come to."""

THE_FILE = r"(?:the\s+)?(?:file\s+)?"
INTO_A_FILE = rf"\s+(?:to|into|in|as)\s+{THE_FILE}(\S+\.\w+|{MARK})[.!]?"
WITH_INPUTS = rf"(?:\s+with\s+({MARK}|\w+=.+))?"


def naming(tool: str, field: str, words: str) -> Make:
    """A sentence that names the one thing that its tool takes."""

    def make(match: Found, held: Held) -> Wish:
        name = held.name(match[1])
        return Wish(tool, {field: name}, words.format(name))

    return make


def just(tool: str, words: str, **args: Json) -> Make:
    """A sentence that always means the same."""
    return lambda _match, _held: Wish(tool, args, words)

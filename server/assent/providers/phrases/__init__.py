"""The sentences that the demo agent knows, each with the call that it asks for."""

import re

from assent.providers.held import Held
from assent.providers.phrases import documents, editor, files, nodes, pages, programs
from assent.providers.phrases.words import Make
from assent.providers.wish import Wish

_VERBS = (
    "write|put|save|create|make|replace|change|read|show|open|visit|fetch|print|cat|list|ls|find|grep|search|describe|"
    r"run|execute|draw|say|speak|click|type|take\s+a\s+picture|compare|check|kill|ask\s+an?(?:other)?"
)
VERB = re.compile(rf"^(?:{_VERBS})\b", re.IGNORECASE)
"""What a sentence begins with, where it stands behind “and”."""
LONGEST = 4_000
"""A longer sentence is content for a file, or a command: looking for anything else in it would take long."""


def wish_in(sentence: str, held: Held) -> Wish | None:
    """What this sentence asks for, or None."""
    phrases = _ALL if len(sentence) <= LONGEST else _LONG
    found = (make(match, held) for pattern, make in phrases if (match := pattern.match(sentence)))
    return next((wish for wish in found if wish is not None), None)


def _read(*groups: tuple[tuple[str, Make], ...]) -> tuple[tuple[re.Pattern[str], Make], ...]:
    """In their order: the first that fits, and makes a wish, is meant."""
    return tuple((re.compile(rf"^{text}$", re.IGNORECASE), make) for group in groups for text, make in group)


_LONG = _read(files.WRITING, programs.RUNNING)
# What is said in few words comes behind all that begins with the same words and says more.
_ALL = _read(
    files.WRITING,
    files.EDITING,
    pages.PHRASES,
    editor.PHRASES,
    documents.PHRASES,
    nodes.PHRASES,
    programs.IN_BACKGROUND,
    files.LOOKING,
    programs.RUNNING,
)

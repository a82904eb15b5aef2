"""Which tools a hook is for. Without regular expressions: comparing takes time in proportion to the texts."""

import re

from assent.model.hooks import EVERY_TOOL

_LONGEST = 1_000
_PLAIN = re.compile(r"[\w\-.:/@*| ]*")


def fault_of(matcher: object) -> str | None:
    """What is wrong with a matcher, as the end of a sentence, or None. A wrong one counts for every tool."""
    if not isinstance(matcher, str):
        return "a matcher is a text"
    if len(matcher) > _LONGEST:
        return f"a matcher has at most {_LONGEST} characters"
    if not _PLAIN.fullmatch(matcher):
        return "a matcher is made of names, “*” and “|”; it is no regular expression"
    if matcher.strip() and not all(part.strip() for part in matcher.split("|")):
        return "between two “|” of a matcher stands a name"
    return None


def matches(matcher: str, name: str) -> bool:
    """Whether this name is meant. Nothing said means every name, and so does what makes no sense."""
    if fault_of(matcher) is not None or not matcher.strip():
        return True
    return any(_fits(part, name) for part in map(str.strip, matcher.split("|")))


def _fits(pattern: str, name: str) -> bool:
    # Who is used to regular expressions writes “mcp.*” for what is “mcp*” here: both readings are meant.
    return _is_like(pattern, name) or (".*" in pattern and _is_like(pattern.replace(".*", EVERY_TOOL), name))


def _is_like(pattern: str, name: str) -> bool:
    if "*" not in pattern:
        return pattern == name
    first, *middle, last = pattern.split("*")
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        found = name.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True

"""Globs of paths as git reads them: `*` and `?` within one name, `**` for any number of folders, `[a-z]`.

A `?` is one character, where git counts bytes. No disk, and no pattern that costs much: what stands between two stars
is matched where it first fits, for good. A stranger's repository brings patterns and names, and with a search that
goes back and forth a few stars take minutes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


@dataclass(frozen=True, slots=True)
class PathGlob:
    """One pattern, name by name; None stands for `**`."""

    steps: tuple[re.Pattern[str] | None, ...]

    def fits(self, names: Sequence[str]) -> bool:
        """Whether these names, from the pattern's beginning on, are a path that it means."""
        return _fits(self.steps, names)


def path_glob(text: str) -> PathGlob | None:
    """The pattern, or None where it can match nothing. Without a slash before its end it fits at any depth."""
    pattern = text.removesuffix("/")
    floats = "/" not in pattern
    names = pattern.removeprefix("/").split("/")
    steps: list[re.Pattern[str] | None] = [None] if floats else []
    for name in names:
        step = _step(name, alone=floats)
        if isinstance(step, str):
            return None
        if step is not None or not steps or steps[-1] is not None:
            steps.append(step)
    return PathGlob(tuple(steps))


def _step(name: str, *, alone: bool) -> "re.Pattern[str] | str | None":
    """What one name of a pattern says. A text says why it matches nothing."""
    if name == "**" and not alone:
        return None
    compiled = _compiled(name) if name else None
    return compiled if compiled is not None else "nothing has such a name"


def _fits(steps: Sequence["re.Pattern[str] | None"], names: Sequence[str]) -> bool:
    """As stars are matched in a text: only the last `**` is ever tried anew, one name further on."""
    at = step = 0
    retry_step = retry_at = -1
    while at < len(names) or step < len(steps):
        if step < len(steps) and steps[step] is None:
            if step == len(steps) - 1 and step > 0:
                # At the end it stands for what lies in the folder, not for the folder.
                return at < len(names)
            retry_step, retry_at = step, at
            step += 1
            continue
        expected = steps[step] if step < len(steps) else None
        if expected is not None and at < len(names) and expected.fullmatch(names[at]):
            at, step = at + 1, step + 1
        elif retry_step >= 0 and retry_at < len(names):
            retry_at += 1
            at, step = retry_at, retry_step + 1
        else:
            return False
    return True


@lru_cache(maxsize=4_096)
def _compiled(name: str) -> "re.Pattern[str] | None":
    """The regular expression of one name; None where the pattern is broken, which then matches nothing."""
    pieces = _between_stars(name)
    if pieces is None:
        return None
    first, *others = pieces
    if not others:
        return re.compile(first, re.DOTALL)
    middle = "".join(f"(?>.*?{one})" for one in others[:-1])
    return re.compile(f"{first}{middle}.*{others[-1]}", re.DOTALL)


def _between_stars(name: str) -> list[str] | None:
    """The regular expressions of what stands before, between and after the stars."""
    pieces, at = [""], 0
    while at < len(name):
        char = name[at]
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            found = _bracket(name, at)
            if found is None:
                return None
            pieces[-1] += found[0]
            at = found[1]
        else:
            if char == "\\":
                at += 1
                if at == len(name):
                    return None
            pieces[-1] += re.escape(name[at])
        at += 1
    return pieces


def _bracket(name: str, start: int) -> tuple[str, int] | None:
    """The class of characters that begins here, and where it ends; None where it does not."""
    at = start + 1
    negated = name[at : at + 1] in ("!", "^")
    at += negated
    parts: list[str] = []
    first = True
    while at < len(name) and (first or name[at] != "]"):
        first = False
        if name.startswith("[:", at) and (end := name.find(":]", at)) > 0:
            known = _CLASSES.get(name[at + 2 : end])
            if known is None:
                return None
            parts.append(known)
            at = end + 2
            continue
        low, at = _character(name, at)
        if name[at : at + 1] == "-" and name[at + 1 : at + 2] not in ("]", ""):
            high, at = _character(name, at + 1)
            if low <= high:
                parts.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            parts.append(re.escape(low))
    if at >= len(name):
        return None
    if not parts:
        return ("." if negated else "(?!)"), at
    return f"[{'^' if negated else ''}{''.join(parts)}]", at


def _character(name: str, at: int) -> tuple[str, int]:
    """One character of a class, and where the next one stands."""
    if name[at] == "\\" and at + 1 < len(name):
        at += 1
    return name[at], at + 1

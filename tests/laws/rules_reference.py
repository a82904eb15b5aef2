"""What patterns mean, said slowly: every way to share out the characters is tried. For names without odd spellings."""

from collections.abc import Sequence

Names = tuple[str, ...]


def first_that_denies(patterns: Sequence[str], names: Names) -> int | None:
    """The number of the first of many patterns that denies the path: each is looked at."""
    return next((at for at, pattern in enumerate(patterns) if denies(pattern, names)), None)


def first_that_allows(patterns: Sequence[str], names: Names) -> int | None:
    """The number of the first that allows it."""
    return next((at for at, pattern in enumerate(patterns) if allows(pattern, names)), None)


def names_match(pattern: Names, names: Names, fold: bool) -> bool:
    """Whether the names are just those of the pattern."""
    if not pattern:
        return not names
    first, rest = pattern[0], pattern[1:]
    if first == "**" and not rest:
        return bool(names)
    if first == "**":
        return any(names_match(rest, names[skipped:], fold) for skipped in range(len(names) + 1))
    return bool(names) and name_matches(first, names[0], fold) and names_match(rest, names[1:], fold)


def name_matches(pattern: str, name: str, fold: bool) -> bool:
    """Whether one name is what the pattern says."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(name_matches(pattern[1:], name[taken:], fold) for taken in range(len(name) + 1))
    length = pattern.index("]", 2) + 1 if pattern[0] == "[" else 2 if pattern[0] == "\\" else 1
    one, rest = pattern[:length], pattern[length:]
    return bool(name) and character_matches(one, name[0], fold) and name_matches(rest, name[1:], fold)


def character_matches(one: str, character: str, fold: bool) -> bool:
    if one == "?":
        return True
    if one[0] == "[":
        return class_matches(one[1:-1], {character}) or (
            fold and class_matches(one[1:-1], {character.lower(), character.upper()})
        )
    plain = one[-1]
    return plain.lower() == character.lower() if fold else plain == character


def class_matches(inner: str, spellings: set[str]) -> bool:
    negated = inner[0] in "!^"
    members = inner[negated:]
    if len(members) == 3 and members[1] == "-":
        found = any(members[0] <= one <= members[2] for one in spellings)
    else:
        found = any(one in members for one in spellings)
    return found is not negated


def pattern_names(pattern: str) -> Names:
    """The names of a relative pattern, with what gitignore thinks in front of one without a slash."""
    tied = "/" in pattern.rstrip("/")
    names = tuple(name for name in pattern.split("/") if name not in {"", "."})
    return names if tied else ("**", *names)


def denies(pattern: str, names: Names) -> bool:
    """Whether the path, or a folder that it lies in, is what a restriction says."""
    wanted = pattern_names(pattern)
    return any(names_match(wanted, names[:length], fold=True) for length in range(1, len(names) + 1))


def allows(pattern: str, names: Names) -> bool:
    """Whether the path is what a permission says, or lies in a folder that it names."""
    wanted = pattern_names(pattern)
    if not pattern.endswith("/") and names_match(wanted, names, fold=False):
        return True
    last = wanted[-1]
    is_name = not any(character in last.replace("\\*", "").replace("\\?", "") for character in "*?[")
    above = (names[:length] for length in range(1, len(names)))
    return (pattern.endswith("/") or is_name) and any(names_match(wanted, folder, fold=False) for folder in above)

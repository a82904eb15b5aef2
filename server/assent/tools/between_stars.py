"""Names that have to hold certain pieces one behind the other, with anything between them, as stars in patterns say."""

import re
from collections.abc import Sequence


def holding(pieces: Sequence[str]) -> re.Pattern[str]:
    """Takes the regular expressions of what stands before, between and after the stars."""
    first, *others = pieces
    if not others:
        return re.compile(first, re.DOTALL)
    # What stands between two stars is matched where it first fits, for good: without that, many stars never end.
    middle = "".join(f"(?>.*?{one})" for one in others[:-1])
    return re.compile(f"{first}{middle}.*{others[-1]}", re.DOTALL)

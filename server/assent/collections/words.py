"""What somebody asks for, as an expression of the full-text index. No disk.

Every word is quoted, so that no sign in it has a meaning to the index: what is asked for is looked for, nothing else.
"""

import re
from unicodedata import category

LONGEST = 1_000
MOST_WORDS = 32
_PARTS = re.compile(r'"([^"]*)"|([^\s"]+)')


def expression(query: str) -> str | None:
    """Finds what holds any of the words, best what holds most of them; words in quotes only together.

    None where there is no word.
    """
    found: list[str] = []
    for quoted, plain in _PARTS.findall(query[:LONGEST]):
        text = _bare(quoted or plain)
        # Of what signs hold together (`write_file`), each word counts, and all of them in a row once more.
        for one in (text, *(() if quoted else text.split())):
            if one and one not in found:
                found.append(one)
    return " OR ".join(f'"{text}"' for text in found[:MOST_WORDS]) or None


def _bare(text: str) -> str:
    """Letters, digits and what belongs to them, with blanks in the place of all other signs."""
    return " ".join("".join(sign if sign.isalnum() or _belongs(sign) else " " for sign in text).split())


def _belongs(sign: str) -> bool:
    # Marks that change the letter before them: without these, some scripts have other words.
    return category(sign).startswith("M")

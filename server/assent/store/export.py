"""The history as JSON lines: a number, a hash, and the very text that the hash covers."""

import json
import sqlite3

from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass

USUAL_LENGTH = 256 * 1024
MOST_LENGTH = 1024 * 1024
_BEYOND = 1 << 62


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines, the number of the last entry in them, and whether that was the end."""

    text: str
    last: int
    done: bool


def export(connection: sqlite3.Connection, after: int | None, length: int | None) -> Piece:
    """The lines after this entry, about so many characters of them, one at least."""
    most = max(1, min(length or USUAL_LENGTH, MOST_LENGTH))
    start = max(-_BEYOND, min(after, _BEYOND)) if after is not None else -_BEYOND
    lines: list[str] = []
    last, size = after or 0, 0
    rows = connection.execute("SELECT n, hash, body FROM entries WHERE n > ? ORDER BY n", (start,))
    for n, digest, body in rows:
        line = _line(n, digest, body)
        if lines and size + len(line) > most:
            return Piece("".join(lines), last, done=False)
        lines.append(line)
        last, size = n, size + len(line)
    return Piece("".join(lines), last, done=True)


def _line(n: int, digest: object, body: object) -> str:
    text = body if isinstance(body, str) and _is_json(body) else json.dumps(str(body))
    return f'{{"n":{n},"hash":{json.dumps(str(digest))},"entry":{text}}}\n'


def _is_json(body: str) -> bool:
    try:
        read_json(body)
    except NotJson:
        return False
    return "\n" not in body

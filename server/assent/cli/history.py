"""`assent history`: what was decided, on paper. Only reads; a server may be running."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from assent.jsontext import write_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import AssentError
from assent.runtime.places import state_directory
from assent.store import export as exporting
from assent.store import query, verify
from assent.store.reading import reading


@dataclass(frozen=True, slots=True)
class HistoryWish:
    """What stands on the command line."""

    action: str
    filters: query.Filters
    as_json: bool = False
    after: int | None = None
    out: Path | None = None


def history(wish: HistoryWish) -> int:
    """Does it. 0: done, and nothing is wrong; 1: the history is not as it was written; 2: it cannot be looked at."""
    try:
        match wish.action:
            case "verify":
                return _verify(as_json=wish.as_json)
            case "export":
                return _export(wish)
        return _list(wish)
    except (AssentError, query.InvalidTime, OSError) as fault:
        sys.stderr.write(f"assent: {fault}\n")
        return 2


def _list(wish: HistoryWish) -> int:
    with reading(state_directory()) as connection:
        page = query.look_up(connection, wish.filters)
    if wish.as_json:
        for kept in page.entries:
            line = {"n": kept.n, "hash": kept.hash, **kept.fields}
            sys.stdout.write(write_json(line).decode("ascii") + "\n")
        return 0
    for text in _table(page.entries):
        sys.stdout.write(text + "\n")
    if not page.entries:
        sys.stdout.write("Nothing fits." if not page.more else "Nothing that fits was found yet.")
        sys.stdout.write("\n")
    elif page.more:
        sys.stdout.write(f"There are older ones: --before {page.entries[-1].n}\n")
    return 0


def _export(wish: HistoryWish) -> int:
    with reading(state_directory()) as connection:
        after, done = wish.after, False
        stream = wish.out.open("w", encoding="ascii") if wish.out is not None else sys.stdout
        try:
            while not done:
                piece = exporting.export(connection, after, None)
                stream.write(piece.text)
                after, done = piece.last, piece.done
        finally:
            if stream is not sys.stdout:
                stream.close()
    return 0


def _verify(*, as_json: bool) -> int:
    found = verify.verify(state_directory())
    if as_json:
        fields = {
            "intact": found.intact,
            "entries": found.entries,
            "firstBroken": found.first_broken,
            "problem": found.problem,
        }
        sys.stdout.write(write_json(fields).decode("ascii") + "\n")
    elif found.intact:
        many = "1 entry" if found.entries == 1 else f"{found.entries} entries"
        sys.stdout.write(f"The history is as it was written: {many}.\n")
    else:
        sys.stdout.write(f"The history is NOT as it was written. {found.problem}\n")
    return 0 if found.intact else 1


_HEADS = ("entry", "time (UTC)", "stage", "ending", "by", "agent", "call (reason)")
"""Most are called as what they can be filtered by."""
_WIDEST = 24


def _table(entries: Sequence[query.Kept]) -> Iterator[str]:
    """A line an entry below the heads of the columns; nothing where there is no entry."""
    if not entries:
        return
    rows = [_HEADS, *map(_cells, entries)]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for number, *cells, last in rows:
        # What is longer than usual moves the rest of its own line, not of all.
        padded = [f"{cell:<{min(width, _WIDEST)}}" for cell, width in zip(cells, widths[1:-1], strict=True)]
        yield "  ".join([f"{number:>{widths[0]}}", *padded, last]).rstrip()


def _cells(kept: query.Kept) -> tuple[str, ...]:
    fields = kept.fields
    known = [_visible(str(fields.get(name) or "")) for name in ("at", "stage", "ending", "by", "agent_name")]
    about = str(fields.get("headline") or fields.get("tool") or "")
    reason = f" ({fields['text']})" if fields.get("text") else ""
    return (str(kept.n), *known, _visible(about + reason))


def _visible(text: str) -> str:
    """On one line, and without characters that would act on a terminal or not be seen on it."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)

"""`assent history`: what was decided, on paper. Only reads; a server may be running."""

import sys
from dataclasses import dataclass
from pathlib import Path

from assent.jsontext import write_json
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
    for kept in page.entries:
        sys.stdout.write(_line(kept) + "\n")
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


def _line(kept: query.Kept) -> str:
    fields = kept.fields
    what = " ".join(str(fields.get(name, "")) for name in ("stage", "ending", "by") if fields.get(name))
    about = fields.get("headline") or fields.get("tool") or ""
    words = [f"{kept.n:>7}", str(fields.get("at", "")), f"{what:<26}", str(fields.get("agent_name", "")), str(about)]
    if fields.get("text"):
        words.append(f"({fields['text']})")
    return _visible("  ".join(words))


def _visible(text: str) -> str:
    """On one line, and without characters that would act on a terminal or not be seen on it."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)

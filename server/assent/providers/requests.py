"""What the demo agent understands: plain requests, in groups that run one after another."""

import re

from assent.model.json import Json
from assent.providers.held import Held
from assent.providers.phrases import VERB, wish_in
from assent.providers.phrases.files import reading
from assent.providers.phrases.programs import running
from assent.providers.wish import Plan, Wish

_NEXT = re.compile(r"\s*(?:[,;.]?\s*\b(?:and\s+)?then\b[,:]?|;|\n)\s*", re.IGNORECASE)
_BESIDE = re.compile(r"(\s*(?:,\s*and\b|,|\band\b)\s*)", re.IGNORECASE)
_POLITE = re.compile(r"^(?:please|now|first|can you|could you)\b[,:]?\s*|\s*\bplease$", re.IGNORECASE)
_ALL_OF_IT = re.compile(
    r"^(?:please\s+)?(?:run|execute)(?:\s+(?:the|this))?(?:\s+command)?"
    r"(?:\s+(?P<where>in\s+the\s+(?:background|sandbox)))?:\s*",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"^(?:please\s+)?to[ -]?do:\s*", re.IGNORECASE)
_DONE = re.compile(r"^\[x\]\s*", re.IGNORECASE)
_HAND_ON = re.compile(r"^ask\s+(?:a|another)\s+(?:sub-?agent|helper)\s+to\s+(.+)$", re.IGNORECASE)
LONGEST_TITLE = 60
LONGEST_HANDED_ON = 1_000


def understand(text: str) -> Plan | None:
    """The plan in this message, or None where any part of it is not understood: half a request is not carried out."""
    text = text.strip()
    start = _ALL_OF_IT.match(text)
    if start and (command := text[start.end() :]):
        return ((running(command, (start["where"] or "").lower().rpartition(" ")[2]),),)
    start = _TO_DO.match(text)
    if start and (todos := _todos(text[start.end() :])):
        return ((Wish("todo_write", {"todos": todos}, "keep a list of that"),),)
    held = Held(text)
    groups = [_group(part, held) for part in _NEXT.split(held.text) if part.strip()]
    if not groups or any(group is None for group in groups):
        return None
    return tuple(group for group in groups if group is not None)


def _todos(text: str) -> list[Json]:
    """What stands between commas, semicolons and line ends; the first that is not done is begun."""
    todos: list[Json] = []
    begun = False
    for piece in filter(None, (piece.strip() for piece in re.split(r"[,;\n]", text))):
        done = _DONE.match(piece)
        status = "completed" if done else "pending" if begun else "in_progress"
        begun = begun or not done
        todos.append({"content": piece[done.end() :] if done else piece, "status": status})
    return todos


def _group(text: str, held: Held) -> tuple[Wish, ...] | None:
    wishes: list[Wish] = []
    for clause in _clauses(text, held):
        wish = wish_in(clause, held) or _handed_on(clause, held) or _same_again(clause, wishes, held)
        if wish is None:
            return None
        wishes.append(wish)
    return tuple(wishes) or None


def _clauses(text: str, held: Held) -> list[str]:
    """Cut at “and” and commas, but only where a new request begins or a list of names to read goes on."""
    pieces = _BESIDE.split(text)
    clauses = [_plain(pieces[0])]
    naming = _reads(clauses[0], held)
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        plain = _plain(piece)
        if VERB.match(plain):
            clauses.append(plain)
            naming = _reads(plain, held)
        elif naming and " " not in plain:
            clauses.append(plain)
        else:
            clauses[-1] += joint + piece
    return clauses


def _reads(clause: str, held: Held) -> bool:
    wish = wish_in(clause, held)
    return wish is not None and wish.tool == "read_file"


def _plain(piece: str) -> str:
    return _POLITE.sub("", piece.strip())


def _handed_on(clause: str, held: Held) -> Wish | None:
    """Something for a sub-agent, which is the same kind of model."""
    match = _HAND_ON.match(clause)
    if match is None:
        return None
    instructions = held.restore(match[1]) if held.is_whole(match[1]) else held.quoted(match[1])
    if len(instructions) > LONGEST_HANDED_ON or understand(instructions) is None:
        return None
    line = " ".join(instructions.split())
    title = line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1]}…"
    return Wish("run_subtask", {"title": title, "instructions": instructions}, f"ask a sub-agent to {title}")


def _same_again(clause: str, before: list[Wish], held: Held) -> Wish | None:
    if before and before[-1].tool == "read_file" and clause and " " not in clause:
        return reading(held.name(clause))
    return None

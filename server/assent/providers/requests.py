"""What the demo agent understands: plain requests, in groups that run one after another."""

import re
from dataclasses import dataclass

from assent.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing to do: the tool for it, its arguments, and the words for it."""

    tool: str
    args: JsonObject
    words: str


Plan = tuple[tuple[Wish, ...], ...]
"""Groups of wishes: those of a group are begun together, a group after the one before it."""

# An apostrophe within a word quotes nothing.
_QUOTED = re.compile(r"\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)|“([^”]*)”|`([^`]*)`")
_HELD = re.compile("\ue000([0-9]+)\ue001")
_NEXT = re.compile(r"\s*(?:[,;.]?\s*\b(?:and\s+)?then\b[,:]?|;|\n)\s*", re.IGNORECASE)
_BESIDE = re.compile(r"(\s*(?:,\s*and\b|,|\band\b)\s*)", re.IGNORECASE)
_POLITE = re.compile(r"^(?:please|now|first|can you|could you)\b[,:]?\s*|\s*\bplease$", re.IGNORECASE)

_WRITE = re.compile(r"^(?:write|put|save)\s+(.+)\s+(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?(\S+)$", re.IGNORECASE)
_CREATE = re.compile(
    r"^(?:create|make)\s+(?:the\s+|a\s+)?(?:file\s+)?(\S+)\s+(?:with|containing)\s+(.+)$", re.IGNORECASE
)
_READ = re.compile(r"^(?:read|show|open|print|cat)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?(\S+)$", re.IGNORECASE)
_LIST = re.compile(
    r"^(?:list|ls)(?:\s+(?:the|all))?(?:\s+(?:files|folder|directory))?(?:\s+(?:in|of))?(?:\s+(\S+))?$", re.IGNORECASE
)
# In words that are not quoted, this is the end of another request: “write a to a.txt, b to b.txt”.
_TO_A_FILE = re.compile(r"\b(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?(?:\S+\.\w|\ue000)", re.IGNORECASE)
_ALL_OF_IT = re.compile(
    r"^(?:please\s+)?(?:run|execute)(?:\s+(?:the|this))?(?:\s+command)?"
    r"(?:\s+(?P<where>in\s+the\s+(?:background|sandbox)))?:\s*",
    re.IGNORECASE,
)
_FLOWS = re.compile(r"^list\s+(?:the\s+)?workflows$", re.IGNORECASE)
_FLOW = re.compile(r"^run\s+(?:the\s+)?(workflow|task)\s+(.+)$", re.IGNORECASE)
_RUN = re.compile(r"^(?:run|execute)\s+(?:the\s+)?(?:command\s+)?(.+)$", re.IGNORECASE)
_HAND_ON = re.compile(r"^ask\s+(?:a|another)\s+(?:sub-?agent|helper)\s+to\s+(.+)$", re.IGNORECASE)
_VERB = re.compile(
    r"^(?:write|put|save|create|make|read|show|open|print|cat|list|ls|run|execute|ask\s+an?(?:other)?)\b", re.IGNORECASE
)
LONGEST_TITLE = 60
LONGEST_HANDED_ON = 1_000


def understand(text: str) -> Plan | None:
    """The plan in this message, or None where any part of it is not understood: half a request is not carried out."""
    start = _ALL_OF_IT.match(text.strip())
    if start and (command := text.strip()[start.end() :]):
        return ((_run(command, (start["where"] or "").lower().rpartition(" ")[2]),),)
    held: list[str] = []
    masked = _QUOTED.sub(lambda match: _hold(match, held), text.strip())
    groups = [_group(part, held) for part in _NEXT.split(masked) if part.strip()]
    if not groups or any(group is None for group in groups):
        return None
    return tuple(group for group in groups if group is not None)


def _hold(match: "re.Match[str]", held: list[str]) -> str:
    """Quoted text is taken as it stands, whatever words it holds; only \\n means a line end."""
    inner = next(group for group in match.groups() if group is not None)
    held.append(inner.replace("\\n", "\n"))
    return f"\ue000{len(held) - 1}\ue001"


def _restore(text: str, held: list[str]) -> str:
    return _HELD.sub(lambda match: held[int(match.group(1))] if int(match.group(1)) < len(held) else "", text)


def _group(text: str, held: list[str]) -> tuple[Wish, ...] | None:
    wishes: list[Wish] = []
    for clause in _clauses(text):
        wish = _wish(clause, held) or _same_again(clause, wishes, held)
        if wish is None:
            return None
        wishes.append(wish)
    return tuple(wishes) or None


def _clauses(text: str) -> list[str]:
    """Cut at “and” and commas, but only where a new request begins or a list of names to read goes on."""
    pieces = _BESIDE.split(text)
    clauses = [_plain(pieces[0])]
    naming = bool(_READ.match(clauses[0]))
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        plain = _plain(piece)
        if _VERB.match(plain):
            clauses.append(plain)
            naming = bool(_READ.match(plain))
        elif naming and " " not in plain:
            clauses.append(plain)
        else:
            clauses[-1] += joint + piece
    return clauses


def _plain(piece: str) -> str:
    return _POLITE.sub("", piece.strip())


def _wish(clause: str, held: list[str]) -> Wish | None:
    if match := _WRITE.match(clause):
        if _TO_A_FILE.search(match.group(1)):
            return None
        return _write(_restore(match.group(1), held), _path(match.group(2), held))
    if match := _CREATE.match(clause):
        return _write(_restore(match.group(2), held), _path(match.group(1), held))
    if match := _READ.match(clause):
        return _read(_path(match.group(1), held))
    if _FLOWS.match(clause):
        return Wish("list_workflows", {}, "list the workflows")
    if match := _FLOW.match(clause):
        return _flow(match.group(1), _restore(match.group(2), held))
    if match := _LIST.match(clause):
        folder = _path(match.group(1), held) if match.group(1) else "."
        return Wish("list_files", {"path": folder}, f"list {'the files' if folder == '.' else folder}")
    if match := _RUN.match(clause):
        return _run(_restore(match.group(1), held))
    if match := _HAND_ON.match(clause):
        return _hand_on(_restore(match.group(1), held) if _HELD.fullmatch(match.group(1)) else _quoted(match, held))
    return None


def _quoted(match: "re.Match[str]", held: list[str]) -> str:
    """What is quoted is so for the sub-agent, too."""
    marked = (f"`{text}`" if '"' in text else f'"{text}"' for text in held)
    return _restore(match.group(1), list(marked))


def _hand_on(instructions: str) -> Wish | None:
    """Something for a sub-agent, which is the same kind of model."""
    if len(instructions) > LONGEST_HANDED_ON or understand(instructions) is None:
        return None
    line = " ".join(instructions.split())
    title = line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1]}…"
    return Wish("run_subtask", {"title": title, "instructions": instructions}, f"ask a sub-agent to {title}")


def _flow(kind: str, name: str) -> Wish:
    prefix = "task:" if kind.lower() == "task" else "file:"
    workflow_id = name if name.startswith(("file:", "task:")) else prefix + name
    return Wish("run_workflow", {"workflow_id": workflow_id}, f"run the {kind.lower()} {name}")


def _same_again(clause: str, before: list[Wish], held: list[str]) -> Wish | None:
    if before and before[-1].tool == "read_file" and clause and " " not in clause:
        return _read(_path(clause, held))
    return None


def _write(content: str, path: str) -> Wish:
    return Wish("write_file", {"path": path, "content": content}, f"write {path}")


def _run(command: str, where: str = "") -> Wish:
    """All that follows “run:” is one command, to the end of the message, as it stands."""
    first, _, rest = command.partition("\n")
    args: dict[str, Json] = {"command": command}
    if where:
        args[where] = True
    return Wish("bash", args, f"run {first}" + (" …" if rest else ""))


def _read(path: str) -> Wish:
    return Wish("read_file", {"path": path}, f"read {path}")


def _path(text: str, held: list[str]) -> str:
    # What ends the sentence is no part of the name, unless it is quoted, or all that there is: “list ..”.
    return _restore(text.rstrip(".,!?") or text, held)

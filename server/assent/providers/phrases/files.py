"""Sentences about files."""

import re

from assent.model.json import Json
from assent.providers.held import Held
from assent.providers.phrases.words import THE_FILE, Found, Phrases
from assent.providers.wish import Wish

# In words that are not quoted, this is the end of another request: “write a to a.txt, b to b.txt”.
_TO_A_FILE = re.compile(rf"\b(?:to|into|in)\s+{THE_FILE}(?:\S+\.\w|\ue000)", re.IGNORECASE)
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")


def reading(path: str) -> Wish:
    """That a file is read."""
    return Wish("read_file", {"path": path}, f"read {path}")


def _write(match: Found, held: Held) -> Wish | None:
    if _TO_A_FILE.search(match[1]):
        return None
    return _writing(held.restore(match[1]), held.name(match[2]))


def _create(match: Found, held: Held) -> Wish:
    return _writing(held.restore(match[2]), held.name(match[1]))


def _writing(content: str, path: str) -> Wish:
    return Wish("write_file", {"path": path, "content": content}, f"write {path}")


def _replace(match: Found, held: Held) -> Wish:
    edit: dict[str, Json] = {"old": held.restore(match[2]), "new": held.restore(match[3])}
    if match[1]:
        edit["all"] = True
    path = held.name(match[4])
    return Wish("edit_file", {"path": path, "edits": [edit]}, f"edit {path}")


def _read(match: Found, held: Held) -> Wish:
    return reading(held.name(match[1]))


def _list(match: Found, held: Held) -> Wish:
    folder = held.name(match[1]) if match[1] else "."
    return Wish("list_files", {"path": folder}, f"list {'the files' if folder == '.' else folder}")


def _find(match: Found, held: Held) -> Wish:
    pattern = held.name(match[1])
    return Wish("glob", {"pattern": pattern, **_place(match[2], held)}, f"find {pattern}")


def _search(match: Found, held: Held) -> Wish:
    """Words to look for are no pattern: what means something in one is looked for itself."""
    words = held.name(match[2])
    args: dict[str, Json] = {"pattern": _SPECIAL.sub(r"\\\g<0>", words), **_place(match[1], held)}
    return Wish("grep", args, f"search the files for {words}")


def _grep(match: Found, held: Held) -> Wish:
    pattern = held.name(match[1])
    return Wish("grep", {"pattern": pattern, **_place(match[2], held)}, f"grep {pattern}")


def _place(named: str | None, held: Held) -> dict[str, Json]:
    return {"path": held.name(named)} if named else {}


WRITING: Phrases = (
    (rf"(?:write|put|save)\s+(.+)\s+(?:to|into|in)\s+{THE_FILE}(\S+)", _write),
    (r"(?:create|make)\s+(?:the\s+|a\s+)?(?:file\s+)?(\S+)\s+(?:with|containing)\s+(.+)", _create),
)
EDITING: Phrases = (
    (rf"replace\s+(every\s+|all\s+)?(.+?)\s+(?:with|by)\s+(.+)\s+in\s+{THE_FILE}(\S+)", _replace),
    (rf"change\s+(every\s+|all\s+)?(.+?)\s+(?:to|into)\s+(.+)\s+in\s+{THE_FILE}(\S+)", _replace),
)
LOOKING: Phrases = (
    (rf"(?:read|show|open|print|cat)\s+(?:me\s+)?{THE_FILE}(\S+)", _read),
    (r"(?:list|ls)(?:\s+(?:the|all))?(?:\s+(?:files|folder|directory))?(?:\s+(?:in|of))?(?:\s+(\S+))?", _list),
    (r"find\s+(?:the\s+|all\s+)?(?:files?\s+)?(?:named\s+|called\s+)?(\S+)(?:\s+in\s+(\S+))?", _find),
    (r"grep\s+(\S+)(?:\s+(?:in\s+)?(\S+))?", _grep),
    (r"search(?:\s+(?:the\s+)?files)?(?:\s+in\s+(\S+))?\s+for\s+(.+)", _search),
)

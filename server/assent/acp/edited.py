"""What a file would hold after the edits that an agent announces. Pure: it may tell a snippet, or the whole file."""

from collections.abc import Sequence

from assent.acp.words import Diff
from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edited:
    """The content as it would be, as far as that can be told."""

    content: str
    doubt: str = ""
    """Why it may become something else, as a sentence."""


def edited(current: str | None, edits: Sequence[Diff]) -> Edited:
    """The content after these edits of one file, in their order. `current` is None where there is no file."""
    content, doubts = current, [_WHOLE_TWICE] if len(edits) > 1 and any(one.old is None for one in edits) else []
    for edit in edits:
        one = _after(content, edit)
        content = one.content
        if one.doubt and one.doubt not in doubts:
            doubts.append(one.doubt)
    return Edited(content or "", " ".join(doubts))


_ANOTHER = "The agent wants to replace what the file does not hold, so what it would really do is unknown."
_WHOLE_TWICE = "The agent gives the whole content of one file beside other changes of it; not both can be meant."
_SEVERAL = "What is to be replaced stands in the file several times; only the first of them is shown as changed."
_EMPTIED = "The agent says that the file is new, but there is one."


def _after(current: str | None, edit: Diff) -> Edited:
    old, new = edit.old, edit.new
    if current is None:
        return Edited(new, _ANOTHER if old else "")
    if old is None:
        return Edited(new)
    if _same(old, current):
        return Edited(_with_end_of(current, old, new))
    if not old:
        return Edited(new, _EMPTIED if current else "")
    times = current.count(old)
    if times == 0:
        # Line ends are told as the agent has read them, which need not be those of the file.
        plain = current.replace("\r\n", "\n")
        if plain == current or old not in plain:
            return Edited(new, _ANOTHER)
        return Edited(plain.replace(old, new, 1).replace("\n", "\r\n"), _SEVERAL if plain.count(old) > 1 else "")
    return Edited(current.replace(old, new, 1), _SEVERAL if times > 1 else "")


def _same(told: str, current: str) -> bool:
    return told == current or told == current.removesuffix("\n")


def _with_end_of(current: str, old: str, new: str) -> str:
    """Some agents leave the last line end out of both contents: then it stays."""
    left_out = current.endswith("\n") and not old.endswith("\n")
    return f"{new}\n" if left_out and new and not new.endswith("\n") else new

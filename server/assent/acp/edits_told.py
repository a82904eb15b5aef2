"""The changes of files that an agent shows, and those that it asks for: the same, more of it, or something else."""

from collections.abc import Iterable
from dataclasses import replace

from assent.acp.arguments import Shown
from assent.acp.paths_told import Compared, is_address, local, may_be_same
from assent.acp.words import Content, Diff

_LENGTH = "the length of its content"


def joined_edits(content: Iterable[Content], shown: Shown) -> tuple[tuple[Diff, ...], tuple[str, ...]]:
    """Of the content and of the arguments: the content shows more of the same file, and the rest is told on top.

    The second is what contradicts itself.
    """
    edits, differ = _joined(content, shown)
    shown.unread.extend(_LENGTH for length in shown.lengths if all(len(one.new) != length for one in edits))
    return edits, differ


def _joined(content: Iterable[Content], shown: Shown) -> tuple[tuple[Diff, ...], tuple[str, ...]]:
    told = tuple(
        _with_its_end(replace(one, path=local(one.path)), shown.edits) for one in content if isinstance(one, Diff)
    )
    shown.unread.extend(one.path for one in told if is_address(one.path))
    if not told:
        return _once(shown.edits), ()
    files, paths = Compared(one.path for one in told), {one.path for one in told}
    elsewhere = [one for one in shown.edits if one.path not in paths and not files.has_one_like(one.path)]
    otherwise = _told_otherwise(told, shown.edits)
    # One file in two spellings is one file, and its whole path is checked as well: it stands among those written.
    shown.writes.extend(one.path for one in shown.edits if one.path not in paths and files.has_one_like(one.path))
    differ = (
        *(f"it shows a change of {told[0].path}, and asks for one of {one.path}." for one in elsewhere[:1]),
        *(f"it shows one new content of {one.path}, and asks for another." for one in otherwise[:1]),
    )
    return _once((*told, *elsewhere, *otherwise)), differ


def _told_otherwise(told: Iterable[Diff], asked: Iterable[Diff]) -> list[Diff]:
    """Those that are no part of what is shown of their file, where anything is."""
    shown: dict[str, list[Diff]] = {}
    for one in told:
        shown.setdefault(one.path, []).append(one)
    return [one for one in asked if one.path in shown and not any(_is_part_of(one, all_) for all_ in shown[one.path])]


def _is_part_of(one: Diff, shown: Diff) -> bool:
    """A line end at the end is told by some, and not by others."""
    old, new = (one.old or "").rstrip("\n"), one.new.rstrip("\n")
    if not old:
        return new == shown.new.rstrip("\n")
    # Some show a change with the lines around it, and ask for it without them; or the other way round.
    inner, outer = (shown.old or "").rstrip("\n"), shown.new.rstrip("\n")
    if inner and inner in old and old.replace(inner, outer, 1) == new:
        return True
    return new in shown.new and (bool(new) or old not in shown.new)


def _with_its_end(told: Diff, asked: Iterable[Diff]) -> Diff:
    """A new file as it is asked for: some leave the last line end out of what they show."""
    whole = f"{told.new}\n"
    meant = any(one.old is None and one.new == whole and may_be_same(one.path, told.path) for one in asked)
    return replace(told, new=whole) if meant and not told.old else told


def _once(values: Iterable[Diff]) -> tuple[Diff, ...]:
    return tuple(dict.fromkeys(values))

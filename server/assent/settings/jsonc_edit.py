"""Changes one entry of a settings text and leaves every other byte as it was: comments, order, line ends, spelling."""

import json
from collections.abc import Callable, Sequence

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.faults import JsonFault
from assent.settings.jsonc import Document, Member, Node, parse, skip_trivia
from assent.settings.jsonc_layout import (
    Style,
    alone_on_line,
    end_of_line_comments,
    is_inline,
    last_comment_end,
    require_json,
    style_of,
    write_key,
    write_value,
)
from assent.settings.spelling import PREFIX, find_setting, spelled_out


@dataclass(frozen=True, slots=True)
class _Splice:
    """Puts `text` in the place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str = ""


def set_entry(text: str, path: Sequence[str], value: Json, within: str | None = None) -> str:
    """The text with the value at this path. The first step is a setting's full name, in either spelling.

    `within`: the settings are the member of this name, here and in the functions below. Missing objects are made, at
    the end of the one they belong to. A JsonFault where the text does not parse or something else than an object stands
    on the way: then nothing can be changed without destroying it.
    """
    require_json(value)
    found = _opened(text, within)
    document, root = found.document, found.root
    if root is None and within is not None:
        return set_entry(text, (within, *path), value)
    if root is None:
        return found.checked(text + _first_object(document, path, value), _with_entry({}, path, value))
    members = _existing(document, root, path)
    names = [member.key for member in members]
    missing = path[_steps(names, path) :]
    if missing:
        splices = _insert(document, [*found.holders, *(member.node for member in members)], missing, value)
    elif _same(members[-1].node.value, value):
        return text
    else:
        splices = [_replace(document, found.holders, members, value)]
    return found.checked(_apply(text, splices), _with_entry(root.value, [*names, *missing], value))


def append_item(text: str, path: Sequence[str], value: Json, within: str | None = None) -> str:
    """The text with the value at the end of the list at this path, or the same text where the list holds it already.

    A missing list is made. Faults as `set_entry` does, also where something else than a list stands there.
    """
    require_json(value)
    found = _opened(text, within)
    document, root = found.document, found.root
    members = _existing(document, root, path) if root else []
    names = [member.key for member in members]
    if root is None or _steps(names, path) < len(path):
        return set_entry(text, path, [value], within)
    node = members[-1].node
    if node.items is None:
        line, column = document.place(node.start)
        raise JsonFault(f"{write_key(names[-1])} should hold [ ] here, and holds something else", line, column)
    if any(_same(item.value, value) for item in node.items):
        return text
    holders = [*found.holders, *(member.node for member in members[:-1]), _as_object(text, node, node.items)]
    style = style_of(document, holders[-1], inline=_inline(document, holders))
    written = write_value(value, style)
    last = holders[-1].members
    splices = _behind(text, last[-1], written, style) if last else [_into_empty(text, holders[-1], written, style)]
    expected: list[Json] = [*(item.value for item in node.items), value]
    return found.checked(_apply(text, splices), _with_entry(root.value, names, expected))


def remove_item(text: str, path: Sequence[str], value: Json, within: str | None = None) -> str:
    """The text without this value in the list at this path, in whichever spelling and how often it stands there."""
    found = _opened(text, within)
    if found.root is None:
        return text
    key, *below = path
    nodes = [member.node for name, member in spelled_out(found.root) if f"{PREFIX}.{name}" == key]
    for step in below:
        nodes = [member.node for node in nodes for member in node.members or () if member.key == step]
    splices = [
        splice
        for node in nodes
        for splice in _cut_out(text, _as_members(text, node.items or ()), lambda one: _same(one.node.value, value))
    ]
    outer, _, inner = key.partition(".")
    expected = _without_item(_without_item(found.root.value, [key, *below], value), [outer, inner, *below], value)
    return found.checked(_apply(text, splices), expected)


def cuts(text: str, holder: Node, gone: Node) -> list[tuple[int, int]]:
    """The stretches to take out of the text, so that this member or item of the holder is not there any more."""
    members = holder.members if holder.members is not None else _as_members(text, holder.items or ())
    splices = _cut_out(text, members, lambda member: member.node is gone)
    return [(splice.start, splice.end) for splice in sorted(splices, key=lambda splice: splice.start)]


def _without_item(value: Json, names: Sequence[str], item: Json) -> Json:
    if not names:
        return [one for one in value if not _same(one, item)] if isinstance(value, list) else value
    if not isinstance(value, dict) or names[0] not in value:
        return value
    return {**value, names[0]: _without_item(value[names[0]], names[1:], item)}


def _as_members(text: str, items: Sequence[Node]) -> list[Member]:
    """The items of a list as if they were members of an object, each with the comma behind it."""
    members = [Member("", item.start, item) for item in items]
    for member in members:
        comma = skip_trivia(text, member.node.end, JsonFault)
        member.comma = comma if text.startswith(",", comma) else None
    return members


def _as_object(text: str, node: Node, items: Sequence[Node]) -> Node:
    """A list as if its items were the members of an object, which are laid out alike."""
    members = [Member("", item.start, item) for item in items]
    if members:
        comma = skip_trivia(text, members[-1].node.end, JsonFault)
        members[-1].comma = comma if text.startswith(",", comma) else None
    return Node(node.start, node.end, None, members=members)


def remove_entry(text: str, path: Sequence[str], within: str | None = None) -> str:
    """The text without this entry, or the same text where it is not set. Faults as `set_entry` does."""
    found = _opened(text, within)
    if found.root is None:
        return text
    members = _existing(found.document, found.root, path)
    names = [member.key for member in members]
    if not members or _steps(names, path) < len(path):
        return text
    holders = [found.root, *(member.node for member in members)]
    occurrences = [(holders[-2], names)] if len(path) > 1 else _spellings(found.root, path[0])
    changed = _apply(text, [splice for holder, named in occurrences for splice in _remove(text, holder, named[-1])])
    expected = found.root.value
    for _, named in occurrences:
        expected = _without_entry(expected, named)
    return found.checked(changed, expected)


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings in a text: all that stands there, or one member of it."""

    document: Document
    root: Node | None
    """What holds them; None where nothing does."""
    within: str | None

    @property
    def holders(self) -> list[Node]:
        """The objects around their entries, from the outside."""
        nodes = (self.document.root if self.within is not None else None, self.root)
        return [node for node in nodes if node is not None]

    def checked(self, changed: str, expected: Json) -> str:
        """The changed text, if its settings read as they should, and all around them as before."""
        whole = expected if self.within is None else _with_entry(self.document.value, [self.within], expected)
        if not _same(parse(changed).value, whole):
            raise JsonFault("this entry cannot be changed so that the rest reads the same as before")
        return changed


def _opened(text: str, within: str | None) -> _Settings:
    document = parse(text)
    if within is None or document.root is None:
        return _Settings(document, document.root, within if document.root else None)
    _require_object(document, document.root, "the file")
    return _Settings(document, document.find(within), within)


def _existing(document: Document, root: Node, path: Sequence[str]) -> list[Member]:
    """The members that lead down the path, as far as it exists."""
    _require_object(document, root, "the file")
    members = list(find_setting(root, path[0]))
    if not members:
        return []
    for step in path[1:]:
        _require_object(document, members[-1].node, f"the entry {json.dumps(members[-1].key)}")
        below = members[-1].node.last.get(step)
        if below is None:
            break
        members.append(below)
    return members


def _require_object(document: Document, node: Node, what: str) -> None:
    if node.members is None:
        line, column = document.place(node.start)
        raise JsonFault(f"{what} should hold {{ }} here, and holds something else; it was left as it is", line, column)


def _steps(names: Sequence[str], path: Sequence[str]) -> int:
    """How many steps of the path these members cover: the nested spelling takes two members for the first step."""
    nested = bool(names) and names[0] != path[0]
    return len(names) - nested


def _replace(document: Document, above: Sequence[Node], members: Sequence[Member], value: Json) -> _Splice:
    member = members[-1]
    holders = [*above, *(one.node for one in members[:-1])]
    style = style_of(document, holders[-1], inline=_inline(document, holders))
    return _Splice(member.node.start, member.node.end, write_value(value, style))


def _insert(document: Document, holders: Sequence[Node], missing: Sequence[str], value: Json) -> list[_Splice]:
    holder = holders[-1]
    for key in reversed(missing[1:]):
        value = {key: value}
    style = style_of(document, holder, inline=_inline(document, holders))
    entry = f"{write_key(missing[0])}: {write_value(value, style)}"
    if not holder.members:
        return [_into_empty(document.text, holder, entry, style)]
    return _behind(document.text, holder.members[-1], entry, style)


def _inline(document: Document, holders: Sequence[Node]) -> bool:
    inline = False
    for holder in holders:
        inline = is_inline(document.text, holder, like_parent=inline)
    return inline


def _into_empty(text: str, holder: Node, entry: str, style: Style) -> _Splice:
    start = last_comment_end(text, holder.start + 1)
    closing = holder.end - 1
    if style.inline:
        return _Splice(start, closing, entry)
    tail = text[start:closing]
    if style.breaks_in(tail):
        return _Splice(start, start, f"{style.eol}{style.member_indent}{entry}")
    return _Splice(start, closing, f"{style.eol}{style.member_indent}{entry}{style.eol}{style.base_indent}")


def _behind(text: str, last: Member, entry: str, style: Style) -> list[_Splice]:
    """The new entry follows the last one, and its comma style: a trailing comma stays one."""
    comma = last.comma is not None
    after = last.node.end if last.comma is None else last.comma + 1
    if style.inline:
        return [_Splice(after, after, f" {entry}," if comma else f", {entry}")]
    place = end_of_line_comments(text, after)
    splice = _Splice(place, place, f"{style.eol}{style.member_indent}{entry}{',' if comma else ''}")
    return [splice] if comma else [_Splice(after, after, ","), splice]


def _first_object(document: Document, path: Sequence[str], value: Json) -> str:
    for key in reversed(path):
        value = {key: value}
    style = style_of(document, None, inline=False)
    lead = "" if document.text.lstrip("\ufeff") == "" or style.breaks_in(document.text[-1]) else style.eol
    return lead + write_value(value, style) + style.eol


def _spellings(root: Node, key: str) -> list[tuple[Node, list[str]]]:
    """Where a whole setting stands, in either spelling: with one of two gone, the other would count."""
    outer_name, _, inner_name = key.partition(".")
    outer = root.last.get(outer_name) if inner_name else None
    found = [(root, [key])] if key in root.last else []
    if outer and inner_name in outer.node.last:
        found.append((outer.node, [outer_name, inner_name]))
    return found


def _remove(text: str, holder: Node, key: str) -> list[_Splice]:
    """Takes out every member of this name: with the last one gone, an earlier one would count again."""
    return _cut_out(text, holder.members or [], lambda member: member.key == key)


def _cut_out(text: str, members: Sequence[Member], gone: Callable[[Member], bool]) -> list[_Splice]:
    splices = [splice for member in members if gone(member) for splice in _cut(text, member)]
    kept = [member for member in members if not gone(member)]
    if kept and gone(members[-1]) and members[-1].comma is None and kept[-1].comma is not None:
        splices.append(_Splice(kept[-1].comma, kept[-1].comma + 1))
    return splices


def _cut(text: str, member: Member) -> list[_Splice]:
    end = member.node.end
    if member.comma is not None and not text[end : member.comma].strip():
        end = member.comma + 1
    start, stop = alone_on_line(text, member.start, end)
    cuts = [_Splice(start, stop)]
    if member.comma is not None and member.comma >= stop:
        cuts.append(_Splice(member.comma, member.comma + 1))
    return cuts


def _apply(text: str, splices: Sequence[_Splice]) -> str:
    """All splices at once; those at the same place in their order."""
    pieces: list[str] = []
    position = 0
    for splice in sorted(splices, key=lambda splice: splice.start):
        pieces += [text[position : splice.start], splice.text]
        position = splice.end
    return "".join([*pieces, text[position:]])


def _with_entry(value: Json, names: Sequence[str], entry: Json) -> Json:
    if not names:
        return entry
    members = dict(value) if isinstance(value, dict) else {}
    members[names[0]] = _with_entry(members.get(names[0]), names[1:], entry)
    return members


def _without_entry(value: Json, names: Sequence[str]) -> Json:
    members = dict(value) if isinstance(value, dict) else {}
    if len(names) == 1:
        members.pop(names[0], None)
    else:
        members[names[0]] = _without_entry(members[names[0]], names[1:])
    return members


def _same(one: Json, other: Json) -> bool:
    """Equal as JSON: true is not 1, and the order of keys counts."""
    return json.dumps(one) == json.dumps(other)

"""Which other entry wins over one that was just written: the same setting once more in its file, or a closer scope.

Whoever clicked is told so at once, with the place. Otherwise they would learn by the next question that “stored” was
no more than that.
"""

from collections.abc import Iterator, Sequence

from assent.lazy_dataclasses import dataclass
from assent.settings.agents import BYPASS_SETTING
from assent.settings.bypass_map import place_against_bypass
from assent.settings.faults import SettingsFault
from assent.settings.jsonc import Document, Node, parse
from assent.settings.jsonc_edit import append_item, set_entry
from assent.settings.layers import Layer, Origin, Scope
from assent.settings.repeated import occurrences, said_in
from assent.settings.spelling import PREFIX
from assent.settings.store import Change


@dataclass(frozen=True, slots=True)
class Overruled:
    """Where an entry stands, as far as that is known, and the one that wins over it."""

    written: Origin | None
    by: Origin

    @property
    def text(self) -> str:
        """Both as a sentence."""
        written = f"It stands in {self.written.file}, line {self.written.line}" if self.written else "It was written"
        same = self.written is not None and self.written.file == self.by.file
        by = f"line {self.by.line} of that file" if same else self.by.text
        return f"{written}, but it has no effect: what stands in {by} wins over it. Change that entry or take it out."


def overruled(change: Change, document: Document | None, file: str, closer: Sequence[Layer]) -> Overruled | None:
    """`document`: the text of the file that was written, if it is known; `closer`: the scopes that come before it."""
    if change.consent is None or not change.on:
        return None
    written, against = _in_file(change, document, file) if document is not None else (None, None)
    if against is None and change.key == BYPASS_SETTING:
        against = next((place for one in closer if (place := place_against_bypass(one, change.path[0]))), None)
    return Overruled(written, against) if against is not None else None


def _in_file(change: Change, document: Document, file: str) -> tuple[Origin | None, Origin | None]:
    document = _with_it(change, document)
    root = document.root
    counting = said_in(document).counts.get(change.key)
    leaves = list(_leaves(occurrences(root).get(change.key, []), change.path, change)) if root is not None else []
    holding = next((node for node in reversed(leaves) if _holds(node, change)), None)
    written = _origin(holding, document, file) if holding is not None else None
    if counting is None or any(_holds(node, change) for node in _leaves([counting], change.path, change)):
        return written, None
    others = (node for node in leaves if not _holds(node, change))
    against = next((node for node in others if change.append or node.value is not None), None)
    return written, _origin(against, document, file) if against is not None else None


def _with_it(change: Change, document: Document) -> Document:
    """The text with the entry in it. An editor that was asked to write it may take a moment longer."""
    nodes = occurrences(document.root).get(change.key, []) if document.root is not None else []
    if any(_holds(node, change) for node in _leaves(nodes, change.path, change)):
        return document
    edit, path = append_item if change.append else set_entry, (f"{PREFIX}.{change.key}", *change.path)
    try:
        return parse(edit(document.text, path, change.value))
    except SettingsFault:
        return document


def _leaves(nodes: Sequence[Node], path: Sequence[str], change: Change) -> Iterator[Node]:
    """What stands at the end of the path, each time that it stands there; of lists also what lacks one."""
    for node in nodes:
        inner = [member.node for member in node.members or () if path and member.key == path[0]]
        if inner:
            yield from _leaves(inner, path[1:], change)
        elif not path or change.append:
            yield node


def _holds(node: Node, change: Change) -> bool:
    return any(item.value == change.value for item in node.items or ()) if change.append else node.value == change.value


def _origin(node: Node, document: Document, file: str) -> Origin:
    return Origin(Scope.WORKSPACE, file, document.line(node.start))

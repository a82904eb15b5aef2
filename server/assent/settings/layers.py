"""Settings by scope: who said what, and where. A client or a file may say anything; here it becomes plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from assent.model.json import Json
from assent.settings.jsonc import Document
from assent.settings.reading import Reading
from assent.settings.spelling import PREFIX, find_setting, settings_of


class Scope(StrEnum):
    """How far a value reaches, from the widest to the most specific."""

    USER = "user"
    WORKSPACE = "workspace"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from, as closely as it is known."""

    scope: Scope
    file: str | None = None
    line: int | None = None

    @property
    def text(self) -> str:
        place = f" ({self.file}{f', line {self.line}' if self.line else ''})" if self.file else ""
        return f"the {self.scope} settings{place}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about the settings that their owner should know: a value without effect, a file that does not parse."""

    text: str
    origin: Origin | None = None

    @property
    def sentence(self) -> str:
        return f"{self.text} It stands in {self.origin.text}." if self.origin else self.text


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one scope, by their names without the prefix."""

    scope: Scope
    values: Mapping[str, Json] = field(default_factory=dict)
    file: str | None = None
    document: Document | None = None
    """The text in which the values stand, where it is known: it gives the lines."""
    fault: str | None = None
    """The layer could not be read. What it restricts (as last read) still counts, what it permits does not."""
    fault_line: int | None = None
    restricts_as_last_read: bool = False
    """The layer cannot be read now, and its values are those of the last time that it could."""

    def get(self, key: str) -> Json:
        return self.values.get(key)

    def origin(self, key: str, *path: str) -> Origin:
        """Where this value stands: file and line, if the file holds the same value there."""
        if self.document is None:
            return Origin(self.scope, self.file, self.fault_line)
        members = find_setting(self.document.root, f"{PREFIX}.{key}") if self.document.root else ()
        node, value = (members[-1].node if members else None), self.values.get(key)
        for step in path:
            below = node.last.get(step) if node else None
            node = below.node if below else None
            value = value.get(step) if isinstance(value, Mapping) else None
        if node is None or node.value != value:
            return Origin(self.scope)
        return Origin(self.scope, self.file, self.document.line(node.start))


@dataclass(frozen=True, slots=True)
class Layers:
    """All scopes together. `disk` is the workspace's own file beside a client that sends scopes: it only restricts."""

    user: Layer = field(default_factory=lambda: Layer(Scope.USER))
    workspace: Layer = field(default_factory=lambda: Layer(Scope.WORKSPACE))
    folder: Layer = field(default_factory=lambda: Layer(Scope.FOLDER))
    disk: Layer | None = None
    loaded: bool = True

    @property
    def of_workspace(self) -> tuple[Layer, ...]:
        """The layers that a repository may have written, the most specific first."""
        return (*((self.disk,) if self.disk else ()), self.folder, self.workspace)

    @property
    def all(self) -> tuple[Layer, ...]:
        return (*self.of_workspace, self.user)


NOT_LOADED = Layers(loaded=False)
"""Before the first settings arrived: nothing is permitted by them, and every chat asks at least as `ask` does."""


def layers_from(blocks: object, reading: Reading | None) -> Layers:
    """The layers of what a client sent (`{user, workspace, folder}`, or nothing) and of the workspace's own file."""
    sent = blocks if isinstance(blocks, Mapping) else {}
    user = _sent(Scope.USER, sent, reading)
    if blocks is not None and not isinstance(blocks, Mapping):
        user = Layer(Scope.USER, fault="the editor sent settings that are no object")
    on_disk = _on_disk(reading)
    if sent.get("workspace") is None and sent.get("folder") is None:
        return Layers(user, workspace=on_disk)
    return Layers(user, _sent(Scope.WORKSPACE, sent, reading), _sent(Scope.FOLDER, sent, reading), disk=on_disk)


def _sent(scope: Scope, blocks: Mapping[object, object], reading: Reading | None) -> Layer:
    block = blocks.get(scope.value)
    if block is None:
        return Layer(scope)
    if not isinstance(block, Mapping):
        return Layer(scope, fault=f"the editor sent {scope} settings that are no object")
    values = {key: value for key, value in block.items() if isinstance(key, str) and value is not None}
    if scope is Scope.USER or reading is None or reading.document is None:
        return Layer(scope, values)
    # The editor may have read another file: this one is named for those values that it holds, too.
    return Layer(scope, values, str(reading.file), reading.document)


def _on_disk(reading: Reading | None) -> Layer:
    if reading is None or not reading.exists:
        return Layer(Scope.WORKSPACE)
    document = reading.document or reading.last_good
    found = settings_of(document) if document else {}
    values = {name: member.node.value for name, member in found.items() if member.node.value is not None}
    return Layer(
        Scope.WORKSPACE,
        values,
        str(reading.file),
        reading.document,
        reading.fault,
        reading.line,
        reading.fault is not None and document is not None,
    )

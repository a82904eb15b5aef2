"""Settings by scope: who said what, and where. A client or a file may say anything; here it becomes plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum, StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.jsonc import Document, Place, Span, below
from assent.settings.reading import Reading
from assent.settings.repeated import NOTHING_SAID, Said, said_in


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
    where: Place | None = field(default=None, compare=False, repr=False)
    """The stretch of text. Another place on the same line does not make it another origin."""

    @property
    def span(self) -> Span | None:
        """Where an editor shows it, if that is known more closely than by the line."""
        return self.where.span if self.where else None

    @property
    def text(self) -> str:
        place = f" ({self.file}{f', line {self.line}' if self.line else ''})" if self.file else ""
        return f"the {self.scope} settings{place}"


class Severity(Enum):
    """How bad it is."""

    ERROR = "error"
    """Nothing counts of what stands there."""
    WARNING = "warning"
    """It has not the effect that it seems to have."""
    INFORMATION = "information"


class Kind(Enum):
    """What is wrong, as a word that editors show beside the sentence."""

    UNREADABLE = "unreadable"
    WRONG_VALUE = "wrong-value"
    NO_EFFECT = "no-effect"
    AWAITING = "needs-consent"
    REPEATED = "repeated"
    UNKNOWN_SETTING = "unknown-setting"
    UNKNOWN_AGENT = "unknown-agent"
    UNKNOWN_TOOL = "unknown-tool"
    EXAMPLE = "example"
    PATTERN = "pattern"
    SHADOWED = "shadowed"
    NEVER_MATCHES = "never-matches"
    TOO_LARGE = "too-large"


_SEVERITIES = {
    Kind.UNREADABLE: Severity.ERROR,
    Kind.WRONG_VALUE: Severity.ERROR,
    Kind.EXAMPLE: Severity.ERROR,
    Kind.PATTERN: Severity.ERROR,
    Kind.SHADOWED: Severity.INFORMATION,
    Kind.TOO_LARGE: Severity.INFORMATION,
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about the settings that their owner should know: a value without effect, a file that does not parse."""

    text: str
    origin: Origin | None = None
    kind: Kind = Kind.NO_EFFECT
    instead: str | None = None
    """The name that was probably meant, where what stands there is a name."""
    beside: Origin | None = None
    """Where the entry stands that is the reason."""

    @property
    def severity(self) -> Severity:
        return _SEVERITIES.get(self.kind, Severity.WARNING)

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
    fault_place: Place | None = None
    said: Said = NOTHING_SAID
    """What the text says of each setting, with the places."""
    folder: str | None = None
    """The folder whose consents count for what stands here; None for the workspace's first."""
    only_restricts: bool = False
    """What it permits never counts, whatever was agreed to: a client says what does."""

    def get(self, key: str) -> Json:
        return self.values.get(key)

    def origin(self, key: str, *path: str | int) -> Origin:
        """Where this value stands, an item of a list by its number, if the file holds the same value there."""
        if self.document is None:
            return Origin(self.scope, self.file, self.fault_line, self.fault_place)
        node, value = self.said.counts.get(key), self.values.get(key)
        for step in path:
            node, value = (below(node, step) if node else None), _below(value, step)
        if node is None or not _same(node.value, value):
            return Origin(self.scope)
        return self.at(node.start, node.end)

    def origin_of_name(self, key: str, *path: str) -> Origin:
        """Where the last name of this path stands; where that is not known, what stands behind it."""
        holder = self.said.counts.get(key) if path else None
        for step in path[:-1]:
            holder = below(holder, step) if holder else None
        member = holder.last.get(path[-1]) if holder else None
        origin = self.origin(key, *path)
        return self.at(member.start, member.key_end) if member and origin.where else origin

    def at(self, start: int, end: int) -> Origin:
        """The stretch of this layer's own text."""
        if self.document is None:
            return Origin(self.scope, self.file)
        return Origin(self.scope, self.file, self.document.line(start), Place(self.document, start, end))


def _below(value: Json, step: str | int) -> Json:
    if isinstance(step, str):
        return value.get(step) if isinstance(value, Mapping) else None
    if isinstance(value, Sequence) and not isinstance(value, str) and 0 <= step < len(value):
        return value[step]
    return None


def _same(one: Json, other: Json) -> bool:
    # Mostly it is the same object, and then nothing has to be compared.
    return one is other or one == other


@dataclass(frozen=True, slots=True)
class Layers:
    """All scopes together. `disk` is the workspace's own file beside a client that sends scopes: it only restricts."""

    user: Layer = field(default_factory=lambda: Layer(Scope.USER))
    workspace: Layer = field(default_factory=lambda: Layer(Scope.WORKSPACE))
    folder: Layer = field(default_factory=lambda: Layer(Scope.FOLDER))
    disk: Layer | None = None
    others: tuple[Layer, ...] = ()
    """The own files of the workspace's further folders."""
    loaded: bool = True
    unclear: Layer | None = None
    """Restrictions of the workspace's file that make no sense, beside others of the same name that do."""

    @property
    def of_workspace(self) -> tuple[Layer, ...]:
        """The layers that a repository may have written, the most specific first."""
        first = (layer for layer in (self.disk, self.unclear) if layer)
        return (*first, *self.others, self.folder, self.workspace)

    @property
    def all(self) -> tuple[Layer, ...]:
        return (*self.of_workspace, self.user)


NOT_LOADED = Layers(loaded=False)
"""Before the first settings arrived: nothing is permitted by them, and every chat asks at least as `ask` does."""


def layers_from(
    blocks: object,
    reading: Reading | None,
    others: Mapping[str, Reading] | None = None,
    whole: Reading | None = None,
) -> Layers:
    """The layers of what a client sent (`{user, workspace, folder}`, or nothing) and of the workspace's own files.

    `reading` is that of its first folder; `others` are those of the further ones, by folder. `whole` is that of the
    file of a workspace of several folders, where one is open: then the first folder's is a folder's like the others.
    """
    sent = blocks if isinstance(blocks, Mapping) else {}
    scoped = sent.get("workspace") is not None or sent.get("folder") is not None
    said = _said(reading)
    user = _sent(Scope.USER, sent, None, said)
    if blocks is not None and not isinstance(blocks, Mapping):
        user = Layer(Scope.USER, fault="the editor sent settings that are no object")
    on_disk, unclear = _on_disk(reading, said), _unclear(reading, said)
    further = tuple(
        layer for folder, other in (others or {}).items() for layer in _further(folder, other, only_restricts=scoped)
    )
    said_of_all = said if whole is None else _said(whole)
    if not scoped and whole is None:
        return Layers(user, workspace=on_disk, others=further, unclear=unclear)
    if not scoped:
        own, apart = (layer and replace(layer, scope=Scope.FOLDER) for layer in (on_disk, unclear))
        further = (*further, apart) if apart else further
        assert own is not None
        return Layers(user, _on_disk(whole, said_of_all), own, others=further, unclear=_unclear(whole, said_of_all))
    workspace = _sent(Scope.WORKSPACE, sent, whole or reading, said_of_all)
    folder = _sent(Scope.FOLDER, sent, reading, said)
    disk = replace(on_disk, only_restricts=True)
    for layer in (_on_disk(whole, said_of_all), _unclear(whole, said_of_all)) if whole is not None else ():
        further = (*further, replace(layer, only_restricts=True)) if layer is not None else further
    return Layers(user, workspace, folder, disk=disk, others=further, unclear=unclear)


def _said(reading: Reading | None) -> Said:
    document = (reading.document or reading.last_good) if reading else None
    return said_in(document) if document else NOTHING_SAID


def _further(folder: str, reading: Reading, *, only_restricts: bool) -> Iterator[Layer]:
    """The layers of a further folder's own file."""
    said = _said(reading)
    for layer in (_on_disk(reading, said), _unclear(reading, said)):
        if layer is not None:
            yield replace(layer, scope=Scope.FOLDER, folder=folder, only_restricts=only_restricts)


def _sent(scope: Scope, blocks: Mapping[object, object], reading: Reading | None, said: Said) -> Layer:
    block = blocks.get(scope.value)
    if block is None:
        return Layer(scope)
    if not isinstance(block, Mapping):
        return Layer(scope, fault=f"the editor sent {scope} settings that are no object")
    values = {key: value for key, value in block.items() if isinstance(key, str) and value is not None}
    if reading is None or reading.document is None:
        return Layer(scope, values)
    for key, as_editors_read in said.overruled.items():
        if key in values and _same(values[key], as_editors_read):
            values[key] = said.counts[key].value
    # The editor may have read another file: this one is named for those values that it holds, too.
    return Layer(scope, values, str(reading.file), reading.document, said=said)


def _on_disk(reading: Reading | None, said: Said) -> Layer:
    if reading is None or not reading.exists:
        return Layer(Scope.WORKSPACE)
    return Layer(
        Scope.WORKSPACE,
        said.values,
        str(reading.file),
        reading.document,
        reading.fault,
        reading.line,
        reading.fault is not None and reading.last_good is not None,
        reading.place,
        said,
    )


def _unclear(reading: Reading | None, said: Said) -> Layer | None:
    if reading is None or not said.unclear:
        return None
    apart = Said(said.unclear)
    return Layer(Scope.WORKSPACE, apart.values, str(reading.file), reading.document, said=apart)

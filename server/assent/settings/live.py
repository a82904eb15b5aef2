"""The settings of one server as they count at this moment: looked at for each question, computed when they changed."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.runtime.turns import OnceATurn
from assent.settings.choices import place_of_mode
from assent.settings.consent import Answer, Consent, ConsentLedger, ConsentLookup, FolderIdentity, identity_of_real
from assent.settings.definitions import Definitions, agents_of
from assent.settings.effective import Effective, WriteTarget, before_settings, effective
from assent.settings.entries import appeared
from assent.settings.facts import Facts
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.findings import Findings
from assent.settings.gathering import Gatherer, Wanted
from assent.settings.inspection import inspect
from assent.settings.jsonc import Document
from assent.settings.kept_answers import KeptAnswer, kept_answers
from assent.settings.language.drafts import Around
from assent.settings.layers import NOT_LOADED, Diagnostic, Layer, Layers, Origin, Scope, layers_from
from assent.settings.loosening import LooseningEntry
from assent.settings.overruled import Overruled, overruled
from assent.settings.reading import Reading, SettingsFile
from assent.settings.rule_reading import in_doubt
from assent.settings.scales import Scales
from assent.settings.store import Change, Surroundings
from assent.settings.stored import StoredGrant, stored_grants
from assent.settings.taken_back import Entry, entry_of, stands

_NOBODY: frozenset[Consent] = frozenset()


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the layers are made of; the same as long as none of it changed."""

    revision: int
    readings: tuple[Reading, ...]
    whole: Reading | None
    """Of the file of a workspace of several folders."""


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """What one look found around the settings. The files are looked up from there, and forgotten with it."""

    wanted: Wanted
    places: Facts
    folders: tuple[FolderIdentity | None, ...]


@dataclass(frozen=True, slots=True)
class _Ground:
    """All that the settings depend on, but for the files that definitions name."""

    sources: _Sources
    places: Facts
    trusted: bool | None
    ledger: object
    folders: tuple[FolderIdentity | None, ...]
    withheld: frozenset[Consent]


@dataclass(frozen=True, slots=True)
class _Basis:
    """All that the settings depend on."""

    ground: _Ground
    facts: Facts


class LiveSettings:
    """What the client said, the workspace's files and the user's answers, put together. Asked for every call.

    The first of the folders is the one whose settings are the workspace's. Of a client that sends scopes, the folders'
    own files only restrict; of one that does not, each may loosen what the user agreed to for that folder.
    """

    def __init__(
        self,
        *,
        folders: tuple[Path, ...],
        state_dir: Path,
        workspace_file: Path | None = None,
        builtin_agents: Mapping[str, JsonObject] | None = None,
        home: Path | None = None,
        earlier: "LiveSettings | None" = None,
    ) -> None:
        """`earlier` knew some of these folders: what their files last said, before they broke, is not forgotten.

        `workspace_file` holds the settings of a workspace of several folders; then those of each folder are its own.
        """
        self.folders = folders
        self.workspace_file = workspace_file
        self.ledger = ConsentLedger(state_dir)
        self.trusted: bool | None = None
        """The editor's own word on the workspace; None where it has none."""
        self.withheld = _NOBODY
        """Entries of the user's own settings that do not count, although they stand there."""
        self._builtin = builtin_agents or {}
        known = dict(zip(earlier.folders, earlier._files, strict=True)) if earlier else {}
        self._files: tuple[SettingsFile, ...] = tuple(
            known.get(folder) or SettingsFile(workspace_settings_file(folder)) for folder in folders
        )
        self._whole: SettingsFile | None = earlier._whole if earlier is not None else None
        if self._whole is None or self._whole.file != workspace_file:
            self._whole = SettingsFile(workspace_file) if workspace_file is not None else None
        self._home = home or Path.home()
        self._gatherer = Gatherer(folders, self._home)
        # One decision asks a dozen times, and where names lead takes longest to find out.
        self._places = OnceATurn(self._look_at_places)
        self._facts = OnceATurn(self._look_at_files)
        self._blocks: object = None
        self._revision = 0
        self._layers: tuple[_Sources, Layers, Wanted, Wanted] | None = None
        self._known: tuple[_Basis, Effective] | None = None
        self._looked_through: _Sources | None = None
        self._stands: frozenset[Entry] | None = None

    @property
    def folder(self) -> Path | None:
        """The folder whose settings are the workspace's."""
        return self.folders[0] if self.folders else None

    def client_settings(self, blocks: object) -> None:
        """Takes the client's `{user, workspace, folder}`, whatever it is; None from a client that sends no settings."""
        self._blocks, self._revision = blocks, self._revision + 1

    def now(self) -> Effective:
        """The settings as they count now. Never raises; until the client's came, nothing is loosened."""
        layers, basis = self._look()
        if self._known is None or self._known[0] != basis:
            found = self._computed(layers, basis)
            if self._ends_what_was_taken_back(layers, basis, found.agents_if_agreed):
                layers, basis = self._look()
                found = self._computed(layers, basis)
            self._known = (basis, found)
        return self._known[1]

    def _ends_what_was_taken_back(self, layers: Layers, basis: _Basis, agents: Definitions) -> bool:
        """Forgets the user's yes to what the settings say no more. Whether it has."""
        sources = basis.ground.sources
        clear = layers.loaded and not in_doubt(layers) and all(layer.fault is None for layer in layers.all)
        # What a workspace says that is not trusted, an editor may leave out.
        if not clear or basis.ground.trusted is False or sources == self._looked_through:
            return False
        self._looked_through = sources
        agreed = [
            (entry_of(None if folder == self.folder else str(folder), one.consent), folder, one.consent)
            for folder in self.folders
            for one in self.ledger.answered(folder)
            if one.honoured
        ]
        before, self._stands = self._stands, stands(layers, agents, basis.facts, (entry for entry, _, _ in agreed))
        gone = [one for one in agreed if one[0] not in self._stands]
        # What was clicked a moment ago may stand there only soon. What was agreed to before the first look did stand.
        gone = [one for one in gone if before is None or one[0] in before]
        for _, folder, consent in gone:
            self.ledger.end(folder, consent)
        return bool(gone)

    def additional_directories(self) -> tuple[str, ...]:
        """Those of `now`, which do not depend on the files that definitions name: those are not looked at for this."""
        known = self._known
        if known is not None and known[0].ground == self._said()[1]:
            return known[1].additional_directories
        return self.now().additional_directories

    @property
    def state(self) -> object:
        """Equal as long as nothing changed that the settings depend on."""
        return self._look()[1]

    def awaiting(self) -> tuple[LooseningEntry, ...]:
        """What would loosen something, if the user agreed to it."""
        return self.now().awaiting

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the owner of the settings should know of them now."""
        fault = self.ledger.fault
        return (*self.now().diagnostics, *((Diagnostic(fault),) if fault else ()))

    def remarks(self, tools: Collection[str]) -> tuple[Diagnostic, ...]:
        """What is worth a line beside the settings, where somebody reads them. Nothing of it decides anything."""
        layers, _ = self._look()
        return inspect(layers, tools=tools, agents=tuple(self.now().agents_if_agreed))

    def around(self) -> Around:
        """What a settings file that is being edited is looked at with."""
        layers, basis = self._look()
        return Around(layers, self.folders, self._home, basis.ground.trusted, self._builtin)

    def stored(self) -> tuple[StoredGrant, ...]:
        """Everything in the settings that permits something now or would, and the rules that forbid."""
        layers, basis = self._look()
        now, found = self.now(), Findings()
        scales = Scales(
            layers,
            self._answers_for,
            found,
            trusted=self.trusted is not False,
            in_doubt=in_doubt(layers),
            withheld=self.withheld.__contains__,
        )
        agents = agents_of(layers, self._builtin, basis.facts, scales, found)
        return stored_grants(layers, agents, basis.facts, scales, now, first=self.folder)

    def overruling(self, change: Change, place: Surroundings) -> Overruled | None:
        """What wins over an entry that was just written there, so that it has no effect."""
        layers, _ = self._look()
        if change.target(place) is WriteTarget.USER:
            return overruled(change, None, "", layers.of_workspace)
        if place.client_writes and len(self.folders) > 1:
            # The editor has a file of its own for these folders together, and theirs come before it.
            disk = () if layers.disk is None else (layers.disk,)
            return overruled(change, None, "", (*disk, layers.folder, *layers.others))
        folder = place.folder or self.folder
        readings = [file.read() for file in self._files]
        reading = next(one for one, its in zip(readings, self.folders, strict=True) if its == folder)
        file = str(reading.file)
        closer = [one for one in (layers.folder, *layers.others) if one.file != file]
        return overruled(change, reading.document or Document("", None), file, closer)

    def place_of(self, key: str) -> Origin | None:
        """Where a setting is said, the most specific place; None where nobody says it."""
        return next((layer.origin(key) for layer in self._look()[0].all if layer.get(key) is not None), None)

    def place_of_mode(self) -> Origin | None:
        """Where the mode is said that new chats start in."""
        return place_of_mode(self._look()[0], self.now().mode_for_new_chats)

    def kept_answers(self) -> tuple[KeptAnswer, ...]:
        """What the user answered about the settings of these folders."""
        return tuple(
            one
            for folder in self.folders
            for one in kept_answers(folder, self.ledger.answered(folder), self._answered_in(folder))
        )

    def _answered_in(self, folder: Path) -> list[LooseningEntry]:
        named = [entry for entry in self.now().answered if entry.folder == str(folder)]
        return named + [entry for entry in self.now().answered if entry.folder is None and folder == self.folder]

    def surroundings(self, *, client_writes: bool) -> Surroundings:
        """Where a change that is clicked now would be stored."""
        target = self.now().write_target
        return Surroundings(self.folder, self.trusted, target, client_writes, self.workspace_file)

    def record(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> None:
        """Keeps the user's answer, each for the folder whose settings hold the entry; a SettingsFault where it cannot.

        May take three seconds, and may be done in a thread.
        """
        self.ledger.record(self.answers(agreed, refused))

    def answers(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> list[Answer]:
        """The user's answer as the ledger takes it."""
        said = [(entry, True) for entry in agreed] + [(entry, False) for entry in refused]
        return [Answer(self._home_of(entry), entry.consent, honoured) for entry, honoured in said]

    def _home_of(self, entry: LooseningEntry) -> Path:
        folder = Path(entry.folder) if entry.folder is not None else self.folder
        if folder is None:
            raise SettingsFault("no folder is open for which an answer could be kept")
        return folder

    def attested(self, key: str, before: Json, after: Json, folder: str | None = None) -> tuple[LooseningEntry, ...]:
        """What a change of one setting of the workspace would loosen: what is in `after` and not in `before`."""
        was, becomes = (Layer(Scope.WORKSPACE, {key: value}, folder=folder) for value in (before, after))
        # Of the agents as they are now: what the user saved says nothing of a definition that waits.
        return self._appeared(was, becomes, self.now().agents)

    def appeared_in_user(self, before: Json, after: Json) -> tuple[LooseningEntry, ...]:
        """What the user's settings permit now (a whole block of them) and did not permit before."""
        was, becomes = (Layer(Scope.USER, block if isinstance(block, dict) else {}) for block in (before, after))
        return self._appeared(was, becomes, self.now().agents_if_agreed)

    def _appeared(self, before: Layer, after: Layer, agents: Definitions) -> tuple[LooseningEntry, ...]:
        facts = self._gatherer.facts(self._gatherer.wanted(Layers(workspace=before, folder=after)))
        return appeared(before, after, agents, facts)

    def _look(self) -> tuple[Layers, _Basis]:
        layers, ground, around = self._said()
        return layers, _Basis(ground, self._facts.at(around))

    def _said(self) -> tuple[Layers, _Ground, _Around]:
        """What is said, on what ground, and what there is around it."""
        whole = self._whole.read() if self._whole is not None else None
        sources = _Sources(self._revision, tuple(file.read() for file in self._files), whole)
        if self._layers is None or self._layers[0] != sources:
            made = self._layered(sources)
            self._layers = (sources, made, self._gatherer.wanted(made), self._gatherer.wanted(made, of_user=True))
        _, layers, of_all, of_user = self._layers
        around = self._places.at(of_user if self.trusted is False else of_all)
        places, folders = around.places, around.folders
        return layers, _Ground(sources, places, self.trusted, self.ledger.state, folders, self.withheld), around

    def _look_at_places(self, wanted: Wanted) -> _Around:
        places = self._gatherer.places(wanted)
        return _Around(wanted, places, tuple(map(_identity, places.roots)))

    def _look_at_files(self, around: _Around) -> Facts:
        return self._gatherer.with_files(around.wanted, around.places)

    def _layered(self, sources: _Sources) -> Layers:
        if not sources.revision:
            return NOT_LOADED
        first = sources.readings[0] if sources.readings else None
        others = dict(zip(map(str, self.folders[1:]), sources.readings[1:], strict=True))
        return layers_from(self._blocks, first, others, sources.whole)

    def _answers_for(self, folder: str | None) -> ConsentLookup | None:
        place = Path(folder) if folder is not None else self.folder
        return self.ledger.lookup(place) if place else None

    def _computed(self, layers: Layers, basis: _Basis) -> Effective:
        if not basis.ground.sources.revision:
            return before_settings(self._builtin)
        return effective(
            layers,
            consents=self._answers_for,
            workspace_trusted=basis.ground.trusted,
            builtin_agents=self._builtin,
            facts=basis.facts,
            withheld=basis.ground.withheld.__contains__ if basis.ground.withheld else None,
        )


def _identity(real: str) -> FolderIdentity | None:
    with suppress(OSError):
        return identity_of_real(real)
    return None

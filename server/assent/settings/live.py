"""The settings of one server as they count at this moment: looked at for each question, computed when they changed."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from assent.model.json import JsonObject
from assent.settings.bypass import Surroundings
from assent.settings.consent import ConsentLedger, FolderIdentity, folder_identity
from assent.settings.effective import Effective, before_settings, effective
from assent.settings.files import workspace_settings_file
from assent.settings.layers import Diagnostic, layers_from
from assent.settings.reading import Reading, SettingsFile


class LiveSettings:
    """What the client said, the workspace's file and the consents, put together. Made once, asked for every call."""

    def __init__(
        self, *, folder: Path | None, state_dir: Path, builtin_agents: Mapping[str, JsonObject] | None = None
    ) -> None:
        self.folder = folder
        self.ledger = ConsentLedger(state_dir)
        self.trusted: bool | None = None
        """The editor's own word on the workspace; None where it has none."""
        self._builtin = builtin_agents or {}
        self._file = SettingsFile(workspace_settings_file(folder)) if folder else None
        self._blocks: object = None
        self._revision = 0
        self._basis: tuple[object, ...] = ()
        self._effective = before_settings(self._builtin)

    def client_settings(self, blocks: object) -> None:
        """Takes the client's `{user, workspace, folder}`, whatever it is; None from a client that sends no settings."""
        self._blocks, self._revision = blocks, self._revision + 1

    def now(self) -> Effective:
        """The settings as they count now. Never raises; until the client's came, nothing is loosened."""
        if not self._revision:
            return self._effective
        reading = self._file.read() if self._file else None
        basis = (reading, self._revision, self.trusted, self.ledger.state, self._identity())
        if basis != self._basis:
            self._effective, self._basis = self._computed(reading), basis
        return self._effective

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the owner of the settings should know of them now."""
        fault = self.ledger.fault
        return (*self.now().diagnostics, *((Diagnostic(fault),) if fault else ()))

    def surroundings(self, *, client_writes: bool) -> Surroundings:
        """Where a bypass that is clicked now would be stored."""
        return Surroundings(self.folder, self.trusted, self.now().write_target, client_writes)

    def _computed(self, reading: Reading | None) -> Effective:
        return effective(
            layers_from(self._blocks, reading),
            consent=self.ledger.lookup(self.folder),
            workspace_trusted=self.trusted,
            builtin_agents=self._builtin,
        )

    def _identity(self) -> FolderIdentity | None:
        with suppress(OSError):
            return folder_identity(self.folder) if self.folder else None
        return None

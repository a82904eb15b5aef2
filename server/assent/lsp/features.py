"""The handlers of one connection, put together: meeting the client, its folders, and the groups that do the rest."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

from assent.lsp.approval_features import ApprovalFeatures
from assent.lsp.chat_features import ChatFeatures
from assent.lsp.checkpoint_features import CheckpointFeatures
from assent.lsp.client import Client
from assent.lsp.editor_of_client import EditorOfClient
from assent.lsp.faults import RpcFault
from assent.lsp.folders import folders_on_disk, unreachable_folders, workspace_file
from assent.lsp.form_features import FormFeatures
from assent.lsp.grant_features import GrantFeatures
from assent.lsp.handlers import Handlers
from assent.lsp.history_features import HistoryFeatures
from assent.lsp.language_features import OPTIONS, TURN_OFF_BYPASS, LanguageFeatures
from assent.lsp.model_features import ModelFeatures
from assent.lsp.named_faults import faults_named
from assent.lsp.permission_features import PermissionFeatures
from assent.lsp.protocol import AssentServer
from assent.lsp.settings_features import SettingsFeatures, encodings_of, scopes_of
from assent.lsp.shell_features import ShellFeatures
from assent.protocol import handshake as hands
from assent.protocol.converter import WireFault, from_wire
from assent.protocol.methods import ErrorCode

if TYPE_CHECKING:
    # The app brings libraries that take a while to load: a client is greeted without them.
    from assent.app.app import App


class Host(Protocol):
    """Who runs the server, and what it takes from the client that connects."""

    @property
    def app(self) -> "App": ...

    @property
    def follows_client_folders(self) -> bool:
        """False in the playground, where the folder is the one that it was started with."""


class Features:
    """Registers every handler on a server and answers for one client."""

    def __init__(self, server: AssentServer, host: Host) -> None:
        self._host = host
        self.client = Client(server, lambda: host.app)
        self._editor = EditorOfClient(server, lambda: host.app)
        self._settings = SettingsFeatures(server, lambda: host.app, self.client)
        self._language = LanguageFeatures(server, lambda: host.app, self.client.diagnostics)
        self._met = False
        self._models = ModelFeatures(server, lambda: host.app)
        approvals = ApprovalFeatures(lambda: host.app, self.client)
        server.protocol.on_refused = lambda method, fault: approvals.refused(method, fault.code.name)
        groups = (
            self._handlers(),
            self._settings.handlers(),
            approvals.handlers(),
            ChatFeatures(lambda: host.app, self.client, lambda: server.protocol.phase).handlers(),
            ShellFeatures(lambda: host.app, self.client).handlers(),
            FormFeatures(lambda: host.app).handlers(),
            GrantFeatures(lambda: host.app).handlers(),
            PermissionFeatures(lambda: host.app).handlers(),
            HistoryFeatures(lambda: host.app).handlers(),
            CheckpointFeatures(lambda: host.app).handlers(),
            self._models.handlers(),
            self._language.handlers(),
        )
        for method, handler in (pair for group in groups for pair in group.items()):
            server.feature(method, OPTIONS.get(method))(faults_named(handler))

        async def turn_off_bypass(agent: str, scope: str) -> None:
            await self._language.turn_off_bypass(agent, scope)

        # Which command it is, is written on what carries it out: on a function of this connection's own.
        server.command(TURN_OFF_BYPASS)(turn_off_bypass)
        server.check_complete()

    def _handlers(self) -> Handlers:
        return {
            lsp.INITIALIZE: self._initialize,
            lsp.INITIALIZED: self._initialized,
            lsp.SHUTDOWN: self._shutdown,
            lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
        }

    async def disconnected(self) -> None:
        """The client is gone: it is told nothing any more."""
        self._host.app.hub.detach(self.client)
        self._editor.went()
        await self._language.went()
        self._host.app.attendance.gone(self.client)
        await self.client.gone()

    async def _initialize(self, params: lsp.InitializeParams) -> None:
        handshake = _handshake(params.initialization_options)
        self.client.meet(handshake, params.capabilities)
        self._editor.meet(handshake.capabilities if handshake else (), params.capabilities.workspace)
        self._language.meet(handshake.capabilities if handshake else (), params.capabilities.workspace)
        self._told = handshake.settings if handshake else None
        self._trusted = handshake.workspace_trusted if handshake else None
        self._workspace_file = handshake.workspace_file if handshake else None
        self._ripgrep = handshake.ripgrep if handshake else None
        self._folders = [folder.uri for folder in params.workspace_folders or []] or [
            uri for uri in [params.root_uri] if uri
        ]

    async def _initialized(self, params: lsp.InitializedParams) -> None:
        if self._met:
            # Said again, it would put the first settings back in force and let everything be told twice.
            return
        self._met = True
        app = self._host.app
        if self._host.follows_client_folders:
            app.workspace.folders = folders_on_disk(self._folders)
            app.workspace.unreachable = unreachable_folders(self._folders)
        app.editor.ripgrep = self._ripgrep
        app.workspace.file = workspace_file(self._workspace_file)
        app.editor.means(encodings_of(self._told))
        app.trust.meet(
            tuple(map(Path, app.workspace.folders)),
            scopes_of(self._told),
            trusted=self._trusted,
            write=self._settings.write if self.client.writes_settings else None,
            workspace_file=app.workspace.file,
        )
        app.keys.stored = self._models.stored_key if self.client.keeps_secrets else None
        self._editor.came()
        app.attend(self.client)
        self._language.came()

    async def _shutdown(self, params: None) -> None:
        if self._host.follows_client_folders:
            await self._host.app.shut_down()

    async def _folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        if self._host.follows_client_folders:
            gone = {folder.uri for folder in params.event.removed}
            kept = [uri for uri in self._folders if uri not in gone]
            self._folders = kept + [folder.uri for folder in params.event.added if folder.uri not in kept]
            self._host.app.folders_changed(folders_on_disk(self._folders), unreachable_folders(self._folders))


def _handshake(options: object) -> hands.ClientHandshake | None:
    block = options.get("assent") if isinstance(options, dict) else None
    if block is None:
        return None
    try:
        return from_wire(block, hands.ClientHandshake, root="params.initializationOptions.assent")
    except WireFault as fault:
        raise RpcFault(ErrorCode.INVALID_PARAMS, str(fault), {"path": fault.path}) from fault

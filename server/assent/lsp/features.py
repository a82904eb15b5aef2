"""The handlers of one connection: parse, call, convert. No decision is taken here."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp

from assent.app.trust import Scopes
from assent.lsp import to_wire
from assent.lsp.client import Client
from assent.lsp.faults import RpcFault
from assent.lsp.from_wire import answer_of, mode_of
from assent.lsp.lifecycle import Phase
from assent.lsp.protocol import AssentServer
from assent.lsp.settings_features import SettingsFeatures
from assent.model.errors import (
    ApprovalAlreadyResolved,
    ApprovalNotFound,
    AssentError,
    DigestMismatch,
    InvalidOption,
    InvalidRequest,
    SessionNotFound,
)
from assent.model.events import DoneReason
from assent.model.ids import ApprovalId, SessionId, ViewId
from assent.protocol import approval as wire
from assent.protocol import handshake as hands
from assent.protocol import policy
from assent.protocol import session as sess
from assent.protocol.converter import WireFault, from_wire
from assent.protocol.methods import ErrorCode
from assent.settings.bypass import ClientWrite, Stored
from assent.settings.spelling import PREFIX

if TYPE_CHECKING:
    # The app brings libraries that take a while to load: a client is greeted without them.
    from assent.app.app import App
    from assent.app.desk import Sent

logger = logging.getLogger(__name__)

P = TypeVar("P")
R = TypeVar("R")

_SCOPE_NAMES = {"user", "workspace", "folder", "workspaceTrusted"}
MAX_PIECE = 1024 * 1024
WRITING_SECONDS = 30.0


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
        self._server = server
        self._host = host
        self.client = Client(server, lambda: host.app)
        self._settings_features = SettingsFeatures()
        self._met = False
        for method, handler in self._handlers().items():
            server.feature(method)(_faults_named(handler))
        server.check_complete()

    def _handlers(self) -> dict[str, Callable[[Any], Awaitable[Any]]]:
        return {
            lsp.INITIALIZE: self._initialize,
            lsp.INITIALIZED: self._initialized,
            lsp.SHUTDOWN: self._shutdown,
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: self._configuration_changed,
            lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
            "tool/approvalResponse": self._answer,
            "tool/pendingApprovals": self._pending,
            "tool/approvalDetails": self._details,
            "tool/testApproval": self._test,
            "session/new": self._new,
            "session/list": self._list,
            "session/load": self._load,
            "session/close": self._close,
            "session/setMode": self._set_mode,
            "chat/send": self._send,
            "chat/stop": self._stop,
            "policy/explain": self._explain,
            "settings/consentResponse": self._settings_features.answered,
            "settings/attest": self._settings_features.attested,
            "view/attached": self._attached,
            "view/detached": self._detached,
            "view/activity": self._activity,
        }

    async def disconnected(self) -> None:
        """The client is gone: it is told nothing any more."""
        self._host.app.hub.detach(self.client)
        await self.client.gone()

    @property
    def _app(self) -> "App":
        return self._host.app

    # ---- meeting

    async def _initialize(self, params: lsp.InitializeParams) -> None:
        handshake = _handshake(params.initialization_options)
        self.client.meet(handshake, params.capabilities)
        self._settings = handshake.settings if handshake else None
        self._trusted = handshake.workspace_trusted if handshake else None
        self._folders = [folder.uri for folder in params.workspace_folders or []] or [
            uri for uri in [params.root_uri] if uri
        ]

    async def _initialized(self, params: lsp.InitializedParams) -> None:
        if self._met:
            # Said again, it would put the first settings back in force and let everything be told twice.
            return
        self._met = True
        app = self._app
        if self._host.follows_client_folders:
            app.workspace.folders = _paths(self._folders)
        app.trust.meet(
            next(map(Path, app.workspace.folders), None),
            _scopes(self._settings),
            trusted=self._trusted,
            write=self._write_setting if self.client.writes_settings else None,
        )
        app.hub.attach(self.client)

    async def _shutdown(self, params: None) -> None:
        if self._host.follows_client_folders:
            await self._app.shut_down()

    async def _configuration_changed(self, params: lsp.DidChangeConfigurationParams) -> None:
        block = params.settings.get("assent") if isinstance(params.settings, dict) else None
        if isinstance(block, dict) and block and not block.keys() & _SCOPE_NAMES:
            # Settings without their scopes: whose they are decides whether they may loosen, so none of them counts.
            logger.warning("the client told settings without scopes; nothing is permitted by them")
            self._app.trust.settings_unreadable()
            self._app.settings_changed()
            return
        try:
            scoped = from_wire(block, hands.ScopedSettings, root="settings.assent") if block is not None else None
        except WireFault as fault:
            logger.warning("a change of settings makes no sense at %s; nothing is permitted by it", fault.path)
            self._app.trust.settings_unreadable()
        else:
            self._app.trust.settings_changed(_scopes(scoped), trusted=scoped.workspace_trusted if scoped else None)
        self._app.settings_changed()

    async def _folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        if self._host.follows_client_folders:
            gone = {folder.uri for folder in params.event.removed}
            kept = [uri for uri in self._folders if uri not in gone]
            self._folders = kept + [folder.uri for folder in params.event.added if folder.uri not in kept]
            await self._app.folders_changed(_paths(self._folders))

    async def _write_setting(self, wanted: ClientWrite) -> Stored:
        target = to_wire.word(wanted.target)
        params = hands.SettingsWriteParams(f"{PREFIX}.{wanted.key}", wanted.path, wanted.value, target)
        try:
            result = await self._server.ask("settings/write", params, timeout=WRITING_SECONDS)
        except TimeoutError:
            return Stored(False, target, "The editor did not answer when it was to store it.")
        except RpcFault as fault:
            return Stored(False, target, f"The editor did not store it: {fault}.")
        return Stored(result.written, result.target, result.error)

    # ---- approvals

    async def _answer(self, params: wire.ApprovalResponse) -> wire.ApprovalOutcome:
        self.client.answers()
        accepted = await self._app.answer(
            ApprovalId(params.approval_id),
            answer_of(params, self.client.options),
            SessionId(params.session_id) if params.session_id is not None else None,
            ViewId(params.view_id) if params.view_id is not None else None,
        )
        stored = accepted.stored
        settings = wire.StoredSetting(stored.written, stored.target, stored.error) if stored else None
        return wire.ApprovalOutcome(params.approval_id, to_wire.word(accepted.option.kind), settings=settings)

    async def _pending(self, params: wire.PendingApprovalsParams) -> wire.PendingApprovals:
        session_id = SessionId(params.session_id) if params.session_id is not None else None
        if session_id is not None:
            self._app.desk.chat(session_id)
        return wire.PendingApprovals(self._waiting(session_id))

    async def _details(self, params: wire.ApprovalDetailsParams) -> wire.ApprovalDetails:
        if params.offset < 0 or params.length < 0:
            raise InvalidRequest("offset and length must not be negative", "params.offset")
        text = to_wire.details_text(self._app.broker.question(ApprovalId(params.approval_id)))
        end = params.offset + min(params.length, MAX_PIECE)
        return wire.ApprovalDetails(text[params.offset : end], params.offset, len(text))

    async def _test(self, params: wire.TestApprovalParams) -> wire.TestApprovalResult:
        resolution = await self._app.rehearse(SessionId(params.session_id))
        decision = to_wire.word(resolution.decision) if resolution.decision else None
        return wire.TestApprovalResult(to_wire.word(resolution.status), decision)

    async def _explain(self, params: policy.ExplainParams) -> policy.Explanation:
        found = await self._app.explain(
            params.tool,
            params.args,
            agent_id=params.agent,
            mode=mode_of(params.mode),
            session_id=SessionId(params.session_id) if params.session_id is not None else None,
        )
        return to_wire.explanation(found)

    # ---- chats

    async def _new(self, params: sess.SessionNewParams) -> sess.SessionInfo:
        chat = self._app.open_chat(params.agent, mode_of(params.mode))
        return self._info(chat.session_id)

    async def _list(self, params: sess.SessionListParams) -> sess.SessionList:
        agents = tuple(sess.AgentInfo(a.agent_id, a.name, a.description) for a in self._app.agents().values())
        return sess.SessionList(tuple(self._info(chat.session_id) for chat in self._app.desk.chats()), agents)

    async def _load(self, params: sess.SessionLoadParams) -> sess.SessionLoaded:
        session_id = SessionId(params.session_id)
        chat = self._app.desk.chat(session_id)
        events = tuple(to_wire.agent_event(happened) for happened in chat.events.since(params.since_n or 0))
        return sess.SessionLoaded(self._info(session_id), events, self._waiting(session_id))

    async def _close(self, params: sess.SessionRef) -> hands.Nothing:
        await self._app.desk.close(SessionId(params.session_id))
        return hands.Nothing()

    async def _set_mode(self, params: sess.SetModeParams) -> sess.SessionInfo:
        mode = mode_of(params.mode)
        assert mode is not None
        self._app.desk.set_mode(SessionId(params.session_id), mode, apply_now=params.apply_now is True)
        return self._info(SessionId(params.session_id))

    async def _send(self, params: sess.ChatSendParams) -> sess.ChatSendResult:
        if params.tools is not None or params.collections is not None:
            logger.info("ignored the tools that a client sent: the toolbelt is the server's own")
        session_id = SessionId(params.session_id)
        message = self._app.desk.send(session_id, params.text, mode_of(params.permission_mode))
        sent = await self._result_of(message)
        reason = sent.end.reason
        word: Any = "error" if reason is None else to_wire.word(reason)
        return sess.ChatSendResult(
            session_id, sent.run_id, word, None if reason is DoneReason.STOP else sent.end.message
        )

    async def _result_of(self, message: "asyncio.Task[Sent]") -> "Sent":
        try:
            return await asyncio.shield(message)
        except asyncio.CancelledError:
            # The client cancelled its request: that is Stop. A page that only went away comes back for its cards; where
            # the client's end is the server's end, the app is shut down by its host.
            if self._server.protocol.phase is not Phase.CLOSED:
                message.cancel()
                await asyncio.wait({message})
            raise

    async def _stop(self, params: sess.SessionRef) -> sess.ChatStopResult:
        return sess.ChatStopResult(await self._app.desk.stop(SessionId(params.session_id)))

    # ---- views

    async def _attached(self, params: sess.ViewParams) -> hands.Nothing:
        self._app.desk.show(SessionId(params.session_id), ViewId(params.view_id))
        return hands.Nothing()

    async def _detached(self, params: sess.ViewParams) -> hands.Nothing:
        self._app.desk.hide(SessionId(params.session_id), ViewId(params.view_id))
        return hands.Nothing()

    async def _activity(self, params: sess.ViewParams) -> hands.Nothing:
        self._app.desk.chat(SessionId(params.session_id))
        return hands.Nothing()

    def _info(self, session_id: SessionId) -> sess.SessionInfo:
        app = self._app
        chat = app.desk.chat(session_id)
        return to_wire.session_info(
            chat,
            running=app.desk.running(session_id),
            waiting=len(app.broker.waiting(session_id)),
            bypass_agent=app.trust.bypasses_agent(chat.agent),
        )

    def _waiting(self, session_id: SessionId | None) -> tuple[wire.ApprovalRequest, ...]:
        return tuple(self.client.redelivered(question) for question in self._app.broker.waiting(session_id))


def _scopes(settings: hands.ScopedSettings | None) -> Scopes | None:
    if settings is None:
        return None
    return Scopes(settings.user, settings.workspace, settings.folder)


def _handshake(options: object) -> hands.ClientHandshake | None:
    block = options.get("assent") if isinstance(options, dict) else None
    if block is None:
        return None
    try:
        return from_wire(block, hands.ClientHandshake, root="params.initializationOptions.assent")
    except WireFault as fault:
        raise RpcFault(ErrorCode.INVALID_PARAMS, str(fault), {"path": fault.path}) from fault


def _paths(uris: list[str]) -> tuple[str, ...]:
    """The folders on this machine's disk; others are left out, because no tool could reach them."""
    paths = []
    for uri in uris:
        parts = urlsplit(uri)
        if parts.scheme == "file":
            paths.append(str(Path(url2pathname(unquote(parts.path))).resolve()))
        else:
            logger.warning("a workspace folder is not on this disk (scheme %s); tools cannot reach it", parts.scheme)
    return tuple(paths)


def _faults_named(handler: Callable[[P], Awaitable[R]]) -> Callable[[P], Awaitable[R]]:
    """Turns the faults that Assent can name into the errors of the protocol."""

    @wraps(handler)
    async def named(params: P) -> R:
        try:
            return await handler(params)
        except AssentError as fault:
            raise _rpc_fault(fault) from fault

    return named


def _rpc_fault(fault: AssentError) -> RpcFault:
    match fault:
        case ApprovalNotFound():
            return RpcFault(ErrorCode.APPROVAL_NOT_FOUND, str(fault), {"approvalId": fault.approval_id})
        case ApprovalAlreadyResolved():
            data: dict[str, Any] = {
                "approvalId": fault.approval_id,
                "status": fault.status,
                "decision": fault.decision,
                "resolvedBy": fault.resolved_by,
                "at": fault.at,
            }
            return RpcFault(ErrorCode.APPROVAL_ALREADY_RESOLVED, str(fault), data)
        case InvalidOption():
            data = {"approvalId": fault.approval_id, "allowed": list(fault.allowed)}
            return RpcFault(ErrorCode.INVALID_OPTION, str(fault), data)
        case DigestMismatch():
            return RpcFault(ErrorCode.DIGEST_MISMATCH, str(fault), {"approvalId": fault.approval_id})
        case SessionNotFound():
            return RpcFault(ErrorCode.SESSION_NOT_FOUND, str(fault))
        case InvalidRequest():
            return RpcFault(ErrorCode.INVALID_PARAMS, str(fault), {"path": fault.path})
    return RpcFault(ErrorCode.INTERNAL_ERROR, "the server met a fault that it did not expect; details are in its log")

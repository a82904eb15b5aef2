"""The handlers of chats and of the views that show them."""

import asyncio
import logging
from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assent.lsp import to_wire
from assent.lsp.approval_features import waiting_calls
from assent.lsp.client import Client
from assent.lsp.from_wire import mode_of
from assent.lsp.handlers import Handlers
from assent.lsp.latest import Latest
from assent.lsp.lifecycle import Phase
from assent.lsp.media_on_wire import media_type
from assent.lsp.pieces import piece_of
from assent.lsp.wire_values import word
from assent.model.errors import InvalidRequest
from assent.model.events import DoneReason
from assent.model.ids import CallId, RunId, SessionId, ViewId
from assent.protocol import handshake as hands
from assent.protocol import session as sess

if TYPE_CHECKING:
    from assent.app.app import App
    from assent.app.seat import Sent
    from assent.model.message_parts import Part

logger = logging.getLogger(__name__)


class ChatFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]", client: Client, phase: Callable[[], Phase]) -> None:
        self._app = app
        self._client = client
        self._phase = phase
        self._finding = Latest()

    def handlers(self) -> Handlers:
        return {
            "session/new": self._new,
            "session/list": self._list,
            "session/load": self._load,
            "session/close": self._close,
            "session/setMode": self._set_mode,
            "session/setAgentOption": self._set_agent_option,
            "chat/send": self._send,
            "chat/files": self._files,
            "chat/attachable": self._attachable,
            "chat/retry": self._retry,
            "chat/stop": self._stop,
            "tool/result": self._tool_result,
            "tool/written": self._tool_written,
            "tool/media": self._tool_media,
            "view/attached": self._attached,
            "view/detached": self._detached,
            "view/activity": self._activity,
        }

    async def _new(self, params: sess.SessionNewParams) -> sess.SessionInfo:
        chat = self._app().open_chat(params.agent, mode_of(params.mode))
        return self._info(chat.session_id)

    async def _list(self, params: sess.SessionListParams) -> sess.SessionList:
        await self._app().restored()
        agents = tuple(sess.AgentInfo(a.agent_id, a.name, a.description) for a in self._app().agents().values())
        return sess.SessionList(tuple(self._info(chat.session_id) for chat in self._app().desk.chats()), agents)

    async def _load(self, params: sess.SessionLoadParams) -> sess.SessionLoaded:
        session_id = SessionId(params.session_id)
        await self._app().restored(session_id)
        chat = self._app().desk.chat(session_id)
        events = tuple(self._client.event(happened) for happened in chat.events.since(params.since_n or 0))
        return sess.SessionLoaded(self._info(session_id), events, waiting_calls(self._app(), self._client, session_id))

    async def _close(self, params: sess.SessionRef) -> hands.Nothing:
        await self._app().close_chat(SessionId(params.session_id))
        self._app().attendance.look()
        return hands.Nothing()

    async def _set_mode(self, params: sess.SetModeParams) -> sess.SessionInfo:
        mode = mode_of(params.mode)
        assert mode is not None
        await self._app().restored(SessionId(params.session_id))
        self._app().desk.set_mode(SessionId(params.session_id), mode, apply_now=params.apply_now is True)
        return self._info(SessionId(params.session_id))

    async def _set_agent_option(self, params: sess.SetAgentOptionParams) -> hands.Nothing:
        session_id = SessionId(params.session_id)
        await self._app().restored(session_id)
        confirmed = params.confirmed is True
        await self._app().choose_for_agent(session_id, params.setting_id, params.value, confirmed=confirmed)
        return hands.Nothing()

    async def _send(self, params: sess.ChatSendParams) -> sess.ChatSendResult:
        if params.tools is not None or params.collections is not None:
            logger.info("ignored the tools that a client sent: the toolbelt is the server's own")
        session_id = SessionId(params.session_id)
        await self._app().restored(session_id)
        replace = params.when_busy == "replace"
        sent = self._app().desk.moment(session_id)
        text: str | tuple[Part, ...] = params.text
        if params.attachments:
            from assent.app.attaching import NamedFile

            files = [NamedFile(one.path, one.agreed_digest) for one in params.attachments]
            text = (f"{params.text.rstrip()}\n", *await self._app().attaching.read(session_id, files))
        instead_of = None if params.replaces_message is None else RunId(params.replaces_message)
        mode = mode_of(params.permission_mode)
        message = self._app().desk.send(session_id, text, mode, replace=replace, sent=sent, instead_of=instead_of)
        return await self._result_of(session_id, message)

    async def _files(self, params: sess.ChatFilesParams) -> sess.ChatFiles:
        with self._finding.instead_of_older(params.view_id):
            files, more = await self._app().attaching.found(SessionId(params.session_id), params.query)
        return sess.ChatFiles(files, more)

    async def _attachable(self, params: sess.ChatAttachableParams) -> sess.ChatAttachable:
        found = await self._app().attaching.look(SessionId(params.session_id), params.path)
        warning = found.warning
        text, digest = (None, None) if warning is None else (warning.text, warning.digest)
        return sess.ChatAttachable(found.shown, found.size, text, digest, found.picture)

    async def _retry(self, params: sess.SessionRef) -> sess.ChatSendResult:
        session_id = SessionId(params.session_id)
        await self._app().restored(session_id)
        return await self._result_of(session_id, self._app().desk.retry(session_id))

    async def _result_of(self, session_id: SessionId, message: "asyncio.Task[Sent]") -> sess.ChatSendResult:
        sent = await self._end_of(message)
        reason = sent.end.reason
        ended: Any = "error" if reason is None else word(reason)
        return sess.ChatSendResult(
            session_id,
            sent.run_id,
            ended,
            None if reason is DoneReason.STOP else sent.end.message,
            None if sent.begun else True,
        )

    async def _end_of(self, message: "asyncio.Task[Sent]") -> "Sent":
        try:
            return await asyncio.shield(message)
        except asyncio.CancelledError:
            # The client cancelled its request: that is Stop. A page that only went away comes back for its cards; where
            # the client's end is the server's end, the app is shut down by its host.
            if self._phase() is not Phase.CLOSED:
                message.cancel()
                await asyncio.wait({message})
            raise

    async def _stop(self, params: sess.SessionRef) -> sess.ChatStopResult:
        return sess.ChatStopResult(await self._app().desk.stop(SessionId(params.session_id)))

    async def _tool_result(self, params: sess.ToolResultParams) -> sess.ToolResultPiece:
        if params.offset < 0:
            raise InvalidRequest("an offset must not be negative", "params.offset")
        chat = self._app().desk.chat(SessionId(params.session_id))
        text = chat.results.get(CallId(params.tool_call_id))
        if text is None:
            raise InvalidRequest("the whole of this result is not kept any more", "params.toolCallId")
        return sess.ToolResultPiece(*piece_of(text, params.offset))

    async def _tool_written(self, params: sess.ToolWrittenParams) -> sess.ToolWritten:
        if params.offset < 0:
            raise InvalidRequest("an offset must not be negative", "params.offset")
        written = await self._app().written_file(SessionId(params.session_id), CallId(params.tool_call_id))
        text = written.after if params.side == "after" else written.before
        if text is None:
            return sess.ToolWritten(written.real_path)
        return sess.ToolWritten(written.real_path, *piece_of(text, params.offset))

    async def _tool_media(self, params: sess.ToolMediaParams) -> sess.ToolMedia:
        from assent.app.made_files import made_file

        made, data = await made_file(self._app().desk.chat(SessionId(params.session_id)), CallId(params.tool_call_id))
        mime = media_type(made.mime)
        if mime is None:
            raise InvalidRequest("it is of a kind that cannot be shown", "params.toolCallId")
        return sess.ToolMedia(mime, b64encode(data).decode("ascii"))

    async def _attached(self, params: sess.ViewParams) -> hands.Nothing:
        self._app().shown(SessionId(params.session_id), ViewId(params.view_id), self._client)
        return hands.Nothing()

    async def _detached(self, params: sess.ViewParams) -> hands.Nothing:
        self._app().attendance.detached(SessionId(params.session_id), ViewId(params.view_id))
        return hands.Nothing()

    async def _activity(self, params: sess.ViewParams) -> hands.Nothing:
        self._app().attendance.active(SessionId(params.session_id))
        return hands.Nothing()

    def _info(self, session_id: SessionId) -> sess.SessionInfo:
        app = self._app()
        chat = app.desk.chat(session_id)
        return to_wire.session_info(
            chat,
            running=app.desk.running(session_id),
            waiting=len(app.broker.waiting(session_id))
            + len(app.forms.waiting(session_id))
            + app.desk.about_to_wait(session_id),
            bypasses=app.bypasses(chat),
            workspace=app.workspace,
        )

"""Tells an editor what happens in its sessions, and puts the questions of the gate to it."""

import asyncio
import logging

from assent.acp.connection import Connection
from assent.acp.faults import AgentFault
from assent.agent.eventlog import Happened
from assent.app.app import App
from assent.app.consents import ConsentQuestion
from assent.editors.pipes import Pipes
from assent.editors.translation import permission_of, updates_of
from assent.model.approval import Answer, Question, Resolution
from assent.model.errors import AssentError, ToolFault
from assent.model.forms import FormAction, OpenForm
from assent.model.ids import ApprovalId, SessionId
from assent.model.json import Json, JsonObject
from assent.model.preview import DiffPreview
from assent.runtime.tasks import TaskGroup
from assent.settings.layers import Diagnostic
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import read_regular
from assent.tools.edits import edited
from assent.tools.form import as_kept, read_text
from assent.tools.places import locate

logger = logging.getLogger(__name__)

_MOST_TEXT = 1 << 20
"""Bytes of a file whose content is shown before and after."""
_MOST_REMARKS = 20
"""About the settings: whoever has more of them to put right begins with these."""


class Telling:
    """Watches the app for one editor. An answer that is no clear yes is a no."""

    def __init__(self, app: App, connection: Connection, pipes: Pipes) -> None:
        self._app = app
        self._connection = connection
        self._pipes = pipes
        self.sessions: set[SessionId] = set()
        """Those that this editor has opened."""
        self._remarks: list[str] = []
        self._asking: dict[ApprovalId, asyncio.Task[None]] = {}
        self._tasks = TaskGroup("questions to the editor")

    async def end(self) -> None:
        """The editor is gone: nobody answers any more."""
        await self._tasks.cancel()

    def happened(self, happened: Happened) -> None:
        if happened.session_id in self.sessions:
            for update in updates_of(happened.event):
                self._tell(happened.session_id, update)

    def asked(self, question: Question) -> None:
        """Puts a question to the editor. Asked anew after a change, the first asking is withdrawn."""
        self._drop(question.approval_id)
        if question.session_id in self.sessions:
            self._asking[question.approval_id] = self._tasks.start(self._ask(question), "question")

    def updated(self, question: Question) -> None:
        """What is said beside a question is not drawn by editors."""

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self._drop(question.approval_id)

    def consent_asked(self, question: ConsentQuestion) -> None:
        words = (
            "the settings of this folder would loosen what is asked for. They do not count: agree to them in an editor "
            "that has Assent as an extension, or put them into your own settings."
        )
        self.remark(f"Assent: {words}\n")

    def remark(self, words: str) -> None:
        """Something to know that belongs to no call: told in every session, also in one that begins later."""
        if words in self._remarks or len(self._remarks) >= _MOST_REMARKS:
            return
        self._remarks.append(words)
        for session_id in self.sessions:
            self._remark(session_id, words)

    def begin(self, session_id: SessionId) -> None:
        """The editor has opened this session."""
        self.sessions.add(session_id)
        for words in self._remarks:
            self._remark(session_id, words)
        self._app.wake(session_id)

    def _remark(self, session_id: SessionId, words: str) -> None:
        text: JsonObject = {"type": "text", "text": words}
        self._tell(session_id, {"sessionUpdate": "agent_thought_chunk", "content": text})

    def consent_resolved(self, consent_id: str) -> None:
        """Nothing was drawn of it."""

    def form_asked(self, form: OpenForm) -> None:
        """Forms of others are not drawn by editors."""

    def form_ended(self, form: OpenForm, action: FormAction | None) -> None:
        """Nothing was drawn of it."""

    @property
    def draws_forms(self) -> bool:
        return False

    def restored(self, session_ids: tuple[SessionId, ...]) -> None:
        """Chats of earlier servers are no sessions of this editor."""

    def settings_found(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        for one in diagnostics[:_MOST_REMARKS]:
            self.remark(f"Assent: {one.sentence}\n")

    def list_changed(self, for_new_chats: str) -> None:
        """A session keeps its agent and its folder."""

    @property
    def congested(self) -> bool:
        return self._pipes.congested

    async def drained(self) -> None:
        await self._pipes.drained()

    @property
    def deaf(self) -> bool:
        return False

    def _tell(self, session_id: SessionId, update: JsonObject) -> None:
        self._connection.notify("session/update", {"sessionId": session_id, "update": update})

    def _drop(self, approval_id: ApprovalId) -> None:
        task = self._asking.pop(approval_id, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def _ask(self, question: Question) -> None:
        texts = await asyncio.to_thread(_texts, question, self._app.workspace.roots())
        params = permission_of(question, question.session_id, texts)
        try:
            result = await self._connection.request("session/request_permission", params, None, withdraw=True)
        except AgentFault as fault:
            logger.warning("the editor could not ask: %s", fault.message)
            result = None
        answer = answer_in(result, question)
        self._asking.pop(question.approval_id, None)
        try:
            await self._app.answer(question.approval_id, answer, question.session_id, None)
        except AssentError as fault:
            # What would run has changed, and is asked for anew; or somebody else was quicker.
            logger.info("an answer of the editor does not count: %s", type(fault).__name__)


def answer_in(result: Json, question: Question) -> Answer:
    """Whatever is no clear yes is a no."""
    digest = question.card.digest
    match result:
        case {"outcome": {"outcome": "selected", "optionId": str(option_id)}}:
            known = any(one.option_id == option_id and not one.disabled for one in question.card.options)
            return Answer(option_id=option_id, digest=digest) if known else Answer(cancelled=True, digest=digest)
    return Answer(cancelled=True, digest=digest)


def _texts(question: Question, roots: tuple[str, ...]) -> tuple[str | None, str] | None:
    """A file before and after, where this server itself would write the content. Belongs into a thread."""
    card = question.card
    args = card.call.args or {}
    # What an agent of others would do itself is known from the look at it alone, and not from its arguments.
    if card.call.tool not in ("write_file", "edit_file") or not card.editable:
        return None
    content = args.get("content")
    if not isinstance(card.preview, DiffPreview) or (card.call.tool == "write_file" and not isinstance(content, str)):
        return None
    if card.preview.is_new:
        return (None, content) if isinstance(content, str) else None
    try:
        place = locate(card.preview.real_path, roots)
        found = read_regular(place.target, _MOST_TEXT)
        text = read_text(found.data, declared_for(place)) if found is not None and found.whole else None
        if text is None:
            return None
        return text.text, as_kept(content, text.form) if isinstance(content, str) else edited(text.text, args)
    except ToolFault:
        return None

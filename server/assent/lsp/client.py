"""One connected client as the hub sees it: what it is told, and how a question reaches it."""

import asyncio
import logging
from enum import Enum
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.lsp import to_wire
from assent.lsp.consent_words import HONOUR, IGNORE, consent_request, plain_consent
from assent.lsp.diagnostics import SettingsDiagnostics
from assent.lsp.events_on_wire import agent_event
from assent.lsp.faults import Disconnected, RpcFault
from assent.lsp.plain_question import plain_question
from assent.lsp.protocol import AssentServer
from assent.lsp.told import ToldQuestions
from assent.lsp.wire_values import word
from assent.model.approval import Answer, Question, Resolution
from assent.model.errors import AssentError
from assent.model.ids import ApprovalId, SessionId
from assent.protocol.approval import ApprovalRequest
from assent.protocol.consent import ConsentResolved
from assent.protocol.events import AgentEvent
from assent.protocol.forms import FormEnded
from assent.protocol.handshake import ClientHandshake
from assent.protocol.methods import ErrorCode
from assent.protocol.session import SessionListChanged, SessionsRestored
from assent.protocol.shells import ShellInfo
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.agent.eventlog import Happened
    from assent.app.app import App
    from assent.app.consents import ConsentQuestion
    from assent.model.forms import FormAction, OpenForm
    from assent.settings.layers import Diagnostic

logger = logging.getLogger(__name__)

SILENCE_SECONDS = 10.0


class Asking(Enum):
    """How a question reaches the user of this client."""

    CARDS = "cards"
    MESSAGES = "messages"
    UNKNOWN = "unknown"
    """It announced neither; it is told all the same, and its first answer shows that it can draw."""


class Client:
    """A watcher for the hub. All it does without waiting; asking by message box runs as a task of its own."""

    def __init__(self, server: AssentServer, app: "Callable[[], App]") -> None:
        self._server = server
        self._app = app
        self._asking = Asking.UNKNOWN
        self.options: frozenset[str] | None = None
        """The kinds of options that it can draw; None means all."""
        self._asks: dict[ApprovalId, asyncio.Task[None]] = {}
        self._consent_ask: asyncio.Task[None] | None = None
        self._tasks = TaskGroup("client")
        self._deaf = False
        self.diagnostics = SettingsDiagnostics(self._publish)
        self.writes_settings = False
        self.attests = False
        self.keeps_secrets = False
        self._follows_counts = False
        self._reveals = False
        self._opens = False
        self.draws_forms = False
        self._told = ToldQuestions()

    def meet(self, handshake: ClientHandshake | None, capabilities: lsp.ClientCapabilities) -> None:
        """Takes in what the client can do."""
        announced = handshake.capabilities if handshake else ()
        self.writes_settings = "settings/write" in announced
        self.attests = "attest" in announced
        self.keeps_secrets = "secrets/get" in announced
        self._follows_counts = "counts" in announced
        self._reveals = "reveal" in announced
        self._opens = "details" in announced
        self.draws_forms = "cards" in announced and "forms" in announced
        if handshake is not None and handshake.options is not None:
            self.options = frozenset(handshake.options)
        if "cards" in announced:
            self._asking = Asking.CARDS
        elif capabilities.window is not None and capabilities.window.show_message is not None:
            self._asking = Asking.MESSAGES

    def answers(self) -> None:
        """It answered a question as one that draws cards does."""
        if self._asking is Asking.UNKNOWN:
            self._asking = Asking.CARDS
        self._deaf = False

    @property
    def deaf(self) -> bool:
        return self._deaf

    @property
    def congested(self) -> bool:
        return self._server.congested

    async def drained(self) -> None:
        await self._server.drained()

    def happened(self, happened: "Happened") -> None:
        self._server.tell("agent/event", self.event(happened))

    def event(self, happened: "Happened") -> AgentEvent:
        """An event as it leaves for this client."""
        event = agent_event(happened)
        if not self._reveals:
            return event
        from assent.lsp.masked_card import masked_event

        return masked_event(event, self._app().secrets.values)

    def command(self, info: ShellInfo) -> ShellInfo:
        """A running command as it leaves for this client."""
        if not self._reveals:
            return info
        from assent.lsp.masked_card import masked_command

        return masked_command(info, self._app().secrets.values)

    def asked(self, question: Question) -> None:
        if self._asking is Asking.MESSAGES:
            self._start_asking(question)
            return
        self._server.tell("tool/approvalRequest", self._card(question))
        if self._asking is Asking.UNKNOWN:
            self._tasks.start(self._wait_for_a_sign(question.approval_id), "wait for a sign")

    def updated(self, question: Question) -> None:
        # To a client that does not expect it, a card that comes again only for a number would look like a new one.
        if self._follows_counts and self._asking is Asking.CARDS:
            self._server.tell("tool/approvalRequest", self._card(question))

    def redelivered(self, question: Question) -> ApprovalRequest:
        """A question again, for a view that was rebuilt."""
        return self._card(question, redelivery=True)

    def was_told(self, approval_id: ApprovalId) -> bool:
        """Whether this client was shown this card: only then can an answer to it be its user's."""
        return approval_id in self._told

    def reveal(self, question: Question) -> None:
        """The card again, from now on with the secrets in it."""
        self._told.reveal(question.approval_id)
        self._server.tell("tool/approvalRequest", self._card(question, redelivery=True))

    def _card(self, question: Question, *, redelivery: bool = False) -> ApprovalRequest:
        """The card as it leaves for this client."""
        from assent.lsp.without_dumps import without_dumps

        card = without_dumps(self._card_in_full(question, redelivery=redelivery), question)
        self._told.showed(
            question.approval_id, card.args_digest, masked=bool(card.redactions), cut=card.truncated is not None
        )
        return card

    def unseen(self, approval_id: ApprovalId) -> str:
        """What of this call its user cannot have seen, as a sentence; empty where there is nothing. Of a client that
        opens what is cut, and reveals what is masked, nobody can know it otherwise."""
        if self._reveals and self._told.is_masked(approval_id):
            return "The card masks secrets that nobody has revealed. Reveal them (tool/reveal), or refuse the call."
        if self._opens and self._told.is_cut(approval_id):
            return "The card does not hold all of the call. Open all of it (tool/approvalDetails), or refuse the call."
        return ""

    def opened(self, approval_id: ApprovalId, start: int, end: int, total: int) -> None:
        """A piece of a call's arguments was asked for."""
        self._told.opened(approval_id, start, end, total)

    def opened_file(self, approval_id: ApprovalId, file: int, *, of: int, tell_all: bool) -> None:
        """A file that a call changes was asked for to its end."""
        self._told.opened_file(approval_id, file, of=of, tell_all=tell_all)

    def _card_in_full(self, question: Question, *, redelivery: bool) -> ApprovalRequest:
        self._told.add(question.approval_id)
        countdown = self._app().timekeeper.countdown(question.approval_id)
        card = to_wire.approval_request(question, known=self.options, countdown=countdown, redelivery=redelivery)
        # A client that could not ask for what a mark stands for is shown everything.
        if not self._reveals or self._told.is_revealed(question.approval_id):
            return card
        # What secrets look like takes a while to load, and the first card comes long after the editor was answered.
        from assent.lsp.masked_card import masked

        known = self._app().secrets.values
        # A card comes again for every number that changes on it, and nearly none holds a secret.
        if self._told.is_clean(question.approval_id, card.args_digest, known):
            return card
        shown = masked(card, known)
        if shown is card:
            self._told.found_clean(question.approval_id, card.args_digest, known)
        return shown

    def resolved(self, question: Question, resolution: Resolution) -> None:
        self._told.ended(question.approval_id)
        task = self._asks.pop(question.approval_id, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        self._server.tell("tool/approvalResolved", to_wire.approval_resolved(question, resolution))

    def consent_asked(self, question: "ConsentQuestion") -> None:
        if self._asking is Asking.MESSAGES:
            self._consent_ask = self._tasks.start(self._ask_consent(question), "ask about settings")
        else:
            self._server.tell("settings/consentRequest", consent_request(question))

    def consent_resolved(self, consent_id: str) -> None:
        task, self._consent_ask = self._consent_ask, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        self._server.tell("settings/consentResolved", ConsentResolved(consent_id))

    def form_asked(self, form: "OpenForm") -> None:
        if self.draws_forms:
            # As with cards: what secrets look like is loaded when it is first needed.
            from assent.lsp.forms_on_wire import form_request

            self._server.tell("form/request", form_request(form, self._app().secrets.values))

    def form_ended(self, form: "OpenForm", action: "FormAction | None") -> None:
        if self.draws_forms:
            ended = FormEnded(form.form_id, form.asked.session_id, None if action is None else word(action))
            self._server.tell("form/ended", ended)

    def restored(self, session_ids: tuple[SessionId, ...]) -> None:
        self._server.tell("session/restored", SessionsRestored(session_ids))

    def list_changed(self, for_new_chats: str) -> None:
        self._server.tell("session/listChanged", SessionListChanged(for_new_chats))

    def settings_found(self, diagnostics: "tuple[Diagnostic, ...]") -> None:
        self.diagnostics.show(diagnostics)

    def _publish(self, uri: str, diagnostics: list[lsp.Diagnostic]) -> None:
        self._server.tell(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, lsp.PublishDiagnosticsParams(uri, diagnostics))

    async def gone(self) -> None:
        """Ends what is still asked of this client."""
        await self._tasks.cancel()

    def _start_asking(self, question: Question) -> None:
        earlier = self._asks.pop(question.approval_id, None)
        if earlier is not None:
            earlier.cancel()
        self._asks[question.approval_id] = self._tasks.start(self._ask(question), "ask by message")

    async def _ask(self, question: Question) -> None:
        message = plain_question(question)
        try:
            picked = await self._server.ask(lsp.WINDOW_SHOW_MESSAGE_REQUEST, message.params, timeout=None)
        except RpcFault as fault:
            logger.warning("the client cannot ask by message box (%s)", fault.code.name)
            if fault.code is ErrorCode.METHOD_NOT_FOUND:
                self._become_deaf()
            if fault.code is ErrorCode.METHOD_NOT_FOUND or isinstance(fault, Disconnected):
                return
            picked = None  # Nobody sees this box, so nobody could ever answer it: as if it had been closed.
        title = getattr(picked, "title", None)
        option_id = message.option_ids.get(title) if isinstance(title, str) else None
        answer = Answer(option_id=option_id, cancelled=option_id is None, digest=question.card.digest)
        try:
            await self._app().answer(question.approval_id, answer, question.session_id, None)
        except AssentError as fault:
            # Settled meanwhile, or changed: then it is asked anew by itself.
            logger.info("the answer to %s did not count: %s", question.approval_id, type(fault).__name__)

    async def _ask_consent(self, question: "ConsentQuestion") -> None:
        message = plain_consent(question)
        try:
            picked = await self._server.ask(lsp.WINDOW_SHOW_MESSAGE_REQUEST, message.params, timeout=None)
        except RpcFault as fault:
            logger.warning("the client cannot ask about settings (%s); they have no effect", fault.code.name)
            return
        title = getattr(picked, "title", None)
        if title not in {HONOUR, IGNORE}:
            return  # Closed without an answer: nothing counts, and nothing is remembered.
        honour = message.honour if title == HONOUR else frozenset()
        try:
            await self._app().consents.answer(question.consent_id, question.digest, honour)
        except AssentError as fault:
            logger.info("the answer about settings did not count: %s", type(fault).__name__)

    async def _wait_for_a_sign(self, approval_id: ApprovalId) -> None:
        await asyncio.sleep(SILENCE_SECONDS)
        if self._asking is Asking.UNKNOWN:
            logger.warning("approval %s: no sign that this client can ask anybody", approval_id)
            self._become_deaf()

    def _become_deaf(self) -> None:
        self._deaf = True
        self._app().nobody_answers()

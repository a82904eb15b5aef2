"""The handlers around forms of others: the user's answers, and what waits."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.model.forms import FormAction
from assent.model.ids import SessionId
from assent.protocol import forms as wire
from assent.protocol.handshake import Nothing

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App


class FormFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {"form/answer": self._answer, "form/pending": self._pending}

    async def _answer(self, params: wire.FormAnswerParams) -> Nothing:
        chat = SessionId(params.session_id) if params.session_id is not None else None
        self._app().forms.answer(params.form_id, chat, FormAction(params.action), params.content or {})
        return Nothing()

    async def _pending(self, params: wire.PendingFormsParams) -> wire.PendingForms:
        chat = SessionId(params.session_id) if params.session_id is not None else None
        from assent.lsp.forms_on_wire import form_request

        app = self._app()
        return wire.PendingForms(tuple(form_request(one, app.secrets.values) for one in app.forms.waiting(chat)))

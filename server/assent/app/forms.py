"""Forms that MCP servers and agents put to the user. Each waits for a person, and ends with whatever asked it.

Nothing answers one but a person: where what asked is stopped or gone, the form is withdrawn.
"""

import asyncio
from collections.abc import Callable

from assent.agent.form_reading import checked_content
from assent.app.hub import Hub
from assent.model.errors import InvalidRequest
from assent.model.events import Event, Notice
from assent.model.forms import FormAction, FormAnswer, FormAsked, NotAskable, OpenForm
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id

MOST_OF_ONE = 3
"""That one asker may have open in one chat."""
MOST = 20


_CAME_TO = {
    FormAction.ACCEPT: "You sent it your answer.",
    FormAction.DECLINE: "You declined.",
    FormAction.CANCEL: "You closed its form without an answer.",
    None: "Its form was withdrawn before you answered.",
}


class Forms:
    """All that wait, in the order in which they were asked."""

    def __init__(self, hub: Hub, clock: Clock, tell: Callable[[SessionId, Event], None]) -> None:
        self._hub = hub
        self._clock = clock
        self._tell = tell
        self._open: dict[str, tuple[OpenForm, asyncio.Future[FormAnswer]]] = {}

    @property
    def can_be_asked(self) -> bool:
        """Whether a client is there that draws forms. Who begins while none is, is not told that it may ask."""
        return self._hub.draws_forms

    def waiting(self, session_id: SessionId | None = None) -> tuple[OpenForm, ...]:
        """Those of one chat, or all."""
        return tuple(form for form, _ in self._open.values() if session_id in (None, form.asked.session_id))

    async def ask(self, asked: FormAsked) -> FormAnswer:
        """The user's answer. Raises NotAskable. Being cancelled withdraws the form."""
        if not self.can_be_asked:
            raise NotAskable("nobody is there who could be asked")
        waiting = self.waiting()
        of_same = [one for one in waiting if (one.asked.asker, one.asked.session_id) == (asked.asker, asked.session_id)]
        if len(waiting) >= MOST or len(of_same) >= MOST_OF_ONE:
            raise NotAskable("too many forms wait for the user already")
        form = OpenForm(new_id(), self._clock.timestamp(), asked)
        answer: asyncio.Future[FormAnswer] = asyncio.get_running_loop().create_future()
        self._open[form.form_id] = (form, answer)
        self._hub.form_asked(form)
        ended: FormAction | None = None
        try:
            given = await answer
            ended = given.action
        finally:
            del self._open[form.form_id]
            self._hub.form_ended(form, ended)
            # What was given is nobody's business but the asker's: only that it was stays in the chat.
            self._tell(asked.session_id, Notice(f"{asked.asker.words} asked you for something. {_CAME_TO[ended]}"))
        return given

    def answer(self, form_id: str, session_id: SessionId | None, action: FormAction, content: JsonObject) -> None:
        """Lets the user's answer count, once. Raises InvalidRequest; then the form still waits."""
        form, future = self._open.get(form_id, (None, None))
        if form is None or future is None or future.done():
            raise InvalidRequest("no form is open under this id", "params.formId")
        if session_id is not None and session_id != form.asked.session_id:
            raise InvalidRequest("this form belongs to another chat", "params.sessionId")
        if action is not FormAction.ACCEPT and content:
            raise InvalidRequest("only what is accepted has a content", "params.content")
        given = checked_content(form.asked.form, content) if action is FormAction.ACCEPT else {}
        future.set_result(FormAnswer(action, given))

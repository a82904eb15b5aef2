"""What an MCP server asks the user while something of it is used: forms, each for the call that goes on."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

from assent.agent.form_reading import METHOD, NoForm, form_of
from assent.agent.ports import FormPort, Manner
from assent.lazy_dataclasses import dataclass
from assent.mcp.talk import METHOD_NOT_FOUND, Talk
from assent.mcp.words import Definition
from assent.model.forms import CANCELLED, Asker, AskerKind, Form, FormAsked, NotAskable
from assent.model.json import Json, JsonObject
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    import asyncio

CURRENT: ContextVar["Use | None"] = ContextVar("the call for which an MCP server is used", default=None)
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A call that uses the server."""

    manner: Manner
    name: str
    """What of the server it uses."""


class _Question:
    """What the server asks, with the calls for which it may ask, as far as they go on."""

    def __init__(self, uses: list[Use]) -> None:
        self.uses = uses
        self.task: asyncio.Task[None] | None = None
        self._waits = False
        self._rests = ExitStack()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Meanwhile one of the calls waits for a person, and does not work."""
        self._waits = True
        self._rests.enter_context(self.uses[-1].manner.asking())
        try:
            yield
        finally:
            self._waits = False
            self._rests.close()

    def ended(self, use: Use) -> None:
        """This call goes on no more. With the last one the question ends."""
        if use not in self.uses:
            return
        newest = self.uses[-1]
        self.uses.remove(use)
        if use is newest:
            self._rests.close()
        if not self.uses and self.task is not None:
            self.task.cancel()
        elif use is newest and self._waits:
            self._rests.enter_context(self.uses[-1].manner.asking())


class ServerQuestions:
    """Of one server that runs. Each question gets one answer, whatever becomes of it."""

    def __init__(self, definition: Definition, forms: FormPort | None) -> None:
        self._asker = Asker(AskerKind.MCP_SERVER, definition.name, definition.shown)
        self._forms = forms
        self._offered = False
        self._uses: list[Use] = []
        """Those of now, the newest last."""
        self._open: dict[str | int, _Question] = {}
        self._tasks = TaskGroup(f"questions of {definition.name}")

    def offered(self) -> JsonObject:
        """The capabilities to announce: none where nobody could answer."""
        self._offered = self._forms is not None and self._forms.can_be_asked
        return {"elicitation": {"form": {}}} if self._offered else {}

    @contextmanager
    def during(self, manner: Manner, name: str) -> Iterator[None]:
        """While this call uses this of the server."""
        use = Use(manner, name)
        self._uses.append(use)
        before = CURRENT.set(use)
        try:
            yield
        finally:
            CURRENT.reset(before)
            self._uses.remove(use)
            for question in self._open.values():
                question.ended(use)

    def asked(self, number: str | int, method: str, params: Json, talk: Talk, whose: object) -> bool:
        """Takes a question, which belongs to `whose` call, where that is known. False where nothing of the kind was
        offered."""
        if method != METHOD or not self._offered or self._forms is None:
            return False
        uses = [use for use in self._uses if whose in (None, use)]
        if not uses:
            talk.refuse(number, INVALID_REQUEST, "nothing is asked while no call of this server goes on")
        elif number in self._open:
            talk.refuse(number, INVALID_REQUEST, "a request with this id is open")
        else:
            question = self._open[number] = _Question(uses)
            task = question.task = self._tasks.start(self._ask(number, params, question, self._forms, talk), "a form")
            task.add_done_callback(partial(self._ended, number, talk))
        return True

    def withdraw(self, number: Json) -> None:
        """The server does not want an answer any more."""
        found = self._open.get(number) if isinstance(number, str | int) else None
        if found is not None and found.task is not None:
            found.task.cancel()

    def end(self) -> None:
        """The server has ended, and all that it asked."""
        for question in self._open.values():
            if question.task is not None:
                question.task.cancel()

    async def _ask(self, number: str | int, params: Json, question: _Question, forms: FormPort, talk: Talk) -> None:
        try:
            asked = self._form(form_of(params), question.uses)
            with talk.waiting_for_person(), question.waiting():
                answer = await forms.ask(asked)
            talk.answer(number, answer.as_result)
        except NoForm as fault:
            talk.refuse(number, INVALID_PARAMS, str(fault))
        except NotAskable as fault:
            talk.refuse(number, METHOD_NOT_FOUND, str(fault))

    def _form(self, form: Form, uses: list[Use]) -> FormAsked:
        """For the one call, else for none of them, in the newest one's chat."""
        chat = uses[-1].manner.session_id
        if len(uses) == 1:
            return FormAsked(self._asker, form, chat, uses[0].manner.call_id)
        among = (use.name if use.manner.session_id == chat else f"{use.name} in another chat" for use in uses)
        return FormAsked(self._asker, form, chat, among=tuple(among))

    def _ended(self, number: str | int, talk: Talk, task: "asyncio.Task[None]") -> None:
        """However it ended, and where it never began: a server that waits for an answer gets one."""
        self._open.pop(number, None)
        if task.cancelled():
            talk.answer(number, CANCELLED.as_result)
        elif task.exception() is not None:
            talk.refuse(number, INTERNAL_ERROR, "this could not be dealt with")

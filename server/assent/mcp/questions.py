"""What an MCP server asks the user while something of it is used: forms, each for the call that goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from assent.agent.form_reading import METHOD, NoForm, form_of
from assent.agent.ports import FormPort, Manner
from assent.mcp.talk import METHOD_NOT_FOUND, Talk
from assent.mcp.words import Definition
from assent.model.forms import CANCELLED, Asker, AskerKind, FormAsked, NotAskable
from assent.model.json import Json, JsonObject
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    import asyncio

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class ServerQuestions:
    """Of one server that runs. Each question gets one answer, whatever becomes of it."""

    def __init__(self, definition: Definition, forms: FormPort | None) -> None:
        self._asker = Asker(AskerKind.MCP_SERVER, definition.name, definition.shown)
        self._forms = forms
        self._offered = False
        self._uses: list[Manner] = []
        """The calls that use the server now, the newest last."""
        self._open: dict[str | int, tuple[Manner, asyncio.Task[None]]] = {}
        self._tasks = TaskGroup(f"questions of {definition.name}")

    def offered(self) -> JsonObject:
        """The capabilities to announce: none where nobody could answer."""
        self._offered = self._forms is not None and self._forms.can_be_asked
        return {"elicitation": {"form": {}}} if self._offered else {}

    @contextmanager
    def during(self, manner: Manner) -> Iterator[None]:
        """While this call uses the server."""
        self._uses.append(manner)
        try:
            yield
        finally:
            self._uses.remove(manner)
            self._end(manner)

    def asked(self, number: str | int, method: str, params: Json, talk: Talk) -> bool:
        """Takes a question. False where nothing of the kind was offered."""
        if method != METHOD or not self._offered or self._forms is None:
            return False
        # A server does not say to which call its question belongs: of several it is about the newest.
        use = self._uses[-1] if self._uses else None
        if use is None:
            talk.refuse(number, INVALID_REQUEST, "nothing is asked while no call of this server goes on")
        elif number in self._open:
            talk.refuse(number, INVALID_REQUEST, "a request with this id is open")
        else:
            task = self._tasks.start(self._ask(number, params, use, self._forms, talk), "a form")
            self._open[number] = (use, task)
            task.add_done_callback(partial(self._ended, number, talk))
        return True

    def withdraw(self, number: Json) -> None:
        """The server does not want an answer any more."""
        found = self._open.get(number) if isinstance(number, str | int) else None
        if found is not None:
            found[1].cancel()

    def end(self) -> None:
        """The server has ended, and all that it asked."""
        for _, task in self._open.values():
            task.cancel()

    def _end(self, use: Manner) -> None:
        for whose, task in self._open.values():
            if whose is use:
                task.cancel()

    async def _ask(self, number: str | int, params: Json, use: Manner, forms: FormPort, talk: Talk) -> None:
        try:
            asked = FormAsked(self._asker, form_of(params), use.session_id, use.call_id)
            with talk.waiting_for_person(), use.asking():
                answer = await forms.ask(asked)
            talk.answer(number, answer.as_result)
        except NoForm as fault:
            talk.refuse(number, INVALID_PARAMS, str(fault))
        except NotAskable as fault:
            talk.refuse(number, METHOD_NOT_FOUND, str(fault))

    def _ended(self, number: str | int, talk: Talk, task: "asyncio.Task[None]") -> None:
        """However it ended, and where it never began: a server that waits for an answer gets one."""
        self._open.pop(number, None)
        if task.cancelled():
            talk.answer(number, CANCELLED.as_result)
        elif task.exception() is not None:
            talk.refuse(number, INTERNAL_ERROR, "this could not be dealt with")

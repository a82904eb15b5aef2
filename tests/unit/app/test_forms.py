"""Forms that wait for the user: how many, who ends them, and that each has one answer."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from assent.agent.form_reading import form_of
from assent.app.forms import MOST, MOST_OF_ONE, Forms
from assent.app.hub import Hub
from assent.model.errors import InvalidRequest
from assent.model.events import Event, Notice
from assent.model.forms import Asker, AskerKind, FormAction, FormAsked, NotAskable, OpenForm
from assent.model.ids import SessionId
from tests.support.clock import FakeClock
from tests.support.world import Watching

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM = form_of({"message": "Who?", "requestedSchema": SCHEMA})


def asked(name: str = "asker", chat: str = "chat") -> FormAsked:
    return FormAsked(Asker(AskerKind.MCP_SERVER, name), FORM, SessionId(chat))


class Desk:
    """Forms with a page that draws them."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.hub = Hub()
        self.page = Watching()
        self.hub.attach(self.page)
        self.forms = Forms(self.hub, FakeClock(), self._tell)

    def _tell(self, session_id: SessionId, event: Event) -> None:
        assert isinstance(event, Notice)
        self.told.append(event.text)

    @property
    def first(self) -> OpenForm:
        return self.forms.waiting()[0]


def play(story: Callable[[Desk], Coroutine[Any, Any, None]]) -> Desk:
    desk = Desk()
    asyncio.run(story(desk))
    return desk


def test_an_answer_counts_once_and_what_does_not_fit_leaves_the_form_waiting() -> None:
    async def story(desk: Desk) -> None:
        asking = asyncio.ensure_future(desk.forms.ask(asked()))
        await asyncio.sleep(0)
        form_id = desk.first.form_id
        for chat, action, content, path in (
            (None, FormAction.ACCEPT, {}, "params.content.name"),
            (None, FormAction.ACCEPT, {"name": "x", "more": 1}, "params.content.more"),
            (None, FormAction.DECLINE, {"name": "x"}, "params.content"),
            (SessionId("other"), FormAction.CANCEL, {}, "params.sessionId"),
        ):
            with pytest.raises(InvalidRequest) as fault:
                desk.forms.answer(form_id, chat, action, content)
            assert fault.value.path == path
        desk.forms.answer(form_id, SessionId("chat"), FormAction.ACCEPT, {"name": "Ada"})
        with pytest.raises(InvalidRequest):
            desk.forms.answer(form_id, None, FormAction.ACCEPT, {"name": "Eve"})
        assert (await asking).content == {"name": "Ada"}
        assert [(form.form_id, action) for form, action in desk.page.forms_ended] == [(form_id, FormAction.ACCEPT)]
        assert desk.forms.waiting() == ()

    assert play(story).told == ["The MCP server “asker” asked you for something. You sent it your answer."]


def test_who_stops_asking_withdraws_the_form_also_behind_an_answer() -> None:
    async def story(desk: Desk) -> None:
        asking = asyncio.ensure_future(desk.forms.ask(asked()))
        await asyncio.sleep(0)
        desk.forms.answer(desk.first.form_id, None, FormAction.ACCEPT, {"name": "Ada"})
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert desk.forms.waiting() == () and desk.page.forms_ended[0][1] is None

    assert "withdrawn" in play(story).told[0]


def test_only_so_many_wait() -> None:
    async def story(desk: Desk) -> None:
        tasks = [asyncio.ensure_future(desk.forms.ask(asked())) for _ in range(MOST_OF_ONE + 1)]
        await asyncio.sleep(0)
        with pytest.raises(NotAskable):
            await tasks.pop()
        tasks += [asyncio.ensure_future(desk.forms.ask(asked(f"asker {number}"))) for number in range(MOST)]
        await asyncio.sleep(0)
        assert len(desk.forms.waiting()) == MOST
        assert len(desk.forms.waiting(SessionId("another"))) == 0
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert desk.forms.waiting() == ()

    play(story)


def test_nobody_is_asked_where_nobody_could_answer() -> None:
    async def story(desk: Desk) -> None:
        desk.page.draws_forms = False
        assert not desk.forms.can_be_asked
        with pytest.raises(NotAskable):
            await desk.forms.ask(asked())

    assert play(story).told == []

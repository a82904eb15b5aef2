"""Chats, queued messages, views and rehearsals."""

import asyncio

import pytest

from assent.app.desk import MAX_PROMPT
from assent.model.approval import Answer, OptionKind, ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved, InvalidOption, InvalidRequest, SessionNotFound
from assent.model.events import DoneReason, ModeChanged, PermissionAsked, Prompt, RunDone, ToolCalled, ToolFinished
from assent.model.ids import SessionId, ViewId
from assent.model.modes import Mode
from tests.support.world import World, call, say, settled, until


async def test_an_unknown_agent_is_named_with_the_known_ones() -> None:
    with pytest.raises(InvalidRequest, match="Agent") as fault:
        World().desk.open("Nobody", None)
    assert fault.value.path == "params.agent"


async def test_a_chat_starts_in_the_mode_of_the_settings_or_in_the_one_asked_for() -> None:
    world = World()
    assert world.desk.open("Agent", None).mode is Mode.DEFAULT
    assert world.desk.open("Agent", Mode.PLAN).mode is Mode.PLAN
    assert len({chat.session_id for chat in world.desk.chats()}) == 2


async def test_an_unknown_chat_is_a_fault_everywhere() -> None:
    desk, nobody = World().desk, SessionId("nobody")
    for action in (
        lambda: desk.chat(nobody),
        lambda: desk.running(nobody),
        lambda: desk.send(nobody, "x", None),
        lambda: desk.set_mode(nobody, Mode.ASK, apply_now=False),
        lambda: desk.show(nobody, ViewId("v")),
        lambda: desk.hide(nobody, ViewId("v")),
    ):
        with pytest.raises(SessionNotFound):
            action()
    for waiting in (desk.stop, desk.close):
        with pytest.raises(SessionNotFound):
            await waiting(nobody)
    assert not desk.shows(ViewId("v"), nobody)


@pytest.mark.parametrize("text", ["", "  \n", "x" * (MAX_PROMPT + 1)])
async def test_a_message_that_is_none_starts_nothing(text: str) -> None:
    world = World()
    chat = world.chat()

    with pytest.raises(InvalidRequest) as fault:
        world.send(chat, text, Mode.AUTO)

    assert fault.value.path == "params.text"
    assert chat.mode is Mode.DEFAULT
    assert chat.events.last_n == 0


async def test_messages_run_one_after_another_in_their_order() -> None:
    world = World([call("count", n=1), say("a"), say("b"), say("c")])
    chat = world.chat()
    first = world.send(chat, "first")
    question = await world.question()
    second, third = world.send(chat, "second"), world.send(chat, "third")
    await settled()
    assert [prompt.text for prompt in world.of(chat, Prompt)] == ["first"]
    assert world.desk.running(chat.session_id)

    await world.allow(question)
    sents = await asyncio.gather(first, second, third)

    assert len({sent.run_id for sent in sents}) == 3
    story = [event for event in world.events(chat) if isinstance(event, (Prompt, RunDone))]
    assert [event.text if isinstance(event, Prompt) else "-" for event in story] == [
        "first",
        "-",
        "second",
        "-",
        "third",
        "-",
    ]
    assert not world.desk.running(chat.session_id)


async def test_a_queued_message_that_is_cancelled_never_runs_and_holds_nobody_up() -> None:
    world = World([call("count", n=1), say("a"), say("c")])
    chat = world.chat()
    first = world.send(chat, "first")
    question = await world.question()
    second, third = world.send(chat, "second"), world.send(chat, "third")
    await settled()
    second.cancel()
    await settled()

    await world.deny(question)
    await first
    assert (await third).end.reason is DoneReason.STOP
    assert second.cancelled()
    assert [prompt.text for prompt in world.of(chat, Prompt)] == ["first", "third"]
    assert not world.desk.running(chat.session_id)


async def test_a_message_that_is_cancelled_in_the_moment_it_is_sent_leaves_nothing_behind() -> None:
    world = World([say("a")])
    chat = world.chat()
    world.send(chat, "first").cancel()
    await settled()

    assert not world.desk.running(chat.session_id)
    assert not await world.desk.stop(chat.session_id)
    assert (await world.send(chat, "second")).end.reason is DoneReason.STOP


@pytest.mark.parametrize("steps", range(8))
async def test_one_that_is_replaced_at_any_moment_says_whether_it_had_begun(steps: int) -> None:
    world = World([call("count", n=1), say("b"), say("c")])
    chat = world.chat()
    first = world.send(chat, "first")
    for _ in range(steps):
        await asyncio.sleep(0)
    second = world.desk.send(chat.session_id, "second", None, replace=True)

    sent = await first
    assert sent.end.reason is DoneReason.CANCELLED
    assert sent.begun == ("first" in [prompt.text for prompt in world.of(chat, Prompt)])
    if not sent.begun:
        await world.deny(await world.question())
    assert (await second).end.reason is DoneReason.STOP
    assert not world.desk.running(chat.session_id)


async def test_chats_run_beside_each_other() -> None:
    world = World([call("count", n=1), say("b")])
    one, other = world.chat(), world.chat()
    sent = world.send(one)
    question = await world.question()

    assert (await world.send(other)).end.reason is DoneReason.STOP
    assert world.broker.waiting() == (question,)
    await world.deny(question)
    await sent


async def test_the_title_is_the_beginning_of_the_first_message() -> None:
    world = World([say("x"), say("y")])
    chat = world.chat()
    assert chat.title == ""
    await world.send(chat, "  write\n a   long " + "text " * 30)
    await world.send(chat, "second")

    assert chat.title.startswith("write a long text")
    assert len(chat.title) == 60
    assert chat.title.endswith("…")


async def test_a_mode_is_told() -> None:
    world = World()
    chat = world.chat()
    world.desk.set_mode(chat.session_id, Mode.PLAN, apply_now=False)

    assert world.events(chat) == [ModeChanged(Mode.PLAN)]


async def test_a_view_shows_one_chat_at_a_time() -> None:
    world = World()
    one, other = world.chat(), world.chat()
    view, second = ViewId("1"), ViewId("2")
    world.desk.show(one.session_id, view)
    world.desk.show(one.session_id, second)
    world.desk.show(other.session_id, view)

    assert world.desk.shows(view, other.session_id)
    assert not world.desk.shows(view, one.session_id)
    assert world.desk.shows(second, one.session_id)
    world.desk.hide(one.session_id, second)
    assert not world.desk.shows(second, one.session_id)


class TestRehearsal:
    """A card that leads to nothing."""

    async def test_it_tells_what_was_clicked_and_grants_nothing(self) -> None:
        for kind, status in ((OptionKind.ALLOW_ONCE, Status.ALLOWED), (OptionKind.REJECT_ONCE, Status.REJECTED)):
            world = World()
            chat = world.chat()
            rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
            question = await world.question()

            await world.answer(question, kind)

            resolution = await rehearsing
            assert (resolution.status, resolution.by) == (status, ResolvedBy.USER)
            names = [type(event) for event in world.events(chat)]
            assert names[0] is ToolCalled
            assert PermissionAsked in names
            assert names[-1] is ToolFinished
            assert (chat.grants.all, world.trust.on) == ((), set())
            assert list(chat.history) == []
            assert world.tool.entered == []

    @pytest.mark.parametrize(
        "answer",
        [
            Answer(bypass_all=True),
            Answer(kind=OptionKind.ALLOW_SESSION),
            Answer(kind=OptionKind.BYPASS_SESSION),
            Answer(option_id="bypass_agent"),
            Answer(option_id="approve", bypass_all=True),
        ],
    )
    async def test_nothing_lasting_can_be_chosen_on_it(self, answer: Answer) -> None:
        world = World()
        chat = world.chat()
        rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
        question = await world.question()

        with pytest.raises(InvalidOption):
            await world.answers.take(question.approval_id, answer, None, None)

        assert not rehearsing.done()
        assert (chat.grants.all, world.trust.on) == ((), set())
        await world.deny(question)
        await rehearsing

    async def test_stop_and_close_withdraw_it(self) -> None:
        for end in ("stop", "close"):
            world = World()
            chat = world.chat()
            rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
            question = await world.question()

            await getattr(world.desk, end)(chat.session_id)

            with pytest.raises(InvalidRequest, match="withdrawn"):
                await rehearsing
            with pytest.raises(ApprovalAlreadyResolved):
                await world.allow(question)
            assert isinstance(world.events(chat)[-1], ToolFinished)

    async def test_it_goes_with_the_request_for_it(self) -> None:
        world = World()
        chat = world.chat()
        rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
        await world.question()

        rehearsing.cancel()
        await until(lambda: not world.broker.waiting(), "the end of the card")

    async def test_a_bypass_does_not_answer_it(self) -> None:
        world = World([call("count", n=1)])
        chat = world.chat()
        rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
        await world.question()
        sent = world.send(chat)
        await world.question(2)

        await world.answer(world.broker.waiting()[1], OptionKind.BYPASS_SESSION)
        await sent

        assert len(world.broker.waiting()) == 1
        await world.deny(world.broker.waiting()[0])
        await rehearsing

    async def test_a_message_sent_while_a_stop_withdraws_it_is_not_stopped(self) -> None:
        go_on = asyncio.Event()
        world = World([[go_on.wait, *say("hello")]])
        chat = world.chat()
        rehearsing = asyncio.ensure_future(world.desk.rehearse(chat.session_id, world.broker, "/w"))
        await world.question()

        stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
        await asyncio.sleep(0)
        sent = world.send(chat)

        assert await stopping
        go_on.set()
        assert (await sent).end.reason is DoneReason.STOP
        with pytest.raises(InvalidRequest):
            await rehearsing

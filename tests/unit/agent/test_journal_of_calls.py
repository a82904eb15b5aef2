"""What is written down of each call on its way, in which order, and that nothing goes on that could not be written."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from assent.agent.look import Asker
from assent.model.approval import OptionKind, ResolvedBy
from assent.model.errors import ApprovalAlreadyResolved, NotRecorded
from assent.model.events import ToolFinished, ToolProgress
from assent.model.modes import Mode
from assent.model.records import Ending, Entry, Stage
from assent.model.verdict import Reason
from tests.support.world import Watching, World, call, raw_call, settled, until

ASKED, DECIDED, STARTED, FINISHED = Stage.REQUESTED, Stage.DECIDED, Stage.STARTED, Stage.FINISHED


def line(entry: Entry) -> tuple[Stage, Ending | None]:
    """An entry in short."""
    return entry.stage, entry.ending


def lines(world: World) -> list[tuple[Stage, Ending | None]]:
    """The journal in short."""
    return [line(entry) for entry in world.journal.entries]


async def asked(world: World) -> tuple[Any, Any]:
    """A call that waits, and its run."""
    sent = world.send(world.chat())
    return await world.question(), sent


async def test_a_call_that_is_allowed_by_a_click() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    await world.allow(question)
    await sent

    assert lines(world) == [
        (ASKED, None),
        (DECIDED, Ending.ALLOWED),
        (STARTED, None),
        (FINISHED, Ending.DONE),
    ]
    requested, decided, started, finished = world.journal.entries
    assert requested.approval_id == decided.approval_id == question.approval_id
    assert (decided.by, decided.option, decided.edited) == (ResolvedBy.USER, OptionKind.ALLOW_ONCE, False)
    assert {entry.subject.digest for entry in world.journal.entries} == {question.card.digest}
    assert {entry.subject.call.args["n"] for entry in world.journal.entries if entry.subject.call.args} == {7}
    assert decided.waited_ms is not None
    assert finished.took_ms is not None
    assert started.subject.folder == "/w"


async def test_a_call_that_is_denied_with_words() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    await world.deny(question, "use 8")
    await sent

    assert lines(world) == [(ASKED, None), (DECIDED, Ending.REJECTED)]
    assert world.journal.entries[-1].feedback == "use 8"


async def test_a_stop_writes_the_ends_of_all_that_waited_together_and_tells_them_then() -> None:
    world = World([[delta for n in range(30) for delta in call("count", n=n)]])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question(30)
    before, world.journal.hold = world.journal.writes, asyncio.Event()

    stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
    await settled()
    # Nothing can be answered any more, and nobody was told of an end yet.
    with pytest.raises(ApprovalAlreadyResolved):
        await world.allow(question)
    assert not world.client.endings and not any(isinstance(event, ToolFinished) for event in world.events(chat))
    world.journal.hold.set()
    await stopping
    await sent

    assert world.journal.writes - before == 1
    assert lines(world) == [(ASKED, None)] * 30 + [(DECIDED, Ending.CANCELLED)] * 30
    assert len(world.client.endings) == len(world.outcomes(chat)) == 30


async def test_a_stop_ends_what_waits_also_where_that_cannot_be_written() -> None:
    world = World([call("count", n=7)])
    _, sent = await asked(world)
    world.journal.refuses = lambda entry: True
    (chat,) = world.desk.chats()

    await world.desk.stop(chat.session_id)
    await sent

    assert (len(world.client.endings), world.tool.entered) == (1, [])


async def test_a_call_that_needs_no_click() -> None:
    world = World([call("look")])
    await world.send(world.chat())

    assert lines(world) == [(DECIDED, Ending.ALLOWED), (STARTED, None), (FINISHED, Ending.DONE)]
    assert (world.journal.entries[0].by, world.journal.entries[0].reason) == (ResolvedBy.POLICY, Reason.READ_AUTO)


@pytest.mark.parametrize(
    ("made", "ending", "reason"),
    [
        (call("count", n=1), Ending.BLOCKED, Reason.BLOCKED_IN_PLAN_MODE),
        (call("cuont", n=1), Ending.UNUSABLE, Reason.TOOL_NOT_FOUND),
        (call("count", n="x"), Ending.UNUSABLE, Reason.INVALID_ARGUMENTS),
        (raw_call("count", "{"), Ending.UNUSABLE, Reason.INVALID_ARGUMENTS),
    ],
)
async def test_a_call_that_is_refused(made: list[Any], ending: Ending, reason: Reason) -> None:
    world = World([made])
    await world.send(world.chat(Mode.PLAN))

    assert lines(world) == [(DECIDED, ending)]
    assert world.journal.entries[0].reason is reason


async def test_a_call_that_is_stopped_while_it_waits() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    await world.desk.stop(question.session_id)
    await sent

    assert lines(world) == [(ASKED, None), (DECIDED, Ending.CANCELLED)]
    assert world.journal.entries[-1].by is ResolvedBy.STOP


async def test_calls_that_a_grant_settles_name_the_policy() -> None:
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    sent = world.send(world.chat())
    await world.question(2)
    first, second = world.broker.waiting()
    await world.answer(first, OptionKind.ALLOW_SESSION)
    await sent

    of_second = [entry for entry in world.journal.entries if entry.subject.call.call_id == second.card.call.call_id]
    assert [(entry.stage, entry.ending, entry.by) for entry in of_second] == [
        (ASKED, None, None),
        (DECIDED, Ending.ALLOWED, ResolvedBy.POLICY),
        (DECIDED, Ending.ALLOWED, ResolvedBy.POLICY),
        (STARTED, None, None),
        (FINISHED, Ending.DONE, None),
    ]


async def test_an_answer_that_cannot_be_written_down_leaves_the_call_waiting() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    world.journal.refuses = lambda entry: entry.stage is DECIDED
    with pytest.raises(NotRecorded, match="Nothing ran"):
        await world.allow(question)
    assert world.tool.entered == []
    assert world.broker.waiting() == (question,)

    world.journal.refuses = lambda entry: False
    await world.allow(question)
    await sent
    assert world.tool.entered == [{"n": 7}]


async def test_a_start_that_cannot_be_written_down_does_not_happen() -> None:
    world = World([call("look")])
    world.journal.refuses = lambda entry: entry.stage is STARTED
    chat = world.chat()
    await world.send(chat)

    (outcome,) = world.outcomes(chat)
    assert (outcome.code, outcome.ran, world.reader.entered) == ("not_recorded", False, [])


async def test_a_rule_that_comes_while_the_start_is_written_down_still_counts() -> None:
    world = World([call("look")])
    world.journal.hold = asyncio.Event()
    chat = world.chat()
    sent = world.send(chat)
    await settled()
    world.rules = replace(world.rules, enabled=False)
    world.journal.hold.set()
    await sent

    (outcome,) = world.outcomes(chat)
    assert (outcome.code, outcome.ran, world.reader.entered) == ("disabled", False, [])
    assert lines(world)[-1] == (FINISHED, Ending.STOPPED)


async def test_a_stop_while_the_start_is_written_down_still_counts() -> None:
    world = World([call("look")])
    world.journal.hold = asyncio.Event()
    chat = world.chat()
    sent = world.send(chat)
    await settled()
    stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
    await settled()
    world.journal.hold.set()
    await stopping
    await sent

    assert world.reader.entered == []
    await until(lambda: lines(world)[-1:] == [(FINISHED, Ending.STOPPED)], "the end in the journal")


async def test_a_rule_that_comes_before_the_yes_has_the_last_word() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    world.rules = replace(world.rules, enabled=False)
    await world.allow(question)
    await sent

    assert lines(world) == [(ASKED, None), (DECIDED, Ending.ALLOWED), (DECIDED, Ending.BLOCKED)]
    assert world.journal.entries[-1].subject.digest == question.card.digest


async def test_what_only_the_end_of_the_server_ended_has_no_fate_yet() -> None:
    world = World([call("count", n=7)])
    await asked(world)
    await world.desk.shut_down()

    assert lines(world) == [(ASKED, None)]


async def test_a_row_says_who_refused_it() -> None:
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    await world.deny(question, "use 8")
    await sent

    chat = world.desk.chat(question.session_id)
    assert [event.note for event in world.of(chat, ToolProgress)][-1] == "You chose “Deny”. You said: “use 8”"


@pytest.mark.parametrize("which", [2, 3], ids=["after the answer", "right before it starts"])
async def test_a_decision_that_fails_after_a_yes_leaves_no_call_open(
    which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first after the click is that of the card, which is looked at again."""
    world = World([call("count", n=7)])
    question, sent = await asked(world)
    decided = 0
    decides = Asker.decide

    def failing(asker: Asker, *arguments: Any) -> Any:
        nonlocal decided
        decided += 1
        if decided == which:
            raise MemoryError
        return decides(asker, *arguments)

    monkeypatch.setattr(Asker, "decide", failing)
    await world.allow(question)
    await sent

    assert decided == which
    assert world.tool.entered == []
    assert lines(world)[:2] == [(ASKED, None), (DECIDED, Ending.ALLOWED)]
    assert lines(world)[-1] == (FINISHED, Ending.STOPPED)
    (outcome,) = world.outcomes(sent_in(world))
    assert outcome.code == "internal_error"


def sent_in(world: World) -> Any:
    """The one chat."""
    (chat,) = world.desk.chats()
    return chat


class OfAGuest:
    """A call that waits and begins with its yes, like those of an agent of others."""

    def __init__(self) -> None:
        self.world = World([call("count", n=7)])
        self.world.tool.begins_with_yes = True

    async def asked(self) -> Any:
        """Its question."""
        self.question, self.sent = await asked(self.world)
        return self.question

    async def write_the_yes(self) -> "asyncio.Task[Any]":
        """Clicked, and on its way to the disk until `hold` is set."""
        self.world.journal.hold = asyncio.Event()
        answering = asyncio.ensure_future(self.world.allow(self.question))
        await settled()
        return answering

    def written(self) -> None:
        """The disk has taken it."""
        assert self.world.journal.hold is not None
        self.world.journal.hold.set()
        self.world.journal.hold = None


async def test_a_start_that_comes_with_the_yes_is_written_down_with_it() -> None:
    guest = OfAGuest()
    world, question = guest.world, await guest.asked()
    writes: list[tuple[Stage, ...]] = []
    write = world.journal.write

    async def counted(*entries: Entry) -> None:
        writes.append(tuple(entry.stage for entry in entries))
        await write(*entries)

    world.journal.write = counted  # type: ignore[method-assign]
    await world.allow(question)
    await guest.sent

    assert writes == [(DECIDED, STARTED), (FINISHED,)]
    assert world.tool.entered == [{"n": 7}]


async def test_a_no_begins_nothing() -> None:
    guest = OfAGuest()
    await guest.world.deny(await guest.asked())
    await guest.sent
    assert lines(guest.world) == [(ASKED, None), (DECIDED, Ending.REJECTED)]


async def test_a_yes_that_cannot_be_written_down_begins_nothing_and_can_be_given_again() -> None:
    guest = OfAGuest()
    world, question = guest.world, await guest.asked()
    world.journal.refuses = lambda entry: entry.stage is STARTED
    with pytest.raises(NotRecorded):
        await world.allow(question)
    assert (world.tool.entered, world.broker.waiting()) == ([], (question,))
    assert lines(world) == [(ASKED, None)]

    world.journal.refuses = lambda entry: False
    await world.allow(question)
    await guest.sent
    assert lines(world)[1:] == [(DECIDED, Ending.ALLOWED), (STARTED, None), (FINISHED, Ending.DONE)]


async def test_a_rule_has_the_last_word_on_what_began_with_its_yes() -> None:
    guest = OfAGuest()
    world, question = guest.world, await guest.asked()
    world.rules = replace(world.rules, enabled=False)
    await world.allow(question)
    await guest.sent

    assert world.tool.entered == []
    assert lines(world)[3:] == [(DECIDED, Ending.BLOCKED), (FINISHED, Ending.STOPPED)]


async def test_a_stop_while_such_a_yes_is_written_down() -> None:
    guest = OfAGuest()
    world, question = guest.world, await guest.asked()
    answering = await guest.write_the_yes()
    stopping = asyncio.ensure_future(world.desk.stop(question.session_id))
    await settled()
    guest.written()
    await stopping
    with pytest.raises(ApprovalAlreadyResolved):
        await answering
    await guest.sent

    assert world.tool.entered == []
    assert (STARTED, None) in lines(world)
    assert lines(world)[-1] == (FINISHED, Ending.STOPPED)


async def test_a_stop_right_behind_such_a_yes() -> None:
    """The yes has counted, and the call that waited for it has not had its turn yet."""
    guest = OfAGuest()
    world, question = guest.world, await guest.asked()
    stopped: list[str] = []

    class Stopping(Watching):
        def resolved(self, question: Any, resolution: Any) -> None:
            tasks = [task for task in asyncio.all_tasks() if task.get_name().startswith("run ")]
            stopped.extend(task.get_name() for task in tasks if task.cancel())

    world.broker.watch(Stopping())
    await world.allow(question)
    await guest.sent

    assert stopped
    assert world.tool.entered == []
    assert lines(world)[1:] == [(DECIDED, Ending.ALLOWED), (STARTED, None), (FINISHED, Ending.STOPPED)]


@pytest.mark.parametrize("of_guest", [True, False], ids=["begins with it", "begins later"])
async def test_an_answer_on_its_way_to_the_disk_counts_whoever_stops_waiting_for_it(of_guest: bool) -> None:
    guest = OfAGuest()
    guest.world.tool.begins_with_yes = of_guest
    world = guest.world
    await guest.asked()
    answering = await guest.write_the_yes()
    answering.cancel()
    await settled()
    assert not answering.done()
    answering.cancel()
    guest.written()
    with pytest.raises(asyncio.CancelledError):
        await answering
    await guest.sent

    assert world.tool.entered == [{"n": 7}]
    assert lines(world)[1:] == [(DECIDED, Ending.ALLOWED), (STARTED, None), (FINISHED, Ending.DONE)]

"""The order in which calls are carried out: the model's where they meet, side by side elsewhere, and none for ever."""

import asyncio
import random
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from assent.agent import sequence as sequence_module
from assent.agent.ports import Found, Left
from assent.agent.sequence import Sequence, Ticket
from assent.model.calls import Access, Caller, CallFacts, PathUse
from assent.model.commands import Command, Part
from assent.model.ids import CallId
from assent.model.modes import Category
from assent.policy import conflicts
from assent.policy.conflicts import resources_of
from tests.support.cards import card
from tests.support.conflicts import Conflict, between
from tests.support.rule_work import lines_run
from tests.support.scale import limit

CALLER = card().caller
SUB_AGENT = replace(CALLER, parent_call=CallId("handed on"), path=("Tidy",))
UNKNOWN = Command("make", (Part((), "make"),))


def touching(path: str, access: Access = Access.WRITE) -> CallFacts:
    category = Category.READ if access is Access.READ else Category.WRITE
    return CallFacts("tool", True, category, (PathUse(path, path, access, inside=True),))


def running(command: Command = UNKNOWN) -> CallFacts:
    folder = PathUse("/w", ".", Access.RUN, inside=True, is_directory=True)
    return CallFacts("bash", True, Category.EXECUTE, (folder,), command=command)


HANDED_ON = CallFacts("run_subtask", True, Category.INTERNAL)


@dataclass
class Call:
    """One call as a run would carry it, moved on by a test."""

    name: str
    facts: CallFacts
    log: list[str]
    asks: bool = True
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    refused: bool = False
    waited: bool | None = None
    ticket: Ticket | None = None

    async def live(self, sequence: Sequence) -> None:
        with sequence.ticket(CALLER, CallId("one")) as self.ticket:
            await self.looked.wait()
            self.ticket.looked(self.facts)
            if self.asks:
                self.ticket.asked()
                await self.answered.wait()
            if self.refused:
                return
            self.waited = await self.ticket.turn(self.facts, clicked=True)
            self.log.append(f"{self.name} begins")
            await self.finished.wait()
            self.log.append(f"{self.name} ends")


class Calls:
    """Calls of one run. All are looked at at once, unless a test says otherwise."""

    def __init__(self, *facts: CallFacts, parallel: int = 8, asks: bool = True, looked: bool = True) -> None:
        self.log: list[str] = []
        self.sequence = Sequence(parallel)
        self.all = [Call("abcdefghij"[index], one, self.log, asks) for index, one in enumerate(facts)]
        self.tasks = [asyncio.ensure_future(call.live(self.sequence)) for call in self.all]
        for call in self.all if looked else ():
            call.looked.set()

    async def settle(self) -> list[str]:
        """Lets everyone have their turns; what happened until now."""
        for _ in range(20):
            await asyncio.sleep(0)
        return self.log

    async def answer(self, *names: str) -> list[str]:
        for name in names:
            self.named(name).answered.set()
            await self.settle()
        return self.log

    async def finish(self, *names: str) -> list[str]:
        for name in names:
            self.named(name).finished.set()
            await self.settle()
        return self.log

    async def refuse(self, name: str) -> list[str]:
        self.named(name).refused = True
        return await self.answer(name)

    def named(self, name: str) -> Call:
        return next(call for call in self.all if call.name == name)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.wait(self.tasks, timeout=limit(5))


async def test_two_writes_of_one_file_are_carried_out_in_the_models_order() -> None:
    calls = Calls(touching("/w/a"), touching("/w/a"))

    assert await calls.answer("b") == []
    assert await calls.answer("a") == ["a begins"]
    assert await calls.finish("b", "a") == ["a begins", "a ends", "b begins", "b ends"]
    assert calls.named("a").waited is False
    assert calls.named("b").waited is True


async def test_what_touches_other_places_does_not_wait() -> None:
    calls = Calls(touching("/w/a"), touching("/w/ab"), touching("/w/b", Access.READ))

    assert await calls.answer("c", "b") == ["c begins", "b begins"]
    await calls.stop()


async def test_a_refused_call_is_no_longer_in_the_way() -> None:
    calls = Calls(touching("/w/a"), touching("/w/a"))
    await calls.answer("b")

    assert await calls.refuse("a") == ["b begins"]
    await calls.stop()


async def test_a_withdrawn_call_is_no_longer_in_the_way() -> None:
    calls = Calls(touching("/w/a"), touching("/w/a"))
    await calls.answer("b")
    calls.tasks[0].cancel()

    assert await calls.settle() == ["b begins"]
    await calls.stop()


async def test_nothing_begins_before_what_comes_first_was_looked_at() -> None:
    calls = Calls(touching("/w/a"), touching("/w/b"), asks=False, looked=False)
    calls.named("b").looked.set()

    assert await calls.settle() == []
    calls.named("a").looked.set()
    assert sorted(await calls.settle()) == ["a begins", "b begins"]
    await calls.stop()


async def test_only_so_many_are_carried_out_and_any_number_waits_for_answers() -> None:
    calls = Calls(*(touching(f"/w/{number}") for number in range(5)), parallel=2)

    assert await calls.answer("e", "d", "c", "a") == ["e begins", "d begins"]
    assert await calls.finish("d") == ["e begins", "d begins", "d ends", "a begins"]
    await calls.stop()


async def test_what_hands_its_work_on_takes_nobodys_place() -> None:
    calls = Calls(HANDED_ON, HANDED_ON, touching("/w/a"), parallel=1, asks=False)

    assert await calls.settle() == ["a begins", "b begins", "c begins"]
    await calls.stop()


async def test_commands_of_unknown_effect_run_one_after_the_other() -> None:
    calls = Calls(running(), running(), asks=False)

    assert await calls.settle() == ["a begins"]
    assert await calls.finish("a") == ["a begins", "a ends", "b begins"]
    await calls.stop()


async def test_but_they_do_not_wait_for_each_others_cards() -> None:
    calls = Calls(running(), running())

    assert await calls.answer("b") == ["b begins"]
    # Nor does the first begin while the second is at it.
    assert await calls.answer("a") == ["b begins"]
    assert await calls.finish("b") == ["b begins", "b ends", "a begins"]
    await calls.stop()


async def test_nor_for_a_call_that_waits_for_someone_elses_card() -> None:
    """The second is allowed, and waits for the first one's answer; the third has nothing to do with the first."""
    calls = Calls(touching("/w/a"), CallFacts("bash", True, Category.EXECUTE, touching("/w/a").paths, command=UNKNOWN))
    third = Call("c", CallFacts("bash", True, Category.EXECUTE, command=UNKNOWN), calls.log, asks=False)
    third.looked.set()
    calls.all.append(third)
    await calls.answer("b")
    # It changes something too, and nobody knows where: that does not make it wait for the first one's card.
    calls.tasks.append(asyncio.ensure_future(third.live(calls.sequence)))

    assert await calls.settle() == ["c begins"]
    await calls.stop()


async def test_what_has_to_be_asked_after_all_leaves_its_place_to_others() -> None:
    sequence = Sequence(1)
    with sequence.ticket(CALLER, CallId("one")) as first, sequence.ticket(CALLER, CallId("one")) as second:
        first.looked(touching("/w/a"))
        second.looked(touching("/w/b"))
        assert await first.turn(touching("/w/a"), clicked=True) is False
        waiting = asyncio.ensure_future(second.turn(touching("/w/b"), clicked=True))
        await asyncio.sleep(0)
        assert not waiting.done()
        first.asked()

        assert await waiting is True


async def test_a_second_look_that_finds_the_same_does_not_wait_again_and_another_one_does() -> None:
    sequence = Sequence(8)
    with sequence.ticket(CALLER, CallId("one")) as first, sequence.ticket(CALLER, CallId("one")) as second:
        first.looked(touching("/w/a"))
        await first.turn(touching("/w/a"), clicked=True)
        second.looked(touching("/w/b"))
        assert await second.turn(touching("/w/b"), clicked=True) is False
        assert await second.turn(touching("/w/b"), clicked=True) is False
        other = asyncio.ensure_future(second.turn(touching("/w/a"), clicked=True))
        await asyncio.sleep(0)
        assert not other.done()
        other.cancel()


async def test_a_call_that_the_user_changed_is_in_the_way_where_it_goes_now() -> None:
    calls = Calls(touching("/w/a"), touching("/w/a"))
    await calls.answer("b")
    calls.named("a").facts = touching("/w/other")

    assert await calls.answer("a") == ["a begins", "b begins"]
    await calls.stop()


async def test_a_call_is_told_what_those_before_it_have_left_since_it_was_made() -> None:
    sequence = Sequence(8)
    old, new, later = (Left("/w/a", str(number), str(number + 1)) for number in range(3))
    with sequence.ticket(CALLER, CallId("one")) as zeroth:
        zeroth.leaves((old,))
    with (
        sequence.ticket(CALLER, CallId("one")) as first,
        sequence.ticket(CALLER, CallId("one")) as second,
        sequence.ticket(CALLER, CallId("one")) as third,
    ):
        third.leaves((later,))
        first.leaves((new,))

        assert second.before() == (new,)
        assert first.before() == ()
        assert third.before() == (new,)


@pytest.mark.parametrize(
    ("how", "known"),
    [
        ("both were asked about at the same time", True),
        ("nobody was asked about the first", False),
        ("the first was asked about, and a rule allowed it", False),
        ("the first was answered before the second was asked about", False),
        ("the first is a sub-agent's", False),
    ],
)
async def test_a_click_goes_on_only_from_what_its_user_knew_of(how: str, known: bool) -> None:
    sequence = Sequence(8)
    left, found = Left("/w/a", "old", "new"), Found("/w/a", "old")
    whose = SUB_AGENT if "sub-agent" in how else CALLER
    with ExitStack() as until_the_first_ends, ExitStack() as stack:
        first = until_the_first_ends.enter_context(sequence.ticket(whose, CallId("one")))
        second = stack.enter_context(sequence.ticket(CALLER, CallId("one")))
        for ticket in (first, second):
            ticket.looked(touching("/w/a"))
        if "nobody" not in how:
            first.asked()
        if "before the second" in how:
            await first.turn(touching("/w/a"), clicked=True)
        second.asked()
        await first.turn(touching("/w/a"), clicked="nobody" not in how and "rule" not in how)
        first.leaves((left,))
        until_the_first_ends.close()
        await second.turn(touching("/w/a"), clicked=True)

        assert second.before() == ((left,) if known else ())
        assert second.overtaken(found) is not known
        # What it is asked about anew shows what was left.
        assert not second.overtaken(Found("/w/a", "new"))


async def test_cards_of_an_earlier_time_say_nothing_of_a_later_one() -> None:
    sequence = Sequence(8)
    with ExitStack() as until_the_first_ends, ExitStack() as stack:
        first = until_the_first_ends.enter_context(sequence.ticket(CALLER, CallId("one")))
        second = stack.enter_context(sequence.ticket(CALLER, CallId("one")))
        for ticket in (first, second):
            ticket.looked(touching("/w/a"))
            ticket.asked()
        await first.turn(touching("/w/a"), clicked=True)
        second.asked()
        first.leaves((Left("/w/a", "old", "new"),))
        until_the_first_ends.close()
        await second.turn(touching("/w/a"), clicked=True)

        assert second.before() == ()


async def test_a_stop_ends_every_wait() -> None:
    calls = Calls(*(touching("/w/a") for _ in range(5)), running(), running(), parallel=1, asks=False)
    await calls.settle()

    await calls.stop()

    assert all(task.done() for task in calls.tasks)
    assert calls.log == ["a begins"]
    with calls.sequence.ticket(CALLER, CallId("one")) as after:
        after.looked(touching("/w/a"))
        assert await asyncio.wait_for(after.turn(touching("/w/a"), clicked=True), limit(5)) is False


def random_facts(chance: random.Random) -> CallFacts:
    kind = chance.random()
    if kind < 0.15:
        return running()
    if kind < 0.25:
        return HANDED_ON
    path = chance.choice(["/w/a", "/w/a/b", "/w/c", "/w/d"])
    return touching(path, chance.choice([Access.READ, Access.WRITE, Access.DELETE]))


class Play:
    """Calls of one run that are looked at, answered, refused, withdrawn and finished in an order that a seed picks."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.parallel = self.chance.randrange(1, 4)
        facts = [random_facts(self.chance) for _ in range(self.chance.randrange(2, 9))]
        self.calls = Calls(*facts, parallel=self.parallel, looked=False)
        for call in self.calls.all:
            call.asks = self.chance.random() < 0.6

    async def play(self, *, stops: bool) -> None:
        steps = [step for call in self.calls.all for step in ((call, "look"), (call, "answer"), (call, "finish"))]
        self.chance.shuffle(steps)
        if stops:
            del steps[self.chance.randrange(len(steps)) :]
        for call, step in steps:
            self.step(call, step)
            for _ in range(self.chance.randrange(4)):
                await asyncio.sleep(0)
            self.check_beside_each_other()
        if stops:
            await self.calls.stop()
        else:
            await asyncio.wait_for(asyncio.gather(*self.calls.tasks, return_exceptions=True), limit(5))
        self.check_order()

    def step(self, call: Call, step: str) -> None:
        if step == "look":
            call.looked.set()
        elif step == "finish":
            call.finished.set()
        elif self.chance.random() < 0.1:
            self.calls.tasks[self.calls.all.index(call)].cancel()
        else:
            call.refused = self.chance.random() < 0.2
            call.answered.set()

    def at_work(self) -> list[Call]:
        begun = [call for call in self.calls.all if f"{call.name} begins" in self.calls.log]
        done = [self.calls.tasks[self.calls.all.index(call)].done() for call in begun]
        return [call for call, over in zip(begun, done, strict=True) if not over and not call.finished.is_set()]

    def check_beside_each_other(self) -> None:
        at_work = [call for call in self.at_work() if call.facts is not HANDED_ON]
        assert len(at_work) <= self.parallel
        for index, one in enumerate(at_work):
            for other in at_work[index + 1 :]:
                assert between(resources_of(one.facts), resources_of(other.facts)) is Conflict.NONE

    def check_order(self) -> None:
        begun = [self.calls.named(line[0]) for line in self.calls.log if line.endswith("begins")]
        for first, second in ((one, other) for index, one in enumerate(begun) for other in begun[index + 1 :]):
            if between(resources_of(first.facts), resources_of(second.facts)) is Conflict.STRONG:
                assert first.name < second.name, self.calls.log


@pytest.mark.parametrize("chunk", range(4))
async def test_in_every_order_the_models_order_is_kept_and_nothing_waits_for_ever(chunk: int) -> None:
    for seed in range(chunk * 250, (chunk + 1) * 250):
        await Play(seed).play(stops=False)


async def test_in_every_order_a_stop_ends_all_waits() -> None:
    for seed in range(250):
        play = Play(seed)
        await play.play(stops=True)
        assert all(task.done() for task in play.calls.tasks)


async def test_two_hundred_calls_that_all_meet_go_through_one_by_one() -> None:
    sequence, order = Sequence(8), []

    async def live(number: int) -> None:
        with sequence.ticket(CALLER, CallId("one")) as ticket:
            ticket.looked(touching("/w/a"))
            await ticket.turn(touching("/w/a"), clicked=True)
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(live(number) for number in range(200)))

    assert all(one < other for one, other in pairwise(order))


@pytest.mark.parametrize("facts", [touching, lambda path: running()], ids=["files", "commands"])
def test_what_happens_to_one_of_very_many_that_wait_for_people_costs_no_look_at_the_others(
    facts: Callable[[str], CallFacts],
) -> None:
    def work(number: int) -> int:
        chain = Sequence(8)
        tickets = [chain.ticket(CALLER, CallId(str(index))) for index in range(number)]

        def ask_and_stop() -> None:
            for index, ticket in enumerate(tickets):
                ticket.looked(facts(f"/w/{index}"))
                ticket.asked()
            for ticket in tickets:
                chain.take_back(ticket)

        return lines_run(ask_and_stop, (sequence_module, conflicts))

    assert work(400) < 5 * work(100)


def making(*steps: CallFacts) -> CallFacts:
    return CallFacts("run_workflow", True, Category.WRITE, steps=steps)


async def test_what_a_call_makes_comes_before_all_that_waits_for_that_call() -> None:
    sequence, log = Sequence(1), []
    writes = touching("/w/a")
    of_it, below = (
        replace(CALLER, parent_call=CallId("flow")),
        replace(SUB_AGENT, parent_call=CallId("handed on")),
    )

    async def carry(caller: Caller, name: str, facts: CallFacts, until: asyncio.Event | None = None) -> None:
        with sequence.ticket(caller, CallId(name)) as ticket:
            ticket.looked(facts)
            await ticket.turn(facts, clicked=True)
            log.append(name)
            if until is not None:
                await until.wait()

    done = asyncio.Event()
    flow = asyncio.ensure_future(carry(CALLER, "flow", making(writes, HANDED_ON), done))
    await asyncio.sleep(0)
    after = asyncio.ensure_future(carry(CALLER, "after", writes))
    await asyncio.sleep(0)
    assert log == ["flow"]
    # A step, one that is a sub-agent, and what that one does.
    await asyncio.wait_for(carry(of_it, "step", writes), limit(5))
    with sequence.ticket(of_it, CallId("handed on")) as task:
        task.looked(HANDED_ON)
        await task.turn(HANDED_ON, clicked=False)
        await asyncio.wait_for(carry(below, "below", writes), limit(5))
    await asyncio.sleep(0)
    assert log == ["flow", "step", "below"]
    done.set()
    await asyncio.wait_for(asyncio.gather(flow, after), limit(5))
    assert log == ["flow", "step", "below", "after"]


@pytest.mark.parametrize(
    ("before", "shown"),
    [(running(), touching("/w/a")), (touching("/w/a"), CallFacts("tool", True, Category.WRITE))],
    ids=["it changes something somewhere", "what a step touches was not known"],
)
async def test_a_call_that_is_answered_late_and_steps_that_are_made_already_do_not_wait_for_each_other(
    before: CallFacts, shown: CallFacts
) -> None:
    sequence, log = Sequence(8), []
    answered, go_on = asyncio.Event(), asyncio.Event()
    step = touching("/w/a")

    async def early() -> None:
        with sequence.ticket(CALLER, CallId("early")) as ticket:
            ticket.looked(before)
            ticket.asked()
            await answered.wait()
            await ticket.turn(before, clicked=True)
            log.append("early")

    async def flow() -> None:
        with sequence.ticket(CALLER, CallId("flow")) as ticket:
            ticket.looked(making(shown))
            await ticket.turn(making(shown), clicked=True)
            await go_on.wait()
            with sequence.ticket(replace(CALLER, parent_call=CallId("flow")), CallId("step")) as inner:
                inner.looked(step)
                await inner.turn(step, clicked=False)
                log.append("step")

    both = [asyncio.ensure_future(early()), asyncio.ensure_future(flow())]
    await asyncio.sleep(0)
    answered.set()
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.wait_for(asyncio.gather(*both), limit(5))
    assert log == ["early", "step"]

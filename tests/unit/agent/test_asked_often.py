"""Cards of calls that were answered in the same way three times in a chat."""

from assent.lsp.to_wire import approval_request
from assent.model.approval import OptionKind, Question, Repeated
from assent.model.calls import Access, PathUse
from tests.support.same_call import SAME, each, insisting
from tests.support.world import World, say

NOTES = PathUse(shown="notes.txt", real="/w/notes.txt", access=Access.WRITE, inside=True)


async def test_the_fourth_card_says_that_such_calls_were_allowed_and_changes_no_answer() -> None:
    world = insisting(NOTES, times=5)
    chat = world.chat()
    sent = world.send(chat)
    cards: list[Question] = []
    for _ in range(5):
        cards.append(await world.question())
        await world.allow(cards[-1])
    await sent
    said = [one.card.repeated for one in cards]
    narrow = any(one.kind is OptionKind.ALLOW_ALWAYS for one in cards[0].card.options)
    assert said[:3] == [None, None, None]
    assert narrow
    assert said[3:] == [Repeated(OptionKind.ALLOW_ONCE, 3), Repeated(OptionKind.ALLOW_ONCE, 4)]
    assert {one.card.options for one in cards} == {cards[0].card.options}
    told = approval_request(cards[3], known=None).repeated
    assert told is not None
    assert told.option_id == next(o.option_id for o in cards[0].card.options if o.kind is OptionKind.ALLOW_ALWAYS)
    assert "allowed this 3 times" in told.text
    assert len(world.tool.entered) == 5


async def test_where_only_the_whole_tool_could_be_allowed_nothing_is_said() -> None:
    world = insisting()
    chat = world.chat()
    sent = world.send(chat)
    await each(world.allow, world)
    asked = await world.question()
    assert asked.card.repeated is None
    await world.allow(asked)
    await sent


async def test_a_client_that_does_not_draw_the_answer_is_told_nothing_of_it() -> None:
    world = insisting(NOTES)
    chat = world.chat()
    sent = world.send(chat)
    await each(world.allow, world)
    asked = await world.question()
    assert asked.card.repeated is not None
    assert approval_request(asked, known=frozenset({OptionKind.ALLOW_ONCE})).repeated is None
    await world.allow(asked)
    await sent


async def test_what_was_denied_often_is_said_in_a_later_run_as_well_and_is_asked_all_the_same() -> None:
    world = insisting()
    chat = world.chat()
    sent = world.send(chat)
    await each(world.deny, world)
    await sent
    again = world.send(chat, "Do it after all.")
    asked = await world.question()
    told = approval_request(asked, known=None).repeated
    assert told is not None
    assert (told.answer, told.times) == ("denied", 3)
    assert "keeps asking" in told.text
    assert told.option_id == next(o.option_id for o in asked.card.options if o.kind is OptionKind.REJECT_ALWAYS)
    await world.allow(asked)
    await again
    assert len(world.tool.entered) == 1


async def test_another_chat_knows_nothing_of_it() -> None:
    world = World(turns=[SAME, SAME, SAME, say("end"), SAME, say("end")])
    world.tool.paths = (NOTES,)
    first, second = world.chat(), world.chat()
    sent = world.send(first)
    await each(world.allow, world)
    await sent
    again = world.send(second)
    asked = await world.question()
    assert asked.card.repeated is None
    await world.allow(asked)
    await again

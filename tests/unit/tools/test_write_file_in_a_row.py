"""write_file after other writes of its run at the same place: what was shown is written, on what they left."""

import asyncio
from pathlib import Path

import pytest

from assent.agent.ports import Left, Prepared, ToolAnswer
from assent.agent.sequence import Sequence
from assent.model.calls import CallFacts
from assent.model.errors import ToolFault
from assent.model.ids import CallId
from assent.tools.write_file import WriteFile
from tests.support.cards import card

NAME = "a.txt"
CALLER = card().caller


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    (made / NAME).write_text("zero\n")
    return made


async def prepared(root: Path, content: str, name: str = NAME) -> Prepared:
    return await WriteFile(lambda: (str(root),)).prepare({"path": name, "content": content})


async def refused(call: Prepared, left: tuple[Left, ...]) -> str:
    with pytest.raises(ToolFault) as fault:
        await call.carry_out(left)
    return fault.value.code


async def test_the_second_of_two_writes_that_were_shown_together_is_written_as_shown(root: Path) -> None:
    first, second = await prepared(root, "one\n"), await prepared(root, "two\r\nlines")

    left = (await first.carry_out(())).left
    answer = await second.carry_out(left)

    assert (root / NAME).read_bytes() == b"two\r\nlines"
    assert "an earlier call of this run" in answer.text
    assert answer.left[0].found == left[0].made


async def test_a_third_follows_the_second(root: Path) -> None:
    calls = [await prepared(root, text) for text in ("one", "two", "three")]
    left: tuple[Left, ...] = ()

    for call in calls:
        left += (await call.carry_out(left)).left

    assert (root / NAME).read_text() == "three"


async def test_a_new_file_that_an_earlier_call_made_with_its_folders(root: Path) -> None:
    calls = [await prepared(root, text, "new/deep/a.txt") for text in "12"]

    left = (await calls[0].carry_out(())).left
    await calls[1].carry_out(left)

    assert (root / "new/deep/a.txt").read_text() == "2"


async def test_without_being_told_it_is_refused(root: Path) -> None:
    first, second = await prepared(root, "one\n"), await prepared(root, "two\n")
    await first.perform()

    assert await refused(second, ()) == "changed_since"
    assert (root / NAME).read_text() == "one\n"


async def test_what_anybody_else_put_there_is_not_overwritten(root: Path) -> None:
    first, second = await prepared(root, "one\n"), await prepared(root, "two\n")
    left = (await first.carry_out(())).left
    (root / NAME).write_text("by hand\n")

    assert await refused(second, left) == "changed_since"
    assert (root / NAME).read_text() == "by hand\n"


async def test_what_an_earlier_call_had_left_before_the_last_one_is_a_surprise(root: Path) -> None:
    calls = [await prepared(root, text) for text in ("one", "two", "three")]
    left = (await calls[0].carry_out(())).left
    left += (await calls[1].carry_out(left)).left
    (root / NAME).write_text("one")

    assert await refused(calls[2], left) == "changed_since"


async def test_what_was_left_elsewhere_says_nothing_of_this_place(root: Path) -> None:
    (root / "b.txt").write_text("zero\n")
    first, second = await prepared(root, "one\n", "b.txt"), await prepared(root, "two\n")
    left = (await first.carry_out(())).left
    (root / NAME).write_text("one\n")

    assert await refused(second, left) == "changed_since"


async def test_what_came_after_a_change_by_hand_does_not_lead_on(root: Path) -> None:
    """The first call found something else than the second was shown against."""
    second = await prepared(root, "two\n")
    (root / NAME).write_text("by hand\n")
    first = await prepared(root, "one\n")
    left = (await first.carry_out(())).left

    assert await refused(second, left) == "changed_since"
    assert (root / NAME).read_text() == "one\n"


async def test_a_file_that_is_as_it_was_shown_is_replaced_whatever_was_left(root: Path) -> None:
    first, second = await prepared(root, "one\n"), await prepared(root, "two\n")
    left = (await first.carry_out(())).left
    (root / NAME).write_text("zero\n")

    answer = await second.carry_out(left)

    assert "earlier call" not in answer.text
    assert (root / NAME).read_text() == "two\n"


async def test_a_file_that_became_a_link_is_refused_also_when_it_holds_what_was_left(root: Path) -> None:
    first, second = await prepared(root, "one\n"), await prepared(root, "two\n")
    left = (await first.carry_out(())).left
    (root.parent / "outside.txt").write_text("one\n")
    (root / NAME).unlink()
    (root / NAME).symlink_to(root.parent / "outside.txt")

    assert await refused(second, left) == "changed_since"
    assert (root.parent / "outside.txt").read_text() == "one\n"


@pytest.mark.parametrize("clicks", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
async def test_in_whatever_order_the_cards_are_answered_the_last_call_of_the_model_stays(
    root: Path, clicks: tuple[int, ...]
) -> None:
    sequence = Sequence(8)
    calls = [await prepared(root, f"by {number}") for number in range(3)]
    answered = [asyncio.Event() for _ in calls]

    async def carry(number: int) -> ToolAnswer:
        facts = CallFacts("write_file", True, WriteFile.category, calls[number].paths)
        with sequence.ticket(CALLER, CallId("one")) as ticket:
            ticket.looked(facts)
            ticket.asked()
            await answered[number].wait()
            await ticket.turn(facts, clicked=True)
            answer = await calls[number].carry_out(ticket.before())
            ticket.leaves(answer.left)
            return answer

    tasks = [asyncio.ensure_future(carry(number)) for number in range(3)]
    # All three cards are open before one of them is answered.
    await asyncio.sleep(0)
    for number in clicks:
        answered[number].set()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)

    assert (root / NAME).read_text() == "by 2"

"""Options whose meaning changes under a card: a click means what was shown when it was clicked, or nothing."""

import asyncio
from dataclasses import replace

import pytest

from assent.approvals.broker import Broker
from assent.model.approval import Answer, Card, Option, OptionKind, Question
from assent.model.errors import DigestMismatch, InvalidOption, NeedsOwnLook
from assent.model.grants import KeyGrant
from assent.model.verdict import Reason
from tests.support.asked_case import HandCase
from tests.support.cards import card
from tests.support.clock import FakeClock

YES = Option("approve", OptionKind.ALLOW_ONCE, "Approve")
NO = Option("deny", OptionKind.REJECT_ONCE, "Deny")


def offering(*keys: str) -> Card:
    """A card that offers to allow these for the chat; its call is always the same."""
    option = Option("allow_session", OptionKind.ALLOW_SESSION, f"Allow {keys}", "", KeyGrant(keys[0], keys[1:]))
    return replace(card("d0"), options=(YES, NO, option))


NARROW, WIDE = offering("mkdir"), offering("touch", "mkdir")


class Asked:
    def __init__(self, broker: Broker, first: Card) -> None:
        self.broker = broker
        self.now = first
        self.ids: list[str] = []
        self.task = asyncio.ensure_future(broker.ask(first, HandCase(self._look, self.ids.append)))

    async def _look(self) -> Card:
        return self.now

    async def answer(self, **fields: object) -> Option:
        _, option = await self.broker.answer(self.ids[0], Answer(digest="d0", **fields))  # type: ignore[arg-type]
        return option

    @property
    def question(self) -> Question:
        return self.broker.question(self.ids[0])  # type: ignore[arg-type]

    def session_option(self) -> Option:
        return next(one for one in self.question.card.options if one.kind is OptionKind.ALLOW_SESSION)


@pytest.fixture
async def asked() -> Asked:
    made = Asked(Broker(FakeClock()), NARROW)
    await asyncio.sleep(0)
    return made


async def test_a_click_on_its_way_never_allows_what_a_new_card_offers(asked: Asked) -> None:
    asked.now = WIDE
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    with pytest.raises(InvalidOption):
        await asked.answer(option_id="allow_session")

    assert not asked.task.done()
    new = asked.session_option()
    assert new.option_id != "allow_session"
    assert (await asked.answer(option_id=new.option_id)).grant == KeyGrant("touch", ("mkdir",))


@pytest.mark.parametrize("between", [1, 2, 3])
async def test_a_click_on_a_card_of_several_changes_ago_never_allows_what_the_new_one_offers(
    asked: Asked, between: int
) -> None:
    clicked = []
    for name in ["touch", "cp", "mv", "rm"][: between + 1]:
        clicked.append(asked.session_option())
        asked.now = offering(name)
        await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    for option in clicked:
        with pytest.raises(InvalidOption):
            await asked.answer(option_id=option.option_id)
    assert not asked.task.done()

    asked.now = NARROW
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]
    assert asked.session_option() == clicked[0]
    asked.task.cancel()


async def test_a_change_that_only_the_answer_itself_discovers_is_shown_first(asked: Asked) -> None:
    asked.now = WIDE
    with pytest.raises((InvalidOption, DigestMismatch)):
        await asked.answer(option_id="allow_session")
    assert not asked.task.done()

    asked.now = NARROW
    with pytest.raises((InvalidOption, DigestMismatch)):
        await asked.answer(kind=OptionKind.ALLOW_SESSION)
    assert not asked.task.done()
    asked.task.cancel()


async def test_named_by_its_kind_an_option_that_changed_does_not_count(asked: Asked) -> None:
    asked.now = WIDE
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    with pytest.raises(DigestMismatch):
        await asked.answer(kind=OptionKind.ALLOW_SESSION)

    assert not asked.task.done()
    asked.task.cancel()


async def test_an_option_that_comes_back_has_its_old_id_and_counts(asked: Asked) -> None:
    for now in (WIDE, NARROW):
        asked.now = now
        await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    assert (await asked.answer(option_id="allow_session")).grant == KeyGrant("mkdir")


async def test_what_allows_only_this_call_counts_whatever_else_changed(asked: Asked) -> None:
    asked.now = WIDE
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    assert (await asked.answer(kind=OptionKind.ALLOW_ONCE)).option_id == "approve"


async def test_looking_again_at_what_has_not_changed_tells_nothing(asked: Asked) -> None:
    asked.now = WIDE
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]
    shown = asked.question
    await asked.broker.refresh(asked.ids[0])  # type: ignore[arg-type]

    assert asked.question is shown
    asked.task.cancel()


async def test_a_yes_to_many_is_none_to_what_turns_out_to_be_protected(asked: Asked) -> None:
    asked.now = replace(NARROW, reason=Reason.PROTECTED)

    with pytest.raises(NeedsOwnLook):
        await asked.answer(kind=OptionKind.ALLOW_ONCE, to_many=True)

    assert not asked.task.done()
    assert (await asked.answer(kind=OptionKind.REJECT_ONCE, to_many=True)).kind is OptionKind.REJECT_ONCE


async def test_of_two_options_with_one_id_neither_counts_by_it_before_they_are_told_apart() -> None:
    never = Option("own:x", OptionKind.REJECT_ALWAYS, "Never")
    twice = replace(card("d0"), options=(Option("own:x", OptionKind.ALLOW_ONCE, "Yes"), never, NO))
    asked = Asked(Broker(FakeClock()), twice)
    await asyncio.sleep(0)

    with pytest.raises(DigestMismatch):
        await asked.answer(option_id="own:x")

    ids = [one.option_id for one in asked.question.card.options]
    assert len(set(ids)) == len(ids)
    asked.task.cancel()

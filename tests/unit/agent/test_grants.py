"""What was allowed in a chat: when it ends, what takes the place of what, who may use the last uses."""

from contextlib import suppress
from dataclasses import replace

import pytest

from assent.agent.grants import ChatGrants, Given
from assent.model.calls import Access
from assent.model.grants import ChatBypass, DirectoryGrant, Grant, KeyGrant, Limits, ToolGrant
from assent.model.ids import CallId, RunId
from tests.support.cards import card
from tests.support.clock import FakeClock

KEY = KeyGrant("write_file")
RUN = card().caller.run_id
NOTHING: tuple[Grant, ...] = ()
ONE, TWO = CallId("one"), CallId("two")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def grants(clock: FakeClock) -> ChatGrants:
    grants = ChatGrants(clock)
    grants.begin_run(RUN)
    return grants


def give(grants: ChatGrants, limits: Limits | None = None) -> Given:
    return grants.give(KEY, limits, card=card())


def free(grants: ChatGrants, call: CallId = ONE) -> list[int | None]:
    return [one.left for one in grants.counted(call)]


def test_a_quarter_of_an_hour_is_one_by_the_clock_that_nobody_sets(grants: ChatGrants, clock: FakeClock) -> None:
    given = give(grants, Limits(minutes=15))
    clock.advance(15 * 60 - 0.001)
    assert grants.all == (KEY,)
    assert grants.words == ("write_file",)
    assert grants.seconds_left() == pytest.approx(0.001)

    clock.advance(0.001)
    assert grants.all == ()
    assert grants.words == ()
    assert grants.take_back(given.grant_id) is None


def test_a_bypass_ends_in_time_as_well(grants: ChatGrants, clock: FakeClock) -> None:
    grants.give(ChatBypass(), Limits(minutes=0.5), card=card())
    assert grants.bypass
    clock.advance(30)
    assert not grants.bypass


def test_uses_are_used_up(grants: ChatGrants) -> None:
    given = give(grants, Limits(uses=2))
    grants.charge(ONE, [given.grant_id])
    assert (given.uses_left, given.used, grants.all) == (1, 1, (KEY,))
    grants.charge(TWO, [given.grant_id])
    assert (given.uses_left, given.used, grants.all) == (0, 2, ())
    assert given.last_used_at is not None


def test_with_the_run_ends_what_was_given_until_then_and_nothing_else(grants: ChatGrants) -> None:
    give(grants, Limits(until_run_ends=True))
    grants.give(ChatBypass(), card=card())
    assert not ChatGrants.end_run(grants, RunId("another"))
    assert len(grants.all) == 2
    grants.begin_run(RUN)
    assert grants.end_run(RUN)
    assert grants.all == (ChatBypass(),)


def test_what_is_given_until_the_end_of_a_run_that_is_over_is_over(grants: ChatGrants) -> None:
    grants.end_run(RUN)
    give(grants, Limits(until_run_ends=True))
    assert grants.all == ()
    grants.begin_run(RunId("next"))
    give(grants, Limits(until_run_ends=True))
    assert grants.all == ()


TIDY, SORT = CallId("tidy"), CallId("sort")


def give_on(grants: ChatGrants, task: CallId | None, grant: KeyGrant = KEY) -> Given:
    """Clicked until the task is done, on a card of the sub-agent that works on it."""
    shown = replace(card(), caller=replace(card().caller, parent_call=task))
    return grants.give(grant, Limits(until_run_ends=True), card=shown)


def test_what_is_given_until_a_task_is_done_counts_for_it_and_below_it_and_ends_with_it(grants: ChatGrants) -> None:
    ended: list[str] = []
    with grants.task(TIDY, None, lambda: ended.append("tidy")):
        give_on(grants, TIDY)
        with grants.task(SORT, TIDY, lambda: ended.append("sort")):
            assert grants.within(SORT) == grants.within(TIDY) == (KEY,)
            assert [one.grant for one in grants.counted(ONE, SORT)] == [KEY]
        # Neither its run nor what else was handed on has anything of it.
        assert grants.all == grants.within(None) == grants.within(SORT) == ()
        assert grants.counted(ONE) == grants.counted(ONE, CallId("other")) == ()
        assert ended == []
    assert ended == ["tidy"] and grants.live == ()


def test_it_ends_with_its_task_also_where_that_fails(grants: ChatGrants) -> None:
    with suppress(ValueError), grants.task(TIDY, None, lambda: None):
        give_on(grants, TIDY)
        raise ValueError
    assert grants.live == ()


def test_what_is_given_or_given_back_when_its_task_is_done_is_over(grants: ChatGrants) -> None:
    with grants.task(TIDY, None, lambda: None):
        taken = give_on(grants, TIDY)
        grants.take_back(taken.grant_id)
        assert grants.put_back(taken)
        grants.take_back(taken.grant_id)
    assert not grants.put_back(taken)
    give_on(grants, TIDY)
    assert grants.live == ()


def test_what_is_given_for_a_task_does_not_take_the_place_of_what_is_given_for_all(grants: ChatGrants) -> None:
    with grants.task(TIDY, None, lambda: None):
        give_on(grants, TIDY)
        give_on(grants, None)
        assert [one.task for one in grants.live] == [None]
        give_on(grants, TIDY)
    assert grants.all == (KEY,)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        (None, None, [None]),
        (Limits(uses=3), None, [None]),
        (Limits(minutes=1), None, [None]),
        (Limits(until_run_ends=True), None, [None]),
        (None, Limits(uses=3), [None]),
        (None, Limits(minutes=1), [None]),
        (Limits(uses=3), Limits(uses=5), [5]),
        (Limits(uses=5), Limits(uses=3), [5]),
        (Limits(minutes=1, uses=5), Limits(uses=5), [5]),
        (Limits(minutes=1), Limits(uses=5), [None, 5]),
        (Limits(uses=5), Limits(minutes=1), [None, 5]),
        (Limits(minutes=2, uses=1), Limits(minutes=1, uses=2), [2, 1]),
        (Limits(until_run_ends=True), Limits(minutes=1), [None, None]),
    ],
)
def test_a_click_never_shortens_what_an_earlier_one_allowed(
    grants: ChatGrants, first: Limits | None, second: Limits | None, left: list[int | None]
) -> None:
    give(grants, first)
    give(grants, second)
    assert free(grants) == left


def test_the_longer_of_two_times_counts(grants: ChatGrants, clock: FakeClock) -> None:
    give(grants, Limits(minutes=60))
    give(grants, Limits(minutes=15))
    clock.advance(59 * 60)
    assert grants.all == (KEY,)
    clock.advance(60)
    assert grants.all == ()


def test_uses_that_were_used_do_not_make_the_rest_longer(grants: ChatGrants) -> None:
    first = give(grants, Limits(uses=5))
    for _ in range(3):
        grants.charge(ONE, [first.grant_id])
    give(grants, Limits(uses=4))
    assert free(grants) == [4]


def test_what_does_not_end_is_used_before_what_does(grants: ChatGrants) -> None:
    a, b, c = (KeyGrant(name) for name in "abc")
    grants.give(a, Limits(uses=1))
    grants.give(b, Limits(uses=7))
    grants.give(c, Limits(minutes=1))
    grants.give(KEY)
    assert [one.grant for one in grants.counted(ONE)] == [KEY, c, b, a]


def test_the_last_use_is_of_the_call_for_which_it_is_set_aside(grants: ChatGrants) -> None:
    given = give(grants, Limits(uses=1))
    grants.set_aside(ONE, [given.grant_id])
    assert grants.all == ()
    assert grants.set_aside_for(ONE) == (KEY,)
    assert (free(grants, ONE), free(grants, TWO)) == ([1], [])
    assert grants.words == ("write_file",)

    assert grants.release(ONE)
    assert not grants.release(ONE)
    assert grants.all == (KEY,)


def test_what_is_set_aside_is_charged_once(grants: ChatGrants) -> None:
    given = give(grants, Limits(uses=2))
    grants.set_aside(ONE, [given.grant_id])
    grants.charge(ONE, [given.grant_id])
    assert (given.used, free(grants, TWO)) == (1, [1])


def test_what_was_set_aside_ends_with_its_time(grants: ChatGrants, clock: FakeClock) -> None:
    given = give(grants, Limits(minutes=1, uses=1))
    grants.set_aside(ONE, [given.grant_id])
    clock.advance(60)
    assert grants.set_aside_for(ONE) == ()


def test_what_was_set_aside_can_be_taken_back(grants: ChatGrants) -> None:
    given = give(grants, Limits(uses=1))
    grants.set_aside(ONE, [given.grant_id])
    assert grants.take_back(given.grant_id) is given
    assert grants.set_aside_for(ONE) == ()


def test_ids_are_not_shared_and_name_one_grant(grants: ChatGrants) -> None:
    first = give(grants)
    second = grants.give(DirectoryGrant("/data", Access.READ), card=card())
    assert first.grant_id != second.grant_id
    assert grants.take_back("") is None
    assert grants.take_back(second.grant_id) is second
    assert grants.all == (KEY,)


def test_a_lasting_grant_that_is_held_can_be_taken_back(grants: ChatGrants) -> None:
    from assent.agent.grants import Held

    grants.hold(Held(ToolGrant("bash")), replace(card(), headline="Run it"))
    (held,) = grants.held
    assert (held.on, bool(held.at)) == ("Run it", True)
    assert grants.take_back(held.grant_id) is held
    assert grants.all == ()

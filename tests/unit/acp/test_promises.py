"""What was agreed to with one call is not asked for again: exactly that, once, and while the call is under way."""

from dataclasses import replace

from assent.acp.claimed_look import Change
from assent.acp.promises import CommandPromised, Promise, Promises, promised_by
from assent.model.ids import CallId
from tests.support.acp_traffic import claim, request

WRITE = Change.to("text", "/w/a.txt")
RUN = CommandPromised("make all", "/w", (("A", "b"),))
CALL = CallId("call")


def test_a_promise_holds_while_its_call_is_under_way() -> None:
    promises = Promises()
    assert promises.holds(WRITE) is None
    with promises.made(CALL, (WRITE, RUN)):
        assert promises.holds(WRITE) == promises.holds(RUN) == CALL
    assert promises.holds(WRITE) is None and not promises.use(RUN)


def test_it_is_used_once_for_each_time_that_it_was_made() -> None:
    promises = Promises()
    with promises.made(CALL, (WRITE,)), promises.made(CallId("other"), (WRITE,)):
        assert promises.use(WRITE) and promises.use(WRITE) and not promises.use(WRITE)
        assert promises.holds(WRITE) is None


def test_nothing_else_is_promised_with_it() -> None:
    promises = Promises()
    others: list[Promise] = [
        Change.to("text ", "/w/a.txt"),
        Change.to("text", "/w/b.txt"),
        replace(RUN, command="make  all"),
        replace(RUN, directory="/w/x"),
        replace(RUN, environment=()),
        replace(RUN, environment=(("A", "c"),)),
    ]
    with promises.made(CALL, (WRITE, RUN)):
        assert not any(promises.use(other) for other in others)
        assert promises.use(WRITE) and promises.use(RUN)


def test_what_the_turn_leaves_is_forgotten() -> None:
    promises = Promises()
    with promises.made(CALL, (WRITE,)):
        promises.forget()
        assert not promises.use(WRITE)


def test_what_a_call_shows_is_what_it_promises() -> None:
    shown = claim(request(kind="execute", rawInput={"command": "make all", "env": {"B": "2", "A": "1"}}))
    assert promised_by(shown, "/w", ()) == (CommandPromised("make all", "/w", shown.env),)
    assert list(shown.env) == sorted(shown.env)
    assert promised_by(claim(request(kind="edit")), "/w", (WRITE,)) == (WRITE,)
    assert promised_by(claim(request(kind="other", title="make all")), "/w", ()) == ()

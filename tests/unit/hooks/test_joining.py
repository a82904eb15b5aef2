"""What several hooks say together, and that another one that objects never lets more through."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.hooks.answers import Said, Word
from assent.hooks.joining import joined, remarks
from assent.model.calls import Caller, HookAnswer, ToolCall
from assent.model.hooks import Hook, HookCall, HookEvent, HookVerdict
from assent.model.ids import CallId, RunId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Mode

ARGS: JsonObject = {"path": "a", "content": "x"}
OTHER: JsonObject = {"path": "b", "content": "x"}
CALLER = Caller("Local", "Local", SessionId("s"), RunId("r"))
CALL = HookCall(ToolCall(CallId("c"), "write_file", ARGS), CALLER, Mode.DEFAULT)
CHANGED = HookCall(CALL.call, CALLER, Mode.DEFAULT, changed="A hook has changed it.")
FIXED = HookCall(CALL.call, CALLER, Mode.DEFAULT, fixed="Guest does this by itself.")


def hook(name: str, *, fail_closed: bool = True, may_allow: bool = True, may_change: bool = True) -> Hook:
    return Hook(HookEvent.PRE_TOOL_USE, name, fail_closed=fail_closed, may_allow=may_allow, may_change=may_change)


ONE, TWO = hook("one"), hook("two")
ALLOWS, DENIES, ASKS = (Said(hook(word), word, f"{word} it") for word in (Word.ALLOW, Word.DENY, Word.ASK))
SILENT, FAILS = Said(hook("silent")), Said(hook("failing"), fault="it was gone")
FAILS_OPEN = Said(hook("careless", fail_closed=False), fault="it was gone")
CHANGES = Said(ONE, arguments=OTHER)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], HookAnswer.NOTHING),
        ([SILENT], HookAnswer.NOTHING),
        ([ALLOWS], HookAnswer.ALLOW),
        ([ALLOWS, SILENT], HookAnswer.ALLOW),
        ([ASKS, ALLOWS], HookAnswer.ASK),
        ([DENIES, ASKS, ALLOWS], HookAnswer.DENY),
        ([FAILS, ALLOWS], HookAnswer.ASK),
        ([FAILS, DENIES], HookAnswer.DENY),
        ([FAILS_OPEN, ALLOWS], HookAnswer.ALLOW),
        ([FAILS_OPEN], HookAnswer.NOTHING),
        ([CHANGES, DENIES], HookAnswer.DENY),
        ([Said(hook("doubted", may_allow=False), Word.ALLOW)], HookAnswer.NOTHING),
        ([Said(ONE, Word.ALLOW, of_this_tool=False)], HookAnswer.NOTHING),
        ([Said(ONE, Word.DENY, of_this_tool=False)], HookAnswer.DENY),
    ],
)
def test_in_whatever_order_they_answer(answers: list[Said], expected: HookAnswer) -> None:
    for ordered in permutations(answers):
        verdict = joined(CALL, ordered)
        assert (verdict.hooks.answer, verdict.arguments) == (expected, None)


def test_who_said_what_is_told() -> None:
    assert joined(CALL, [DENIES]).hooks.text == "“deny” says: deny it"
    assert joined(CALL, [Said(ONE, Word.ASK), ASKS]).hooks.text == "“one”; “ask” says: ask it"
    failing = joined(CALL, [FAILS, SILENT])
    assert failing.hooks.failed == "“failing” failed, because it was gone"
    assert failing.notes == ("The hook “failing” failed, so you are asked: it was gone.",)
    open_to_all = joined(CALL, [FAILS_OPEN, ALLOWS])
    assert open_to_all.notes == (open_to_all.hooks.overlooked,)
    assert "“careless” failed, which counts as if it had said nothing" in open_to_all.hooks.overlooked
    assert failing.hooks.overlooked == ""


def test_new_arguments_beat_questions_and_agreements() -> None:
    for answers in ([CHANGES], [CHANGES, ASKS], [CHANGES, ALLOWS, FAILS], [Said(ONE, Word.ASK, "safer", OTHER)]):
        assert joined(CALL, answers).arguments == OTHER
    assert joined(CALL, [CHANGES]).hooks.changed == "A hook of yours, “one”, has changed the arguments of this call."
    assert joined(CALL, [Said(ONE, None, "safer.", OTHER)]).hooks.changed.endswith("of this call: safer.")


def test_the_same_arguments_are_no_change_and_nearly_the_same_are() -> None:
    assert (
        joined(CALL, [Said(ONE, Word.ALLOW, arguments=dict(reversed(ARGS.items())))]).hooks.answer is HookAnswer.ALLOW
    )
    one = HookCall(ToolCall(CallId("c"), "x", {"n": 1}), CALLER, Mode.DEFAULT)
    assert joined(one, [Said(ONE, arguments={"n": True})]).arguments == {"n": True}


def test_two_that_change_it_differently_are_asked_about_and_two_that_agree_are_not() -> None:
    both = joined(CALL, [CHANGES, Said(TWO, arguments={"path": "c"})])
    assert (both.hooks.answer, both.arguments) == (HookAnswer.ASK, None)
    assert "“one” and “two”" in both.hooks.text
    assert joined(CALL, [CHANGES, Said(TWO, arguments=OTHER)]).arguments == OTHER


def test_a_second_change_is_asked_about_and_the_first_is_still_told() -> None:
    verdict = joined(CHANGED, [CHANGES, ALLOWS])

    assert (verdict.hooks.answer, verdict.arguments) == (HookAnswer.ASK, None)
    assert verdict.hooks.changed == CHANGED.changed
    assert joined(CHANGED, [ALLOWS]).hooks.changed == CHANGED.changed


def test_a_change_by_a_hook_that_may_not_is_a_question() -> None:
    doubted = Said(hook("doubted", may_allow=False, may_change=False), Word.ALLOW, arguments=OTHER)
    for answers in ([doubted], [doubted, ALLOWS], [CHANGES, doubted], [doubted, CHANGES]):
        verdict = joined(CALL, answers)
        assert (verdict.hooks.answer, verdict.arguments) == (HookAnswer.ASK, None)
        assert "“doubted” would change its arguments, which was not done" in verdict.hooks.text
    assert joined(CALL, [doubted, DENIES]).hooks.answer is HookAnswer.DENY
    assert joined(FIXED, [doubted]).hooks.answer is HookAnswer.DENY


def test_what_nobody_can_change_is_not_done_at_all() -> None:
    verdict = joined(FIXED, [CHANGES, ALLOWS])

    assert (verdict.hooks.answer, verdict.arguments) == (HookAnswer.DENY, None)
    assert "Guest does this by itself." in verdict.hooks.text


SAIDS = st.builds(
    Said,
    st.builds(
        hook,
        st.sampled_from(["one", "two"]),
        fail_closed=st.booleans(),
        may_allow=st.booleans(),
        may_change=st.booleans(),
    ),
    st.none() | st.sampled_from(Word),
    arguments=st.none() | st.sampled_from([ARGS, OTHER, {"path": "c"}]),
    fault=st.just(""),
    of_this_tool=st.booleans(),
) | st.builds(Said, st.builds(hook, st.just("failing"), fail_closed=st.booleans()), fault=st.just("it was gone"))
HOW_MUCH = {HookAnswer.DENY: 0, HookAnswer.ASK: 1, HookAnswer.NOTHING: 2, HookAnswer.ALLOW: 3}


def permits(verdict: HookVerdict) -> int:
    return HOW_MUCH[verdict.hooks.answer]


@given(st.lists(SAIDS, max_size=4), SAIDS, st.sampled_from([CALL, CHANGED, FIXED]))
def test_another_hook_that_objects_or_fails_never_lets_more_through(
    answers: list[Said], more: Said, call: HookCall
) -> None:
    before, after = joined(call, answers), joined(call, [*answers, more])
    if before.arguments is not None or after.arguments is not None:
        # The call becomes another one, about which all of them are asked again: nothing is decided yet.
        assert after.hooks.answer in (HookAnswer.PENDING, HookAnswer.DENY, HookAnswer.ASK)
    elif more.word is not Word.ALLOW:
        assert permits(after) <= permits(before)


@given(st.lists(SAIDS, max_size=5))
def test_only_a_word_of_a_hook_that_may_lets_a_call_run(answers: list[Said]) -> None:
    verdict = joined(CALL, answers)
    if verdict.hooks.answer is HookAnswer.ALLOW:
        assert any(one.word is Word.ALLOW and one.hook.may_allow and one.of_this_tool for one in answers)
        assert not any(one.word in (Word.DENY, Word.ASK) for one in answers)
        assert not any(one.fault and one.hook.fail_closed for one in answers)


def test_notes_after_a_call_name_who_says_them() -> None:
    said = remarks([Said(ONE, note="run the tests"), SILENT, FAILS])

    assert said.for_model == ("A hook of the user's, “one”, says: run the tests",)
    assert said.notes == ("The hook “failing” failed after the call, which changes nothing: it was gone.",)
    assert json.dumps(said.notes)

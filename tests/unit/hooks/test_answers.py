"""What the end of a hook's program means: an answer, nothing, or a fault that is named."""

import json

import pytest

from assent.hooks.answers import MOST_NOTE, MOST_REASON, Ending, Word, said_after, said_before
from assent.model.hooks import Hook, HookEvent

HOOK = Hook(HookEvent.PRE_TOOL_USE, "check", timeout_seconds=3)


def printed(**answer: object) -> Ending:
    return Ending(0, output=json.dumps(answer))


@pytest.mark.parametrize(
    ("end", "word", "reason"),
    [
        (printed(decision="allow"), Word.ALLOW, ""),
        (printed(decision="deny", reason="not today"), Word.DENY, "not today"),
        (printed(decision="ask", reason="look twice"), Word.ASK, "look twice"),
        (printed(), None, ""),
        (printed(decision=None, reason=None, updatedInput=None), None, ""),
        (Ending(0), None, ""),
        (Ending(0, output="\n  \n"), None, ""),
        (Ending(0, output="  " + json.dumps({"decision": "ask"}) + "\n", errors="a warning"), Word.ASK, ""),
        (Ending(2, errors="no, and this is why"), Word.DENY, "no, and this is why"),
        (Ending(2, output='{"decision": "allow"}', errors="no"), Word.DENY, "no"),
        (Ending(2), Word.DENY, ""),
        (Ending(0, output='{"decision": "deny"}', held_open=True), Word.DENY, ""),
        (printed(decision="ask", reason="a\x1b[2Jb\u202ec\nd"), Word.ASK, "a [2Jb c\nd"),
    ],
)
def test_what_is_an_answer(end: Ending, word: Word | None, reason: str) -> None:
    said = said_before(HOOK, end)

    assert (said.word, said.reason, said.fault, said.arguments) == (word, reason, "", None)


@pytest.mark.parametrize(
    ("end", "named"),
    [
        (Ending(not_started="No such file or directory"), "could not be started: No such file"),
        (Ending(1, errors="Traceback"), "exit code 1: Traceback"),
        (Ending(3, output='{"decision": "allow"}'), "exit code 3"),
        (Ending(127, errors="sh: nothing: not found"), "no such program"),
        (Ending(126), "no such program"),
        (Ending(None, "SIGKILL"), "SIGKILL"),
        (Ending(None), "something unknown"),
        (Ending(None, "SIGTERM", '{"decision": "allow"}', timed_out=True), "not answered after 3 seconds"),
        (Ending(0, output='{"decision": "allow"}', timed_out=True), "not answered after 3 seconds"),
        (Ending(0, output='{"decision": "allow"}', too_much=True), "printed more than"),
        (Ending(0, output='{"decision": "allow"}', limit="too much memory"), "too much memory"),
        (Ending(0, held_open=True), "left a program running"),
        (Ending(0, output="yes"), "no JSON"),
        (Ending(0, output='{"decision": "allow"'), "no JSON"),
        (Ending(0, output='{"decision": "allow"} {}'), "no JSON"),
        (Ending(0, output='{"decision": "deny", "decision": "allow"}'), "no JSON"),
        (Ending(0, output='{"decision": NaN}'), "no JSON"),
        (Ending(0, output="[" * 5_000), "no JSON"),
        (Ending(0, output="true"), "no JSON object"),
        (Ending(0, output='["allow"]'), "no JSON object"),
        (printed(decision="ALLOW"), "none of allow, deny and ask"),
        (printed(decision="approve"), "none of allow, deny and ask"),
        (printed(decision=True), "none of allow, deny and ask"),
        (printed(decision=["allow"]), "none of allow, deny and ask"),
        (printed(decision="allow", reason=3), "reason is no text"),
        (printed(decision="allow", updatedInput=[]), "updatedInput is no JSON object"),
        (printed(updatedInput="{}"), "updatedInput is no JSON object"),
        (printed(decison="deny"), "decison"),
        (printed(hookSpecificOutput={"permissionDecision": "deny"}), "hookSpecificOutput"),
    ],
)
def test_what_is_none_is_a_fault_and_agrees_to_nothing(end: Ending, named: str) -> None:
    said = said_before(HOOK, end)

    assert named in said.fault
    assert (said.word, said.arguments) == (None, None)


def test_new_arguments_are_an_object_and_may_stand_beside_any_word() -> None:
    assert said_before(HOOK, printed(updatedInput={"path": "b"})).arguments == {"path": "b"}
    said = said_before(HOOK, printed(decision="allow", updatedInput={}))
    assert (said.word, said.arguments) == (Word.ALLOW, {})


def test_what_it_says_has_an_end() -> None:
    assert len(said_before(HOOK, printed(decision="deny", reason="x" * 100_000)).reason) == MOST_REASON + 1
    assert len(said_before(HOOK, Ending(2, errors="x" * 100_000)).reason) == MOST_REASON + 1
    assert len(said_after(HOOK, printed(note="x" * 100_000)).note) == MOST_NOTE + 1


@pytest.mark.parametrize(
    ("end", "note", "fault"),
    [
        (Ending(0), "", ""),
        (printed(note="run the tests"), "run the tests", ""),
        (printed(additionalContext="it is formatted"), "it is formatted", ""),
        (printed(note="one", additionalContext="two"), "one\ntwo", ""),
        (Ending(2, errors="the linter found 3 things"), "the linter found 3 things", ""),
        (Ending(1), "", "exit code 1"),
        (printed(decision="deny"), "", "decision"),
        (printed(note=5), "", "note is no text"),
        (Ending(0, output="fine"), "", "no JSON"),
    ],
)
def test_after_a_call_there_are_only_notes(end: Ending, note: str, fault: str) -> None:
    said = said_after(HOOK, end)

    assert said.note == note
    assert (fault in said.fault) if fault else not said.fault
    assert (said.word, said.arguments) == (None, None)

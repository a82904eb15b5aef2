"""Wherever a server ended, the chat that comes back is whole: one result a call, one end a run, nothing made up."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.mending import did_not_run, mended_events, mended_history, result_lost, unknown, waits_again
from assent.model.conversation import AssistantTurn, Message, Summary, ToolOutcome, ToolResults, ToolUse, UserText
from assent.model.events import (
    Chunk,
    DoneReason,
    Event,
    GrantsChanged,
    Notice,
    Prompt,
    RunDone,
    RunFailed,
    ShellChanged,
    ShellStatus,
    ToolCalled,
    ToolFinished,
)
from assent.model.ids import CallId, RunId
from assent.model.modes import Category

RUN = RunId("run")
FATES = [waits_again, did_not_run, unknown, result_lost]


def use(name: str) -> ToolUse:
    return ToolUse(CallId(name), "tool", {"n": name})


def done(name: str, text: str = "done") -> ToolOutcome:
    return ToolOutcome(CallId(name), "tool", text, ran=True)


def called(one: ToolUse) -> ToolCalled:
    return ToolCalled(one.call_id, one.tool, one.args, Category.WRITE, "Do it")


def finished(outcome: ToolOutcome) -> ToolFinished:
    return ToolFinished(outcome.call_id, outcome.tool, not outcome.is_error, outcome.content, outcome.is_error, 1)


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[Message], list[tuple[RunId, Event]]]:
    """A chat as it was before its server ended: messages, and what was told."""
    messages: list[Message] = []
    told: list[tuple[RunId, Event]] = []
    for run in range(draw(st.integers(1, 3))):
        run_id = RunId(f"run{run}")
        messages.append(UserText(f"ask {run}"))
        told.append((run_id, Prompt(f"ask {run}")))
        for turn in range(draw(st.integers(0, 2))):
            uses = tuple(use(f"{run}-{turn}-{n}") for n in range(draw(st.integers(0, 3))))
            messages.append(AssistantTurn("text", uses))
            told.append((run_id, Chunk("text")))
            told += [(run_id, called(one)) for one in uses]
            told += [(run_id, finished(done(one.call_id))) for one in uses]
            if uses:
                messages.append(ToolResults(tuple(done(one.call_id) for one in uses)))
        told.append((run_id, RunDone(DoneReason.STOP)))
        if draw(st.booleans()):
            begins = [at for at, message in enumerate(messages) if not isinstance(message, ToolResults)]
            messages.append(Summary("before", draw(st.sampled_from(begins))))
    return messages, told


def check(messages: tuple[Message, ...]) -> dict[CallId, ToolOutcome]:
    """A history that every provider takes; its results."""
    found: dict[CallId, ToolOutcome] = {}
    for at, message in enumerate(messages):
        if isinstance(message, ToolResults):
            before = messages[at - 1]
            assert isinstance(before, AssistantTurn)
            assert [one.call_id for one in before.calls] == [one.call_id for one in message.results]
            assert not found.keys() & {one.call_id for one in message.results}
            found |= {one.call_id: one for one in message.results}
        elif isinstance(message, AssistantTurn) and message.calls:
            assert isinstance(messages[at + 1], ToolResults)
    return found


@given(lives(), st.data())
def test_a_life_that_was_cut_anywhere_is_whole_again(
    life: tuple[list[Message], list[tuple[RunId, Event]]], data: st.DataObject
) -> None:
    messages, told = life
    cut_messages = messages[: data.draw(st.integers(0, len(messages)))]
    cut_told = told[: data.draw(st.integers(0, len(told)))]
    # The turn beside the history can be the one that comes next, or the last one that is in it already.
    turns = [one for one in messages if isinstance(one, AssistantTurn) and one.calls]
    turn = data.draw(st.none() | st.sampled_from(turns)) if turns else None
    outcomes = [done(one.call_id) for one in turn.calls[:1]] if turn else []
    all_uses = [one for message in turns for one in message.calls]
    chosen = data.draw(st.lists(st.sampled_from(all_uses), unique_by=lambda one: one.call_id)) if all_uses else []
    fates = {one.call_id: data.draw(st.sampled_from(FATES))(one) for one in chosen}
    again = frozenset(one for one, fate in fates.items() if fate == waits_again(use(one)))

    history = mended_history(cut_messages, turn, outcomes, fates)
    events = mended_events(cut_told, history, again, 0, fates)

    outcomes_now = check(history)
    assert [one for one in history if isinstance(one, UserText)] == [
        one for one in cut_messages if isinstance(one, UserText)
    ]
    for call_id, fate in fates.items():
        assert outcomes_now.get(call_id, fate) == fate
    ends = [event.call_id for _, event in events if isinstance(event, ToolFinished)]
    announced = [event.call_id for _, event in events if isinstance(event, ToolCalled)]
    assert len(ends) == len(set(ends))
    assert set(ends) == set(announced) - again
    for run in {run for run, _ in events if run}:
        of_run = [event for one, event in events if one == run]
        assert sum(isinstance(event, (RunDone, RunFailed)) for event in of_run) == 1
    kept = [one for one in cut_told if not (isinstance(one[1], ToolFinished) and one[1].call_id in again)]
    assert list(events[: len(kept)]) == kept


@given(lives())
def test_what_was_whole_is_left_as_it_was(life: tuple[list[Message], list[tuple[RunId, Event]]]) -> None:
    messages, told = life

    history = mended_history(messages, None, [], {})

    assert list(history) == messages
    assert list(mended_events(told, history, frozenset(), 0, {})) == told


def test_a_turn_that_was_not_in_the_history_is_there_as_a_cut_one() -> None:
    turn = AssistantTurn("I will", (use("a"), use("b"), use("c")))
    fates = {CallId("b"): unknown(use("b"))}

    history = mended_history([UserText("go")], turn, [done("a")], fates)

    assert history[1] == replace(turn, cut=True)
    results = check(history)
    assert [results[CallId(name)].code for name in "abc"] == [None, "outcome_unknown", "interrupted"]
    assert [results[CallId(name)].ran for name in "abc"] == [True, True, False]


def test_the_result_of_a_call_that_waits_again_is_taken_out_of_the_transcript() -> None:
    history = mended_history([AssistantTurn("", (use("a"),))], None, [], {CallId("a"): waits_again(use("a"))})
    told: list[tuple[RunId, Event]] = [
        (RUN, called(use("a"))),
        (RUN, finished(done("a"))),
        (RUN, RunDone(DoneReason.CANCELLED)),
    ]

    assert mended_events(told, history, frozenset({CallId("a")}), 0, {}) == (told[0], told[2])


def test_of_a_sub_agent_s_calls_it_is_told_how_each_ended_and_the_innermost_first() -> None:
    handed_on, waited, ran, seen, known = (use(name) for name in ("handed on", "waited", "ran", "seen", "known"))
    inside = [replace(called(one), depth=1, parent_call=handed_on.call_id) for one in (waited, ran, seen, known)]
    told = [(RUN, event) for event in (called(handed_on), *inside, finished(done("known")))]
    fates = {
        handed_on.call_id: unknown(handed_on),
        waited.call_id: did_not_run(waited),
        ran.call_id: unknown(ran),
        # Its row is still there, but its result was told.
        known.call_id: result_lost(known),
    }
    history = mended_history([AssistantTurn("", (handed_on,))], None, [], fates)

    added = mended_events(told, history, frozenset(), 0, fates)[len(told) :]

    ends = [(event.call_id, event.code) for _, event in added if isinstance(event, ToolFinished)]
    assert ends == [
        ("waited", "interrupted"),
        ("ran", "outcome_unknown"),
        ("seen", "interrupted"),
        ("handed on", "outcome_unknown"),
    ]
    assert check(history).keys() == {handed_on.call_id}


def test_what_was_allowed_in_the_chat_is_taken_back_and_damage_is_told() -> None:
    given_before = (RUN, GrantsChanged(("bash:npm test",), bypass_agent=False, bypass_session=False))

    remarks = mended_events([given_before], (), frozenset(), 2, {})[1:]

    grants = [event for _, event in remarks if isinstance(event, GrantsChanged)]
    notices = [event for _, event in remarks if isinstance(event, Notice)]
    assert [one.grants for one in grants] == [()]
    assert ["2 entries" in one.text for one in notices] == [True]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(ShellStatus)), max_size=12))
def test_no_command_of_a_server_that_ended_is_told_to_run(changes: list[tuple[str, ShellStatus]]) -> None:
    told = [(RUN, ShellChanged(name, status, CallId("call"), "text")) for name, status in changes]
    after = [event for _, event in mended_events(told, (), frozenset(), 0, {}) if isinstance(event, ShellChanged)]
    latest = {event.shell_id: event.status for event in after}
    assert ShellStatus.RUNNING not in latest.values()
    assert after[: len(told)] == [event for _, event in told]
    assert len(after) - len(told) == len(
        [name for name in "abc" if [status for other, status in changes if other == name][-1:] == [ShellStatus.RUNNING]]
    )

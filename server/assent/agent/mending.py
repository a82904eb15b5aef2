"""A chat whose process ended, made whole again: every call has exactly one result, every run an end. Without I/O."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assent.agent.permit import Refusal
from assent.agent.results import finished, refused
from assent.model.conversation import AssistantTurn, Message, Summary, ToolOutcome, ToolResults, ToolUse
from assent.model.events import (
    Event,
    GrantsChanged,
    Notice,
    NoticeLevel,
    RunDone,
    RunFailed,
    ShellChanged,
    ShellStatus,
    ToolCalled,
    ToolFinished,
)
from assent.model.ids import CallId, RunId
from assent.model.modes import Category

RUN_ENDED = "The server ended during this run; nothing of it goes on by itself."
NO_RUN = RunId("")

Told = tuple[RunId, Event]


def waits_again(use: ToolUse) -> ToolOutcome:
    """The result of a call that waited, until the user answers anew."""
    text = "The server ended while this call waited for the user. It did not run; the user is asked again."
    return _not_run(use, "interrupted", text)


def did_not_run(use: ToolUse) -> ToolOutcome:
    """The result of a call that cannot be asked for again as it was."""
    return _not_run(use, "interrupted", "The server ended before this call ran. It did not run; ask again.")


def held_a_secret(use: ToolUse) -> ToolOutcome:
    """The result of a call that waited, and whose arguments were not kept."""
    text = "The server ended, and this did not run. It held what looks like a secret, which is never kept; ask anew."
    return _not_run(use, "secret_not_kept", text)


def unknown(use: ToolUse, more: str = "") -> ToolOutcome:
    """The result of a call that had started, with what is known of it all the same."""
    text = "The server ended while this ran; what it did is not known; it is not run again."
    return replace(_not_run(use, "outcome_unknown", f"{text} {more}".rstrip()), ran=True)


def result_lost(use: ToolUse, more: str = "") -> ToolOutcome:
    """The result of a call that ran to its end, of which hardly anything else was kept."""
    text = "This call ran to its end, but the server ended before its result was kept; it is not run again."
    return replace(_not_run(use, "result_lost", f"{text} {more}".rstrip()), ran=True)


def _not_run(use: ToolUse, code: str, text: str) -> ToolOutcome:
    return refused(use, Refusal(code, text))


def mended_history(
    messages: Sequence[Message],
    turn: AssistantTurn | None,
    outcomes: Sequence[ToolOutcome],
    fates: Mapping[CallId, ToolOutcome],
) -> tuple[Message, ...]:
    """The messages with the turn that was not among them, each call followed by its one result.

    `fates` are the results of the calls that were cut off; they stand above whatever was kept of them.
    """
    known = {one.call_id: one for message in messages if isinstance(message, ToolResults) for one in message.results}
    known |= {one.call_id: one for one in outcomes}
    known |= fates
    return tuple(_with_results([*messages, *_missing_turn(messages, turn)], known))


def _missing_turn(messages: Sequence[Message], turn: AssistantTurn | None) -> Iterator[AssistantTurn]:
    if turn is None or not (turn.text or turn.calls):
        return
    among_them = {use.call_id for message in messages if isinstance(message, AssistantTurn) for use in message.calls}
    if not turn.calls or any(use.call_id not in among_them for use in turn.calls):
        yield replace(turn, cut=True)


def _with_results(messages: Sequence[Message], known: Mapping[CallId, ToolOutcome]) -> Iterator[Message]:
    """Each result after its call, wherever it was. Summaries begin at the same messages as before."""
    made: list[Message] = []
    begins: list[int] = []
    """Where each of the messages is now; where results were, the call that they belong to."""
    for message in messages:
        if isinstance(message, ToolResults):
            begins.append(len(made) - 2 if made and _of_same_calls(made[-1], message) else len(made))
            continue
        begins.append(len(made))
        made.append(message)
        if isinstance(message, AssistantTurn) and message.calls:
            made.append(ToolResults(tuple(known.get(use.call_id) or did_not_run(use) for use in message.calls)))
    for place, message in enumerate(made):
        if isinstance(message, Summary):
            begin = begins[min(max(message.before, 0), len(begins) - 1)]
            yield replace(message, before=min(begin, place))
        else:
            yield message


def _of_same_calls(one: Message, other: ToolResults) -> bool:
    if not isinstance(one, ToolResults):
        return False
    return {result.call_id for result in one.results} == {result.call_id for result in other.results}


def mended_events(
    told: Sequence[Told],
    history: Sequence[Message],
    again: frozenset[CallId],
    unreadable: int,
    fates: Mapping[CallId, ToolOutcome],
) -> tuple[Told, ...]:
    """The transcript with the ends that are missing. The calls of `again` have none yet: they are asked for anew.

    Of the calls of sub-agents the history knows nothing: how they ended stands in `fates`.
    """
    kept = [(run, event) for run, event in told if not (isinstance(event, ToolFinished) and event.call_id in again)]
    return (
        *kept,
        *_missing_results(kept, history, again, fates),
        *_missing_ends(kept),
        *_ended_commands(kept),
        *_remarks(kept, unreadable),
    )


def _missing_results(
    told: Sequence[Told], history: Sequence[Message], again: frozenset[CallId], fates: Mapping[CallId, ToolOutcome]
) -> list[Told]:
    called = {event.call_id: (run, event) for run, event in told if isinstance(event, ToolCalled)}
    ended = {event.call_id for _, event in told if isinstance(event, ToolFinished)}
    results = {one.call_id: one for message in history if isinstance(message, ToolResults) for one in message.results}
    results = {**fates, **results}
    missing: list[Told] = []
    for use in _last_calls(history):
        if use.call_id not in called:
            called[use.call_id] = run, event = _last_run(told), _announcement(use)
            missing.append((run, event))
    # The innermost first: what a sub-agent called, or another call made, ends before what that was for.
    above = {call_id: event.parent_call for call_id, (_, event) in called.items()}
    for call_id, (run, event) in sorted(called.items(), key=lambda one: -_depth(one[0], above)):
        if call_id not in ended and call_id not in again:
            use = ToolUse(call_id, event.tool, event.args)
            missing.append((run, finished(results.get(call_id) or did_not_run(use), 0)))
    return missing


def _depth(call_id: CallId, above: Mapping[CallId, CallId | None]) -> int:
    depth, outer = 0, above.get(call_id)
    # What was kept may be damaged: nothing is above itself.
    while outer is not None and depth <= len(above):
        depth, outer = depth + 1, above.get(outer)
    return depth


def _last_calls(history: Sequence[Message]) -> tuple[ToolUse, ...]:
    """Those that may not have been told of: of the model's last turn."""
    turns = [message for message in history if isinstance(message, AssistantTurn)]
    return turns[-1].calls if turns else ()


def _announcement(use: ToolUse) -> ToolCalled:
    return ToolCalled(use.call_id, use.tool, use.args, Category.EXTERNAL, use.tool)


def _last_run(told: Sequence[Told]) -> RunId:
    return next((run for run, _ in reversed(told) if run != NO_RUN), NO_RUN)


def _missing_ends(told: Sequence[Told]) -> list[Told]:
    ended = {run for run, event in told if isinstance(event, (RunDone, RunFailed))}
    open_runs = dict.fromkeys(run for run, _ in told if run != NO_RUN and run not in ended)
    return [(run, RunFailed(RUN_ENDED, "server_ended", again=True)) for run in open_runs]


def _ended_commands(told: Sequence[Told]) -> list[Told]:
    """Commands in the background end with their server."""
    latest = {event.shell_id: event for _, event in told if isinstance(event, ShellChanged)}
    running = [event for event in latest.values() if event.status is ShellStatus.RUNNING]
    return [(NO_RUN, replace(event, status=ShellStatus.KILLED, reason="The server ended.")) for event in running]


def _remarks(told: Sequence[Told], unreadable: int) -> list[Told]:
    remarks: list[Told] = []
    grants = [event for _, event in told if isinstance(event, GrantsChanged)]
    if grants and grants[-1] != GrantsChanged((), bypass_agent=False, bypass_session=False):
        remarks.append((NO_RUN, GrantsChanged((), bypass_agent=False, bypass_session=False)))
    if unreadable:
        what = "One entry of this chat" if unreadable == 1 else f"{unreadable} entries of this chat"
        words = f"{what} could not be read after the restart: the file was damaged. It is shown without them."
        remarks.append((NO_RUN, Notice(words, NoticeLevel.WARNING)))
    return remarks

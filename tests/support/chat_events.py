"""What must hold for the events of any chat."""

from itertools import groupby

from tests.support.server import Chat


def names_and_phases(chat: Chat, call_id: str) -> list[str]:
    told = [event for event in chat.events() if event["data"].get("toolCallId") == call_id]
    return [event["data"].get("phase", event["event"]) for event in told]


def check_events(chat: Chat) -> None:
    """What must hold for the events of any chat, whatever happened in it."""
    events = chat.events()
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert events == chat.client.request("session/load", {"sessionId": chat.id})["events"]
    for run_id in {event["runId"] for event in events} - {""}:
        of_run = [event["event"] for event in events if event["runId"] == run_id]
        assert of_run[0] in ("Prompt", "Retry") and of_run[-1] in ("Done", "Error")
        assert sum(name in ("Done", "Error") for name in of_run) == 1
    in_runs = [event["runId"] for event in events if event["runId"]]
    assert len([*groupby(in_runs)]) == len(set(in_runs)), "two runs at once"
    calls = [event["data"]["toolCallId"] for event in events if event["event"] == "ToolCall"]
    assert len(set(calls)) == len(calls)
    for call_id in calls:
        phases = names_and_phases(chat, call_id)
        assert phases[0] == "ToolCall" and phases[-1] == "ToolResult" and phases.count("ToolResult") == 1

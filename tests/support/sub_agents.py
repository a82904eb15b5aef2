"""Agents that hand something on: scripts of them, and what is told of their sub-agents.

A sub-agent is scripted by its instructions, which are the first words of its conversation; a title serves as both.
"""

from tests.support.server import Chat, Json, Server, Step, Turn, call

Talks = dict[str, list[Turn]]


def hand_on(title: str, instructions: str | None = None, **more: Json) -> Step:
    """The model hands something on."""
    return call("run_subtask", title=title, instructions=instructions or title, **more)


def chat_of(server: Server, root: list[Turn], talks: Talks, *, mode: str | None = None) -> Chat:
    """A new chat whose agent plays these turns, and its sub-agents theirs."""
    server.script(*root, conversations=talks)
    return server.chat(mode=mode)


def calls_of(chat: Chat) -> list[Json]:
    """All calls that were told, whoever made them."""
    return [event["data"] for event in chat.events("ToolCall")]


def handed_on(chat: Chat, title: str) -> Json:
    """The call by which this was handed on."""
    return next(one for one in calls_of(chat) if one["tool"] == "run_subtask" and one["args"]["title"] == title)


def result_of(chat: Chat, title: str) -> Json:
    """What came of what was handed on under this title."""
    call_id = handed_on(chat, title)["toolCallId"]
    return next(one for one in chat.results() if one["toolCallId"] == call_id)


def said_by(chat: Chat, title: str | None) -> str:
    """The text of one sub-agent, or of the chat's own agent."""
    parent = None if title is None else handed_on(chat, title)["toolCallId"]
    pieces = [event["data"] for event in chat.events("Chunk")]
    return "".join(one["text"] or "" for one in pieces if one.get("parentToolCallId") == parent)


def check_whole(chat: Chat) -> None:
    """Every call that was told has exactly one result, and comes after the call for which it was made."""
    calls, results = [one["toolCallId"] for one in calls_of(chat)], [one["toolCallId"] for one in chat.results()]
    assert sorted(calls) == sorted(results)
    order = [(event["event"], event["data"].get("toolCallId")) for event in chat.events()]
    for one in calls_of(chat):
        if one.get("parentToolCallId") is not None:
            inside = order.index(("ToolCall", one["toolCallId"])), order.index(("ToolResult", one["toolCallId"]))
            outside = (
                order.index(("ToolCall", one["parentToolCallId"])),
                order.index(("ToolResult", one["parentToolCallId"])),
            )
            assert outside[0] < inside[0] < inside[1] < outside[1]

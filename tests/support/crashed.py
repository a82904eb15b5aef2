"""Servers that are killed with chats in them, and the next ones on the same state."""

from collections.abc import Callable

import psutil

from tests.support import kept
from tests.support.processes import descendants
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, call, say

Start = Callable[..., Server]

COUNT = call("bash", command="echo ran >> counted")


def kill(server: Server) -> None:
    """The server is gone from one moment to the next, and what it had started with it."""
    psutil.Process(server.client.process.pid).suspend()  # nothing goes on while what it has started is looked for
    started = descendants(server.client.process.pid)
    server.client.process.kill()
    server.client.process.wait()
    for process in started:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def again(start: Start, **options: Json) -> Server:
    """Another server on the same state and folder."""
    server = start()
    server.meet(**options)
    return server


def chats_of(server: Server) -> Json:
    """All chats, as the list tells them."""
    return server.client.request("session/list", {})["sessions"]


def same(server: Server, chat: Chat) -> Chat:
    """A chat that was opened with another server."""
    return Chat(server, chat.id)


def cards_of(server: Server, number: int) -> list[Json]:
    """So many cards that wait."""
    wait_until(lambda: len(server.waiting()) == number, what=f"{number} cards")
    return server.waiting()


def transcript(chat: Chat) -> Json:
    """The events as a rebuilt view gets them."""
    events = chat.client.request("session/load", {"sessionId": chat.id})["events"]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    return events


def of(events: list[Json], name: str) -> list[Json]:
    """The data of the events of one kind."""
    return [event["data"] for event in events if event["event"] == name]


def results(chat: Chat) -> list[Json]:
    """The results of all calls, after checking that each has one at most."""
    found = of(transcript(chat), "ToolResult")
    assert len({one["toolCallId"] for one in found}) == len(found)
    return found


def story(events: list[Json]) -> list[Json]:
    """What was told, however it was cut into pieces."""
    told: list[Json] = []
    for event in events:
        if event["event"] != "Chunk":
            told.append([event["event"], event["data"]])
            continue
        kind = "text" if event["data"]["text"] is not None else "thinking"
        if told and told[-1][0] == kind:
            told[-1][1] += event["data"][kind]
        else:
            told.append([kind, event["data"][kind]])
    return told


def waiting_chat(start: Start, *turns: Json) -> tuple[Server, Chat, Json]:
    """A server with one chat whose one call waits, durably."""
    server = again(start)
    server.script(*(turns or ([say("One thing. "), COUNT],)))
    chat = server.chat()
    chat.send("do it")
    (card,) = cards_of(server, 1)
    kept.wait_for_calls(server.state, 1)
    return server, chat, card


def counted(server: Server) -> int:
    """How often the command has run."""
    file = server.workspace / "counted"
    return len(file.read_text().splitlines()) if file.exists() else 0

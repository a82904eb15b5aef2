"""Settings that name or define an agent wrongly lock nobody out, say what is wrong, and need no restart once mended."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import DEMO, SCRIPTED, Chat, Json, Server, say

Start = Callable[..., Server]


def begin(start: Start, *, agents: Json = None, **user: Any) -> Server:
    """A server whose user has these settings. Agents are added to those of the tests."""
    server = start()
    server.client.initialize(root=server.workspace, capabilities=["cards"], settings=told(server, agents, **user))
    return server


def told(server: Server, agents: Json, **user: Any) -> Json:
    settings = server.settings(**user)
    settings["user"]["agents"] = {**settings["user"]["agents"], **agents} if isinstance(agents, dict) else agents
    return settings


def change(server: Server, agents: Json, **user: Any) -> None:
    settings = {"settings": {"assent": told(server, agents, **user)}}
    server.client.notify("workspace/didChangeConfiguration", settings)


def new_chat(server: Server) -> tuple[Chat, Json]:
    """A chat as the page opens it: no agent is named."""
    info = server.client.request("session/new", {})
    return Chat(server, info["sessionId"]), info


def listed(server: Server) -> list[str]:
    return [agent["name"] for agent in server.client.request("session/list", {})["agents"]]


def notices(chat: Chat) -> str:
    return "\n".join(event["data"]["text"] for event in chat.events("Notification"))


WORKS = {"provider": "ollama", "model": "m"}


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ({"provider": "olama", "model": "m"}, 'gemini. Did you mean "ollama"?'),
        ({"provider": "scripted"}, "needs a script"),
        ({"provider": 5}, "needs a command or a provider"),
        ({"model": "m"}, "needs a command or a provider"),
        ({}, "needs a command or a provider"),
        ({"command": "x", "provider": "ollama"}, "either a command or a provider"),
        ({"command": ["x"]}, "needs a command or a provider"),
        ({"command": "x", "args": "y"}, "args is a list of texts"),
        ("ollama", "an agent is an object"),
        (None, "an agent is an object"),
    ],
    ids=str,
)
def test_new_chats_go_on_with_the_demo_until_the_default_agent_is_mended(
    start: Start, definition: Json, words: str
) -> None:
    server = begin(start, agents={"X": definition}, agent="X")
    chat, info = new_chat(server)
    assert info["agentName"] == DEMO
    assert words in notices(chat)
    assert "New chats start with Demo" in notices(chat)
    assert listed(server) == [DEMO, *server.settings()["user"]["agents"]]

    change(server, {"X": WORKS}, agent="X")
    assert server.client.wait_for("session/listChanged", lambda said: said["agentForNewChats"] == "X")
    assert new_chat(server)[1]["agentName"] == "X"
    assert "X" in listed(server)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("Scriptd", 'Did you mean "Scripted"?'),
        ("Nobody at all", 'There is no agent "Nobody at all".'),
        ("", "the name of an agent"),
        (["Scripted"], "the name of an agent"),
    ],
    ids=str,
)
def test_a_default_agent_that_there_is_not_is_said_with_what_was_meant(start: Start, named: Json, words: str) -> None:
    server = begin(start, agents={}, agent=named)
    chat, info = new_chat(server)
    assert info["agentName"] == DEMO
    assert words in notices(chat)
    assert "New chats start with Demo" in notices(chat)
    change(server, {}, agent=SCRIPTED)
    server.client.wait_for("session/listChanged", lambda said: said["agentForNewChats"] == SCRIPTED)
    assert new_chat(server)[1]["agentName"] == SCRIPTED


@pytest.mark.parametrize("agents", ["X", 5, [], None], ids=str)
def test_agents_that_are_no_object_leave_the_demo(start: Start, agents: Json) -> None:
    server = begin(start, agents=agents, agent="X")
    assert new_chat(server)[1]["agentName"] == DEMO
    assert listed(server) == [DEMO]


def test_the_demo_cannot_be_broken(start: Start) -> None:
    server = begin(start, agents={DEMO: {"provider": "dem"}})
    chat, info = new_chat(server)
    assert info["agentName"] == DEMO
    assert 'Did you mean "demo"?' in notices(chat)
    assert chat.run("what can you do?")["done_reason"] == "stop"


def test_a_chat_whose_agent_is_removed_says_so_and_goes_on_when_it_is_back(start: Start) -> None:
    server = begin(start, agents={})
    server.script([say("one")], [say("two")])
    chat = server.chat()
    assert chat.run()["done_reason"] == "stop"
    change(server, None)
    wait_until(lambda: listed(server) == [DEMO], what="the agent is gone")
    assert chat.run()["done_reason"] == "error"
    assert "Scripted of this chat is not defined any more" in chat.wait_for_event("Error")["message"]
    change(server, {})
    wait_until(lambda: SCRIPTED in listed(server), what="the agent is back")
    assert chat.run()["done_reason"] == "stop"


def test_an_agent_that_is_asked_for_by_a_wrong_name_is_told_with_the_right_one(start: Start) -> None:
    server = begin(start, agents={})
    with pytest.raises(RpcError, match=r'There is no agent named "Scriptd"\. Did you mean "Scripted"\?'):
        server.client.request("session/new", {"agent": "Scriptd"})


@pytest.mark.parametrize(
    ("mode", "words"),
    [("atuo", 'Did you mean "auto"?'), ("yolo", "plan, ask, default or auto"), (5, "plan, ask, default or auto")],
)
def test_a_mode_that_there_is_not_asks_about_everything_until_it_is_mended(
    start: Start, mode: Json, words: str
) -> None:
    server = begin(start, agents={}, mode=mode)
    chat, info = new_chat(server)
    assert info["mode"] == "ask"
    assert words in notices(chat)
    change(server, {}, mode="plan")
    wait_until(lambda: new_chat(server)[1]["mode"] == "plan", what="the mode is mended")

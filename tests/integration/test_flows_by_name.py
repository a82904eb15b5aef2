"""What people tell each other of an agent behind a gate, each by its name: a real server process, a model over HTTP."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import Turn, answer
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.server import Chat, Json, Server, refusal

Start = Callable[..., Server]
AGENT = "Local"


class Desk:
    """A server, its model, and a chat between them."""

    def __init__(self, server: Server, models: ModelServer, mode: str | None) -> None:
        self.server = server
        self.models = models
        self.chat = self.another(mode)

    def another(self, mode: str | None = None) -> Chat:
        """A further chat."""
        return self.server.chat(agent=AGENT, mode=mode)

    def text(self, name: str) -> str | None:
        """What stands in a file of the workspace, if it is there."""
        file = self.server.workspace / name
        return file.read_text() if file.exists() else None

    def told(self, number: int = -1) -> tuple[str, ...]:
        """The results in the latest request to the model, or in another one: those of its last message with any."""
        messages = self.models.log.seen[number].messages
        return next(message.results for message in reversed(messages) if message.results)

    def allow(self, card: Json, option: str = "approve") -> None:
        self.chat.select(card, option)

    def deny(self, card: Json, **fields: Json) -> None:
        self.chat.select(card, "deny", **fields)


@contextmanager
def desk(
    start: Start, *turns: Turn, mode: str | None = None, capabilities: tuple[str, ...] = (), **user: Any
) -> Iterator[Desk]:
    """A chat with a model that says this."""
    with model_server(OllamaWire(), *turns) as models:
        server = start()
        agents = {AGENT: {"provider": "ollama", "model": "m", "baseUrl": models.base_url}}
        server.meet(capabilities=("cards", *capabilities), user={"agents": agents, **user})
        yield Desk(server, models, mode)


def writes(name: str, content: str = "hello") -> SaidCall:
    return SaidCall("write_file", {"path": name, "content": content})


def reads(name: str) -> SaidCall:
    return SaidCall("read_file", {"path": name})


def runs(command: str) -> SaidCall:
    return SaidCall("bash", {"command": command})


DONE = Said("Done.")


def test_auto_mode_runs_ungated(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"), runs("printf made > b.txt"))), DONE, mode="auto") as here:
        assert here.chat.run()["done_reason"] == "stop"
        assert (here.text("a.txt"), here.text("b.txt")) == ("hello", "made")
        assert here.chat.cards() == []


def test_ask_mode_sends_a_request_and_blocks(start: Start) -> None:
    with desk(start, Said("", (reads("note.txt"),)), DONE, mode="ask") as here:
        (here.server.workspace / "note.txt").write_text("kept")
        run = here.chat.send()
        card = here.chat.card()
        here.another().info()
        assert not run.done
        assert len(here.models.log.seen) == 1
        assert here.chat.results() == []
        here.allow(card)
        run.result()
        assert "kept" in here.told()[0]


def test_a_rejection_puts_an_error_into_the_history(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"),)), DONE) as here:
        run = here.chat.send()
        here.deny(here.chat.card())
        run.result()
        assert here.text("a.txt") is None
        (result,) = here.chat.results()
        assert refusal(result)["error"] == "permission_denied"
        assert here.told() == (result["output"],)


def test_always_allow_persists_the_tool(start: Start) -> None:
    turns = Said("", (writes("a.txt"),)), DONE
    with desk(start, *turns, capabilities=("settings/write",)) as here:
        run = here.chat.send()
        card = here.chat.card()
        (option,) = (one["optionId"] for one in card["options"] if one["optionId"] == "always_tool:write_file")
        answered = here.server.client.start(
            "tool/approvalResponse",
            {
                "approvalId": card["approvalId"],
                "sessionId": here.chat.id,
                "argsDigest": card["argsDigest"],
                "response": {"outcome": {"outcome": "selected", "optionId": option}},
            },
        )
        asked = here.server.client.wait_for_request("settings/write")
        assert asked.params["key"].startswith("assent.")
        assert "write_file" in str(asked.params)
        asked.answer({"written": True, "target": "user"})
        assert answered.result()["settings"]["written"] is True
        run.result()
        assert here.text("a.txt") == "hello"


def test_cancel_while_waiting_is_a_rejection(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"),)), DONE) as here:
        run = here.chat.send()
        card = here.chat.card()
        run.cancel()
        assert here.chat.resolved(card)["status"] == "cancelled"
        here.chat.wait_for_event("Done")
        (result,) = here.chat.results()
        assert not result["success"]
        assert here.text("a.txt") is None
        assert len(here.models.log.seen) == 1


def test_several_tools_in_one_turn_gate_independently(start: Start) -> None:
    calls = writes("a.txt"), reads("note.txt"), writes("b.txt")
    with desk(start, Said("", calls), DONE) as here:
        (here.server.workspace / "note.txt").write_text("kept")
        run = here.chat.send()
        first, second = here.chat.card("a.txt"), here.chat.card("b.txt")
        here.chat.wait_for_event("ToolResult")
        assert [result["tool"] for result in here.chat.results()] == ["read_file"]
        here.allow(second)
        here.chat.wait_for_event("ToolResult", count=2)
        assert (here.text("a.txt"), here.text("b.txt")) == (None, "hello")
        assert not run.done
        here.deny(first)
        run.result()
        refused, read, written = here.told()
        assert "permission_denied" in refused
        assert "kept" in read
        assert "b.txt" in written


def test_a_reload_while_waiting_shows_the_same_card_again(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"),)), DONE) as here:
        run = here.chat.send()
        card = here.chat.card()
        here.server.client.request("view/attached", {"viewId": "reloaded", "sessionId": here.chat.id})
        (again,) = here.server.client.request("session/load", {"sessionId": here.chat.id})["pending"]
        assert (again["approvalId"], again["argsDigest"]) == (card["approvalId"], card["argsDigest"])
        here.chat.select(again, "approve", viewId="reloaded")
        run.result()
        assert here.text("a.txt") == "hello"


def test_a_call_that_nobody_answers_is_refused_in_time(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"),)), DONE, approvalTimeoutSeconds=1) as here:
        assert here.chat.run()["done_reason"] == "stop"
        (card,) = here.chat.cards()
        assert here.chat.resolved(card)["status"] == "timeout"
        assert here.text("a.txt") is None
        assert "approval_timeout" in here.told()[0]


def test_permission_flow_asks_approves_continues_completes_and_asks_again(start: Start) -> None:
    turns = Said("First.", (runs("printf 1 > a"),)), Said("Then.", (runs("printf 2 > b"),)), DONE
    with desk(start, *turns) as here:
        run = here.chat.send()
        here.allow(here.chat.card())
        second = here.chat.card()
        assert (here.text("a"), here.text("b")) == ("1", None)
        assert not run.done
        here.allow(second)
        assert run.result()["done_reason"] == "stop"
        assert here.text("b") == "2"
        assert len({card["approvalId"] for card in here.chat.cards()}) == 2
        assert len(here.models.log.seen) == 3


def test_denial_flow_the_model_hears_why_and_goes_on_another_way(start: Start) -> None:
    turns = Said("", (runs("rm -r build"),)), Said("I leave it.", (reads("note.txt"),)), DONE
    with desk(start, *turns) as here:
        (here.server.workspace / "note.txt").write_text("kept")
        run = here.chat.send()
        here.deny(here.chat.card(), feedback="Not the build folder, please.")
        assert run.result()["done_reason"] == "stop"
        told = refusal(here.chat.results()[0])
        assert told["error"] == "permission_denied"
        assert "Not the build folder, please." in here.told(1)[0]
        assert "kept" in here.told(2)[0]


def test_tools_of_a_stream_run_as_they_are_discovered(start: Start) -> None:
    rest = threading.Event()
    said = Said("I look.", (reads("note.txt"), reads("other.txt")))
    with desk(start, answer(said, hold=rest, hold_before=b"other.txt"), DONE) as here:
        (here.server.workspace / "note.txt").write_text("kept")
        (here.server.workspace / "other.txt").write_text("too")
        run = here.chat.send()
        first = here.chat.wait_for_event("ToolResult")
        assert "kept" in first["output"]
        assert not run.done
        rest.set()
        run.result()
        assert [("kept" in one, "too" in one) for one in here.told()] == [(True, False), (False, True)]
        assert len(here.models.log.seen) == 2


def test_allowed_for_this_chat_is_not_allowed_for_another(start: Start) -> None:
    one = Said("", (writes("a.txt"),))
    with desk(start, one, Said("", (writes("b.txt"),)), DONE, Said("", (writes("c.txt"),)), DONE) as here:
        run = here.chat.send()
        here.allow(here.chat.card(), "allow_session")
        run.result()
        assert (here.text("a.txt"), here.text("b.txt")) == ("hello", "hello")
        assert len(here.chat.cards()) == 1
        other = here.another()
        run = other.send()
        card = other.card()
        other.select(card, "deny")
        run.result()
        assert here.text("c.txt") is None


def test_plan_mode_blocks_what_acts_and_says_so_in_its_own_shape(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"), reads("note.txt"))), DONE, mode="plan") as here:
        (here.server.workspace / "note.txt").write_text("kept")
        here.chat.run()
        blocked, read = here.chat.results()
        assert refusal(blocked)["error"] == "blocked_in_plan_mode"
        assert read["success"]
        assert here.chat.cards() == []
        assert "Do not call tools that act" in here.models.log.seen[0].system


def test_while_a_call_waits_the_model_is_not_asked_and_other_chats_go_on(start: Start) -> None:
    with desk(start, Said("", (writes("a.txt"),)), Said("Another chat."), DONE) as here:
        run = here.chat.send()
        card = here.chat.card()
        assert here.another().run()["done_reason"] == "stop"
        assert not run.done
        assert len(here.models.log.seen) == 2
        here.allow(card)
        run.result()
        assert len(here.models.log.seen) == 3

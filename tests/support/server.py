"""A real server for a test: its own state, workspace and scripted agents, and the client's side of a chat.

    server = Server(tmp_path)
    server.meet()
    server.script([write("a.txt", "hello")])
    chat = server.chat()
    run = chat.send("go")
    card = chat.card()
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"

The agents `Scripted` and `Second` play a file each; `script` replaces it, and a chat plays it from its own beginning.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.support.forked import ASSENT, Before, forked, started
from tests.support.rpc import Pending, RawClient, RpcError
from tests.support.scale import wait_until

Json = Any
Step = dict[str, Json]
Turn = list[Step]

SCRIPTED = "Scripted"
SECOND = "Second"
DEMO = "Demo"

NOT_FOUND, RESOLVED, NOT_OFFERED, STALE, NO_CHAT = -31001, -31002, -31003, -31004, -31005
INVALID_PARAMS, METHOD_NOT_FOUND, CANCELLED = -32602, -32601, -32800


def say(text: str, **more: Json) -> Step:
    """The model says this."""
    return {"text": text, **more}


def call(tool: str, **args: Json) -> Step:
    """The model calls a tool."""
    return {"call": tool, "args": args}


def write(path: str, content: str = "content") -> Step:
    """The model wants to write a file."""
    return call("write_file", path=path, content=content)


def read(path: str) -> Step:
    """The model wants to read a file."""
    return call("read_file", path=path)


class EagerClient(RawClient):
    """A client that may act in the moment in which a message arrives, before anybody waits for it."""

    on_message: Callable[[Json], None] | None = None

    def _reply(self, message: Json) -> None:
        if self.on_message is not None:
            self.on_message(message)
        super()._reply(message)


class Server:
    """One server process with a folder of its own, and the one client that it has."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        env: dict[str, str | None] | None = None,
        client: Callable[..., EagerClient] = EagerClient,
        cold: str = "",
        before: Before | None = None,
    ) -> None:
        """It is forked; `cold` says why it has to be started instead. `before` is called in a fork first."""
        self.workspace = folder / "workspace"
        self.state = folder / "state"
        self._scripts = {name: folder / f"{name}.json" for name in (SCRIPTED, SECOND)}
        self.workspace.mkdir(parents=True, exist_ok=True)
        for name in self._scripts:
            self.script([say("Nothing was scripted.")], agent=name)
        self.client = client(
            [*ASSENT, "serve", "--stdio", *arguments],
            env={"ASSENT_STATE_DIR": str(self.state), **(env or {})},
            cwd=self.workspace,
            spawn=started if cold else forked(before),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def settings(self, **user: Json) -> dict[str, Json]:
        """The settings by scope, with the scripted agents and whatever else the user set."""
        agents = {name: {"provider": "scripted", "script": str(path)} for name, path in self._scripts.items()}
        return {"user": {"agents": agents, **user}}

    def meet(
        self,
        *,
        capabilities: tuple[str, ...] = ("cards",),
        editor: Json = None,
        user: dict[str, Json] | None = None,
        **block: Json,
    ) -> Json:
        """The handshake of a client with these abilities; `user` are settings of the user beside the agents."""
        block = {"capabilities": list(capabilities), "settings": self.settings(**(user or {})), **block}
        return self.client.initialize(root=self.workspace, editor=editor, **block)

    def script(
        self,
        *turns: Turn,
        agent: str = SCRIPTED,
        repeat: bool = False,
        conversations: dict[str, list[Turn]] | None = None,
    ) -> None:
        """What this agent does from now on, turn by turn; conversations that begin with one of these words go so."""
        path = self._scripts[agent]
        beside = path.with_suffix(".new")
        script = {"turns": turns, "repeat": repeat, "conversations": conversations or {}}
        beside.write_text(json.dumps(script))
        beside.replace(path)

    def chat(self, *, agent: str = SCRIPTED, mode: str | None = None) -> "Chat":
        """A new chat."""
        params = {"agent": agent} if mode is None else {"agent": agent, "mode": mode}
        return Chat(self, self.client.request("session/new", params, within=30)["sessionId"])

    def waiting(self) -> list[Json]:
        """All calls that wait, as the server tells them."""
        return self.client.request("tool/pendingApprovals", {})["approvals"]


class Chat:
    """One chat as a client sees it."""

    def __init__(self, server: Server, session_id: str) -> None:
        self.server = server
        self.client = server.client
        self.id = session_id
        self._taken: list[Json] = []

    def send(self, text: str = "go", **more: Json) -> Pending:
        """Sends a message; the answer comes when the run ends."""
        return self.client.start("chat/send", {"sessionId": self.id, "text": text, **more})

    def stop(self) -> bool:
        """Ends the run."""
        return self.client.request("chat/stop", {"sessionId": self.id})["stopped"]

    def set_mode(self, mode: str, **more: Json) -> Json:
        """Sets the mode."""
        return self.client.request("session/setMode", {"sessionId": self.id, "mode": mode, **more})

    def info(self) -> Json:
        """The chat as it is now."""
        return self.client.request("session/load", {"sessionId": self.id})["session"]

    # Cards

    def card(self, path: str | None = None, *, within: float = 10) -> Json:
        """The next card of this chat that was not taken before, or the next one for this path.

        One that only says anew what else an answer would settle is still the same card.
        """

        def fits(card: Json) -> bool:
            mine = card["sessionId"] == self.id and (path is None or card["args"].get("path") == path)
            return mine and _face(card) not in self._taken

        card = self.client.wait_for("tool/approvalRequest", fits, within=within)
        self._taken.append(_face(card))
        return card

    def cards(self) -> list[Json]:
        """All cards that this chat was shown so far, each state of a card once."""
        shown = [card for card in self.client.notifications("tool/approvalRequest") if card["sessionId"] == self.id]
        faces = [_face(card) for card in shown]
        return [card for at, card in enumerate(shown) if _face(card) not in faces[:at]]

    def waits(self, card: Json) -> bool:
        """Whether the call of this card still waits."""
        params = {"sessionId": self.id}
        waiting = self.client.request("tool/pendingApprovals", params)["approvals"]
        return card["approvalId"] in [one["approvalId"] for one in waiting]

    def answer(self, card: Json, **fields: Json) -> Json:
        """Answers with exactly these fields beside the id."""
        return self.client.request("tool/approvalResponse", {"approvalId": card["approvalId"], **fields})

    def select(self, card: Json, option: str, **fields: Json) -> Json:
        """Answers with one option, as the page does: with chat and digest."""
        response = {"outcome": {"outcome": "selected", "optionId": option}}
        return self.answer(card, response=response, sessionId=self.id, argsDigest=card["argsDigest"], **fields)

    def refused(self, card: Json, **fields: Json) -> RpcError:
        """An answer that must not count: its error."""
        try:
            result = self.answer(card, **fields)
        except RpcError as fault:
            return fault
        raise AssertionError(f"this answer counted: {fields} -> {result}")

    def resolved(self, card: Json, *, within: float = 10) -> Json:
        """How the question of this card ended."""
        return self.client.wait_for(
            "tool/approvalResolved", lambda end: end["approvalId"] == card["approvalId"], within=within
        )

    def endings(self, card: Json) -> list[Json]:
        """All endings told of this card: there must be one at most."""
        told = self.client.notifications("tool/approvalResolved")
        return [end for end in told if end["approvalId"] == card["approvalId"]]

    # Events

    def events(self, name: str | None = None) -> list[Json]:
        """The events of this chat so far, or those of one kind."""
        told = [event for event in self.client.notifications("agent/event") if event["sessionId"] == self.id]
        return [event for event in told if name is None or event["event"] == name]

    def results(self) -> list[Json]:
        """The results of all calls so far."""
        return [event["data"] for event in self.events("ToolResult")]

    def wait_for_event(self, name: str, *, count: int = 1, within: float = 10) -> Json:
        """The data of the last of so many events of this kind, when they are there."""
        wait_until(lambda: len(self.events(name)) >= count, within=within, what=f"{count} x {name}")
        return self.events(name)[count - 1]["data"]

    def run(self, text: str = "go", *, within: float = 10, **more: Json) -> Json:
        """Sends a message and waits for the run's end."""
        return self.send(text, **more).result(within)


def _face(card: Json) -> Json:
    options = [option["optionId"] for option in card["options"]]
    return [card["approvalId"], card["argsDigest"], card["reason"], options]


def refusal(result: Json) -> Json:
    """The structured refusal in the result of a call."""
    assert result["is_error"] is True and result["success"] is False, result
    return json.loads(result["output"])

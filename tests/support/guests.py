"""Agents of others in a real server: each plays a script as a process of its own and writes down all that it is told.

house = House(tmp_path)
guest = house.guest([ask("c1", command="make", on={"allow": [done("c1")]})])
chat = guest.chat()
run = chat.send()
chat.select(chat.card(), "approve")
run.result()
assert guest.answers() == ["allow"]
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from assent.acp import scripted
from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import Chat, Server, Step

Json = Any

MOST = 100
"""Guests of one server: their definitions stand in the settings from the beginning."""

ALLOW = {"optionId": "allow", "name": "Allow", "kind": "allow_once"}
REJECT = {"optionId": "reject", "name": "Reject", "kind": "reject_once"}


def option(option_id: str, kind: str, name: str | None = None) -> Json:
    """An answer that an agent offers."""
    return {"optionId": option_id, "name": name or f"The {option_id}", "kind": kind}


def diff(path: object, new: str, old: str | None = None) -> Json:
    """Content of a call: a file that changes."""
    return {"type": "diff", "path": str(path), "oldText": old, "newText": new}


def text(words: str) -> Json:
    """Content of a call: text."""
    return {"type": "content", "content": {"type": "text", "text": words}}


def tool_call(call_id: str, *, command: str | None = None, edits: list[Json] | None = None, **members: Json) -> Json:
    """The members of a call as an agent tells of it; those that are None are left out."""
    if command is not None:
        members = {"kind": "execute", "title": command, "rawInput": {"command": command}, **members}
    if edits is not None:
        members = {"kind": "edit", "title": "Edit", "content": edits, **members}
    return {"toolCallId": call_id, **{name: value for name, value in members.items() if value is not None}}


def ask(
    call_id: str = "c1",
    *,
    on: dict[str, list[Step]] | None = None,
    options: list[Json] | None = None,
    request_id: Json = None,
    session: str | None = None,
    patience: float | None = None,
    **members: Json,
) -> Step:
    """The agent asks for a call; without `on` it says that the call is over once it may."""
    step: Step = {"ask": tool_call(call_id, **members), "on": {"allow": [done(call_id)]} if on is None else on}
    more = {"options": options, "id": request_id, "session": session, "patience": patience}
    return {**step, **{name: value for name, value in more.items() if value is not None}}


def done(call_id: str = "c1", words: str = "It is done.", status: str = "completed") -> Step:
    """The agent says that a call is over."""
    return {"update": {"toolCallId": call_id, "status": status, "content": [text(words)]}}


def asked_under(house: "House", call: Json, mode: str | None = None, **settings: Json) -> tuple["Guest", Chat, Pending]:
    """A guest asks for this call while the user's settings say that; the message that makes it ask is on its way."""
    guest = house.guest([ask(**call, on={"allow": [done()], "reject": [says("no")]})])
    house.tell_settings(**settings)
    chat = guest.chat(mode)
    return guest, chat, chat.send()


def says(words: str) -> Step:
    """The agent says something."""
    return {"say": words}


class Guest:
    """One agent of others: its definition, its process, its record."""

    def __init__(self, house: "House", name: str, script: Path, record: Path) -> None:
        self.house = house
        self.name = name
        self.script = script
        self.record = record

    def plays(self, *prompts: list[Step], **more: Json) -> None:
        """What its next process plays."""
        beside = self.script.with_suffix(".new")
        beside.write_text(json.dumps({"prompts": list(prompts) or [[]], **more}))
        beside.replace(self.script)

    def chat(self, mode: str | None = None) -> Chat:
        """A new chat with it."""
        return self.house.server.chat(agent=self.name, mode=mode)

    def told(self, method: str | None = None) -> list[Json]:
        """All that it was told so far, in its order; of one method only."""
        return [one for one in self._lines() if method is None or one.get("method") == method]

    def wait_told(self, method: str, count: int = 1, within: float = 10) -> Json:
        """The parameters of what it was told with this method, when it was told so often."""
        wait_until(lambda: len(self.told(method)) >= count, within=within, what=f"{count} x {method} at {self.name}")
        return self.told(method)[count - 1].get("params")

    def answers(self) -> list[str]:
        """What its questions were answered with, in the order of the answers: the option, or “cancelled”."""
        return [_outcome(one) for one in self._lines() if _is_outcome(one)]

    def answer_to(self, request_id: Json) -> Json:
        """The whole answer to one request of it; None where there is none."""
        found = [one for one in self._lines() if "method" not in one and one.get("id") == request_id and "id" in one]
        assert len(found) <= 1, found
        return found[0] if found else None

    def wait_answer(self, request_id: Json, within: float = 10) -> Json:
        """The same, when it is there."""
        wait_until(
            lambda: self.answer_to(request_id) is not None, within=within, what=f"an answer to request {request_id!r}"
        )
        return self.answer_to(request_id)

    def pids(self) -> list[int]:
        """Of all its processes so far."""
        return [one["begun"]["pid"] for one in self._lines() if "begun" in one]

    def _lines(self) -> list[Json]:
        return list(_lines_of(self.record))


def _lines_of(record: Path) -> Iterator[Json]:
    for line in record.read_text().splitlines() if record.exists() else []:
        # The last one may not be there as a whole.
        with suppress(ValueError):
            yield json.loads(line)


def _is_outcome(message: Json) -> bool:
    return isinstance(message.get("result"), dict) and "outcome" in message["result"]


def _outcome(message: Json) -> str:
    outcome = message["result"]["outcome"]
    return str(outcome["optionId"] if outcome["outcome"] == "selected" else outcome["outcome"])


Defined = Callable[[int], dict[str, Json]]


class House:
    """A server with guests in it."""

    def __init__(
        self,
        folder: Path,
        *,
        defined: Defined | None = None,
        many: int = MOST,
        cold: str = "",
        capabilities: tuple[str, ...] = ("cards",),
        **user: Json,
    ) -> None:
        """`defined` makes other definitions of so many agents, by number; `user` are more settings of the user."""
        self.folder = folder
        self.made = 0
        self._many = many
        self._defined = defined or self._plain
        self.server = Server(folder, cold=cold)
        self.server.meet(capabilities=capabilities, user={"agents": self.agents(), **user})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.client.close()

    @property
    def workspace(self) -> Path:
        """Where all of them work."""
        return self.server.workspace

    def agents(self) -> dict[str, Json]:
        """Their definitions, by name."""
        return {f"Guest {number}": self._defined(number) for number in range(self._many)}

    def tell_settings(self, **user: Json) -> None:
        """The user's settings say this from now on, beside the agents."""
        settings = {"user": {"agents": self.agents(), **user}}
        self.server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": settings}})

    def guest(self, *prompts: list[Step], **script: Json) -> Guest:
        """The next agent, with what it plays for one prompt after the other."""
        number, self.made = self.made, self.made + 1
        guest = Guest(self, f"Guest {number}", *self._files(number))
        guest.plays(*prompts, **script)
        return guest

    def _files(self, number: int) -> tuple[Path, Path]:
        return self.folder / f"guest-{number}.json", self.folder / f"guest-{number}.jsonl"

    def _plain(self, number: int) -> dict[str, Json]:
        command, *args = scripted.command(*map(str, self._files(number)))
        return {"command": command, "args": args}


def kinds(card: Json) -> list[str]:
    """What kinds of options a card has."""
    return sorted({one["kind"] for one in card["options"]})


def named(card: Json, option_id: str) -> Json:
    """One option of a card."""
    found = [one for one in card["options"] if one["optionId"] == option_id]
    assert len(found) == 1, [one["optionId"] for one in card["options"]]
    return found[0]


def notices(chat: Chat) -> list[str]:
    """What the chat was told beside its calls."""
    return [event["data"]["text"] for event in chat.events("Notification")]


def said(chat: Chat) -> str:
    """All text of the agent."""
    return "".join(event["data"]["text"] or "" for event in chat.events("Chunk"))


def click_all(chat: Chat, run: Pending, option: str = "approve", *but: Json) -> list[Json]:
    """Clicks on every card of the run until it ends, but on those that were answered already."""
    cards = list(but)
    while not run.done:
        fresh = [card for card in chat.cards() if card["approvalId"] not in [one["approvalId"] for one in cards]]
        for card in fresh:
            cards.append(card)
            chat.select(card, option)
        wait_until(lambda: run.done or len(chat.cards()) > len(cards), what="the next card, or the end")
    run.result()
    return cards[len(but) :]

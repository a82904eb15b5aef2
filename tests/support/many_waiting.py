"""Very many calls that wait at the same time in one server, and are answered one by one in a random order."""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, write

IN_ONE_RUN = 200
BAR_MB = 200.0
"""How much more memory ten thousand calls may cost while they wait."""
ANYHOW_MB = 8.0
"""How much of that some hundreds cost already: what is remembered of the latest calls, whether they wait or not."""

_ANSWERS: dict[str, dict[str, Json]] = {
    "approved": {"decision": "accept"},
    "approved by option": {"response": {"outcome": {"outcome": "selected", "optionId": "approve"}}},
    "denied": {"decision": "deny"},
    "denied with words": {"decision": "deny", "feedback": "not now"},
    "closed": {"response": {"outcome": {"outcome": "cancelled"}}},
}


@dataclass
class Figures:
    """What it took."""

    calls: int
    asking_seconds: float
    answering_seconds: float
    grown_mb: float
    """How much more memory the server held while all of them waited."""
    peak_mb: float
    """How much more it held at most, to the end."""
    answers: Counter[str]

    @property
    def bar_mb(self) -> float:
        """How much `grown_mb` may be for so many calls."""
        return ANYHOW_MB + (BAR_MB - ANYHOW_MB) * self.calls / 10_000


class Told:
    """What the server told, sorted while it comes in."""

    def __init__(self) -> None:
        self.cards: dict[str, Json] = {}
        self.ends: Counter[str] = Counter()
        self.results: list[Json] = []

    def take(self, message: Json) -> None:
        """One message of the server."""
        params = message.get("params")
        match message.get("method"):
            case "tool/approvalRequest":
                assert params["approvalId"] not in self.cards, "a card came twice"
                self.cards[params["approvalId"]] = params
            case "tool/approvalResolved":
                self.ends[params["approvalId"]] += 1
            case "agent/event" if params["event"] == "ToolResult":
                self.results.append(params["data"])


def many_waiting(server: Server, calls: int, *, seed: int = 1, say: Callable[[str], None] = lambda _: None) -> Figures:
    """Lets so many calls wait and answers each once: each has the result of its own answer, and none is lost."""
    (server.workspace / "many").mkdir()
    # Fewer writes are allowed a run, if nobody says otherwise.
    settings = server.settings(limits={"writes": IN_ONE_RUN})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": settings}})
    random_ = random.Random(seed)
    _warm_up(server)
    before = memory(server, "VmRSS")
    began = time.perf_counter()
    told = Told()
    server.client.on_message = told.take
    runs: list[Pending] = []
    for number in range(0, calls, IN_ONE_RUN):
        chat = _chat(server, number, min(IN_ONE_RUN, calls - number))
        runs.append(chat.send())
        # A script is read when its run begins: the next chat has another one.
        wait_until(lambda: len(told.cards) >= min(IN_ONE_RUN * len(runs), calls), within=60)
    server.client.request("view/activity", {"viewId": "view", "sessionId": chat.id}, within=60)
    asked = time.perf_counter()
    grown = memory(server, "VmRSS") - before
    say(f"{calls} calls wait")
    given = _answer_all(server, list(told.cards.values()), random_)
    for run in runs:
        assert run.result(calls / 20 + 60)["done_reason"] == "stop"
    answered = time.perf_counter()
    _check(server, told, given)
    peak = memory(server, "VmHWM") - before
    return Figures(calls, asked - began, answered - asked, grown, peak, Counter(given.values()))


def memory(server: Server, which: str) -> float:
    """What the server's process holds, in MB; `VmHWM` is the most that it ever held."""
    for line in Path(f"/proc/{server.client.pid}/status").read_text().splitlines():
        if line.startswith(f"{which}:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell what a process holds")


def _warm_up(server: Server) -> None:
    """One call first: what the first one loads is not what many of them cost."""
    chat = _chat(server, 0, 1)
    run = chat.send()
    chat.answer(chat.card(), decision="deny")
    run.result(60)


def _chat(server: Server, number: int, calls: int) -> Chat:
    server.script([write(_name(number + at)) for at in range(calls)])
    chat = server.chat()
    server.client.request("view/attached", {"viewId": "view", "sessionId": chat.id})
    return chat


def _name(number: int) -> str:
    return f"many/{number}"


def _answer_all(server: Server, cards: list[Json], random_: random.Random) -> dict[str, str]:
    """Each once, in an order of our own; as many at a time as a quick client has on the way."""
    random_.shuffle(cards)
    given: dict[str, str] = {}
    for start in range(0, len(cards), 50):
        sent: list[Pending] = []
        for card in cards[start : start + 50]:
            given[card["approvalId"]] = how = random_.choice(list(_ANSWERS))
            answer = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"], **_ANSWERS[how]}
            sent.append(server.client.start("tool/approvalResponse", answer))
        for pending in sent:
            assert pending.result(60)["status"] == "accepted"
    return given


def _check(server: Server, told: Told, given: dict[str, str]) -> None:
    assert told.ends == Counter(told.cards.keys()) == Counter(given.keys())
    written = {path.name for path in (server.workspace / "many").iterdir()}
    approved = {_of(card) for approval_id, card in told.cards.items() if given[approval_id].startswith("approved")}
    assert written == approved
    ids = [result["toolCallId"] for result in told.results]
    assert len(ids) == len(set(ids)) == len(given)
    assert sum(result["success"] for result in told.results) == len(approved)
    assert server.waiting() == []


def _of(card: Json) -> str:
    return str(card["args"]["path"]).removeprefix("many/")

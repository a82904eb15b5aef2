"""What clients were told and what they said, out of their logs: the second witness besides the journal."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.faults.client import Said

Json = Any

FOR_CHAT = frozenset({"allow_for_chat", "allow_session"})
ALLOWING = frozenset({"accept", "allow", "allow_once", "always_allow"}) | FOR_CHAT


@dataclass(slots=True)
class Told:
    """The logs of all lives of a server, by what they say."""

    cards: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    """Every state of every card, by approval id."""
    answers: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    """What was sent as an answer, by approval id."""
    accepted: dict[str, Json] = field(default_factory=dict)
    """Answers of which the client was told that they count."""
    resolved: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    running: set[tuple[str, str]] = field(default_factory=set)
    """Calls of which it was told that they run: session and call."""
    results: set[tuple[str, str]] = field(default_factory=set)
    """Calls of which the result was told."""
    told_twice: list[str] = field(default_factory=list)
    """Calls of which one server told two results. A call that is asked for anew by the next one has one there, too."""
    modes: dict[str, str] = field(default_factory=dict)
    """The mode with which the client opened a chat, where it named one."""
    granted: set[tuple[str, str]] = field(default_factory=set)
    """Chat and tool, where the client said yes to more than one call."""
    uncarded: list[str] = field(default_factory=list)
    """Approvals that a server listed as waiting without ever having told their card to that client."""

    def allowed_for_chat(self, session_id: str, tool: str) -> bool:
        """Whether the client chose before that such calls run in this chat without a click of their own."""
        return self.modes.get(session_id) == "auto" or (session_id, tool) in self.granted

    def allowed_by_click(self, approval_id: str, digest: str) -> bool:
        """Whether the client said yes to this state of this card."""
        shown = {card["argsDigest"] for card in self.cards.get(approval_id, ())}
        said = self.answers.get(approval_id, ())
        return digest in shown and any(
            _decision(answer) in ALLOWING and answer.get("argsDigest", digest) == digest for answer in said
        )


def _decision(answer: Json) -> str | None:
    """The word of an answer, also where it names an option by its id."""
    outcome = answer.get("response", {}).get("outcome", {})
    by_id = str(outcome.get("optionId", "")).startswith("allow_session")
    return "allow_session" if by_id else answer.get("decision")


def told_in(lives: Iterable[list[Said]]) -> Told:
    """Everything in these logs, one a server process."""
    told = Told()
    for log in lives:
        _Life(told).read(log)
    return told


class _Life:
    """One server process: ids of requests mean something within it only."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._asked: dict[Json, Json] = {}
        self._carded: set[str] = set()
        self._listed: set[str] = set()
        self._results: set[tuple[str, str]] = set()

    def read(self, log: list[Said]) -> None:
        for said in log:
            if said.heard:
                self._heard(said.message)
            elif "method" in said.message:
                self._sent(said.message)
        self._told.uncarded += sorted(self._listed - self._carded)

    def _sent(self, message: Json) -> None:
        if "id" in message:
            self._asked[message["id"]] = message
        if message["method"] == "tool/approvalResponse":
            params = message["params"]
            self._told.answers[params["approvalId"]].append(params)
            if _decision(params) in FOR_CHAT:
                cards = self._told.cards[params["approvalId"]]
                self._told.granted |= {(card["sessionId"], card["tool"]) for card in cards}

    def _heard(self, message: Json) -> None:
        params = message.get("params")
        match message.get("method"):
            case "tool/approvalRequest":
                self._carded.add(params["approvalId"])
                self._told.cards[params["approvalId"]].append(params)
            case "tool/approvalResolved":
                self._told.resolved[params["approvalId"]].append(params)
            case "agent/event":
                self._event(params)
            case None if "result" in message:
                self._answered(message)

    def _event(self, event: Json) -> None:
        call = (event["sessionId"], event["data"].get("toolCallId", ""))
        if event["event"] == "ToolUpdate" and event["data"]["phase"] == "running":
            self._told.running.add(call)
        elif event["event"] == "ToolResult":
            if call in self._results:
                self._told.told_twice.append(call[1])
            self._results.add(call)
            self._told.results.add(call)

    def _answered(self, message: Json) -> None:
        request = self._asked.get(message["id"], {})
        result = message["result"]
        match request.get("method"):
            case "session/new":
                self._told.modes[result["sessionId"]] = request["params"].get("mode", "")
            case "tool/approvalResponse":
                self._told.accepted[result["approvalId"]] = result["decision"]
            case "tool/pendingApprovals":
                self._listed |= {one["approvalId"] for one in result["approvals"]}

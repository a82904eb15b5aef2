"""A real agent as a real process, that plays a script, and everything that is heard of it."""

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from assent.acp import scripted
from assent.acp.agent_process import AgentEnd, AgentProcess
from assent.acp.words import RequestId
from assent.model.json import Json
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes
from tests.support.scale import eventually

CHAOS = Path(__file__).with_name("chaos_agent.py")


class Heard:
    """A handler and a listener that write down what they are told. Questions are answered with what `answers` says."""

    def __init__(self, answers: dict[str, Json] | None = None) -> None:
        self.answers = answers or {}
        self.agent: AgentProcess | None = None
        self.updates: list[dict[str, Any]] = []
        self.told: list[tuple[str, Json]] = []
        self.questions: list[tuple[RequestId, str, Any]] = []
        self.taken_back: list[RequestId] = []
        self.notices: list[str] = []
        self.ends: list[AgentEnd] = []

    def notified(self, method: str, params: Any) -> None:
        if method == "session/update":
            self.updates.append(params["update"])
        else:
            self.told.append((method, params))

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        self.questions.append((request_id, method, params))
        if self.agent is not None and method in self.answers:
            self.agent.connection.answer(request_id, self.answers[method])

    def withdrawn(self, request_id: RequestId) -> None:
        self.taken_back.append(request_id)

    def noticed(self, notice: str) -> None:
        self.notices.append(notice)

    def ended(self, end: AgentEnd) -> None:
        self.ends.append(end)

    @property
    def text(self) -> str:
        """All that the agent has said."""
        chunks = [one for one in self.updates if one["sessionUpdate"] == "agent_message_chunk"]
        return "".join(one["content"]["text"] for one in chunks)


def picked(option_id: str) -> Json:
    """An answer to a question."""
    return {"outcome": {"outcome": "selected", "optionId": option_id}}


CANCELLED: Json = {"outcome": {"outcome": "cancelled"}}


class Played:
    """An agent with its script in a folder."""

    def __init__(self, folder: Path, script: dict[str, Any], processes: Processes | None = None) -> None:
        self.folder = folder
        self.record = folder / "record.jsonl"
        self.heard = Heard()
        self.processes = processes or Processes()
        (folder / "script.json").write_text(json.dumps(script))
        self.argv = scripted.command(str(folder / "script.json"), str(self.record))

    async def start(self, environment: dict[str, str] | None = None, known: KnownSecrets | None = None) -> AgentProcess:
        """Starts it."""
        launch = Launch(self.argv, str(self.folder), environment or {})
        self.heard.agent = await AgentProcess.start(self.processes, launch, self.heard, self.heard, known)
        return self.heard.agent

    async def session(self) -> str:
        """A new session of the agent."""
        assert self.heard.agent is not None
        opened: Any = await self.heard.agent.connection.request("session/new", {"cwd": str(self.folder)}, None)
        return str(opened["sessionId"])

    async def prompt(self, session: str, text: str = "go") -> Any:
        """The agent's answer to a prompt."""
        assert self.heard.agent is not None
        params = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
        return await self.heard.agent.connection.request("session/prompt", params, None)

    def answer(self, request_id: RequestId, result: Json) -> bool:
        """Answers a question of it."""
        assert self.heard.agent is not None
        return self.heard.agent.connection.answer(request_id, result)

    async def question(self, number: int = 1) -> tuple[RequestId, Any]:
        """The id and the words of its last question, when it has asked so many."""
        await eventually(lambda: len(self.heard.questions) >= number, within=20, what=f"{number} questions")
        request_id, _, params = self.heard.questions[-1]
        return request_id, params

    def recorded(self) -> list[dict[str, Any]]:
        """What the agent was told, as far as it has written that down."""
        found = []
        for line in self.record.read_text().splitlines() if self.record.exists() else []:
            with suppress(ValueError):
                found.append(json.loads(line))
        return found


def chaos(seed: int, record: Path) -> tuple[str, ...]:
    """The words that start an agent that misbehaves, in a way that depends on the seed."""
    return (sys.executable, "-I", "-S", str(CHAOS), str(seed), "--record", str(record))

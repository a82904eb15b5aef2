"""Agents that misbehave: whatever they do, the talk goes on or ends cleanly, and nothing of them is left."""

import asyncio
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.acp.agent_process import AgentProcess, Capabilities
from assent.acp.faults import AgentFault
from assent.acp.words import RequestId
from assent.model.json import Json
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes
from tests.support.acp_agent import CANCELLED, Heard, chaos, picked
from tests.support.chaos_agent import MISDEEDS, Chaos
from tests.support.processes import is_running
from tests.support.scale import eventually, examples, limit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the agents of these tests are POSIX's")
SEEDS = range(examples(24))
_FOR_A_PROMPT = 2.0
"""Seconds. They do not scale: what comes too late for them is one of the things that may become of a prompt."""


class Client(Heard):
    """Answers some questions at once, and leaves others open."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)
        self.answered: list[RequestId] = []

    def notified(self, method: str, params: Any) -> None:
        self.told.append((method, params))

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        self.questions.append((request_id, method, params))
        assert self.agent is not None
        if method != "session/request_permission":
            assert self.agent.connection.refuse(request_id, -32601, "no")
        elif self._random.random() < 0.6:
            assert self.agent.connection.answer(request_id, self._random.choice([picked("no"), CANCELLED]))
            assert not self.agent.connection.answer(request_id, picked("yes"))


async def goes_through(agent: AgentProcess, rounds: int = 3) -> list[str]:
    """What became of the handshake and some prompts: none of it hangs."""
    found = []
    try:
        await agent.introduce(Capabilities(), limit(20))
        opened: Any = await agent.connection.request("session/new", {"cwd": "/", "mcpServers": []}, limit(20))
        while len(found) < rounds:
            found.append(await one_prompt(agent, opened["sessionId"]))
    except AgentFault as fault:
        found.append(str(fault))
    return found


async def one_prompt(agent: AgentProcess, session: str) -> str:
    """What became of a prompt, which is stopped when it takes long."""
    params = {"sessionId": session, "prompt": [{"type": "text", "text": "go"}]}
    turn = asyncio.create_task(agent.connection.request("session/prompt", params, _FOR_A_PROMPT))
    await asyncio.wait({turn}, timeout=0.3)
    if not turn.done():
        agent.connection.notify("session/cancel", {"sessionId": session})
    try:
        return json.dumps(await turn)
    except AgentFault as fault:
        return str(fault)


@pytest.mark.parametrize("seed", SEEDS)
async def test_whatever_it_does_it_is_contained(seed: int, tmp_path: Path) -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    client, record = Client(seed), tmp_path / "record.jsonl"
    client.agent = await AgentProcess.start(Processes(), Launch(chaos(seed, record), "/"), client, client)
    became = await goes_through(client.agent)
    async with asyncio.timeout(limit(20)):
        end = await client.agent.stop()

    assert became
    assert client.ends == [end]
    assert not client.agent.connection.is_open
    assert faults == []
    assert len(client.notices) <= 30
    assert all(len(notice) <= 500 for notice in client.notices)
    await eventually(lambda: not is_running(client.agent.pid if client.agent else 0), what="its end")
    _check_answers(record, client)


def _check_answers(record: Path, client: Client) -> None:
    """No request of it was answered more than once for each time that it was sent, and nothing was allowed."""
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    asked = [json.dumps(line["asked"][0]) for line in lines if "asked" in line]
    answers = [line["told"] for line in lines if "told" in line and "method" not in line["told"]]
    for request_id in {json.dumps(answer["id"]) for answer in answers} - {"null"}:
        got = [answer for answer in answers if json.dumps(answer["id"]) == request_id]
        assert len(got) <= asked.count(request_id)
    assert all(answer.get("result") in (None, picked("no"), CANCELLED) for answer in answers)
    heard = [request_id for request_id, _, _ in client.questions]
    assert all(type(request_id) in (int, str) for request_id in heard)


def test_the_seeds_bring_every_misdeed() -> None:
    seen = set()
    for seed in SEEDS:
        plans = Chaos(seed, None)
        for _ in range(3):
            seen.update(plans.misdeeds())
    assert seen == set(MISDEEDS)

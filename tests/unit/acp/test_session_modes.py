"""A session's modes with an agent that answers late or never: over a real connection, with its waits made short."""

import asyncio
import json

import pytest

from assent.acp import ordering
from assent.acp.connection import Connection
from assent.acp.faults import AgentFault, AgentSilent
from assent.acp.reading import opened_of
from assent.acp.session_modes import SessionModes
from assent.acp.standing import Standing
from assent.acp.words import Introduction
from assent.model.errors import InvalidRequest
from assent.model.events import AgentStateChanged, Event, Notice
from assent.model.json import Json
from assent.runtime.json_lines import Garbage
from tests.support.scale import eventually

CHOICES = ("default", "yolo", "plan", "code")


class Agent:
    """Answers what it is ordered when the test wants that; and the chat, which is told of it."""

    def __init__(self, current: str = "default", *choices: str, name: str = "agent") -> None:
        self.orders: list[tuple[int, str]] = []
        self.answers = True
        self.events: list[Event] = []
        self.connection = Connection(self._hears, self, self._garbage)
        self.introduction = Introduction(1, name)
        self.modes = SessionModes("Agent", Standing(self.events.append))
        available: Json = [{"id": one, "name": one} for one in choices or CHOICES]
        opened = opened_of({"sessionId": "s", "modes": {"currentModeId": current, "availableModes": available}})
        assert opened is not None
        self.modes.begun(opened)

    def _hears(self, line: bytes) -> None:
        message = json.loads(line)
        self.orders.append((message["id"], message["params"].get("modeId")))
        if self.answers:
            asyncio.get_running_loop().call_soon(self.answer, -1)

    def _garbage(self, garbage: Garbage) -> None:
        raise AssertionError(garbage)

    def notified(self, method: str, params: Json) -> None:
        raise AssertionError(method)

    def asked(self, request_id: int | str, method: str, params: Json) -> None:
        raise AssertionError(method)

    def withdrawn(self, request_id: int | str) -> None:
        raise AssertionError(request_id)

    def answer(self, place: int, **answer: Json) -> None:
        """To one of the orders."""
        self.connection.receive({"jsonrpc": "2.0", "id": self.orders[place][0], **(answer or {"result": {}})})

    async def put_right(self, *, plans: bool = False) -> None:
        await self.modes.put_right(self, "s", plans=plans)

    async def choose(self, value: str) -> None:
        await self.modes.choose(self, "s", "mode", value, confirmed=True)

    @property
    def wanted(self) -> list[str]:
        return [value for _, value in self.orders]

    @property
    def now(self) -> tuple[str | None, str | None]:
        """The mode that is shown, and the danger."""
        state = next(one for one in reversed(self.events) if isinstance(one, AgentStateChanged))
        return state.settings[0].current, state.danger

    @property
    def notices(self) -> list[str]:
        return [one.text for one in self.events if isinstance(one, Notice)]


class Patience:
    """How long an answer is waited for: hardly, where the agent is silent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def ends(self, agent: Agent) -> None:
        agent.answers = False
        self._monkeypatch.setattr(ordering, "_SECONDS", 0.01)

    def returns(self, agent: Agent) -> None:
        agent.answers = True
        self._monkeypatch.undo()


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Patience:
    return Patience(monkeypatch)


async def test_a_silent_agent_is_told_nothing_while_its_mode_is_not_known(patience: Patience) -> None:
    agent = Agent("yolo")
    patience.ends(agent)
    for times in (1, 2):
        with pytest.raises(AgentSilent, match="has not said whether it took “default” for “Mode”"):
            await agent.put_right()
        assert agent.wanted == ["default"] * times
        assert agent.now[0] is None and "has not said" in str(agent.now[1])
    assert len(agent.notices) == 1
    patience.returns(agent)
    await agent.put_right()
    assert agent.now == ("default", None)


async def test_a_choice_that_is_answered_too_late_is_shown_and_not_kept(patience: Patience) -> None:
    agent = Agent()
    await agent.put_right()
    patience.ends(agent)
    with pytest.raises(InvalidRequest, match="has not said whether it took it"):
        await agent.choose("yolo")
    assert agent.now[0] is None
    agent.answer(0)
    await eventually(lambda: agent.now[0] == "yolo")
    assert "without asking" in str(agent.now[1])
    patience.returns(agent)
    await agent.put_right()
    assert agent.wanted == ["yolo", "default"] and agent.now == ("default", None)


async def test_an_order_that_counts_after_a_newer_one_is_warned_of_and_undone(patience: Patience) -> None:
    agent = Agent()
    await agent.put_right()
    patience.ends(agent)
    with pytest.raises(InvalidRequest):
        await agent.choose("yolo")
    patience.returns(agent)
    await agent.put_right()
    before = len(agent.notices)
    agent.answer(0)
    await eventually(lambda: agent.now[0] is None)
    assert "“yolo”" in agent.notices[-1] and len(agent.notices) == before + 1
    await agent.put_right()
    assert agent.wanted == ["yolo", "default", "default"] and agent.now == ("default", None)


async def test_a_choice_that_is_refused_too_late_was_not_made(patience: Patience) -> None:
    agent = Agent()
    await agent.put_right()
    patience.ends(agent)
    with pytest.raises(InvalidRequest):
        await agent.choose("yolo")
    agent.answer(0, error={"code": -32603, "message": "no"})
    await eventually(lambda: agent.now == ("default", None))
    await agent.put_right()
    assert agent.wanted == ["yolo"]


async def test_without_a_mode_that_asks_it_is_put_where_it_was(patience: Patience) -> None:
    agent = Agent("one", "one", "yolo")
    await agent.put_right()
    patience.ends(agent)
    with pytest.raises(InvalidRequest):
        await agent.choose("yolo")
    patience.returns(agent)
    await agent.put_right()
    assert agent.wanted == ["yolo", "one"]


async def test_where_there_is_nothing_harmless_to_put_it_to_it_is_told_nothing(patience: Patience) -> None:
    agent = Agent("yolo", "yolo", "bypass")
    await agent.put_right()
    patience.ends(agent)
    with pytest.raises(InvalidRequest):
        await agent.choose("bypass")
    patience.returns(agent)
    with pytest.raises(AgentSilent, match="“bypass”"):
        await agent.put_right()
    assert agent.wanted == ["bypass"]
    # What the user chooses then counts.
    await agent.choose("yolo")
    await agent.put_right()
    assert agent.wanted == ["bypass", "yolo"]


async def test_a_message_waits_for_what_the_user_is_choosing() -> None:
    agent = Agent()
    await agent.put_right()
    agent.answers = False
    choosing = asyncio.ensure_future(agent.choose("code"))
    await eventually(lambda: agent.wanted == ["code"])
    message = asyncio.ensure_future(agent.put_right())
    await asyncio.sleep(0)
    assert not message.done()
    agent.answer(0)
    await asyncio.gather(choosing, message)
    assert agent.wanted == ["code"] and agent.now == ("code", None)


async def test_a_message_that_is_stopped_while_it_is_put_right_leaves_it_unknown() -> None:
    agent = Agent()
    await agent.put_right()
    agent.answers = False
    message = asyncio.ensure_future(agent.put_right(plans=True))
    await eventually(lambda: agent.wanted == ["plan"])
    message.cancel()
    await asyncio.wait({message})
    assert agent.now[0] is None and len(agent.notices) == 1
    agent.answers = True
    await agent.put_right()
    assert agent.wanted == ["plan", "default"] and agent.now == ("default", None)


async def test_the_plan_of_the_chat_wins_over_an_older_choice_and_a_newer_one_over_the_plan() -> None:
    agent = Agent()
    await agent.put_right()
    await agent.choose("code")
    await agent.put_right(plans=True)
    await agent.choose("default")
    await agent.put_right(plans=True)
    await agent.put_right()
    await agent.choose("yolo")
    await agent.put_right(plans=True)
    await agent.put_right()
    assert agent.wanted == ["code", "plan", "default", "yolo", "plan", "default"]


async def test_an_agent_that_ends_meanwhile_is_that_and_no_doubt() -> None:
    agent = Agent("yolo")
    agent.answers = False
    message = asyncio.ensure_future(agent.put_right())
    await eventually(lambda: agent.wanted == ["default"])
    agent.connection.close("it has ended")
    agent.modes.gone()
    with pytest.raises(AgentFault, match="it has ended"):
        await message
    assert agent.notices == []


@pytest.mark.parametrize(
    ("name", "orders"), [("kimi-code", ["default"]), ("Kimi Code CLI", ["default"]), ("agent", [])]
)
async def test_an_agent_whose_word_for_its_mode_is_not_so_is_put_into_it_once_in_any_case(
    name: str, orders: list[str]
) -> None:
    agent = Agent(name=name)
    for _ in range(2):
        await agent.put_right()
    assert agent.wanted == orders and agent.now == ("default", None)


async def test_it_is_told_nothing_as_long_as_it_does_not_answer_that(patience: Patience) -> None:
    agent = Agent(name="kimi-code")
    patience.ends(agent)
    for _ in range(2):
        with pytest.raises(AgentSilent):
            await agent.put_right()
    patience.returns(agent)
    await agent.put_right()
    assert set(agent.wanted) == {"default"} and agent.now == ("default", None)

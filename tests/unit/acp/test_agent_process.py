"""A running agent, as a real process: what it says arrives in order, and its end is told once, with its last words."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from assent.acp.agent_process import AgentProcess, Capabilities
from assent.acp.faults import AgentFault, AgentGone, AgentSilent
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.plain_starter import PlainStarter
from assent.runtime.processes import Processes
from tests.support.acp_agent import Heard, Played, picked
from tests.support.processes import is_running
from tests.support.scale import eventually, limit
from tests.support.stubborn import named, new_name

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the agents of these tests are POSIX's")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the means for it are Linux's")
Plays = Callable[..., Played]


@pytest.fixture(params=[pytest.param("warden", marks=LINUX), "plain"])
async def plays(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Plays]:
    """Agents with these scripts, started in each way that there is here, and ended afterwards."""
    played: list[Played] = []

    def play(**script: Any) -> Played:
        folder = tmp_path / str(len(played))
        folder.mkdir()
        starter = PlainStarter() if request.param == "plain" else None
        played.append(Played(folder, script, Processes(starter)))
        return played[-1]

    yield play
    for one in played:
        if one.heard.agent is not None:
            await one.heard.agent.stop()
            assert len(one.heard.ends) == 1


async def test_it_introduces_itself_and_is_told_what_may_be_left_to_its_client(plays: Plays) -> None:
    agent = plays(name="played", version="2.5", loads=True, logins=[{"id": "key", "name": "Use a key"}])
    process = await agent.start()
    introduction = await process.introduce(Capabilities(reads=True, terminal=True))

    assert (introduction.name, introduction.version, introduction.loads_sessions) == ("played", "2.5", True)
    assert [login.method_id for login in introduction.logins] == ["key"]
    begun, initialize = agent.recorded()
    assert begun["begun"]["pid"] == process.pid
    assert begun["begun"]["folder"] == str(agent.folder)
    assert initialize["params"]["protocolVersion"] == 1
    assert initialize["params"]["clientInfo"]["name"] == "assent"
    assert initialize["params"]["clientCapabilities"] == {
        "fs": {"readTextFile": True, "writeTextFile": False},
        "terminal": True,
    }


async def test_another_version_of_the_protocol_is_told(plays: Plays) -> None:
    agent = await plays(protocol=2).start()
    with pytest.raises(AgentFault, match="version 2 of the Agent Client Protocol"):
        await agent.introduce(Capabilities())


async def test_a_handshake_that_does_not_come_has_an_end(plays: Plays) -> None:
    agent = await plays(answers={"initialize": {"hang": True}}).start()
    with pytest.raises(AgentSilent, match="initialize"):
        await agent.introduce(Capabilities(), 0.1)


async def test_an_error_of_it_is_raised_with_its_words(plays: Plays) -> None:
    played = plays(answers={"session/new": {"error": {"code": -32000, "message": "log in", "data": {"a": [1]}}}})
    await played.start()
    with pytest.raises(AgentFault, match="log in") as caught:
        await played.session()
    assert (caught.value.code, caught.value.data) == (-32000, {"a": [1]})


async def test_it_gets_the_whole_environment_and_its_own(plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_SERVER", "1")
    monkeypatch.setenv("OF_BOTH", "1")
    played = plays(tell=["OF_THE_SERVER", "OF_BOTH", "ITS_OWN", "HOME"])
    agent = await played.start({"OF_BOTH": "2", "ITS_OWN": "3"})
    await agent.introduce(Capabilities())

    environment = played.recorded()[0]["begun"]["environment"]
    assert {environment.pop("HOME") is not None, *environment.items()} == {
        True,
        ("OF_THE_SERVER", "1"),
        ("OF_BOTH", "2"),
        ("ITS_OWN", "3"),
    }


async def test_a_turn_with_a_question_goes_as_it_was_answered(plays: Plays) -> None:
    branches = {"allow": [{"put": "made.txt", "content": "by the agent"}, {"say": "done"}], "reject": [{"say": "no"}]}
    ask = {"ask": {"toolCallId": "c", "title": "Write"}, "on": branches}
    played = plays(prompts=[[{"say": "first "}, ask, {"say": "."}]])
    await played.start()
    session = await played.session()
    for number, (option, text) in enumerate([("reject", "first no."), ("allow", "first done.")], start=1):
        played.heard.updates.clear()
        turn = asyncio.create_task(played.prompt(session))
        request_id, params = await played.question(number)
        assert request_id == number - 1
        assert (params["sessionId"], params["toolCall"]["title"]) == (session, "Write")
        assert not (played.folder / "made.txt").exists()
        assert played.answer(request_id, picked(option))
        assert await turn == {"stopReason": "end_turn"}
        assert played.heard.text == text

    assert (played.folder / "made.txt").read_text() == "by the agent"
    assert [one["result"] for one in played.recorded() if "result" in one] == [picked("reject"), picked("allow")]


async def test_what_it_says_comes_in_its_order_however_much(plays: Plays) -> None:
    played = plays(prompts=[[{"again": [{"say": "ab" * 40}, {"think": "x"}], "times": 5_000}]])
    await played.start()
    assert await played.prompt(await played.session()) == {"stopReason": "end_turn"}

    kinds = [update["sessionUpdate"] for update in played.heard.updates]
    assert kinds == ["agent_message_chunk", "agent_thought_chunk"] * 5_000
    assert played.heard.notices == []


async def test_a_flood_leaves_others_their_turns_and_makes_the_agent_wait(plays: Plays) -> None:
    played = plays(prompts=[[{"again": [{"say": "x" * 2_000}], "times": 20_000}]])
    agent = await played.start()
    session, most, at_once, before = await played.session(), 0, 0, 0
    turn = asyncio.create_task(played.prompt(session))
    while not turn.done():
        await asyncio.sleep(0)
        most = max(most, agent._intake._waiting)
        at_once = max(at_once, len(played.heard.updates) - before)
        before = len(played.heard.updates)

    assert len(played.heard.updates) == 20_000
    # No more between two turns of somebody else than a slice, or two of them at the ends of pieces.
    assert at_once <= 32
    assert most < 2 << 20


async def test_a_slow_listener_makes_the_agent_wait_and_nothing_is_lost(
    plays: Plays, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.runtime.intake._MOST_AHEAD", 64 * 1024)
    played = plays(prompts=[[{"again": [{"say": "x" * 200}], "times": 5_000}, {"say": "last"}, {"exit": 0}]])
    agent = await played.start()
    session = await played.session()
    paused, pause = [], agent._running.pause
    agent._running.pause = lambda stream: (paused.append(stream), pause(stream))[1]  # type: ignore[method-assign]
    agent._intake._take = _slowly(agent._intake._take)
    with pytest.raises(AgentGone, match="ended with code 0"):
        await played.prompt(session)

    assert len(played.heard.updates) == 5_001
    assert played.heard.text.endswith("last")
    assert paused


def _slowly(take: Callable[[Any], None]) -> Callable[[Any], None]:
    def slow(said: Any) -> None:
        sum(range(20_000))
        take(said)

    return slow


async def test_garbage_is_counted_and_told_in_few_words_and_the_rest_goes_on(plays: Plays) -> None:
    garbage = [{"raw": "Listening on http://localhost, ghp_" + "a" * 36}, {"raw": "[1]"}, {"long": 5_000}]
    played = plays(prompts=[[*garbage, {"again": [{"raw": "more"}], "times": 97}, {"say": "fine"}]])
    agent = await played.start()
    assert await played.prompt(await played.session()) == {"stopReason": "end_turn"}

    assert (agent.garbage, played.heard.text) == (100, "fine")
    assert len(played.heard.notices) == 10 + 3
    assert "Listening" in played.heard.notices[0]
    assert "aaaaaaaa" not in played.heard.notices[0]
    assert "(64 times by now)" in played.heard.notices[-1]
    assert all(len(notice) <= 500 for notice in played.heard.notices)


async def test_a_line_of_fifty_megabytes_of_nothing_is_one_notice(plays: Plays) -> None:
    played = plays(prompts=[[{"long": 50_000_000}, {"say": "fine"}]])
    agent = await played.start()
    assert await played.prompt(await played.session()) == {"stopReason": "end_turn"}
    assert (agent.garbage, played.heard.text) == (1, "fine")


@pytest.mark.parametrize(
    ("step", "code", "signal", "words"),
    [
        ({"exit": 3}, 3, None, "the agent ended with code 3"),
        ({"exit": 0}, 0, None, "the agent ended with code 0"),
        ({"kill": True}, None, "SIGKILL", "the agent ended by SIGKILL"),
    ],
)
async def test_its_end_is_told_once_with_its_last_words(
    plays: Plays, step: dict[str, Any], code: int | None, signal: str | None, words: str
) -> None:
    noise = {"stderr": "a warning: sk-hidden-key-of-the-user\n", "times": 5_000}
    played = plays(prompts=[[noise, {"stderr": "fatal: the reason\n"}, {"half": '{"jsonrpc": "2.0", "me'}, step]])
    known = KnownSecrets()
    known.add("sk-hidden-key-of-the-user")
    agent = await played.start(known=known)
    session = await played.session()
    with pytest.raises(AgentGone, match=words):
        await played.prompt(session)
    end = await agent.ended()

    assert played.heard.ends == [end]
    assert (end.code, end.signal, end.wanted, end.words) == (code, signal, False, words)
    assert end.last_words.endswith("fatal: the reason")
    assert "hidden" not in end.last_words
    assert len(end.last_words) <= 32 * 1024
    assert "in the middle of a line" in played.heard.notices[-1]
    assert not agent.connection.is_open
    assert (await agent.stop()) == end
    assert not is_running(agent.pid)


async def test_a_flood_of_errors_neither_stops_it_nor_grows(plays: Plays) -> None:
    played = plays(prompts=[[{"stderr": "noise " * 1_000 + "\n", "times": 3_000}, {"say": "through"}]])
    agent = await played.start()
    assert await played.prompt(await played.session()) == {"stopReason": "end_turn"}
    assert played.heard.text == "through"
    assert len(agent.last_words) <= 32 * 1024


async def test_stopping_is_polite_first(plays: Plays) -> None:
    played = plays()
    agent = await played.start()
    await agent.introduce(Capabilities())
    first, second = await asyncio.gather(agent.stop(), agent.stop())

    assert first is second
    assert (first.code, first.signal, first.wanted, first.words) == (0, None, True, "the agent was stopped")
    assert played.recorded()[-1] == {"end": "of input"}


async def test_one_that_does_not_want_to_end_is_killed_with_all_that_it_started(plays: Plays) -> None:
    name = new_name()
    sleeper = ["bash", "-c", f"bash -c 'exec -a {name} sleep 100000' > /dev/null 2>&1 &"]
    played = plays(stays=True, prompts=[[{"run": sleeper}, {"say": "started"}, {"hang": True}]])
    agent = await played.start()
    session = await played.session()
    turn = asyncio.create_task(played.prompt(session))
    await eventually(lambda: played.heard.text == "started" and named(name), within=20, what="what it starts")
    end = await agent.stop()

    assert (end.code, end.signal, end.wanted) == (None, "SIGKILL", True)
    with pytest.raises(AgentGone, match="was stopped"):
        await turn
    await eventually(lambda: not named(name), what="the end of what it had started")


async def test_what_it_leaves_running_ends_with_it(plays: Plays) -> None:
    name = new_name()
    sleeper = ["bash", "-c", f"bash -c 'exec -a {name} sleep 100000' &"]
    script = f"import subprocess, sys; subprocess.Popen({sleeper!r}); sys.exit(4)"
    heard, processes = Heard(), plays().processes
    agent = await AgentProcess.start(processes, Launch((sys.executable, "-c", script), "/"), heard, heard)

    # It still holds the agent's output, which nobody waits for long.
    assert (await agent.ended()).code == 4
    await eventually(lambda: not named(name), what="the end of what it had started")


async def test_one_that_closes_its_output_is_of_no_use_and_ended(plays: Plays) -> None:
    played = plays(prompts=[[{"close": True}, {"hang": True}]])
    agent = await played.start()
    session = await played.session()
    with pytest.raises(AgentGone, match="closed its output"):
        await played.prompt(session)
    end = await agent.ended()
    assert (end.wanted, end.signal, end.words) == (False, "SIGTERM", "the agent closed its output and was ended")


async def test_one_that_reads_nothing_any_more_is_ended(plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.acp.agent_process._MOST_UNREAD", 3 << 20)
    heard, processes = Heard(), plays().processes
    agent = await AgentProcess.start(processes, Launch(("/bin/sleep", "100000"), "/"), heard, heard)
    for _ in range(5):
        agent.connection.notify("session/update", "x" * (1 << 20))
    end = await agent.ended()

    assert (end.signal, end.wanted) == ("SIGKILL", False)
    assert "stopped reading: 3 MB" in end.words


async def test_it_ends_with_the_server(plays: Plays) -> None:
    played = plays()
    agent = await played.start()
    await agent.introduce(Capabilities())
    await asyncio.to_thread(played.processes.end_all)
    async with asyncio.timeout(limit(20)):
        assert (await agent.ended()).signal == "SIGKILL"


@pytest.mark.parametrize(
    ("argv", "folder", "words"),
    [
        (("no-such-agent-anywhere", "--acp"), "/", "'no-such-agent-anywhere' was not found: install it"),
        (("/etc/hostname",), "/", "could not be started"),
        (("/bin/true",), "/no/such/folder", "cannot work in /no/such/folder"),
        (("/bin/true", "a\0"), "/", "could not be started"),
    ],
)
async def test_one_that_cannot_be_started_says_what_to_do(
    plays: Plays, argv: tuple[str, ...], folder: str, words: str
) -> None:
    heard = Heard()
    with pytest.raises(AgentFault, match=words):
        await AgentProcess.start(plays().processes, Launch(argv, folder), heard, heard)
    assert heard.ends == []


async def test_its_name_is_looked_up_where_its_environment_says(plays: Plays, tmp_path: Path) -> None:
    program = tmp_path / "my-agent"
    program.write_text("#!/bin/sh\necho here >&2\nexit 9\n")
    program.chmod(0o755)
    heard = Heard()
    launch = Launch(("my-agent",), "/", {"PATH": f"{tmp_path}:/usr/bin:/bin"})
    agent = await AgentProcess.start(plays().processes, launch, heard, heard)
    end = await agent.ended()
    assert (end.code, end.last_words) == (9, "here")


async def test_a_listener_that_fails_stops_nothing(plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    played = plays(prompts=[[{"raw": "garbage"}, {"say": "fine"}]])
    monkeypatch.setattr(played.heard, "noticed", _fails)
    agent = await played.start()
    assert await played.prompt(await played.session()) == {"stopReason": "end_turn"}
    assert (agent.garbage, played.heard.text) == (1, "fine")


async def test_one_that_nobody_can_hear_any_more_is_ended(plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    played = plays()
    agent = await played.start()
    monkeypatch.setattr(agent.connection, "receive", _fails)
    monkeypatch.setattr(agent._intake, "_take", _fails)
    with pytest.raises(AgentGone, match="could not be taken in"):
        await agent.introduce(Capabilities())
    assert (await agent.ended()).signal == "SIGKILL"


def _fails(*_: Any) -> None:
    raise KeyError("on purpose")

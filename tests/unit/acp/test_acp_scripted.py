"""The agent that plays a script does what its script says: other tests rely on that."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from assent.acp import scripted
from assent.acp.faults import AgentFault
from tests.support.acp_agent import CANCELLED, Played, picked
from tests.support.scale import eventually, limit

Plays = Callable[..., Played]
ASK = {"ask": {"toolCallId": "c", "title": "Do it"}}


@pytest.fixture
async def plays(tmp_path: Path) -> AsyncIterator[Plays]:
    """Agents with these scripts, ended afterwards."""
    played: list[Played] = []

    def play(*steps: dict[str, Any], **script: Any) -> Played:
        folder = tmp_path / str(len(played))
        folder.mkdir()
        played.append(Played(folder, {**({"prompts": [list(steps)]} if steps else {}), **script}))
        return played[-1]

    yield play
    for one in played:
        if one.heard.agent is not None:
            await one.heard.agent.stop()


async def begun(played: Played) -> str:
    """A session of an agent that was started now."""
    await played.start()
    return await played.session()


def cancel(played: Played, session: str) -> None:
    """Stops its turn."""
    assert played.heard.agent is not None
    played.heard.agent.connection.notify("session/cancel", {"sessionId": session})


def prompts_of(played: Played) -> list[dict[str, Any]]:
    """Those that it has received."""
    return [message for message in played.recorded() if message.get("method") == "session/prompt"]


async def test_every_kind_of_update(plays: Plays) -> None:
    played = plays(
        {"say": "in $SESSION"},
        {"think": "hm"},
        {"plan": [{"content": "one", "status": "pending", "priority": "high"}]},
        {"tool_call": {"toolCallId": "c", "title": "t", "kind": "edit"}},
        {"update": {"toolCallId": "c", "status": "completed"}},
        {"commands": [{"name": "init", "description": "d"}]},
        {"mode": "ask"},
        {"options": []},
        {"usage": {"used": 1, "size": 2}},
        {"session_update": {"sessionUpdate": "of_its_own"}},
    )
    session = await begun(played)
    assert await played.prompt(session) == {"stopReason": "end_turn"}

    def text(kind: str, words: str) -> dict[str, Any]:
        return {"sessionUpdate": kind, "content": {"type": "text", "text": words}}

    assert played.heard.updates == [
        text("agent_message_chunk", f"in {session}"),
        text("agent_thought_chunk", "hm"),
        {"sessionUpdate": "plan", "entries": [{"content": "one", "status": "pending", "priority": "high"}]},
        {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "kind": "edit"},
        {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed"},
        {"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "init", "description": "d"}]},
        {"sessionUpdate": "current_mode_update", "currentModeId": "ask"},
        {"sessionUpdate": "config_option_update", "configOptions": []},
        {"sessionUpdate": "usage_update", "used": 1, "size": 2},
        {"sessionUpdate": "of_its_own"},
    ]


@pytest.mark.parametrize(
    ("answer", "said", "reason"),
    [
        (picked("mine"), "mine", "end_turn"),
        (picked("other"), "else", "end_turn"),
        (CANCELLED, "", "cancelled"),
    ],
)
async def test_a_question_branches_on_its_answer(plays: Plays, answer: Any, said: str, reason: str) -> None:
    options = [{"optionId": "mine", "name": "Mine", "kind": "allow_once"}]
    branches = {"mine": [{"say": "mine"}], "else": [{"say": "else"}]}
    played = plays({**ASK, "id": "text-7", "options": options, "on": branches})
    turn = asyncio.create_task(played.prompt(await begun(played)))
    request_id, params = await played.question()
    assert (request_id, params["options"]) == ("text-7", options)
    played.answer(request_id, answer)

    assert await turn == {"stopReason": reason}
    assert played.heard.text == said


async def test_an_error_and_a_patience_have_their_branches(plays: Plays) -> None:
    branches = {"error": [{"say": "error "}], "silence": [{"say": "silence"}]}
    played = plays({**ASK, "on": branches}, {**ASK, "patience": 0.01, "on": branches})
    turn = asyncio.create_task(played.prompt(await begun(played)))
    request_id, _ = await played.question()
    assert played.heard.agent is not None
    played.heard.agent.connection.refuse(request_id, -32603, "no")

    assert await turn == {"stopReason": "end_turn"}
    assert played.heard.text == "error silence"


async def test_several_questions_at_once_and_one_taken_back(plays: Plays) -> None:
    branch = [{**ASK, "on": {"allow": [{"say": "a"}]}}]
    played = plays({"together": [branch, branch, [{**ASK, "id": "gone", "on": {"cancelled": [{"say": "c"}]}}]]})
    turn = asyncio.create_task(played.prompt(await begun(played)))
    await played.question(3)
    for request_id, _, _ in played.heard.questions:
        played.answer(request_id, CANCELLED if request_id == "gone" else picked("allow"))

    assert await turn == {"stopReason": "end_turn"}
    assert sorted(played.heard.text) == ["a", "a", "c"]


async def test_a_question_can_be_taken_back(plays: Plays) -> None:
    played = plays({"together": [[{**ASK, "id": "q", "on": {"cancelled": []}}], [ASK, {"withdraw": "q"}]]})
    turn = asyncio.create_task(played.prompt(await begun(played)))
    await played.question(2)
    other = next(request_id for request_id, _, _ in played.heard.questions if request_id != "q")
    played.answer(other, picked("reject"))
    await eventually(lambda: played.heard.taken_back == ["q"], what="the withdrawal")
    played.answer("q", CANCELLED)

    assert await turn == {"stopReason": "end_turn"}


async def test_what_is_left_to_the_client_is_asked_of_it(plays: Plays) -> None:
    create = {"command": "make", "args": ["all"], "cwd": "/"}
    played = plays(
        {"read": "/a", "line": 2, "limit": 3, "on": {"ok": [{"say": "$RESULT;"}]}},
        {"write": "/b", "content": "[$RESULT]", "on": {"ok": [{"say": "written;"}]}},
        {"terminal": create, "on": {"ok": [{"say": "$RESULT;"}]}},
        {"terminal": create, "kill": 0},
        {"call": "of/its/own", "params": {"n": 1}, "on": {"error": [{"say": "$RESULT"}]}},
    )
    session = await begun(played)
    played.heard.answers = {
        "fs/read_text_file": {"content": "text"},
        "fs/write_text_file": None,
        "terminal/create": {"terminalId": "t"},
        "terminal/wait_for_exit": {"exitCode": 0},
        "terminal/output": {"output": "built", "truncated": False},
        "terminal/release": {},
        "terminal/kill": {},
    }
    turn = asyncio.create_task(played.prompt(session))
    await eventually(lambda: played.heard.questions and played.heard.questions[-1][1] == "of/its/own", what="all")
    assert played.heard.agent is not None
    played.heard.agent.connection.refuse(played.heard.questions[-1][0], -32601, "unknown")

    assert await turn == {"stopReason": "end_turn"}
    code, words = json.loads(played.heard.text.rpartition(";")[2]).values()
    assert (code, words) == (-32601, "unknown")
    assert played.heard.text.startswith("text;written;built;")
    asked = [(method.rpartition("/")[2], params) for _, method, params in played.heard.questions]
    terminal = {"sessionId": session, "terminalId": "t"}
    assert asked[:3] == [
        ("read_text_file", {"sessionId": session, "path": "/a", "line": 2, "limit": 3}),
        ("write_text_file", {"sessionId": session, "path": "/b", "content": "[text]"}),
        ("create", {"sessionId": session, **create}),
    ]
    assert [name for name, _ in asked[2:]] == [
        *("create", "wait_for_exit", "output", "release"),
        *("create", "kill", "wait_for_exit", "output", "release"),
        "own",
    ]
    assert all(params == terminal for name, params in asked[3:6])


async def test_what_it_does_itself_is_done(plays: Plays) -> None:
    made = "made.txt"
    played = plays(
        {"put": made, "content": "line\n"},
        {"run": ["cat", made], "on": {"ok": [{"say": "$RESULT"}]}},
        {"run": ["cat", "missing"], "on": {"error": [{"say": "failed"}]}},
    )
    await played.prompt(await begun(played))

    assert played.heard.text == "line\nfailed"
    assert (played.folder / made).read_text() == "line\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
async def test_a_cancel_ends_a_wait_and_what_follows_it_is_played(plays: Plays) -> None:
    played = plays(
        prompts=[
            [{"say": "waits"}, {"wait": 100_000}, {"say": "never"}],
            [{"say": " waits"}, {"until_cancelled": [{"say": " after"}, {**ASK, "on": {"cancelled": []}}]}],
        ]
    )
    session = await begun(played)
    for text in ("waits", "waits waits"):
        turn = asyncio.create_task(played.prompt(session))
        await eventually(lambda text=text: played.heard.text == text, what="the beginning")
        cancel(played, session)
        if text != "waits":
            request_id, _ = await played.question()
            played.answer(request_id, CANCELLED)
            assert await turn == {"stopReason": "end_turn"}
        else:
            assert await turn == {"stopReason": "cancelled"}

    assert played.heard.text == "waits waits after"


async def test_a_deaf_one_hears_no_cancel(plays: Plays) -> None:
    played = plays({**ASK, "on": {"reject": [{"say": "went on"}]}}, {"say": "."}, deaf=True)
    session = await begun(played)
    turn = asyncio.create_task(played.prompt(session))
    request_id, _ = await played.question()
    cancel(played, session)
    played.answer(request_id, picked("reject"))

    assert await turn == {"stopReason": "end_turn"}
    assert played.heard.text == "went on."


async def test_a_turn_can_end_before_its_last_step(plays: Plays) -> None:
    played = plays({"stop": "refusal"}, {**ASK, "on": {"reject": [{"say": "late"}]}})
    assert await played.prompt(await begun(played)) == {"stopReason": "refusal"}
    request_id, _ = await played.question()
    played.answer(request_id, picked("reject"))
    await eventually(lambda: played.heard.text == "late", what="what comes after the end")


async def test_a_turn_can_end_with_an_error(plays: Plays) -> None:
    played = plays({"error": {"code": -32603, "message": "broken"}})
    with pytest.raises(AgentFault, match="broken"):
        await played.prompt(await begun(played))


async def test_prompts_come_in_turn_or_by_a_word_and_the_last_again(plays: Plays) -> None:
    played = plays(prompts=[[{"say": "1"}], [{"say": "2"}]], named={"special": [{"say": "s"}]})
    session = await begun(played)
    for text in ("x", "a special one", "x", "x"):
        await played.prompt(session, text)
    assert played.heard.text == "1s22"


@pytest.mark.parametrize(("busy", "said"), [("queue", "first second"), ("refuse", "first "), ("ignore", "first ")])
async def test_a_second_prompt_meets_what_the_script_says(plays: Plays, busy: str, said: str) -> None:
    first = {**ASK, "on": {"reject": [{"say": "first "}]}}
    played = plays(prompts=[[first], [{"say": "second"}]], busy=busy)
    session = await begun(played)
    turn = asyncio.create_task(played.prompt(session))
    request_id, _ = await played.question()
    other = asyncio.create_task(played.prompt(session))
    await eventually(lambda: len(prompts_of(played)) == 2, what="the second prompt")
    if busy == "refuse":
        with pytest.raises(AgentFault, match="is being worked on"):
            await other
    played.answer(request_id, picked("reject"))
    assert await turn == {"stopReason": "end_turn"}
    if busy == "queue":
        assert await other == {"stopReason": "end_turn"}
    other.cancel()

    assert played.heard.text == said


async def test_sessions_are_opened_loaded_and_changed_as_the_script_says(plays: Plays) -> None:
    option = {"id": "effort", "name": "Effort", "type": "select", "currentValue": "low", "options": []}
    played = plays(
        modes={"currentModeId": "a", "availableModes": []},
        models={"currentModelId": "m"},
        configOptions=[option],
        begin=[{"say": "begun"}],
        load=[{"say": " loaded"}],
        answers={"session/resume": {"error": {"code": -1, "message": "not this"}}, "session/list": {"sessions": []}},
    )
    agent = await played.start()
    request = agent.connection.request
    opened: Any = await request("session/new", {}, limit(20))
    assert (opened["modes"]["currentModeId"], opened["models"], opened["configOptions"]) == (
        "a",
        {"currentModelId": "m"},
        [option],
    )
    assert await request("session/load", {"sessionId": "old"}, limit(20)) == {
        name: value for name, value in opened.items() if name != "sessionId"
    }
    assert played.heard.text == "begun loaded"
    assert await request("session/set_mode", {"sessionId": "old", "modeId": "b"}, limit(20)) == {}
    changed: Any = await request(
        "session/set_config_option", {"sessionId": "old", "configId": "effort", "value": "high"}, limit(20)
    )
    assert changed["configOptions"][0]["currentValue"] == "high"
    assert await request("session/set_model", {}, limit(20)) == {}
    assert await request("session/list", {}, limit(20)) == {"sessions": []}
    for method in ("session/resume", "session/unknown"):
        with pytest.raises(AgentFault, match="not this" if method == "session/resume" else "no such method"):
            await request(method, {}, limit(20))
    await eventually(lambda: played.heard.updates[-1].get("currentModeId") == "b", what="the change of mode")


def test_it_starts_in_any_folder_with_nothing_of_it(tmp_path: Path) -> None:
    """Also where files lie there that are called like modules."""
    for name in ("json.py", "threading.py", "assent.py"):
        (tmp_path / name).write_text("raise SystemExit('taken from the folder')")
    (tmp_path / "s.json").write_text("{}")
    initialize = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n'
    for words in (
        scripted.command(str(tmp_path / "s.json")),
        (sys.executable, "-P", "-m", "assent.acp.scripted", str(tmp_path / "s.json")),
    ):
        done = subprocess.run(
            words,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(scripted.__file__).parents[3])},
            input=initialize,
            capture_output=True,
            timeout=limit(30),
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout)["result"]["protocolVersion"] == 1


def test_it_loads_nothing_of_the_server() -> None:
    program = Path(scripted.__file__).with_name("__main__.py")
    code = (
        f"import runpy, sys; sys.argv = ['x']; runpy.run_path({str(program)!r}, run_name='looked_at');"
        "print(*sorted(name for name in sys.modules if name.startswith('assent')), 'asyncio' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        *("assent", "assent.acp", "assent.acp.scripted", "assent.acp.scripted.agent"),
        *("assent.acp.scripted.player", "assent.acp.scripted.wire", "False"),
    ]

"""Servers that misbehave: every request comes to an end, others are not kept waiting, and nothing of them is left."""

import asyncio
import json
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.mcp.client import Client
from assent.mcp.faults import McpFault, McpGone, McpSilent
from assent.mcp.words import Definition, TimeLimits
from tests.support.mcp_chaos import PLAIN
from tests.support.mcp_servers import OFFICIAL, PATIENT, chaos_command, command, launched, talking
from tests.support.processes import is_running
from tests.support.scale import eventually, limit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="their misdeeds are POSIX's")
HASTY = TimeLimits(begin=limit(3), list=limit(3), call=limit(3), ping=limit(1))


def bad(name: str) -> dict[str, Any]:
    return {**PLAIN, "name": name}


def chaos(folder: Path, **plan: Any) -> Definition:
    return launched(chaos_command(folder, **plan), folder)


async def is_gone(client: Client) -> None:
    pid = client.pid
    assert pid is not None
    await eventually(lambda: client.over is not None and not is_running(pid), what="its end")


ENDED = {
    "leave": "it ended with code 3; it printed last: Traceback: the disk is on fire",
    "long line": "a message of more than 4 MB",
    "endless line": "a message of more than 4 MB",
    "flood": "more messages than anybody could read",
    "garbage": "lines that are no messages",
    "mute": "closed its output",
}


@pytest.mark.parametrize("deed", ENDED)
async def test_in_the_middle_of_a_call(deed: str, tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[[PLAIN, bad("bad")]], calls={"bad": deed})) as client:
        with pytest.raises(McpGone, match=ENDED[deed]):
            await client.call("bad", {})
        await is_gone(client)
        with pytest.raises(McpGone):
            await client.call("plain", {})


@pytest.mark.parametrize("deed", ENDED)
async def test_instead_of_an_introduction(deed: str, tmp_path: Path) -> None:
    with pytest.raises(McpFault, match=ENDED[deed]):
        async with talking(chaos(tmp_path, introduction=deed)):
            pass


async def test_one_that_never_introduces_itself_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(McpSilent, match="did not answer initialize"):
        async with talking(chaos(tmp_path, introduction="hang"), HASTY):
            pass


async def test_a_call_that_is_given_up_ends_one_that_hangs(tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[[bad("bad")]], calls={"bad": "hang"}), HASTY) as client:
        with pytest.raises(McpSilent, match="did not answer tools/call"):
            await client.call("bad", {})
        await is_gone(client)
        assert client.over is not None
        assert "no sign of life" in client.over


async def test_a_call_that_is_stopped_leaves_one_that_still_answers_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    plan = {"tools": [[PLAIN, bad("bad")]], "calls": {"bad": "nothing"}, "log": str(log)}
    async with talking(chaos(tmp_path, **plan)) as client:
        call = asyncio.create_task(client.call("bad", {}))
        await eventually(lambda: "tools/call" in log.read_text(), what="the call")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await eventually(lambda: "ping" in log.read_text(), what="a question for life")
        told = [json.loads(line) for line in log.read_text().splitlines()]
        called = next(one for one in told if one["method"] == "tools/call")
        (stopped,) = [one for one in told if one["method"] == "notifications/cancelled"]
        assert stopped["params"] == {"requestId": called["id"], "reason": "the user stopped it"}
        assert (await client.call("plain", {})).text == "done"


@pytest.mark.parametrize("deed", ["flood", "endless line", "garbage", "hang"])
async def test_another_server_answers_meanwhile(deed: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    bad_one = chaos(tmp_path, tools=[[bad("bad")]], calls={"bad": deed})
    async with talking(launched(command(OFFICIAL), tmp_path / "other")) as good, talking(bad_one, PATIENT) as evil:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        call = asyncio.create_task(evil.call("bad", {}))
        for _ in range(20):
            assert (await good.call("echo", {"text": "hi"})).text == "hi"
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


async def test_a_list_that_changes_without_a_word_is_seen(tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[[PLAIN], [{**PLAIN, "description": "Deletes."}]])) as client:
        (first,) = (await client.tools()).tools
        (second,) = (await client.tools()).tools
        assert first.digest != second.digest
        assert second.description == "Deletes."


@pytest.mark.parametrize(
    ("tools", "why"),
    [
        ([PLAIN, {**PLAIN, "description": "Another."}], "plain: it is described in several ways"),
        ([{"name": "a b", "inputSchema": {"type": "object"}}], "a tool whose name is none: 'a b'"),
        ([{"name": "a\u202eb", "inputSchema": {"type": "object"}}], "a tool whose name is none"),
        ([{"name": "x", "inputSchema": {"type": "string"}}], "x: its inputs have no schema of an object"),
        ([{"name": "x"}], "x: its inputs have no schema of an object"),
        ([5], "a tool whose name is none"),
        ([{"name": "x", "inputSchema": {"type": "object", "title": "t" * 70_000}}], "larger than 64 KB"),
    ],
)
async def test_a_tool_that_is_none_is_left_out(tools: Any, why: str, tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[tools])) as client:
        found = await client.tools()
        assert found.tools == ()
        assert why in found.left_out[0]


async def test_what_stands_twice_in_the_same_words_is_one_tool(tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[[PLAIN, PLAIN]])) as client:
        assert [tool.name for tool in (await client.tools()).tools] == ["plain"]


@pytest.mark.parametrize("answer", [5, [], {"content": 5}, {"content": [5]}, {"content": [{"type": "odd"}]}, {}])
async def test_an_answer_that_makes_no_sense_harms_nothing(answer: Any, tmp_path: Path) -> None:
    async with talking(chaos(tmp_path, tools=[[bad("bad")]], calls={"bad": answer})) as client:
        try:
            said = await client.call("bad", {})
            assert "no content" in said.text or "not understood" in said.text
        except McpFault as fault:
            assert "its answer to tools/call is none" in str(fault)

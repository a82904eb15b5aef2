"""A server of the official library on the other side, over both transports: what is offered, and what comes back."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.agent.ports import Manner
from assent.mcp.faults import McpFault, McpGone, McpRefused
from assent.mcp.words import Address, Definition
from assent.model.forms import FormAction, FormAnswer, FormAsked
from assent.model.ids import CallId, SessionId
from tests.support.mcp_servers import OFFICIAL, command, launched, official_at_address, talking
from tests.support.processes import is_running
from tests.support.scale import eventually

TOOLS = {"echo", "note", "environment", "picture", "totals", "table", "fail"}


@pytest.fixture
def at_an_address() -> Iterator[Definition]:
    with official_at_address() as address:
        yield Definition("remote", "digest", Address(address))


@pytest.fixture(params=["program", "address"])
def definition(request: pytest.FixtureRequest, tmp_path: Path) -> Definition:
    if request.param == "address":
        found: Definition = request.getfixturevalue("at_an_address")
        return found
    return launched(command(OFFICIAL), tmp_path)


async def test_its_tools_are_found_and_do_what_they_are_asked_for(definition: Definition, tmp_path: Path) -> None:
    async with talking(definition) as client:
        assert client.info.name == "official"
        found = {tool.name: tool for tool in (await client.tools()).tools}
        assert found.keys() == TOOLS
        assert found["echo"].title == "Say it again"
        assert found["echo"].description == "Says the text, so many times."
        assert found["echo"].reads_only
        assert found["note"].destroys
        assert not found["note"].reads_only
        assert found["echo"].schema["required"] == ["text"]

        assert (await client.call("echo", {"text": "hi", "times": 2})).text == "hi hi"
        note = tmp_path / "note.txt"
        assert "Wrote 4" in (await client.call("note", {"path": str(note), "text": "text"})).text
        assert note.read_text() == "text"
        seen = await client.call("picture", {})
        assert seen.text == "[image picture 1: PNG, 1 x 1]"
        assert [one.mime for one in seen.pictures] == ["image/png"]
        assert '"sum": 6' in (await client.call("totals", {"numbers": [1, 2, 3]})).text
        failed = await client.call("fail", {})
        assert failed.failed
        assert "Error executing tool fail" in failed.text


class Answering:
    """Whoever fills in every form in the same way."""

    can_be_asked = True

    def __init__(self, answer: FormAnswer) -> None:
        self.answer = answer
        self.asked: list[FormAsked] = []

    async def ask(self, asked: FormAsked) -> FormAnswer:
        self.asked.append(asked)
        return self.answer


async def test_what_it_asks_the_user_is_answered(definition: Definition) -> None:
    forms = Answering(FormAnswer(FormAction.ACCEPT, {"guests": 3, "smoking": True}))
    manner = Manner(session_id=SessionId("chat"), call_id=CallId("call"))
    async with talking(definition, forms=forms) as client:
        with client.serving(manner, "mcp.ours.table"):
            assert (await client.call("table", {})).text == 'accept: {"guests":3,"smoking":true}'
        (asked,) = forms.asked
        assert (asked.session_id, asked.call_id, asked.asker.name) == ("chat", "call", definition.name)
        assert [field.name for field in asked.form.fields] == ["guests", "smoking"]
        # Outside of a call it asks in vain.
        with pytest.raises(McpRefused, match="nothing is asked while no call"):
            await client.call("table", {})
        assert len(forms.asked) == 1


async def test_of_several_calls_it_is_the_one_that_asks_or_nobody_says(definition: Definition) -> None:
    """By HTTP a question comes on the way of an answer; by a pipe nothing tells."""
    forms = Answering(FormAnswer(FormAction.ACCEPT, {"guests": 3}))
    first, newest = (Manner(session_id=SessionId("chat"), call_id=CallId(name)) for name in ("first", "newest"))
    async with talking(definition, forms=forms) as client:
        with client.serving(first, "table"):
            asking = asyncio.create_task(client.call("table", {}))
            # The task has taken its call along; what the server asks comes later, while another call is the newest.
            with client.serving(newest, "echo"):
                await asking
        (asked,) = forms.asked
    is_known = isinstance(definition.means, Address)
    assert asked.call_id == ("first" if is_known else None)
    assert asked.among == (() if is_known else ("table", "echo"))


async def test_what_it_refuses_says_why(definition: Definition) -> None:
    async with talking(definition) as client:
        try:
            answered = await client.call("missing", {})
            assert answered.failed
        except McpFault as fault:
            assert "missing" in str(fault)
        with pytest.raises(McpFault, match="refused no/such"):
            await client.request("no/such", {})


async def test_its_resources_and_prompts_are_read(definition: Definition) -> None:
    async with talking(definition) as client:
        (resource,) = await client.entries("resources")
        assert resource["uri"] == "notes://first"
        read = await client.request("resources/read", {"uri": "notes://first"})
        assert read["contents"][0]["text"] == "Remember the milk."
        (prompt,) = await client.entries("prompts")
        assert prompt["name"] == "greet"


async def test_calls_run_beside_each_other(definition: Definition) -> None:
    async with talking(definition) as client:
        said = await asyncio.gather(*(client.call("echo", {"text": f"t{number}"}) for number in range(40)))
        assert [one.text for one in said] == [f"t{number}" for number in range(40)]


async def test_a_program_gets_its_environment_and_nothing_is_left_of_it(tmp_path: Path) -> None:
    async with talking(launched({**command(OFFICIAL), "env": {"TOKEN": "abc"}}, tmp_path)) as client:
        assert (await client.call("environment", {"name": "TOKEN"})).text == "abc"
        pid = client.pid
        assert pid is not None
        assert is_running(pid)
    await eventually(lambda: not is_running(pid), what="its end")


async def test_what_cannot_be_started_or_reached_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(McpGone, match="was not found: install it"):
        async with talking(launched({"command": "no-such-program"}, tmp_path)):
            pass
    with pytest.raises(McpGone, match="cannot work in"):
        async with talking(launched({"command": sys.executable}, tmp_path / "missing")):
            pass
    with pytest.raises(McpGone, match="could not be reached"):
        async with talking(Definition("remote", "digest", Address("http://127.0.0.1:1/mcp"))):
            pass

"""JSON-RPC with an agent: every request has one answer at most, the order is kept, and whatever is odd is refused."""

import asyncio
import json
from typing import Any

import pytest

from assent.acp.connection import INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, MOST_OPEN, Connection
from assent.acp.faults import AgentFault, AgentGone, AgentSilent
from assent.model.json import Json
from assent.runtime.json_lines import Garbage
from tests.support.scale import limit


class Client:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.written: list[dict[str, Any]] = []
        self.garbage: list[Garbage] = []
        self.fails = False
        self.connection = Connection(self._write, self, self.garbage.append)

    def _write(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        self.written.append(json.loads(data))

    def notified(self, method: str, params: Json) -> None:
        self.heard.append(("notified", method, params))
        if self.fails:
            raise KeyError("of a handler")

    def asked(self, request_id: int | str, method: str, params: Json) -> None:
        self.heard.append(("asked", request_id, method, params))
        if self.fails:
            raise KeyError("of a handler")

    def withdrawn(self, request_id: int | str) -> None:
        self.heard.append(("withdrawn", request_id))


def ask(request_id: object, method: str = "session/request_permission") -> dict[str, Any]:
    """A request of an agent."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {"n": 1}}


async def asking(client: Client, seconds: float | None = None, **more: Any) -> "asyncio.Task[Json]":
    """A request to the agent, as soon as it is written."""
    task = asyncio.create_task(client.connection.request("session/new", {"cwd": "/"}, seconds, **more))
    await asyncio.sleep(0)
    return task


async def test_a_request_has_its_own_answer() -> None:
    client = Client()
    first, second = await asking(client), await asking(client)
    one, two = (message["id"] for message in client.written)
    assert client.written[0] == {"jsonrpc": "2.0", "id": one, "method": "session/new", "params": {"cwd": "/"}}
    client.connection.receive({"jsonrpc": "2.0", "id": two, "result": "second"})
    client.connection.receive({"jsonrpc": "2.0", "id": one, "result": None})

    assert (await first, await second) == (None, "second")


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        ({"error": {"code": -32000, "message": "log in", "data": {"a": 1}}}, -32000, "log in"),
        ({"error": {"code": -1, "message": "no"}, "result": {}}, -1, "no"),
        ({"error": "just text"}, 0, "just text"),
        ({"error": {"code": "x", "message": 7}}, 0, "the agent refused session/new"),
        ({"error": {}}, 0, "the agent refused session/new"),
        ({"error": None}, 0, "the agent answered session/new with neither a result nor an error"),
    ],
)
async def test_an_error_is_raised_with_what_it_says(answer: dict[str, Any], code: int, message: str) -> None:
    client = Client()
    task = await asking(client)
    client.connection.receive({"id": client.written[0]["id"], **answer})

    with pytest.raises(AgentFault) as caught:
        await task
    assert (caught.value.code, caught.value.message, str(caught.value)) == (code, message, message)
    given = answer["error"].get("data") if isinstance(answer["error"], dict) else None
    assert caught.value.data == given


async def test_a_null_error_beside_a_result_is_none() -> None:
    client = Client()
    task = await asking(client)
    client.connection.receive({"id": client.written[0]["id"], "result": 5, "error": None})
    assert await task == 5


async def test_a_late_answer_is_dropped() -> None:
    client = Client()
    with pytest.raises(AgentSilent, match=r"session/new within 0\.01 seconds"):
        await (await asking(client, 0.01))
    client.connection.receive({"id": client.written[0]["id"], "result": 5})
    again = await asking(client, limit(10))
    client.connection.receive({"id": client.written[1]["id"], "result": 6})

    assert await again == 6
    assert (client.heard, client.garbage) == ([], [])


async def test_nobody_waits_for_the_answer_of_a_request_that_was_given_up() -> None:
    client = Client()
    task = await asking(client)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    client.connection.receive({"id": client.written[0]["id"], "result": 5})
    client.connection.close("over")


@pytest.mark.parametrize("wrong", [True, 1.0, "1", 99, -1])
async def test_an_answer_counts_for_its_very_number_only(wrong: object) -> None:
    client = Client()
    task = await asking(client)
    assert client.written[0]["id"] == 1
    client.connection.receive({"id": wrong, "result": "wrong"})
    client.connection.receive({"id": 1, "result": "right"})
    client.connection.receive({"id": 1, "result": "twice"})

    assert await task == "right"


async def test_everything_is_told_in_its_order_and_at_once() -> None:
    client = Client()
    task = await asking(client, arrived=lambda result: client.heard.append(("arrived", result)))
    client.connection.receive({"method": "session/update", "params": {"n": 1}})
    client.connection.receive(ask(0))
    client.connection.receive({"id": client.written[0]["id"], "result": "s"})
    client.connection.receive({"method": "session/update"})
    client.connection.receive({"method": "$/cancel_request", "params": {"requestId": 0}})

    assert client.heard == [
        ("notified", "session/update", {"n": 1}),
        ("asked", 0, "session/request_permission", {"n": 1}),
        ("arrived", "s"),
        ("notified", "session/update", None),
        ("withdrawn", 0),
    ]
    assert await task == "s"


async def test_what_fails_when_an_answer_arrives_is_raised_where_it_was_asked() -> None:
    client = Client()

    def arrived(_: Json) -> None:
        raise KeyError("of the caller")

    task = await asking(client, arrived=arrived)
    client.connection.receive({"id": 1, "result": "s"})
    with pytest.raises(KeyError, match="of the caller"):
        await task


@pytest.mark.parametrize("request_id", [0, -3, 7, 2**70, "", "0", "a b", "x" * 1_000])
def test_an_id_comes_back_as_it_was(request_id: int | str) -> None:
    client = Client()
    client.connection.receive(ask(request_id))
    assert client.connection.answer(request_id, {"ok": True})
    assert not client.connection.answer(request_id, {"ok": False})
    assert not client.connection.refuse(request_id, METHOD_NOT_FOUND, "no")

    assert client.written == [{"jsonrpc": "2.0", "id": request_id, "result": {"ok": True}}]
    assert type(client.written[0]["id"]) is type(request_id)


def test_a_number_and_its_text_are_two_ids() -> None:
    client = Client()
    client.connection.receive(ask(1))
    client.connection.receive(ask("1"))
    assert client.connection.refuse("1", METHOD_NOT_FOUND, "no")
    assert client.connection.answer(1, "yes")

    assert client.written == [
        {"jsonrpc": "2.0", "id": "1", "error": {"code": METHOD_NOT_FOUND, "message": "no"}},
        {"jsonrpc": "2.0", "id": 1, "result": "yes"},
    ]


@pytest.mark.parametrize("request_id", [True, False, 1.0, None, [1], {"a": 1}, "x" * 1_001])
def test_an_id_that_is_none_is_refused_and_nobody_is_asked(request_id: object) -> None:
    client = Client()
    client.connection.receive(ask(request_id))

    assert client.heard == []
    assert [(m["id"], m["error"]["code"]) for m in client.written] == [(None, INVALID_REQUEST)]
    assert len(client.garbage) == 1


def test_a_second_request_with_an_open_id_is_refused_and_the_first_goes_on() -> None:
    client = Client()
    client.connection.receive(ask(5))
    client.connection.receive(ask(5, "fs/write_text_file"))
    assert [(m["id"], m["error"]["code"]) for m in client.written] == [(5, INVALID_REQUEST)]
    assert client.connection.answer(5, "first")
    client.connection.receive(ask(5, "again"))

    assert [heard[2] for heard in client.heard] == ["session/request_permission", "again"]
    assert client.written[1] == {"jsonrpc": "2.0", "id": 5, "result": "first"}


def test_only_what_is_open_is_withdrawn_and_it_is_still_answered() -> None:
    client = Client()
    client.connection.receive(ask("a"))
    for params in ({"requestId": "b"}, {"requestId": True}, {}, None, [1], {"requestId": "a"}):
        client.connection.receive({"method": "$/cancel_request", "params": params})
    assert client.heard[1:] == [("withdrawn", "a")]
    assert client.connection.answer("a", "too late for it")
    client.connection.receive({"method": "$/cancel_request", "params": {"requestId": "a"}})

    assert len(client.heard) == 2


def test_a_handler_that_fails_says_no_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    client.fails = True
    client.connection.receive({"method": "session/update", "params": {"secret": "s"}})
    client.connection.receive(ask(1))
    client.connection.receive(ask(2, "terminal/create"))
    client.fails = False
    client.connection.receive(ask(3))

    # Some agents never get over an error here.
    assert client.written[0] == {"jsonrpc": "2.0", "id": 1, "result": {"outcome": {"outcome": "cancelled"}}}
    assert (client.written[1]["id"], client.written[1]["error"]["code"]) == (2, INTERNAL_ERROR)
    assert client.connection.answer(3, "yes")
    assert not client.connection.answer(1, "yes")
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"jsonrpc": "2.0"},
        {"id": 1},
        {"result": 1},
        {"method": 5},
        {"method": "x", "result": 1},
        {"id": None, "error": {"code": -32700, "message": "what?"}},
    ],
)
def test_what_is_neither_request_nor_answer_is_garbage(message: dict[str, Any]) -> None:
    client = Client()
    client.connection.receive(message)
    assert (client.heard, client.written, len(client.garbage)) == ([], [], 1)


def test_a_request_that_is_an_answer_too_is_refused() -> None:
    client = Client()
    client.connection.receive({**ask(4), "result": 1})
    client.connection.receive({"id": 5, "method": ["x"]})

    assert client.heard == []
    assert [(m["id"], m["error"]["code"]) for m in client.written] == [(4, INVALID_REQUEST), (5, INVALID_REQUEST)]


def test_garbage_does_not_spoil_a_request_that_is_open() -> None:
    client = Client()
    client.connection.receive(ask(4))
    client.connection.receive({"id": 4, "method": None})
    assert client.written[0]["id"] is None
    assert client.connection.answer(4, "yes")


async def test_closing_fails_what_is_open_and_nothing_is_said_or_heard_any_more() -> None:
    client = Client()
    first, second = await asking(client), await asking(client, limit(60))
    client.connection.receive(ask(0))
    before = list(client.heard)
    client.connection.close("the agent ended with code 3")
    client.connection.close("something else")

    for task in (first, second):
        with pytest.raises(AgentGone, match="ended with code 3"):
            await task
    with pytest.raises(AgentGone, match="ended with code 3"):
        await client.connection.request("session/new", {}, 1)
    assert not client.connection.answer(0, {})
    client.connection.notify("session/cancel", {})
    client.connection.receive(ask(1))
    assert not client.connection.is_open
    assert (len(client.written), client.heard) == (2, before)


def test_a_notification_has_no_id() -> None:
    client = Client()
    client.connection.notify("session/cancel", {"sessionId": "s\ud800\n"})
    assert client.written == [{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s\ud800\n"}}]


def test_more_questions_than_anybody_reads_are_answered_with_no() -> None:
    client = Client()
    for number in range(MOST_OPEN + 2):
        client.connection.receive(ask(number))
    client.connection.receive(ask("other", "terminal/create"))
    no = {"outcome": {"outcome": "cancelled"}}

    assert len(client.heard) == MOST_OPEN
    assert [(one["id"], one.get("result")) for one in client.written[:2]] == [(MOST_OPEN, no), (MOST_OPEN + 1, no)]
    assert client.written[2]["error"]["code"] == INTERNAL_ERROR
    assert client.connection.answer(0, "yes")
    client.connection.receive(ask("next"))
    assert client.heard[-1][1] == "next"


def test_an_answer_that_cannot_be_written_leaves_the_request_open() -> None:
    client = Client()
    client.connection.receive(ask(1))
    with pytest.raises(ValueError, match="JSON"):
        client.connection.answer(1, float("nan"))
    assert client.connection.answer(1, "yes")
    assert [one["result"] for one in client.written] == ["yes"]


async def test_a_request_that_cannot_be_written_is_not_sent() -> None:
    client = Client()
    with pytest.raises(ValueError, match="JSON"):
        await client.connection.request("session/new", float("inf"), 1)
    assert client.written == []

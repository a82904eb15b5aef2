"""Probes of headers, bodies and lifecycle over real pipes: each is answered and in sync, or ends cleanly."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.processes import python
from tests.support.rpc import RawClient, RpcError, ServerGone, frame

ECHO = python("-m", "tests.support.echo_server")
CHAT = {"sessionId": "chat"}


@pytest.fixture(scope="module")
def shared() -> Iterator[RawClient]:
    """One server for all probes that leave it in sync: each proves so for the one before."""
    with RawClient(ECHO) as client:
        client.initialize()
        yield client


@pytest.fixture
def fresh() -> Iterator[RawClient]:
    with RawClient(ECHO) as client:
        yield client


def assert_in_sync(client: RawClient) -> None:
    assert client.request("chat/send", {**CHAT, "text": "echo", "context": {"still": "here"}})["message"] == "echoed"
    client.wait_for("agent/event", lambda event: event["data"]["args"] == {"still": "here"})


def request_bytes(request_id: object, **changes: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": request_id, "method": "chat/send", "params": {**CHAT, "text": "echo"}}
    return json.dumps({**message, **changes}).encode()


GOOD_FRAMING = [
    pytest.param(lambda body: b"content-length: %d\r\n\r\n%b" % (len(body), body), id="lower case"),
    pytest.param(lambda body: b"CONTENT-LENGTH:%d\r\n\r\n%b" % (len(body), body), id="upper case without a space"),
    pytest.param(
        lambda body: (
            b"X-Other: 1\r\nContent-Length: %d\r\nContent-Type: a/b; charset=utf-8\r\n\r\n%b" % (len(body), body)
        ),
        id="more headers",
    ),
    pytest.param(lambda body: b"Content-Length: %d\n\n%b" % (len(body), body), id="line feeds only"),
    pytest.param(lambda body: b"Content-Length: %07d\r\n\r\n%b" % (len(body), body), id="leading zeros"),
    pytest.param(lambda body: frame(body + b"   \r\n"), id="blanks behind the body"),
]


@pytest.mark.parametrize("framing", GOOD_FRAMING)
def test_odd_but_clear_frames_are_answered(shared: RawClient, framing: Any, request: pytest.FixtureRequest) -> None:
    request_id = f"framing {request.node.callspec.id}"
    shared.send_bytes(framing(request_bytes(request_id)))

    assert "result" in shared.wait_for_answer(request_id)
    assert_in_sync(shared)


def test_two_frames_in_one_write(shared: RawClient) -> None:
    shared.send_bytes(frame(request_bytes("first")) + frame(request_bytes("second")))

    assert "result" in shared.wait_for_answer("first")
    assert "result" in shared.wait_for_answer("second")


def test_one_byte_at_a_time(shared: RawClient) -> None:
    for byte in frame(request_bytes("bytewise")):
        shared.send_bytes(bytes([byte]))

    assert "result" in shared.wait_for_answer("bytewise")


def test_a_header_inside_a_message_is_text(shared: RawClient) -> None:
    smuggled = frame(request_bytes("smuggled")).decode()
    shared.request("chat/send", {**CHAT, "text": "echo", "context": smuggled})

    shared.wait_for("agent/event", lambda event: event["data"].get("args") == smuggled)
    assert shared.answers_to("smuggled") == []


BAD_HEADERS = [
    pytest.param(b"Content-Length: -5\r\n\r\n", id="negative"),
    pytest.param(b"Content-Length: +5\r\n\r\n", id="signed"),
    pytest.param(b"Content-Length: five\r\n\r\n", id="textual"),
    pytest.param(b"Content-Length: 0x10\r\n\r\n", id="hexadecimal"),
    pytest.param(b"Content-Length: 1.5\r\n\r\n", id="a fraction"),
    pytest.param(b"Content-Length: 1 0\r\n\r\n", id="a space inside"),
    pytest.param("Content-Length: ٥\r\n\r\n".encode(), id="digits of another script"),
    pytest.param(b"Content-Length: \r\n\r\n", id="empty"),
    pytest.param(b"Content-Type: x\r\n\r\n", id="missing"),
    pytest.param(b"\r\n\r\n", id="no header"),
    pytest.param(b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n", id="doubled"),
    pytest.param(b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", id="doubled and different"),
    pytest.param(b"Content-Length: 99999999999\r\n\r\n", id="absurd"),
    pytest.param(b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", id="thousands of digits"),
    pytest.param(b"Content-Length 5\r\n\r\n", id="no colon"),
    pytest.param(b"Content-Length : 5\r\n\r\n", id="a space before the colon"),
    pytest.param(b"X: " + b"y" * 9000 + b"\r\n", id="an endless line"),
    pytest.param(b"X: y\r\n" * 3000, id="endless lines"),
    pytest.param(b"a stray print\n", id="text"),
    pytest.param(b"\x00\x01\x02\n", id="bytes"),
]


@pytest.mark.parametrize("header", BAD_HEADERS)
def test_a_doubtful_header_ends_the_connection_and_runs_nothing(fresh: RawClient, header: bytes) -> None:
    fresh.initialize()
    waiting = fresh.start("chat/send", {**CHAT, "text": "hang"})
    fresh.request("chat/send", {**CHAT, "text": "echo"})
    fresh.send_bytes(header + frame(request_bytes("behind it")))

    assert fresh.wait_exit() == 1
    assert waiting.error().code == -32800, "what waits is ended, and its asker is told"
    assert fresh.answers_to("behind it") == []
    assert "on_end runs" in fresh.stderr
    assert "no message" in fresh.stderr, "the log says why"


CUT = [
    pytest.param(b"", id="nothing at all"),
    pytest.param(b"Content-Len", id="inside a header line"),
    pytest.param(b"Content-Length: 10\r\n", id="inside a header"),
    pytest.param(b"Content-Length: 10\r\n\r\n", id="before the body"),
    pytest.param(b'Content-Length: 10\r\n\r\n{"json', id="inside a body"),
    pytest.param(frame(b'{"jsonrpc":"2.0","method":"initialized"}'), id="behind a message"),
]


@pytest.mark.parametrize("begun", [False, True], ids=["before initialize", "after initialize"])
@pytest.mark.parametrize("data", CUT)
def test_the_end_of_the_input_ends_the_process(fresh: RawClient, data: bytes, begun: bool) -> None:
    if begun:
        fresh.initialize()
    if data:
        fresh.send_bytes(data)
    fresh.close_stdin()

    assert fresh.wait_exit() == 1
    assert "on_end runs" in fresh.stderr
    assert "Traceback" not in fresh.stderr


NOT_JSON = [
    pytest.param(b"", id="empty body"),
    pytest.param(b"   ", id="blanks"),
    pytest.param(b"{", id="cut"),
    pytest.param(b"not json", id="words"),
    pytest.param(b"{'id': 1}", id="single quotes"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"chat/send","params":{"a":NaN}}', id="NaN"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"chat/send","params":{"a":-Infinity}}', id="Infinity"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"chat/send","params":{"a":1e999}}', id="a number beyond floats"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":%b}}' % (b"9" * 5000), id="5000 digits"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', id="invalid UTF-8"),
    pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}', id="a surrogate as bytes"),
    pytest.param('{"jsonrpc":"2.0","id":1}'.encode("utf-16"), id="UTF-16"),
    pytest.param(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"m"}', id="a byte order mark"),
    pytest.param(b"[" * 10_000 + b"]" * 10_000, id="10,000 lists deep"),
    pytest.param(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, id="10,000 objects deep"),
    pytest.param(b"[" * 10_000, id="10,000 lists open"),
]


@pytest.mark.parametrize("body", NOT_JSON)
def test_a_body_that_is_not_json_is_answered(shared: RawClient, body: bytes) -> None:
    before = len(shared.answers_to(None))
    shared.send_body(body)
    assert_in_sync(shared)

    answers = shared.answers_to(None)[before:]
    assert [answer["error"]["code"] for answer in answers] == [-32700]


NO_MESSAGE = [
    pytest.param([], id="an empty batch"),
    pytest.param([{"jsonrpc": "2.0", "id": 1, "method": "session/list"}], id="a batch"),
    pytest.param(5, id="a number"),
    pytest.param("text", id="a string"),
    pytest.param(None, id="null"),
    pytest.param(True, id="true"),
    pytest.param({}, id="an empty object"),
    pytest.param({"jsonrpc": "2.0"}, id="no method"),
    pytest.param({"jsonrpc": "2.0", "id": None, "method": "session/list"}, id="id null"),
    pytest.param({"jsonrpc": "2.0", "id": True, "method": "session/list"}, id="id true"),
    pytest.param({"jsonrpc": "2.0", "id": 1.5, "method": "session/list"}, id="id a fraction"),
    pytest.param({"jsonrpc": "2.0", "id": 1.0, "method": "session/list"}, id="id a float"),
    pytest.param({"jsonrpc": "2.0", "id": {}, "method": "session/list"}, id="id an object"),
    pytest.param({"jsonrpc": "2.0", "id": [1], "method": "session/list"}, id="id a list"),
    pytest.param({"jsonrpc": "1.0", "method": "initialized"}, id="a notification of another version"),
    pytest.param({"jsonrpc": "2.0", "method": 5}, id="a notification with a number as method"),
]


@pytest.mark.parametrize("message", NO_MESSAGE)
def test_what_is_no_message_is_answered_without_an_id(shared: RawClient, message: Any) -> None:
    before = len(shared.answers_to(None))
    shared.send(message)
    assert_in_sync(shared)

    answers = shared.answers_to(None)[before:]
    assert [answer["error"]["code"] for answer in answers] == [-32600]


REFUSED = [
    pytest.param({"jsonrpc": "1.0"}, -32600, id="another version"),
    pytest.param({"jsonrpc": None}, -32600, id="version null"),
    pytest.param({"jsonrpc": 2.0}, -32600, id="version a number"),
    pytest.param({"method": None}, -32600, id="method null"),
    pytest.param({"method": 7}, -32600, id="method a number"),
    pytest.param({"method": ""}, -32600, id="method empty"),
    pytest.param({"result": 1}, -32600, id="call and answer at once"),
    pytest.param({"method": "no/such"}, -32601, id="unknown method"),
    pytest.param({"method": "$/unknown"}, -32601, id="unknown $ method"),
    pytest.param({"method": "tool/approvalRequest"}, -32601, id="a method of the server"),
    pytest.param({"method": "window/showMessage"}, -32601, id="a method of LSP's servers"),
    pytest.param({"method": "textDocument/hover"}, -32601, id="a method of LSP without a handler"),
    pytest.param({"method": "__init__"}, -32601, id="a Python name"),
    pytest.param({"method": "initialized"}, -32600, id="a notification with an id"),
    pytest.param({"method": "exit"}, -32600, id="exit with an id"),
    pytest.param({"method": "initialize", "params": {"capabilities": {}}}, -32600, id="a second initialize"),
    pytest.param({"params": None}, -32602, id="params null"),
    pytest.param({"params": []}, -32602, id="params a list"),
    pytest.param({"params": [CHAT]}, -32602, id="params in a list"),
    pytest.param({"params": "text"}, -32602, id="params a string"),
    pytest.param({"params": 5}, -32602, id="params a number"),
    pytest.param({"params": {}}, -32602, id="params empty"),
    pytest.param({"params": {"sessionId": 5, "text": "echo"}}, -32602, id="a field of another type"),
    pytest.param({"params": {"type_name": 5}}, -32602, id="a key that a library takes for its own"),
]


@pytest.mark.parametrize(("changes", "code"), REFUSED)
def test_a_request_that_cannot_be_served_is_answered_under_its_id(
    shared: RawClient, changes: dict[str, Any], code: int, request: pytest.FixtureRequest
) -> None:
    request_id = f"refused {request.node.callspec.id}"
    shared.send_body(request_bytes(request_id, **changes))

    answer = shared.wait_for_answer(request_id)
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]
    assert_in_sync(shared)
    assert len(shared.answers_to(request_id)) == 1


def test_the_field_at_fault_is_named(shared: RawClient) -> None:
    params = {"approvalId": "a", "response": {"outcome": {"outcome": "selected"}}}
    error = shared.start("tool/approvalResponse", params).error()

    assert (error.code, error.data) == (-32602, {"path": "params.response.outcome.optionId"})


def test_left_out_params_are_named(shared: RawClient) -> None:
    error = shared.start("chat/send").error()

    assert (error.code, error.data) == (-32602, {"path": "params"})


@pytest.mark.parametrize("request_id", [0, -1, 2**53 + 1, 10**60, "", "1", "x" * 10_000, "\ud800", "ü\u0000"])
def test_every_valid_id_comes_back_as_it_was(shared: RawClient, request_id: Any) -> None:
    shared.send_body(request_bytes(request_id))

    assert "result" in shared.wait_for_answer(request_id)


def test_the_same_id_as_text_and_as_number_are_two(shared: RawClient) -> None:
    number = shared.start("chat/send", {**CHAT, "text": "hang"}, request_id=7_000_000)
    shared.send_body(request_bytes("7000000"))

    assert "result" in shared.wait_for_answer("7000000")
    assert not number.done
    number.cancel()
    assert number.error().code == -32800


def test_a_second_request_with_an_id_in_flight_is_refused(shared: RawClient) -> None:
    first = shared.start("chat/send", {**CHAT, "text": "hang"}, request_id="twice")
    second = shared.start("chat/send", {**CHAT, "text": "echo"}, request_id="twice")

    assert second.error().code == -32600
    first.cancel()
    assert_in_sync(shared)
    assert [answer["error"]["code"] for answer in shared.answers_to("twice")] == [-32600, -32800]
    shared.send_body(request_bytes("twice"))
    assert_in_sync(shared)
    assert "result" in shared.answers_to("twice")[-1], "when it is answered, the id is free again"


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"method": "no/such"}, id="unknown"),
        pytest.param({"method": "$/progress", "params": {"token": 1, "value": 2}}, id="$ and without a handler"),
        pytest.param({"method": "$/unknown"}, id="unknown with $"),
        pytest.param({"method": "chat/send", "params": {**CHAT, "text": "echo", "context": "loud"}}, id="a request"),
        pytest.param({"method": "session/close", "params": CHAT}, id="another request"),
        pytest.param({"method": "initialize", "params": {"capabilities": {}}}, id="initialize"),
        pytest.param({"method": "shutdown"}, id="shutdown"),
        pytest.param({"method": "tool/approvalRequest", "params": {}}, id="a method of the server"),
        pytest.param({"method": "view/activity", "params": {"viewId": 5}}, id="params that do not fit"),
        pytest.param({"method": "view/activity"}, id="params left out"),
        pytest.param({"method": "workspace/didChangeConfiguration", "params": []}, id="params of LSP that do not fit"),
        pytest.param({"method": "$/cancelRequest"}, id="a cancellation of nothing"),
        pytest.param({"method": "$/cancelRequest", "params": {"id": "no such"}}, id="a cancellation of an unknown id"),
        pytest.param({"method": "$/cancelRequest", "params": {"id": [1]}}, id="a cancellation of no id"),
        pytest.param({"method": "$/cancelRequest", "params": [1]}, id="a cancellation with a list"),
        pytest.param({"id": "no such", "result": 5}, id="an answer to nothing"),
        pytest.param({"id": None, "error": {"code": -32700, "message": "?"}}, id="an error without an id"),
        pytest.param({"id": True, "result": 5}, id="an answer with an odd id"),
    ],
)
def test_what_needs_no_answer_gets_none_and_does_nothing(shared: RawClient, message: dict[str, Any]) -> None:
    before = len(shared.received)
    shared.send({"jsonrpc": "2.0", **message})
    assert_in_sync(shared)

    assert len(shared.received) == before + 2, "only the event and the answer of the check itself"


def test_a_request_that_nobody_waits_for_may_come_without_an_id(shared: RawClient) -> None:
    shared.notify("view/activity", {"viewId": "v", "sessionId": "s"})

    shared.wait_for("agent/event", lambda event: event["data"].get("text") == "activity v")


def test_before_initialize_only_initialize_and_exit_count(fresh: RawClient) -> None:
    for method in ("chat/send", "shutdown", "no/such"):
        assert fresh.start(method, {**CHAT, "text": "echo"}).error().code == -32002
    fresh.notify("view/activity", {"viewId": "too early", "sessionId": "s"})
    fresh.notify("initialized", {})
    fresh.initialize()

    assert_in_sync(fresh)
    assert "too early" not in json.dumps(fresh.received)


def test_exit_before_initialize(fresh: RawClient) -> None:
    fresh.notify("exit")

    assert fresh.wait_exit() == 1


def test_initialize_that_does_not_fit_may_be_repeated(fresh: RawClient) -> None:
    for params in (None, [], {}, {"capabilities": 5}, {"capabilities": {}, "processId": "x"}):
        assert fresh.start("initialize", params).error().code == -32602
    fresh.initialize()

    assert_in_sync(fresh)


def test_initialize_that_fails_may_be_repeated(fresh: RawClient) -> None:
    failing = fresh.start("initialize", {"capabilities": {}, "initializationOptions": {"fail": "now"}})
    behind = fresh.start("chat/send", {**CHAT, "text": "echo"})

    assert failing.error().code == -32603
    assert behind.error().code == -32002
    fresh.initialize()
    assert_in_sync(fresh)


def test_what_comes_right_behind_initialize_waits_for_it(fresh: RawClient) -> None:
    first = fresh.start("initialize", {"capabilities": {}, "initializationOptions": {"wait": 0.2}})
    again = fresh.start("initialize", {"capabilities": {}})
    fresh.notify("view/activity", {"viewId": "held", "sessionId": "s"})
    behind = fresh.start("chat/send", {**CHAT, "text": "echo"})

    assert "result" in behind.answer()
    assert again.error().code == -32600
    assert first.done
    fresh.wait_for("agent/event", lambda event: event["data"].get("text") == "activity held")


def test_exit_while_initialize_is_worked_on(fresh: RawClient) -> None:
    fresh.start("initialize", {"capabilities": {}, "initializationOptions": {"wait": 60}})
    fresh.notify("exit")

    assert fresh.wait_exit() == 1


def test_shutdown_and_exit(fresh: RawClient) -> None:
    fresh.initialize()

    assert fresh.shutdown() == 0
    assert "on_end runs" in fresh.stderr


def test_shutdown_and_exit_in_one_write_are_both_honoured(fresh: RawClient) -> None:
    fresh.initialize()
    waiting = fresh.start("chat/send", {**CHAT, "text": "hang"})
    shutdown = {"jsonrpc": "2.0", "id": "end", "method": "shutdown"}
    exit_ = {"jsonrpc": "2.0", "method": "exit"}
    fresh.send_bytes(frame(json.dumps(shutdown).encode()) + frame(json.dumps(exit_).encode()))

    assert fresh.wait_exit() == 0
    assert fresh.wait_for_answer("end")["result"] is None
    assert waiting.error().code == -32800


def test_after_shutdown_only_exit_counts(fresh: RawClient) -> None:
    fresh.initialize()
    waiting = fresh.start("chat/send", {**CHAT, "text": "hang"})
    assert fresh.request("shutdown") is None

    assert waiting.error().code == -32800
    for method in ("chat/send", "shutdown", "initialize", "no/such"):
        assert fresh.start(method, {**CHAT, "text": "echo", "capabilities": {}}).error().code == -32600
    before = len(fresh.received)
    fresh.notify("view/activity", {"viewId": "too late", "sessionId": "s"})
    fresh.notify("exit")
    assert fresh.wait_exit() == 0
    assert len(fresh.received) == before


def test_exit_without_shutdown(fresh: RawClient) -> None:
    fresh.initialize()
    fresh.notify("exit")

    assert fresh.wait_exit() == 1


def test_the_end_of_input_after_shutdown_is_not_a_proper_end(fresh: RawClient) -> None:
    fresh.initialize()
    fresh.request("shutdown")
    fresh.close_stdin()

    assert fresh.wait_exit() == 1


def test_nothing_behind_exit_is_looked_at(fresh: RawClient) -> None:
    fresh.initialize()
    exit_ = frame(json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode())
    fresh.send_bytes(exit_ + frame(request_bytes("behind")) + b"garbage")

    assert fresh.wait_exit() == 1
    assert fresh.answers_to("behind") == []


def test_the_server_names_itself(fresh: RawClient) -> None:
    result = fresh.initialize()

    assert result["capabilities"]["experimental"]["assent"] == {
        "version": 1,
        "options": ["allow_once", "reject_once"],
        "serverVersion": "0.0.test",
    }
    assert result["capabilities"]["textDocumentSync"]["openClose"] is False
    assert result["capabilities"]["textDocumentSync"]["change"] == 1


def test_a_client_that_sends_to_a_dead_server_sees_its_last_words(fresh: RawClient) -> None:
    fresh.send_bytes(b"garbage\n")

    with pytest.raises(ServerGone, match="no message"):
        fresh.request("initialize", {"capabilities": {}})


def test_errors_carry_their_data(shared: RawClient) -> None:
    with pytest.raises(RpcError) as caught:
        shared.request("chat/stop", CHAT)

    assert (caught.value.code, caught.value.data) == (-31005, CHAT)

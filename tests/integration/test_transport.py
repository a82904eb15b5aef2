"""The pipes of a real child: slow clients, noise, threads, cancellation, questions to the client, the end."""

import json
import random
import signal
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.support.processes import descendants, is_running, python
from tests.support.rpc import Pending, RawClient, frame
from tests.support.scale import limit, wait_until

ECHO = python("-m", "tests.support.echo_server")
CANARY = "canary-7f3a-in-a-coal-mine"


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Iterator[RawClient]:
    with RawClient(ECHO, env=getattr(request, "param", {})) as started:
        started.initialize()
        yield started


def do(client: RawClient, deed: str, context: Any = None, **others: Any) -> Pending:
    return client.start("chat/send", {"sessionId": "chat", "text": deed, "context": context}, **others)


def assert_in_sync(client: RawClient) -> None:
    assert do(client, "echo", "still here").result()["message"] == "echoed"
    client.wait_for("agent/event", lambda event: event["data"].get("args") == "still here")


# A client that reads slowly, or not at all


def test_a_client_that_does_not_read_stops_neither_the_loop_nor_the_order(client: RawClient) -> None:
    client.pause_reading()
    flood = do(client, "flood", {"count": 3000, "size": 5000, "polite": True})
    hanging = do(client, "hang")
    wait_until(lambda: "the loop lives" in client.stderr, within=30, what="a second of ticks while the queue is full")
    hanging.cancel()
    client.resume_reading()

    report = json.loads(flood.result(within=60)["message"])
    assert report["waits"] > 0, "the producer was told to wait"
    assert hanging.error().code == -32800
    numbers = [event["n"] for event in client.notifications("agent/event")]
    assert numbers == list(range(3000))


def test_questions_and_answers_are_never_dropped_under_a_flood(client: RawClient) -> None:
    client.pause_reading()
    do(client, "flood", {"count": 300, "size": 50_000})
    echoes = [do(client, "echo", number) for number in range(100)]
    client.resume_reading()

    for echo in echoes:
        assert echo.result(within=60)["message"] == "echoed"
    client.wait_for("agent/event", lambda event: event["n"] == 299, within=30)
    args = [event["data"]["args"] for event in client.notifications("agent/event") if event["event"] == "ToolCall"]
    assert args == list(range(100))


def test_a_client_that_never_reads_is_given_up_before_memory_ends(client: RawClient) -> None:
    client.pause_reading()
    do(client, "flood", {"count": 400, "size": 1_000_000})

    assert client.process.wait(limit(60)) == 1
    assert "on_end runs" in client.stderr


def test_a_large_message_both_ways(client: RawClient) -> None:
    large = "ü" * 5_000_000
    do(client, "echo", large).result(within=60)

    assert client.wait_for("agent/event")["data"]["args"] == large


def test_the_process_ends_when_nobody_reads_its_output(client: RawClient) -> None:
    do(client, "hang")
    client.close_stdout()

    assert client.wait_exit(within=2) == 1
    assert "on_end runs" in client.stderr


def test_the_process_ends_when_nobody_reads_its_output_in_a_flood(client: RawClient) -> None:
    client.pause_reading()
    do(client, "flood", {"count": 100_000, "size": 5000, "polite": True})
    wait_until(lambda: "the loop lives" in client.stderr, within=30, what="a full queue")
    client.close_stdout()

    assert client.wait_exit(within=2) == 1
    assert "on_end runs" in client.stderr


# Noise and threads


def test_prints_and_children_do_not_reach_the_client(client: RawClient) -> None:
    assert do(client, "noise").result(within=20)["message"] == "child 1", "a child's input is empty"

    assert_in_sync(client)
    for noise in ("a stray print", "a child", "another child", "stray"):
        client.logged(noise)


@pytest.mark.parametrize("client", [{"PYTHONUNBUFFERED": "1"}], indirect=True)
def test_frames_stay_whole_without_buffers(client: RawClient) -> None:
    flood = do(client, "flood", {"count": 200, "size": 20_000})
    echoes = [do(client, "echo", number) for number in range(500)]

    for pending in (flood, *echoes):
        pending.result(within=30)
    assert_in_sync(client)


def test_blocked_threads_do_not_make_the_server_deaf_nor_keep_it_alive(client: RawClient) -> None:
    do(client, "threads", 60)
    assert_in_sync(client)
    client.close_stdin()

    assert client.wait_exit(within=2) == 1


def test_a_blocked_loop_does_not_keep_the_process_alive(client: RawClient) -> None:
    do(client, "block", 60)
    wait_until(lambda: "the loop is blocked" in client.stderr, what="the handler blocking the loop")
    client.close_stdin()

    assert client.wait_exit(within=2.5) == 1
    assert "the hard way" in client.stderr


def test_what_was_started_does_not_outlive_even_the_hard_end(client: RawClient) -> None:
    do(client, "program")
    wait_until(lambda: descendants(client.pid), what="the program runs")
    programs = descendants(client.pid)
    do(client, "block", 60)
    wait_until(lambda: "the loop is blocked" in client.stderr, what="the handler blocking the loop")
    client.close_stdin()

    assert client.wait_exit() == 1
    assert "the hard way" in client.stderr
    wait_until(lambda: not any(is_running(program.pid) for program in programs), what="its end")


def test_nothing_heavy_is_loaded_for_the_start(client: RawClient) -> None:
    heavy = ["mcp", "pydantic", "httpx2", "websockets", "psutil"]
    # What does not exist is never loaded: to look for it would prove nothing.
    assert all(find_spec(name) for name in heavy)

    assert do(client, "modules", heavy).result()["message"] == ""


# Requests


def test_requests_are_worked_on_at_the_same_time(client: RawClient) -> None:
    hanging = [do(client, "hang") for _ in range(200)]
    assert_in_sync(client)

    assert not any(pending.done for pending in hanging)
    for pending in reversed(hanging):
        pending.cancel()
    assert {pending.error().code for pending in hanging} == {-32800}


def test_a_cancelled_request_is_answered_once(client: RawClient) -> None:
    hanging, swallowing = do(client, "hang"), do(client, "swallow")
    assert_in_sync(client)
    for _ in range(3):
        hanging.cancel()
        swallowing.cancel()

    assert hanging.error().code == -32800
    assert swallowing.result()["message"] == "cancelled, but went on"
    assert_in_sync(client)
    assert len(client.answers_to(hanging.id)) == len(client.answers_to(swallowing.id)) == 1


def test_a_request_cancelled_in_the_same_write_is_answered(client: RawClient) -> None:
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "gone"}}
    ask = {"jsonrpc": "2.0", "id": "gone", "method": "chat/send", "params": {"sessionId": "c", "text": "hang"}}
    client.send_bytes(b"".join(frame(json.dumps(one).encode()) for one in (ask, cancel)))

    assert client.wait_for_answer("gone")["error"]["code"] == -32800
    assert_in_sync(client)
    assert "never awaited" not in client.stderr


@pytest.mark.parametrize("fault", [CANARY, "exit", "interrupt"])
def test_a_failing_handler_tells_the_client_nothing_of_its_inside(client: RawClient, fault: str) -> None:
    error = do(client, "fail", fault).error()

    assert error.code == -32603
    for inside in (CANARY, "Traceback", "File", "/", ".py", "Error"):
        assert inside not in error.message
    assert error.data is None
    assert_in_sync(client)
    client.logged("echo_server.py")


def test_a_handler_that_cancels_itself_is_answered(client: RawClient) -> None:
    assert do(client, "fail", "cancelled").error().code == -32800


def test_a_handler_that_returns_the_wrong_thing_is_answered(client: RawClient) -> None:
    assert client.start("tool/approvalResponse", {"approvalId": "a"}).error().code == -32603


def test_numbers_that_json_cannot_carry_arrive_as_text(client: RawClient) -> None:
    assert do(client, "no number").result()["message"] == "told"

    assert client.wait_for("agent/event")["data"]["args"] == ["NaN", {"x": "-Infinity"}, 1.5]


def test_faults_outside_of_requests_are_not_shown_to_the_user(client: RawClient) -> None:
    do(client, "report", CANARY).result()
    assert_in_sync(client)

    assert client.notifications("window/showMessage") == []
    client.logged("outside of any request")
    assert CANARY not in client.stderr


# Questions to the client


def test_the_client_is_asked_and_answers(client: RawClient) -> None:
    asking = do(client, "ask", {"value": {"a-b": 1}})
    asked = client.wait_for_request("settings/write")
    assert asked.params == {"key": "key", "path": [], "value": {"a-b": 1}, "target": "user"}
    asked.answer({"written": True, "target": "here"})

    assert "written=True, target='here'" in asking.result()["message"]


def test_a_reply_may_be_given_in_advance(client: RawClient) -> None:
    client.replies["settings/write"] = lambda params: {"written": False, "target": params["key"]}

    assert "target='key'" in do(client, "ask", {}).result()["message"]


def test_the_clients_error_reaches_who_asked(client: RawClient) -> None:
    asking = do(client, "ask", {})
    client.wait_for_request("settings/write").fail(-32601, "not here")

    assert asking.result()["message"] == "RpcFault METHOD_NOT_FOUND: not here"


@pytest.mark.parametrize("result", [None, 5, [], {}, {"written": "yes", "target": "x"}])
def test_an_answer_of_the_wrong_shape_is_a_fault(client: RawClient, result: Any) -> None:
    asking = do(client, "ask", {})
    client.wait_for_request("settings/write").answer(result)

    assert asking.result()["message"].startswith("RpcFault INTERNAL_ERROR")


def test_a_late_answer_is_ignored(client: RawClient) -> None:
    asking = do(client, "ask", {"timeout": 0.05})
    asked = client.wait_for_request("settings/write")

    assert asking.result()["message"] == "TimeoutError"
    assert client.wait_for("$/cancelRequest") == {"id": asked.id}
    asked.answer({"written": True, "target": "late"})
    asked.answer({"written": True, "target": "later"})
    assert_in_sync(client)
    assert "Traceback" not in client.stderr


def test_who_cancels_takes_the_question_back_too(client: RawClient) -> None:
    asking = do(client, "ask", {})
    asked = client.wait_for_request("settings/write")
    asking.cancel()

    assert asking.error().code == -32800
    assert client.wait_for("$/cancelRequest") == {"id": asked.id}


def test_the_clients_ids_and_the_servers_ids_do_not_meet(client: RawClient) -> None:
    asking = do(client, "ask", {})
    asked = client.wait_for_request("settings/write")
    same = do(client, "echo", "same id", request_id=asked.id)
    assert same.result()["message"] == "echoed"
    client.notify("$/cancelRequest", {"id": asked.id})
    assert_in_sync(client)
    assert not asking.done

    asked.answer({"written": True, "target": "here"})
    assert "target='here'" in asking.result()["message"]


def test_an_answer_with_the_id_of_a_request_of_the_client_does_nothing(client: RawClient) -> None:
    hanging = do(client, "hang")
    client.send({"jsonrpc": "2.0", "id": hanging.id, "result": "forged"})
    assert_in_sync(client)

    assert not hanging.done


def test_questions_of_lsp_itself(client: RawClient) -> None:
    asking = do(client, "ask window")
    asked = client.wait_for_request("window/showMessageRequest")
    assert asked.params == {"type": 3, "message": "which?", "actions": [{"title": "this"}]}
    asked.answer({"title": "this"})

    assert "title='this'" in asking.result()["message"]


# The end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_everything_first(client: RawClient, number: int) -> None:
    waiting = do(client, "hang")
    assert_in_sync(client)
    client.process.send_signal(number)

    assert client.wait_exit(within=2) == 1
    assert waiting.error().code == -32800
    assert "on_end runs" in client.stderr


def test_the_end_of_the_input_ends_everything_and_then_the_process_by_itself(client: RawClient) -> None:
    waiting = [do(client, "hang"), do(client, "swallow"), do(client, "ask", {})]
    client.wait_for_request("settings/write")
    client.close_stdin()

    assert client.wait_exit(within=2) == 1
    assert waiting[0].error().code == -32800
    assert waiting[1].result()["message"] == "cancelled, but went on"
    assert waiting[2].done
    assert "the hard way" not in client.stderr


@pytest.mark.parametrize("client", [{"ECHO_END_TAKES": "60"}], indirect=True)
def test_an_end_that_takes_too_long_is_cut_off(client: RawClient) -> None:
    client.close_stdin()

    assert client.wait_exit(within=2) == 1
    assert "not everything could be ended" in client.stderr


@pytest.mark.parametrize("closed", ["0<&-", "1>&-"], ids=["input", "output"])
def test_without_pipes_there_is_a_clear_message(closed: str) -> None:
    with RawClient(["sh", "-c", f'exec "$0" "$@" {closed}', *ECHO]) as client:
        assert client.wait_exit(30) == 1
        assert "standard input and output must be open" in client.stderr


# What is written down


@pytest.mark.parametrize("client", [{"ECHO_LOG": "DEBUG", "PYTHONASYNCIODEBUG": "1"}], indirect=True)
def test_no_message_ever_reaches_the_log(client: RawClient) -> None:
    client.replies["settings/write"] = lambda _: {"written": CANARY, "target": CANARY}
    do(client, "echo", {CANARY: CANARY}).result()
    do(client, CANARY).error()
    do(client, "fail", CANARY).error()
    do(client, "block", CANARY).error()
    do(client, "ask", {"value": CANARY}).result()
    do(client, "report", CANARY).result()
    client.start("session/list", {CANARY: CANARY}).error()
    client.start(CANARY, {}).error()
    client.start("chat/stop", {"sessionId": CANARY}, request_id=CANARY).error()
    client.start("session/setMode", {"sessionId": "s", "mode": CANARY}).error()
    client.start("initialize", {"capabilities": {}, "rootUri": CANARY}).error()
    client.notify(CANARY, {CANARY: CANARY})
    client.notify("view/activity", {"viewId": CANARY, "sessionId": CANARY})
    client.notify("chat/send", {"sessionId": CANARY, "text": "echo"})
    client.notify("session/close", {"sessionId": [CANARY]})
    client.notify("workspace/didChangeConfiguration", {"settings": {CANARY: CANARY}})
    client.notify("$/cancelRequest", {"id": CANARY})
    client.send({"jsonrpc": "2.0", "id": CANARY, "result": CANARY})
    client.send({"jsonrpc": CANARY, "id": CANARY, "method": CANARY})
    client.send_body(CANARY.encode())
    client.send_body(b"[" + CANARY.encode())
    assert_in_sync(client)
    client.send_bytes(f"{CANARY}\n".encode())
    client.wait_exit()

    assert client.stderr
    assert CANARY not in client.stderr


# Fuzz


def oracle(body: bytes) -> tuple[bool, Any]:
    """Whether a body must be answered, and under which id; written from the specification of JSON-RPC alone."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return True, None
    if not isinstance(value, dict):
        return True, None
    readable = isinstance(value.get("id"), (str, int)) and not isinstance(value.get("id"), bool)
    own_id = value["id"] if readable else None
    is_answer = "result" in value or "error" in value
    if "method" not in value and is_answer:
        return False, None
    proper = (
        value.get("jsonrpc") == "2.0" and isinstance(value.get("method"), str) and value["method"] and not is_answer
    )
    return ("id" in value or not proper), own_id


def refuse(word: str) -> Any:
    raise ValueError(word)


def finite(digits: str) -> float:
    number = float(digits)
    return number if abs(number) != float("inf") else refuse(digits)


def valid_message(dice: random.Random, number: int) -> dict[str, Any]:
    head = {"jsonrpc": "2.0", "id": f"fuzz-{number}"}
    context = dice.choice([None, 1, -0.5, "text", ["a", {"b": []}], {"jsonrpc": "2.0", "id": 1, "method": "exit"}])
    return dice.choice(
        [
            {**head, "method": "chat/send", "params": {"sessionId": "s", "text": "echo", "context": context}},
            {**head, "method": "chat/stop", "params": {"sessionId": "s"}},
            {**head, "method": "session/list"},
            {**head, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
            {**head, "method": "no/such", "params": context},
            {"jsonrpc": "2.0", "id": f"assent-{dice.randrange(9)}", "result": {"written": True, "target": "x"}},
            {"jsonrpc": "2.0", "method": "view/activity", "params": {"viewId": "v", "sessionId": "s"}},
            {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": context}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": f"fuzz-{dice.randrange(number + 1)}"}},
        ]
    )


ODD = [None, True, False, 0, -1, 1.5, 10**30, "", "\ud800", [], {}, [[]], {"id": 1}, {"jsonrpc": "2.0"}]


def mutated(dice: random.Random, message: dict[str, Any]) -> bytes:
    if dice.random() < 0.5:
        return json.dumps(with_odd_value(dice, message)).encode()
    body = bytearray(json.dumps(message).encode())
    for _ in range(dice.randrange(1, 4)):
        place = dice.randrange(len(body) + 1)
        change = dice.randrange(5)
        if change == 0:
            body[place:place] = dice.randbytes(dice.randrange(1, 4))
        elif change == 1:
            del body[place : place + dice.randrange(1, 9)]
        elif change == 2:
            body[place : place + 1] = dice.choice(
                [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\x00", b"9", b"e"]
            )
        elif change == 3:
            body[place:place] = body[place : place + 20]
        else:
            del body[place:]
        body = body or bytearray(b" ")
    return bytes(body)


def with_odd_value(dice: random.Random, message: dict[str, Any]) -> dict[str, Any]:
    changed = json.loads(json.dumps(message))
    target = changed
    while isinstance(target.get("params"), dict) and dice.random() < 0.5:
        target = target["params"]
    if target and dice.random() < 0.4:
        del target[dice.choice(list(target))]
    else:
        key = dice.choice([*target, "type_name", "result", "error", "id", "method", "extra"])
        target[key] = dice.choice(ODD)
    return changed


def test_ten_thousand_mutated_messages(client: RawClient) -> None:
    dice = random.Random(20_261_120)
    waiting = do(client, "hang", request_id="the one that waits")
    expected: Counter[str] = Counter()
    for number in range(10_000):
        body = mutated(dice, valid_message(dice, number))
        answered, own_id = oracle(body)
        if answered:
            expected[json.dumps(own_id)] += 1
        client.send_body(body)
    assert_in_sync(client)

    own = {json.dumps(number) for number in range(1, 10)}  # initialize, and the check that all is well
    answers = [json.dumps(one["id"]) for one in client.received if "method" not in one]
    assert Counter(one for one in answers if one not in own) == expected
    assert not waiting.done
    waiting.cancel()
    assert waiting.error().code == -32800
    assert client.shutdown() == 0

"""What one side writes the other side reads, on every way through the server that carries free JSON."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.processes import python
from tests.support.rpc import RawClient
from tests.support.scale import examples

AWKWARD_KEYS = [
    "a-b",
    "class",
    "_x",
    "1",
    "type_name",
    "jsonrpc",
    "id",
    "method",
    "params",
    "",
    "__class__",
    "\ud800",
    "é",
]

keys = st.sampled_from(AWKWARD_KEYS) | st.text(st.characters(), max_size=5)
texts = st.text(st.characters(categories=None), max_size=20) | st.sampled_from(
    ["\ud800", "\udfff\ud800", "\u2028", "\x00"]
)
numbers = st.integers() | st.integers(-(10**400), 10**400) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=25,
)


@pytest.fixture(scope="module")
def client() -> Iterator[RawClient]:
    with RawClient(python("-m", "tests.support.echo_server")) as started:
        started.initialize()
        yield started


def exact(value: Any) -> str:
    """A text that is equal only for equal JSON: 1 is not 1.0, and true is not 1."""
    return json.dumps(value, sort_keys=True)


def nested(depth: int) -> Any:
    value: Any = "core"
    for level in range(depth):
        value = [value] if level % 2 else {"jsonrpc": value}
    return value


law = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@law
@given(value=json_values)
@example(value={"a-b": 1, "class": 2, "_p": 3})
@example(value={"type_name": 5, "jsonrpc": {"jsonrpc": "1.0"}})
@example(value=10**4000)
@example(value=[2**53 + 1, -(2**64), 1e308, 5e-324, -0.0, 0.1])
@example(value=nested(190))
def test_arguments_come_back_as_they_were(client: RawClient, value: Any) -> None:
    client.request("chat/send", {"sessionId": "chat", "text": "echo", "context": value})

    assert exact(client.wait_for("agent/event")["data"]["args"]) == exact(value)


@law
@given(value=json_values)
def test_what_the_client_is_asked_and_answers_keeps_its_free_parts(client: RawClient, value: Any) -> None:
    asking = client.start("chat/send", {"sessionId": "chat", "text": "ask", "context": {"value": value}})
    asked = client.wait_for_request("settings/write")
    asked.answer({"written": True, "target": "t", "extra": value})

    assert exact(asked.params["value"]) == exact(value)
    assert asking.result()["message"].startswith("SettingsWriteResult(")


@law
@given(value=json_values)
@example(value={"a-b": {"class": [None]}, "type_name": "x"})
def test_settings_of_the_editor_keep_their_keys(client: RawClient, value: Any) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": value})

    assert exact(client.wait_for("agent/event")["data"]["args"]) == exact(value)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"a": NaN}', id="NaN"),
        pytest.param(b'{"a": 1e400}', id="a float that overflows"),
        pytest.param(b"[" * 300 + b"]" * 300, id="too deep"),
        pytest.param(b"1" * 5000, id="too many digits"),
        pytest.param(b'"\xed\xa0\x80"', id="a surrogate that is not escaped"),
    ],
)
def test_what_cannot_be_kept_exactly_is_refused(client: RawClient, body: bytes) -> None:
    before = len(client.answers_to(None))
    message = (
        b'{"jsonrpc":"2.0","id":1,"method":"chat/send","params":{"sessionId":"s","text":"echo","context":%b}}' % body
    )
    client.send_body(message)
    client.request("chat/send", {"sessionId": "chat", "text": "echo"})
    client.wait_for("agent/event")

    assert [answer["error"]["code"] for answer in client.answers_to(None)[before:]] == [-32700]


def test_the_length_in_the_header_counts_bytes(client: RawClient) -> None:
    value = "ü😀\ud800" * 1000
    client.request("chat/send", {"sessionId": "chat", "text": "echo", "context": value})

    assert client.wait_for("agent/event")["data"]["args"] == value

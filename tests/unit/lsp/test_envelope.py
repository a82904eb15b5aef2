"""What a message is, by its outermost object alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lsp.envelope import Answer, Notification, Refusal, Request, read_envelope
from assent.protocol.methods import ErrorCode

HEAD = {"jsonrpc": "2.0"}


def test_a_call_with_an_id_is_a_request() -> None:
    message = {**HEAD, "id": 7, "method": "m", "params": {"id": 1, "jsonrpc": "1.0", "method": 5}}

    assert read_envelope(message) == Request(7, "m", {"id": 1, "jsonrpc": "1.0", "method": 5})


def test_a_call_without_an_id_is_a_notification() -> None:
    assert read_envelope({**HEAD, "method": "m"}) == Notification("m", None)


@pytest.mark.parametrize("given_id", [0, -1, 10**40, "", "a", "1", "\ud800"])
def test_an_id_is_a_string_or_a_whole_number(given_id: object) -> None:
    assert read_envelope({**HEAD, "id": given_id, "method": "m"}) == Request(given_id, "m", None)


@pytest.mark.parametrize("given_id", [None, True, False, 1.0, 1.5, [], [1], {}, {"id": 1}])
def test_other_ids_are_refused_without_an_id(given_id: object) -> None:
    refused = read_envelope({**HEAD, "id": given_id, "method": "m"})

    assert isinstance(refused, Refusal)
    assert refused.id is None
    assert refused.fault.code is ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"id": 3, "method": "m"}, id="no version"),
        pytest.param({"jsonrpc": "1.0", "id": 3, "method": "m"}, id="another version"),
        pytest.param({"jsonrpc": 2.0, "id": 3, "method": "m"}, id="a version that is a number"),
        pytest.param({**HEAD, "id": 3}, id="no method"),
        pytest.param({**HEAD, "id": 3, "method": None}, id="method null"),
        pytest.param({**HEAD, "id": 3, "method": 5}, id="method a number"),
        pytest.param({**HEAD, "id": 3, "method": ["m"]}, id="method a list"),
        pytest.param({**HEAD, "id": 3, "method": ""}, id="method empty"),
        pytest.param({**HEAD, "id": 3, "method": "m", "result": 1}, id="call and answer at once"),
        pytest.param({**HEAD, "id": 3, "method": "m", "error": None}, id="call and error at once"),
    ],
)
def test_what_is_not_clearly_a_call_is_refused_under_its_id(message: dict[str, Any]) -> None:
    refused = read_envelope(message)

    assert isinstance(refused, Refusal)
    assert refused.id == 3
    assert refused.fault.code is ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize("value", [[], [{**HEAD, "id": 1, "method": "m"}], 1, "text", None, True, 1.5, {}])
def test_what_is_no_message_is_refused_without_an_id(value: object) -> None:
    refused = read_envelope(value)

    assert isinstance(refused, Refusal)
    assert refused.id is None


def test_answers() -> None:
    assert read_envelope({**HEAD, "id": "a", "result": None}) == Answer("a", None, None)
    assert read_envelope({**HEAD, "id": "a", "result": [1], "error": None}) == Answer("a", [1], None)
    failed = read_envelope({**HEAD, "id": "a", "error": {"code": -32601, "message": "no"}})
    assert isinstance(failed, Answer)
    assert failed.fault is not None
    assert failed.fault.code is ErrorCode.METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"id": "a", "result": 1}, id="no version"),
        pytest.param({**HEAD, "id": "a", "result": 1, "error": {"code": 1, "message": "m"}}, id="result and error"),
        pytest.param({**HEAD, "id": "a", "error": None}, id="error null"),
        pytest.param({**HEAD, "id": "a", "error": "text"}, id="error a text"),
        pytest.param({**HEAD, "id": "a", "error": {"code": 1}}, id="error without a message"),
        pytest.param({**HEAD, "id": "a", "error": {"code": "x", "message": "m"}}, id="error code a text"),
        pytest.param({**HEAD, "id": "a", "error": {"code": [], "message": "m"}}, id="error code a list"),
    ],
)
def test_a_malformed_answer_is_a_failed_answer_never_a_result(message: dict[str, Any]) -> None:
    answer = read_envelope(message)

    assert isinstance(answer, Answer)
    assert answer.id == "a"
    assert answer.fault is not None


def test_an_answer_to_nothing_is_not_answered() -> None:
    for odd in (None, True, 1.5, []):
        answer = read_envelope({**HEAD, "id": odd, "result": 1})
        assert isinstance(answer, Answer)
        assert answer.id is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
envelope_like = st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), json_values)


@given(value=json_values | envelope_like)
def test_every_json_value_is_read_as_something(value: object) -> None:
    assert isinstance(read_envelope(value), Request | Notification | Answer | Refusal)

"""Between JSON and wire types: nothing is coerced, what is wrong is named with its place."""

import math
from typing import Any

import attrs
import pytest

from assent.protocol import approval, events, handshake, session
from assent.protocol.converter import WireFault, from_wire, to_wire
from assent.protocol.methods import BY_NAME, METHODS, Sender

REQUEST: dict[str, Any] = {
    "approvalId": "a",
    "seq": 1,
    "sessionId": "s",
    "tabId": "s",
    "agentName": "n",
    "agentId": "i",
    "toolCall": {"toolCallId": "c"},
    "tool": "t",
    "args": None,
    "argsDigest": "d",
    "category": "read",
    "headline": "h",
    "directory": "/w",
    "options": [{"optionId": "o", "name": "O", "kind": "allow_once"}],
    "reason": {"code": "c", "text": "t"},
    "depth": 0,
    "path": [],
    "mode": "ask",
    "createdAt": "now",
}


def fault_of(data: object, cls: type) -> WireFault:
    with pytest.raises(WireFault) as fault:
        from_wire(data, cls)
    return fault.value


def test_a_minimal_request_travels_round() -> None:
    assert to_wire(from_wire(REQUEST, approval.ApprovalRequest)) == REQUEST


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"approvalId": None}, "params.approvalId", "expected a string, got null"),
        ({"approvalId": 5}, "params.approvalId", "expected a string, got a whole number"),
        ({"seq": "1"}, "params.seq", "expected a whole number, got a string"),
        ({"seq": 1.0}, "params.seq", "expected a whole number, got a number"),
        ({"seq": True}, "params.seq", "expected a whole number, got true or false"),
        ({"category": "READ"}, "params.category", "expected one of"),
        ({"category": ["read"]}, "params.category", "expected one of"),
        ({"options": "approve"}, "params.options", "expected a list, got a string"),
        ({"options": {"0": 1}}, "params.options", "expected a list, got an object"),
        ({"options": [None]}, "params.options[0]", "expected an object, got null"),
        (
            {"options": [*REQUEST["options"], {"optionId": "o", "name": "O", "kind": "teleport"}]},
            "params.options[1].kind",
            "expected one of",
        ),
        ({"path": "abc"}, "params.path", "expected a list"),
        ({"path": ["a", 1]}, "params.path[1]", "expected a string"),
        ({"toolCall": []}, "params.toolCall", "expected an object, got a list"),
        ({"toolCall": {"toolCallId": "c", "rawInput": []}}, "params.toolCall.rawInput", "expected an object"),
        ({"reason": {"code": "c"}}, "params.reason.text", "is required"),
        ({"preview": {"kind": "picture"}}, "params.preview", "diff, json"),
        ({"preview": {"text": "{}"}}, "params.preview", "diff, json"),
        ({"preview": "{}"}, "params.preview", "expected an object"),
        ({"preview": {"kind": "json", "text": 1}}, "params.preview.text", "expected a string"),
        ({"redelivery": "yes"}, "params.redelivery", "true or false"),
        ({"redelivery": 1}, "params.redelivery", "true or false"),
        ({"timeout": {"seconds": "5", "running": True, "remainingMs": 1}}, "params.timeout.seconds", "a number"),
        ({"timeout": {"seconds": True, "running": True, "remainingMs": 1}}, "params.timeout.seconds", "a number"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], path: str, words: str) -> None:
    fault = fault_of({**REQUEST, **change}, approval.ApprovalRequest)

    assert fault.path == path
    assert words in fault.message


@pytest.mark.parametrize("name", REQUEST)
def test_a_missing_field_is_named(name: str) -> None:
    fault = fault_of({key: value for key, value in REQUEST.items() if key != name}, approval.ApprovalRequest)

    assert (fault.path, fault.message) == (f"params.{name}", "is required")


@pytest.mark.parametrize("data", [None, [], "x", 1, True, 1.5])
@pytest.mark.parametrize("cls", [approval.ApprovalResponse, session.SessionListParams, events.AgentEvent])
def test_what_is_no_object_at_all(data: object, cls: type) -> None:
    fault = fault_of(data, cls)

    assert fault.path == "params"
    assert "expected an object" in fault.message


def test_extra_fields_are_ignored_and_names_of_attributes_are_no_names_on_the_wire() -> None:
    response = from_wire({"approvalId": "a", "futureField": 1}, approval.ApprovalResponse)
    assert to_wire(response) == {"approvalId": "a"}
    assert fault_of({"approval_id": "a"}, approval.ApprovalResponse).path == "params.approvalId"


def test_an_optional_field_that_is_null_is_as_if_it_were_not_there() -> None:
    message = {"approvalId": "a", "decision": None, "response": None, "feedback": None}
    assert from_wire(message, approval.ApprovalResponse) == from_wire({"approvalId": "a"}, approval.ApprovalResponse)


@pytest.mark.parametrize(
    ("outcome", "path"),
    [
        ({"outcome": "selected"}, "params.response.outcome.optionId"),
        ({"outcome": "selected", "optionId": 1}, "params.response.outcome.optionId"),
        ({"outcome": "chosen", "optionId": "a"}, "params.response.outcome"),
        ({"optionId": "a"}, "params.response.outcome"),
        ("selected", "params.response.outcome"),
        (None, "params.response.outcome"),
    ],
)
def test_an_outcome_is_told_apart_by_its_word(outcome: object, path: str) -> None:
    message = {"approvalId": "a", "response": {"outcome": outcome}}
    assert fault_of(message, approval.ApprovalResponse).path == path


def test_both_outcomes_travel_round() -> None:
    for outcome in ({"outcome": "selected", "optionId": "a"}, {"outcome": "cancelled"}):
        message = {"approvalId": "a", "response": {"outcome": outcome}}
        back = to_wire(from_wire(message, approval.ApprovalResponse))
        assert back == message


def test_arguments_stay_as_they_are() -> None:
    args = {"a-b": 1, "class": [None, {"_p": 2.5, "jsonrpc": "2.0", "type_name": {}}], "": 10**40}
    back = to_wire(from_wire({**REQUEST, "args": args}, approval.ApprovalRequest))
    assert back["args"] == args
    assert isinstance(back["args"]["class"][1], dict)


def test_names_that_keep_their_underscore() -> None:
    result = events.ToolResultData("c", "t", True, "out", 3, is_error=False)
    assert to_wire(result) == {
        "toolCallId": "c",
        "tool": "t",
        "success": True,
        "output": "out",
        "durationMs": 3,
        "is_error": False,
    }
    assert to_wire(events.ChunkData(text="x")) == {"text": "x", "thinking": None}
    assert "request_id" in to_wire(events.ToolPermissionData("c", "t", {}, request_id="a"))


def test_a_number_that_is_whole_may_stand_for_any_number() -> None:
    timeout = {"seconds": 300, "running": True, "remainingMs": 5}
    assert to_wire(from_wire({**REQUEST, "timeout": timeout}, approval.ApprovalRequest))["timeout"] == timeout
    assert math.isclose(from_wire({**timeout, "seconds": 0.5}, approval.TimeoutInfo).seconds, 0.5)


def test_the_root_of_a_path_can_be_named() -> None:
    with pytest.raises(WireFault) as fault:
        from_wire({"user": []}, handshake.ScopedSettings, root="settings.assent")
    assert fault.value.path == "settings.assent.user"
    assert str(fault.value).startswith("settings.assent.user: ")


def test_the_table_of_methods() -> None:
    assert len(BY_NAME) == len(METHODS)
    for method in METHODS:
        assert attrs.has(method.params)
        assert method.result is None or attrs.has(method.result)
        assert method.purpose.endswith(".")
        assert not (method.also_notification and method.sender is Sender.SERVER)

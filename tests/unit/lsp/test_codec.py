"""Parameters and results of our own methods and of LSP's, in both directions."""

from typing import Any

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from assent.lsp.codec import Codec, encode, is_request, may_lack_id
from assent.lsp.faults import RpcFault
from assent.protocol.approval import ApprovalResponse, Selected
from assent.protocol.events import AgentEvent, ChunkData
from assent.protocol.handshake import SettingsWriteParams, SettingsWriteResult
from assent.protocol.methods import ErrorCode
from assent.protocol.session import ChatStopResult, SessionListParams, SessionRef


@pytest.fixture(scope="module")
def codec() -> Codec:
    return Codec(converters.get_converter())


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("chat/send", True),
        ("view/attached", True),
        ("tool/approvalRequest", None),
        ("settings/write", None),
        ("initialize", True),
        ("initialized", False),
        ("window/showMessage", None),
        ("$/cancelRequest", False),
        ("no/such", None),
        ("", None),
    ],
)
def test_who_sends_what(method: str, expected: bool | None) -> None:
    assert is_request(method) is expected


def test_only_what_nobody_waits_for_may_lack_an_id() -> None:
    assert may_lack_id("view/activity")
    assert may_lack_id("initialized")
    assert not may_lack_id("tool/approvalResponse")
    assert not may_lack_id("initialize")


def test_our_own_params_become_their_type(codec: Codec) -> None:
    given = {"approvalId": "a", "response": {"outcome": {"outcome": "selected", "optionId": "o"}}, "unknown": 1}

    params = codec.params_from_client("tool/approvalResponse", given)

    assert isinstance(params, ApprovalResponse)
    assert params.response is not None
    assert params.response.outcome == Selected("o")


def test_params_that_may_be_empty_may_be_left_out(codec: Codec) -> None:
    assert codec.params_from_client("session/list", None) == SessionListParams()


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("session/close", None, "params"),
        ("session/close", {}, "params.sessionId"),
        ("session/close", {"sessionId": 5}, "params.sessionId"),
        ("session/close", {"session_id": "a"}, "params.sessionId"),
        ("session/close", [], "params"),
        ("session/close", "text", "params"),
        ("session/close", False, "params"),
        ("tool/approvalResponse", {"approvalId": "a", "bypassAll": 1}, "params.bypassAll"),
        (
            "tool/approvalResponse",
            {"approvalId": "a", "response": {"outcome": {"outcome": "?"}}},
            "params.response.outcome",
        ),
        ("initialize", None, "params"),
        ("initialize", {}, "params.capabilities"),
        ("initialize", [], "params"),
        ("initialize", {"capabilities": {}, "processId": "x"}, "params.processId"),
        ("initialize", {"capabilities": 5}, "params.capabilities"),
        ("workspace/executeCommand", {"command": {}, "arguments": 5}, "params.arguments"),
    ],
)
def test_what_does_not_fit_is_named(codec: Codec, method: str, params: Any, path: str) -> None:
    with pytest.raises(RpcFault) as caught:
        codec.params_from_client(method, params)

    assert caught.value.code is ErrorCode.INVALID_PARAMS
    assert caught.value.data == {"path": path}


def test_lsp_params_keep_the_free_parts_as_they_are(codec: Codec) -> None:
    options = {"a-b": 1, "class": [{"jsonrpc": "1.0"}], "type_name": {"id": None}}

    params = codec.params_from_client("initialize", {"capabilities": {}, "initializationOptions": options})

    assert params.initialization_options == options


def test_methods_without_params_ignore_them(codec: Codec) -> None:
    assert codec.params_from_client("shutdown", {"some": "thing"}) is None


def test_results_are_written_by_their_type(codec: Codec) -> None:
    assert codec.result_to_client("chat/stop", ChatStopResult(True)) == {"stopped": True}
    assert codec.result_to_client("shutdown", None) is None
    capabilities = lsp.InitializeResult(lsp.ServerCapabilities(experimental={"a_b": None}))
    assert codec.result_to_client("initialize", capabilities) == {"capabilities": {"experimental": {"a_b": None}}}


@pytest.mark.parametrize("wrong", [None, {}, {"stopped": True}, SessionRef("a"), ChatStopResult])
def test_a_handler_that_returns_something_else_is_a_fault(codec: Codec, wrong: object) -> None:
    with pytest.raises(TypeError):
        codec.result_to_client("chat/stop", wrong)


def test_notifications_are_written_by_their_type(codec: Codec) -> None:
    event = AgentEvent("s", "r", 1, "Chunk", ChunkData("hi"))

    assert codec.params_to_client("agent/event", event)["data"] == {"text": "hi", "thinking": None}
    message = lsp.ShowMessageParams(lsp.MessageType.Info, "hi")
    assert codec.params_to_client("window/showMessage", message) == {"type": 3, "message": "hi"}
    with pytest.raises(TypeError):
        codec.params_to_client("agent/event", SettingsWriteParams("k", (), 1, "user"))


def test_answers_of_the_client_are_checked(codec: Codec) -> None:
    good = codec.result_from_client("settings/write", {"written": True, "target": "user"})
    assert good == SettingsWriteResult(True, "user")
    assert codec.result_from_client("window/showMessageRequest", {"title": "yes"}) == lsp.MessageActionItem("yes")
    assert codec.result_from_client("window/showMessageRequest", None) is None


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("settings/write", None),
        ("settings/write", {"written": "yes", "target": "user"}),
        ("settings/write", []),
        ("window/showMessageRequest", 5),
        ("window/showMessageRequest", {}),
        ("window/showMessageRequest", "yes"),
    ],
)
def test_an_answer_that_does_not_fit_is_a_fault(codec: Codec, method: str, result: object) -> None:
    with pytest.raises(RpcFault):
        codec.result_from_client(method, result)


def test_numbers_that_json_cannot_carry_do_not_lose_the_message() -> None:
    assert encode({"a": [float("nan"), 1.5]}) == b'{"a":["NaN",1.5]}'

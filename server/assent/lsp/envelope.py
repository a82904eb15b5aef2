"""What a message is, before anybody looks at its parameters: checked by hand, on plain JSON, without I/O.

Only the outermost object is looked at. Keys such as `jsonrpc`, `id` or `method` further inside are data like any other.
"""

from typing import Any, TypeGuard

from assent.lazy_dataclasses import dataclass
from assent.lsp.faults import RpcFault
from assent.protocol.methods import ErrorCode

MessageId = str | int


@dataclass(frozen=True, slots=True)
class Request:
    """Something the client wants an answer to."""

    id: MessageId
    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Notification:
    """Something the client tells."""

    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """The client's answer to something we asked. Without an id it answers nothing that we know of."""

    id: MessageId | None
    result: Any
    fault: RpcFault | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Not a message of this protocol. It is answered with the fault, under its id where that can be read."""

    id: MessageId | None
    fault: RpcFault


Incoming = Request | Notification | Answer | Refusal


def read_envelope(value: Any) -> Incoming:
    """Tells requests, notifications and answers apart, and refuses everything that is not clearly one of them."""
    if isinstance(value, list):
        return _refuse(None, "a batch of messages is not supported: send them one by one")
    if not isinstance(value, dict):
        return _refuse(None, "a message must be an object")
    message_id = value["id"] if is_message_id(value.get("id")) else None
    if "method" not in value and ("result" in value or "error" in value):
        return _read_answer(message_id, value)
    if value.get("jsonrpc") != "2.0":
        return _refuse(message_id, 'a message must have "jsonrpc": "2.0"')
    if "id" in value and message_id is None:
        return _refuse(None, "the id of a request must be a string or a whole number")
    return _read_call(message_id, value)


def refused(incoming: Incoming, why: str) -> Incoming | None:
    """The same message as one that does not count, for this reason: whoever waits for an answer gets it."""
    fault = RpcFault(ErrorCode.INVALID_REQUEST, why)
    match incoming:
        case Request(message_id):
            return Refusal(message_id, fault)
        case Answer(message_id):
            return Answer(message_id, None, fault)
        case Notification():
            return None
        case _:
            return incoming


def is_message_id(value: object) -> TypeGuard[MessageId]:
    """Whether this can be the id of a request."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _read_call(message_id: MessageId | None, value: dict[str, Any]) -> Incoming:
    method = value.get("method")
    if not isinstance(method, str) or not method:
        return _refuse(message_id, "a message must have a method, and its name must be a string")
    if "result" in value or "error" in value:
        return _refuse(message_id, "a message is a call or an answer, not both")
    if message_id is None:
        return Notification(method, value.get("params"))
    return Request(message_id, method, value.get("params"))


def _read_answer(message_id: MessageId | None, value: dict[str, Any]) -> Answer:
    if value.get("jsonrpc") != "2.0" or ("result" in value and value.get("error") is not None):
        return Answer(message_id, None, RpcFault(ErrorCode.INVALID_REQUEST, "the client's answer is malformed"))
    if value.get("error") is not None or "result" not in value:
        return Answer(message_id, None, RpcFault.from_json(value["error"]))
    return Answer(message_id, value["result"], None)


def _refuse(message_id: MessageId | None, message: str) -> Refusal:
    return Refusal(message_id, RpcFault(ErrorCode.INVALID_REQUEST, message))

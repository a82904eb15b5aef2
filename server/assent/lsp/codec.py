"""Parameters and results between plain JSON and their types: our own methods by the table, LSP's own by lsprotocol."""

import logging
import re
from collections.abc import Callable
from typing import Any, TypeVar

import attrs
import cattrs
from lsprotocol import types as lsp

from assent.jsontext import carry, write_json
from assent.lsp.faults import RpcFault, where_it_happened
from assent.protocol.converter import WireFault, from_wire, to_wire
from assent.protocol.methods import BY_NAME, ErrorCode, Method, Sender

T = TypeVar("T")

log = logging.getLogger(__name__)


def encode(message: Any) -> bytes:
    """The message as JSON text. A number that JSON cannot carry travels as a string, so that no message is lost."""
    try:
        return write_json(message)
    except ValueError:
        return write_json(carry(message)[0])


def is_request(method: str) -> bool | None:
    """Whether the client sends this with an id; None for what a client does not send at all."""
    if (own := BY_NAME.get(method)) is not None:
        return None if own.sender is Sender.SERVER else own.result is not None
    if (known := lsp.METHOD_TO_TYPES.get(method)) is None or lsp.message_direction(method) == "serverToClient":
        return None
    return known[1] is not None


def may_lack_id(method: str) -> bool:
    """Whether the client may send this without an id."""
    return not is_request(method) or (method in BY_NAME and BY_NAME[method].also_notification)


class Codec:
    """Converts what one connection says. Everything that does not fit becomes an RpcFault with a path."""

    def __init__(self, converter: cattrs.Converter) -> None:
        self._converter = converter

    def params_from_client(self, method: str, params: Any) -> Any:
        """The parameters of a call by the client. Left out is the same as empty."""
        given = {} if params is None else params
        if (own := BY_NAME.get(method)) is not None:
            return _fitting(lambda: from_wire(given, own.params), missing=params is None)
        params_type = lsp.METHOD_TO_TYPES[method][2]
        if params_type is None:
            return None
        return _fitting(lambda: self._lsp_params(given, params_type), missing=params is None)

    def result_to_client(self, method: str, result: Any) -> Any:
        """The result of a call by the client, as JSON."""
        own = BY_NAME.get(method)
        if own is not None and own.result is not None:
            return _own(result, own.result, own)
        return self._converter.unstructure(result)

    def params_to_client(self, method: str, params: Any) -> Any:
        """The parameters of a call to the client, as JSON."""
        if (own := BY_NAME.get(method)) is not None:
            return _own(params, own.params, own)
        return self._converter.unstructure(params)

    def result_from_client(self, method: str, result: Any) -> Any:
        """The client's answer to a call of ours."""
        try:
            own = BY_NAME.get(method)
            if own is not None and own.result is not None:
                return from_wire(result, own.result, root="result")
            answer_type = lsp.METHOD_TO_TYPES.get(method, (None, None))[1]
            if answer_type is None:
                return result
            answer = {"id": 0, "jsonrpc": "2.0", "result": result}
            return self._structure(answer, answer_type, "answer").result
        except WireFault as fault:
            message = f"the client's answer to {method} does not fit: {fault}"
            raise RpcFault(ErrorCode.INTERNAL_ERROR, message) from fault

    def _lsp_params(self, given: Any, params_type: Any) -> Any:
        if not isinstance(given, dict):
            raise WireFault("params", "expected an object")
        return self._structure(given, params_type, "params")

    def _structure(self, data: Any, cls: Any, root: str) -> Any:
        try:
            return self._converter.structure(data, cls)
        except Exception as fault:  # the converter lets through whatever its hooks stumble over
            message, _, path = cattrs.transform_error(fault, root)[0].rpartition(" @ ")
            raise WireFault(_camel_case(path), message if path != root else "does not have the right shape") from fault


def _own(value: Any, expected: type, method: Method) -> Any:
    if not attrs.has(type(value)) or not isinstance(value, expected):
        raise TypeError(f"{method.name} takes {expected.__name__} here, not {type(value).__name__}")
    return to_wire(value)


def _fitting(convert: Callable[[], T], *, missing: bool) -> T:
    try:
        return convert()
    except WireFault as fault:
        message = "params: are required" if missing else str(fault)
        raise RpcFault(ErrorCode.INVALID_PARAMS, message, {"path": "params" if missing else fault.path}) from fault
    except Exception as fault:
        # Whatever a conversion stumbles over, the sender gets an answer.
        log.warning("params could not be converted: %s", where_it_happened(fault))
        raise RpcFault(ErrorCode.INVALID_PARAMS, "params: do not fit", {"path": "params"}) from fault


def _camel_case(path: str) -> str:
    """lsprotocol names a field as Python does; whoever sent the message knows the other name."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), path)

"""Faults that travel as JSON-RPC errors, and how a fault is logged without the data that caused it."""

import traceback
from typing import Any

from assent.protocol.methods import ErrorCode


class RpcFault(Exception):
    """What a handler raises to answer with an error, and what `ask` raises when the client answers with one."""

    def __init__(self, code: ErrorCode, message: str, data: Any | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_json(self) -> dict[str, Any]:
        """The error object of a JSON-RPC answer."""
        error: dict[str, Any] = {"code": self.code.value, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error

    @classmethod
    def from_json(cls, error: object) -> "RpcFault":
        """The client's error object. A code that we do not know is kept in the data."""
        if not isinstance(error, dict) or not isinstance(error.get("message"), str):
            return cls(ErrorCode.INTERNAL_ERROR, "the client answered with an error that has no message")
        number = error.get("code")
        try:
            return cls(ErrorCode(number), error["message"], error.get("data"))
        except ValueError:
            return cls(ErrorCode.INTERNAL_ERROR, error["message"], {"code": number, "data": error.get("data")})


class Disconnected(RpcFault):
    """The client is gone: what was asked of it gets no answer any more."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.REQUEST_CANCELLED, "the client is no longer connected")


def where_it_happened(fault: BaseException) -> str:
    """A traceback without the texts of the exceptions: those may quote what a message said, and a log must not."""
    parts: list[str] = []
    step: BaseException | None = fault
    while step is not None:
        parts.append(f"{type(step).__name__} at\n" + "".join(traceback.format_tb(step.__traceback__)))
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    return "caused by ".join(parts)

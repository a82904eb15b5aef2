"""The faults that Assent can name, as errors of the protocol."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

from assent.lsp.faults import RpcFault
from assent.model.errors import (
    ApprovalAlreadyResolved,
    ApprovalNotFound,
    AssentError,
    DigestMismatch,
    InvalidOption,
    InvalidRequest,
    NotConfirmed,
    NotRecorded,
    ReviewIsOld,
    SessionNotFound,
    ShellNotFound,
    WarningNotRead,
)
from assent.protocol.methods import ErrorCode

P = TypeVar("P")
R = TypeVar("R")


def faults_named(handler: Callable[[P], Awaitable[R]]) -> Callable[[P], Awaitable[R]]:
    """Turns the faults that Assent can name into the errors of the protocol."""

    @wraps(handler)
    async def named(params: P) -> R:
        try:
            return await handler(params)
        except AssentError as fault:
            raise rpc_fault(fault) from fault

    return named


def rpc_fault(fault: AssentError) -> RpcFault:
    """The error that says this to a client."""
    match fault:
        case ApprovalNotFound():
            return RpcFault(ErrorCode.APPROVAL_NOT_FOUND, str(fault), {"approvalId": fault.approval_id})
        case ApprovalAlreadyResolved():
            data: dict[str, Any] = {
                "approvalId": fault.approval_id,
                "status": fault.status,
                "decision": fault.decision,
                "resolvedBy": fault.resolved_by,
                "at": fault.at,
            }
            return RpcFault(ErrorCode.APPROVAL_ALREADY_RESOLVED, str(fault), data)
        case InvalidOption():
            data = {"approvalId": fault.approval_id, "allowed": list(fault.allowed)}
            return RpcFault(ErrorCode.INVALID_OPTION, str(fault), data)
        case DigestMismatch():
            return RpcFault(ErrorCode.DIGEST_MISMATCH, str(fault), {"approvalId": fault.approval_id})
        case ReviewIsOld() | WarningNotRead():
            return RpcFault(ErrorCode.DIGEST_MISMATCH, str(fault))
        case NotRecorded():
            return RpcFault(ErrorCode.NOT_RECORDED, str(fault))
        case SessionNotFound():
            return RpcFault(ErrorCode.SESSION_NOT_FOUND, str(fault))
        case ShellNotFound():
            return RpcFault(ErrorCode.SHELL_NOT_FOUND, str(fault))
        case NotConfirmed():
            return RpcFault(ErrorCode.NOT_CONFIRMED, str(fault), {"danger": fault.danger})
        case InvalidRequest():
            return RpcFault(ErrorCode.INVALID_PARAMS, str(fault), {"path": fault.path})
    return RpcFault(ErrorCode.INTERNAL_ERROR, "the server met a fault that it did not expect; details are in its log")

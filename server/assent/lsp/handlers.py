"""The registered handlers: whether they are complete, and how one is called."""

import inspect
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any

from pygls.exceptions import JsonRpcException

from assent.lsp.codec import is_request
from assent.lsp.faults import RpcFault
from assent.protocol.methods import BY_NAME, METHODS, ErrorCode, Sender

Handlers = dict[str, Callable[[Any], Awaitable[Any]]]
"""Handlers by the name of their method."""


class IncompleteServer(Exception):
    """The handlers and the table of methods do not agree: a fault in the program, found before anybody connects."""


def check_complete(handlers: Mapping[str, Any]) -> None:
    """Raises IncompleteServer where a method has no handler, or a handler no types, or may block."""
    faults = [*_missing(handlers), *_unfit(handlers)]
    if faults:
        raise IncompleteServer("; ".join(faults))


def _missing(handlers: Mapping[str, Any]) -> list[str]:
    expected = [method.name for method in METHODS if method.sender is Sender.CLIENT]
    return [f"{name} has no handler" for name in expected if name not in handlers]


def _unfit(handlers: Mapping[str, Any]) -> list[str]:
    faults = []
    for name, handler in handlers.items():
        if is_request(name) is None:
            faults.append(f"{name} is in no table of methods, so its parameters have no type")
        elif name in BY_NAME and not inspect.iscoroutinefunction(handler):
            faults.append(f"the handler of {name} is not async, so it would stop everything else")
    return faults


async def call(handler: Any, params: Any) -> Any:
    """Calls a handler of any kind that pygls knows: a coroutine, a plain function, or steps that call more of them."""
    try:
        return await _finish(handler(params))
    except JsonRpcException as fault:
        raise RpcFault(_known(fault.code), fault.MESSAGE or "the request failed") from fault


async def _finish(begun: Any) -> Any:
    if inspect.isgenerator(begun):
        return await _walk(begun)
    return await begun if inspect.isawaitable(begun) else begun


async def _walk(steps: Generator[Any, Any, Any]) -> Any:
    value = None
    while True:
        try:
            handler, args, kwargs = steps.send(value)
        except StopIteration as end:
            return end.value
        value = await _finish(handler(*args, **(kwargs or {})))


def _known(code: int) -> ErrorCode:
    try:
        return ErrorCode(code)
    except ValueError:
        return ErrorCode.INTERNAL_ERROR

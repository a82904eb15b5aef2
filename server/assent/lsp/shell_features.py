"""The handlers of running commands."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.lsp.wire_values import word
from assent.model.errors import InvalidRequest
from assent.model.ids import CallId, SessionId
from assent.protocol import shells as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.lsp.client import Client
    from assent.shells.shell import Shell

TAIL = 2_000
"""Characters of a command's output that a list shows."""
PIECE = 256 * 1024
"""Characters of output that are told at once."""
LONGEST_COMMAND = 2_000


class ShellFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]", client: "Client") -> None:
        self._app = app
        self._client = client

    def handlers(self) -> Handlers:
        return {
            "shell/list": self._list,
            "shell/output": self._output,
            "shell/kill": self._kill,
            "shell/background": self._background,
        }

    async def _list(self, params: wire.ShellListParams) -> wire.ShellList:
        session_id = SessionId(params.session_id) if params.session_id is not None else None
        if session_id is not None:
            self._app().desk.chat(session_id)
        shells = self._app().commands.shells.all(session_id)
        return wire.ShellList(tuple(self._client.command(_info(shell)) for shell in shells))

    async def _output(self, params: wire.ShellOutputParams) -> wire.ShellOutput:
        if params.cursor is not None and params.cursor < 0:
            raise InvalidRequest("a cursor must not be negative", "params.cursor")
        shell = self._app().commands.shells.get(params.shell_id)
        piece = shell.output.read(params.cursor)
        rest = max(0, len(piece.text) - PIECE)
        ended = shell.exit
        return wire.ShellOutput(
            text=piece.text[: len(piece.text) - rest],
            next_cursor=piece.next_cursor - rest,
            dropped=piece.dropped,
            status=word(shell.status),
            exit_code=ended.code if ended is not None else None,
            signal=ended.signal if ended is not None else None,
        )

    async def _kill(self, params: wire.ShellKillParams) -> wire.ShellKilled:
        call_id = CallId(params.tool_call_id) if params.tool_call_id is not None else None
        return wire.ShellKilled(await self._app().commands.kill(params.shell_id, call_id))

    async def _background(self, params: wire.ShellBackgroundParams) -> wire.ShellBackgrounded:
        return wire.ShellBackgrounded(self._app().commands.move(CallId(params.tool_call_id)).shell_id)


def _info(shell: "Shell") -> wire.ShellInfo:
    ended = shell.exit
    return wire.ShellInfo(
        shell_id=shell.shell_id,
        session_id=shell.order.session_id,
        tool_call_id=shell.order.call_id,
        command=shell.order.command[:LONGEST_COMMAND],
        directory=shell.order.directory,
        background=shell.in_background,
        status=word(shell.status),
        age_ms=round(shell.age * 1000),
        tail=shell.output.tail(TAIL),
        printed=shell.output.total,
        dropped=shell.output.dropped,
        exit_code=ended.code if ended is not None else None,
        signal=ended.signal if ended is not None else None,
        sandbox=shell.order.sandbox,
    )

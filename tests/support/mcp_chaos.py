"""An MCP server that misbehaves: `mcp_chaos.py FILE`. The JSON in the file says how; the standard library is enough.

`tools`: what it lists, once for each time that it is asked, the last from then on; `list_changed`: it says that it
would tell; `introduction` and `calls`: what it does instead of answering, one of the names below, for each tool;
`log`: a file to which it adds a line for each message.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLAIN = {"name": "plain", "description": "Answers.", "inputSchema": {"type": "object", "properties": {}}}


def send(message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def hang() -> None:
    """Says and hears nothing any more."""
    while True:
        time.sleep(60)


def leave() -> None:
    """Ends in the middle of it."""
    sys.stderr.write("Traceback: the disk is on fire\n")
    sys.stderr.flush()
    os._exit(3)


def long_line() -> None:
    """One message that is far too long."""
    sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "result": "')
    for _ in range(50):
        sys.stdout.write("x" * 1_000_000)
    sys.stdout.write('"}\n')
    sys.stdout.flush()
    hang()


def endless_line() -> None:
    """One that does not even end."""
    while True:
        sys.stdout.write("x" * 65_536)


def flood() -> None:
    """Messages without end."""
    one = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 200}}) + "\n"
    while True:
        sys.stdout.write(one * 50)


def garbage() -> None:
    """Lines that are no messages, without end."""
    while True:
        sys.stdout.write("\x1b[31mnot a message at all\n" * 50)


def mute() -> None:
    """Closes its output and goes on."""
    os.close(1)
    hang()


def nothing() -> None:
    """Only this one request is never answered."""


DEEDS: dict[str, Callable[[], None]] = {
    "hang": hang,
    "leave": leave,
    "long line": long_line,
    "endless line": endless_line,
    "flood": flood,
    "garbage": garbage,
    "mute": mute,
    "nothing": nothing,
}


class Chaos:
    """One server, as its file says."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._listed = 0

    def hears(self, message: dict[str, Any]) -> None:
        self._log(message)
        method, number = message.get("method"), message.get("id")
        if number is None or method is None:
            return
        deed = self._plan.get("introduction") if method == "initialize" else None
        if method == "tools/call":
            deed = self._plan.get("calls", {}).get(message["params"]["name"])
        if isinstance(deed, str):
            DEEDS[deed]()
            return
        send({"jsonrpc": "2.0", "id": number, "result": self._result(method, message, deed)})

    def _result(self, method: str, message: dict[str, Any], deed: Any) -> Any:
        match method:
            case "initialize":
                capabilities = {"tools": {"listChanged": self._plan.get("list_changed", False)}}
                said = message["params"]["protocolVersion"]
                return {
                    "protocolVersion": said,
                    "capabilities": capabilities,
                    "serverInfo": {"name": "c", "version": "1"},
                }
            case "tools/list":
                lists = self._plan.get("tools", [[PLAIN]])
                self._listed += 1
                return {"tools": lists[min(self._listed, len(lists)) - 1]}
            case "tools/call":
                return deed if deed is not None else {"content": [{"type": "text", "text": "done"}]}
        return {}

    def _log(self, message: dict[str, Any]) -> None:
        if "log" in self._plan:
            with Path(self._plan["log"]).open("a", encoding="utf-8") as log:
                log.write(json.dumps(message) + "\n")


def main() -> None:
    chaos = Chaos(json.loads(Path(sys.argv[1]).read_text()))
    for line in sys.stdin:
        chaos.hears(json.loads(line))


if __name__ == "__main__":
    main()

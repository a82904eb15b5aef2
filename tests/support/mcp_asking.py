"""An MCP server whose one tool asks the user: `mcp_asking.py FILE`. It writes down all that it hears; the standard
library is enough.

The tool `ask` takes `params`, those of `elicitation/create`; `count`, how often it asks at once; `withdraw`, that it
takes its question back at once. Its result is the answers that it got, as JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any

HEARD = Path(sys.argv[1])
TOOL = {"name": "ask", "description": "Asks.", "inputSchema": {"type": "object", "properties": {"params": {}}}}
_answers: dict[str, list[Any]] = {}
_calls: dict[str, tuple[Any, int]] = {}


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask(call: Any, arguments: dict[str, Any]) -> None:
    """One question or several, for one call."""
    count = arguments.get("count", 1)
    name = f"call-{call}"
    _answers[name], _calls[name] = [], (call, count)
    for number in range(count):
        send(id=f"{name}/{number}", method="elicitation/create", params=arguments["params"])
    if arguments.get("withdraw"):
        send(method="notifications/cancelled", params={"requestId": f"{name}/0"})


def answered(message: dict[str, Any]) -> None:
    """With the last answer the call has its result."""
    name = str(message["id"]).partition("/")[0]
    _answers[name].append({key: value for key, value in message.items() if key in ("result", "error")})
    call, count = _calls[name]
    if len(_answers[name]) == count:
        send(id=call, result={"content": [{"type": "text", "text": json.dumps(_answers[name])}]})


for line in sys.stdin:
    heard = json.loads(line)
    with HEARD.open("a") as file:
        file.write(line)
    match heard.get("method"):
        case "initialize":
            about = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "a"}}
            send(id=heard["id"], result={**about, "serverInfo": {"name": "asking", "version": "1"}})
        case "tools/list":
            send(id=heard["id"], result={"tools": [TOOL]})
        case "tools/call":
            ask(heard["id"], heard["params"]["arguments"])
        case "ping":
            send(id=heard["id"], result={})
        case None:
            answered(heard)

"""One number for everything that an approval is given to."""

import hashlib

from assent.agent.ports import Prepared
from assent.jsontext import canonical_json
from assent.model.calls import Caller, ToolCall
from assent.model.json import Json, JsonObject


def call_digest(call: ToolCall, caller: Caller, prepared: Prepared) -> str:
    """SHA-256 over tool, arguments, directory, real paths, the state they rest on, agent and chat."""
    whose = {"agent": caller.agent_id, "session": caller.session_id, "call": call.call_id}
    return _digest({**_doing(call.tool, call.args, prepared), **whose})


def step_digest(tool: str, args: JsonObject, prepared: Prepared) -> str:
    """The same of a call that another one would make: it has no name yet, and that one says whose it is."""
    return _digest(_doing(tool, args, prepared))


def _doing(tool: str, args: JsonObject | None, prepared: Prepared) -> dict[str, Json]:
    return {
        "tool": tool,
        "args": args,
        "directory": prepared.directory,
        "paths": [[use.access.value, use.real] for use in prepared.paths],
        "state": prepared.state,
    }


def _digest(bound: Json) -> str:
    return hashlib.sha256(canonical_json(bound)).hexdigest()

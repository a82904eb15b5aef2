"""One number for everything that an approval is given to."""

import hashlib

from assent.agent.ports import Prepared
from assent.jsontext import canonical_json
from assent.model.calls import Caller, ToolCall


def call_digest(call: ToolCall, caller: Caller, prepared: Prepared) -> str:
    """SHA-256 over tool, arguments, directory, real paths, the state they rest on, agent and chat."""
    bound = {
        "tool": call.tool,
        "args": call.args,
        "directory": prepared.directory,
        "paths": [[use.access.value, use.real] for use in prepared.paths],
        "state": prepared.state,
        "agent": caller.agent_id,
        "session": caller.session_id,
        "call": call.call_id,
    }
    return hashlib.sha256(canonical_json(bound)).hexdigest()

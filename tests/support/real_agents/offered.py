"""The tools that an agent offers to a model: which of them runs, writes or edits, and what it wants for it."""

from dataclasses import dataclass
from typing import Any

from tests.support.model_servers.wire import SaidCall
from tests.support.real_agents.plan import Call, run

_TOOLS = {
    "run": (
        *("Bash", "bash", "run_shell_command", "terminal", "shell", "execute", "shell_command", "exec_command"),
        *("run_commands", "Shell"),
    ),
    "read": ("read_file", "file_editor", "ReadFile", "read_text_file"),
    "write": ("Write", "write_file", "write", "create", "WriteFile", "write_text_file", "file_editor"),
    "edit": ("Edit", "edit", "replace", "str_replace", "patch", "file_editor"),
    "patch": ("apply_patch",),
}
_NAMES = {
    "command": ("command", "cmd", "commands"),
    "path": ("file_path", "filePath", "path", "absolute_path"),
    "old": ("old_string", "oldString", "old_str"),
    "new": ("new_string", "newString", "new_str"),
    "content": ("content", "file_text", "text"),
    "patch": ("input",),
}
_ORDERS = {"read": "view", "write": "create", "edit": "str_replace"}
"""What one tool is told that does all of these, where it has an argument for that."""
_ANYTHING: dict[str, Any] = {"string": "as planned", "boolean": False, "integer": 1, "number": 1, "array": []}


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as a request offers it."""

    name: str
    schema: dict[str, Any]


def said_call(call: Call, offered: list[Offered], call_id: str) -> SaidCall:
    """The call in the words of this agent. Raises ValueError where it offers no tool for it."""
    by_name = {tool.name: tool for tool in offered}
    deed, wanted = _as_command(call) if call[0] == "patch" and not by_name.keys() & {*_TOOLS["patch"]} else call
    tool = next((by_name[name] for name in _TOOLS[deed] if name in by_name), None)
    if tool is None:
        raise ValueError(f"there is no tool to {deed} among {sorted(by_name)}")
    properties = tool.schema.get("properties", {})
    arguments: dict[str, Any] = {}
    for meaning, value in wanted.items():
        name = next((name for name in _NAMES[meaning] if name in properties), None)
        if name is None:
            raise ValueError(f"{tool.name} has no argument for the {meaning} among {sorted(properties)}")
        arguments[name] = _listed(name, value) if properties[name].get("type") == "array" else value
    if _ORDERS.get(deed) in properties.get("command", {}).get("enum", ()):
        arguments["command"] = _ORDERS[deed]
    for name in tool.schema.get("required", []):
        arguments.setdefault(name, _something(properties[name]))
    if "sandbox_permissions" in properties:
        # What runs inside of its sandbox, this agent does not ask about: the model has to ask to be let out of it.
        arguments |= {"sandbox_permissions": "require_escalated", "justification": "as planned"}
    return SaidCall(tool.name, arguments, call_id)


def _as_command(call: Call) -> Call:
    """A patch for an agent without a tool for it: it takes one out of what only looks like a command."""
    return run(f"apply_patch <<'END'\n{call[1]['patch']}END")


def _listed(name: str, value: str) -> list[str]:
    return [value] if name.endswith("s") else ["bash", "-c", value]


def _something(schema: dict[str, Any]) -> Any:
    """What an argument may be that nobody cares about."""
    one_of: list[Any] = schema.get("enum", [])
    return one_of[0] if one_of else _ANYTHING.get(str(schema.get("type")).lower(), "as planned")


def can_do(call: Call, offered: list[Offered]) -> bool:
    """Whether there is a tool for it: agents also ask models for other things, without their tools."""
    names = {*_TOOLS[call[0]], *(_TOOLS["run"] if call[0] == "patch" else ())}
    return any(tool.name in names for tool in offered)

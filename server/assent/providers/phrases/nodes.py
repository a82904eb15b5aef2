"""Sentences about what is run by an id: nodes and workflows."""

import json
import re

from assent.model.json import Json
from assent.providers.held import Held
from assent.providers.phrases.words import WITH_INPUTS, Found, Phrases, just, naming
from assent.providers.wish import Wish

# “run node script.js” speaks of the program node.
_NODE = r"(?!\S+\.[cm]?[jt]s\b)((?:builtin|script|command|lm|mcp)\.\S+)"
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+")
_INPUT = re.compile(r"(\w+)=(\S*)")

NO_COMMAND = rf"(?!(?:the\s+)?(?:node\s+{_NODE}|(?:workflow|task)\s))"
"""What stands behind “run” where a command is meant, as part of a pattern."""


def _node(match: Found, held: Held) -> Wish | None:
    node_id, inputs = held.name(match[1]), _inputs(match[2], held)
    if inputs is None:
        return None
    args: dict[str, Json] = {"node_type": node_id} | ({"inputs": inputs} if inputs else {})
    return Wish("run_node", args, f"run the node {node_id}")


def _flow(match: Found, held: Held) -> Wish | None:
    kind, name, params = match[1].lower(), held.restore(match[2]), _inputs(match[3], held)
    if params is None:
        return None
    args: dict[str, Json] = {"workflow_id": _flow_id(name, kind)} | ({"params": params} if params else {})
    return Wish("run_workflow", args, f"run the {kind} {name}")


def _describe_flow(match: Found, held: Held) -> Wish:
    kind, name = match[1].lower(), held.name(match[2])
    return Wish("get_workflow", {"workflow_id": _flow_id(name, kind)}, f"look at the {kind} {name}")


def _flow_id(name: str, kind: str) -> str:
    if name.startswith(("file:", "task:")):
        return name
    return f"task:{name}" if kind == "task" else f"file:{name}"


def _inputs(text: str | None, held: Held) -> dict[str, Json] | None:
    """What is given to it: a JSON object, or `name=value` and so on; None where it is neither."""
    if text is None:
        return {}
    if held.is_whole(text):
        return _object(held.restore(text))
    given: dict[str, Json] = {}
    for piece in _BETWEEN.split(text.rstrip(".,!?")):
        found = _INPUT.fullmatch(piece)
        if found is None or found[1] in given:
            return None
        given[found[1]] = held.restore(found[2]) if "\ue000" in found[2] else _plain(found[2])
    return given


def _object(text: str) -> dict[str, Json] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _plain(word: str) -> Json:
    """A number, true or false, or a word."""
    try:
        found: Json = json.loads(word)
    except (ValueError, RecursionError):
        return word
    return found if isinstance(found, bool | int | float) else word


PHRASES: Phrases = (
    (r"list\s+(?:the\s+)?nodes[.!]?", just("list_nodes", "list the nodes")),
    (r"list\s+(?:the\s+)?nodes\s+of\s+(\S+)", naming("list_nodes", "source", "list the nodes of {}")),
    (r"search\s+(?:the\s+)?nodes\s+for\s+(.+)", naming("search_nodes", "query", "search the nodes for {}")),
    (rf"describe\s+(?:the\s+)?node\s+{_NODE}", naming("get_node_info", "node_type", "look at the node {}")),
    (rf"run\s+(?:the\s+)?node\s+{_NODE}{WITH_INPUTS}", _node),
    (r"list\s+(?:the\s+)?workflows[.!]?", just("list_workflows", "list the workflows")),
    (r"describe\s+(?:the\s+)?(workflow|task)\s+(.+)", _describe_flow),
    (rf"run\s+(?:the\s+)?(workflow|task)\s+(.+?){WITH_INPUTS}", _flow),
)

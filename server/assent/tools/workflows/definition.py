"""What the file of a workflow says, taken apart: a text goes in, a workflow or what is wrong with it comes out."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assent.agent.json_schema import misfit, not_understood
from assent.jsontext import NotJson, canonical_json, read_json
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.tools.workflows.inputs import InputFault, needed_steps, used_parameters

MOST_STEPS = 50
LONGEST = 256 * 1024
LONGEST_TITLE = 120
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")
_OF_WORKFLOW = frozenset({"$schema", "title", "description", "parameters", "steps"})
_OF_STEP = frozenset({"id", "title", "tool", "node", "inputs", "after"})
_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}, "additionalProperties": False}


class UnusableWorkflow(ValueError):
    """The file is no workflow. Says where and why."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call: of which tool, with which inputs, and after which other steps."""

    step_id: str
    tool: str
    inputs: Json
    """The arguments, with what stands for parameters and for results of other steps."""
    after: frozenset[str]


@dataclass(frozen=True, slots=True)
class Workflow:
    """Steps, in the order in which they are made."""

    title: str
    description: str
    parameters: JsonObject
    steps: tuple[Step, ...]


def is_name(name: str) -> bool:
    """Whether a workflow, or a step of one, can be called so."""
    return _NAME.match(name) is not None and ".." not in name


def read_workflow(text: str) -> Workflow:
    """The workflow in the text of a file. Raises UnusableWorkflow."""
    if len(text) > LONGEST:
        raise UnusableWorkflow(f"it is longer than {LONGEST:,} characters")
    try:
        value = read_json(text.removeprefix("\ufeff"), each_name_once=True)
    except NotJson as fault:
        raise UnusableWorkflow(f"it is no JSON: {fault}") from fault
    members = _members("the workflow", value, _OF_WORKFLOW)
    parameters = _parameters(members.get("parameters", _NO_PARAMETERS))
    steps = tuple(_step(number, one) for number, one in enumerate(_list("steps", members.get("steps")), start=1))
    _check_names(steps, parameters)
    title = _text("title", members.get("title", ""), LONGEST_TITLE)
    return Workflow(title, _text("description", members.get("description", ""), 2_000), parameters, _ordered(steps))


def arguments_fault(workflow: Workflow, given: JsonObject) -> str | None:
    """Why these parameters do not fit the workflow, or None."""
    return misfit(with_defaults(workflow, given), workflow.parameters)


def with_defaults(workflow: Workflow, given: JsonObject) -> JsonObject:
    """The parameters, with what the workflow says of those that were not given."""
    properties: Mapping[str, Any] = _object(workflow.parameters.get("properties"))
    defaults = {
        name: one["default"] for name, one in properties.items() if isinstance(one, Mapping) and "default" in one
    }
    return {**defaults, **given}


def _members(where: str, value: Any, known: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UnusableWorkflow(f"{where} is no object")
    for name in value:
        if name not in known:
            raise UnusableWorkflow(
                f"{where} has “{name[:80]}”, which is not known; known are {', '.join(sorted(known))}"
            )
    return value


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise UnusableWorkflow(f"“{where}” has to be a list that is not empty")
    if len(value) > MOST_STEPS:
        raise UnusableWorkflow(f"“{where}” has more than {MOST_STEPS} entries")
    return value


def _text(where: str, value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise UnusableWorkflow(f"“{where}” has to be a text of at most {longest} characters")
    return value


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _parameters(value: Any) -> JsonObject:
    if not isinstance(value, dict) or value.get("type", "object") != "object":
        raise UnusableWorkflow("“parameters” has to be a JSON schema of an object")
    fault = not_understood(value)
    if fault is not None:
        raise UnusableWorkflow(f"“parameters”: {fault}")
    return {"additionalProperties": False, **value, "type": "object"}


def _step(number: int, value: Any) -> Step:
    where = f"step {number}"
    members = _members(where, value, _OF_STEP)
    step_id = members.get("id")
    if not isinstance(step_id, str) or not is_name(step_id):
        raise UnusableWorkflow(f"{where} needs an “id” of letters, digits, “_”, “-” and “.”")
    tool, inputs = _called(where, members)
    try:
        needed = needed_steps(inputs)
    except InputFault as fault:
        raise UnusableWorkflow(f"{where} ({step_id}): {fault}") from fault
    after = members.get("after", [])
    if not isinstance(after, list) or not all(isinstance(one, str) for one in after):
        raise UnusableWorkflow(f"{where} ({step_id}): “after” has to be a list of ids of steps")
    return Step(step_id, tool, inputs, needed | frozenset(after))


def _called(where: str, members: Mapping[str, Any]) -> tuple[str, Json]:
    """The tool, and its arguments: a node is called by the tool for nodes."""
    inputs = members.get("inputs", {})
    if not isinstance(inputs, dict):
        raise UnusableWorkflow(f"{where}: “inputs” has to be an object")
    tool, node = members.get("tool"), members.get("node")
    if (tool is None) is (node is None):
        raise UnusableWorkflow(f"{where} needs either a “tool” or a “node”")
    name = tool if node is None else node
    if not isinstance(name, str) or not 0 < len(name) <= 200:
        raise UnusableWorkflow(f"{where}: the name of its tool or node has to be a text")
    return (name, inputs) if node is None else ("run_node", {"node_type": name, "inputs": inputs})


def _check_names(steps: tuple[Step, ...], parameters: JsonObject) -> None:
    ids = [step.step_id for step in steps]
    double = next((one for one in ids if ids.count(one) > 1), None)
    if double is not None:
        raise UnusableWorkflow(f"two steps have the id “{double}”")
    known = _object(parameters.get("properties"))
    for step in steps:
        missing = next((one for one in sorted(step.after) if one not in ids), None)
        if missing is not None:
            raise UnusableWorkflow(f"the step “{step.step_id}” needs a step “{missing[:80]}”, and there is none")
        unknown = next((one for one in sorted(used_parameters(step.inputs)) if one not in known), None)
        if unknown is not None:
            raise UnusableWorkflow(f"the step “{step.step_id}” uses a parameter “{unknown[:80]}”, and there is none")


def _ordered(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Each after those that it needs; otherwise as they stand in the file."""
    return tuple(_in_order(list(steps)))


def _in_order(left: list[Step]) -> Iterator[Step]:
    made: set[str] = set()
    while left:
        ready = next((step for step in left if step.after <= made), None)
        if ready is None:
            around = ", ".join(f"“{step.step_id}”" for step in left)
            raise UnusableWorkflow(f"these steps wait for each other: {around}")
        left.remove(ready)
        made.add(ready.step_id)
        yield ready


def meaning(workflow: Workflow) -> bytes:
    """All that the workflow would do, in one spelling."""
    steps: list[Json] = [[step.step_id, step.tool, step.inputs, sorted(step.after)] for step in workflow.steps]
    return canonical_json([workflow.parameters, steps])

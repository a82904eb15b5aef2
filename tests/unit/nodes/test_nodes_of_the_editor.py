"""Commands and tools of the editor as nodes: a closed list, a stranger's words bounded, nothing without an editor."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from assent.agent.json_schema import input_fault, not_understood, understood_part
from assent.agent.ports import AS_SHOWN
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.model.modes import Category
from assent.nodes.catalogue import Catalogue
from assent.nodes.editor_commands import COMMANDS, EditorCommand, Kind, Parameter
from assent.nodes.editor_port import NO_EDITOR, Came, EditorTool
from assent.nodes.of_editor import MOST_SCHEMA, CommandNodes, ToolNodes
from assent.nodes.words import Node
from assent.protocol.words import ArgumentKind, EditorCommandId

WEATHER = EditorTool("weather", "Tells the weather.", {"type": "object", "properties": {"city": {"type": "string"}}})
GOOD: dict[Kind, JsonObject] = {
    Kind.FILE: {"path": "a.py"},
    Kind.POSITION: {"line": 3, "column": 1},
    Kind.TEXT: {"query": ""},
    Kind.NUMBER: {"resolve": 0},
    Kind.BOOLEAN: {"sure": True},
}


class Editor:
    """An editor that writes down what it is asked."""

    def __init__(self, *tools: EditorTool) -> None:
        self.there, self.its_tools, self.asked = True, list(tools), list[Any]()
        self.came = Came("{}")

    @property
    def runs_commands(self) -> bool:
        return self.there

    @property
    def has_tools(self) -> bool:
        return self.there

    async def run(self, command: str, arguments: tuple[tuple[Kind, Json], ...]) -> Came:
        self.asked.append((command, arguments))
        return self.came

    async def tools(self) -> tuple[EditorTool, ...]:
        return tuple(self.its_tools)

    async def invoke(self, name: str, inputs: JsonObject) -> Came:
        self.asked.append((name, inputs))
        return self.came


async def found(nodes: CommandNodes | ToolNodes, node_id: str) -> Node:
    node = await nodes.node(node_id)
    assert isinstance(node, Node), node
    return node


def good(command: EditorCommand) -> JsonObject:
    return {name: value for one in command.parameters for name, value in GOOD[one.kind].items()}


def test_the_wire_names_exactly_the_commands_of_the_catalogue() -> None:
    assert list(get_args(EditorCommandId)) == list(COMMANDS)
    assert list(get_args(ArgumentKind)) == list(Kind)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda one: one.command)
async def test_every_command_says_what_it_does_and_takes(command: EditorCommand) -> None:
    schema = command.schema
    assert not_understood(schema) is None and understood_part(schema) == schema
    assert command.description.endswith(".") and command.title
    inputs = good(command)
    assert input_fault(inputs, schema) is None
    assert input_fault({**inputs, "more": 1}, schema) is not None
    for name in inputs:
        assert input_fault({key: value for key, value in inputs.items() if key != name}, schema) is not None
        assert input_fault({**inputs, name: ["no"]}, schema) is not None
    editor = Editor()
    node = await found(CommandNodes(editor), f"command.{command.command}")
    assert node.category is Category.EXECUTE and node.files == tuple(n for n in inputs if n == "path")
    assert (await node.work(inputs, AS_SHOWN)).text == "{}"
    ((asked, arguments),) = editor.asked
    assert asked == command.command and [kind for kind, _ in arguments] == [one.kind for one in command.parameters]


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        (Kind.FILE, {"path": ""}),
        (Kind.POSITION, {"line": 0, "column": 1}),
        (Kind.POSITION, {"line": 1, "column": 1.5}),
        (Kind.POSITION, {"line": 1}),
        (Kind.TEXT, {"query": "x" * 1_001}),
        (Kind.NUMBER, {"resolve": -1}),
        (Kind.NUMBER, {"resolve": True}),
        (Kind.BOOLEAN, {"sure": 1}),
    ],
    ids=str,
)
def test_each_kind_takes_only_its_own(kind: Kind, bad: JsonObject) -> None:
    name = next(iter(GOOD[kind]))
    one = EditorCommand("x", "X", "Does x.", (Parameter(kind, name, "It."),))
    assert input_fault(GOOD[kind], one.schema) is None
    assert input_fault(bad, one.schema) is not None
    expected = GOOD[kind] if kind is Kind.POSITION else GOOD[kind][name]
    assert one.arguments(GOOD[kind]) == ((kind, expected),)


@pytest.mark.parametrize(
    "node_id",
    ["command.workbench.action.terminal.sendSequence", "command.", "command.git.Refresh", "command.git.refresh "],
)
async def test_no_other_command_can_be_run(node_id: str) -> None:
    catalogue = Catalogue([CommandNodes(Editor()), ToolNodes(Editor())])
    fault = await catalogue.node(node_id)
    assert isinstance(fault, ToolFault) and fault.code == "node_not_found"


async def test_without_an_editor_there_is_nothing_and_it_is_said() -> None:
    for nodes, node_id in ((CommandNodes(NO_EDITOR), "command.git.refresh"), (ToolNodes(NO_EDITOR), "lm.weather")):
        assert nodes.names == () and (await nodes.listing(None)).nodes == ()
        fault = await nodes.node(node_id)
        assert isinstance(fault, ToolFault) and fault.code == "no_editor"
    assert await CommandNodes(NO_EDITOR).node("lm.weather") is None
    assert await ToolNodes(NO_EDITOR).node("builtin.hash") is None


@pytest.mark.parametrize(
    "other",
    [
        replace(WEATHER, description="Deletes everything."),
        replace(WEATHER, schema={"type": "object"}),
        replace(WEATHER, schema=None),
    ],
    ids=str,
)
async def test_a_tool_that_is_another_one_by_now_does_not_run(other: EditorTool) -> None:
    editor = Editor(WEATHER)
    nodes = ToolNodes(editor)
    node = await found(nodes, "lm.weather")
    assert node.category is Category.EXTERNAL
    editor.its_tools = [other]
    assert (await found(nodes, "lm.weather")).use.key != node.use.key
    with pytest.raises(ToolFault) as raised:
        await node.work({"city": "Bern"}, AS_SHOWN)
    assert raised.value.code == "changed_since" and editor.asked == []
    editor.its_tools = []
    with pytest.raises(ToolFault):
        await node.work({"city": "Bern"}, AS_SHOWN)
    editor.its_tools = [WEATHER]
    assert (await node.work({"city": "Bern"}, AS_SHOWN)).text == "{}"
    assert editor.asked == [("weather", {"city": "Bern"})]


async def test_what_a_stranger_says_is_bounded_and_what_is_in_doubt_left_out() -> None:
    long = replace(WEATHER, name="long", description="x" * 20_000)
    wide = replace(WEATHER, name="wide", schema={"type": "object", "description": "x" * MOST_SCHEMA})
    twice = replace(WEATHER, name="twice")
    nodes = ToolNodes(
        Editor(WEATHER, long, wide, twice, twice, replace(WEATHER, name="a b"), replace(WEATHER, name=""))
    )
    listing = await nodes.listing("lm")
    assert [node.node_id for node in listing.nodes] == ["lm.weather", "lm.long"]
    assert len(listing.nodes[1].description) < 10_000
    assert len(listing.faults) == 5
    # What is cut off of the words is still part of what it is.
    other = ToolNodes(Editor(replace(long, description="x" * 20_001)))
    assert (await found(other, "lm.long")).use.identity != listing.nodes[1].use.identity


async def test_what_the_editor_says_went_wrong_is_told() -> None:
    editor = Editor(WEATHER)
    editor.came = Came(fault="no formatter" + "!" * 5_000)
    for node in (
        await found(CommandNodes(editor), "command.git.refresh"),
        await found(ToolNodes(editor), "lm.weather"),
    ):
        with pytest.raises(ToolFault) as raised:
            await node.work({}, AS_SHOWN)
        assert raised.value.code == "node_failed" and "no formatter" in str(raised.value)
        assert len(str(raised.value)) < 1_200

"""The functions of the product: right results, faults that say why, and none that outlasts its time."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from assent.agent.json_schema import input_fault
from assent.agent.ports import AS_SHOWN
from assent.model.errors import ToolFault
from assent.model.modes import Category
from assent.nodes.builtin.source import BuiltinNodes
from assent.nodes.catalogue import Catalogue
from assent.nodes.words import Node
from assent.runtime.processes import Processes


@pytest.fixture(scope="module")
def builtin() -> Iterator[BuiltinNodes]:
    processes = Processes()
    yield BuiltinNodes(processes)
    processes.end_all()


async def work(nodes: BuiltinNodes, name: str, **inputs: Any) -> str:
    node = await nodes.node(f"builtin.{name}")
    assert isinstance(node, Node)
    fault = input_fault(inputs, node.schema)
    if fault is not None:
        raise ToolFault("invalid_arguments", fault)
    return (await node.work(inputs, AS_SHOWN)).text


RESULTS: list[tuple[str, dict[str, Any], Any]] = [
    ("hash", {"text": "abc"}, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("hash", {"text": "", "algorithm": "md5"}, "d41d8cd98f00b204e9800998ecf8427e"),
    ("base64.encode", {"text": "hällo?>"}, "aMOkbGxvPz4="),
    ("base64.encode", {"text": "hällo?>", "url_safe": True}, "aMOkbGxvPz4="),
    ("base64.decode", {"text": "aMOkbGxv\nPz4"}, "hällo?>"),
    ("url.parse", {"url": "https://u@h.org:8/a%20b?x=1&x=#f"}, {"host": "h.org", "port": 8, "path": "/a b"}),
    ("url.encode", {"text": "a b/ä"}, "a%20b%2F%C3%A4"),
    ("date", {"date": "2024-02-28", "add_days": 2}, {"iso": "2024-03-01T00:00:00+00:00", "weekday": 5, "week": 9}),
    ("date", {"date": 86400}, {"iso": "1970-01-02T00:00:00+00:00", "unix": 86400.0}),
    ("text.change", {"text": " Ab ", "trim": True, "case": "upper"}, "AB"),
    ("text.replace", {"text": "a.a", "find": ".", "replace": "-"}, "a-a"),
    ("text.split", {"text": "a\nb"}, ["a", "b"]),
    ("text.split", {"text": "a,b", "separator": ","}, ["a", "b"]),
    ("text.join", {"parts": ["a", "b"], "separator": ", "}, "a, b"),
    ("text.count", {"text": "ä b\nc"}, {"characters": 5, "bytes": 6, "words": 3, "lines": 2}),
    ("text.slice", {"text": "abcdef", "start": 1, "end": 3}, "bc"),
    ("template.fill", {"template": "{{a}} {{b.c}} {{ a }}", "values": {"a": "x", "b": {"c": 5}}}, "x 5 x"),
    ("template.fill", {"template": "{{a}}", "values": {"a": "{{b}}"}}, "{{b}}"),
    ("json.query", {"json": '{"a": [{"b": 1}, {"b": 2}]}', "path": ".a[*].b"}, [1, 2]),
    ("json.query", {"json": {"a b": [10]}, "path": '["a b"][0]'}, "10"),
    ("json.format", {"json": '{"a":1}', "indent": False}, '{"a": 1}'),
    ("csv.read", {"csv": 'a,b\n1,"x, y"\n'}, [{"a": "1", "b": "x, y"}]),
    ("csv.read", {"csv": "1;2", "delimiter": ";", "header": False}, [["1", "2"]]),
    ("csv.write", {"rows": [{"a": 1, "b": "x, y"}, {"a": None}]}, 'a,b\n1,"x, y"\n,\n'),
    ("csv.write", {"rows": [[1, 2]]}, "1,2\n"),
    ("regex.replace", {"text": "a1b22", "pattern": r"(\d+)", "replace": r"<\1>"}, "a<1>b<22>"),
]


@pytest.mark.parametrize(("name", "inputs", "result"), RESULTS)
async def test_what_comes_of_it(name: str, inputs: dict[str, Any], result: Any, builtin: BuiltinNodes) -> None:
    said = await work(builtin, name, **inputs)
    if isinstance(result, str):
        assert said == result
    elif isinstance(result, dict):
        assert result.items() <= json.loads(said).items()
    else:
        assert json.loads(said) == result


async def test_matches_say_what_and_where(builtin: BuiltinNodes) -> None:
    found = json.loads(await work(builtin, "regex.find", text="Ab aB", pattern="(?P<x>a)b", ignore_case=True))
    assert [(one["match"], one["start"], one["named"]) for one in found] == [
        ("Ab", 0, {"x": "A"}),
        ("aB", 3, {"x": "a"}),
    ]


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("hash", {}, "inputs.text is missing"),
    ("hash", {"text": "a", "algorithm": "crc"}, "inputs.algorithm is none of the values"),
    ("hash", {"text": "\ud800"}, "half of a surrogate pair"),
    ("hash", {"text": "a", "more": 1}, "inputs.more is not known"),
    ("base64.decode", {"text": "%"}, "text is no base64"),
    ("base64.decode", {"text": "/w=="}, "no UTF-8"),
    ("url.parse", {"url": "http://[::"}, "url is no address"),
    ("date", {"date": "yesterday"}, "date is none in ISO 8601"),
    ("date", {"date": "9999-12-31", "add_days": 2}, "No calendar here"),
    ("date", {"date": 1e300}, "date is none"),
    ("text.replace", {"text": "a" * 2000, "find": "a", "replace": "b" * 2000}, "4000000 characters"),
    ("template.fill", {"template": "{{a}} {{b}}", "values": {"a": 1}}, "values has nothing for b"),
    ("json.query", {"json": "{", "path": "a"}, "json is no JSON"),
    ("json.query", {"json": {}, "path": "a"}, "path leads nowhere"),
    ("json.query", {"json": {}, "path": "a[b]"}, "path is not understood from '[b]' on"),
    ("csv.read", {"csv": 'a\n"b'}, "csv cannot be read"),
    ("regex.find", {"text": "a", "pattern": "("}, "pattern is no regular expression"),
    ("regex.replace", {"text": "a", "pattern": "a", "replace": r"\5"}, "invalid group reference"),
]


@pytest.mark.parametrize(("name", "inputs", "why"), FAULTS)
async def test_what_cannot_be_worked_with_says_why(
    name: str, inputs: dict[str, Any], why: str, builtin: BuiltinNodes
) -> None:
    with pytest.raises(ToolFault) as fault:
        await work(builtin, name, **inputs)
    assert why in str(fault.value)


async def test_an_expression_that_tries_too_many_ways_is_ended(builtin: BuiltinNodes) -> None:
    with pytest.raises(ToolFault, match="did not come to an end within 3 seconds"):
        await work(builtin, "regex.find", text="a" * 40 + "b", pattern="(a+)+$")


async def test_they_only_read_and_are_found_by_what_they_do(builtin: BuiltinNodes) -> None:
    catalogue = Catalogue([builtin])
    listing = await catalogue.listing()
    assert all(node.category is Category.READ for node in listing.nodes)
    assert (await catalogue.search("hash")).nodes[0].node_id == "builtin.hash"
    assert [node.node_id for node in (await catalogue.search("checksum")).nodes] == ["builtin.hash"]
    assert (await catalogue.search("?")).nodes == ()
    assert await catalogue.listing("mcp.none") == await catalogue.listing("script")
    missing = await catalogue.node("builtin.hesh")
    assert isinstance(missing, ToolFault)
    assert "Did you mean builtin.hash" in str(missing)


REFERRING = {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
SCHEMAS: list[tuple[dict[str, Any], Any, str | None]] = [
    (
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}},
        {"a": 1},
        None,
    ),
    (
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}},
        {"a": "x"},
        "inputs.a is no integer",
    ),
    ({"type": "object", "properties": {"a": {"$ref": "#"}}}, {"a": {"a": {}}}, None),
    ({"type": "object", "properties": {"a": {"$ref": "https://x/y"}}}, {"a": 5}, None),
    ({"type": "object", "properties": {"a": {"oneOf": [{"type": "string"}]}}}, {"a": 5}, "fits none of the ways"),
    ({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}, {"a": "x"}, None),
    ({"type": "object", "properties": {"a": {"type": "lie"}}}, {"a": 5}, None),
    ({"type": "object", "required": 5}, {}, None),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 5}, None),
    ({"properties": {"a": {"prefixItems": [{}], "items": {"type": "string"}}}}, {"a": [5, "x"]}, None),
    ({"type": "object", "properties": 5, "required": ["a"]}, {}, "inputs.a is missing"),
]


@pytest.mark.parametrize(("schema", "inputs", "fault"), SCHEMAS)
def test_of_a_strangers_schema_what_is_understood_is_checked(
    schema: dict[str, Any], inputs: Any, fault: str | None
) -> None:
    found = input_fault(inputs, schema)
    assert (found is None) if fault is None else (fault in str(found))

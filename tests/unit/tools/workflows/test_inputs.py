"""What stands for something else in the inputs of a step, and what it becomes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.workflows.definition import UnusableWorkflow, arguments_fault, meaning, read_workflow
from assent.tools.workflows.inputs import InputFault, NotYetKnown, filled, needed_steps, used_parameters

Json = Any
PLAIN: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=8,
)
RESULTS = {"one": '{"items": [{"n": 7}, "x"], "a/b": 1}', "text": "plain"}


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ({"$param": "n"}, 3),
        ({"a": [{"$param": "n"}]}, {"a": [3]}),
        ({"$step": "text"}, "plain"),
        ({"$step": "one", "at": "/items/0/n"}, 7),
        ({"$step": "one", "at": "/a~1b"}, 1),
        ({"$step": "one", "at": ""}, {"items": [{"n": 7}, "x"], "a/b": 1}),
        ({"$text": ["v", {"$param": "n"}, "-", {"$step": "text"}]}, "v3-plain"),
        ({"$text": [{"$param": "list"}]}, "[1,2]"),
        ({"$literal": {"$param": "n"}}, {"$param": "n"}),
    ],
)
def test_what_stands_for_something_becomes_it(inputs: Json, value: Json) -> None:
    assert filled(inputs, {"n": 3, "list": [1, 2]}, RESULTS) == value


@pytest.mark.parametrize(
    "inputs",
    [
        {"$param": "missing"},
        {"$param": 1},
        {"$param": "n", "x": 1},
        {"$step": "text", "at": "/x"},
        {"$step": "one", "at": "items"},
        {"$step": "one", "at": "/items/2"},
        {"$step": "one", "at": "/items/-1"},
        {"$step": "one", "at": "/items/" + "9" * 5000},
        {"$step": "one", "at": "/items/²"},
        {"$text": "x"},
        {"$text": [{"$text": ["x" * 600_000]}, "x" * 600_000]},
        {"$env": "HOME"},
        {"x": 1, "$param": "n"},
    ],
)
def test_what_cannot_be_understood_is_a_fault(inputs: Json) -> None:
    with pytest.raises(InputFault):
        filled(inputs, {"n": 3}, RESULTS)


def test_a_step_without_a_result_is_not_known_yet() -> None:
    with pytest.raises(NotYetKnown, match="later"):
        filled([{"$text": [{"$step": "later"}]}], {}, RESULTS)


@given(PLAIN)
def test_what_stands_for_nothing_stays_as_it_is(value: Json) -> None:
    assert filled(value, {}, {}) == value
    assert needed_steps(value) == used_parameters(value) == frozenset()


@given(PLAIN)
def test_a_result_goes_in_as_it_is_and_is_never_read_as_inputs(value: Json) -> None:
    hostile = '{"$param": "n"}'
    assert filled({"a": {"$step": "s"}, "b": value}, {"n": 1}, {"s": hostile}) == {"a": hostile, "b": value}
    assert filled({"$step": "s", "at": ""}, {"n": 1}, {"s": hostile}) == {"$param": "n"}


def workflow(*steps: Json, **more: Json) -> str:
    return json.dumps({"steps": steps, **more})


def test_steps_stand_after_those_that_they_need_and_otherwise_as_in_the_file() -> None:
    text = workflow(
        {"id": "c", "tool": "t", "inputs": {"x": {"$step": "a"}}},
        {"id": "a", "tool": "t"},
        {"id": "b", "node": "builtin.hash", "after": ["c"], "inputs": {"y": 1}},
    )
    steps = read_workflow(text).steps
    assert [one.step_id for one in steps] == ["a", "c", "b"]
    assert (steps[2].tool, steps[2].inputs) == ("run_node", {"node_type": "builtin.hash", "inputs": {"y": 1}})


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"steps": 1}',
        '{"steps": [1]}',
        '{"steps": [{"id": "../x", "tool": "t"}]}',
        '{"steps": [{"id": "a", "tool": "t"}, {"id": "a", "tool": "t"}]}',
        '{"steps": [{"id": "a", "id": "b", "tool": "t"}]}',
        '{"steps": [{"id": "a", "tool": "t", "inputs": []}]}',
        '{"steps": [{"id": "a", "tool": "t", "inputs": {"x": {"$step": "a"}}}]}',
        '{"steps": [{"id": "a", "tool": "t", "inputs": {"x": {"$param": "p"}}}]}',
        '{"steps": [{"id": "a", "tool": 1}]}',
        '{"steps": [{"id": "a"}]}',
        '{"steps": [{"id": "a", "tool": "t"}], "parameters": {"type": "array"}}',
        '{"steps": [{"id": "a", "tool": "t"}], "parameters": {"$ref": "x"}}',
        "[" * 100_000,
        " " * 300_000,
    ],
)
def test_a_text_that_is_no_workflow_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(UnusableWorkflow) as refused:
        read_workflow(text)
    assert str(refused.value)


def test_parameters_are_checked_and_have_defaults() -> None:
    properties = {"n": {"type": "integer", "default": 1}, "p": {"type": "string"}}
    parameters = {"type": "object", "properties": properties, "required": ["p"]}
    found = read_workflow(workflow({"id": "a", "tool": "t"}, parameters=parameters))
    assert arguments_fault(found, {"p": "x"}) is None
    assert "is missing" in (arguments_fault(found, {}) or "")
    assert "is no integer" in (arguments_fault(found, {"p": "x", "n": "1"}) or "")
    assert "not known" in (arguments_fault(found, {"p": "x", "q": 1}) or "")


def test_whatever_changes_what_it_does_changes_its_meaning_and_words_do_not() -> None:
    step = {"id": "a", "tool": "t", "inputs": {"x": 1}}
    base = meaning(read_workflow(workflow(step)))
    assert base == meaning(read_workflow(workflow(step, title="Other words", description="too")))
    others: list[Json] = [{**step, "tool": "u"}, {**step, "inputs": {"x": 2}}, {**step, "id": "b"}]
    assert all(meaning(read_workflow(workflow(other))) != base for other in others)

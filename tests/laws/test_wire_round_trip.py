"""Every wire type, with values made from its own fields, comes back from JSON as it went."""

import json
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.protocol.converter import WireFault, from_wire, to_wire
from assent.protocol.events import EVENT_DATA, AgentEvent
from codegen import shapes
from tests.support.scale import examples

CLASSES = shapes.all_classes()
NUMBERS = st.integers(-(2**60), 2**60)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as it is written in a class of the wire."""
    if hint is Any:
        return JSON
    if hint in (str, bool, int, float):
        return {
            str: st.text(max_size=8),
            bool: st.booleans(),
            int: NUMBERS,
            float: st.floats(allow_nan=False, allow_infinity=False),
        }[hint]
    if hint is NoneType:
        return st.none()
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        return st.lists(values(get_args(hint)[0]), max_size=3).map(tuple)
    if get_origin(hint) is dict:
        return st.dictionaries(st.text(max_size=8), JSON, max_size=3)
    if attrs.has(hint):
        return objects(hint)
    return st.one_of([values(member) for member in get_args(hint)])


@cache
def objects(cls: Any) -> st.SearchStrategy[Any]:
    """Objects of a class of the wire."""
    if cls is AgentEvent:
        return st.one_of([_events(name) for name in EVENT_DATA])
    hints = get_type_hints(cls)
    return st.builds(cls, **{attribute.name: values(hints[attribute.name]) for attribute in attrs.fields(cls)})


def _events(name: str) -> st.SearchStrategy[Any]:
    return st.builds(
        AgentEvent,
        session_id=st.text(max_size=8),
        run_id=st.text(max_size=8),
        n=NUMBERS,
        event=st.just(name),
        data=objects(EVENT_DATA[name]),
    )


# Few examples each: there are many types, and the large ones hold the small ones again.
FEW = settings(max_examples=examples(25), deadline=None)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@FEW
@given(data=st.data())
def test_it_travels_round(cls: Any, data: st.DataObject) -> None:
    value = data.draw(objects(cls))
    # Through real JSON text: what Python has and JSON has not must not survive by accident.
    message = json.loads(json.dumps(to_wire(value)))

    assert from_wire(message, cls) == value
    assert to_wire(from_wire(message, cls)) == message


WRONG = [None, True, 7, 2.5, "?", [], ["?"], {}, {"?": 1}]


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if attrs.fields(cls)], ids=lambda cls: cls.__name__)
@FEW
@given(data=st.data())
def test_a_field_of_another_type_is_refused_by_its_name_or_does_fit(cls: Any, data: st.DataObject) -> None:
    message = to_wire(data.draw(objects(cls)))
    if not message:
        return
    name = data.draw(st.sampled_from(sorted(message)))
    try:
        back = to_wire(from_wire({**message, name: data.draw(st.sampled_from(WRONG))}, cls))
    except WireFault as fault:
        assert fault.path.startswith(f"params.{name}") or cls is AgentEvent
        assert fault.message
    else:
        assert to_wire(from_wire(back, cls)) == back


@FEW
@given(JSON)
def test_any_json_is_a_message_or_a_fault_with_a_place(message: object) -> None:
    for cls in CLASSES:
        try:
            from_wire(message, cls)
        except WireFault as fault:
            assert fault.path.startswith("params")

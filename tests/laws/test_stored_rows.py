"""What is kept of a chat is what is read again: for every event and message; and what does not fit is refused."""

import json
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NewType, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.conversation import AssistantTurn, Message, ToolOutcome
from assent.model.events import Event, ToolFinished
from assent.model.json import Json, JsonObject
from assent.model.records import Subject
from assent.store.codec import (
    EVENTS,
    MESSAGES,
    read_event,
    read_message,
    read_outcome,
    read_subject,
    read_turn,
    write_outcome,
    write_row,
    write_subject,
    write_turn,
)
from assent.store.plain import BARE, Malformed, Veil

text = st.text(st.characters(), max_size=30)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3))
objects = st.dictionaries(text, values, max_size=3)


def of(kind: type) -> st.SearchStrategy[Any]:
    """Values of a dataclass of the model."""
    return st.builds(kind, **{field.name: _of_field(field.type) for field in fields(kind)})


def _of_field(kind: Any) -> st.SearchStrategy[Any]:
    if kind is Json:
        return values
    if kind == JsonObject | None:
        return st.none() | objects
    if isinstance(kind, NewType):
        return text
    if isinstance(kind, type) and is_dataclass(kind):
        return of(kind)
    if get_origin(kind) is tuple:
        return st.lists(_of_field(get_args(kind)[0]), max_size=3).map(tuple)
    return st.from_type(kind)


events: st.SearchStrategy[Event] = st.one_of([of(kind) for kind in EVENTS.values()])
messages: st.SearchStrategy[Message] = st.one_of([of(kind) for kind in MESSAGES.values()])


def test_every_event_and_every_message_has_a_word() -> None:
    assert set(EVENTS.values()) == set(Event.__args__)
    assert set(MESSAGES.values()) == set(Message.__args__)


@given(events)
def test_an_event_is_read_as_it_was_written(event: Event) -> None:
    assert read_event(write_row(event, BARE)) == event


@given(messages)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert read_message(write_row(message, BARE)) == message


@given(of(AssistantTurn), of(ToolOutcome))
def test_a_turn_and_its_results_are_read_as_they_were_written(turn: AssistantTurn, outcome: ToolOutcome) -> None:
    assert read_turn(write_turn(turn, BARE)) == turn
    assert read_outcome(write_outcome(outcome, BARE)) == outcome


@given(of(Subject))
def test_a_call_is_read_as_it_was_written(subject: Subject) -> None:
    assert read_subject(write_subject(subject, BARE)) == subject


@given(events | messages)
def test_the_bytes_that_a_file_holds_say_the_same(value: Event | Message) -> None:
    row = write_row(value, BARE)
    read = read_event if type(value) in EVENTS.values() else read_message

    assert read(row.encode("ascii")) == value


@given(events | messages)
def test_all_free_text_passes_the_veil_and_no_identity_does(value: Event | Message) -> None:
    hidden = Veil(lambda _: "hidden", lambda _: {"hidden": True})
    row = json.loads(write_row(value, hidden))

    for field in fields(type(value)):
        if field.type is str:
            assert row[field.name] == "hidden", field.name
        if field.type is Json:
            assert row[field.name] == {"hidden": True}, field.name
        if isinstance(field.type, NewType):
            assert row[field.name] == getattr(value, field.name), field.name


@given(events, st.data())
def test_a_row_with_a_damaged_field_is_refused(event: Event, data: st.DataObject) -> None:
    row = json.loads(write_row(event, BARE))
    free = {field.name for field in fields(type(event)) if field.type is Json}
    name = data.draw(st.sampled_from(sorted(row.keys() - free)))
    row[name] = {"not": ["what", "belongs", "here"]}

    with pytest.raises(Malformed):
        read_event(json.dumps(row))


@given(events, st.data())
def test_a_row_that_lacks_a_field_or_has_one_too_many_is_refused(event: Event, data: st.DataObject) -> None:
    row = json.loads(write_row(event, BARE))
    needed = [field.name for field in fields(type(event)) if field.default is MISSING]
    lacking = dict(row)
    del lacking[data.draw(st.sampled_from(["kind", *needed]))]

    for damaged in (lacking, {**row, "surplus": 1}):
        with pytest.raises(Malformed):
            read_event(json.dumps(damaged))


@given(events, st.integers(min_value=0))
def test_a_row_that_is_cut_off_is_refused(event: Event, at: int) -> None:
    row = write_row(event, BARE)

    with pytest.raises(Malformed):
        read_event(row[: at % len(row)])


@pytest.mark.parametrize(
    "row",
    [
        None,
        7,
        b"\xff\xfe",
        "",
        "[]",
        "{}",
        '{"kind":"unheard_of"}',
        '{"kind":["prompt"],"text":"x"}',
        '{"kind":"prompt","text":NaN}',
        '{"kind":"run_done","reason":"whatever"}',
        '{"kind":"user","text":"a message, not an event"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_row_is_refused(row: object) -> None:
    with pytest.raises(Malformed):
        read_event(row)


def test_a_value_is_never_coerced() -> None:
    finished = {
        "kind": "tool_finished",
        "call_id": "c",
        "tool": "t",
        "success": True,
        "output": "",
        "is_error": False,
        "duration_ms": 1,
    }
    assert isinstance(read_event(json.dumps(finished)), ToolFinished)

    for name, value in {"success": 1, "duration_ms": True, "is_error": "false", "tool": 3, "output": None}.items():
        with pytest.raises(Malformed):
            read_event(json.dumps({**finished, name: value}))

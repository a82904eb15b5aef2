"""What holds for both formats of OpenAI: however a stream is cut up, cut off or damaged."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.conversation import StopReason, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.providers.dialect import Dialect
from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from assent.providers.dialects.openai_responses.dialect import OpenAiResponses
from tests.support.dialects import in_chunks, streamed, told
from tests.support.model_servers.openai_chat import OpenAiChatWire
from tests.support.model_servers.openai_responses import OpenAiResponsesWire
from tests.support.model_servers.openai_rules import event
from tests.support.model_servers.wire import Said, SaidCall, Wire
from tests.support.scale import examples

CALLS = (
    SaidCall("bash", {"command": "echo ü\n"}),
    SaidCall("list_files", {}, "x"),
    SaidCall("bash", '{"command": "ls"}'),
)
SAID = Said("Here you äre: 🙂 done.", CALLS, thinking="let me see", usage=Usage(120, 30, 7))
BOTH: list[tuple[Dialect, Wire]] = [
    (OpenAiChat(), OpenAiChatWire()),
    (OpenAiResponses(), OpenAiResponsesWire()),
]
of_both = pytest.mark.parametrize("dialect, wire", BOTH, ids=["chat", "responses"])
TURNS = {
    "everything": SAID,
    "words": Said("Hello"),
    "a call": Said(calls=CALLS[:1]),
    "a call that is no JSON": Said(calls=(SaidCall("bash", '{"command": '),)),
    "nothing": Said(),
    "too long": Said("Hello", CALLS[:1], stop=StopReason.LENGTH),
    "refused": Said("No.", stop=StopReason.REFUSED),
    "filtered": Said(stop=StopReason.REFUSED),
}


@of_both
@pytest.mark.parametrize("said", TURNS.values(), ids=TURNS.keys())
def test_a_turn_arrives_as_it_was_said_in_a_stream_and_whole(dialect: Dialect, wire: Wire, said: Said) -> None:
    turn = told(streamed(dialect, wire.stream(said)))

    assert turn == told(dialect.whole(json.loads(wire.whole(said))))
    assert (turn.text, turn.thinking) == (said.text, said.thinking)
    assert turn.end == TurnEnd(said.stop or (StopReason.TOOL_USE if said.calls else StopReason.END), said.usage)
    cut = said.stop is StopReason.LENGTH
    made = [(call.tool, call.args if isinstance(call.args, str) else json.dumps(call.args)) for call in said.calls]
    assert (turn.calls, turn.unfinished) == (([], ["bash"]) if cut else (made, []))


@of_both
@given(cuts=st.lists(st.integers(0, 100_000), max_size=12))
def test_it_does_not_matter_how_the_bytes_are_cut(dialect: Dialect, wire: Wire, cuts: list[int]) -> None:
    data = b"".join(wire.stream(SAID))

    assert streamed(dialect, in_chunks(data, cuts)) == streamed(dialect, [data])


@of_both
@given(cut=st.integers(0, 100_000))
def test_a_stream_that_is_cut_anywhere_has_no_half_a_call(dialect: Dialect, wire: Wire, cut: int) -> None:
    data, all_of_it = b"".join(wire.stream(SAID)), told(streamed(dialect, wire.stream(SAID)))

    turn = told(streamed(dialect, [data[: cut % len(data)]]))

    assert turn.calls == all_of_it.calls[: len(turn.calls)]
    assert all_of_it.text.startswith(turn.text)
    if len(turn.calls) < len(CALLS):
        assert turn.end is None


@of_both
def test_the_end_is_told_once_the_server_has_told_it(dialect: Dialect, wire: Wire) -> None:
    """A chat's reason for the end is enough; the Responses format has one last event."""
    events = wire.stream(SAID)

    enough = len(events) - (2 if isinstance(dialect, OpenAiChat) else 0)
    assert told(streamed(dialect, events[:enough])).end is not None
    assert told(streamed(dialect, events[: enough - 1])).end is None


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def damaged(value: Any, place: int, other: Any) -> tuple[Any, int]:
    """The value with `other` in place of the part that is counted down to."""
    if place == 0:
        return other, -1
    place -= 1
    if isinstance(value, dict | list):
        pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
        changed = {}
        for key, inner in pairs:
            changed[key], place = damaged(inner, place, other) if place >= 0 else (inner, place)
        value = changed if isinstance(value, dict) else list(changed.values())
    return value, place


@of_both
@settings(max_examples=examples(300))
@given(data=st.data())
def test_a_damaged_event_is_a_fault_or_nothing_and_never_a_call_that_was_not_made(
    dialect: Dialect, wire: Wire, data: st.DataObject
) -> None:
    events = wire.stream(Said("Hi", CALLS[:1], thinking="Hm", piece_length=50))
    number = data.draw(st.integers(0, len(events) - 1))
    lines = events[number].decode().splitlines()
    if lines[-2].startswith("data: {"):
        value = json.loads(lines[-2].removeprefix("data: "))
        events[number] = event(damaged(value, data.draw(st.integers(0, 25)), data.draw(json_values))[0])

    try:
        turn = told(streamed(dialect, events))
    except ProviderFault as fault:
        assert str(fault)
    else:
        assert len(turn.calls) <= 1


@of_both
@given(value=json_values)
def test_any_whole_answer_is_read_or_a_fault(dialect: Dialect, wire: Wire, value: Any) -> None:
    with pytest.raises(ProviderFault):
        list(dialect.whole(value))


@of_both
@given(place=st.integers(0, 60), other=json_values)
def test_a_damaged_whole_answer_is_read_or_a_fault(dialect: Dialect, wire: Wire, place: int, other: Any) -> None:
    answer, _ = damaged(json.loads(wire.whole(SAID)), place, other)

    try:
        turn = told(dialect.whole(answer))
    except ProviderFault as fault:
        assert str(fault)
    else:
        assert turn.end is not None
        assert len(turn.calls) <= len(CALLS)


@of_both
def test_a_whole_answer_that_reports_a_fault_is_one(dialect: Dialect, wire: Wire) -> None:
    with pytest.raises(ProviderFault, match="Not today"):
        list(dialect.whole(json.loads(wire.fault(500, "Not today"))))


@of_both
def test_a_fault_in_the_middle_of_a_stream(dialect: Dialect, wire: Wire) -> None:
    fault_event = wire.mid_stream_fault("Not today")
    assert fault_event is not None

    with pytest.raises(ProviderFault, match="Not today"):
        streamed(dialect, [*wire.stream(SAID)[:5], fault_event])


@of_both
@pytest.mark.parametrize("key", ["sk-1", "with:colon"])
def test_the_key_is_shown_as_the_server_wants_it(dialect: Dialect, wire: Wire, key: str) -> None:
    headers = {name.lower(): value for name, value in dialect.key_headers(key).items()}

    assert wire.key(headers) == key


@of_both
def test_the_servers_names_of_its_models(dialect: Dialect, wire: Wire) -> None:
    assert wire.models_path("/v1" + dialect.models_request().path)
    assert [model.name for model in dialect.models(json.loads(wire.models(["a", "b"])))] == ["a", "b"]

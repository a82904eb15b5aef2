"""What servers of the Responses format answer, event by event."""

import json
from typing import Any

import pytest

from assent.model.conversation import StopReason, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.providers.dialects.openai_responses.dialect import OpenAiResponses
from tests.support.dialects import Told, streamed
from tests.support.dialects import told as all_of
from tests.support.model_servers.openai_rules import event

ARGS = '{"path": "a"}'
ITEM = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "read_file", "arguments": ARGS}
DONE = {**ITEM, "status": "completed"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm"}]}


def of(kind: str, place: int | None = 0, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", **({} if place is None else {"output_index": place}), **fields}


def begun(place: int | None = 0, **more: Any) -> dict[str, Any]:
    return of("output_item.added", place, item={**ITEM, "arguments": "", "status": "in_progress", **more})


def piece(text: str, place: int | None = 0, **more: Any) -> dict[str, Any]:
    return of("function_call_arguments.delta", place, delta=text, **more)


def over(item: Any, place: int | None = 0) -> dict[str, Any]:
    return of("output_item.done", place, item=item)


def last(status: str = "completed", **fields: Any) -> dict[str, Any]:
    return of(status, None, response={"status": status, "usage": None, **fields})


def told(*values: Any) -> Told:
    data = (f"data: {value}\n\n".encode() if isinstance(value, str) else event(value) for value in values)
    return all_of(streamed(OpenAiResponses(), data))


CALLS = {
    "in pieces": [
        begun(),
        piece('{"path"'),
        piece(': "a"}'),
        of("function_call_arguments.done", arguments=ARGS),
        over(DONE),
    ],
    "all at the end of the arguments": [begun(), of("function_call_arguments.done", arguments=ARGS), over(DONE)],
    "all at the end of the item": [begun(), over(DONE)],
    "only the rest at the end": [begun(), piece('{"path"'), over(DONE)],
    "only the end": [over(DONE)],
    "without numbers": [begun(None), piece('{"path"', None, item_id="fc_1"), over(DONE, None)],
    "told twice": [begun(), over(DONE), over(DONE)],
    "arguments as an object": [over({**DONE, "arguments": {"path": "a"}})],
}


@pytest.mark.parametrize("events", CALLS.values(), ids=CALLS.keys())
def test_a_call_is_complete_when_its_item_is(events: list[Any]) -> None:
    found = told(*events, last())

    assert [(tool, json.loads(text)) for tool, text in found.calls] == [("read_file", {"path": "a"})]
    assert (found.unfinished, found.end) == ([], TurnEnd(StopReason.TOOL_USE))


UNFINISHED = {
    "the stream ends": [begun(), piece('{"pa')],
    "the arguments are there, the item is not over": [
        begun(),
        piece(ARGS),
        of("function_call_arguments.done", arguments=ARGS),
    ],
    "the item is incomplete": [begun(), over({**ITEM, "status": "incomplete"}), last("incomplete")],
    "the item is still in progress": [begun(), over({**ITEM, "status": "in_progress"}), last()],
    "the item does not say": [begun(), over(ITEM), last()],
    "the answer says it is complete": [begun(), piece(ARGS), last("completed", output=[DONE])],
}


@pytest.mark.parametrize("events", UNFINISHED.values(), ids=UNFINISHED.keys())
def test_a_call_whose_item_is_not_complete_is_none(events: list[Any]) -> None:
    found = told(*events)

    assert (found.calls, found.unfinished) == ([], ["read_file"])


SENSELESS = {
    "arguments of no call": [piece(ARGS)],
    "more for a call that was complete": [over(DONE), piece("x")],
    "other arguments at the end": [begun(), piece('{"path": "b'), over(DONE)],
    "another name at the end": [begun(), over({**DONE, "name": "bash"})],
    "a call without a name": [begun(name="")],
    "a call that begins twice": [begun(), begun()],
    "no JSON": ["{"],
    "no object": ["3"],
}


@pytest.mark.parametrize("events", SENSELESS.values(), ids=SENSELESS.keys())
def test_what_makes_no_sense_is_a_fault(events: list[Any]) -> None:
    with pytest.raises(ProviderFault) as fault:
        told(*events)

    assert fault.value.code == "malformed_answer"


MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": "Hello"}]}
WORDS = {
    "in pieces, then whole": (
        [of("output_text.delta", delta="Hel"), of("output_text.delta", delta="lo"), over(MESSAGE)],
        "Hello",
        "",
    ),
    "only whole": ([over(MESSAGE)], "Hello", ""),
    "a summary in two parts": (
        [
            of("reasoning_summary_part.added", summary_index=0),
            of("reasoning_summary_text.delta", delta="Hm"),
            of("reasoning_summary_part.added", summary_index=1),
            of("reasoning_summary_text.delta", delta="so"),
            over({**THOUGHT, "summary": [{"text": "Hm"}, {"text": "so"}]}),
        ],
        "",
        "Hm\n\nso",
    ),
    "reasoning itself": ([of("reasoning_text.delta", delta="Hm"), over(THOUGHT)], "", "Hm"),
    "reasoning only whole": (
        [over({**THOUGHT, "content": [{"type": "reasoning_text", "text": "so"}]})],
        "",
        "Hm\n\nso",
    ),
    "odd types": (
        [of("output_text.delta", delta=5), over(None), over({"type": "message", "content": "x"}), {"type": 3}, {}],
        "",
        "",
    ),
    "what nobody knows": (
        [of("something.new", delta="x"), over({"type": "web_search_call", "status": "completed"}), "[DONE]"],
        "",
        "",
    ),
}


@pytest.mark.parametrize("events, text, thinking", WORDS.values(), ids=WORDS.keys())
def test_words(events: list[Any], text: str, thinking: str) -> None:
    found = told(*events, last())

    assert (found.text, found.thinking, found.end) == (text, thinking, TurnEnd())


def test_reasoning_is_kept_where_its_server_can_read_it_again() -> None:
    sealed = {**THOUGHT, "encrypted_content": "e", "something": [1]}

    found = told(
        over(sealed, 0), over({**THOUGHT, "encrypted_content": None}, 1), over(DONE, 2), over(sealed, 3), last()
    )

    assert [(memo.before, memo.value) for memo in found.memos] == [(0, {"item": sealed}), (1, {"item": sealed})]


TOO_LONG = last("incomplete", incomplete_details={"reason": "max_output_tokens"})
FILTERED = last("incomplete", incomplete_details={"reason": "content_filter"})
REFUSAL = over({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]})
COUNTED = {"input_tokens": 7, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 2}}
ENDS = {
    "words": ([over(MESSAGE), last()], TurnEnd()),
    "too long": ([TOO_LONG], TurnEnd(StopReason.LENGTH)),
    "not complete, nobody says why": ([last("incomplete")], TurnEnd(StopReason.LENGTH)),
    "filtered": ([FILTERED], TurnEnd(StopReason.REFUSED)),
    "refused in pieces": ([of("refusal.delta", delta="No."), last()], TurnEnd(StopReason.REFUSED)),
    "refused": ([REFUSAL, last()], TurnEnd(StopReason.REFUSED)),
    "counted": ([last(usage=COUNTED)], TurnEnd(StopReason.END, Usage(7, 3, 2))),
    "after the end nothing counts": ([last(), over(DONE), "junk"], TurnEnd()),
    "cut": ([over(MESSAGE)], None),
}


@pytest.mark.parametrize("events, end", ENDS.values(), ids=ENDS.keys())
def test_how_an_answer_ends(events: list[Any], end: TurnEnd | None) -> None:
    assert told(*events).end == end


SAYING = {"code": "server_error", "message": "Too much to do."}
BROKEN = {
    "failed": (last("failed", error=SAYING), True),
    "a fault of its own": ({"type": "error", **SAYING}, True),
    "a fault within": (
        {"type": "error", "error": {"type": "invalid_request_error", "message": "Too much to do"}},
        False,
    ),
    "failed, nobody says why": (last("failed"), False),
    "cancelled": (last("cancelled"), True),
}


@pytest.mark.parametrize("value, passing", BROKEN.values(), ids=BROKEN.keys())
def test_a_fault_in_the_middle_is_the_servers(value: Any, passing: bool) -> None:
    with pytest.raises(ProviderFault) as fault:
        told(over(MESSAGE), value)

    assert (fault.value.code, fault.value.passing) == ("server_fault", passing)
    assert any(words in str(fault.value) for words in ("Too much to do.", "does not say why", "cancelled"))

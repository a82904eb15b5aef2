"""Calls as the servers that speak Chat Completions stream them, each in its own way."""

from typing import Any

import pytest

from assent.model.conversation import StopReason, TurnEnd
from assent.model.errors import ProviderFault
from tests.support.model_servers.openai_chunks import call, said, told

READ_A = ("read_file", '{"path": "a"}')
READ_B = ("read_file", '{"path": "b"}')

CALLS = {
    "OpenAI: the id once, then pieces": (
        [
            said(call(0, "", "read_file", "c1")),
            said(call(0, '{"path"')),
            said(call(0, ': "a"}')),
            said({}, "tool_calls"),
        ],
        [READ_A],
    ),
    "vLLM: the id in each piece, an empty name, “stop”": (
        [said(call(0, '{"path"', "read_file", "c1")), said(call(0, ': "a"}', "", "c1")), said({"content": ""}, "stop")],
        [READ_A],
    ),
    "the name in each piece": (
        [said(call(0, '{"path"', "read_file", "c1")), said(call(0, ': "a"}', "read_file", "c1")), said({}, "stop")],
        [READ_A],
    ),
    "null as name and id in later pieces": (
        [
            said(call(0, '{"path"', "read_file", "c1")),
            said({"tool_calls": [{"index": 0, "id": None, "function": {"name": None, "arguments": ': "a"}'}}]}),
            said({}, "tool_calls"),
        ],
        [READ_A],
    ),
    "Mistral: whole calls in one piece, with the reason": (
        [
            said(
                {
                    "content": "",
                    "tool_calls": [
                        *call(0, '{"path": "a"}', "read_file", "Ab3dE5gH1")["tool_calls"],
                        *call(1, '{"path": "b"}', "read_file", "Ab3dE5gH2")["tool_calls"],
                    ],
                },
                "tool_calls",
            )
        ],
        [READ_A, READ_B],
    ),
    "no index": (
        [
            said(call(None, '{"path": "a"}', "read_file", "c1")),
            said(call(None, '{"path": "b"}', "read_file", "c2")),
            said({}, "tool_calls"),
        ],
        [READ_A, READ_B],
    ),
    "no index, and pieces that only say whose they are": (
        [
            said(call(None, '{"path"', "read_file", "c1")),
            said(call(None, '{"path"', "read_file", "c2")),
            said(call(None, ': "a"}', None, "c1")),
            said(call(None, ': "b"}')),
            said({}, "tool_calls"),
        ],
        [READ_A, READ_B],
    ),
    "two calls under one index, with ids": (
        [
            said(call(0, '{"path": "a"}', "read_file", "c1")),
            said(call(0, '{"path": "b"}', "read_file", "c2")),
            said({}, "stop"),
        ],
        [READ_A, READ_B],
    ),
    "two calls under one index, without ids": (
        [said(call(0, '{"path": "a"}', "read_file")), said(call(0, '{"path": "b"}', "read_file")), said({}, "stop")],
        [READ_A, READ_B],
    ),
    "the same id twice, under two indices": (
        [
            said(call(0, '{"path": "a"}', "read_file", "c")),
            said(call(1, '{"path": "b"}', "read_file", "c")),
            said({}, "stop"),
        ],
        [READ_A, READ_B],
    ),
    "arguments as an object": (
        [said(call(0, {"path": "a"}, "read_file")), said({}, "stop")],
        [("read_file", '{"path":"a"}')],
    ),
    "arguments null": ([said(call(0, None, "list_files", "c1")), said({}, "tool_calls")], [("list_files", "")]),
    "the name after the id, and after arguments": (
        [
            said({"tool_calls": [{"index": 0, "id": "c1"}]}),
            said(call(0, '{"path"')),
            said(call(0, ': "a"}', "read_file")),
            said({}, "tool_calls"),
        ],
        [READ_A],
    ),
    "all calls begun, then their arguments": (
        [
            said(call(0, "", "read_file", "c1")),
            said(call(1, "", "read_file", "c2")),
            said(call(0, '{"path": "a"}')),
            said(call(1, '{"path": "b"}')),
            said({}, "tool_calls"),
        ],
        [READ_A, READ_B],
    ),
    "only the first of several answers": (
        [
            said(call(0, '{"path": "a"}', "read_file", "c1")),
            {"choices": [{"index": 1, "delta": call(0, "{}", "bash", "x")}]},
            said({}, "stop"),
        ],
        [READ_A],
    ),
    "the old field is no call": (
        [said({"function_call": {"name": "bash", "arguments": "{}"}}), said({}, "function_call")],
        [],
    ),
    "a call in words is none": ([said({"content": '{"name": "bash", "arguments": {}}'}), said({}, "stop")], []),
    "an unknown reason, arguments whole": (
        [said(call(0, '{"path": "a"}', "read_file", "c1")), said({}, "something_new")],
        [READ_A],
    ),
}


@pytest.mark.parametrize("chunks, calls", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("done", [True, False], ids=["with [DONE]", "without"])
def test_calls_of_every_kind_of_server_are_complete(chunks: list[Any], calls: list[Any], done: bool) -> None:
    found = told(*chunks, *["[DONE]"][: int(done)])

    assert (found.calls, found.unfinished) == (calls, [])
    assert found.end == TurnEnd(StopReason.TOOL_USE if calls else StopReason.END)


HALF = said(call(0, '{"path": ', "read_file", "c1"))
FULL = said(call(0, '{"path": "a"}', "read_file", "c1"))
UNFINISHED = {
    "the stream ends": ([HALF], None),
    "the stream ends, though the arguments look whole": ([FULL], None),
    "[DONE], and no reason": ([FULL, "[DONE]"], None),
    "the length limit": ([HALF, said({}, "length")], "length"),
    "the length limit, though the arguments look whole": ([FULL, said({}, "length")], "length"),
    "Mistral's length limit": ([HALF, said({}, "model_length")], "length"),
    "the filter": ([FULL, said({}, "content_filter")], "refused"),
    "an unknown reason, arguments not whole": ([HALF, said({}, "something_new")], "end"),
}


@pytest.mark.parametrize("chunks, end", UNFINISHED.values(), ids=UNFINISHED.keys())
def test_a_call_that_nobody_ended_is_never_complete(chunks: list[Any], end: str | None) -> None:
    found = told(*chunks)

    assert (found.calls, found.unfinished) == ([], ["read_file"])
    assert found.end == (TurnEnd(StopReason(end)) if end else None)


def test_a_call_is_complete_when_the_next_one_begins() -> None:
    found = told(FULL, said(call(1, '{"pa', "read_file", "c2")))

    assert (found.calls, found.unfinished) == ([READ_A], ["read_file"])
    assert found.end is None


SENSELESS = {
    "arguments of no call": [said(call(0, '{"path": "a"}'))],
    "two names for one call": [said(call(0, "", "read_file", "c1")), said(call(0, "{}", "bash"))],
    "more for a call that was complete": [FULL, said(call(1, "{}", "bash", "c2")), said(call(0, "x"))],
    "a call without a name": [said(call(0, "{}", "", "c1")), said({}, "tool_calls")],
    "no JSON": ["{"],
    "no object": ["[]"],
}


@pytest.mark.parametrize("chunks", SENSELESS.values(), ids=SENSELESS.keys())
def test_what_makes_no_sense_is_a_fault(chunks: list[Any]) -> None:
    with pytest.raises(ProviderFault) as fault:
        told(*chunks)

    assert fault.value.code == "malformed_answer"

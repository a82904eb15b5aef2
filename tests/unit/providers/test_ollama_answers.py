"""What Ollama answers, as deltas."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.conversation import BlockEnd, CallArguments, CallStart, Delta, StopReason, TextDelta, TurnEnd, Usage
from assent.model.errors import ProviderFault
from assent.providers.dialect import ModelInfo
from assent.providers.dialects.ollama.dialect import Ollama
from tests.support.dialects import in_chunks, streamed, told
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.wire import Said, SaidCall

END = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
SAID = Said(
    "Here you äre: 🙂 done.",
    (SaidCall("bash", {"command": "echo ü\n"}), SaidCall("list_files", {}), SaidCall("bash", '{"command": "ls"}')),
    thinking="let me see",
    usage=Usage(120, 30),
)


def lines(*answers: Any) -> bytes:
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def read(*answers: Any) -> list[Delta]:
    return streamed(Ollama(), [lines(*answers)])


def saying(**message: Any) -> dict[str, Any]:
    return {"message": {"role": "assistant", **message}, "done": False}


def calling(*functions: Any) -> dict[str, Any]:
    return saying(content="", tool_calls=[{"function": function} for function in functions])


def test_a_turn_with_everything_in_it() -> None:
    turn = told(streamed(Ollama(), OllamaWire().stream(SAID)))

    assert (turn.text, turn.thinking, turn.memos) == (SAID.text, SAID.thinking, [])
    assert [tool for tool, _ in turn.calls] == ["bash", "list_files", "bash"]
    assert [json.loads(text) for _, text in turn.calls] == [{"command": "echo ü\n"}, {}, {"command": "ls"}]
    assert turn.end == TurnEnd(StopReason.TOOL_USE, Usage(120, 30))


@given(st.lists(st.integers(0, 10_000), max_size=12))
def test_it_does_not_matter_how_the_bytes_are_cut(cuts: list[int]) -> None:
    data = b"".join(OllamaWire().stream(SAID))

    assert streamed(Ollama(), in_chunks(data, cuts)) == streamed(Ollama(), [data])


@pytest.mark.parametrize("stop", [None, StopReason.LENGTH])
def test_a_whole_answer_says_the_same(stop: StopReason | None) -> None:
    said = Said(SAID.text, SAID.calls, SAID.thinking, stop)

    assert told(Ollama().whole(json.loads(OllamaWire().whole(said)))) == told(
        streamed(Ollama(), OllamaWire().stream(said))
    )


@given(st.integers(0, 10_000))
def test_a_stream_that_is_cut_anywhere_has_no_end_and_no_half_a_call(cut: int) -> None:
    data = b"".join(OllamaWire().stream(SAID)).rstrip(b"\n")

    turn = told(streamed(Ollama(), [data[: cut % len(data)]]))

    assert turn.end is None
    assert turn.unfinished == []
    whole = told(streamed(Ollama(), [data]))
    assert turn.calls == whole.calls[: len(turn.calls)]
    assert whole.text.startswith(turn.text.rstrip("\N{REPLACEMENT CHARACTER}"))


def test_the_last_line_counts_without_a_line_end_where_it_is_whole() -> None:
    assert told(streamed(Ollama(), [lines(saying(content="hi")), json.dumps(END).encode()])).end is not None


def test_indices_rise_whatever_the_server_counts() -> None:
    same = {"index": 0, "name": "bash", "arguments": {}}

    deltas = read(calling(same, same), calling(same), END)

    assert [delta.index for delta in deltas if isinstance(delta, CallStart)] == [0, 1, 2]
    assert deltas[:3] == [CallStart(0, "bash"), CallArguments(0, "{}"), BlockEnd(0)]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"n": "5"}, '{"n":"5"}'),
        ('{"n": 5}', '{"n": 5}'),
        ("{broken", "{broken"),
        (None, ""),
        ([1], "[1]"),
        (7, "7"),
        (True, "true"),
    ],
)
def test_arguments_are_handed_on_as_the_text_that_they_are(arguments: Any, text: str) -> None:
    assert told(read(calling({"name": "t", "arguments": arguments}), END)).calls == [("t", text)]


def test_the_servers_own_id_of_a_call_is_told() -> None:
    call = {"id": "call_1", "function": {"name": "t", "arguments": {}}}

    assert read(saying(content="", tool_calls=[call]), END)[0] == CallStart(0, "t", "call_1")


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("stop", StopReason.END), ("length", StopReason.LENGTH), (None, StopReason.END), ("", StopReason.END)],
)
def test_why_it_ended(reason: str | None, stop: StopReason) -> None:
    assert read({**END, "done_reason": reason}) == [TurnEnd(stop)]


@pytest.mark.parametrize("reason", ["load", "unload"])
def test_a_model_that_was_only_loaded_gave_no_answer(reason: str) -> None:
    with pytest.raises(ProviderFault, match="only loaded the model") as raised:
        read({**END, "done_reason": reason})

    assert raised.value.passing


def test_nothing_counts_after_the_end() -> None:
    assert read(END, saying(content="more"), {"error": "late"}) == [TurnEnd()]


@pytest.mark.parametrize(
    "line",
    [
        b"[1]\n",
        b'"text"\n',
        b"not json\n" + lines(END),
        b'{"n": NaN}\n' + lines(END),
        b"[" * 100_000 + b"\n" + lines(END),
        lines(saying(tool_calls={"function": {}}), END),
        lines(saying(tool_calls=["x"]), END),
        lines(saying(tool_calls=[{"function": "x"}]), END),
        lines(calling({"name": "", "arguments": {}}), END),
        lines(calling({"name": 5, "arguments": {}}), END),
        lines(calling({"name": "good", "arguments": {}}, {"arguments": {}}), END),
        lines({**END, "done_reason": "other"}),
        lines({**END, "done_reason": {"a": 1}}),
    ],
)
def test_what_makes_no_sense_is_a_fault_and_starts_nothing(line: bytes) -> None:
    reader = Ollama().reader()
    deltas: list[Delta] = []
    with pytest.raises(ProviderFault) as raised:
        for text in line.decode().splitlines():
            for delta in reader.feed("", text):
                deltas.append(delta)  # noqa: PERF402 - what was told before the fault counts

    assert raised.value.code == "malformed_answer"
    assert not any(isinstance(delta, CallStart) for delta in deltas)


@pytest.mark.parametrize(
    "odd",
    [
        {"status": "loading"},
        {"message": "text"},
        {"message": None},
        {"message": {"content": 5, "thinking": []}},
        {"message": {"content": None, "tool_calls": None}},
        {"message": {"content": "", "tool_calls": []}, "done": "yes"},
        {},
    ],
)
def test_what_says_nothing_is_passed_over(odd: dict[str, Any]) -> None:
    assert read(odd, saying(content="hi"), END) == [TextDelta("hi"), TurnEnd()]


@pytest.mark.parametrize("counts", [{"prompt_eval_count": "12", "eval_count": -1}, {"eval_count": True}])
def test_counts_that_are_none_are_not_told(counts: dict[str, Any]) -> None:
    assert read({**END, **counts}) == [TurnEnd()]


@pytest.mark.parametrize(
    ("words", "code", "advice"),
    [
        ('model "qwen3" not found, try pulling it first', "model_not_found", "ollama pull qwen3"),
        ("model 'a/b:7b' not found", "model_not_found", "ollama pull a/b:7b"),
        ("registry.ollama.ai/library/gemma:2b does not support tools", "no_tools", "ollama show gemma:2b"),
        ('"gemma" does not support thinking', "no_thinking", "Take “thinking” out"),
        ("the input length exceeds the context length", "context_too_long", "contextWindow"),
        ("out of memory", "server_fault", "out of memory"),
    ],
)
def test_faults_say_what_to_do(words: str, code: str, advice: str) -> None:
    with pytest.raises(ProviderFault) as raised:
        read(saying(content="he"), json.loads(OllamaWire().mid_stream_fault(words) or b""))

    assert raised.value.code == code
    assert advice in str(raised.value)
    assert words in str(raised.value)
    assert words in (Ollama().fault_text(json.loads(OllamaWire().fault(400, words))) or "")


def test_the_text_before_a_fault_was_told() -> None:
    reader = Ollama().reader()

    assert list(reader.feed("", json.dumps(saying(content="so far")))) == [TextDelta("so far")]
    with pytest.raises(ProviderFault, match="it reports a fault"):
        list(reader.feed("", '{"error": {"message": 5}}'))


@pytest.mark.parametrize("answer", [None, [], "x", {}, {"error": ""}, {"done": True}])
def test_an_answer_without_a_fault_has_no_words_for_one(answer: Any) -> None:
    assert Ollama().fault_text(answer) is None


@pytest.mark.parametrize("answer", [None, [END], {}, saying(content="half")])
def test_a_whole_answer_that_does_not_end_is_a_fault(answer: Any) -> None:
    with pytest.raises(ProviderFault):
        list(Ollama().whole(answer))


def test_models() -> None:
    answer = {
        "models": [
            {"name": "qwen3:8b", "capabilities": ["completion", "tools"], "context_length": 40_960},
            {"name": "gemma:2b", "capabilities": ["completion"], "details": {"context_length": 8_192}},
            {"model": "old"},
            {"name": 5},
            "x",
        ]
    }

    assert list(Ollama().models(answer)) == [
        ModelInfo("qwen3:8b", 40_960, tools=True),
        ModelInfo("gemma:2b", 8_192, tools=False),
        ModelInfo("old"),
    ]
    assert [one.name for one in Ollama().models(json.loads(OllamaWire().models(["a", "b"])))] == ["a", "b"]
    assert OllamaWire().models_path(Ollama().models_request().path)
    assert not list(Ollama().models(["x"]))

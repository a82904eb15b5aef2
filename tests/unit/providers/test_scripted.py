"""A script step by step, and what is wrong with a script named with its place."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assent.model.conversation import (
    AssistantTurn,
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    Message,
    ModelRequest,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TurnEnd,
    UserText,
)
from assent.model.errors import ProviderFault
from assent.providers.scripted import ScriptedProvider
from tests.support.clock import FakeClock
from tests.support.world import until


def write(file: Path, content: str) -> None:
    file.write_text(content)


async def played(file: Path, turns: Any, *, before: int = 0, **more: Any) -> list[Delta]:
    """The deltas of the turn after so many earlier ones."""
    write(file, json.dumps({"turns": turns, **more}))
    return await stream(file, before)


async def stream(file: Path, before: int = 0, clock: FakeClock | None = None) -> list[Delta]:
    messages: tuple[Message, ...] = (UserText("go"), *(AssistantTurn("") for _ in range(before)))
    provider = ScriptedProvider(file, clock or FakeClock())
    return [delta async for delta in provider.stream(ModelRequest("", messages, ()))]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "script.json"


STEPS: list[tuple[dict[str, Any], list[Delta]]] = [
    ({"text": "abc"}, [TextDelta("abc"), TurnEnd()]),
    ({"text": ""}, [TurnEnd()]),
    ({"text": "abc", "pieceLength": 2}, [TextDelta("ab"), TextDelta("c"), TurnEnd()]),
    ({"thinking": "hm"}, [ThinkingDelta("hm"), TurnEnd()]),
    (
        {"call": "read", "args": {"path": "a"}},
        [CallStart(0, "read"), CallArguments(0, '{"path": "a"}'), BlockEnd(0), TurnEnd()],
    ),
    ({"call": "read"}, [CallStart(0, "read"), CallArguments(0, "{}"), BlockEnd(0), TurnEnd()]),
    ({"call": ""}, [CallStart(0, ""), CallArguments(0, "{}"), BlockEnd(0), TurnEnd()]),
    (
        {"call": "read", "argsText": "{nonsense", "pieceLength": 5},
        [CallStart(0, "read"), CallArguments(0, "{nons"), CallArguments(0, "ense"), BlockEnd(0), TurnEnd()],
    ),
    ({"open": "read", "argsText": '{"pa'}, [CallStart(0, "read"), CallArguments(0, '{"pa'), TurnEnd()]),
    ({"cut": True}, []),
    ({"end": "length"}, [TurnEnd(StopReason.LENGTH)]),
    ({"end": "tool_use"}, [TurnEnd(StopReason.TOOL_USE)]),
    ({"end": "end"}, [TurnEnd(StopReason.END)]),
]


@pytest.mark.parametrize(("step", "deltas"), STEPS, ids=lambda value: str(value)[:50])
async def test_every_kind_of_step(file: Path, step: dict[str, Any], deltas: list[Delta]) -> None:
    assert await played(file, [[step]]) == deltas


async def test_steps_follow_each_other_and_calls_have_blocks_of_their_own(file: Path) -> None:
    deltas = await played(file, [[{"text": "a"}, {"call": "x"}, {"call": "y"}, {"cut": True}, {"text": "never"}]])

    assert [delta.index for delta in deltas if isinstance(delta, CallStart)] == [1, 2]
    assert TextDelta("never") not in deltas
    assert not any(isinstance(delta, TurnEnd) for delta in deltas)


async def test_a_failing_model(file: Path) -> None:
    with pytest.raises(ProviderFault, match="out of tokens"):
        await played(file, [[{"text": "a"}, {"fail": "out of tokens"}]])


async def test_waiting(file: Path) -> None:
    write(file, json.dumps({"turns": [[{"wait": 5}, {"text": "late"}]]}))
    clock = FakeClock()
    playing = asyncio.ensure_future(stream(file, clock=clock))
    await until(lambda: clock.sleeping, "the wait")
    clock.advance(4.9)
    await asyncio.sleep(0)
    assert not playing.done()
    clock.advance(0.1)
    assert await playing == [TextDelta("late"), TurnEnd()]


async def test_turns_are_counted_over_the_conversation(file: Path) -> None:
    turns = [[{"text": "one"}], [{"text": "two"}]]
    assert await played(file, turns, before=1) == [TextDelta("two"), TurnEnd()]
    assert "no more turns" in (await played(file, turns, before=2))[0].text  # type: ignore[union-attr]
    assert (await played(file, turns, before=5, repeat=True))[0] == TextDelta("two")
    assert "no more turns" in (await played(file, [], repeat=True))[0].text  # type: ignore[union-attr]


async def test_the_file_can_be_edited_between_messages(file: Path) -> None:
    assert (await played(file, [[{"text": "one"}]]))[0] == TextDelta("one")
    assert (await played(file, [[{"text": "other"}]]))[0] == TextDelta("other")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "Invalid JSON"),
        ("{", "Invalid JSON"),
        ("[]", "not valid"),
        ("{}", "at turns"),
        ('{"turns": 1}', "at turns"),
        ('{"turns": [{}]}', "at turns.0"),
        ('{"turns": [[{}]]}', "at turns.0.0: Value error, a step does exactly one of"),
        ('{"turns": [[{"text": "a"}, {"text": "a", "call": "b"}]]}', "at turns.0.1: Value error, a step does exactly"),
        ('{"turns": [[{"text": 1}]]}', "at turns.0.0.text"),
        ('{"turns": [[{"shout": "a"}]]}', "at turns.0.0.shout"),
        ('{"turns": [[{"call": "a", "args": []}]]}', "at turns.0.0.args"),
        ('{"turns": [[{"call": "a", "args": {}, "argsText": "{}"}]]}', "args or as argsText"),
        ('{"turns": [[{"text": "a", "args": {}}]]}', "arguments belong to a call"),
        ('{"turns": [[{"call": "a", "args_text": "{}"}]]}', "args_text"),
        ('{"turns": [[{"text": "a", "pieceLength": 0}]]}', "pieceLength"),
        ('{"turns": [[{"wait": -1}]]}', "at turns.0.0.wait"),
        ('{"turns": [[{"wait": 1e9}]]}', "at turns.0.0.wait"),
        ('{"turns": [[{"cut": false}]]}', "at turns.0.0.cut"),
        ('{"turns": [[{"end": "bored"}]]}', "at turns.0.0.end"),
        ('{"turns": [], "loop": true}', "at loop"),
    ],
)
async def test_what_is_wrong_is_named(file: Path, content: str, words: str) -> None:
    write(file, content)
    with pytest.raises(ProviderFault) as fault:
        await stream(file)

    assert fault.value.code == "script_invalid"
    assert words in str(fault.value)
    assert str(file) in str(fault.value)


async def test_a_file_that_cannot_be_read_is_named(file: Path, tmp_path: Path) -> None:
    for path in (file, tmp_path):
        with pytest.raises(ProviderFault) as fault:
            await stream(path)
        assert fault.value.code == "script_unreadable"
        assert str(path) in str(fault.value)

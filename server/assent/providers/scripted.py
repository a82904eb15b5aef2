"""A model that plays a file of turns, with timing and faults: for tests and demonstrations.

The file is JSON: `{"turns": [[step, ...], ...], "repeat": false}`. A turn is played per request, counted over the whole
conversation. The steps:

    {"text": "…"}  {"thinking": "…"}             what the model says, in pieces of `pieceLength` (default: whole)
    {"call": "tool", "args": {…}}                  a call; `argsText` instead of `args` sends any text
    {"open": "tool", "argsText": "{…"}             a call whose block never ends
    {"wait": 0.5}                                  seconds
    {"cut": true}                                  the stream breaks off here
    {"fail": "message"}                            the model fails here
    {"end": "end" | "tool_use" | "length"}        the model's own end; added by itself where a turn has none
"""

import json
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from assent.model.conversation import (
    AssistantTurn,
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    ModelRequest,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TurnEnd,
)
from assent.model.errors import ProviderFault
from assent.runtime.clock import Clock


class Step(BaseModel):
    """One step of a turn; exactly one of its doing fields is set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str | None = None
    thinking: str | None = None
    call: str | None = None
    open: str | None = None
    args: dict[str, Any] | None = None
    args_text: str | None = Field(None, alias="argsText")
    piece_length: int | None = Field(None, alias="pieceLength", ge=1)
    wait: float | None = Field(None, ge=0, le=3600)
    cut: Literal[True] | None = None
    fail: str | None = None
    end: Literal["end", "tool_use", "length"] | None = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> "Step":
        doing = [name for name in _DOING if getattr(self, name) is not None]
        if len(doing) != 1:
            raise ValueError(f"a step does exactly one of {', '.join(_DOING)}")
        if (self.args, self.args_text) != (None, None) and doing[0] not in ("call", "open"):
            raise ValueError("arguments belong to a call")
        if self.args is not None and self.args_text is not None:
            raise ValueError("arguments are given as args or as argsText")
        return self


_DOING = ("text", "thinking", "call", "open", "wait", "cut", "fail", "end")


class Script(BaseModel):
    """A whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: tuple[tuple[Step, ...], ...]
    repeat: bool = False


class ScriptedProvider:
    """Plays the turn whose number is the number of the model's earlier turns in the conversation."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """Plays one turn; the file is read anew, so that it can be edited between messages."""
        script = _load(self._path)
        number = sum(isinstance(message, AssistantTurn) for message in request.messages)
        for index, step in enumerate(_steps(script, number)):
            if step.wait is not None:
                await self._clock.sleep(step.wait)
            if step.fail is not None:
                raise ProviderFault("scripted", step.fail)
            if step.cut:
                return
            for delta in _deltas(step, index):
                yield delta
            if step.end is not None:
                return
        yield TurnEnd()


def _load(path: Path) -> Script:
    try:
        return Script.model_validate_json(path.read_bytes())
    except OSError as fault:
        raise ProviderFault("script_unreadable", f"The script {path} cannot be read: {fault.strerror}.") from fault
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        place = " at " + ".".join(str(part) for part in first["loc"]) if first["loc"] else ""
        raise ProviderFault("script_invalid", f"The script {path} is not valid{place}: {first['msg']}.") from fault


def _steps(script: Script, number: int) -> tuple[Step, ...]:
    if script.repeat and script.turns:
        return script.turns[number % len(script.turns)]
    if number < len(script.turns):
        return script.turns[number]
    return (Step.model_validate({"text": "The script has no more turns."}),)


def _deltas(step: Step, index: int) -> Iterator[Delta]:
    if step.text is not None:
        yield from (TextDelta(piece) for piece in _pieces(step.text, step))
    if step.thinking is not None:
        yield from (ThinkingDelta(piece) for piece in _pieces(step.thinking, step))
    tool = step.call if step.call is not None else step.open
    if tool is not None:
        yield CallStart(index, tool)
        text = step.args_text if step.args_text is not None else json.dumps(step.args or {})
        yield from (CallArguments(index, piece) for piece in _pieces(text, step))
        if step.call is not None:
            yield BlockEnd(index)
    if step.end is not None:
        yield TurnEnd(StopReason(step.end))


def _pieces(text: str, step: Step) -> Iterator[str]:
    length = step.piece_length or max(len(text), 1)
    for start in range(0, len(text), length):
        yield text[start : start + length]

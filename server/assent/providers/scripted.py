"""A model that plays a file of turns, with timing and faults: for tests and demonstrations.

The file is JSON: `{"turns": [[step, ...], ...], "repeat": false}`. A turn is played per request, counted over the whole
conversation. `"conversations": {"first message": [[step, ...], ...]}` holds the turns of conversations that begin with
just this message, such as those of sub-agents. The steps:

    {"text": "…"}  {"thinking": "…"}             what the model says, in pieces of `pieceLength` (default: whole)
    {"call": "tool", "args": {…}}                  a call; `argsText` instead of `args` sends any text
    {"open": "tool", "argsText": "{…"}             a call whose block never ends
    {"wait": 0.5}                                  seconds
    {"cut": true}                                  the stream breaks off here
    {"fail": "message"}                            the model fails here; with `passing`, only for the moment
    {"tryingAgain": "why", "seconds": 1}           the request failed before, and is made again
    {"memo": …}                                    something to hand back with this turn
    {"end": "end" | "tool_use" | "length" | "refused"}
                                                   the model's own end; added by itself where a turn has none
    {"usage": {"input": 10, "output": 5}}          what the turn cost; told with its end

An answer that is not to be streamed comes in whole pieces.
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
    MemoDelta,
    ModelRequest,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TryingAgain,
    TurnEnd,
    Usage,
    UserText,
)
from assent.model.errors import ProviderFault
from assent.runtime.clock import Clock


class Cost(BaseModel):
    """What a turn costs, in tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: int | None = None
    output: int | None = None
    cached: int | None = None


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
    passing: bool = False
    trying_again: str | None = Field(None, alias="tryingAgain")
    seconds: float = Field(0, ge=0)
    memo: Any = None
    usage: Cost | None = None
    end: Literal["end", "tool_use", "length", "refused"] | None = None

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


_DOING = ("text", "thinking", "call", "open", "wait", "cut", "fail", "trying_again", "memo", "usage", "end")


class Script(BaseModel):
    """A whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: tuple[tuple[Step, ...], ...]
    conversations: dict[str, tuple[tuple[Step, ...], ...]] = Field(default_factory=dict)
    repeat: bool = False


class ScriptedProvider:
    """Plays the turn whose number is the number of the model's earlier turns in the conversation."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """Plays one turn; the file is read anew, so that it can be edited between messages."""
        usage = Usage()
        for index, step in enumerate(_steps(_load(self._path), request)):
            if step.wait is not None:
                await self._clock.sleep(step.wait)
            if step.fail is not None:
                raise ProviderFault("scripted", step.fail, passing=step.passing)
            if step.cut:
                return
            if step.usage is not None:
                usage = Usage(step.usage.input, step.usage.output, step.usage.cached)
            for delta in _deltas(step, index, whole=not request.streaming):
                yield delta
            if step.end is not None:
                yield TurnEnd(StopReason(step.end), usage)
                return
        yield TurnEnd(usage=usage)


def _load(path: Path) -> Script:
    try:
        return Script.model_validate_json(path.read_bytes())
    except OSError as fault:
        raise ProviderFault("script_unreadable", f"The script {path} cannot be read: {fault.strerror}.") from fault
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        place = " at " + ".".join(str(part) for part in first["loc"]) if first["loc"] else ""
        raise ProviderFault("script_invalid", f"The script {path} is not valid{place}: {first['msg']}.") from fault


def _steps(script: Script, request: ModelRequest) -> tuple[Step, ...]:
    number = sum(isinstance(message, AssistantTurn) for message in request.messages)
    first = next((message.text for message in request.messages if isinstance(message, UserText)), "")
    turns = script.conversations.get(first, script.turns)
    if script.repeat and turns:
        return turns[number % len(turns)]
    if number < len(turns):
        return turns[number]
    return (Step.model_validate({"text": "The script has no more turns."}),)


def _deltas(step: Step, index: int, *, whole: bool) -> Iterator[Delta]:
    if step.text is not None:
        yield from (TextDelta(piece) for piece in _pieces(step.text, step, whole))
    if step.thinking is not None:
        yield from (ThinkingDelta(piece) for piece in _pieces(step.thinking, step, whole))
    if step.memo is not None:
        yield MemoDelta("scripted", step.memo)
    if step.trying_again is not None:
        yield TryingAgain(step.trying_again, step.seconds)
    tool = step.call if step.call is not None else step.open
    if tool is not None:
        yield CallStart(index, tool)
        text = step.args_text if step.args_text is not None else json.dumps(step.args or {})
        yield from (CallArguments(index, piece) for piece in _pieces(text, step, whole))
        if step.call is not None:
            yield BlockEnd(index)


def _pieces(text: str, step: Step, whole: bool) -> Iterator[str]:
    length = max(len(text), 1) if whole or step.piece_length is None else step.piece_length
    for start in range(0, len(text), length):
        yield text[start : start + length]

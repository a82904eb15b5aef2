"""A provider and its model's server, over real HTTP, and what the agent makes of an answer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from assent.agent.arguments import parse_arguments
from assent.agent.assemble import Assembler, CallPart, TextPart, ThinkingPart
from assent.agent.broken import Broken, why_broken
from assent.model.conversation import (
    AssistantTurn,
    Delta,
    Memo,
    MemoDelta,
    ModelRequest,
    Spoken,
    StopReason,
    ToolSpec,
    ToolUse,
    TryingAgain,
    Usage,
    UserText,
)
from assent.model.errors import ProviderFault
from assent.model.ids import CallId
from assent.providers.connection import TimeLimits
from assent.providers.dialect import ModelOptions
from assent.providers.endpoint import Endpoint
from assent.providers.remote import RemoteProvider
from tests.support.clock import FakeClock
from tests.support.model_servers.formats import ALL, Format
from tests.support.model_servers.plays import Turn
from tests.support.model_servers.server import ModelServer, model_server

AGENT = "Local"
KEY = "sk-of-the-test-0123456789abcdef"
TOOLS = ("read_file", "write_file", "mcp.files:read me/now", "l" * 90, "0 début ü")
"""Names as tools have them, those as well that no server takes as they are."""

of_all = pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
streaming_or_not = pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "whole"])


class HurryingClock(FakeClock):
    """Every sleep ends at once; how long it was meant to be is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@dataclass
class Heard:
    """One answer as the agent takes it apart."""

    order: list[str] = field(default_factory=list)
    """Texts, and the names of the tools that were called between them."""
    text: str = ""
    thinking: str = ""
    calls: list[tuple[str, Any]] = field(default_factory=list)
    """Tool and arguments of each call that is complete; the text of arguments that are none."""
    memos: list[Memo] = field(default_factory=list)
    tries: list[TryingAgain] = field(default_factory=list)
    stop: StopReason | None = None
    usage: tuple[int | None, int | None] = (None, None)
    unfinished: list[str] = field(default_factory=list)
    fault: ProviderFault | None = None
    broken: Broken | None = None

    def turn(self, first: int = 0) -> AssistantTurn:
        """The answer as it stands in the history, its calls numbered from `first`."""
        uses = tuple(ToolUse(CallId(f"call-{first + n}"), tool, args) for n, (tool, args) in enumerate(self.calls))
        return AssistantTurn(self.text, uses, self.thinking, self.broken is not None, tuple(self.memos))


class Hearing:
    """Deltas to what they come to, by the agent's own means."""

    def __init__(self) -> None:
        self.heard = Heard()
        self._assembler = Assembler()

    def feed(self, delta: Delta) -> None:
        """The next delta."""
        heard = self.heard
        match self._assembler.feed(delta):
            case TextPart(text):
                if not heard.order or heard.text == "" or heard.order[-1] in TOOLS:
                    heard.order.append("")
                heard.order[-1] += text
                heard.text += text
            case ThinkingPart(text):
                heard.thinking += text
            case CallPart(_, tool, arguments, fault):
                args, _ = parse_arguments(arguments) if fault is None else (None, fault)
                heard.order.append(tool)
                heard.calls.append((tool, arguments if args is None else args))
            case MemoDelta(dialect, value):
                heard.memos.append(Memo(dialect, len(heard.calls), value))
            case TryingAgain() as again:
                heard.tries.append(again)

    def end(self, fault: ProviderFault | None = None) -> Heard:
        """The stream is over."""
        heard, end = self.heard, self._assembler.end
        heard.fault, heard.broken = fault, why_broken(self._assembler, fault)
        heard.unfinished = [call.tool for call in self._assembler.cut_calls()]
        if end is not None:
            heard.stop, heard.usage = end.reason, (end.usage.input, end.usage.output)
        return heard


@dataclass
class Talk:
    """A provider, and the server that it speaks to."""

    form: Format
    server: ModelServer
    provider: RemoteProvider
    clock: HurryingClock

    async def ask(self, *messages: Spoken, streaming: bool = True, tools: Sequence[str] = TOOLS) -> Heard:
        """One turn to its end."""
        return await hear(self.provider, request(*messages, streaming=streaming, tools=tools))

    @property
    def asked(self) -> int:
        """How many requests came to the server."""
        return len(self.server.log.got)


async def hear(provider: RemoteProvider, asked: ModelRequest) -> Heard:
    """The answer to this request, to its end."""
    hearing = Hearing()
    fault = None
    try:
        async for delta in provider.stream(asked):
            hearing.feed(delta)
    except ProviderFault as found:
        fault = found
    return hearing.end(fault)


def request(*messages: Spoken, streaming: bool = True, tools: Sequence[str] = TOOLS) -> ModelRequest:
    """A request with these messages, or one that only says hello."""
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    specs = tuple(ToolSpec(name, f"Does {name}.", schema) for name in tools)
    return ModelRequest("Be kind.", messages or (UserText("hello"),), specs, streaming)


@asynccontextmanager
async def talking(
    form: Format,
    *turns: Turn,
    key: str | None = None,
    limits: TimeLimits | None = None,
    shown: str | None = None,
    **server: Any,
) -> AsyncIterator[Talk]:
    """A server that plays these turns, and a provider for it. `shown` is the key that it sends; else the right one."""
    with model_server(form.wire(), *turns, base_path=form.base_path, key=key, **server) as models:
        async with provider_of(form, models.base_url, shown or key, limits) as (provider, clock):
            yield Talk(form, models, provider, clock)


@asynccontextmanager
async def provider_of(
    form: Format, base_url: str, key: str | None = None, limits: TimeLimits | None = None
) -> AsyncIterator[tuple[RemoteProvider, HurryingClock]]:
    """A provider for whatever is at this address."""

    async def shown() -> str | None:
        return key

    clock = HurryingClock()
    endpoint = Endpoint(base_url, AGENT, key=shown)
    provider = RemoteProvider(
        endpoint, form.dialect(base_url), ModelOptions(form.model), clock, limits=limits, chance=lambda: 0.5
    )
    try:
        yield provider, clock
    finally:
        await provider.aclose()


def counted(usage: Usage) -> tuple[int | None, int | None]:
    """What every server counts."""
    return usage.input, usage.output


def check_message(heard: Heard) -> str:
    """What a person is told: where, what, and what to do, and never the key. Returns it."""
    assert heard.broken is not None
    told = heard.broken.message
    assert KEY not in told, told
    assert KEY[-8:] not in told, told
    assert AGENT in told or "cut off" in told or "length limit" in told, told
    assert 40 < len(told) < 900, told
    assert told.isprintable(), told
    assert told.endswith("."), told
    return told

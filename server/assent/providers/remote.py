"""A model behind HTTP, whatever its server speaks: asked, asked again where that can help, and read as it answers."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from operator import ne

from assent.agent.picture_marks import told_in_words
from assent.jsontext import NotJson, read_json
from assent.model.conversation import Delta, ModelRequest, StopReason, TryingAgain, TurnEnd, UserText
from assent.model.errors import ProviderFault
from assent.providers.connection import Answer, Connection, NoAnswer, Sending, TimeLimits, Trouble
from assent.providers.dialect import Dialect, Framing, HttpRequest, ModelInfo, ModelOptions, TellsSight
from assent.providers.endpoint import Endpoint
from assent.providers.faults import Faults, Refusal
from assent.providers.outgoing import outgoing
from assent.providers.reading import Reading, StreamReading, WholeReading
from assent.providers.retrying import LONGEST_WAIT, TRIES_MORE, asked_wait, back_off, is_passing
from assent.providers.tool_names import ToolNames
from assent.runtime.clock import Clock

MOST_FAULT_BYTES = 64 * 1024
MOST_MODELS_BYTES = 4 * 1024 * 1024
MODELS_SECONDS = 10.0
_TRAILER_SECONDS = 0.2
_ALSO_OF_PROXIES = frozenset({400, 401, 403, 407, 451, 511})
"""With a page for a person these are of something in between: a model's server has no pages."""
_OTHER_FORMATS = {"text/html": "a web page", "application/xhtml+xml": "a web page"}


_NOT_WITH_PICTURES = frozenset({400, 404, 413, 415, 422, 500, 501})
"""How servers answer what their model cannot take."""


class _Unanswered(Exception):
    """A request failed before the model said anything, in a way that may pass."""

    def __init__(self, fault: ProviderFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class RemoteProvider:
    """The model of an agent. Its connections are kept for the next request; `aclose` ends them."""

    def __init__(
        self,
        endpoint: Endpoint,
        dialect: Dialect,
        options: ModelOptions,
        clock: Clock,
        *,
        limits: TimeLimits | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._endpoint = endpoint
        self._dialect = dialect
        self._options = options
        self._clock = clock
        self._chance = chance
        self._sees = options.pictures
        """Whether the model sees pictures, as far as its user has said, or its server has said or shown."""
        self._connection = Connection(
            through_proxy=not endpoint.is_local, encrypted=endpoint.is_encrypted, limits=limits
        )

    async def get_ready(self) -> None:
        """Loads what the first request will need; its server is not asked anything."""
        await self._connection.open()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """One turn. What fails is a ProviderFault; an answer that breaks off just ends. Closing it ends the request."""
        names = ToolNames(request)
        # After results a model may have nothing to add. Where the user spoke last, silence is a server that fails.
        silent = not request.messages or isinstance(request.messages[-1], UserText)
        of_user = any(isinstance(one, UserText) and one.pictures for one in request.messages)
        in_words = replace(request, messages=tuple(map(told_in_words, request.messages)))
        of_tools = any(map(ne, in_words.messages, request.messages))
        if of_user or of_tools:
            blind = await self._look_for_eyes()
            if blind is not None and of_user:
                raise blind
        if of_tools and self._sees is False:
            request, of_tools = in_words, False
        sending, faults = await self._outgoing(self._request(names, request), pictures=of_user)
        tries, begun, learns = 0, False, False
        while True:
            tries += 1
            try:
                async with aclosing(self._try(sending, faults, streaming=request.streaming)) as deltas:
                    async for delta in deltas:
                        if silent and isinstance(delta, TurnEnd) and delta.reason is StopReason.END:
                            raise faults.empty()
                        silent, begun = False, True
                        self._sees = False if learns else self._sees
                        yield names.delta(delta)
            except (_Unanswered, ProviderFault) as failed:
                fault = failed.fault if isinstance(failed, _Unanswered) else failed
                if of_tools and not begun and fault.status in _NOT_WITH_PICTURES:
                    # Nobody chose to send them, so it is asked again in words; an answer to that tells what was wrong.
                    request, of_tools, learns = in_words, False, True
                    sending, faults = await self._outgoing(self._request(names, request), pictures=of_user)
                    continue
                if fault is failed:
                    raise
            else:
                return
            wait = back_off(tries, self._chance()) if fault.retry_after is None else fault.retry_after
            if tries > TRIES_MORE or wait > LONGEST_WAIT:
                raise fault
            yield TryingAgain(faults.why_again(fault), wait)
            await self._clock.sleep(wait)

    def _request(self, names: ToolNames, request: ModelRequest) -> HttpRequest:
        return self._dialect.request(names.request(request), self._options)

    async def _look_for_eyes(self) -> ProviderFault | None:
        """What is to be said where the server says that the model sees no pictures. Where it says nothing, it may."""
        if self._options.pictures is False:
            return (await self._outgoing(self._dialect.models_request()))[1].blind()
        if self._sees or not isinstance(self._dialect, TellsSight):
            return None
        sending, faults = await self._outgoing(self._dialect.sight_request(self._options))
        try:
            async with asyncio.timeout(MODELS_SECONDS), self._connection.ask(sending) as answer:
                await self._check(answer, faults)
                body = await answer.beginning(MOST_MODELS_BYTES)
            sees = self._dialect.sees(read_json(body))
        except (TimeoutError, NoAnswer, NotJson, _Unanswered, ProviderFault):
            # What is wrong there, the request itself tells.
            return None
        self._sees = sees if sees is not None else self._sees
        return faults.blind() if sees is False else None

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models that the server has."""
        sending, faults = await self._outgoing(self._dialect.models_request())
        try:
            async with asyncio.timeout(MODELS_SECONDS), self._connection.ask(sending) as answer:
                await self._check(answer, faults)
                body = await answer.beginning(MOST_MODELS_BYTES)
            return tuple(self._dialect.models(read_json(body)))
        except (TimeoutError, NoAnswer) as failed:
            slow = NoAnswer(Trouble.SILENT, "")
            raise faults.no_answer(failed if isinstance(failed, NoAnswer) else slow) from failed
        except NotJson as fault:
            raise faults.other_format("something that is not JSON") from fault
        except _Unanswered as unanswered:
            raise unanswered.fault from None

    async def aclose(self) -> None:
        """Ends every connection, and what is still being answered."""
        await self._connection.aclose()

    async def _outgoing(self, request: HttpRequest, *, pictures: bool = False) -> tuple[Sending, Faults]:
        ready = await outgoing(self._endpoint, self._dialect, request)
        agent, server, secrets = self._endpoint.agent, self._endpoint.origin, ready.secrets
        faults = Faults(agent, server, self._dialect.name, self._options.model, secrets, bool(secrets), pictures)
        return ready.sending, faults

    async def _try(self, sending: Sending, faults: Faults, *, streaming: bool) -> AsyncGenerator[Delta, None]:
        """One request. Raises _Unanswered only before the first byte of a good answer."""
        reading: Reading | None = None
        begun = broken = False
        try:
            async with self._connection.ask(sending) as answer:
                await self._check(answer, faults)
                reading = self._reading(answer, streaming=streaming)
                async with aclosing(answer.chunks()) as chunks:
                    async for chunk in chunks:
                        begun = True
                        for delta in _named(reading.feed(chunk), faults):
                            yield delta
                        if reading.ended:
                            await _let_it_end(chunks)
                            return
        except NoAnswer as failed:
            _judge(failed, faults, begun=begun)
            broken = True
        if reading is not None:
            for delta in _named(reading.end(broken=broken), faults):
                yield delta

    def _reading(self, answer: Answer, *, streaming: bool) -> Reading:
        """Some servers do not stream though they were asked to: then the answer comes as JSON."""
        came_whole = self._dialect.framing is Framing.SSE and _kind(answer) == "application/json"
        return WholeReading(self._dialect) if came_whole or not streaming else StreamReading(self._dialect)

    async def _check(self, answer: Answer, faults: Faults) -> None:
        """Raises for what is no good answer: _Unanswered where another try may help."""
        kind = _kind(answer)
        if 300 <= answer.status < 400:
            raise faults.redirected(answer.header("location") or "")
        if kind in _OTHER_FORMATS and (answer.status < 300 or answer.status in _ALSO_OF_PROXIES):
            raise faults.other_format(_OTHER_FORMATS[kind])
        if answer.status < 300:
            return
        body = await answer.beginning(MOST_FAULT_BYTES)
        text = body.decode(errors="replace")
        words = _OTHER_FORMATS.get(kind) or self._words(text)
        wait = asked_wait(answer.header, self._clock.timestamp())
        passing = is_passing(answer.status, answer.header)
        fault = faults.refused(Refusal(answer.status, words, text, passing, wait))
        raise _Unanswered(fault) if fault.passing else fault

    def _words(self, text: str) -> str:
        """The server's own, whatever it wrapped them in."""
        try:
            return self._dialect.fault_text(read_json(text)) or text
        except NotJson:
            return text


def _kind(answer: Answer) -> str:
    return (answer.header("content-type") or "").partition(";")[0].strip().lower()


def _named(deltas: Iterator[Delta], faults: Faults) -> Iterator[Delta]:
    """The deltas; a fault among them says of which agent and server it speaks."""
    try:
        yield from deltas
    except ProviderFault as fault:
        raise faults.in_answer(fault) from fault


def _judge(failed: NoAnswer, faults: Faults, *, begun: bool) -> None:
    """Raises what is to be done about it; an answer that had begun and broke off is for whoever reads it."""
    if not begun and failed.trouble is Trouble.BROKEN:
        raise _Unanswered(faults.no_answer(failed)) from failed
    if not begun or failed.trouble is Trouble.SILENT:
        raise faults.no_answer(failed) from failed


async def _let_it_end(chunks: AsyncGenerator[bytes, None]) -> None:
    """The connection can be used again where the body ends at once."""
    try:
        async with asyncio.timeout(_TRAILER_SECONDS):
            async for _ in chunks:
                pass
    except (TimeoutError, NoAnswer):
        pass

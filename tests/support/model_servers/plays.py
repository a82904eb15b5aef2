"""What a model server does with one request: a turn as it should be, or one of the ways in which servers fail."""

import gzip
import random
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from tests.support.model_servers.wire import Said, Wire


class Then(StrEnum):
    """What becomes of the connection after the last piece."""

    END = "end"
    DROP = "drop"
    """Closed, without the end of the body."""
    RESET = "reset"
    HANG = "hang"
    """Nothing more, until the client goes away."""


@dataclass(frozen=True, slots=True)
class Play:
    """One answer as it goes out."""

    pieces: Iterable[bytes | threading.Event] = ()
    """Each is sent by itself. An event is waited for."""
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    then: Then = Then.END
    begins: bool = True
    """False: not even the headers are sent."""


Turn = Said | Callable[[Wire, bool], Play]
"""A turn that is streamed or not, as the request says, or what makes an answer of that."""


def as_play(turn: Turn, wire: Wire, *, streaming: bool) -> Play:
    """What the server does with it."""
    return answer(turn)(wire, streaming) if isinstance(turn, Said) else turn(wire, streaming)


def answer(
    said: Said,
    *,
    cut_at: int | bytes | None = None,
    then: Then = Then.END,
    pieces: Callable[[bytes], Iterable[bytes]] | None = None,
    hold: threading.Event | None = None,
    hold_before: bytes | int = 0,
    packed: bool = False,
) -> Turn:
    """The turn, cut off at a place, in pieces of its own, or held at a place until `hold` is set.

    A place is so many bytes, or where these bytes begin.
    """

    def play(wire: Wire, streaming: bool) -> Play:
        events = wire.stream(said) if streaming else [wire.whole(said)]
        body = b"".join(events)
        body = body[: body.index(cut_at) if isinstance(cut_at, bytes) else cut_at]
        cut_up: Iterable[bytes | threading.Event]
        if packed:
            cut_up = [gzip.compress(body)]
        elif hold is not None:
            place = hold_before if isinstance(hold_before, int) else body.index(hold_before)
            cut_up = [body[:place], hold, body[place:]]
        else:
            cut_up = pieces(body) if pieces else events if cut_at is None else [body]
        headers = {"Content-Encoding": "gzip"} if packed else {}
        return Play(cut_up, content_type=wire.content_type(streaming=streaming), headers=headers, then=then)

    return play


def refuse(status: int, message: str = "", *, headers: dict[str, str] | None = None) -> Turn:
    """An answer that reports a fault, as the format words it."""
    return lambda wire, _: Play([wire.fault(status, message)], status, headers=headers or {})


def raw(
    body: bytes, *, content_type: str | None = None, status: int = 200, headers: dict[str, str] | None = None
) -> Turn:
    """Any body."""
    return lambda wire, streaming: Play(
        [body], status, content_type or wire.content_type(streaming=streaming), headers or {}
    )


def broken_in_the_middle(said: Said, message: str, *, events: int) -> Turn:
    """So many events of the turn, then one that reports a fault."""

    def play(wire: Wire, _: bool) -> Play:
        fault = wire.mid_stream_fault(message)
        assert fault is not None, "this format has no such event"
        return Play([*wire.stream(said)[:events], fault], content_type=wire.content_type(streaming=True))

    return play


def hang(wire: Wire, streaming: bool) -> Play:
    """Takes the request and says nothing."""
    return Play(begins=False, then=Then.HANG)


def reset(wire: Wire, streaming: bool) -> Play:
    """Ends the connection before any answer."""
    return Play(begins=False, then=Then.RESET)


def flood(megabytes: int) -> Turn:
    """A single event that does not end."""

    def pieces() -> Iterator[bytes]:
        yield b'data: {"text": "'
        for _ in range(megabytes * 16):
            yield b"x" * 65_536

    return lambda wire, streaming: Play(pieces(), content_type=wire.content_type(streaming=streaming))


def bomb(megabytes: int, times: int = 1) -> Turn:
    """An event that does not end, packed so often that little of it is sent."""

    def play(wire: Wire, streaming: bool) -> Play:
        body = b'data: {"text": "' + b"x" * (megabytes << 20)
        for _ in range(times):
            body = gzip.compress(body)
        headers = {"Content-Encoding": ", ".join(["gzip"] * times)}
        return Play([body], content_type=wire.content_type(streaming=streaming), headers=headers)

    return play


def bytewise(body: bytes) -> Iterable[bytes]:
    """Each byte by itself."""
    return [body[at : at + 1] for at in range(len(body))]


def cut_anywhere(seed: int, longest: int = 40) -> Callable[[bytes], Iterable[bytes]]:
    """Pieces of any length."""

    def pieces(body: bytes) -> Iterator[bytes]:
        chance, at = random.Random(seed), 0
        while at < len(body):
            length = chance.randint(1, longest)
            yield body[at : at + length]
            at += length

    return pieces

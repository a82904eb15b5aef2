"""`python -m tests.bench long-calls`: what it costs to read a long call, in deltas and in pieces of any size.

Twice as much must take twice as long: a growth near 2 is a straight line, one near 4 a square.
"""

import argparse
import time
from collections.abc import Iterator

from assent.agent.assemble import Assembler
from assent.providers.reading import StreamReading
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.sent import sends_objects
from tests.support.model_servers.wire import Said, SaidCall

KIB = 1024
DELTAS = ((1, 40 * KIB), (64, 512 * KIB), (4 * KIB, 2_560 * KIB))
"""Characters of a delta, and of the arguments; a stream of short deltas is mostly frame, and has an end at 32 MB."""
MOST_AT_ONCE = 1_024 * KIB
"""Of arguments that are sent in one event, with what is signed of them."""
PIECES = (1, 64, 4 * KIB)
OF_PIECES = 160 * KIB


def main(arguments: list[str]) -> int:
    """Prints a table; fails where reading did not come to its end."""
    argparse.ArgumentParser(prog="python -m tests.bench long-calls", description=__doc__).parse_args(arguments)
    print(f"{'arguments of one call':44}{'KB':>8}{'ms':>10}{'twice, ms':>12}{'growth':>8}{'MB/s':>8}")
    for form in FORMATS:
        for size, length in DELTAS:
            if length <= MOST_AT_ONCE or not sends_objects(form.provider):
                _row(f"{form.name}, deltas of {size:,}", form, length, size, 64 * KIB)
        for size in PIECES:
            _row(f"{form.name}, 4,096 a delta, read by {size:,}", form, OF_PIECES, 4 * KIB, size)
    return 0


def _row(name: str, form: Format, length: int, delta: int, piece: int) -> None:
    once, size = _seconds(form, length, delta, piece)
    twice, _ = _seconds(form, 2 * length, delta, piece)
    growth, speed = twice / once, size / once / KIB / KIB
    print(f"{name:44}{length // KIB:8,}{once * 1e3:10.1f}{twice * 1e3:12.1f}{growth:8.2f}{speed:8.1f}", flush=True)


def _seconds(form: Format, length: int, delta: int, piece: int) -> tuple[float, int]:
    """Of processor time, the best of three, and the bytes of the stream."""
    call = SaidCall("write_file", {"path": "a", "content": "ab " * (length // 3)})
    said = Said(calls=(call,), piece_length=delta)
    body = b"".join(form.wire().stream(said))
    return min(_read(form, body, piece) for _ in range(3)), len(body)


def _read(form: Format, body: bytes, piece: int) -> float:
    began = time.process_time()
    reading, assembler = StreamReading(form.dialect("http://127.0.0.1/v1")), Assembler()
    for data in _pieces(body, piece):
        for delta in reading.feed(data):
            assembler.feed(delta)
    for delta in reading.end(broken=False):
        assembler.feed(delta)
    took = time.process_time() - began
    if assembler.end is None:
        raise AssertionError(f"the stream of {form.name} did not come to its end")
    return took


def _pieces(body: bytes, length: int) -> Iterator[bytes]:
    return (body[start : start + length] for start in range(0, len(body), length))

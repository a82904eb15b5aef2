"""Has a program look through files, and takes what it finds until that is enough, or takes too long."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes, Stream
from assent.tools.search.order import End, Hit
from assent.tools.search.programs import Program

SECONDS = 15.0
_TO_END = 2.0
"""For which a program is waited that says no more."""
_AT_A_TIME = 0.05
"""So often is looked at what was printed, unless it ends before."""

Take = Callable[[Sequence[Hit]], bool]
"""Takes what was found, in a thread; says whether more is wanted."""


@dataclass(slots=True)
class _Printed:
    """What was printed and not looked at yet."""

    data: bytearray = field(default_factory=bytearray)

    def add(self, stream: Stream, data: bytes) -> None:
        if stream is Stream.OUTPUT:
            self.data += data

    def lines(self, *, last: bool) -> list[bytes]:
        cut = len(self.data) if last else self.data.rfind(b"\n") + 1
        lines = bytes(self.data[:cut]).split(b"\n")
        del self.data[:cut]
        return lines[: len(lines) if last else -1]


@dataclass(frozen=True, slots=True)
class Looked:
    """How it went."""

    end: End
    code: int | None = None
    enough: bool = False
    """It was ended because no more was wanted."""


async def look(processes: Processes, program: Program, take: Take, seconds: float = SECONDS) -> Looked:
    """Raises ToolFault where the program cannot be started."""
    printed = _Printed()
    try:
        running = await processes.start(program.start, printed.add)
    except OSError as fault:
        raise ToolFault("no_search", f"The search could not be started: {fault.strerror or fault}.") from fault
    ends: list[End] = []
    until = asyncio.get_running_loop().time() + seconds
    try:
        over = False
        while not over:
            over = await running.silent(_AT_A_TIME, Stream.OUTPUT)
            lines = printed.lines(last=over)
            # Whoever prints faster than is taken has to wait.
            running.pause(Stream.OUTPUT)
            if lines and not await asyncio.to_thread(_taken, program, lines, take, ends):
                return Looked(ends[-1] if ends else End(), enough=True)
            running.go_on(Stream.OUTPUT)
            if not over and asyncio.get_running_loop().time() > until:
                return Looked(End(whole=False, why=f"it took longer than {seconds:.0f} seconds"))
        with suppress(TimeoutError):
            async with asyncio.timeout(_TO_END):
                await running.ended()
    finally:
        await running.end()
    exit_ = await running.ended()
    if exit_.limit is not None:
        return Looked(End(whole=False, why=f"it needed too much ({exit_.limit})"))
    return Looked(ends[-1] if ends else program.silent_end, exit_.code)


def _taken(program: Program, lines: list[bytes], take: Take, ends: list[End]) -> bool:
    hits: list[Hit] = []
    for one in program.read(iter(lines)):
        if isinstance(one, End):
            ends.append(one)
        else:
            hits.append(one)
    return take(hits)

"""A server for pages on this machine that says what a test wants, byte by byte, and remembers what it was asked."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

_TURNS_TO_CONNECT = 5
"""Of the loop, until what was accepted before the end is told of."""
Answer = bytes | Callable[[asyncio.StreamWriter], "asyncio.Future[None] | object"]


@dataclass
class Pages:
    """What is answered by path, and every request that came, head by head."""

    answers: dict[str, Answer]
    port: int = 0
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]


def page(body: bytes | str, kind: str = "text/html; charset=utf-8", status: str = "200 OK", **more: str) -> bytes:
    """A whole answer."""
    data = body.encode() if isinstance(body, str) else body
    headers = {
        "Content-Type": kind,
        "Content-Length": str(len(data)),
        **{k.replace("_", "-"): v for k, v in more.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    return f"HTTP/1.1 {status}\r\n{head}Connection: close\r\n\r\n".encode() + data


def moved(location: str, status: str = "302 Found") -> bytes:
    return page(b"", status=status, Location=location)


@asynccontextmanager
async def serving(answers: dict[str, Answer], context: ssl.SSLContext | None = None) -> AsyncIterator[Pages]:
    """The server, while the test needs it. The path `*` stands for all that have no answer of their own."""
    pages = Pages(answers)

    open_now: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # At once, not when the task begins: what is not known of at the end is never closed.
        open_now[writer] = asyncio.ensure_future(answer(reader, writer))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            pages.heads.append(head)
            length = next(
                (int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:")), 0
            )
            pages.bodies.append(await reader.readexactly(length))
            found = answers.get(head.split(" ")[1], answers.get("*", page("nothing here", status="404 Not Found")))
            if isinstance(found, bytes):
                writer.write(found)
                await writer.drain()
            else:
                result = found(writer)
                if asyncio.iscoroutine(result):
                    await result
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context)
    pages.port = server.sockets[0].getsockname()[1]
    try:
        yield pages
    finally:
        server.close()
        await _ended(open_now)


async def _ended(open_now: dict[asyncio.StreamWriter, asyncio.Task[None]]) -> None:
    """Nothing of a server that takes no more connections is left."""
    for _ in range(_TURNS_TO_CONNECT):
        await asyncio.sleep(0)
    for writer, task in open_now.items():
        writer.transport.abort()
        task.cancel()
    await asyncio.gather(*open_now.values(), return_exceptions=True)
    await asyncio.gather(*(writer.wait_closed() for writer in open_now), return_exceptions=True)

"""The only place that speaks to model servers. What goes wrong on the way has a name; others say what an answer means.

The HTTP library is loaded when the first request is made, and not on the loop: it takes a tenth of a second.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from assent.lazy_dataclasses import dataclass
from assent.web.unpacking import ACCEPTED, BadPacking, unpacker

if TYPE_CHECKING:
    import httpx2

MOST_CONNECTIONS = 64
MOST_IDLE = 2
IDLE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds. A model may think for long before its first word, so only silence between bytes is limited."""

    connect: float = 5.0
    read: float = 600.0
    write: float = 60.0


class Trouble(StrEnum):
    """What can go wrong before there is an answer, or in the middle of one."""

    REFUSED = "refused"
    UNKNOWN_HOST = "unknown_host"
    NOT_TRUSTED = "not_trusted"
    NO_CONNECTION = "no_connection"
    BROKEN = "broken"
    """There was a connection, and it ended too early."""
    SILENT = "silent"
    GARBLED = "garbled"
    """What came is no HTTP, or not in the encoding that it says."""


class NoAnswer(Exception):
    """The server could not be asked, or did not finish what it said."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Sending:
    """A request as it goes out."""

    url: str
    headers: Mapping[str, str]
    body: bytes | None
    """None: nothing is sent, the server is only asked."""


class Answer:
    """What a server answers: status and headers are there, the body comes as it is read."""

    def __init__(self, response: "httpx2.Response") -> None:
        self._response = response

    @property
    def status(self) -> int:
        return self._response.status_code

    def header(self, name: str) -> str | None:
        """The header of this name, however it is spelled."""
        value: str | None = self._response.headers.get(name)
        return value

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The body, unpacked, in pieces as they arrive. Raises NoAnswer where it ends too early."""
        try:
            unpack = unpacker(self.header("content-encoding") or "")
            with _named_troubles():
                async with aclosing(self._response.aiter_raw()) as pieces:
                    async for piece in pieces:
                        for plain in unpack.feed(piece):
                            yield plain
        except BadPacking as fault:
            raise NoAnswer(Trouble.GARBLED, str(fault)) from fault
        if not unpack.is_whole:
            raise NoAnswer(Trouble.BROKEN, "")

    async def beginning(self, most: int) -> bytes:
        """So much of the body; what follows is not read, and a body that breaks off is no fault."""
        read = bytearray()
        try:
            async with aclosing(self.chunks()) as chunks:
                async for chunk in chunks:
                    read += chunk
                    if len(read) >= most:
                        break
        except NoAnswer:
            pass
        return bytes(read[:most])


class Connection:
    """The connections to one model server, kept for its next request. Closed with `aclose`."""

    def __init__(self, *, through_proxy: bool, encrypted: bool = True, limits: TimeLimits | None = None) -> None:
        self._through_proxy = through_proxy
        self._encrypted = encrypted or through_proxy
        self._limits = limits or TimeLimits()
        self._client: httpx2.AsyncClient | None = None
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def ask(self, sending: Sending) -> AsyncGenerator[Answer, None]:
        """Sends the request and gives the answer as soon as its headers are there. Leaving it ends the request."""
        client = await self.open()
        with _named_troubles():
            method = "GET" if sending.body is None else "POST"
            request = client.build_request(method, sending.url, headers=dict(sending.headers), content=sending.body)
            response = await client.send(request, stream=True, follow_redirects=False)
        try:
            yield Answer(response)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Ends every connection, with what is still being answered."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def open(self) -> "httpx2.AsyncClient":
        """Loads what speaks HTTP. Nothing is sent yet."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(_new_client, self._through_proxy, self._encrypted, self._limits)
            return self._client


def _new_client(through_proxy: bool, encrypted: bool, limits: TimeLimits) -> "httpx2.AsyncClient":
    import logging
    from http.cookiejar import DefaultCookiePolicy
    from importlib import import_module

    import httpx2

    for module in ("anyio._backends._asyncio", "h11"):
        import_module(module)  # the first request would load them on the loop

    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(limits.read, connect=limits.connect, write=limits.write, pool=limits.connect),
        limits=httpx2.Limits(
            max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_IDLE, keepalive_expiry=IDLE_SECONDS
        ),
        # Proxies are named in the environment. What runs on this machine is never asked through one.
        trust_env=through_proxy,
        # To read whom this machine trusts takes far longer than all else here. Who trusts nobody needs no list.
        verify=True if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        headers={"Accept-Encoding": ACCEPTED},
    )
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@contextmanager
def _named_troubles() -> Iterator[None]:
    import httpx2

    try:
        yield
    except (httpx2.ConnectError, httpx2.ProxyError) as fault:
        raise NoAnswer(_why_not_connected(fault), _root(fault)) from fault
    except (httpx2.ConnectTimeout, httpx2.PoolTimeout) as fault:
        raise NoAnswer(Trouble.NO_CONNECTION, "it took too long") from fault
    except httpx2.TimeoutException as fault:
        raise NoAnswer(Trouble.SILENT, "it fell silent") from fault
    except httpx2.NetworkError as fault:
        raise NoAnswer(Trouble.BROKEN, _root(fault)) from fault
    except httpx2.RemoteProtocolError as fault:
        raise NoAnswer(_why_misunderstood(fault), _root(fault)) from fault
    except (httpx2.RequestError, httpx2.InvalidURL, httpx2.StreamError) as fault:
        raise NoAnswer(Trouble.GARBLED, _root(fault)) from fault


def _why_not_connected(fault: BaseException) -> Trouble:
    for cause in _causes(fault):
        if isinstance(cause, socket.gaierror):
            return Trouble.UNKNOWN_HOST
        if isinstance(cause, ssl.SSLError):
            return Trouble.NOT_TRUSTED
        if isinstance(cause, ConnectionRefusedError):
            return Trouble.REFUSED
        if isinstance(cause, ConnectionResetError):
            return Trouble.BROKEN
    return Trouble.NO_CONNECTION


def _why_misunderstood(fault: Exception) -> Trouble:
    """The library says in words alone whether the connection ended or what came was no HTTP."""
    said = str(fault).lower()
    return Trouble.BROKEN if "disconnected" in said or "closed" in said or "terminated" in said else Trouble.GARBLED


def _root(fault: Exception) -> str:
    """What the operating system or the library said first."""
    said = [str(cause) for cause in _causes(fault) if str(cause)]
    return said[-1] if said else type(fault).__name__


def _causes(fault: BaseException) -> Iterator[BaseException]:
    """The fault, and what led to it, one after the other."""
    waiting, seen = [fault], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
        waiting += [led for led in (cause.__cause__, cause.__context__) if led is not None]

"""Asks a server for one page: connects to what was looked at, sends nothing of the user, and reads within limits.

The HTTP library is loaded when the first page is asked for, and not on the loop: it takes a tenth of a second.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.policy.rules.reserved import Reach
from assent.web.guard import Guard
from assent.web.target import Elsewhere, Target, redirected
from assent.web.unpacking import ACCEPTED, BadPacking, unpacker

if TYPE_CHECKING:
    import httpx2

MOST_REDIRECTS = 5
MOST_BYTES = 4 * 1024 * 1024
_MOVED = frozenset({301, 302, 303, 307, 308})
_AGENT = "Assent (reads a page for its user)"
_WANTED = "text/html, application/xhtml+xml, text/plain, application/json, text/*;q=0.9, */*;q=0.1"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a page may take, and how much of it is read."""

    seconds: float = 30.0
    """From the first look at the name to the last byte, with all redirects."""
    connect: float = 10.0
    silent: float = 15.0
    bytes: int = MOST_BYTES


@dataclass(frozen=True, slots=True)
class Page:
    """What a server answered."""

    target: Target
    status: int
    content_type: str
    """As the server says, in small letters; empty where it does not."""
    data: bytes
    cut: bool = False
    """There was more than is read of any page."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as a browser wants it made."""

    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What came, whatever it is: where a server sends one to another place, that is the answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


Trust = Callable[[], ssl.SSLContext]
"""Whom to believe that they are who they say. It may take long, so it is not called on the loop."""
ProxyOf = Callable[[Target], str]
"""The proxy through which the user's machine would reach this; empty where it needs none."""


def usual_trust() -> ssl.SSLContext:
    """Whom this machine trusts."""
    import httpx2

    context: ssl.SSLContext = httpx2.create_ssl_context()
    return context


def usual_proxy(target: Target) -> str:
    """As the environment, or the system's settings, name it."""
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    proxy = proxies.get(target.scheme) or proxies.get("all") or ""
    return "" if not proxy or proxy_bypass(target.authority) else proxy


class Visitor:
    """Fetches pages. Nothing is kept between two of them: no cookies, no connections, no names."""

    def __init__(
        self,
        guard: Guard | None = None,
        *,
        limits: Limits | None = None,
        trust: Trust = usual_trust,
        proxy_of: ProxyOf = usual_proxy,
    ) -> None:
        self._guard = guard or Guard()
        self._limits = limits or Limits()
        self._trust = trust
        self._proxy_of = proxy_of
        self._context: ssl.SSLContext | None = None
        self._learning = asyncio.Lock()

    async def fetch(self, target: Target, *, near: bool) -> Page | Elsewhere:
        """The page, or where its server sends one instead. `near`: this very host was agreed to. Raises ToolFault."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._follow(target, near=near)
        except TimeoutError:
            text = f"{target.host} took longer than {self._limits.seconds:g} seconds. Nothing of it was kept."
            raise ToolFault("took_too_long", text) from None

    async def exchange(self, target: Target, asked: Asked, *, near: bool) -> Answered:
        """One request and its whole answer. Raises ToolFault."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                self._refuse_proxy(target)
                places = await self._guard.places(target, near=near)
                async with self._answer(target, places, asked) as response:
                    body, cut = await self._body(target, response)
                    if cut:
                        raise ToolFault("too_large", f"{target.url} is larger than {self._limits.bytes:,} bytes.")
                    headers = tuple((name, value) for name, value in response.headers.multi_items())
                    return Answered(response.status_code, headers, body)
        except TimeoutError:
            raise ToolFault(
                "took_too_long", f"{target.host} took longer than {self._limits.seconds:g} seconds."
            ) from None

    async def _follow(self, target: Target, *, near: bool) -> Page | Elsewhere:
        here = target
        for _ in range(MOST_REDIRECTS + 1):
            found = await self._ask(here, near=near)
            if isinstance(found, Page):
                return found
            there = redirected(here, found)
            if isinstance(there, Elsewhere):
                return there
            here = there
        text = f"{target.host} sent the request on more than {MOST_REDIRECTS} times, so it was given up."
        raise ToolFault("too_many_redirects", text)

    async def _ask(self, target: Target, *, near: bool) -> Page | str:
        """A page, or the place that the server names instead of one."""
        self._refuse_proxy(target)
        places = await self._guard.places(target, near=near)
        async with self._answer(target, places) as response:
            location = response.headers.get("location")
            if response.status_code in _MOVED and location:
                return str(location)
            return await self._read(target, response)

    def _refuse_proxy(self, target: Target) -> None:
        proxy = self._proxy_of(target) if target.reach is Reach.PUBLIC else ""
        if not proxy:
            return
        raise ToolFault(
            "proxy_in_use",
            f"This machine reaches {target.host} through a proxy. Where a proxy connects to cannot be checked from "
            "here, so nothing was sent. If the host can be reached without it, the user can add it to NO_PROXY.",
        )

    @asynccontextmanager
    async def _answer(
        self, target: Target, places: tuple[str, ...], asked: Asked | None = None
    ) -> "AsyncGenerator[httpx2.Response, None]":
        """The beginning of the answer of the first of these addresses that can be connected to."""
        import httpx2

        async with await self._client() as client:
            fault: Exception | None = None
            for place in places:
                try:
                    request = _request(client, target, place, asked or Asked())
                    response = await client.send(request, stream=True, follow_redirects=False)
                except (httpx2.ConnectError, httpx2.ConnectTimeout) as refused:
                    fault = refused
                    continue
                except httpx2.HTTPError as broken:
                    raise _broken(target, broken) from broken
                try:
                    yield response
                finally:
                    await response.aclose()
                return
            raise _not_connected(target, fault) from fault

    async def _read(self, target: Target, response: "httpx2.Response") -> Page:
        kind = str(response.headers.get("content-type") or "").lower()
        told = response.headers.get("content-length")
        if not is_text(kind):
            raise _not_text(target, kind, told)
        data, cut = await self._body(target, response)
        if not kind and b"\0" in data[:1024]:
            raise _not_text(target, "unknown", told or str(len(data)))
        return Page(target, response.status_code, kind, data, cut)

    async def _body(self, target: Target, response: "httpx2.Response") -> tuple[bytes, bool]:
        """What is read of it, unpacked, and whether there is more."""
        import httpx2

        read, packed, cut = bytearray(), 0, False
        try:
            unpack = unpacker(response.headers.get("content-encoding") or "")
            async for raw in response.aiter_raw():
                packed += len(raw)
                for piece in unpack.feed(raw):
                    read += piece
                    if len(read) > self._limits.bytes:
                        break
                cut = max(len(read), packed) > self._limits.bytes
                if cut:
                    break
        except BadPacking as fault:
            raise ToolFault("garbled", f"What {target.host} sent cannot be unpacked: {fault}.") from fault
        except httpx2.HTTPError as fault:
            raise _broken(target, fault) from fault
        return bytes(read[: self._limits.bytes]), cut

    async def _client(self) -> "httpx2.AsyncClient":
        async with self._learning:
            if self._context is None:
                self._context = await asyncio.to_thread(self._prepared)
        import httpx2

        # One for each request: a connection that was made for one name is never used for another.
        return httpx2.AsyncClient(
            verify=self._context,
            trust_env=False,
            timeout=httpx2.Timeout(self._limits.silent, connect=self._limits.connect),
            headers={"User-Agent": _AGENT, "Accept": _WANTED, "Accept-Encoding": ACCEPTED},
        )

    def _prepared(self) -> ssl.SSLContext:
        import logging
        from importlib import import_module

        import httpx2  # noqa: F401 - loaded here, and not on the loop

        for module in ("anyio._backends._asyncio", "h11"):
            import_module(module)
        for name in ("httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        return self._trust()


def _request(client: "httpx2.AsyncClient", target: Target, place: str, asked: Asked) -> "httpx2.Request":
    """Goes to the address that was looked at, and speaks to the host that was asked for."""
    number = f"[{place}]" if ":" in place else place
    return client.build_request(
        asked.method,
        f"{target.scheme}://{number}:{target.port}/",
        headers=[("Host", target.authority), *asked.headers],
        content=asked.body,
        extensions={"target": target.path.encode("ascii"), "sni_hostname": target.host.strip("[]")},
    )


_TEXT = frozenset({"javascript", "ecmascript", "json", "ld+json", "xml", "xhtml+xml", "yaml", "x-yaml", "toml", "sql"})


def is_text(content_type: str) -> bool:
    """Whether what is of this type can be read. Where a server does not say, it may be."""
    kind = content_type.partition(";")[0].strip()
    family, _, name = kind.partition("/")
    known = family == "application" and (name.removeprefix("x-") in _TEXT or name.endswith(("+json", "+xml")))
    return not kind or family == "text" or known


def _not_text(target: Target, kind: str, told: str | None) -> ToolFault:
    size = f", {told} bytes" if told and told.isascii() and told.isdigit() and len(told) < 20 else ""
    name = "".join(sign for sign in kind.partition(";")[0] if sign.isprintable())[:80]
    text = f"{target.url} is no text ({name}{size}), so there is nothing to read. It was not downloaded."
    return ToolFault("not_text", text)


def _broken(target: Target, fault: Exception) -> ToolFault:
    text = f"{target.host} did not answer as a server for pages does: {type(fault).__name__}. Nothing of it was kept."
    return ToolFault("no_answer", text)


def _not_connected(target: Target, fault: Exception | None) -> ToolFault:
    seen: BaseException | None = fault
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            text = (
                f"{target.host} cannot prove that it is {target.host}: {getattr(seen, 'verify_message', '') or seen}."
            )
            return ToolFault("not_trusted", text)
        seen = seen.__cause__ or seen.__context__
    return ToolFault("no_connection", f"{target.host} cannot be reached on port {target.port}.")

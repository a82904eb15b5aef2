"""Where a name leads, found out here and nowhere else: what is then connected to is exactly what was looked at."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.policy.rules.reserved import Number, Reach, is_this_machine, number_of, reach_of
from assent.web.target import Target

Lookup = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""The addresses of a name, by the machine's own means. Raises OSError."""
MOST_ADDRESSES = 16
_THIS_MACHINE: tuple[Number, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


async def look_up(name: str, port: int) -> tuple[str, ...]:
    """Asks the machine's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


@dataclass(frozen=True, slots=True)
class Guard:
    """Says which addresses may be connected to for a target. No name leads to what is near: only a number does."""

    lookup: Lookup = look_up
    reach: Callable[[Number], Reach] = reach_of

    async def places(self, target: Target, *, near: bool) -> tuple[str, ...]:
        """The addresses to connect to, in their order. `near`: this very host was agreed to. Raises ToolFault."""
        if is_this_machine(target.host):
            return self._checked(target, _THIS_MACHINE, near=near, by_name=False)
        number = number_of(target.host)
        if number is not None:
            return self._checked(target, (number,), near=near, by_name=False)
        return self._checked(target, await self._found(target), near=False, by_name=True)

    async def _found(self, target: Target) -> tuple[Number, ...]:
        try:
            texts = await self.lookup(target.host, target.port)
            found = tuple(ip_address(text) for text in texts[:MOST_ADDRESSES])
        except (OSError, ValueError) as fault:
            text = f"The name {target.host} leads nowhere: it cannot be looked up. Check the address."
            raise ToolFault("unknown_host", text) from fault
        if not found:
            raise ToolFault("unknown_host", f"The name {target.host} leads nowhere: it has no address.")
        return found

    def _checked(self, target: Target, numbers: tuple[Number, ...], *, near: bool, by_name: bool) -> tuple[str, ...]:
        """All of them or none: a name that leads to several kinds of places is up to something."""
        for number in numbers:
            reach = self.reach(number)
            if reach is Reach.NEVER or (reach is Reach.NEAR and not near):
                raise _refused(target, number, reach, by_name=by_name)
        return tuple(map(str, numbers))


def _refused(target: Target, number: Number, reach: Reach, *, by_name: bool) -> ToolFault:
    leads = f"{target.host} leads to {number}, which" if by_name else f"{target.host}"
    if reach is Reach.NEVER:
        text = f"{leads} is no address of a page: machines tell secrets there, or it hides another address."
        return ToolFault("address_refused", f"{text} Nothing was sent, and nothing can allow it.")
    text = f"{leads} is on this machine or in a network around it. Nothing was sent."
    if by_name:
        return ToolFault("address_refused", f"{text} Such a place is only reached by its number, not by a name.")
    advice = f"It needs the user's click on a card or, for web_fetch, an allow rule that names {target.authority}."
    return ToolFault("address_refused", f"{text} {advice}")

"""The rules of one effect about addresses, found by the host that they name.

A restriction speaks of a call that reaches one of its addresses, or one that cannot be understood. A permission must
match every address for certain, and there must be nothing beside them.
"""

from collections.abc import Iterator
from itertools import accumulate, islice

from assent.model.addresses import Address, Addresses
from assent.model.calls import PathUse
from assent.policy.rules.address_pattern import AddressPattern, parse_address
from assent.policy.rules.commands.index import Doubt, Placed
from assent.policy.rules.naming import is_raised
from assent.policy.rules.pattern import UnusablePattern
from assent.policy.rules.reserved import Reach, reach_of_host
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule

_NOT_SHOWN = "It does not show which address it would reach."


class AddressRules:
    """All rules of one effect about addresses. They are added in their order."""

    def __init__(self, effect: Effect) -> None:
        self._restricts = effect.restricts
        self._whole: list[Placed] = []
        self._all: list[Placed] = []
        self._hosts: dict[str, list[tuple[Placed, AddressPattern]]] = {}
        self._below: dict[str, list[tuple[Placed, AddressPattern]]] = {}

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used. A restriction then holds for the whole tool."""
        placed, fault = Placed(order, rule), None
        if rule.pattern == WHOLE_TOOL:
            self._whole.append(placed)
        else:
            try:
                pattern = parse_address(rule.pattern)
                shelf = self._below if pattern.below else self._hosts
                shelf.setdefault(pattern.host, []).append((placed, pattern))
            except UnusablePattern as unusable:
                fault = str(unusable)
                self._whole.extend([placed] if self._restricts else [])
        self._all.append(placed)
        return fault

    def restricts(self, addresses: Addresses, agent: str) -> Placed | None:
        """The first rule that speaks of any of these addresses, or could do so."""
        return min(self.restricting(addresses, agent), key=_order, default=None)

    def restricting(self, addresses: Addresses, agent: str) -> list[Placed]:
        """All rules that do so, in no order."""
        found = [one for one in self._whole if one.is_for(agent)]
        if any(address.doubt for address in addresses.named):
            found.extend(self._first(agent))
        for address in addresses.named:
            found.extend(one for one, pattern in self._about(address, agent) if pattern.restricts(address))
        return found

    def permits(self, addresses: Addresses, paths: tuple[PathUse, ...], agent: str) -> Placed | None:
        """The rule that permits the first of these addresses, if each is permitted by one."""
        whole = [] if any(map(is_raised, paths)) else [one for one in self._whole if one.is_for(agent)]
        if addresses.unseen or not addresses.named or paths:
            return min(whole, key=_order, default=None)
        each = [self._permitting(address, whole, agent) for address in addresses.named]
        return None if None in each else each[0]

    def doubt(self, addresses: Addresses, agent: str) -> Doubt | None:
        """The first rule, where the call may reach an address that it does not show."""
        why = addresses.unseen or ("" if addresses.named else _NOT_SHOWN)
        return next((Doubt(one, why) for one in self._first(agent)), None) if why else None

    def _first(self, agent: str) -> Iterator[Placed]:
        """The first of all rules, whatever it is about."""
        return islice((one for one in self._all if one.is_for(agent)), 1)

    def _permitting(self, address: Address, whole: list[Placed], agent: str) -> Placed | None:
        clear = () if address.doubt else self._about(address, agent)
        # What is on this machine, or around it, has to be named.
        general = whole if reach_of_host(address.host) is Reach.PUBLIC else ()
        found = [*general, *(one for one, pattern in clear if pattern.permits(address))]
        return min(found, key=_order, default=None)

    def _about(self, address: Address, agent: str) -> Iterator[tuple[Placed, AddressPattern]]:
        """The rules about this host."""
        labels = address.host.split(".")
        above = accumulate(reversed(labels), lambda below, label: f"{label}.{below}")
        shelves = [self._hosts.get(address.host, ()), *(self._below.get(name, ()) for name in above)]
        for shelf in shelves:
            yield from (
                (one, pattern)
                for one, pattern in shelf
                if one.is_for(agent) and (not pattern.below or pattern.host != address.host)
            )


def _order(placed: Placed) -> int:
    return placed.order

"""Tells an agent what to choose, one thing after the other, and hears its answer however late that comes."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol

from assent.acp.connection import Connection
from assent.acp.faults import AgentFault, AgentGone, AgentSilent, AgentUnclear
from assent.acp.fields import member
from assent.acp.known_settings import KnownSettings, Order
from assent.acp.settings_reading import MODEL, OFF, ON, settings_of
from assent.acp.words import Introduction, Setting, SettingsTold
from assent.model.json import Json, JsonObject

_SECONDS = 30.0


class Talking(Protocol):
    """A running agent that can be told something."""

    @property
    def connection(self) -> Connection: ...

    @property
    def introduction(self) -> Introduction: ...


class Orders:
    """Of one session. An order whose answer nobody waits for any more is still open: the agent may be at it."""

    def __init__(self, late: Callable[[], None]) -> None:
        self._late = late
        """An answer has come, or none will, for which nobody waited any more."""
        self.in_turn = asyncio.Lock()
        """Held by whoever gives orders: what the user chooses and what is put right do not cross."""
        self._asking: dict[Order, asyncio.Task[Json]] = {}

    def send(self, stay: Talking, acp_id: str, known: KnownSettings, setting: Setting, wanted: str) -> Order:
        """From now on it is not known how this is set."""
        method, params = _in_protocol(acp_id, setting, wanted)
        order = known.ordered(setting, wanted)
        answered = partial(self._answered, order, known)
        # However the wait for it ends: it is asked until it is answered, or the agent is gone.
        asking = asyncio.ensure_future(stay.connection.request(method, params, None, arrived=answered))
        self._asking[order] = asking
        asking.add_done_callback(partial(self._over, order, known))
        return order

    async def settled(self, order: Order) -> None:
        """The agent took it. Raises AgentFault where it did not, or has not said so in time."""
        try:
            async with asyncio.timeout(_SECONDS):
                await asyncio.shield(self._asking[order])
        except TimeoutError as fault:
            raise AgentSilent(f"it did not answer within {_SECONDS:g} seconds") from fault
        finally:
            order.is_awaited = False

    def _answered(self, order: Order, known: KnownSettings, result: Json) -> None:
        known.answered(order)
        if told := settings_of(member(result, "configOptions")):
            # Choosing one thing can change what else there is to choose.
            known.take(SettingsTold(told))

    def _over(self, order: Order, known: KnownSettings, asking: "asyncio.Task[Json]") -> None:
        fault = None if asking.cancelled() else asking.exception()
        if isinstance(fault, AgentFault) and not isinstance(fault, AgentGone | AgentUnclear):
            known.refused(order)
        del self._asking[order]
        if not order.is_awaited:
            self._late()


def _in_protocol(acp_id: str, setting: Setting, wanted: str) -> tuple[str, JsonObject]:
    if not setting.by_option:
        if setting.setting_id == MODEL:
            return "session/set_model", {"sessionId": acp_id, "modelId": wanted}
        return "session/set_mode", {"sessionId": acp_id, "modeId": wanted}
    named: JsonObject = {"sessionId": acp_id, "configId": setting.setting_id}
    if {one.choice_id for one in setting.choices} == {ON, OFF}:
        return "session/set_config_option", {**named, "type": "boolean", "value": wanted == ON}
    return "session/set_config_option", {**named, "value": wanted}

"""Keeps an agent's session in the mode in which it asks, and warns where it is in one in which it does not."""

from dataclasses import replace
from typing import Protocol

from assent.acp.connection import Connection
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.modes import asking_mode, danger, plan_mode
from assent.acp.words import Introduction, ModeTold, Opened, Setting, SettingsTold
from assent.agent.guest import Host
from assent.model.events import Notice, NoticeLevel
from assent.model.json import JsonObject
from assent.model.modes import Mode

_CATEGORY = "mode"
_SECONDS = 30.0


class SessionModes:
    """Of one session. What the agent says of its mode is believed; what it does beside that shows in its calls."""

    def __init__(self, agent_name: str) -> None:
        self._agent_name = agent_name
        self._settings: tuple[Setting, ...] = ()
        self._plans: bool | None = None
        self._warned: str | None = None

    async def prepare(self, stay: "Talking", acp_id: str, opened: Opened | None, host: Host) -> None:
        """Before a message: a new session is put where it asks, and into its plan mode where the chat is in one."""
        if opened is not None:
            self._settings, self._plans, self._warned = opened.settings, None, None
        plans = host.mode is Mode.PLAN
        if plans is not self._plans:
            for setting in self._of_mode():
                await self._set(stay, acp_id, setting, plans=plans, host=host)
            self._plans = plans
        self._warn(host)

    def told(self, update: ModeTold | SettingsTold, host: Host) -> None:
        """The agent says in which mode it is."""
        if isinstance(update, SettingsTold):
            kept = [one for one in self._settings if not one.by_option and not _names_one_of(one, update.settings)]
            self._settings = (*kept, *update.settings)
        else:
            self._settings = tuple(
                replace(one, current=update.mode_id) if one.category == _CATEGORY else one for one in self._settings
            )
        self._warn(host)

    def _of_mode(self) -> list[Setting]:
        return [one for one in self._settings if one.category == _CATEGORY]

    async def _set(self, stay: "Talking", acp_id: str, setting: Setting, *, plans: bool, host: Host) -> None:
        asks = asking_mode(stay.introduction, setting)
        wanted = (plan_mode(setting) or asks) if plans else asks
        if wanted is None or wanted == setting.current:
            return
        method, params = _order(acp_id, setting, wanted)
        try:
            await stay.connection.request(method, params, _SECONDS)
        except AgentGone:
            raise
        except AgentFault as fault:
            words = f"{self._agent_name} could not be put into its mode “{wanted}”: {fault.message}"
            host.tell(Notice(words, NoticeLevel.WARNING))
            return
        self._settings = tuple(
            replace(one, current=wanted) if one.setting_id == setting.setting_id else one for one in self._settings
        )

    def _warn(self, host: Host) -> None:
        for setting in self._of_mode():
            if setting.current is None:
                continue
            words = danger(setting, setting.current)
            if words is not None and words != self._warned:
                self._warned = words
                host.tell(Notice(f"{self._agent_name}: {words}", NoticeLevel.WARNING))


class Talking(Protocol):
    """A running agent that can be told something."""

    @property
    def connection(self) -> Connection: ...

    @property
    def introduction(self) -> Introduction: ...


def _names_one_of(setting: Setting, others: tuple[Setting, ...]) -> bool:
    return any(one.category == setting.category for one in others)


def _order(acp_id: str, setting: Setting, wanted: str) -> tuple[str, JsonObject]:
    if setting.by_option:
        return "session/set_config_option", {"sessionId": acp_id, "configId": setting.setting_id, "value": wanted}
    return "session/set_mode", {"sessionId": acp_id, "modeId": wanted}

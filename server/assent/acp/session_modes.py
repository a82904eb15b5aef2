"""Keeps an agent's session in the mode in which it asks, does what the user chooses in it, and warns of danger."""

from dataclasses import replace
from typing import Protocol

from assent.acp.connection import Connection
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.fields import member
from assent.acp.modes import asking_mode, plan_mode
from assent.acp.settings_reading import MODE, MODEL, OFF, ON, settings_of
from assent.acp.standing import Standing
from assent.acp.words import Introduction, ModeTold, Opened, Setting, SettingsTold
from assent.model.errors import InvalidRequest, NotConfirmed
from assent.model.events import Notice, NoticeLevel
from assent.model.json import JsonObject

_SECONDS = 30.0
_MOST_EARLY = 20


class SessionModes:
    """Of one session. What the agent says of its mode is believed; what it does beside that shows in its calls."""

    def __init__(self, agent_name: str, standing: Standing) -> None:
        self._agent_name = agent_name
        self._standing = standing
        self._agent: Introduction | None = None
        self._acp_id: str | None = None
        self._settings: tuple[Setting, ...] = ()
        self._early: list[ModeTold | SettingsTold] = []
        """What was told of a session before its settings were taken in: it is newer than those."""
        self._is_new = False
        """Nothing was chosen in the session since it began."""
        self._plans: bool | None = None
        self._warned: str | None = None
        self._chosen: dict[str, str] = {}
        """By the user, without what is dangerous: that holds for one session of the agent, and must be chosen anew."""

    def begun(self, opened: Opened) -> None:
        """The agent has answered that the session is there: before a message, it has to be put right."""
        self._settings, self._plans, self._warned, self._is_new = opened.settings, None, None, True
        for update in self._early:
            self._take(update)
        self._early.clear()

    async def put_right(self, stay: "Talking", acp_id: str, *, plans: bool) -> None:
        """Before a message: a new session is put where it asks, and into its plan mode where the chat is in one."""
        self._agent, self._acp_id = stay.introduction, acp_id
        if self._is_new:
            await self._choose_again(stay, acp_id)
            self._is_new = False
        self._early.clear()
        if plans is not self._plans:
            for setting in self._of_mode():
                await self._put(stay, acp_id, setting, plans=plans)
            self._plans = plans
        self._tell()

    def expect(self) -> None:
        """Another session of the agent is about to begin: what was told of the one before is not so of that."""
        self._early.clear()

    def told(self, update: ModeTold | SettingsTold) -> None:
        """The agent says in which mode it is."""
        self._early.append(update)
        del self._early[:-_MOST_EARLY]
        self._take(update)
        self._tell()

    def _take(self, update: ModeTold | SettingsTold) -> None:
        if isinstance(update, SettingsTold):
            kept = [one for one in self._settings if not one.by_option and not _names_one_of(one, update.settings)]
            self._settings = (*kept, *update.settings)
        else:
            self._settings = tuple(
                replace(one, current=update.mode_id) if one.category == MODE else one for one in self._settings
            )

    async def choose(self, stay: "Talking", acp_id: str, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user wants it so."""
        setting = next((one for one in self._settings if one.setting_id == setting_id), None)
        if setting is None:
            raise InvalidRequest(f"{self._agent_name} has no such setting now", "params.settingId")
        if all(one.choice_id != value for one in setting.choices):
            raise InvalidRequest(f"{self._agent_name} does not offer this for “{setting.name}”", "params.value")
        words = self._standing.danger(setting, value, stay.introduction)
        if words is not None and not confirmed:
            raise NotConfirmed(words)
        try:
            await self._order(stay, acp_id, setting, value)
        except AgentFault as fault:
            raise InvalidRequest(f"{self._agent_name} did not take it: {fault.message}", "params.value") from fault
        self._chosen.pop(setting_id, None)
        if words is None:
            self._chosen[setting_id] = value
        self._tell()

    def gone(self) -> None:
        """The agent has ended: nothing of it can be chosen until it runs again, and nothing of it is dangerous."""
        if self._settings:
            self._settings = ()
            self._tell()

    def _asking_mode(self, stay: "Talking", setting: Setting) -> str | None:
        return asking_mode(stay.introduction, setting, self._standing.launch_words)

    def _of_mode(self) -> list[Setting]:
        return [one for one in self._settings if one.category == MODE]

    async def _choose_again(self, stay: "Talking", acp_id: str) -> None:
        """A session that is new to the agent begins as the user had the one before. Its modes come later."""
        for setting in self._settings:
            wanted = self._chosen.get(setting.setting_id)
            if setting.category != MODE and wanted is not None and wanted != setting.current:
                await self._try(stay, acp_id, setting, wanted)

    async def _put(self, stay: "Talking", acp_id: str, setting: Setting, *, plans: bool) -> None:
        asks = self._chosen.get(setting.setting_id) or self._asking_mode(stay, setting)
        wanted = (plan_mode(setting) or asks) if plans else asks
        if wanted is not None and wanted != setting.current:
            await self._try(stay, acp_id, setting, wanted)

    async def _try(self, stay: "Talking", acp_id: str, setting: Setting, wanted: str) -> None:
        try:
            await self._order(stay, acp_id, setting, wanted)
        except AgentGone:
            raise
        except AgentFault as fault:
            what = f"its mode “{wanted}”" if setting.category == MODE else f"“{wanted}” for “{setting.name}”"
            words = f"{self._agent_name} could not be put into {what}: {fault.message}"
            self._standing.tell(Notice(words, NoticeLevel.WARNING))

    async def _order(self, stay: "Talking", acp_id: str, setting: Setting, wanted: str) -> None:
        method, params = _order(acp_id, setting, wanted)
        result = await stay.connection.request(method, params, _SECONDS)
        told = settings_of(member(result, "configOptions"))
        if told:
            # Choosing one thing can change what else there is to choose.
            self.told(SettingsTold(told))
        else:
            self._settings = tuple(
                replace(one, current=wanted) if one.setting_id == setting.setting_id else one for one in self._settings
            )

    def _tell(self) -> None:
        self._standing.chosen(self._settings, self._agent, self._acp_id)
        words = self._standing.first_danger(self._settings, self._agent)
        if words is not None and words != self._warned:
            self._standing.tell(Notice(f"{self._agent_name}: {words}", NoticeLevel.WARNING))
        self._warned = words


class Talking(Protocol):
    """A running agent that can be told something."""

    @property
    def connection(self) -> Connection: ...

    @property
    def introduction(self) -> Introduction: ...


def _names_one_of(setting: Setting, others: tuple[Setting, ...]) -> bool:
    return any(one.category == setting.category for one in others)


def _order(acp_id: str, setting: Setting, wanted: str) -> tuple[str, JsonObject]:
    if not setting.by_option:
        if setting.setting_id == MODEL:
            return "session/set_model", {"sessionId": acp_id, "modelId": wanted}
        return "session/set_mode", {"sessionId": acp_id, "modeId": wanted}
    named: JsonObject = {"sessionId": acp_id, "configId": setting.setting_id}
    if {one.choice_id for one in setting.choices} == {ON, OFF}:
        return "session/set_config_option", {**named, "type": "boolean", "value": wanted == ON}
    return "session/set_config_option", {**named, "value": wanted}

"""Keeps an agent's session in the mode in which it asks, does what the user chooses in it, and warns of danger."""

from collections.abc import Iterator
from contextlib import contextmanager

from assent.acp.faults import AgentFault, AgentGone, AgentSilent, AgentUnclear
from assent.acp.known_settings import KnownSettings, Order
from assent.acp.modes import asking_choice, asking_mode, is_of_modes, plan_mode
from assent.acp.ordering import Orders, Talking
from assent.acp.recognising import known_agent
from assent.acp.standing import Standing
from assent.acp.words import Introduction, ModeTold, Opened, Setting, SettingsTold
from assent.model.errors import InvalidRequest, NotConfirmed
from assent.model.events import Notice, NoticeLevel

_MOST_EARLY = 20
_MOST_PUT = 20
"""Settings that are put right before one message: an agent can have new ones after each order."""
_UNKNOWN = "{agent} has not said whether it took “{choice}” for “{setting}”: it may act without asking."
_NOT_SAID = (
    "it has not said whether it took “{choice}” for “{setting}”, so it is told nothing while it may act without "
    "asking. Try again; where it stays silent, choose its mode anew, or begin a new chat with it."
)


class SessionModes:
    """Of one session. What the agent says of its mode is believed; what it does beside that shows in its calls."""

    def __init__(self, agent_name: str, standing: Standing) -> None:
        self._agent_name = agent_name
        self._standing = standing
        self._agent: Introduction | None = None
        self._acp_id: str | None = None
        self._known = KnownSettings()
        self._orders = Orders(self._tell)
        self._early: list[ModeTold | SettingsTold] = []
        """What was told of a session before its settings were taken in: it is newer than those."""
        self._is_new = False
        """Nothing was chosen in the session since it began."""
        self._is_unsure = False
        """It was not put anywhere since it began, and its agent is one whose word for where it began is not so."""
        self._plans: bool | None = None
        self._warned: str | None = None
        self._troubles: dict[str, str] = {}
        """What was said of settings that could not be chosen: it is said once."""
        self._held: dict[str, str] = {}
        """What the user chose in this session since it was put right for its plans, also what is dangerous."""
        self._chosen: dict[str, str] = {}
        """By the user, without what is dangerous: that holds for one session of the agent, and must be chosen anew."""

    def begun(self, opened: Opened) -> None:
        """The agent has answered that the session is there: before a message, it has to be put right."""
        self._forget(opened.settings)
        self._is_new = True
        for update in self._early:
            self._known.take(update)
        self._early.clear()

    async def put_right(self, stay: Talking, acp_id: str, *, plans: bool) -> None:
        """Before a message: the session is put where it asks or where the user wants it, or into its plan mode where
        the chat is in one. Raises AgentFault where it then is not known in which mode it is.
        """
        self._agent, self._acp_id = stay.introduction, acp_id
        async with self._orders.in_turn:
            with self._telling():
                await self._put_right(stay, acp_id, plans=plans)

    def expect(self) -> None:
        """Another session of the agent is about to begin: what was told of the one before is not so of that."""
        self._early.clear()

    def told(self, update: ModeTold | SettingsTold) -> None:
        """The agent says in which mode it is."""
        self._early.append(update)
        del self._early[:-_MOST_EARLY]
        self._known.take(update)
        self._tell()

    async def choose(self, stay: Talking, acp_id: str, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user wants it so."""
        async with self._orders.in_turn:
            setting = self._known.named(setting_id)
            if setting is None:
                raise InvalidRequest(f"{self._agent_name} has no such setting now", "params.settingId")
            if not _offers(setting, value):
                raise InvalidRequest(f"{self._agent_name} does not offer this for “{setting.name}”", "params.value")
            words = self._standing.danger(setting, value, stay.introduction)
            if words is not None and not confirmed:
                raise NotConfirmed(words)
            await self._choose(stay, acp_id, setting, value)
            self._chosen.pop(setting_id, None)
            if words is None:
                self._chosen[setting_id] = value
            self._held[setting_id] = value

    def gone(self) -> None:
        """The agent has ended: nothing of it can be chosen until it runs again, and nothing of it is dangerous."""
        had_some = bool(self._known.told)
        self._forget()
        if had_some:
            self._tell()

    def _forget(self, settings: tuple[Setting, ...] = ()) -> None:
        self._known = KnownSettings(settings)
        self._plans, self._warned = None, None
        self._held.clear()
        self._troubles.clear()

    async def _put_right(self, stay: Talking, acp_id: str, *, plans: bool) -> None:
        if self._is_new:
            known = known_agent(stay.introduction, self._standing.launch_words)
            self._is_unsure = known is not None and known.misstates_its_mode
            await self._choose_again(stay, acp_id)
            self._is_new = False
        self._early.clear()
        if plans is not self._plans:
            self._held.clear()
            self._plans = plans
        await self._put_all(stay, acp_id, plans=plans)
        self._is_unsure = False

    async def _choose(self, stay: Talking, acp_id: str, setting: Setting, value: str) -> None:
        order = self._orders.send(stay, acp_id, self._known, setting, value)
        self._tell()
        try:
            with self._telling():
                await self._orders.settled(order)
        except (AgentSilent, AgentUnclear) as fault:
            words = f"{self._agent_name} has not said whether it took it: {fault.message}. It is taken for not chosen"
            raise InvalidRequest(words, "params.value") from fault
        except AgentFault as fault:
            raise InvalidRequest(f"{self._agent_name} did not take it: {fault.message}", "params.value") from fault

    async def _choose_again(self, stay: Talking, acp_id: str) -> None:
        """A session that is new to the agent begins as the user had the one before. Its modes come later."""
        for setting_id in [one.setting_id for one in self._known.told if not is_of_modes(one)]:
            setting, wanted = self._known.named(setting_id), self._chosen.get(setting_id)
            if setting is not None and wanted is not None and wanted != setting.current:
                await self._try(stay, acp_id, setting, wanted)

    async def _put_all(self, stay: Talking, acp_id: str, *, plans: bool) -> None:
        """Each at most once, whatever the agent says to it: some never say that they are where they were put."""
        seen: set[str] = set()
        for _ in range(_MOST_PUT):
            # Choosing one thing can change the others, and what there is.
            found = ((one, self._wanted(one, plans=plans)) for one in self._known.now if one.setting_id not in seen)
            setting, wanted = next(((one, value) for one, value in found if value is not None), (None, None))
            if setting is None or wanted is None:
                return
            seen.add(setting.setting_id)
            await self._try(stay, acp_id, setting, wanted)

    def _wanted(self, setting: Setting, *, plans: bool) -> str | None:
        """What is to be chosen before the next message; None: it is as it is to be."""
        doubt = self._known.doubt(setting.setting_id)
        wanted = self._mode_for(setting, plans=plans) if is_of_modes(setting) or self._asking(setting) else None
        if doubt is None or not self._standing.matters(setting, self._agent):
            return None if wanted == setting.current and not self._is_unsure else wanted
        wanted = wanted or self._harmless(setting, self._known.sure(setting.setting_id), doubt.wanted)
        if wanted is None:
            raise AgentSilent(_in_words(_NOT_SAID, doubt, setting))
        return wanted

    def _mode_for(self, setting: Setting, *, plans: bool) -> str | None:
        held = self._held.get(setting.setting_id)
        if held is not None and _offers(setting, held):
            is_there = held == setting.current and self._known.doubt(setting.setting_id) is None
            if is_there or not self._is_dangerous(setting, held):
                return held
            # The agent has left it, or may have: nothing but the user puts it there again.
            del self._held[setting.setting_id]
        chosen = self._chosen.get(setting.setting_id)
        asks = chosen if chosen is not None and _offers(setting, chosen) else self._asking(setting)
        return (plan_mode(setting) or asks) if plans else asks

    def _asking(self, setting: Setting) -> str | None:
        find = asking_mode if is_of_modes(setting) else asking_choice
        return find(self._agent, setting, self._standing.launch_words)

    def _harmless(self, setting: Setting, *values: str | None) -> str | None:
        known = (one for one in values if one is not None and _offers(setting, one))
        return next((one for one in known if not self._is_dangerous(setting, one)), None)

    def _is_dangerous(self, setting: Setting, value: str) -> bool:
        return self._standing.danger(setting, value, self._agent) is not None

    async def _try(self, stay: Talking, acp_id: str, setting: Setting, wanted: str) -> None:
        order = self._orders.send(stay, acp_id, self._known, setting, wanted)
        try:
            await self._orders.settled(order)
        except AgentGone:
            raise
        except (AgentSilent, AgentUnclear) as fault:
            if self._standing.matters(setting, self._agent):
                raise AgentSilent(_in_words(_NOT_SAID, order, setting)) from fault
            self._trouble(setting, wanted, fault)
        except AgentFault as fault:
            self._trouble(setting, wanted, fault)
        else:
            self._troubles.pop(setting.setting_id, None)

    def _trouble(self, setting: Setting, wanted: str, fault: AgentFault) -> None:
        what = f"its mode “{wanted}”" if is_of_modes(setting) else f"“{wanted}” for “{setting.name}”"
        words = f"{self._agent_name} could not be put into {what}: {fault.message}"
        if self._troubles.get(setting.setting_id) != words:
            self._troubles[setting.setting_id] = words
            self._standing.tell(Notice(words, NoticeLevel.WARNING))

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """However it ends, it is told what is known then. Of an agent that has ended, `gone` tells that."""
        has_ended = False
        try:
            yield
        except AgentGone:
            has_ended = True
            raise
        finally:
            if not has_ended:
                self._tell()

    def _tell(self) -> None:
        certain = self._standing.first_danger(self._known.told, self._agent)
        doubtful, expected = self._doubtful()
        self._standing.chosen(self._known.now, certain or doubtful or expected, self._agent, self._acp_id)
        words = certain or doubtful
        if words is not None and words != self._warned:
            prefix = f"{self._agent_name}: " if words == certain else ""
            self._standing.tell(Notice(f"{prefix}{words}", NoticeLevel.WARNING))
        self._warned = words

    def _doubtful(self) -> tuple[str | None, str | None]:
        """Of what nobody knows whether the agent took it; the same of a danger for which its answer is awaited."""
        lost, expected = None, None
        for setting in self._known.told:
            order = self._known.doubt(setting.setting_id)
            if order is None or not self._standing.matters(setting, self._agent):
                continue
            words = _in_words(_UNKNOWN, order, setting, self._agent_name)
            if not order.is_awaited:
                lost = lost or words
            elif self._is_dangerous(setting, order.wanted):
                expected = expected or words
        return lost, expected


def _offers(setting: Setting, value: str) -> bool:
    return any(one.choice_id == value for one in setting.choices)


def _in_words(words: str, order: Order, setting: Setting, agent: str = "") -> str:
    names = (one.name for one in setting.choices if one.choice_id == order.wanted)
    return words.format(agent=agent, choice=next(names, order.wanted), setting=setting.name)

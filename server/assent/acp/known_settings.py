"""What is known of a session's settings: what the agent told, and what it was ordered and has not answered. No I/O."""

from dataclasses import replace

from assent.acp.modes import is_of_modes
from assent.acp.words import ModeTold, Setting, SettingsTold
from assent.lazy_dataclasses import dataclass


@dataclass(eq=False, slots=True)
class Order:
    """The agent was told to choose this."""

    setting_id: str
    wanted: str
    is_awaited: bool = True
    """Somebody waits for the answer. Later, it can still come."""


class KnownSettings:
    """From the moment an order is sent until it is answered, how that setting is set is not known."""

    def __init__(self, told: tuple[Setting, ...] = ()) -> None:
        self.told = told
        """As the agent tells it. None is current where an order was sent since."""
        self._open: list[Order] = []
        """Not answered, the newest last."""
        self._overtaken: list[Order] = []
        """Not answered either, but a newer one of the same setting is. What it does, it can still do."""
        self._unclear: dict[str, Order] = {}
        """Settings for which an order that was overtaken counted after all."""
        self._sure: dict[str, str | None] = {}
        """What was known of a setting before the orders that are open."""

    @property
    def now(self) -> tuple[Setting, ...]:
        """What can be said of them: what the agent tells before it answers may be older than the order."""
        return tuple(
            one if (doubt := self.doubt(one.setting_id)) is None or doubt.wanted == one.current else _unknown(one)
            for one in self.told
        )

    def named(self, setting_id: str) -> Setting | None:
        """One of them, if the agent still has it."""
        return next((one for one in self.told if one.setting_id == setting_id), None)

    def doubt(self, setting_id: str) -> Order | None:
        """Why it is not known how this is set: the newest order that was not answered, or was answered too late."""
        newest = next((one for one in reversed(self._open) if one.setting_id == setting_id), None)
        return newest or self._unclear.get(setting_id)

    def sure(self, setting_id: str) -> str | None:
        """What was known of a setting before it became doubtful."""
        return self._sure.get(setting_id)

    def take(self, update: ModeTold | SettingsTold) -> None:
        """The agent says how it is set."""
        if isinstance(update, SettingsTold):
            kept = [one for one in self.told if not one.by_option and not _names_one_of(one, update.settings)]
            self.told = (*kept, *update.settings)
            self._clear(update.settings)
            return
        modes = [one for one in self.told if is_of_modes(one)]
        # There can be two, and only one knows this mode.
        meant = [one for one in modes if any(choice.choice_id == update.mode_id for choice in one.choices)] or modes
        self.told = tuple(replace(one, current=update.mode_id) if one in meant else one for one in self.told)
        self._clear(meant)

    def ordered(self, setting: Setting, wanted: str) -> Order:
        """This is about to be sent."""
        if self.doubt(setting.setting_id) is None:
            self._sure[setting.setting_id] = setting.current
        order = Order(setting.setting_id, wanted)
        self._open.append(order)
        self._set(setting.setting_id, None)
        return order

    def answered(self, order: Order) -> None:
        """The agent did it. An answer to an order of a session that is over counts for nothing."""
        if order in self._overtaken:
            self._overtaken.remove(order)
            self._unclear[order.setting_id] = order
            self._set(order.setting_id, None)
        elif order in self._open:
            of_this = [one for one in self._open if one.setting_id == order.setting_id]
            self._open = [one for one in self._open if one.setting_id != order.setting_id]
            place = of_this.index(order)
            self._overtaken += of_this[:place]
            self._open += of_this[place + 1 :]
            self._sure[order.setting_id] = order.wanted
            if order is of_this[-1]:
                self._unclear.pop(order.setting_id, None)
                self._set(order.setting_id, order.wanted)

    def refused(self, order: Order) -> None:
        """The agent says that it did not do it: it is set as it was."""
        if order in self._overtaken:
            self._overtaken.remove(order)
        elif order in self._open:
            self._open.remove(order)
            setting = self.named(order.setting_id)
            if setting is not None and setting.current is None and self.doubt(order.setting_id) is None:
                self._set(order.setting_id, self._sure.get(order.setting_id))

    def _set(self, setting_id: str, current: str | None) -> None:
        self.told = tuple(replace(one, current=current) if one.setting_id == setting_id else one for one in self.told)

    def _clear(self, settings: list[Setting] | tuple[Setting, ...]) -> None:
        for one in settings:
            self._unclear.pop(one.setting_id, None)


def _unknown(setting: Setting) -> Setting:
    return replace(setting, current=None)


def _names_one_of(setting: Setting, others: tuple[Setting, ...]) -> bool:
    return any(one.category == setting.category for one in others)

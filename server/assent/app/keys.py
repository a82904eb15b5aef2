"""Keys of model servers: from the environment or the editor's secret storage. Never from settings, never kept here.

A stored key belongs to an agent and to the address that it was given for: under another address it is not found.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ProviderFault
from assent.runtime.known_secrets import KnownSecrets


class KeySource(StrEnum):
    """Where a key comes from."""

    ENVIRONMENT = "environment"
    STORED = "stored"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the key of an agent is looked for."""

    agent: str
    origin: str
    variable: str | None = None
    of_user: bool = True
    """The user's own settings define the agent. Another one gets no key: a workspace could send it anywhere."""

    @property
    def name(self) -> str:
        """Under which the editor stores it."""
        return f"{self.agent}@{self.origin}"


class Keys:
    """Looks keys up at each request, so that a new one counts at once."""

    def __init__(self, environment: Mapping[str, str], known: KnownSecrets) -> None:
        self._environment = environment
        self._known = known
        self.stored: Callable[[str], Awaitable[str | None]] | None = None
        """Asks the editor; None while no client keeps secrets."""

    async def key(self, place: KeyPlace) -> str | None:
        """The key, or None where there is none. Raises ProviderFault for an agent that may have none."""
        if not place.of_user:
            if place.variable is not None:
                raise _not_for(place)
            return None
        value, _ = await self._found(place)
        return value

    def know(self, places: Iterable[KeyPlace]) -> None:
        """Keys of the environment are secret before they are first used; the editor gives out no key without need."""
        for place in places:
            self._known.add(self._given(place))

    async def source(self, place: KeyPlace) -> KeySource:
        """Where its key comes from now."""
        return (await self._found(place))[1] if place.of_user else KeySource.NONE

    async def _found(self, place: KeyPlace) -> tuple[str | None, KeySource]:
        value, source = self._given(place), KeySource.ENVIRONMENT
        if not value and self.stored is not None:
            value, source = (await self.stored(place.name) or "").strip(), KeySource.STORED
        if not value:
            return None, KeySource.NONE
        self._known.add(value)
        return value, source

    def _given(self, place: KeyPlace) -> str:
        return self._environment.get(place.variable or "", "").strip()


def _not_for(place: KeyPlace) -> ProviderFault:
    text = f"The agent {place.agent} is defined by this workspace's settings, so it is given no key ({place.variable})."
    return ProviderFault("key_withheld", f"{text} Define it in your user settings to let it have one.")

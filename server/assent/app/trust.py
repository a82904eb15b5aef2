"""What the user trusts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent.model.json import Json
from assent.model.modes import Mode


@dataclass(frozen=True, slots=True)
class Scopes:
    """Settings by scope, as a client tells them."""

    user: dict[str, Any] | None
    workspace: dict[str, Any] | None
    folder: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a setting that an answer writes."""

    written: bool
    target: str
    error: str | None = None


Write = Callable[[str, tuple[str, ...], Json, str], Awaitable[Stored]]


class Trust:
    def __init__(self, state_directory: Path, roots: Callable[[], tuple[str, ...]]) -> None:
        self._now: set[str] = set()

    def meet(self, scopes: Scopes | None, *, trusted: bool | None, write: Write | None) -> None:
        pass

    def settings_changed(self, scopes: Scopes | None) -> None:
        pass

    def mode_for_new_chats(self) -> Mode:
        return Mode.DEFAULT

    def agent_for_new_chats(self) -> str:
        return "Demo"

    def enabled(self) -> bool:
        return True

    def bypass_available(self) -> bool:
        return True

    def bypasses(self, agent_id: str) -> bool:
        return agent_id in self._now

    def confirm_outside_workspace(self) -> bool:
        return True

    def scripted_agents(self) -> dict[str, Path]:
        return {}

    def diagnostics(self) -> list[str]:
        return []

    def bypass_now(self, agent_id: str) -> None:
        self._now.add(agent_id)

    async def store_bypass(self, agent_id: str) -> Stored:
        return Stored(False, "workspace", "not yet")

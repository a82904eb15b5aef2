"""The hooks that count at this moment, for the gate. What runs them is loaded with the first one that is there."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from assent.model.hooks import (
    Hook,
    HookCall,
    HookEvent,
    HookNotice,
    HookRemarks,
    HookResult,
    HookVerdict,
    Occasion,
    own_names,
)
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes

if TYPE_CHECKING:
    from assent.hooks.running import HookRunner

Counting = Callable[[], tuple[Hook, ...]]
Roots = Callable[[], tuple[str, ...]]
"""The workspace's folders: hooks work in the first one."""


class CurrentHooks:
    """Read anew for every call: a hook that was agreed to a moment ago counts, and one that was taken away does not."""

    def __init__(
        self, processes: Processes, secrets: KnownSecrets, counting: Counting, roots: Roots, home: str
    ) -> None:
        self._processes = processes
        self._secrets = secrets
        self._counting = counting
        self._roots = roots
        self._home = home

    def concerned(self, names: tuple[str, ...]) -> tuple[Hook, ...]:
        """Those that have to be asked before calls that have these names."""
        return self._for(HookEvent.PRE_TOOL_USE, names)

    async def ask(self, call: HookCall) -> HookVerdict:
        """What they say before a call."""
        return await self._runner.before(self._for(HookEvent.PRE_TOOL_USE, (*own_names(call.call), *call.also)), call)

    def follow(self, names: tuple[str, ...]) -> bool:
        """Whether one is told how such calls end."""
        return bool(self._for(HookEvent.POST_TOOL_USE, names))

    async def tell(self, result: HookResult) -> HookRemarks:
        """What they say after a call."""
        call = result.call
        return await self._runner.after(self._for(HookEvent.POST_TOOL_USE, (*own_names(call.call), *call.also)), result)

    def for_occasion(self, occasion: Occasion) -> tuple[Hook, ...]:
        """The hooks that are told of this."""
        return self._for(HookEvent.NOTIFICATION, (occasion.value,))

    async def notify(self, hook: Hook, notice: HookNotice) -> str:
        """Tells one of them; says what went wrong."""
        return await self._runner.notify(hook, notice)

    def _for(self, event: HookEvent, names: tuple[str, ...]) -> tuple[Hook, ...]:
        counting = self._counting()
        if not counting:
            return ()
        from assent.hooks.matching import matches

        return tuple(
            hook for hook in counting if hook.event is event and any(matches(hook.matcher, name) for name in names)
        )

    @cached_property
    def _runner(self) -> "HookRunner":
        from assent.hooks.running import HookRunner, Place

        def place() -> Place:
            roots = self._roots()
            return Place(next(iter(roots), self._home), roots)

        return HookRunner(self._processes, self._secrets, place)

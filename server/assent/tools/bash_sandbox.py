"""Whether a command runs in the sandbox, guarded, or as it is: decided from what was shown and what allowed it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from assent.agent.ports import Manner
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.runtime.processes import Start
from assent.sandbox.confined import Confined
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.words import Unheld, Wanted
from assent.shells.shell import Shell
from assent.tools.command_facts import category_of

_KEPT = "nothing outside the workspace can be written, and secrets are hidden"
_KNOWN = (Category.READ, Category.WRITE, Category.INTERNAL)


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with the sandbox for one command."""

    told: str | None = None
    """For the card: where it runs when it is approved. None where no sandbox is in use."""
    in_force: str | None = None
    """The sandbox that leaves it nothing that would need a question, by its name."""
    by_wish: str | None = None
    """The one in which it runs however it is allowed, because the call says so."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What a command is started in."""

    confined: Confined
    whole: bool
    """The sandbox; else only what is protected is kept from it."""

    @property
    def name(self) -> str | None:
        """The name of the sandbox; none where it is only guarded."""
        return self.confined.tier.label if self.whole else None

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command inside."""
        with self.confined.applied(start) as inside:
            yield inside

    async def leave(self, shell: Shell | None = None) -> tuple[str, ...]:
        """After the end of the command, or where it was not started: what the model is told."""
        alone = shell is None or (shell.alone and not shell.in_background)
        appeared = await self.confined.after(exclusive=alone)
        code = shell.exit.code if shell is not None and shell.exit is not None else None
        return tuple(filter(None, (self._hint(code), _about(appeared, alone=alone))))

    def _hint(self, code: int | None) -> str:
        if code == 0:
            return ""
        if not self.whole:
            return "Protected files could not be changed by it, because nobody looked at it before."
        return (
            f"It ran in the sandbox ({self.confined.tier.label}): no network, {_KEPT}. If it failed because of that, "
            "call bash again with sandbox: false; the user is asked then."
        )


class SandboxOfCommand:
    """The sandbox as the settings want it now, for one call."""

    def __init__(self, sandbox: Sandbox, choice: SandboxChoice, *, wish: bool | None, background: bool) -> None:
        self._sandbox = sandbox
        self._choice = choice
        self._wish = wish
        self._background = background

    async def standing(self, wanted: Wanted) -> Standing:
        """What of it is in force for this command. The first time, the sandbox is tried out."""
        if not self._asked_for():
            return Standing(_OUTSIDE if self._choice.auto_allow and self._is_on() else None)
        if not self._is_on():
            return Standing("Outside a sandbox: it is switched off (assent.sandbox.enabled).")
        found = await self._sandbox.tier()
        if found.tier is None or not self._is_enough(found.tier.value):
            why = found.why if found.tier is None else f"only {found.tier.label} holds, and your settings ask for more"
            return Standing(f"Outside a sandbox: none is in force here ({why}).")
        holds = await self._sandbox.holds(wanted)
        if isinstance(holds, Unheld):
            return Standing(f"Outside the sandbox: {holds.why}")
        name = holds.label
        harmless = not (self._choice.network or self._choice.writable or self._background)
        return Standing(
            told=self._words(name) if self._wish else _OUTSIDE,
            in_force=name if harmless else None,
            by_wish=name if self._wish else None,
        )

    async def enter(self, command: Command, standing: Standing, manner: Manner, wanted: Wanted) -> Entered | None:
        """What it is started in, now that it is allowed in this manner. None: as it is."""
        name = standing.by_wish or (standing.in_force if manner.sandboxed else None)
        if name is not None:
            return Entered(await self._as_promised(name, wanted), whole=True)
        if manner.sandboxed:
            raise _gone("there is none any more")
        if not manner.unseen or _is_known(command) or not self._is_on():
            return None
        guarded = await self._sandbox.guard(wanted)
        return Entered(guarded, whole=False) if isinstance(guarded, Confined) else None

    async def _as_promised(self, name: str, wanted: Wanted) -> Confined:
        """The sandbox in which it was allowed, and no other."""
        found = await self._sandbox.tier()
        if not self._is_on() or found.tier is None or found.tier.label != name:
            raise _gone(found.why or "another one is in force by now")
        confined = await self._sandbox.confine(wanted)
        if isinstance(confined, Unheld):
            raise _gone(confined.why)
        return confined

    def _asked_for(self) -> bool:
        return self._wish is True or (self._wish is None and self._choice.auto_allow)

    def _is_on(self) -> bool:
        return self._choice.enabled is not SandboxKind.OFF

    def _is_enough(self, tier: str) -> bool:
        return self._choice.enabled in ("auto", tier) or (self._choice.enabled, tier) == ("landlock", "bubblewrap")

    def _words(self, name: str) -> str:
        network = "the network is open" if self._choice.network else "no network"
        further = ", ".join(self._choice.writable)
        more = f" Further folders that it can write: {further}." if further else ""
        return f"In the sandbox ({name}): {network}, {_KEPT}.{more}"


_OUTSIDE = "Outside the sandbox, with all that you may do."


def _is_known(command: Command) -> bool:
    """Whether all that it writes can be read of it, so that rules and protection have seen it."""
    return category_of(command) in _KNOWN and not any(part.unknown or part.dynamic for part in command.all())


def _gone(why: str) -> ToolFault:
    text = f"It was allowed for the sandbox, and that does not hold now: {why}. It did not run; call it again."
    return ToolFault("sandbox_gone", text)


def _about(appeared: tuple[str, ...], *, alone: bool) -> str:
    if not appeared:
        return ""
    names = ", ".join(appeared)
    if not alone:
        return f"While it ran, protected files have appeared; other things ran as well, so they were left: {names}."
    return (
        f"Protected files that it had made were taken out of the workspace: {names}. They are kept beside Assent's own "
        "files. To have them in the workspace, write them with write_file, which the user is asked about."
    )

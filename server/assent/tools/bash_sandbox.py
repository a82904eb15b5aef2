"""Whether a command runs in the sandbox, guarded, or as it is: decided from what was shown and what allowed it."""

from collections.abc import Iterator
from contextlib import contextmanager

from assent.agent.ports import Manner
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.runtime.processes import Start, Stream
from assent.sandbox.confined import Confined, Held
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.taken_out import Appeared
from assent.sandbox.telling import is_enough
from assent.sandbox.words import Reading, Unheld, Wanted
from assent.shells.shell import Epilogue, Shell
from assent.shells.written import Written
from assent.tools.bash_reading import EnteredToRead, can_be_held
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
    network: bool = False
    writable: tuple[str, ...] = ()
    """What it leaves open."""

    @property
    def state(self) -> str:
        """What of it an approval rests on."""
        return f"{self.by_wish}|{self.network}|{self.writable}" if self.by_wish else ""


@dataclass(frozen=True, slots=True)
class Entered:
    """What a command is started in."""

    confined: Confined
    whole: bool
    """The sandbox; else only what is protected is kept from it."""
    network: bool
    written: Written
    since: int
    """From when on what calls wrote that a person allowed is none of its doing."""

    @property
    def name(self) -> str | None:
        """The name of the sandbox; none where it is only guarded."""
        return self.confined.tier.label if self.whole else None

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The command inside."""
        with self.confined.applied(start) as inside:
            yield inside

    async def leave(self, shell: Shell | None = None) -> Epilogue:
        """After the end of the command, or where it was not started."""
        # Without the sandbox a project can be set up, with all that belongs to it: of the workspace nothing is taken.
        found = await self.confined.after(take=self.whole, keep=self.written.since(self.since))
        code = shell.exit.code if shell is not None and shell.exit is not None else None
        said = _said(shell) if shell is not None else ""
        return Epilogue(tuple(filter(None, (self._hint(code, said), _for_agent(found)))), _for_user(found))

    def _hint(self, code: int | None, said: str) -> str:
        if code == 0:
            return ""
        if not self.whole:
            held = any(words in said for words in _OF_WHAT_IS_HELD)
            return _HELD if held else ""
        return (
            f"It ran in the sandbox ({self.confined.tier.label}): {_network(self.network)}, {_KEPT}. If it failed "
            "because of that, call bash again with sandbox: false; the user is asked then."
        )


_HELD = (
    "Protected files could not be changed by it, because nobody looked at it before. If it has to change them, call "
    "bash again with sandbox: false; the user is asked then."
)
_OF_WHAT_IS_HELD = ("read-only file system", "permission denied", "operation not permitted", "erofs", "eacces", "eperm")
"""What programs print that were kept from a change, in small letters."""


def _said(shell: Shell) -> str:
    return " ".join(shell.kept(stream).text() for stream in (Stream.OUTPUT, Stream.ERRORS)).casefold()


class SandboxOfCommand:
    """The sandbox as the settings want it now, for one call."""

    def __init__(
        self, sandbox: Sandbox, choice: SandboxChoice, written: Written, *, wish: bool | None, background: bool
    ) -> None:
        self._sandbox = sandbox
        self._choice = choice
        self._written = written
        self._wish = wish
        self._background = background

    async def wall(self, command: Command, reading: Reading) -> str | None:
        """What would hold it to reading, where it only reads. The first time, the sandbox is tried out."""
        if self._wish is False or not self._is_on() or not can_be_held(command):
            return None
        found = await self._sandbox.tier()
        if found.tier is None or not found.holds_readers or not is_enough(self._choice.enabled, found.tier):
            return None
        # Of a line that has to be held, it must be known before.
        holds = not command.doubt or isinstance(await self._sandbox.hold(reading), Held)
        return found.tier.label if holds else None

    async def standing(self, wanted: Wanted) -> Standing:
        """What of it is in force for this command. The first time, the sandbox is tried out."""
        if not self._asked_for():
            return Standing(_OUTSIDE if self._choice.auto_allow and self._is_on() else None)
        if not self._is_on():
            return Standing("Outside a sandbox: it is switched off (assent.sandbox.enabled).")
        found = await self._sandbox.tier()
        if found.tier is None or not is_enough(self._choice.enabled, found.tier):
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
            network=self._choice.network,
            writable=self._choice.writable,
        )

    async def unguarded(self, command: Command) -> bool:
        """Whether it wants to be without the guard that it would have where nobody looks at it."""
        if self._wish is not False or _is_known(command) or not self._is_on():
            return False
        return await self._sandbox.guards()

    async def enter(
        self, command: Command, standing: Standing, manner: Manner, wanted: Wanted, reading: Reading
    ) -> Entered | EnteredToRead | None:
        """What it is started in, now that it is allowed in this manner. None: as it is."""
        name = standing.by_wish or (standing.in_force if manner.sandboxed else None)
        if name is not None:
            return self._entered(await self._as_promised(name, standing, wanted), whole=True)
        if manner.sandboxed:
            raise _gone("there is none any more")
        if manner.held:
            held = await self._sandbox.hold(reading)
            if isinstance(held, Held):
                return EnteredToRead(held, command)
            if command.doubt:
                raise _gone(held.why)
            return None
        if not manner.unseen or _is_known(command) or not self._is_on():
            return None
        guarded = await self._sandbox.guard(wanted)
        return self._entered(guarded, whole=False) if isinstance(guarded, Confined) else None

    def _entered(self, confined: Confined, *, whole: bool) -> Entered:
        return Entered(confined, whole, self._choice.network, self._written, self._written.count)

    async def _as_promised(self, name: str, standing: Standing, wanted: Wanted) -> Confined:
        """The sandbox in which it was allowed, and no other one, nor one that leaves more open."""
        if (self._choice.network, self._choice.writable) != (standing.network, standing.writable):
            raise _gone("your settings leave something else open by now")
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

    def _words(self, name: str) -> str:
        network = _network(self._choice.network)
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


def _network(is_open: bool) -> str:
    return "the network is open" if is_open else "no network"


def _for_agent(found: Appeared) -> str:
    told = []
    if found.taken:
        told.append(
            f"Protected files that were not there before were moved away: {', '.join(found.taken)}. To have them "
            "there, write them with write_file, which the user is asked about."
        )
    if found.left:
        told.append(f"Protected files have appeared while it ran: {', '.join(found.left)}.")
    return " ".join(told)


def _for_user(found: Appeared) -> str | None:
    # To make a repository is nothing unusual.
    left = [path for path in found.left if "/.git/" not in f"{path}/"]
    told = []
    if found.taken:
        told.append(
            f"While a command ran that nobody had looked at, protected files appeared: {', '.join(found.taken)}. "
            f"Nobody had agreed to them, so they were moved to {found.place}. If they are yours, move them back from "
            "there."
        )
    if left:
        told.append(
            "While a command ran that nobody had looked at, protected files appeared in the workspace: "
            f"{', '.join(left)}. They are still there, and other programs may act on them: delete them if they are not "
            "yours."
        )
    return " ".join(told) or None

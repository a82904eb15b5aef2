"""bash as the app builds it, for tests that need no app around it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from assent.model.ids import SessionId
from assent.model.limits import ShellLimits
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.runtime.clock import SystemClock
from assent.runtime.processes import Processes, Stream
from assent.sandbox.sandbox import Sandbox
from assent.shells.book import Shells
from assent.shells.shell import Shell
from assent.shells.workplace import Workplace
from assent.shells.written import Written
from assent.tools.bash import Bash, Runner
from assent.tools.places import Roots


@dataclass
class Told:
    """What was told of commands, in its order."""

    printed_texts: list[tuple[str, str]] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def printed(self, shell: Shell, stream: Stream, text: str) -> None:
        self.printed_texts.append((shell.shell_id, text))

    def warned(self, shell: Shell, text: str) -> None:
        self.warnings.append(text)

    def changed(self, shell: Shell) -> None:
        self.changes.append((shell.shell_id, shell.status.value))


def runner(
    *,
    limits: Callable[[], ShellLimits] = ShellLimits,
    choice: Callable[[], SandboxChoice] = lambda: SandboxChoice(enabled=SandboxKind.OFF),
    told: Told | None = None,
    home: str = "/nowhere",
    hidden: tuple[str, ...] = ("/nowhere/state",),
) -> Runner:
    """What commands run by. There is a sandbox only for tests that choose one: to try it out takes a moment."""
    processes = Processes()
    shells = Shells(processes, SystemClock(), limits, told or Told())
    return Runner(shells, Sandbox(processes, home=home, hidden=hidden, read_only=()), Written(), limits, choice)


def bash_tool(root: str | Roots, by: Runner | None = None, session: str = "chat") -> Bash:
    """The tool of one chat in a workspace of this folder."""
    roots = (lambda: (root,)) if isinstance(root, str) else root
    place = Workplace(SessionId(session))
    # What the machine of the tests has in its environment is no part of an answer.
    place.told_withheld = True
    return Bash(roots, by or runner(), place)

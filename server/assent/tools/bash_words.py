"""What is said of a command that ran: to the model, which must not take what it printed for what Assent says."""

from assent.agent.ports import ToolAnswer
from assent.model.errors import ToolFault
from assent.model.events import ShellStatus
from assent.model.verdict import Reason
from assent.runtime.processes import Stream
from assent.shells.shell import Shell

IN_BACKGROUND = "background"
"""The word for a call whose command goes on."""
NOT_WELL = "exit_status"
"""The word for a call whose command says by its end that it did not do what it was to do."""


def moved(shell: Shell) -> ToolAnswer:
    """It goes on by itself."""
    return ToolAnswer(
        f"Command moved to background (shell ID: {shell.shell_id})", code=IN_BACKGROUND, shell=shell.shell_id
    )


# A line should stay a line.
_MOST_NAMES = 20


def ended(shell: Shell, notes: tuple[str, ...] = ()) -> ToolAnswer:
    """It has ended by itself: the exit code comes first. A code is an answer, no fault."""
    kept = (shell.kept(Stream.OUTPUT), shell.kept(Stream.ERRORS))
    text = _with_output(shell, (_how(shell), *notes, *shell.epilogue.notes))
    exited = shell.exit
    well = exited is not None and exited.code == 0 and exited.signal is None
    return ToolAnswer(text, truncated=any(one.left_out for one in kept), code=None if well else NOT_WELL)


def withheld(names: tuple[str, ...]) -> str:
    """Which variables commands do not get."""
    shown = ", ".join(names[:_MOST_NAMES]) + (" and others" if len(names) > _MOST_NAMES else "")
    return (
        "Commands get the user's environment without what looks like a secret and what changes what programs do:"
        f" {shown}. If one is needed, the user can pass it by the setting assent.shell.environment."
    )


def behind(programs: str, name: str) -> str:
    """Why the project's own Python is not the one that is found first."""
    return (
        f"Programs of the system come before those in {programs}, python among them, because a {name} lies there that"
        f" would stand in for the system's. Without it, or by its path, the project's python is the one that runs."
    )


def out_of_time(shell: Shell, seconds: float) -> ToolFault:
    """Its time was over."""
    text = f"Ended after its {seconds:.0f} seconds were over, with everything that it had started."
    return ToolFault("time_limit", _with_output(shell, (text, _asking_hint(shell), *shell.epilogue.notes)))


def stopped(shell: Shell) -> ToolFault:
    """Its run was stopped."""
    text = "The run was stopped, and this command was ended with everything that it had started."
    stays = "What it had done by then stays done."
    return ToolFault(Reason.CANCELLED, _with_output(shell, (text, stays, *shell.epilogue.notes)))


def was_ended(shell: Shell) -> ToolFault:
    """A person ended it, or a limit."""
    text = f"{how_ended(shell)} Everything that it had started is ended, too."
    return ToolFault("killed", _with_output(shell, (text, *shell.epilogue.notes)))


def how_ended(shell: Shell) -> str:
    """How it stands with a command, in a sentence."""
    if shell.exit is None:
        return "It is still running."
    if shell.status is ShellStatus.FAILED:
        return "It could not be ended and may still run."
    if shell.status is ShellStatus.KILLED:
        return f"It was ended: {str(shell.ended_for).removesuffix('.')}."
    return f"Ended by {shell.exit.signal}." if shell.exit.signal else f"Exit code {shell.exit.code}."


def _how(shell: Shell) -> str:
    left = " What it had left running in the background was ended." if shell.held_open else ""
    return how_ended(shell) + left


def _with_output(shell: Shell, told: tuple[str, ...]) -> str:
    said = " ".join(filter(None, told))
    output, errors = shell.kept(Stream.OUTPUT).text(), shell.kept(Stream.ERRORS).text()
    body = output + (f"{_line_end(output)}[standard error]\n{errors}" if errors else "")
    return f"{said}\n{body}" if body else f"{said} It printed nothing."


_ASKS = ("password", "passphrase", "[y/n]", "(y/n)", "(yes/no", "continue?", "press any key", "enter ")


def _asking_hint(shell: Shell) -> str:
    """Nobody can type into a command: one that asked for something waited for nothing."""
    last = (shell.kept(Stream.OUTPUT).text() + shell.kept(Stream.ERRORS).text())[-300:].lower()
    waits = any(word in last for word in _ASKS)
    return (
        "It seems to have waited for an answer, and nobody can type into it: give what it asks for as an option."
        if waits
        else ""
    )


def _line_end(text: str) -> str:
    return "" if not text or text.endswith("\n") else "\n"

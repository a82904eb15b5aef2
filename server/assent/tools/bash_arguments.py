"""What bash takes, and what of it can be no command."""

from pydantic import Field

from assent.tools.names import LONGEST
from assent.tools.schema import Arguments
from assent.tools.shell import SHELLS

MAX_BYTES = 128 * 1024 - 1
"""One argument of a program can be no longer on Linux."""
DEFAULT_SECONDS, MOST_SECONDS = 120, 3_600


class BashArguments(Arguments):
    """What bash takes."""

    command: str = Field(min_length=1, description="The command, as it would be typed into a shell.")
    timeout: int | None = Field(
        None,
        ge=1,
        le=MOST_SECONDS,
        description="After so many seconds it is ended, with all it started. Without it: "
        f"{DEFAULT_SECONDS} in the foreground, no limit in the background.",
    )
    cwd: str | None = Field(
        None,
        min_length=1,
        max_length=LONGEST,
        description="The folder in which it runs, relative to the workspace folder or absolute. Without it: where the "
        "last command of this chat has gone to with cd, at first the workspace folder.",
    )
    background: bool = Field(
        False,
        description="It goes on by itself and you get an id at once: for servers and watchers. Read what it prints "
        "with bash_output, end it with kill_bash.",
    )
    sandbox: bool | None = Field(
        None,
        description="true: run in the sandbox, without network, where only the workspace can be written. false: "
        "outside of it, which the user is asked about. Leave it out unless a command failed because of the sandbox.",
    )
    shellExecutable: str | None = Field(  # noqa: N815 - the name that models are told
        None, min_length=1, max_length=LONGEST, description=f"Another shell than the usual one: {', '.join(SHELLS)}."
    )

    @property
    def seconds(self) -> float | None:
        """The seconds after which it is ended in the manner that it asks for."""
        return self.timeout if self.background else float(self.timeout or DEFAULT_SECONDS)


def unusable(command: str) -> str | None:
    """Why no shell can run a text, or None."""
    if "\0" in command:
        return "The arguments do not fit. command: it holds a NUL character, which no command can hold"
    size = len(command.replace("\r\n", "\n").encode("utf-8"))
    if size > MAX_BYTES:
        return (
            f"The arguments do not fit. command: {size} bytes are more than the {MAX_BYTES} that one command can have"
        )
    return None

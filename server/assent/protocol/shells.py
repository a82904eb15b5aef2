"""Commands that run: what a view is told of them, and what its user can do with them."""

from attrs import frozen

from assent.protocol.words import ShellStatus


@frozen
class ShellInfo:
    """A command that runs, or has run in the background: a page lists it, with its last lines and a way to end it."""

    shell_id: str
    session_id: str
    tool_call_id: str
    """The call that started it."""
    command: str
    directory: str
    background: bool
    """It goes on after its call; where not, its call waits for it."""
    status: ShellStatus
    age_ms: int
    """Since it was started; of one that has ended, how long it ran."""
    tail: str
    """The last of what it printed."""
    printed: int
    """The characters that it has printed so far: a cursor for `shell/output`."""
    dropped: int
    """The characters of these that are not kept any more."""
    exit_code: int | None = None
    signal: str | None = None
    sandbox: str | None = None
    """The name of the sandbox in which it runs."""


@frozen
class ShellListParams:
    """Of one chat, or of all."""

    session_id: str | None = None


@frozen
class ShellList:
    """What runs, and what has ended in the background and is still kept; oldest first."""

    shells: tuple[ShellInfo, ...]


@frozen
class ShellOutputParams:
    """What a command printed from a cursor on; without one, from the first that is kept."""

    shell_id: str
    cursor: int | None = None


@frozen
class ShellOutput:
    """A piece of what it printed, both streams as they came, and the cursor for what follows."""

    text: str
    next_cursor: int
    dropped: int
    """Characters between the cursor and this piece that are not kept any more."""
    status: ShellStatus
    exit_code: int | None = None
    signal: str | None = None


@frozen
class ShellKillParams:
    """The command to end, by its own id or by that of the call that waits for it."""

    shell_id: str | None = None
    tool_call_id: str | None = None


@frozen
class ShellKilled:
    """Whether there was anything to end."""

    killed: bool


@frozen
class ShellBackgroundParams:
    """The call whose command goes on by itself from now on. It is not started again."""

    tool_call_id: str


@frozen
class ShellBackgrounded:
    """The id under which it goes on."""

    shell_id: str

"""What is said of a roll back: in the chat, for the user, and in the conversation, for the model. Without I/O."""

from collections.abc import Sequence

from assent.checkpoints.begun import Begun
from assent.checkpoints.finishing import Finished
from assent.checkpoints.kept import KeptFile
from assent.jsontext import readable_json
from assent.tools.names import printable

Left = Sequence[tuple[str, str]]
"""Names of files that are not as before the run, and why."""

MOST_NAMED = 30
_AGAIN = "“Assent: Review or Roll Back a Run…” shows how its files stand now."
_BROKEN_OFF = "The server ended in the middle of a roll back that you had asked for."


def rolled_back(restored: Sequence[str], left: Left) -> str:
    """It is done."""
    return f"You rolled a run back: {_count(len(restored))} as before it.{_but(left)}"


def failed(fault: str) -> str:
    """It is not; the fault says what is rolled back all the same."""
    return f"The roll back failed. {fault}"


def not_begun(why: str) -> str:
    """What has to stand on the disk before the first file is touched could not be written there."""
    return (
        f"What is written down before a roll back could not be written to the state directory ({why}), so it was not "
        "begun and nothing was rolled back. Make room there, and try again."
    )


def finished(begun: Begun, end: Finished) -> str:
    """A roll back of an earlier server has come to its end."""
    if not begun.readable:
        return f"{_BROKEN_OFF} What it was to do cannot be read any more, so the rest was not done. {_AGAIN}"
    done = f"The rest was done now, as you had agreed to it: {_count(len(end.restored))} as before the run."
    unnamed = (
        f" {begun.unnamed} more have names that hold what looks like a secret, so these were not written down: look "
        f"whether they are as you want them."
        if begun.unnamed
        else ""
    )
    again = f" {_AGAIN}" if end.left else ""
    return f"{_BROKEN_OFF} {done}{_but(end.left)}{unnamed}{again}"


def for_model(began: str, restored: Sequence[KeptFile], left: Left) -> str:
    """What the model has to know before it goes on: files are not what it remembers."""
    files = [
        _line(one.shown, "" if one.existed else "it did not exist before that run, so it is gone") for one in restored
    ]
    head = (
        "[This is said by Assent, not by the user.] The user has rolled back what a run of this chat had changed (the "
        f"run that began to write at {began}). These files are as they were before that run, not as you remember them:"
    )
    parts = [head, *_bounded(files)]
    if left:
        parts += ["These were not rolled back:", *_bounded([_line(shown, why) for shown, why in left])]
    parts.append("Read a file again before you go on from what it held. What shell commands wrote was not rolled back.")
    return "\n".join(parts)


def _line(shown: str, why: str) -> str:
    # Quoted: a name is no sentence, whatever it says.
    return f"- {readable_json(shown)}" + (f" ({why})" if why else "")


def _bounded(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MOST_NAMED
    return [*lines[:MOST_NAMED], *([f"- and {more} more"] if more > 0 else [])]


def _but(left: Left) -> str:
    if not left:
        return ""
    told = [f"{printable(shown)} ({why.rstrip('.')})" for shown, why in left[:MOST_NAMED]]
    more = len(left) - MOST_NAMED
    rest = f", and {more} more" if more > 0 else ""
    return f" Left as they are: {', '.join(told)}{rest}."


def _count(number: int) -> str:
    return "1 file is" if number == 1 else f"{number} files are"

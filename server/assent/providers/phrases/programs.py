"""Sentences about commands."""

from assent.providers.held import Held
from assent.providers.phrases.nodes import NO_COMMAND
from assent.providers.phrases.words import Found, Phrases, naming
from assent.providers.wish import Wish


def running(command: str, where: str = "") -> Wish:
    """That a command is run, as it stands."""
    first, _, rest = command.partition("\n")
    manner = {where: True} if where else {}
    return Wish("bash", {"command": command, **manner}, f"run {first}" + (" …" if rest else ""))


def _run(match: Found, held: Held) -> Wish:
    return running(held.restore(match["command"]))


IN_BACKGROUND: Phrases = (
    (r"read\s+the\s+output\s+of\s+(\S+)", naming("bash_output", "shell_id", "read what {} has printed")),
    (r"kill\s+(\S+)", naming("kill_bash", "shell_id", "end {}")),
)
RUNNING: Phrases = ((rf"(?:run|execute)\s+{NO_COMMAND}(?:the\s+)?(?:command\s+)?(?P<command>.+)", _run),)

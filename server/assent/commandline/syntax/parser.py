"""From a text to its tree."""

from assent.commandline.syntax.cursor import NEVER_TEXT
from assent.commandline.syntax.tests_in_brackets import BracketReader
from assent.commandline.syntax.tree import NotUnderstood, Sequence


def parse(text: str, *, posix: bool = False) -> Sequence:
    """The commands in this text, as bash would read it; with `posix`, as every `sh` would.

    Raises `NotUnderstood` for all that is no shell command, that is not read, or that could be read in two ways.
    """
    odd = NEVER_TEXT.search(text)
    if odd is not None:
        raise NotUnderstood("the text holds a character that no command can hold", odd.start())
    return BracketReader(text, posix=posix).everything()

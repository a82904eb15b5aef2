"""Commands, read as they would be started in HERE, and short words for what was found in them."""

from assent.commandline.read import read_command
from assent.commandline.surroundings import GitFacts, Surroundings
from assent.model.calls import Access
from assent.model.commands import Command, Part

HERE = "/ws"
HOME = "/home/u"


def read(text: str, git: GitFacts | None = None, folders: tuple[str, ...] = ()) -> Command:
    """The command; `git` is what the repository in HERE has in its configuration, `folders` are known to be there."""
    return read_command(text, Surroundings(HERE, HOME, {HERE: git} if git is not None else {}, frozenset(folders)))


def programs(text: str) -> list[str]:
    """Every program with its words, in the order of the parts, wrappers before what they start."""
    command = read(text)
    assert command.unreadable is None, command.unreadable
    return [" ".join(word.text + ("" if word.exact else "…") for word in part.words) for part in command.all()]


def touched(text: str, access: Access) -> set[str]:
    """What is touched in this way."""
    return {touch.name for part in read(text).all() for touch in part.touches if touch.access is access}


def dangerous(text: str) -> bool:
    """Whether something in it goes beyond what the first words of its parts say, or cannot be known."""
    command = read(text)
    return command.unreadable is not None or any(part.dangers for part in command.all())


def only_part(text: str) -> Part:
    """The one part of this command."""
    (part,) = read(text).parts
    return part

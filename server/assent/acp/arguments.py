"""What the arguments of a call show: the same few things, under the many names that agents have for them."""

from dataclasses import field

from assent.acp.argument_words import BESIDE_COMMANDS, COMMANDS, HARMLESS, HARMLESS_WHEN_OFF, plain
from assent.acp.fields import text_in
from assent.acp.words import Diff
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject


@dataclass(slots=True)
class Shown:
    """What was found so far."""

    commands: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    """Where the command runs."""
    env: dict[str, str] = field(default_factory=dict)
    edits: list[Diff] = field(default_factory=list)
    deletes: list[str] = field(default_factory=list)
    moves: list[tuple[str, str]] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    """Files that would change in a way that is not shown."""
    paths: list[str] = field(default_factory=list)
    """Only named. What happens to them is for the kind of the call to say."""
    urls: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """What is looked for."""
    lengths: list[int] = field(default_factory=list)
    """Of contents that are told of: each must be that of one that is shown."""
    asks: bool = False
    """It holds a question to the user."""
    unread: list[str] = field(default_factory=list)
    """Names of arguments that nobody understands here."""


class Arguments:
    """The arguments of a call, and which of them were understood."""

    def __init__(self, value: JsonObject) -> None:
        self._told = [(plain(name), name, one) for name, one in value.items() if not _is_nothing(one)]
        self._taken: set[str] = set()
        self._empty_texts = {plain(name) for name, one in value.items() if one == ""}

    def has(self, names: tuple[str, ...]) -> bool:
        """Whether one of these is there."""
        return any(known in names for known, _, _ in self._told)

    def values(self, names: tuple[str, ...]) -> list[tuple[str, Json]]:
        """What stands under any of these names. Whoever understands it says so with `took`."""
        return [(name, one) for known, name, one in self._told if known in names and name not in self._taken]

    def took(self, name: str) -> None:
        """What stands under this name was understood."""
        self._taken.add(name)

    @property
    def are_understood(self) -> bool:
        """Whether nothing is there that was not understood already. An empty text may be a content."""
        return len(self._taken) == len(self._told) and not self._empty_texts

    def texts(self, names: tuple[str, ...]) -> list[str]:
        """The texts under these names, alone or in lists, which count as understood."""
        found: list[str] = []
        for name, value in self.values(names):
            texts = texts_in(value)
            if texts is not None:
                self.took(name)
                found.extend(texts)
        return list(dict.fromkeys(found))

    def contents(self, names: tuple[str, ...]) -> list[str]:
        """The texts under these names as contents of files, which may be empty."""
        found = []
        for name, value in self.values(names):
            if isinstance(value, str):
                self.took(name)
                found.append(value)
        return found or ([""] if any(name in self._empty_texts for name in names) else [])

    def left(self) -> list[str]:
        """The names of what nobody understood, and what may matter."""
        return [
            name for known, name, value in self._told if name not in self._taken and not self._harmless(known, value)
        ]

    def _harmless(self, known: str, value: Json) -> bool:
        """What says the same as the command may be an object: without the command nothing stands beside it."""
        if known in BESIDE_COMMANDS and self.has(COMMANDS):
            return True
        return _harmless(known, value)


def texts_in(value: Json) -> list[str] | None:
    """A text, or a list of nothing but texts; None for anything else."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        return None
    texts = [text for one in value if (text := text_in(one)) is not None]
    return texts if len(texts) == len(value) else None


def _is_nothing(value: Json) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict) and not value)


def _harmless(known: str, value: Json) -> bool:
    return (known in HARMLESS and _is_plain(value)) or (known in HARMLESS_WHEN_OFF and value is False)


def _is_plain(value: Json) -> bool:
    """No object, and no list that holds one: there could be anything in it."""
    several = value if isinstance(value, list | tuple) else (value,)
    return not any(isinstance(one, dict | list | tuple) for one in several)

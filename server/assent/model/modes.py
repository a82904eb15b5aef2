"""How much a chat lets through without asking, and what kind of effect a call has."""

from collections.abc import Iterable
from enum import StrEnum


class Mode(StrEnum):
    """The mode of a chat, from strictest effect to loosest: plan blocks, ask asks for all, default reads, auto runs."""

    PLAN = "plan"
    ASK = "ask"
    DEFAULT = "default"
    AUTO = "auto"

    @property
    def label(self) -> str:
        """The name that a person reads, on the page and in the reasons that the server gives."""
        return _LABELS[self]


_LABELS = {
    Mode.PLAN: "Plan",
    Mode.ASK: "Ask every time",
    Mode.DEFAULT: "Auto-accept read-only",
    Mode.AUTO: "Auto-accept all",
}

MODE_ALIASES = {
    "ask_every_time": Mode.ASK,
    "auto_accept_read_only": Mode.DEFAULT,
    "auto_accept_all": Mode.AUTO,
}

_MODES = {mode.value: mode for mode in Mode}
MODE_WORDS = (*_MODES, *MODE_ALIASES)

# For naming only: plan runs nothing that acts, yet it lets reads run that ask asks for. See policy/matrix.
_TIGHTNESS = {Mode.PLAN: 0, Mode.ASK: 1, Mode.DEFAULT: 2, Mode.AUTO: 3}


def parse_mode(text: object) -> Mode | None:
    """The mode that a setting or a message names, or None; an unknown word never becomes a looser mode."""
    if not isinstance(text, str):
        return None
    if text in MODE_ALIASES:
        return MODE_ALIASES[text]
    return _MODES.get(text)


def held_by(mode: object) -> frozenset[Mode]:
    """The modes that a word stands for. One that nobody knows is as strict as modes can be, which takes two of them."""
    known = parse_mode(mode)
    return frozenset({known}) if known is not None else frozenset({Mode.PLAN, Mode.ASK})


def tightest(modes: Iterable[Mode]) -> Mode:
    """The mode to name where several hold together."""
    return min(modes, key=_TIGHTNESS.__getitem__)


class Category(StrEnum):
    """What a call does to the world. `internal` has no effect outside the chat."""

    INTERNAL = "internal"
    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"
    EXTERNAL = "external"


def parse_category(word: object) -> Category:
    """The category that a tool declares; what is missing or unknown may reach anywhere."""
    return _CATEGORIES.get(word, Category.EXTERNAL) if isinstance(word, str) else Category.EXTERNAL


_CATEGORIES = {category.value: category for category in Category}


_SEVERITY = {
    Category.INTERNAL: 0,
    Category.READ: 1,
    Category.WRITE: 2,
    Category.EXECUTE: 3,
    Category.EXTERNAL: 4,
}


def graver(one: Category, other: Category) -> Category:
    """The category of the two that can do more harm."""
    return one if _SEVERITY[one] >= _SEVERITY[other] else other

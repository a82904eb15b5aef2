"""A shell command, taken apart: the programs that it starts, and what each would do as far as that can be known."""

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.modes import Category
from assent.model.paths import Access, PathUse


@dataclass(frozen=True, slots=True)
class Argument:
    """A word as its program will see it, as far as that is known before the command runs."""

    text: str
    """The whole of it where it is `exact`, else only its beginning."""
    exact: bool = True
    many: bool = False
    """It can become several words, or none: an unquoted variable, say, or a pattern of file names."""
    glob: bool = False
    """The text is a pattern of file names."""
    below: bool = False
    """Not exact, but known to be the name of something below the folder that the text names."""
    number: bool = False
    """Not exact, but a whole number."""
    plain: bool = False
    """Not exact, but one word that is no option, or nothing."""
    named: tuple[str, ...] = ()
    """Of what lies below a folder, patterns of its last name, one of which fits; none where it can be any."""
    written: str = ""
    """As it stands in the command."""

    @property
    def may_be_option(self) -> bool:
        """Whether the program could take it for an option without anyone having seen one."""
        if (self.exact and not self.glob) or self.number or self.plain:
            return False
        return not self.text or self.text[0] in "-*?[" or (self.many and not self.glob)


class Tells(StrEnum):
    """What a program prints of the files in a folder that it goes through."""

    SOMETHING = "something"
    NAMES = "names"
    """Nothing of what stands in them."""
    LINES = "lines"
    """Whatever stands in any of them."""


class PassesOver(StrEnum):
    """Which files in a folder a program does not look at by itself."""

    NOTHING = "nothing"
    IGNORED = "ignored"
    """What git ignores."""
    HIDDEN = "hidden"
    """That, and what begins with a dot."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A path that a part names, absolute; nothing of it was looked up."""

    name: str
    access: Access
    whole: bool = False
    """All that lies below goes with it."""
    glob: bool = False
    """The name is a pattern, and all that it matches is touched."""
    written: str = ""
    at: int | None = None
    """Which of the words names it; None where a redirection does."""
    redirected: bool = False
    """It is joined to the part by a redirection."""
    each: bool = False
    """Files below are named one by one, so that links among them are followed, and secrets are meant."""
    named: tuple[str, ...] = ()
    """Patterns of their last names, one of which fits each, where there are any."""
    follows: bool = False
    """With all that lies below goes all that links below lead to."""
    tells: Tells = Tells.SOMETHING
    passes_over: PassesOver = PassesOver.NOTHING


@dataclass(frozen=True, slots=True)
class Danger:
    """What a part does beyond that which its first words say: no rule on those words covers it."""

    text: str
    at: int | None = None
    """The word that brings it. A rule that spells out this word has named the danger. None: no rule can."""


@dataclass(frozen=True, slots=True)
class Part:
    """One program with its words."""

    words: tuple[Argument, ...]
    written: str
    category: Category = Category.EXECUTE
    """What it does by itself. Where its paths lie, and what it starts, is not in it."""
    does: str = ""
    """For people: “lists files”. Empty where the program is not known."""
    steps: tuple[str, ...] = ()
    """The program's bare name and the verbs that follow, without the options between them: `git push`."""
    steps_at: tuple[int, ...] = ()
    """Which words these steps are."""
    flags: frozenset[str] = frozenset()
    """Every option that was given, in all its spellings."""
    touches: tuple[Touch, ...] = ()
    dangers: tuple[Danger, ...] = ()
    unknown: tuple[str, ...] = ()
    """What cannot be known of it, as sentences."""
    dynamic: bool = False
    """Which program it starts, or with which verb, is only known when it runs."""
    transparent: bool = False
    """It does nothing but start its inner parts; no rule need name it."""
    inner: tuple["Part", ...] = ()
    """What it starts in turn."""
    inner_at: int | None = None
    """The word with which the inner part begins, where that stands among the words."""
    directory: str | None = None
    """Where it runs; None where that cannot be known."""
    caseless: bool = False
    """The shell takes the program's name, and those of options, in any case of letters."""
    paths: tuple[PathUse, ...] = ()
    """Its touches, resolved by those who may look."""
    identities: tuple[tuple[int, str], ...] = ()
    """What stands in the files of the workspace that its words start, by the places of the words; empty for what
    cannot be told."""
    beyond: str = ""
    """By what it is more than plain words for a program, as the end of a sentence; empty where it is not."""
    loose: str = ""
    """The same of an option of which is only known that it should be harmless."""
    roams: frozenset[Access] = frozenset()
    """What it does with files that none of its words names."""

    @property
    def is_own_by_name(self) -> bool:
        """Whether its name, without a folder, stands for a program of the workspace."""
        return any(at == 0 for at, _ in self.identities) and "/" not in self.words[0].text

    def all(self) -> Iterator["Part"]:
        """This part and everything that it starts."""
        yield self
        for part in self.inner:
            yield from part.all()


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it will run, with all its parts in the order in which they stand."""

    text: str
    parts: tuple[Part, ...] = ()
    unreadable: str | None = None
    """Why it could not be taken apart, as a sentence. Then there are no parts, and nothing is known."""
    words: tuple[str, ...] = field(default=())
    """Of what could not be read: every word in its text, for restrictions that look for one."""
    beyond: str = ""
    """The first thing by which it is more than the small language, as the end of a sentence; empty where it is not."""

    @property
    def doubt(self) -> str:
        """Why a reading that finds it harmless is not enough to run it by, as the end of a sentence; empty where it
        is."""
        return self.beyond or next((part.loose for part in self.all() if part.loose), "")

    def all(self) -> Iterator[Part]:
        """Every part, also those that others start."""
        for part in self.parts:
            yield from part.all()

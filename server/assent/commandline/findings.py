"""What is found out about one program with its words, piece by piece."""

import posixpath
import re
from dataclasses import field, replace
from typing import Protocol

from assent.commandline.given import Output
from assent.commandline.variables import NAMES_GIT_SETTINGS, harm
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access
from assent.model.commands import Argument, Danger, Part, PassesOver, Tells, Touch
from assent.model.modes import Category, graver

_HARMLESS_DEVICE = re.compile(r"/dev/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd/\d+)")


class Inside(Protocol):
    """Reads what a program starts in turn."""

    def of_words(
        self,
        words: tuple[Argument, ...],
        directory: str | None,
        stdin: Output | None,
        assigned: tuple[tuple[str, Argument], ...] = (),
    ) -> Part:
        """A program with its words, and with variables that are set for it."""

    def of_text(
        self, text: str, directory: str | None, *, posix: bool, positional: tuple[Argument, ...] | None = ()
    ) -> tuple[Part, ...] | None:
        """The text of a shell command, with what it can name as `$1` and so on; None where it cannot be read."""

    def more_than_plain(self, text: str, *, posix: bool) -> str:
        """By what the text of a shell command is more than the small language; empty where it is not."""

    @property
    def home(self) -> str:
        """The home directory; empty where it is not known."""


@dataclass(slots=True)
class Findings:
    """Collects; nothing that was once found is taken back."""

    inside: Inside
    words: tuple[Argument, ...]
    directory: str | None
    others: tuple[str, ...] = ()
    """Further folders in which it may run instead."""
    redirecting: bool = False
    """What is found now is joined to the program by redirections."""
    own: Category = Category.READ
    """What the program is for: what it writes by its very purpose is no danger."""
    category: Category = Category.READ
    touches: list[Touch] = field(default_factory=list)
    dangers: list[Danger] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    inner: list[Part] = field(default_factory=list)
    inner_at: int | None = None
    steps_at: list[int] = field(default_factory=list)
    output: Output | None = None
    dynamic: bool = False
    beyond: str = ""
    """By what it is more than plain words, as the end of a sentence."""
    loose: str = ""
    """An option of which its entry knows no more than that it should be harmless."""
    roams: set[Access] = field(default_factory=set)
    """What it does with files that none of its words names."""
    assigned: list[tuple[str, Argument]] = field(default_factory=list)
    """Variables that it sets for what it starts, and that give git's verbs another meaning."""
    becomes: tuple[str, int] | None = None
    """From this word on, the words are those of the program with this name."""

    def raises(self, category: Category) -> None:
        """It is at least as grave as this."""
        self.category = graver(self.category, category)

    def danger(self, text: str, at: int | None = None, category: Category = Category.EXECUTE) -> None:
        """It does more than its first words say: `text` goes on from “it”."""
        self.dangers.append(Danger(text, at))
        self.raises(category)

    def not_known(self, sentence: str, at: int | None = None) -> None:
        """Something about it cannot be known: `sentence` stands by itself."""
        self.unknown.append(sentence)
        self.danger(sentence, at)

    def unclear(self, text: str, at: int | None = None) -> None:
        """What a word stands for is only known when it runs: no rule covers that. A program that is for reading is
        believed to read nevertheless, which is enough where it is held to that. `text` goes on from “it”."""
        self.dangers.append(Danger(text, at))
        if self.own is Category.READ:
            self.loose = self.loose or text
        else:
            self.raises(Category.EXECUTE)

    def takes_names(self, text: str, at: int | None = None) -> None:
        """Which files it works on is told by a file or its input: no rule covers that. `text` goes on from “it”."""
        self.roams.add(Access.READ)
        if self.own is not Category.READ:
            self.roams.add(Access.WRITE)
        self.unclear(text, at)

    def contacts(self, what: Argument | None = None, at: int | None = None) -> None:
        """It talks to the network."""
        self.raises(Category.EXTERNAL)

    def reads(self, word: Argument, at: int | None, *, whole: bool = False) -> None:
        """This file, or what lies in this folder."""
        if word.text != "-" or not word.exact:
            self._touch(word, Access.READ, at, whole=whole)

    def reads_here(self, *, whole: bool = True) -> None:
        """The folder that it runs in."""
        self._touch(Argument(".", written="."), Access.READ, None, whole=whole)

    def writes(self, word: Argument, at: int | None, *, whole: bool = False) -> None:
        """This file is made or changed."""
        self._changes(word, Access.WRITE, at, "writes", whole=whole)

    def writes_beside(self, word: Argument, at: int | None) -> None:
        """This file is made or changed, which is not what the program is for."""
        touches, dangers = len(self.touches), len(self.dangers)
        self.writes(word, at)
        if len(self.touches) > touches and len(self.dangers) == dangers:
            self.danger(f"writes {word.written or word.text}", at, Category.WRITE)

    def deletes(self, word: Argument, at: int | None, *, whole: bool = True) -> None:
        """This file, or this folder with all that is in it, is deleted.

        Of what only is known to lie below a folder, single files are no reason to think that the folder goes.
        """
        access = Access.WRITE if word.below and not whole else Access.DELETE
        self._changes(word, access, at, "deletes", whole=whole)

    def starts(self, word: Argument, at: int | None) -> None:
        """A program or a script that is named by its path."""
        if word.exact and _HARMLESS_DEVICE.fullmatch(word.text):
            self.dynamic = True
            self.not_known(f"What {word.written or word.text} would run cannot be known.")
            return
        self._touch(word, Access.RUN, at, whole=False)
        self.raises(Category.EXECUTE)

    def works_in(self, word: Argument, at: int | None) -> None:
        """Another folder, in which relative names start from now on."""
        if word.exact and not word.glob and self.directory is not None:
            self._touch(word, Access.RUN, at, whole=False)
            self.directory = posixpath.join(self.directory, word.text)
        else:
            self.directory = None
            self.not_known(f"In which folder {word.written or word.text} makes it work cannot be known.", at)

    def assigns(self, word: Argument, at: int | None) -> None:
        """`NAME=value` before the command that it starts."""
        name, _, text = word.text.partition("=")
        self.beyond = self.beyond or f"sets the variable {name}"
        value = Argument(text, exact=word.exact)
        why = harm(name, value)
        if why:
            self.danger(f"sets {name}, {why}", at)
            if NAMES_GIT_SETTINGS.fullmatch(name):
                self.assigned.append((name, value))

    def runs(self, first: int, directory: str | None = None, stdin: Output | None = None) -> None:
        """The words from here on are a command of their own."""
        self.inner_at = first
        self.runs_words(self.words[first:], directory, stdin)

    def runs_words(
        self, words: tuple[Argument, ...], directory: str | None = None, stdin: Output | None = None
    ) -> None:
        """These words are a command of their own."""
        if words:
            place = directory or self.directory
            self.inner.append(self.inside.of_words(words, place, stdin, tuple(self.assigned)))

    def runs_text(
        self,
        word: Argument,
        at: int | None,
        *,
        posix: bool = False,
        positional: tuple[Argument, ...] | None = (),
        only: bool = False,
    ) -> None:
        """The text of a shell command, with what it can name as `$1` and so on. `only`: it is all that the shell is
        told, and stands there as it is."""
        told = word.exact and only
        self.beyond = self.beyond or (
            self.inside.more_than_plain(word.text, posix=posix) if told else "starts another shell"
        )
        if not word.exact or word.glob:
            self.dynamic = True
            self.not_known(f"What {word.written or 'it'} would run cannot be known.")
            return
        parts = self.inside.of_text(word.text, self.directory, posix=posix, positional=positional)
        if parts is None:
            self.dynamic = True
            self.not_known(f"The command in {word.written or 'it'} cannot be read.")
        else:
            self.inner.extend(parts)

    def follows_links(self) -> None:
        """Wherever it goes with all that lies below, it goes on through links."""
        self.touches = [replace(touch, follows=True) if touch.whole else touch for touch in self.touches]

    def goes_through(self, tells: Tells, passes_over: PassesOver = PassesOver.NOTHING) -> None:
        """What it makes of the files in the folders that it reads with all that lies below."""
        self.touches = [
            replace(touch, tells=tells, passes_over=passes_over)
            if touch.whole and touch.access is Access.READ
            else touch
            for touch in self.touches
        ]

    def meets_only(self, patterns: tuple[str, ...]) -> None:
        """Below its folders, it looks only into files with such names, where there are any patterns."""
        self.touches = [replace(touch, named=patterns) if touch.whole and patterns else touch for touch in self.touches]

    def prints(self, output: Output | None) -> None:
        """What is known of its output."""
        self.output = output

    def _changes(self, word: Argument, access: Access, at: int | None, verb: str, *, whole: bool) -> None:
        if word.text == "-" and word.exact:
            return
        before = len(self.touches)
        self._touch(word, access, at, whole=whole)
        if len(self.touches) == before:
            return
        self.raises(Category.WRITE)
        if self.own is Category.READ:
            self.danger(f"{verb} {word.written or word.text}", at, Category.WRITE)

    def _touch(self, word: Argument, access: Access, at: int | None, *, whole: bool) -> None:
        written = word.written or word.text
        known = word.exact or word.below
        absolute = word.text.startswith("/")
        if not known or (not absolute and self.directory is None):
            sentence = f"{_UNKNOWN[access]} with {written} is only known when it runs."
            if access is not Access.READ:
                self.not_known(sentence)
                return
            self.unknown.append(sentence)
            self.unclear(f"reads what {written} stands for", at)
            return
        if word.exact and not word.glob and (not word.text or _HARMLESS_DEVICE.fullmatch(word.text)):
            return
        folders = ("/",) if absolute else (self.directory or "/", *self.others)
        for folder in folders:
            touch = Touch(
                posixpath.join(folder, word.text),
                access,
                whole or word.below,
                word.glob,
                written,
                at,
                self.redirecting,
                word.below,
                word.named,
            )
            self.touches.append(touch)


_UNKNOWN = {
    Access.READ: "Which file it reads",
    Access.WRITE: "Which file it writes",
    Access.DELETE: "Which file it deletes",
    Access.RUN: "Which program it starts",
}

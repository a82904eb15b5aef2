"""Whether a restriction speaks of a part: surely, perhaps, or not at all.

One part is enough. Programs are compared by their bare names and without case; options may stand anywhere. Where words
are only known when the command runs, it is a doubt, for which the user is asked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from assent.commandline.catalogue import program_named
from assent.commandline.schema import Option
from assent.model.commands import Argument, Command, Part
from assent.model.modes import Category
from assent.model.paths import Access
from assent.policy.rules.commands.aliases import main_verb, same_verb, shortens
from assent.policy.rules.commands.pattern import CommandPattern
from assent.policy.rules.commands.programs import leaf_of
from assent.policy.rules.commands.shelves import literal_words
from assent.policy.rules.commands.words import PatternWord

_SHORT_CLUSTER = 5
"""Of programs that nobody knows, so many characters behind one dash are taken for single letters."""
_LEAST_BEGUN = 4
_NAME_AND_WORD = 2
_LEAST_SHORTENED = 3
_DASHED = "git-"
_ACTING = (Category.EXECUTE, Category.EXTERNAL)
_NAMES = re.compile(r"[\w.+-]+")
_INTERPRETERS = frozenset(
    {
        "awk",
        "bash",
        "dash",
        "fish",
        "ksh",
        "sh",
        "zsh",
        "bun",
        "deno",
        "gawk",
        "groovy",
        "jshell",
        "julia",
        "lua",
        "mawk",
        "node",
        "nodejs",
        "osascript",
        "perl",
        "php",
        "powershell",
        "pwsh",
        "pypy",
        "python",
        "r",
        "rscript",
        "ruby",
        "scala",
        "tclsh",
    }
)


class Speaks(Enum):
    """How a restriction stands to a part."""

    YES = "it is meant"
    PERHAPS = "it could be meant"
    NO = "it is not meant"


@dataclass(frozen=True)
class Restriction:
    """A pattern, with what is compared sorted beforehand."""

    pattern: CommandPattern

    @cached_property
    def program(self) -> str:
        """The bare name, for looking it up; empty where it has wildcards, or there is none."""
        words = self.pattern.words
        return "" if not words or words[0].wild else bare(words[0].text)

    @cached_property
    def options(self) -> tuple[PatternWord, ...]:
        return tuple(word for word in self._more if is_option(word.text))

    @cached_property
    def operands(self) -> tuple[PatternWord, ...]:
        return tuple(word for word in self._more if not is_option(word.text) and word.text != "--")

    @cached_property
    def first_operands(self) -> tuple[str, ...]:
        """The words by which it is looked up, as `Started.words` has them."""
        return tuple(main_verb(self.program, word) for word in literal_words(self.operands, 2))

    @cached_property
    def _more(self) -> tuple[PatternWord, ...]:
        return self.pattern.words[1:]


@dataclass(frozen=True, slots=True)
class Started:
    """A program that a part starts, under one of the names that it can be looked for."""

    name: str
    path: str
    part: Part
    first: int
    """The word that names it."""

    @property
    def shortened(self) -> bool:
        """Whether its verb is none that is known, and may be the beginning of one that is."""
        steps = self.part.steps
        return self.first == 0 and len(steps) > 1 and shortens(self.name) and leaf_of(self.part)[1] < len(steps)

    @property
    def words(self) -> set[str] | None:
        """Its further words, in the spelling in which restrictions are looked up. None: some are not known."""
        more = self.part.words[self.first + 1 :]
        if self.shortened or any(not word.exact or word.many or word.glob for word in more):
            return None
        return {main_verb(self.name, word.text) for word in more}


def bare(name: str) -> str:
    """The name of a program without its folder, its ending on Windows, and its case."""
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold().removesuffix(".exe")


def is_option(text: str) -> bool:
    """Whether a program takes the word for an option."""
    return len(text) > 1 and text[0] == "-" and text != "--"


def started_by(part: Part) -> Iterator[Started]:
    """The part's program; and the script or the module, where it is an interpreter that is given one."""
    if part.steps:
        yield Started(bare(part.steps[0]), part.words[0].text, part, 0)
        if bare(part.steps[0]).startswith(_DASHED):
            yield _undashed(part)
    if part.steps[1:2] == ("-m",) and len(part.steps) > 2:
        yield Started(bare(part.steps[2]), part.steps[2], part, part.steps_at[2])
    folders = {use.named for use in part.paths if use.is_directory}
    for touch in part.touches:
        at = touch.at
        if touch.access is not Access.RUN or at is None or touch.glob or touch.name in folders:
            continue
        text = part.words[at].text
        if at > 0 and not is_option(text) and ("/" in text or "." in text.strip(".")):
            yield Started(bare(text), text, part, at)


def _undashed(part: Part) -> Started:
    """`git-push` is the program behind `git push`."""
    verb = bare(part.steps[0]).removeprefix(_DASHED)
    words = (Argument("git"), Argument(verb), *part.words[1:])
    return Started("git", "git", replace(part, words=words, steps=("git", verb), steps_at=(0, 1)), 0)


def speaks(restriction: Restriction, started: Started, home: str) -> Speaks:
    """Whether the restriction is about this program with its words. Its bare name was found to be the same."""
    pattern = restriction.pattern
    if pattern.words[0].wild:
        if not (pattern.words[0].fits(started.name) or pattern.words[0].fits(started.path)):
            return Speaks.NO
    elif not _same_program(pattern.words[0].text, started):
        return Speaks.NO
    if not pattern.prefix:
        return _exactly(restriction, started, home)
    if _operands_fit(restriction, started, home, guess=False):
        if _options_fit(restriction, started):
            return Speaks.YES
        return Speaks.PERHAPS if _could_hold_options(started) else Speaks.NO
    if not _operands_fit(restriction, started, home, guess=True):
        return Speaks.NO
    return Speaks.PERHAPS if _options_fit(restriction, started) or _could_hold_options(started) else Speaks.NO


def hides(part: Part) -> str:
    """Why a part may start any program at all; empty where it cannot."""
    if not part.dynamic:
        return ""
    program = program_named(part.steps[0]) if part.steps else None
    if program is not None and program.verbs and not (program.runs_code or program.wraps):
        return ""
    return part.unknown[0] if part.unknown else f"What {part.written} starts is only known when it runs."


def names_in_code(part: Part) -> frozenset[str]:
    """Names in code that is handed to an interpreter as a word, which nobody reads."""
    if part.inner or not part.steps or len(part.words) < 2:
        return frozenset()
    if not names_an_interpreter(part):
        program = program_named(part.steps[0])
        if program is None or not program.runs_code:
            return frozenset()
    code = (word.text for word in part.words[1:] if not _NAMES.fullmatch(word.text))
    return frozenset(bare(name) for text in code for name in _NAMES.findall(text))


def loose_words(part: Part) -> tuple[str, ...]:
    """Of a part that can do more than anyone knows, its words in their order."""
    if not part.steps or (part.inner and not part.dangers):
        return ()
    if not part.dangers and (program_named(part.steps[0]) is not None or _asks_about(part)):
        return ()
    return tuple(name for word in part.words[1:] for name in names_in(word.text))


def _asks_about(part: Part) -> bool:
    """`man rm`, `which rm`: a name and nothing else is rather looked up than started."""
    return len(part.words) == _NAME_AND_WORD and _NAMES.fullmatch(part.words[1].text) is not None


def is_fed(part: Part) -> bool:
    """Whether it runs what it is given to read: that stands somewhere in the command, or nobody knows it."""
    if not part.steps or (part.inner and not part.dangers) or part.category not in _ACTING:
        return False
    return "<<" in part.written or any(danger.at is None for danger in part.dangers)


def names_in(text: str) -> list[str]:
    """Everything in a text that could be the name of a program, or a word for it."""
    return _NAMES.findall(text)


def in_order(restriction: Restriction, words: Iterable[str]) -> bool:
    """Whether the program that the restriction names occurs among these words, and after it what else it says."""
    rest = iter(words)
    looked_for = restriction.pattern.words
    if not looked_for or looked_for[0].wild:
        return False
    if not any(bare(word) == restriction.program for word in rest):
        return False
    return all(any(word.fits(one) for one in rest) for word in looked_for[1:])


def names_an_interpreter(part: Part) -> bool:
    """Whether the program is one that runs code, under any version."""
    name = bare(part.steps[0]) if part.steps else ""
    return name in _INTERPRETERS or name.rstrip("0123456789.") in _INTERPRETERS


def in_unread(restriction: Restriction, command: Command) -> bool:
    """Whether the words of a command that cannot be read hold those of the restriction, in their order."""
    words = iter(command.words)
    looked_for = restriction.pattern.words
    if not looked_for:
        return False
    first = looked_for[0]
    if not any(first.fits(bare(word)) if first.wild else bare(word) == bare(first.text) for word in words):
        return False
    return all(any(word.fits(one) for one in words) for word in looked_for[1:])


def _same_program(spelled: str, started: Started) -> bool:
    if bare(spelled) != started.name:
        return False
    folder = spelled.removeprefix("./").rpartition("/")[0]
    if not folder or _is_system(folder) or "/" not in started.path:
        return True
    names = {started.path, *(touch.name for touch in started.part.touches if touch.at == started.first)}
    tail = "/" + spelled.removeprefix("./").lstrip("/")
    return any(("/" + name.removeprefix("./").lstrip("/")).casefold().endswith(tail.casefold()) for name in names)


def _is_system(folder: str) -> bool:
    return folder.startswith("/") and folder.rpartition("/")[2] in {"bin", "sbin"}


def _operands_fit(restriction: Restriction, started: Started, home: str, *, guess: bool) -> bool:
    """Whether what the restriction says besides options comes first among the words that are none."""
    part, wanted = started.part, restriction.operands
    start = started.first + 1
    if started.first == 0 and len(part.steps) > 1:
        steps = [step for step in part.steps[1:] if not is_option(step)][: len(wanted)]
        pairs = zip(wanted, steps, strict=False)
        if not all(_is_verb(word, step, started) for word, step in pairs):
            return False
        wanted, start = wanted[len(steps) :], part.steps_at[-1] + 1
    return _come_first(wanted, part.words[start:], home, guess=guess)


def _is_verb(wanted: PatternWord, step: str, started: Started) -> bool:
    if wanted.fits(step) or same_verb(started.name, wanted.text, step):
        return True
    return started.shortened and len(step) >= _LEAST_SHORTENED and wanted.text.startswith(step)


def _come_first(wanted: tuple[PatternWord, ...], words: tuple[Argument, ...], home: str, *, guess: bool) -> bool:
    """Reads each option both ways: by itself, and with the next word as its value."""
    reached = {0}
    after_option = only_operands = False
    for word in words:
        if len(wanted) in reached:
            return True
        if word.text == "--" and word.exact:
            only_operands, after_option = True, False
            continue
        if is_option(word.text) and not only_operands:
            after_option = "=" not in word.text
            continue
        reached = _after(word, wanted, reached, home, guess=guess, skipped=after_option)
        after_option = False
        if not reached:
            return False
    return len(wanted) in reached


def _after(
    word: Argument, wanted: tuple[PatternWord, ...], reached: set[int], home: str, *, guess: bool, skipped: bool
) -> set[int]:
    unknown = not word.exact or word.many or word.glob
    if unknown and guess:
        most = len(wanted) if word.many or not word.exact else min(max(reached) + 1, len(wanted))
        return set(range(min(reached), most + 1))
    following = {at + 1 for at in reached if at < len(wanted) and not unknown and _is_word(wanted[at], word, home)}
    return following | (reached if skipped else set())


def _is_word(wanted: PatternWord, word: Argument, home: str) -> bool:
    return wanted.fits(word.text) or (wanted.tilde and wanted.home(home) == word.text)


def _options_fit(restriction: Restriction, started: Started) -> bool:
    return all(_is_given(option, started) for option in restriction.options)


def _is_given(option: PatternWord, started: Started) -> bool:
    flags = started.part.flags
    if option.wild:
        return any(option.fits(flag) for flag in flags)
    if _spelled_somehow(option.text, started.part):
        return True
    letters = _letters(option.text, started.part)
    return bool(letters) and all(_spelled_somehow(f"-{letter}", started.part) for letter in letters)


def _spelled_somehow(option: str, part: Part) -> bool:
    """Whether the option is given, by any name that the catalogue has for it, or the beginning of a long one."""
    if option in part.flags:
        return True
    program, _ = leaf_of(part)
    known = program.options.get(option) if program is not None else None
    if program is None or known is None:
        return False
    if not part.flags.isdisjoint(known.names):
        return True
    begun = (flag for flag in part.flags if flag.startswith("--") and len(flag) >= _LEAST_BEGUN)
    return any(_means_only(program.options, flag, known.names) for flag in begun)


def _means_only(options: Mapping[str, Option], begun: str, names: tuple[str, ...]) -> bool:
    fitting = {option.names for name, option in options.items() if name.startswith(begun)}
    return fitting == {names}


def _letters(option: str, part: Part) -> str:
    """The single letters that an option is made of; none where it is one long option."""
    if option.startswith("--"):
        return ""
    program, _ = leaf_of(part)
    joined = len(option) <= _SHORT_CLUSTER if program is None else not program.one_dash
    return option[1:] if joined else ""


def _could_hold_options(started: Started) -> bool:
    return any(word.may_be_option and not word.glob for word in started.part.words[started.first + 1 :])


def _exactly(restriction: Restriction, started: Started, home: str) -> Speaks:
    """All words, options in any order, and nothing more."""
    words = started.part.words[started.first + 1 :]
    if any(not word.exact or word.many or word.glob for word in words):
        if restriction.pattern.words[-1].wild and _same_globs(restriction, words):
            return Speaks.YES
        return Speaks.PERHAPS if _operands_fit(restriction, started, home, guess=True) else Speaks.NO
    operands = [word for word in words if not is_option(word.text) and word.text != "--"]
    given = [word.text for word in words if is_option(word.text)]
    same = len(operands) == len(restriction.operands) and all(
        _is_word(wanted, word, home) for wanted, word in zip(restriction.operands, operands, strict=True)
    )
    if not same or not _options_fit(restriction, started):
        return Speaks.NO
    said = _singles((option.text for option in restriction.options), started.part)
    return Speaks.YES if _singles(given, started.part) <= said | _spelled_otherwise(restriction, started) else Speaks.NO


def _singles(options: Iterable[str], part: Part) -> set[str]:
    return {single for option in options for single in _one_by_one(option, part)}


def _one_by_one(option: str, part: Part) -> set[str]:
    letters = _letters(option, part)
    return {f"-{letter}" for letter in letters} if letters else {option}


def _spelled_otherwise(restriction: Restriction, started: Started) -> set[str]:
    """The other spellings of the options that the restriction gives, as the catalogue has them."""
    program, _ = leaf_of(started.part)
    if program is None:
        return set()
    said = _singles((option.text for option in restriction.options), started.part)
    return {name for one in said if one in program.options for name in program.options[one].names}


def _same_globs(restriction: Restriction, words: tuple[Argument, ...]) -> bool:
    pairs = list(zip(restriction.pattern.words[1:], words, strict=False))
    return len(words) == len(restriction.pattern.words) - 1 and all(one.text == word.text for one, word in pairs)

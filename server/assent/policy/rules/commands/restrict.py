"""Whether a restriction speaks of a part: surely, perhaps, or not at all.

One part is enough. Programs are compared by their bare names and without case; options may stand anywhere. Where words
are only known when the command runs, it is a doubt, for which the user is asked.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import cached_property

from assent.commandline.schema import Option
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument, Part
from assent.model.paths import Access
from assent.policy.rules.commands.aliases import main_verb, same_verb, shortens
from assent.policy.rules.commands.pattern import CommandPattern
from assent.policy.rules.commands.programs import leaf_of
from assent.policy.rules.commands.shelves import literal_words
from assent.policy.rules.commands.words import PatternWord

_SHORT_CLUSTER = 5
"""Of programs that nobody knows, so many characters behind one dash are taken for single letters."""
_LEAST_BEGUN = 4
_LEAST_SHORTENED = 3
_DASHED = "git-"


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
            # A verb that nobody knows, behind options, can be the value of one of these.
            unsure = part.steps_at[1] > 1 and leaf_of(part)[1] < len(part.steps)
            return unsure and _come_first(wanted, part.words[start:], home, guess=guess)
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

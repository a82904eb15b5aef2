"""The words of a program, sorted into options and operands the way the program itself would."""

from dataclasses import field

from assent.commandline.schema import Option, Program, Takes, Use
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument


@dataclass(frozen=True, slots=True)
class GivenOption:
    """An option as it was given, by the word that it stands in."""

    option: Option
    name: str
    at: int
    value: Argument | None = None
    value_at: int | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What is known of the text that a command prints: the text itself, or that it is names of files."""

    text: str | None = None
    names_below: str | None = None
    """Every line is the name of something below this folder, written as it would be found from where it runs."""
    name: bool = False
    """It is one name of a commit or a branch, or nothing: without blanks, and no option."""
    named: tuple[str, ...] = ()
    """Patterns of the last part of each name, one of which fits; none where it can be any."""


@dataclass(slots=True)
class Given:
    """The words of one program or verb, from the word after its name on."""

    program: Program
    words: tuple[Argument, ...]
    """All words of the command, from the program's name on."""
    start: int
    """The first word after the name of the program or verb."""
    options: list[GivenOption] = field(default_factory=list)
    operands: list[int] = field(default_factory=list)
    """Which words are operands."""
    strange: list[int] = field(default_factory=list)
    """Which words look like options and are none that is known."""
    ended: int | None = None
    """The word after `--`, if that was given."""
    stdin: Output | None = None
    """What is known of the input that it is given; None where nothing is known, or it reads no pipe."""
    piped: bool = False
    """Its input comes from a pipe, a here-document or a file."""

    def has(self, *names: str) -> bool:
        """Whether one of these options is given, in any of its spellings."""
        return any(name in given.option.names for given in self.options for name in names)

    def value(self, *names: str) -> Argument | None:
        """The last value given to one of these options."""
        values = [one.value for one in self.options if any(name in one.option.names for name in names)]
        return values[-1] if values else None


def sort_words(program: Program, words: tuple[Argument, ...], start: int) -> Given:
    """Reads the words from `start` on as this program's options and operands."""
    given = Given(program, words, start)
    at, only_operands = start, False
    while at < len(words):
        text = words[at].text
        if only_operands or len(text) < 2 or text[0] != "-":
            given.operands.append(at)
            if program.stops or program.verbs or (program.wraps and len(given.operands) > len(program.operands.first)):
                given.operands.extend(range(at + 1, len(words)))
                break
            at += 1
        elif text == "--" and words[at].exact:
            only_operands, given.ended = True, at + 1
            at += 1
        else:
            known = len(given.options)
            at = _option(given, at)
            if any(one.option.ends for one in given.options[known:]):
                given.operands.extend(range(at, len(words)))
                break
    return given


def _option(given: Given, at: int) -> int:
    """Takes up the option at this word, and gives the next word to look at."""
    word, program = given.words[at], given.program
    name, equals, _ = word.text.partition("=")
    if program.one_dash or name.startswith("--"):
        option = _long(program, name) if equals or word.exact else None
        if option is None:
            given.strange.append(at)
            return at + 1
        return _take(given, option, name, at, attached=len(name) + 1 if equals else None)
    if program.numbers and word.exact and word.text[1:].isdigit():
        return at + 1
    return _cluster(given, at)


def _long(program: Program, name: str) -> Option | None:
    option = program.options.get(name)
    if program.one_dash:
        # Those that have one dash take two as well, or do not know such a word at all.
        return option or program.options.get(name[1:])
    if option is not None or len(name) < 3:
        return option
    # Most programs take any beginning of a long option that fits one only.
    fitting = {id(found): found for spelled, found in program.options.items() if spelled.startswith(name)}
    if len(fitting) > 1 and program.open:
        # Which of its options there are is not known in full, so the beginning may fit one only: the worst of them.
        return next((found for found in fitting.values() if found.use is not Use.TEXT), None)
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _cluster(given: Given, at: int) -> int:
    word, options = given.words[at], given.program.options
    if word.text in options:
        # Some programs have options of several letters behind one dash.
        return _take(given, options[word.text], word.text, at, attached=None)
    for place, letter in enumerate(word.text[1:], 1):
        option = options.get(f"-{letter}")
        if option is None:
            given.strange.append(at)
            if given.program.open:
                continue  # A harmless flag; the letters after it may be others.
            return at + 1
        more = place + 1 < len(word.text) or not word.exact
        if option.takes is not Takes.NOTHING:
            return _take(given, option, f"-{letter}", at, attached=place + 1 if more else None)
        given.options.append(GivenOption(option, f"-{letter}", at))
    if not word.exact:
        given.strange.append(at)
    return at + 1


def _take(given: Given, option: Option, name: str, at: int, *, attached: int | None) -> int:
    """The option with its value: what is attached from this place of the word on, or the next word."""
    word = given.words[at]
    if attached is not None:
        value = Argument(word.text[attached:], word.exact, word.many, word.glob, below=word.below, written=word.written)
        if option.takes is Takes.NOTHING:
            given.strange.append(at)
        given.options.append(GivenOption(option, name, at, value, at))
        return at + 1
    if not word.exact:
        given.strange.append(at)
        return at + 1
    if option.takes is Takes.VALUE:
        if at + 1 >= len(given.words):
            given.strange.append(at)
            return at + 1
        following = given.words[at + 1]
        if given.program.verbs and following.text[:1] == "-" and len(following.text) > 1:
            # Where such a word is no value, another word is the verb.
            given.strange.append(at)
        given.options.append(GivenOption(option, name, at, following, at + 1))
        # Some programs take no word with a dash for a value: where they are not known in full, it is looked at twice.
        both = given.program.open and following.text[:1] == "-" and following.text not in ("-", "--")
        return at + 1 if both else at + 2
    given.options.append(GivenOption(option, name, at))
    return at + 1

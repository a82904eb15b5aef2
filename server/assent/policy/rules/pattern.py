"""From the text of a path pattern to what it means: where it starts, and the names that may follow."""

from enum import Enum
from unicodedata import normalize

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.segment import CharacterClass, Letter, Token, Tokens, Wild, letter, plain_text
from assent.policy.rules.spelling import is_windows, names_of

MAX_LENGTH = 4_096
MAX_WILD = 64
"""So many names of a pattern may hold wildcards, and so many `**` and classes it may have: what it costs has an end."""

_SPECIAL = frozenset("*?[\\")


class UnusablePattern(ValueError):
    """The text is no pattern; the message ends the sentence “the rule does not count, because ...”."""


class Base(Enum):
    """Where the names of a pattern start."""

    ROOTS = "each workspace folder"
    HOME = "the home directory"
    TOP = "the top of the file system"


@dataclass(frozen=True, slots=True)
class Step:
    """One name of the way; `deep` lets any number of folders come before it."""

    text: str
    tokens: Tokens
    deep: bool = False
    plain: str | None = None
    """The one name that it matches, where it has no wildcard."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was understood. Without steps it means the place where it starts."""

    bases: tuple[Base, ...]
    steps: tuple[Step, ...]
    folder_only: bool = False
    """It ends in a slash: it means folders, and what lies below them."""

    @property
    def floats(self) -> bool:
        """It may match at any depth."""
        return bool(self.steps) and self.steps[0].deep

    @property
    def said(self) -> tuple[str, ...]:
        """The names that it starts with and says in full."""
        names: list[str] = []
        for step in self.steps:
            if step.deep or step.plain is None:
                break
            names.append(step.plain)
        return tuple(names)


def named_step(name: str) -> Step:
    """The step that is this name, whatever characters it has."""
    return Step(name, (), plain=name)


def readings(text: str, *, generous: bool) -> tuple[Pattern, ...]:
    """What the text may mean. A backslash makes the next character plain; it may be meant as Windows has it, too."""
    plain = normalize("NFC", text)
    turned = plain.replace("\\", "/")
    if turned == plain or is_windows(plain):
        return (parse(turned),)
    if not generous:
        return (parse(plain),)
    return tuple(_those_that_parse((plain, turned)))


def _those_that_parse(texts: tuple[str, ...]) -> list[Pattern]:
    found, faults = [], []
    for text in texts:
        try:
            found.append(parse(text))
        except UnusablePattern as fault:
            faults.append(fault)
    if not found:
        raise faults[0]
    return found


def parse(text: str) -> Pattern:
    """What the text means, or UnusablePattern."""
    _refuse_the_unlikely(text)
    bases, rest, anchored = _start(text)
    names = list(names_of(rest))
    if ".." in names:
        raise UnusablePattern("“..” is not followed; write the whole path")
    if not names and Base.TOP in bases:
        raise UnusablePattern("it names no file and no folder")
    pattern = Pattern(bases, _steps(names, floating=not anchored), rest.endswith("/"))
    _refuse_other_languages(pattern)
    _refuse_the_costly(pattern)
    return pattern


def _refuse_the_unlikely(text: str) -> None:
    if not text:
        raise UnusablePattern("it is empty")
    if text != text.strip():
        raise UnusablePattern("it begins or ends with a blank; write [ ] where a blank is meant")
    if len(text) > MAX_LENGTH:
        raise UnusablePattern(f"it is longer than {MAX_LENGTH} characters")
    if "\0" in text:
        raise UnusablePattern("it holds a NUL character")
    if text.startswith("!"):
        raise UnusablePattern("a pattern cannot be turned round with “!”; write \\! where the character is meant")


def _start(text: str) -> tuple[tuple[Base, ...], str, bool]:
    """Where it starts, what follows, and whether the first name must stand right there."""
    if text == "~" or text.startswith("~/"):
        return (Base.HOME,), text[1:], True
    if text.startswith("~") and "/" in text:
        raise UnusablePattern("only ~/ is known; write the whole path of another home directory")
    if text.startswith("//") or is_windows(text):
        return (Base.TOP,), text, True
    if text.startswith("/"):
        # Either custom is common: the slash of an absolute path, and the one that ties a name to the folder.
        return (Base.ROOTS, Base.TOP), text, True
    return (Base.ROOTS,), text, "/" in text.rstrip("/") or text in {".", "./"}


def _steps(names: list[str], *, floating: bool) -> tuple[Step, ...]:
    steps: list[Step] = []
    deep = floating and bool(names)
    for name in names:
        if name == "**":
            deep = True
            continue
        tokens = tokens_of(name)
        steps.append(Step(name, tokens, deep, plain_text(tokens)))
        deep = False
    if names and names[-1] == "**":
        steps.append(Step("*", (Wild.MANY,), deep=True))
    return tuple(steps)


def _refuse_other_languages(pattern: Pattern) -> None:
    """What other programs give a meaning to, and a rule would take for plain characters."""
    if not any("{" in step.text for step in pattern.steps):
        return
    shown = "/".join("".join(_spoken(token) for token in step.tokens) for step in pattern.steps)
    if "${" in shown:
        raise UnusablePattern("variables are not replaced; write the path, or [$] where the character is meant")
    if any("," in piece.partition("}")[0] and "}" in piece for piece in shown.split("{")[1:]):
        raise UnusablePattern("{a,b} is not known; write one pattern for each, or [{] where the character is meant")


def _refuse_the_costly(pattern: Pattern) -> None:
    if sum(step.plain is None for step in pattern.steps) > MAX_WILD:
        raise UnusablePattern(f"more than {MAX_WILD} of its names hold wildcards")
    if sum(step.deep for step in pattern.steps) > MAX_WILD:
        raise UnusablePattern(f"it has “**” more than {MAX_WILD} times")
    wild = (step.tokens for step in pattern.steps if step.plain is None)
    if sum(isinstance(token, CharacterClass) for tokens in wild for token in tokens) > MAX_WILD:
        raise UnusablePattern(f"it has more than {MAX_WILD} classes like [a-z]")


def _spoken(token: Token) -> str:
    return token.text if isinstance(token, Letter) and not token.quoted else "\0"


def tokens_of(name: str) -> Tokens:
    """The tokens of one name."""
    if not _SPECIAL.intersection(name):
        return tuple(map(letter, name))
    found: list[Token] = []
    at = 0
    while at < len(name):
        token, at = _token(name, at)
        if token is not Wild.MANY or found[-1:] != [Wild.MANY]:
            found.append(token)
    return tuple(found)


def _token(name: str, at: int) -> tuple[Token, int]:
    character = name[at]
    if character == "*":
        return Wild.MANY, at + 1
    if character == "?":
        return Wild.ONE, at + 1
    if character == "[":
        return _class(name, at + 1)
    if character == "\\":
        return Letter(_escaped(name, at), quoted=True), at + 2
    return letter(character), at + 1


def _escaped(name: str, at: int) -> str:
    escaped = name[at + 1 : at + 2]
    if not escaped or escaped.isalnum():
        raise UnusablePattern("a backslash only makes a special character plain; write / between folders")
    return escaped


def _class(name: str, at: int) -> tuple[Token, int]:
    """The class that begins after the bracket; a closing one that comes first is a plain character."""
    negated = name[at : at + 1] in {"!", "^"}
    at += negated
    ranges: list[tuple[str, str]] = []
    while name[at : at + 1] != "]" or not ranges:
        low, at = _member(name, at)
        high = low
        if name[at : at + 1] == "-" and name[at + 1 : at + 2] not in {"", "]"}:
            high, at = _member(name, at + 1)
        if high < low:
            raise UnusablePattern(f"the range {low}-{high} runs backwards")
        ranges.append((low, high))
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    if single and not negated:
        return Letter(ranges[0][0], quoted=True), at + 1
    return CharacterClass(tuple(ranges), negated), at + 1


def _member(name: str, at: int) -> tuple[str, int]:
    character = name[at : at + 1]
    if not character:
        raise UnusablePattern("a [ is not closed within one name; write \\[ where the character is meant")
    if character == "[" and name[at + 1 : at + 2] in {":", ".", "="}:
        raise UnusablePattern("named classes like [:alpha:] are not known; write the range, like [a-z]")
    if character == "\\":
        return _escaped(name, at), at + 2
    return character, at + 1

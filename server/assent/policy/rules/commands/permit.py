"""Whether a permission speaks of a part, and which of its words it spells out.

A permission is exact: a word that is not known in full is never meant, and what a wildcard stands for is never taken
for a word that the rule has named.
"""

from collections.abc import Iterator
from dataclasses import replace

from assent.commandline.invocation import bare_name
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument, Part
from assent.policy.rules.commands.pattern import CommandPattern
from assent.policy.rules.commands.shelves import DEPTH, literal_words
from assent.policy.rules.commands.words import PatternWord


@dataclass(frozen=True, slots=True)
class Match:
    """How a permission fits a part."""

    named: frozenset[int] = frozenset()
    """The words that it spells out, by their places."""
    whole: bool = False
    """It is for everything that the tool does."""
    inner: CommandPattern | None = None
    """What it says of the command that the part starts in turn."""


WHOLE = Match(whole=True)


def permits(pattern: CommandPattern, part: Part, home: str) -> Match | None:
    """How the pattern fits the part, or None."""
    found = fits_words(pattern, part, home)
    return found if found is not None and is_same_program(pattern, part) else None


def fits_words(pattern: CommandPattern, part: Part, home: str) -> Match | None:
    """The same, whatever the files are that the part starts."""
    if not pattern.words or part.dynamic or not part.words or not part.steps:
        return None
    found = _by_words(pattern, part, home)
    if found is None and pattern.prefix:
        found = _by_steps(pattern, part, home)
    return found


def is_same_program(pattern: CommandPattern, part: Part) -> bool:
    """Whether the files that it starts are what the pattern says that they have to be."""
    now = dict(part.identities)
    return all(now.get(at) == word.identity for at, word in enumerate(pattern.words) if word.identity)


def is_for_another(pattern: CommandPattern, part: Part, home: str) -> bool:
    """Whether nothing but the file that it starts is another one."""
    return not is_same_program(pattern, part) and fits_words(pattern, part, home) is not None


def folded_part(part: Part) -> Part:
    """The part in the one spelling that a shell gives it which does not mind case in programs and options."""
    words = tuple(
        replace(word, text=word.text.casefold()) if at == 0 or word.text.startswith("-") else word
        for at, word in enumerate(part.words)
    )
    return replace(part, words=words, steps=tuple(step.casefold() for step in part.steps[:1]) + part.steps[1:])


def folded_pattern(pattern: CommandPattern) -> CommandPattern:
    """The same for a pattern; what has wildcards stays as it is."""
    words = tuple(
        replace(word, text=word.text.casefold()) if not word.wild and (at == 0 or word.text.startswith("-")) else word
        for at, word in enumerate(pattern.words)
    )
    return replace(pattern, words=words)


def beginning_of(pattern: CommandPattern) -> tuple[str, ...]:
    """The words by which a rule is found."""
    words = literal_words(pattern.words, DEPTH)
    return (_program_of(pattern.words[0]), *words[1:]) if words else ()


def ways_of(part: Part) -> Iterator[tuple[str, ...]]:
    """The words that a rule on this part can begin with: as they stand, and as steps without the options between."""
    if not part.steps:
        return
    program = same_place(part.steps[0])
    yield (program, *(word.text for word in part.words[1:DEPTH]))
    if len(part.steps) > 1:
        last = part.steps_at[-1]
        yield (program, *part.steps[1:DEPTH], *(word.text for word in part.words[last + 1 : last + DEPTH]))


def _program_of(word: PatternWord) -> str:
    return same_place(bare_name(word.text))


def same_place(name: str) -> str:
    """`bin/x` and `./bin/x` are one program; `x` and `./x` are not."""
    rest = name.removeprefix("./")
    return rest if "/" in rest else name


def _by_words(pattern: CommandPattern, part: Part, home: str) -> Match | None:
    """Word by word from the first on."""
    count = len(pattern.words)
    if count > len(part.words) or (not pattern.prefix and count != len(part.words)):
        return None
    if not _is_program(pattern.words[0], part):
        return None
    pairs = zip(pattern.words[1:], part.words[1:], strict=False)
    if not all(_means(word, argument, home) for word, argument in pairs):
        return None
    named = frozenset(at for at, word in enumerate(pattern.words) if not word.wild)
    inner = pattern.rest(part.inner_at) if part.inner_at is not None else None
    return Match(named | _literally(pattern, part), inner=inner)


def _by_steps(pattern: CommandPattern, part: Part, home: str) -> Match | None:
    """The verbs that the part has, whatever options stand between them, and then word by word."""
    if not _is_program(pattern.words[0], part):
        return None
    steps = min(len(part.steps), len(pattern.words))
    if not all(_is_step(pattern.words[at], part.steps[at]) for at in range(1, steps)):
        return None
    if any(not part.words[at].exact for at in part.steps_at[:steps]):
        return None
    named = {at for at, word in zip(part.steps_at, pattern.words, strict=False) if not word.wild}
    start = part.steps_at[steps - 1] + 1
    for at, word in enumerate(pattern.words[steps:], start):
        if at >= len(part.words) or not _means(word, part.words[at], home):
            return None
        if not word.wild:
            named.add(at)
    return Match(frozenset(named))


def _is_program(word: PatternWord, part: Part) -> bool:
    first = part.words[0]
    if not first.exact or first.many or first.glob:
        return False
    name = same_place(part.steps[0])
    return _fits_one(word, name) if word.wild else _program_of(word) == name


def _is_step(word: PatternWord, step: str) -> bool:
    return _fits_one(word, step) if word.wild else word.text == step


def _means(word: PatternWord, argument: Argument, home: str) -> bool:
    if not argument.exact or argument.many != argument.glob:
        return False
    if argument.glob:
        # The same pattern of file names, left to the shell as well.
        return word.wild and word.text == argument.text
    return _fits_one(word, argument.text) if word.wild else word.home(home) == argument.text


def _fits_one(word: PatternWord, text: str) -> bool:
    """A wildcard stands for letters of a name: not for an option, not for folders, and not for the one above."""
    if not word.fits(text) or text.count("/") != word.text.count("/"):
        return False
    if text.startswith("-") and not word.text.startswith("-"):
        return False
    return ".." not in text.split("/") or ".." in word.text.split("/")


def _literally(pattern: CommandPattern, part: Part) -> frozenset[int]:
    """Patterns of file names that the rule gives in the same letters."""
    same = (at for at, word in enumerate(pattern.words) if word.wild and part.words[at].glob)
    return frozenset(at for at in same if pattern.words[at].text == part.words[at].text)

"""What may be done by text that nobody reads: code for an interpreter, words for a program that nobody knows."""

import re
from collections.abc import Iterable

from assent.commandline.catalogue import program_named
from assent.model.commands import Command, Part
from assent.model.modes import Category
from assent.policy.rules.commands.restrict import Restriction, bare

_NAMES = re.compile(r"[\w.+-]+")
_FILES = re.compile(r"[\w.+~/-]*[\w/]")
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
_ACTING = (Category.EXECUTE, Category.EXTERNAL)
_NAME_AND_WORD = 2


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
    if not _takes_code(part):
        return frozenset()
    code = (word.text for word in part.words[1:] if not _NAMES.fullmatch(word.text))
    return frozenset(bare(name) for text in code for name in _NAMES.findall(text))


def _takes_code(part: Part) -> bool:
    if part.inner or not part.steps or len(part.words) < _NAME_AND_WORD:
        return False
    program = program_named(part.steps[0])
    return names_an_interpreter(part) or (program is not None and program.runs_code)


def files_in_code(part: Part) -> frozenset[str]:
    """What could be names of files in such code, and among the words of a program of which nobody knows all."""
    acts = bool(part.dangers) and part.category in _ACTING and not part.inner
    if not (acts or _takes_code(part) or (part.steps and program_named(part.steps[0]) is None)):
        return frozenset()
    return files_in_text(" ".join(word.text for word in part.words[1:]))


def files_in_text(text: str) -> frozenset[str]:
    """Everything in a text that could be the name of a file."""
    return frozenset(_FILES.findall(text))


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

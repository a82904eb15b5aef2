"""Shells: the text that they are given is read like any other; a script is code of the workspace."""

import re

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program
from assent.model.commands import Argument
from assent.model.modes import Category

_POSIX = frozenset({"sh", "dash", "ash"})
_BASH = frozenset({"bash", "rbash"})
_ONLY_A_TEXT = frozenset({"-c", "-lc"})
_LETTERS = frozenset("abefhiklmnprtuvxBCEHPTDsc")
_LETTERS_OF_FISH = frozenset("clinNP")
_HARMLESS_LONG = frozenset(
    {"--norc", "--noprofile", "--posix", "--login", "--verbose", "--noediting", "--restricted", "--version", "--help"}
    | {"--no-rcs", "--no-globalrcs", "--no-config"}
)
_LOADING = frozenset({"--rcfile", "--init-file"})
_TEXT_OPTIONS = frozenset({"--command", "--init-command"})
_PLAIN = re.compile(r"(?:[A-Za-z0-9_./,:@%+|&;\n\"'<>{}-]|(?<=[A-Za-z0-9_-])=|[ \t])*")
_OTHER_WORDS = re.compile(
    r"(?<![\w./-])(repeat|noglob|nocorrect|and|or|not|begin|exec|eval|foreach|end|print|-)(?![\w./-])"
)
"""Words with which other shells start something, and bash does not."""


def bare(word: Argument) -> str:
    """The name of a program without its folder."""
    return word.text.rpartition("/")[2]


class _Options:
    """The options of a shell, up to the first word that is none."""

    def __init__(self, words: tuple[Argument, ...], start: int, findings: Findings) -> None:
        self.words = words
        self.letters = _LETTERS_OF_FISH if bare(words[0]) == "fish" else _LETTERS
        self.findings = findings
        self.at = start
        self.has_text = False
        self.reads_input = False
        while self.at < len(words) and self._one(words[self.at]):
            pass

    def _one(self, word: Argument) -> bool:
        text = word.text
        if word.may_be_option:
            self.findings.danger(f"is given {word.written or text}, which could be an option", self.at)
            return False
        if text in ("-", "--"):
            self.at += 1
            return False
        if len(text) < 2 or text[0] not in "-+":
            return False
        if text.startswith("--"):
            self._long(text)
        else:
            self._letters(text)
        return True

    def _long(self, text: str) -> None:
        name = text.partition("=")[0]
        if name in _LOADING:
            self.findings.danger("runs a file before anything else", self.at)
            if self.at + 1 < len(self.words):
                self.findings.starts(self.words[self.at + 1], self.at + 1)
            self.at += 1
        elif name in _TEXT_OPTIONS:
            self.findings.danger("runs a text that stands in an option", self.at)
            self.findings.dynamic = True
        elif text not in _HARMLESS_LONG:
            self.findings.danger(f"has the option {text}, which is not known", self.at)
        self.at += 1

    def _letters(self, text: str) -> None:
        values = 0
        for place, letter in enumerate(text[1:], 1):
            if letter in "oO" and self.letters is _LETTERS:
                values += 1
                if place + 1 < len(text) and text[-1] != letter and "c" not in text:
                    self.findings.danger(f"has the option {text}, which shells read differently", self.at)
            elif letter not in self.letters:
                self.findings.danger(f"has the option {text}, which is not known", self.at)
            elif text[0] == "-":
                self.has_text = self.has_text or letter == "c"
                self.reads_input = self.reads_input or letter == "s"
        self.at += 1 + values


def _shell(given: Given, findings: Findings) -> None:
    name = bare(given.words[0])
    found = _Options(given.words, given.start, findings)
    rest = list(range(found.at, len(given.words)))
    if not (found.has_text and rest):
        findings.raises(Category.EXECUTE)
    if found.has_text and rest:
        _text(name, given.words[rest[0]], rest[0], given.words[rest[1] :] if len(rest) > 1 else (), findings)
    elif found.has_text:
        findings.danger("is given no text to run", found.at - 1)
    elif rest and not found.reads_input:
        findings.starts(given.words[rest[0]], rest[0])
    elif not _only_tells(given):
        _input(name, given, findings)


def _only_tells(given: Given) -> bool:
    return len(given.words) == given.start + 1 and given.words[given.start].text in ("--version", "--help")


def _input(name: str, given: Given, findings: Findings) -> None:
    """It runs what it reads."""
    if given.stdin is not None and given.stdin.text is not None:
        _text(name, Argument(given.stdin.text, written="its input"), None, (), findings)
        return
    findings.dynamic = True
    findings.not_known("It runs what it reads from its input, which cannot be known.", None)


def _text(name: str, text: Argument, at: int | None, more: tuple[Argument, ...], findings: Findings) -> None:
    """A text with the words that it can refer to as `$1`, `$2` and so on."""
    parameters = None if any(word.many for word in more) else more[1:]
    if name not in _POSIX | _BASH:
        _other_shell(name, text, at, parameters, findings)
        return
    words = findings.words
    only = at == 2 and len(words) == 3 and words[1].text in _ONLY_A_TEXT
    findings.runs_text(text, at, posix=name in _POSIX, positional=parameters, only=only)


def _other_shell(
    name: str, text: Argument, at: int | None, parameters: tuple[Argument, ...] | None, findings: Findings
) -> None:
    """What other shells read differently is a danger; what bash would make of it is looked at all the same."""
    if not text.exact or parameters != () or not _PLAIN.fullmatch(text.text) or _OTHER_WORDS.search(text.text):
        findings.dynamic = True
        findings.not_known(f"What {name} makes of this text cannot be known.", at)
    findings.runs_text(text, at)


SHELLS: tuple[Program, ...] = (
    Program(
        ("sh", "dash", "ash", "bash", "rbash", "zsh", "ksh", "mksh", "fish"),
        does="runs a shell",
        reason="A text is read like any other command; a script is code; what comes from a pipe cannot be known.",
        transparent=True,
        operands=Operands(),
        open=True,
        stops=True,
        runs_code=True,
        reader=_shell,
        versions=frozenset({"--version"}),
    ),
    Program(
        ("csh", "tcsh", "nu", "elvish", "xonsh", "cmd", "cmd.exe"),
        does="runs a shell",
        reason="Its language is another one, which is not read.",
        category=Category.EXECUTE,
        open=True,
        runs_code=True,
        reader=lambda given, findings: findings.not_known("What this shell runs is not read.", 0),
        versions=frozenset({"--version"}),
    ),
)

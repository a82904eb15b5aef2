"""Other shells than bash: only what all of them read alike, in plain words, is read; everything else is not.

A line of plain words joined by `;`, `|`, `&&` and `||` means the same nearly everywhere. What a shell would expand,
calculate, or take for a keyword of its own is refused, so that nothing but a rule with the exact text allows it.
"""

import re
from collections.abc import Callable, Mapping

from assent.commandline.surroundings import ANY_SHELL
from assent.commandline.syntax.parser import parse as parse_bash
from assent.commandline.syntax.tree import (
    Joint,
    NotUnderstood,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Text,
    Word,
)
from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is plain in one shell."""

    bare: str
    """The characters of a word without quotes, as they stand in a class of a pattern."""
    single: str
    """What can stand between single quotes; empty where they are no quotes."""
    double: str
    """What can stand between double quotes."""
    program: str
    """How the name of a program must look."""
    keywords: frozenset[str]
    joints: Mapping[str, Joint | None]
    """The operators, and what they mean; None is a pipe."""
    redirects: bool = True
    caseless: bool = False
    """Names of programs and of options are the same in any case of letters."""
    posix_programs: bool = True
    """Programs with the names that they have on Unix are those programs."""


_POSIX_JOINTS = {";": Joint.THEN, "\n": Joint.THEN, "&&": Joint.AND, "||": Joint.OR, "|": None}
_SHELL_WORDS = """
and or not begin end if then else elif fi for foreach in while until do done repeat function switch case esac return
break continue exec eval source . builtin command time set abbr alias unalias noglob nocorrect - coproc select always
typeset declare local export readonly unset read trap emulate autoload zmodload bindkey setopt unsetopt zstyle functions
status argparse string math count contains test [ [[ ! disable enable hash rehash let print printf pushd popd dirs
history fc jobs bg fg wait kill ulimit umask vared whence which type where
"""
_POWERSHELL_WORDS = """
if else elseif for foreach while do until switch function filter workflow class enum return break continue exit try
catch finally throw trap param begin process end dynamicparam data using configuration node parallel sequence
inlinescript in hidden static define from var iex icm invoke-expression invoke-command set sv new-alias nal sal
set-alias import-alias ipal set-variable clear-variable new-variable remove-variable set-item si new-item ni
import-module ipmo add-type start-process saps start invoke-item ii start-job sajb where-object foreach-object where %
? . &
"""
_CMD_WORDS = """
if for goto call set setlocal endlocal shift exit pushd popd path prompt assoc ftype start cmd rem echo. doskey subst
mklink else do in defined exist not
"""

_DIALECTS: Mapping[str, Dialect] = {
    "fish": Dialect(
        r"A-Za-z0-9_@+:,./=-",
        r"[^'\\]*",
        r'[^"$\\]*',
        r"[A-Za-z0-9_./+-]+",
        frozenset(_SHELL_WORDS.split()),
        _POSIX_JOINTS,
    ),
    "zsh": Dialect(
        r"A-Za-z0-9_@%+:,./=-",
        r"[^']*",
        r'[^"$`\\!]*',
        r"[A-Za-z0-9_./+-]+",
        frozenset(_SHELL_WORDS.split()),
        _POSIX_JOINTS,
    ),
    "powershell": Dialect(
        r"A-Za-z0-9_+:./\\=*?-",
        r"[^'‘’‚‛]*",
        r'[^"$`“”„]*',
        r"[A-Za-z.][A-Za-z0-9_.:/\\-]*",
        frozenset(_POWERSHELL_WORDS.split()),
        _POSIX_JOINTS,
        caseless=True,
        posix_programs=False,
    ),
    "cmd": Dialect(
        r"A-Za-z0-9_+:./\\*?-",
        "",
        r'[^"%!^\n]*',
        r"[A-Za-z0-9_.\\-]+",
        frozenset(_CMD_WORDS.split()),
        {"&&": Joint.AND, "||": Joint.OR, "&": Joint.THEN, "|": None},
        redirects=False,
        caseless=True,
        posix_programs=False,
    ),
}
_NAMES = {"pwsh": "powershell", "pwsh.exe": "powershell", "powershell.exe": "powershell", "cmd.exe": "cmd"}
_REDIRECT = re.compile(r"(?P<from>\d?)(?P<operator>>>|>)(?P<to>&\d)?")


def dialect_of(shell: str) -> Dialect | None:
    """What is plain in this shell; None for those that read like bash."""
    return _DIALECTS.get(_NAMES.get(shell, shell))


def grammar_of(shell: str) -> Callable[[str], Sequence]:
    """What reads the text of this shell's commands."""
    dialect = dialect_of(shell)
    if dialect is not None:
        return lambda text: _Plain(text, dialect).everything()
    if shell in {"bash", ANY_SHELL}:
        return parse_bash
    if shell in {"sh", "dash", "ash"}:
        return lambda text: parse_bash(text, posix=True)

    def unread(text: str) -> Sequence:
        raise NotUnderstood(f"commands for {shell} are not read")

    return unread


def is_read_alike(text: str) -> bool:
    """Whether every shell of Unix sees the same in this text, which bash can read."""
    try:
        return parse_bash(text) == parse_bash(text, posix=True)
    except NotUnderstood:
        return False


class _Plain:
    """Reads one text, from left to right."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text.strip()
        self._lead = len(text) - len(text.lstrip())
        self._dialect = dialect
        self._at = 0
        quoted = [rf"'(?P<single>{dialect.single})'"] if dialect.single else []
        word = "|".join([rf"(?P<bare>[{dialect.bare}]+)", *quoted, rf'"(?P<double>{dialect.double})"'])
        self._word = re.compile(word)
        self._joint = re.compile("|".join(map(re.escape, sorted(dialect.joints, key=len, reverse=True))))

    def everything(self) -> Sequence:
        """The whole text."""
        items: list[tuple[Pipeline, Joint]] = []
        commands: list[Simple] = []
        start = self._at
        while self._at < len(self._text):
            commands.append(self._simple())
            found = self._joint.match(self._text, self._at)
            joint = self._dialect.joints[found.group()] if found is not None else Joint.THEN
            if found is None and self._at < len(self._text):
                raise NotUnderstood("it holds more than plain words", self._at)
            self._at = found.end() if found is not None else self._at
            self._blanks(lines=True)
            if joint is not None:
                items.append((self._pipeline(commands, start), joint))
                commands, start = [], self._at
            if joint is not Joint.THEN and self._at >= len(self._text):
                raise NotUnderstood("it ends with an operator", self._at)
        return Sequence(tuple(items))

    def _pipeline(self, commands: list[Simple], start: int) -> Pipeline:
        return Pipeline(tuple(commands), start + self._lead, self._at + self._lead)

    def _simple(self) -> Simple:
        start = self._at
        words: list[Word] = []
        redirects: list[Redirect] = []
        while self._at < len(self._text) and self._joint.match(self._text, self._at) is None:
            found = _REDIRECT.match(self._text, self._at) if self._dialect.redirects else None
            if found is not None:
                redirects.append(self._redirect(found))
            else:
                words.append(self._one(program=not words))
            end = self._at
            self._blanks()
            if self._at == end and end < len(self._text) and self._joint.match(self._text, end) is None:
                raise NotUnderstood("it holds more than plain words", end)
        if not words:
            raise NotUnderstood("a program is missing", start)
        return Simple((), tuple(words), tuple(redirects), start + self._lead, self._at + self._lead)

    def _one(self, *, program: bool) -> Word:
        start = self._at
        found = self._word.match(self._text, start)
        if found is None:
            raise NotUnderstood("it holds more than plain words", start)
        self._at = found.end()
        bare = found.group("bare")
        if program:
            self._check_program(bare, start)
        if bare is None:
            text = found.group(found.lastgroup or 0)
            return Word((Text(text, quoted=True),), start + self._lead, self._at + self._lead)
        if bare.startswith("=") or bare == "--%":
            raise NotUnderstood("it holds more than plain words", start)
        return Word(
            (Text(bare, quoted="*" not in bare and "?" not in bare),), start + self._lead, self._at + self._lead
        )

    def _check_program(self, name: str | None, at: int) -> None:
        if name is None or not re.fullmatch(self._dialect.program, name):
            raise NotUnderstood("which program it starts is not said in plain letters", at)
        if name.casefold() in self._dialect.keywords:
            raise NotUnderstood(f"{name} is a word of the shell itself", at)

    def _redirect(self, found: re.Match[str]) -> Redirect:
        start = self._at
        self._at = found.end()
        operator, descriptor = found.group("operator"), found.group("from")
        if found.group("to"):
            target = Word((Text(found.group("to")[1:]),), start + self._lead, self._at + self._lead)
            return Redirect(">&", target, start + self._lead, self._at + self._lead, descriptor)
        self._blanks()
        target = self._one(program=False)
        return Redirect(operator, target, start + self._lead, self._at + self._lead, descriptor)

    def _blanks(self, *, lines: bool = False) -> None:
        blanks = " \t\n" if lines else " \t"
        while self._at < len(self._text) and self._text[self._at] in blanks:
            self._at += 1

"""What the shell does itself, and small programs that belong to it.

What changes the shell's own state (cd, export, set, read and the like) is followed where commands are walked, not here.
"""

import re

from assent.commandline.catalogue.looking import HELP
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options

_TEXT = Operands(rest=Use.TEXT)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONVERSION = re.compile(r"%%|%(?P<form>[-+ #0']*(\*|\d+)?(\.(\*|\d+)?)?[hlLjzt]*(?P<letter>.|$))", re.DOTALL)
_EVALUATES = frozenset({"-v", "-R"})


def _prints(given: Given, findings: Findings) -> None:
    """A pattern of names makes the shell look into a folder."""
    for at in given.operands:
        if findings.words[at].glob and findings.words[at].exact:
            findings.reads(findings.words[at], at)


def _formats(given: Given, findings: Findings) -> None:
    """`%n` of printf sets a variable."""
    _prints(given, findings)
    if not given.operands:
        return
    at = given.operands[0]
    word = findings.words[at]
    if any(found["letter"] in ("n", "") for found in _CONVERSION.finditer(word.text) if found["form"] is not None):
        findings.danger("sets a variable with %n", at)


def _tests(given: Given, findings: Findings) -> None:
    """A test can run code where it evaluates the index of a variable, which only `-v` and `-R` do."""
    words = given.words[1:]
    unknown = False
    for at, word in enumerate(words, 1):
        before = given.words[at - 1] if at > 1 else None
        if before is not None and before.text in _EVALUATES and not (word.exact and _PLAIN_NAME.fullmatch(word.text)):
            findings.danger(f"evaluates {word.written or word.text}", at)
        loose = not word.exact and not word.text and not word.below
        if (word.may_be_option and word.many) or (word.glob and word.may_be_option):
            findings.unclear(f"is given {word.written or word.text}, which could be another test", at)
        elif loose and unknown:
            findings.unclear(f"is given {word.written or word.text}, which could be part of another test", at)
        unknown = loose


def _sets_limits(given: Given, findings: Findings) -> None:
    if given.operands:
        findings.danger("changes a limit of what is started", given.operands[0])


def _own(names: str, does: str, reason: str, operands: Operands = _TEXT, listed: str = "") -> Program:
    return Program(tuple(names.split()), does, reason, options=options(listed), operands=operands, open=True)


PROGRAMS: tuple[Program, ...] = (
    Program(
        ("echo",),
        "prints its words",
        "It prints and does nothing else, whatever it is given.",
        open=True,
        only_reads=True,
        reader=_prints,
    ),
    Program(
        ("printf",),
        "prints its words",
        "It prints; as a part of the shell it can also set a variable, with an option or with a conversion.",
        options=options(dangers={"-v=": "sets a variable"}),
        stops=True,
        reader=_formats,
    ),
    _own("true false : yes seq", "does next to nothing", "They print or only succeed or fail."),
    _own("sleep usleep", "waits", "It only waits."),
    _own("pwd logname tty", "shows where it is", "It prints what the shell or the system knows."),
    _own("basename dirname", "takes names apart", "They work on the text of names; no file is looked at."),
    _own(
        "break continue return exit logout shift", "steers the shell", "It changes what runs next, not what that does."
    ),
    _own("times", "tells how long the shell has worked", "It only prints."),
    Program(
        ("jobs",),
        "lists what runs in the background",
        "It only prints; but with one option it runs its words as a command.",
        options=options("-l -n -p -r -s", dangers={"-x": "runs its words as a command"}),
        operands=_TEXT,
    ),
    Program(
        ("wait",),
        "waits for what was started",
        "It only waits; one option sets a variable, whose index is evaluated.",
        options=options("-f -n", dangers={"-p=": "sets a variable"}),
        operands=_TEXT,
    ),
    _own("type which whence where", "tells where a program is", "It looks up names and prints them."),
    Program(
        ("[", "test"),
        "tests a condition",
        "It looks at files and compares words. It evaluates the index of a variable that it is asked about.",
        open=True,
        operands=_TEXT,
        one_dash=True,
        only_reads=True,
        reader=_tests,
    ),
    Program(
        ("expr",),
        "computes from its words",
        "It computes with numbers and text given as words; it evaluates nothing.",
        open=True,
    ),
    Program(
        ("umask",),
        "shows which rights new files get",
        "With a word it changes that for what is started after it; what that writes is seen by itself.",
        options=options("-S -p"),
        open=True,
    ),
    Program(
        ("ulimit",),
        "shows limits",
        "Without a word it only shows; with one it changes what programs that follow may use.",
        options=options("-a -b -c -d -e -f -H -i -k -l -m -n -p -P -q -r -R -S -s -t -T -u -v -x"),
        reader=_sets_limits,
    ),
    Program(
        ("getconf",),
        "shows limits of the system",
        "It prints values of the system.",
        options=options("-a -v=" + HELP),
        open=True,
    ),
)

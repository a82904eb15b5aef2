"""Xargs: what it appends to a command, as far as what it reads is known."""

from collections.abc import Iterator
from dataclasses import replace

from assent.commandline.catalogue import program_named
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.outputs import as_argument
from assent.commandline.schema import Program, options
from assent.model.calls import Access
from assent.model.commands import Argument, Part

_MOST_RUNS = 500
_DELIMITERS = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\\\": "\\", " ": " "}
_BLANKS = " \t"

Items = tuple[Argument, ...]


def _xargs(given: Given, findings: Findings) -> None:
    if not given.operands:
        return
    first = given.operands[0]
    findings.inner_at = first
    command = given.words[first:]
    marker = _marker(given)
    for number, items in enumerate(_batches(given, replacing=marker is not None)):
        if number >= _MOST_RUNS:
            findings.not_known("It runs its command too often to look at every time.")
            return
        words = _replaced(command, marker, items) if marker is not None else (*command, *items)
        _start(given, words, findings)
        if marker is not None and any(part.dynamic for part in findings.inner):
            # What is put into a text cannot be known; what stands there besides it can.
            findings.runs_words(command)
    if _splits_names(given) and any(_changes(part) for part in findings.inner):
        findings.danger("splits names of files at blanks, so that one name can become several others (use -0)")


def _start(given: Given, words: Items, findings: Findings) -> None:
    """Runs the command. A piece of a name that was split can be an option, which matters unless all do but read."""
    findings.runs_words(words)
    if _splits_names(given) and _marker(given) is None and not _only_reads(findings.inner[-1]):
        findings.inner.pop()
        findings.runs_words(tuple(replace(word, many=True) if word.below else word for word in words))


def _only_reads(part: Part) -> bool:
    programs = [program_named(one.steps[0]) if one.steps else None for one in part.all() if not one.transparent]
    return all(program is not None and program.only_reads for program in programs)


def _marker(given: Given) -> str | None:
    """The text that is replaced in the command, where there is one."""
    for one in reversed(given.options):
        if "-I" in one.option.names and one.value is not None:
            return one.value.text if one.value.exact and one.value.text else ""
        if "-i" in one.option.names:
            return one.value.text if one.value is not None else "{}"
    return None


def _splits_names(given: Given) -> bool:
    return given.stdin is not None and given.stdin.text is None and not given.has("-0", "-d")


def _changes(part: Part) -> bool:
    return any(touch.access in (Access.WRITE, Access.DELETE) for one in part.all() for touch in one.touches)


def _batches(given: Given, *, replacing: bool) -> Iterator[Items]:
    """The arguments of each run of the command."""
    unknown = Argument("", exact=False, many=not replacing, written="what xargs reads")
    if given.has("-a", "-E", "-e") or given.stdin is None:
        yield (unknown,)
        return
    if given.stdin.text is None:
        name = as_argument(given.stdin)
        # Every name is a word of its own; that there are several is said by naming it twice.
        one = replace(name, many=name.glob and not replacing, written="…")
        alone = replacing or _number(given, "-n") == 1 or _number(given, "-L") == 1
        yield (one,) if alone else (one, one)
        return
    lines = _lines(given, given.stdin.text, replacing=replacing)
    if lines is None:
        yield (unknown,)
        return
    yield from _grouped(given, lines, replacing=replacing)


def _grouped(given: Given, lines: list[list[str]], *, replacing: bool) -> Iterator[Items]:
    items = [item for line in lines for item in line]
    if replacing:
        yield from ((Argument(item, written=item),) for item in items)
        return
    size = _number(given, "-n")
    if size:
        yield from (_exact(items[at : at + size]) for at in range(0, len(items), size))
        return
    lines_each = _number(given, "-L")
    if lines_each:
        for at in range(0, len(lines), lines_each):
            yield _exact([item for line in lines[at : at + lines_each] for item in line])
        return
    yield _exact(items)


def _exact(items: list[str]) -> Items:
    return tuple(Argument(item, written=item) for item in items)


def _number(given: Given, name: str) -> int:
    value = given.value(name)
    return int(value.text) if value is not None and value.exact and value.text.isdigit() else 0


def _lines(given: Given, text: str, *, replacing: bool) -> list[list[str]] | None:
    """The items of each line; None where that cannot be told."""
    if given.has("-0"):
        return [[item] for item in text.removesuffix("\0").split("\0")]
    delimiter = given.value("-d")
    if delimiter is not None:
        sign = _DELIMITERS.get(delimiter.text, delimiter.text)
        if len(sign) != 1 or not delimiter.exact:
            return None
        return [[item] for item in text.removesuffix(sign).split(sign)]
    lines = [_items(line, blanks="" if replacing else _BLANKS) for line in text.removesuffix("\n").split("\n")]
    known = [line for line in lines if line is not None]
    return [line for line in known if line] if len(known) == len(lines) else None


def _items(line: str, *, blanks: str) -> list[str] | None:
    """One line of input, split as xargs does: quotes and backslashes keep blanks together."""
    items: list[str] = []
    item: str | None = None
    at, line = 0, line.lstrip(_BLANKS)
    while at < len(line):
        sign = line[at]
        if sign in "'\"":
            end = line.find(sign, at + 1)
            if end < 0:
                return None
            item, at = (item or "") + line[at + 1 : end], end + 1
        elif sign == "\\":
            if at + 1 >= len(line):
                return None
            item, at = (item or "") + line[at + 1], at + 2
        elif sign in blanks:
            if item is not None:
                items.append(item)
            item, at = None, at + 1
        else:
            item, at = (item or "") + sign, at + 1
    return [*items, item] if item is not None else items


def _replaced(command: Items, marker: str, items: Items) -> Items:
    item = items[0]
    return tuple(_with(word, marker, item) for word in command)


def _with(word: Argument, marker: str, item: Argument) -> Argument:
    """The word with this item in place of the marker."""
    if not marker or marker not in word.text:
        return word if marker else Argument(word.text, exact=False, written=word.written)
    if item.exact and not item.glob:
        return Argument(word.text.replace(marker, item.text), word.exact, word.many, word.glob, written=word.written)
    before, _, after = word.text.partition(marker)
    fits = not before or before.endswith("/")
    text = before + item.text if fits else before
    below = item.below and fits and word.exact and marker not in after and ".." not in after.split("/")
    if item.glob and fits and not after:
        return Argument(text, word.exact, glob=True, written=word.written)
    return Argument(text if below else before, exact=False, below=below, written=word.written)


XARGS = Program(
    ("xargs", "gxargs"),
    does="runs a command with arguments that it reads",
    reason="It starts the command that it is given; what it reads becomes arguments, which may be anything.",
    options=options(
        """-0|--null -d|--delimiter= -E= -e|--eof[=] -n|--max-args=
        -P|--max-procs= -L= -l|--max-lines[=] -I= -i|--replace[=]
        -r|--no-run-if-empty -t|--verbose -x|--exit -s|--max-chars= --show-limits --help --version""",
        reads="-a|--arg-file=",
        dangers={
            "-o|--open-tty": "gives the command the terminal",
            "-p|--interactive": "asks at the terminal",
            "--process-slot-var=": "sets a variable of the command",
            "-J=": "means different things to different programs of this name",
            "-R=": "means different things to different programs of this name",
        },
    ),
    stops=True,
    transparent=True,
    runs_code=True,
    reader=_xargs,
)

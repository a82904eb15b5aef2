"""What interpreters have in common: code in a word, a script, or what they read."""

from dataclasses import replace

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Reader, Takes, Use, options
from assent.model.modes import Category


def runs_script(*code: str, input_without: bool = True) -> Reader:
    """The first operand is a script, unless one of these options has the code; without either, it runs its input."""

    def read(given: Given, findings: Findings) -> None:
        if given.has(*code):
            return
        script = given.operands[0] if given.operands else None
        if script is not None and given.words[script].text != "-":
            findings.starts(given.words[script], script)
        elif input_without and not given.has("--version", "--help"):
            runs_input(given, findings)

    return read


def runs_input(given: Given, findings: Findings) -> None:
    """Code that comes from a pipe; where it is known, it still stands in no word that a rule could name."""
    if given.stdin is None or given.stdin.text is None:
        findings.dynamic = True
        findings.not_known("It runs the code that it reads from its input, which cannot be known.")
    else:
        findings.danger("runs the code that it reads from its input")


def _looks_at_code(names: tuple[str, ...], then: Reader) -> Reader:
    """Code that is put together when it runs is not the code that anyone agreed to."""

    def read(given: Given, findings: Findings) -> None:
        for one in given.options:
            if one.name in names and one.value is not None and (not one.value.exact or one.value.glob):
                findings.dynamic = True
                findings.not_known("It runs code that is only put together when it runs.", one.value_at)
        then(given, findings)

    return read


def ending(table: dict[str, Option], *names: str) -> dict[str, Option]:
    """The same table, where options end after these."""
    found = {id(table[name]): replace(table[name], ends=True) for name in names}
    return {name: found.get(id(option), option) for name, option in table.items()}


def interpreter(
    names: str,
    reason: str,
    harmless: str = "",
    *,
    code: str = "-e",
    loads: str = "",
    outputs: str = "",
    reads: str = "",
    directory: str = "",
    dangers: dict[str, str] | None = None,
    does: str = "runs code",
    open: bool = False,
    one_dash: bool = False,
    numbers: bool = False,
    ends: tuple[str, ...] = (),
    reader: Reader | None = None,
    versions: str = "--version --help",
) -> Program:
    """An interpreter whose purpose is to run scripts and the code in the options `code`."""
    spelled = " ".join(f"{name}=" for name in code.split())
    table = options(
        f"{harmless} {spelled}", loads=loads, outputs=outputs, reads=reads, directory=directory, dangers=dangers
    )
    for name in versions.split():
        table.setdefault(name, Option((name,), Takes.NOTHING, Use.TEXT))
    code_names = tuple(name for group in code.split() for name in group.split("|"))
    return Program(
        tuple(names.split()),
        does=does,
        reason=reason,
        category=Category.EXECUTE,
        options=ending(table, *ends),
        operands=Operands(),
        open=open,
        one_dash=one_dash,
        numbers=numbers,
        stops=True,
        runs_code=True,
        reader=_looks_at_code(code_names, reader or runs_script(*code_names)),
        versions=frozenset(versions.split()),
    )

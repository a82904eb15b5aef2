"""What wrappers have in common that do more than starting a command."""

from assent.commandline.catalogue.wrapping import own_word, start_at
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Reader, Use, options
from assent.model.modes import Category


def warned(why: str, then: Reader | None = None) -> Reader:
    """A danger in the name of the program itself."""

    def read(given: Given, findings: Findings) -> None:
        findings.danger(why, own_word(given))
        if then is not None:
            then(given, findings)

    return read


def shell_text(*names: str) -> Reader:
    """Text in an option; without it, a shell that reads what it is given."""

    def read(given: Given, findings: Findings) -> None:
        texts = [one for one in given.options if one.option.names[0] in names and one.value is not None]
        for one in texts:
            if one.value is not None:
                findings.runs_text(one.value, one.value_at, posix=True)
        if not texts:
            findings.danger("starts a shell, which runs whatever it is given", own_word(given))

    return read


def after_dashes(*names: str) -> Reader:
    """A command after one of these options, up to the end of the line."""

    def read(given: Given, findings: Findings) -> None:
        first = next((at for at, word in enumerate(given.words) if word.text in names), len(given.words)) + 1
        if first < len(given.words):
            start_at(given, findings, first)

    return read


def starter(
    names: str,
    does: str,
    reason: str,
    harmless: str = "",
    *,
    category: Category = Category.EXECUTE,
    first: tuple[Use, ...] = (),
    outputs: str = "",
    reads: str = "",
    directory: str = "",
    commands: str = "",
    dangers: dict[str, str] | None = None,
    assigns: bool = False,
    wraps: bool = True,
    stops: bool = False,
    open: bool = False,
    reader: Reader | None = None,
    verbs: tuple[Program, ...] = (),
    rest: Use = Use.TEXT,
) -> Program:
    table = options(harmless, outputs=outputs, reads=reads, directory=directory, commands=commands, dangers=dangers)
    for name in ("--help", "--version"):
        table.update({} if name in table else options(name))
    return Program(
        tuple(names.split()),
        does=does,
        reason=reason,
        category=category,
        options=table,
        operands=Operands(first=first, rest=rest),
        assigns=assigns,
        wraps=wraps,
        stops=stops,
        open=open,
        reader=reader,
        verbs=verbs,
        runs_code=True,
    )

"""The shell's own commands that change the shell itself, or run text in it."""

from collections.abc import Mapping
from dataclasses import replace

from assent.commandline.findings import Findings
from assent.commandline.invocation import Invocation
from assent.commandline.shell import Done, Shell, Special, plain, unknown, with_given
from assent.commandline.shell_folders import cd, popd
from assent.commandline.shell_settings import alias, forget, settings, shopt
from assent.commandline.shell_variables import export, getopts, let, mapfile, printf, read, shift, unset, wait
from assent.commandline.syntax.tree import NotUnderstood
from assent.model.commands import Argument
from assent.model.modes import Category


def _eval(shell: Shell) -> Done:
    """The words, joined and read once more."""
    text = " ".join(word.text for word in shell.words[1:])
    if not shell.exact():
        shell.findings.dynamic = True
        shell.findings.not_known("What eval runs cannot be known.")
        return shell.done("runs its words as a command", shell.state, neutral=False)
    try:
        inner, after = shell.walker.text(text, with_given(shell), shell.context)
    except NotUnderstood as fault:
        shell.findings.dynamic = True
        shell.findings.not_known(f"What eval runs cannot be read: {fault.reason}.")
        return shell.done("runs its words as a command", shell.state, neutral=False)
    shell.findings.inner = list(inner)
    return shell.done("runs its words as a command", after, ends=after is None)


def _source(shell: Shell) -> Done:
    """A script that runs in this shell."""
    shell.findings.raises(Category.EXECUTE)
    if len(shell.words) > 1:
        shell.findings.starts(shell.words[1], 1)
        shell.findings.reads(shell.words[1], 1)
    else:
        shell.findings.not_known("Which script it runs cannot be known.")
    return shell.done("runs a script in this shell", shell.state, neutral=False)


def _exec(shell: Shell) -> Done:
    """The shell becomes this program; without one, only redirections count."""
    rest, fine = shell.flags("cl")
    if not fine:
        shell.findings.not_known("What it starts cannot be known.")
    if rest:
        at = len(shell.words) - len(rest)
        shell.findings.inner_at = at
        shell.findings.runs_words(tuple(rest))
        return shell.done("becomes another program", None, ends=True)
    return shell.done("redirects for the rest", replace(shell.state, streams_moved=True))


def _builtin(shell: Shell) -> Done:
    """`builtin x` and `command x`: the shell's own x, or the program, never a function."""
    rest, fine = shell.flags("p")
    if not fine and shell.words[0].text == "command":
        return plain(shell)
    if not rest or not fine:
        return plain(shell)
    first = rest[0].text if rest[0].exact else ""
    if first not in SPECIALS:
        return plain(shell)
    inner = replace(shell.call, words=tuple(rest))
    at = len(shell.words) - len(rest)
    findings = Findings(shell.findings.inside, inner.words, shell.state.directory)
    part, well, badly, output = SPECIALS[first](replace_shell(shell, inner, findings))
    shell.findings.inner, shell.findings.inner_at, shell.findings.output = [part], at, output
    made = shell.done("runs a part of the shell", well)[0]
    return made, well, badly, output


def replace_shell(shell: Shell, call: Invocation, findings: Findings) -> Shell:
    """The same shell with another of its commands."""
    return Shell(shell.simple, shell.walker, call, shell.state, shell.context, findings)


def _trap(shell: Shell) -> Done:
    """A command for later."""
    rest, fine = shell.flags("lp")
    if not fine:
        shell.findings.not_known("What it does later cannot be known.")
    elif rest and not (rest[0].exact and rest[0].text in {"", "-"}):
        shell.findings.directory = None
        shell.findings.dynamic = shell.findings.dynamic or bool(shell.state.functions)
        shell.findings.runs_text(rest[0], None)
        # By then, folder, variables and functions are those of the end.
        shell.findings.not_known("It keeps a command for later, when what its names mean can be something else.")
    return shell.done("keeps a command for later", shell.state)


def _exit(shell: Shell) -> Done:
    """Only a plain number makes it certain that the shell ends."""
    sure = len(shell.words) == 1 or (len(shell.words) == 2 and (shell.words[1].number or _is_number(shell.words[1])))
    return shell.done("ends the shell", shell.state, ends=sure)


def _is_number(word: Argument) -> bool:
    return word.exact and word.text.isascii() and word.text.isdigit()


def _leave(shell: Shell) -> Done:
    """`return`, `break`, `continue`: it may be left here, and what follows is read all the same."""
    if shell.context.escapes is not None:
        # It may leave more than the nearest one.
        for escapes in (shell.context.escapes, *shell.context.outer):
            escapes.append(shell.state)
    return shell.done("leaves a function or a loop", shell.state)


def _nothing(shell: Shell) -> Done:
    return shell.done("does nothing", shell.state)


def _fails(shell: Shell) -> Done:
    part, _, _, output = shell.done("fails", shell.state)
    return part, None, shell.state, output


SPECIALS: Mapping[str, Special] = {
    "cd": cd,
    "pushd": cd,
    "popd": popd,
    "export": export,
    "declare": export,
    "typeset": export,
    "local": export,
    "readonly": export,
    "unset": unset,
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "set": settings,
    "shift": shift,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "exec": _exec,
    "builtin": _builtin,
    "command": _builtin,
    "trap": _trap,
    "alias": alias,
    "unalias": _nothing,
    "shopt": shopt,
    "compgen": unknown("It can start commands to complete words."),
    "complete": unknown("It can start commands to complete words."),
    "enable": unknown("It changes which commands are parts of the shell."),
    "hash": forget,
    "let": let,
    "getopts": getopts,
    "exit": _exit,
    "return": _leave,
    "break": _leave,
    "continue": _leave,
    "printf": printf,
    "wait": wait,
    ":": _nothing,
    "true": _nothing,
    "false": _fails,
}
"""By name. Where a function of that name is defined, it is called instead."""

"""The shell's own commands that set variables, or take them away."""

import re
from dataclasses import replace

from assent.commandline.outputs import as_argument
from assent.commandline.shell import Done, Shell, plain, unknown, value_of
from assent.commandline.state import EMPTY, NUMBER, UNKNOWN, State
from assent.commandline.variables import assignment_harm, harm
from assent.model.commands import Argument

_MAKE_OWN = frozenset({"local", "declare", "typeset"})
"""In a function, these make variables of its own."""
_NAME = re.compile(r"[A-Za-z_]\w*")


def export(shell: Shell) -> Done:
    """`export`, `declare`, `typeset`, `local`, `readonly`: variables, and what becomes of them."""
    rest, fine = shell.flags("xgpaAF" if shell.words[0].text != "export" else "p")
    exports = shell.words[0].text == "export" or any(
        "x" in word.text for word in shell.words[1:] if word.text[:1] == "-"
    )
    state = shell.state
    if not fine:
        shell.findings.dynamic = True
    if not fine or shell.words[0].text == "readonly":
        shell.findings.not_known("It changes how variables work.")
    for word in rest:
        name, equals, value = word.text.partition("=")
        if not _NAME.fullmatch(name.removesuffix("+")) or (not word.exact and not equals):
            shell.findings.not_known(f"What {word.written or word.text} sets cannot be known.")
            continue
        state = _set(shell, state, name.removesuffix("+"), equals, replace(word, text=value), exports=exports)
        if shell.context.in_function and shell.words[0].text in _MAKE_OWN:
            state = replace(state, own=state.own | {name.removesuffix("+")})
        if name.endswith("+"):
            state = state.with_variable(name[:-1], UNKNOWN)
    return shell.done("sets variables", state)


def _set(shell: Shell, state: State, name: str, equals: str, value: Argument, *, exports: bool) -> State:
    value = replace(value, many=False) if equals else value_of(state, name)
    why = (harm if exports else assignment_harm)(name, value)
    if why:
        text = f"sets {name}, {why}"
        shell.findings.danger(text)
        state = replace(state, exported=tuple(dict.fromkeys((*state.exported, text))))
        if assignment_harm(name, value):
            state = replace(
                state,
                strange=f"{name} was set before, so what its name means is not sure.",
                splits_strangely=state.splits_strangely or name == "IFS",
            )
    if equals:
        return state.with_variable(name, value)
    own = shell.context.in_function and shell.words[0].text in _MAKE_OWN
    return state.with_variable(name, UNKNOWN) if own else state


def unset(shell: Shell) -> Done:
    rest, fine = shell.flags("vf")
    state = shell.state
    if not fine:
        shell.findings.not_known("What it takes away cannot be known.")
    for word in rest:
        if not word.exact or not _NAME.fullmatch(word.text):
            shell.findings.not_known(f"What {word.written or word.text} takes away cannot be known.")
            continue
        why = assignment_harm(word.text, EMPTY)
        if why:
            shell.findings.danger(f"takes {word.text} away, {why}")
            state = replace(state, strange=f"{word.text} was taken away, so what its name means is not sure.")
        state = state.with_variable(word.text, EMPTY)
        if word.text in state.functions:
            shell.findings.not_known(f"Whether {word.text} is a function any more cannot be known.")
            state = state.without_function(word.text)
    return shell.done("takes variables away", state)


def read(shell: Shell) -> Done:
    rest, fine = shell.flags("rsepndtN")
    if not fine or any(word.text.startswith("-") or "[" in word.text for word in rest):
        shell.findings.not_known("Which variable it sets cannot be known.")
    if any("p" in word.text or "d" in word.text or "n" in word.text or "t" in word.text for word in _flags(shell)):
        # The values of these options are no names of variables; a number is none, a prompt need not be one.
        rest = [word for word in rest if word.exact and _NAME.fullmatch(word.text)]
    state = shell.state
    line = as_argument(shell.context.stdin) if shell.context.stdin is not None else UNKNOWN
    value = replace(line, many=False) if line.below or line.glob else replace(UNKNOWN, many=True)
    for word in rest or [Argument("REPLY")]:
        if not word.exact or not _NAME.fullmatch(word.text):
            shell.findings.not_known("Which variable it sets cannot be known.")
            continue
        why = assignment_harm(word.text, UNKNOWN) if word.text != "REPLY" else ""
        if why:
            shell.findings.danger(f"sets {word.text}, {why}")
            state = replace(state, strange=f"{word.text} was set before, so what its name means is not sure.")
        state = state.with_variable(word.text, value if len(rest) <= 1 else UNKNOWN)
    return shell.done("reads a line into a variable", state)


def _flags(shell: Shell) -> list[Argument]:
    return [word for word in shell.words[1:] if word.text.startswith("-")]


def mapfile(shell: Shell) -> Done:
    rest, fine = shell.flags("tnOsd")
    if not fine:
        shell.findings.dynamic = True
        shell.findings.not_known("It can start a command for the lines that it reads.")
    if any("[" in word.text or not word.exact for word in rest):
        shell.findings.not_known("Which variable it sets cannot be known.")
    names = [word.text for word in rest if word.exact and _NAME.fullmatch(word.text)]
    state = shell.state
    for name in names or ["MAPFILE"]:
        state = state.with_variable(name, (as_argument(shell.context.stdin),))
        if assignment_harm(name, UNKNOWN) and name != "MAPFILE":
            shell.findings.danger(f"sets {name}, {assignment_harm(name, UNKNOWN)}")
    return shell.done("reads lines into a variable", state)


def printf(shell: Shell) -> Done:
    """With -v, what would be printed becomes the value of a variable."""
    first = shell.words[1] if len(shell.words) > 1 else EMPTY
    if first.exact and not first.text.startswith("-v"):
        return plain(shell)
    name = first.text[2:] or (shell.words[2].text if len(shell.words) > 2 else "")
    if not shell.exact() or not _NAME.fullmatch(name) or assignment_harm(name, UNKNOWN):
        return unknown("Which variable it sets cannot be known.")(shell)
    return shell.done("sets a variable", shell.state.with_variable(name, UNKNOWN))


def wait(shell: Shell) -> Done:
    if any((not word.exact and not word.number) or word.text.startswith("-p") for word in shell.words[1:]):
        return unknown("Which variable it sets cannot be known.")(shell)
    return shell.done("waits for what it has started", shell.state, neutral=False)


def let(shell: Shell) -> Done:
    plain = re.compile(r"[\w\s=+*/%()<>!&|,^~?:-]*")
    names = {name for word in shell.words[1:] for name in _NAME.findall(word.text)}
    known = all(name not in shell.state.variables or value_of(shell.state, name).number for name in names)
    if not known or not all(word.exact and plain.fullmatch(word.text) for word in shell.words[1:]):
        shell.findings.not_known("A sum is done with text that is no number.")
    state = shell.state
    for word in shell.words[1:]:
        for name in _NAME.findall(word.text):
            if assignment_harm(name, UNKNOWN):
                return unknown(f"{name} was set before, so what its name means is not sure.")(shell)
            state = state.with_variable(name, NUMBER)
    return shell.done("does a sum", state)


def getopts(shell: Shell) -> Done:
    state = shell.state
    for word in shell.words[2:3]:
        if not word.exact or assignment_harm(word.text, UNKNOWN):
            return unknown("Which variable it sets cannot be known.")(shell)
        state = state.with_variable(word.text, UNKNOWN)
    return shell.done("reads the next option", state.with_variable("OPTARG", UNKNOWN))


def shift(shell: Shell) -> Done:
    given = shell.state.positional
    rest = given[1:] if given is not None and len(shell.words) == 1 else None
    return shell.done("takes a parameter away", replace(shell.state, positional=rest))

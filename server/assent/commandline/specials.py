"""The shell's own commands that change the shell itself, or run text in it."""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from assent.commandline.context import Context, Starting, Walking
from assent.commandline.findings import Findings
from assent.commandline.given import Output
from assent.commandline.outputs import as_argument
from assent.commandline.state import EMPTY, NUMBER, UNKNOWN, State
from assent.commandline.syntax.tree import NotUnderstood
from assent.commandline.understand import Invocation, part_of
from assent.commandline.variables import assignment_harm, harm
from assent.model.commands import Argument, Part
from assent.model.modes import Category

Done = tuple[Part, State | None, State | None, Output | None]
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Shell:
    """One such command on its way."""

    simple: Starting
    walker: Walking
    call: Invocation
    state: State
    context: Context
    findings: Findings

    @property
    def words(self) -> tuple[Argument, ...]:
        return self.call.words

    def done(
        self,
        does: str,
        well: State | None,
        badly: State | None = None,
        *,
        neutral: bool = True,
        ends: bool = False,
    ) -> Done:
        """What came of it. Without a state for failing, it is the same one."""
        self.findings.steps_at = [0]
        # Variables before the shell's own commands count for these alone.
        for one in self.call.assigned:
            if one.name != "IFS" and harm(one.name, one.value):
                self.findings.danger(f"sets {one.name}, {harm(one.name, one.value)}")
        part = replace(part_of(self.call, self.findings, neutral=neutral), does=does)
        if self.findings.dangers and neutral:
            part = replace(part, transparent=False)
        return part, None if ends else well, None if ends else (badly or well), self.findings.output

    def exact(self) -> bool:
        """Whether every word is known."""
        return all(word.exact and not word.glob for word in self.words)

    def flags(self, harmless: str) -> tuple[list[Argument], bool]:
        """The operands, and whether all options before them are among these letters."""
        rest = list(self.words[1:])
        fine = True
        while rest and rest[0].exact and len(rest[0].text) > 1 and rest[0].text[0] in "-+":
            flag = rest.pop(0).text
            if flag == "--":
                break
            fine = fine and all(letter in harmless for letter in flag[1:])
        return rest, fine


def _cd(shell: Shell) -> Done:
    rest, fine = shell.flags("LPe@" if shell.words[0].text == "cd" else "")
    does = "goes to another folder"
    if not fine or len(rest) > 1:
        shell.findings.not_known("Where it goes cannot be known.")
        return shell.done(does, shell.state.moved(None), shell.state)
    if not rest and shell.words[0].text == "cd" and shell.findings.inside.home:
        rest = [Argument(shell.findings.inside.home, written="~")]
    if rest and rest[0].exact and rest[0].text == "-":
        # The folder before this one, as far as this command has been there.
        before = shell.state.variables.get("OLDPWD")
        rest = [before] if isinstance(before, Argument) and before.exact else rest
    if not rest or not rest[0].exact or rest[0].glob or rest[0].text == "-" or re.match(r"[+-]\d", rest[0].text):
        if not rest or rest[0].text == "-" or not rest[0].below:
            shell.findings.not_known("In which folder the rest runs cannot be known.")
        else:
            shell.findings.starts(rest[0], 1)
            shell.findings.category = Category.READ
        return shell.done(does, shell.state.moved(None), shell.state)
    return _went_to(shell, rest[0], does)


def _went_to(shell: Shell, target: Argument, does: str) -> Done:
    at = shell.words.index(target) if target in shell.words else None
    shell.findings.starts(target, at)
    shell.findings.category = Category.READ if not shell.findings.dangers else shell.findings.category
    folders = tuple(dict.fromkeys(_joined(folder, target.text) for folder in shell.state.directories))
    if target.text.startswith("/"):
        folders = (_joined("/", target.text),)
    moved = replace(shell.state, directories=folders)
    if len(shell.state.directories) == 1:
        moved = moved.with_variable("OLDPWD", Argument(shell.state.directories[0]))
    else:
        moved = moved.with_variable("OLDPWD", UNKNOWN)
    if shell.walker.untouched and shell.walker.surroundings.folders.issuperset(folders) and not shell.findings.dangers:
        # It is there, and nothing before this has taken it away.
        part, well, _, output = shell.done(does, moved)
        return part, well, None, output
    return shell.done(does, moved, shell.state)


def _joined(directory: str, name: str) -> str:
    """Where `cd name` leads, by the names alone, as the shell does it."""
    path = posixpath.normpath(posixpath.join(directory, name))
    return path[1:] if path.startswith("//") else path


def _popd(shell: Shell) -> Done:
    back = shell.state.moved(None).with_variable("OLDPWD", UNKNOWN)
    return shell.done("goes back to an earlier folder", back, shell.state)


def _export(shell: Shell) -> Done:
    """`export`, `declare`, `typeset`, `local`, `readonly`: variables, and what becomes of them."""
    rest, fine = shell.flags("xgpaAF" if shell.words[0].text != "export" else "p")
    exports = shell.words[0].text == "export" or any(
        "x" in word.text for word in shell.words[1:] if word.text[:1] == "-"
    )
    state = shell.state
    if not fine or shell.words[0].text == "readonly":
        shell.findings.not_known("It changes how variables work.")
    for word in rest:
        name, equals, value = word.text.partition("=")
        if not _NAME.fullmatch(name.removesuffix("+")) or (not word.exact and not equals):
            shell.findings.not_known(f"What {word.written or word.text} sets cannot be known.")
            continue
        state = _set(shell, state, name.removesuffix("+"), equals, replace(word, text=value), exports=exports)
        if shell.context.in_function and shell.words[0].text in {"local", "declare", "typeset"}:
            state = replace(state, own=state.own | {name.removesuffix("+")})
        if name.endswith("+"):
            state = state.with_variable(name[:-1], UNKNOWN)
    return shell.done("sets variables", state)


def _set(shell: Shell, state: State, name: str, equals: str, value: Argument, *, exports: bool) -> State:
    value = replace(value, many=False) if equals else _known(state, name)
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
    return state.with_variable(name, value) if equals else state


def _known(state: State, name: str) -> Argument:
    value = state.variables.get(name, UNKNOWN)
    return value if isinstance(value, Argument) else UNKNOWN


def _unset(shell: Shell) -> Done:
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


def _read(shell: Shell) -> Done:
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


def _mapfile(shell: Shell) -> Done:
    rest, fine = shell.flags("tnOsdu")
    if not fine:
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


_HARMLESS_SETTINGS = re.compile(r"[-+][euxvfhnCET]*o?")
_HARMLESS_NAMES = frozenset({"pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "errtrace"})


def _settings(shell: Shell) -> Done:
    """`set`: harmless options, or the positional parameters."""
    words = list(shell.words[1:])
    while words and words[0].text[:1] in {"-", "+"} and words[0].text != "--":
        word = words.pop(0)
        name = words.pop(0) if words and word.text.endswith("o") else None
        known = word.exact and _HARMLESS_SETTINGS.fullmatch(word.text) is not None
        if not known or (name is not None and not (name.exact and name.text in _HARMLESS_NAMES)):
            return _unknown("It changes how the shell works.")(shell)
    if not words:
        return shell.done("sets how the shell works", shell.state)
    if words[0].may_be_option:
        return _unknown("It may change how the shell works.")(shell)
    given = words[1:] if words[0].text == "--" else words
    return shell.done("sets the positional parameters", replace(shell.state, positional=tuple(given)))


def _shift(shell: Shell) -> Done:
    given = shell.state.positional
    rest = given[1:] if given is not None and len(shell.words) == 1 else None
    return shell.done("takes a parameter away", replace(shell.state, positional=rest))


def _eval(shell: Shell) -> Done:
    """The words, joined and read once more."""
    text = " ".join(word.text for word in shell.words[1:])
    if not shell.exact():
        shell.findings.dynamic = True
        shell.findings.not_known("What eval runs cannot be known.")
        return shell.done("runs its words as a command", shell.state, neutral=False)
    try:
        inner, after = shell.walker.text(text, _with_given(shell), shell.context)
    except NotUnderstood as fault:
        shell.findings.dynamic = True
        shell.findings.not_known(f"What eval runs cannot be read: {fault.reason}.")
        return shell.done("runs its words as a command", shell.state, neutral=False)
    shell.findings.inner = list(inner)
    return shell.done("runs its words as a command", after, ends=after is None)


def _with_given(shell: Shell) -> State:
    state = shell.state
    for one in shell.call.assigned:
        state = state.with_variable(one.name, one.value)
    return state


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
    return shell.done("redirects for the rest", shell.state)


def _builtin(shell: Shell) -> Done:
    """`builtin x` and `command x`: the shell's own x, or the program, never a function."""
    rest, fine = shell.flags("p")
    if not fine and shell.words[0].text == "command":
        return _plain(shell)
    if not rest or not fine:
        return _plain(shell)
    first = rest[0].text if rest[0].exact else ""
    if first not in SPECIALS:
        return _plain(shell)
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


def _plain(shell: Shell) -> Done:
    """It is a program like any other after all."""
    part, output = shell.simple.start(shell.call, shell.state, shell.context)
    return part, shell.state, shell.state, output


def _trap(shell: Shell) -> Done:
    """A command for later."""
    rest, fine = shell.flags("lp")
    if not fine:
        shell.findings.not_known("What it does later cannot be known.")
    elif rest and not (rest[0].exact and rest[0].text in {"", "-"}):
        shell.findings.directory = None
        shell.findings.runs_text(rest[0], None)
        # By then, folder, variables and functions are those of the end.
        shell.findings.not_known("It keeps a command for later, when what its names mean can be something else.")
    return shell.done("keeps a command for later", shell.state)


def _alias(shell: Shell) -> Done:
    """Names that may stand for other commands in the lines that follow."""
    for word in shell.words[1:]:
        name, equals, value = word.text.partition("=")
        if equals:
            shell.findings.runs_text(replace(word, text=value), None)
            shell.findings.not_known(f"It makes {name} stand for another command.")
    return shell.done("names commands anew", shell.state, neutral=not shell.findings.dangers)


def _unknown(sentence: str) -> "Special":
    def special(shell: Shell) -> Done:
        shell.findings.not_known(sentence)
        state = replace(shell.state, strange=sentence)
        return shell.done("changes the shell", state, neutral=False)

    return special


def _hash(shell: Shell) -> Done:
    if any((word.text.startswith("-") and word.text != "-r") or not word.exact for word in shell.words[1:]):
        return _unknown("A program's name was made to mean another one.")(shell)
    return shell.done("forgets where programs are", shell.state)


_HARMLESS_SHOPTS = frozenset({"-s", "-u", "-q", "-o", "nullglob", "failglob", "inherit_errexit", "pipefail"})


def _shopt(shell: Shell) -> Done:
    if not all(word.exact and word.text in _HARMLESS_SHOPTS for word in shell.words[1:]):
        return _unknown("It changes how the shell reads commands.")(shell)
    return shell.done("sets how the shell works", shell.state)


def _let(shell: Shell) -> Done:
    plain = re.compile(r"[\w\s=+*/%()<>!&|,^~?:-]*")
    names = {name for word in shell.words[1:] for name in _NAME.findall(word.text)}
    known = all(name not in shell.state.variables or _known(shell.state, name).number for name in names)
    if not known or not all(word.exact and plain.fullmatch(word.text) for word in shell.words[1:]):
        shell.findings.not_known("A sum is done with text that is no number.")
    state = shell.state
    for word in shell.words[1:]:
        for name in _NAME.findall(word.text):
            if assignment_harm(name, UNKNOWN):
                return _unknown(f"{name} was set before, so what its name means is not sure.")(shell)
            state = state.with_variable(name, NUMBER)
    return shell.done("does a sum", state)


def _getopts(shell: Shell) -> Done:
    state = shell.state
    for word in shell.words[2:3]:
        if not word.exact or assignment_harm(word.text, UNKNOWN):
            return _unknown("Which variable it sets cannot be known.")(shell)
        state = state.with_variable(word.text, UNKNOWN)
    return shell.done("reads the next option", state.with_variable("OPTARG", UNKNOWN))


def _exit(shell: Shell) -> Done:
    """Only a plain number makes it certain that the shell ends."""
    sure = len(shell.words) == 1 or (len(shell.words) == 2 and (shell.words[1].number or _is_number(shell.words[1])))
    return shell.done("ends the shell", shell.state, ends=sure)


def _is_number(word: Argument) -> bool:
    return word.exact and word.text.isascii() and word.text.isdigit()


def _leave(shell: Shell) -> Done:
    """`return`, `break`, `continue`: it may be left here, and what follows is read all the same."""
    if shell.context.escapes is not None:
        shell.context.escapes.append(shell.state)
    return shell.done("leaves a function or a loop", shell.state)


def _printf(shell: Shell) -> Done:
    """With -v, what would be printed becomes the value of a variable."""
    first = shell.words[1] if len(shell.words) > 1 else EMPTY
    if first.exact and not first.text.startswith("-v"):
        return _plain(shell)
    name = first.text[2:] or (shell.words[2].text if len(shell.words) > 2 else "")
    if not shell.exact() or not _NAME.fullmatch(name) or assignment_harm(name, UNKNOWN):
        return _unknown("Which variable it sets cannot be known.")(shell)
    return shell.done("sets a variable", shell.state.with_variable(name, UNKNOWN))


def _wait(shell: Shell) -> Done:
    if any((not word.exact and not word.number) or word.text.startswith("-p") for word in shell.words[1:]):
        return _unknown("Which variable it sets cannot be known.")(shell)
    return shell.done("waits for what it has started", shell.state, neutral=False)


def _nothing(shell: Shell) -> Done:
    return shell.done("does nothing", shell.state)


def _fails(shell: Shell) -> Done:
    part, _, _, output = shell.done("fails", shell.state)
    return part, None, shell.state, output


Special = Callable[[Shell], Done]
SPECIALS: Mapping[str, Special] = {
    "cd": _cd,
    "pushd": _cd,
    "popd": _popd,
    "export": _export,
    "declare": _export,
    "typeset": _export,
    "local": _export,
    "readonly": _export,
    "unset": _unset,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "set": _settings,
    "shift": _shift,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "exec": _exec,
    "builtin": _builtin,
    "command": _builtin,
    "trap": _trap,
    "alias": _alias,
    "unalias": _nothing,
    "shopt": _shopt,
    "enable": _unknown("It changes which commands are parts of the shell."),
    "hash": _hash,
    "let": _let,
    "getopts": _getopts,
    "exit": _exit,
    "return": _leave,
    "break": _leave,
    "continue": _leave,
    "printf": _printf,
    "wait": _wait,
    ":": _nothing,
    "true": _nothing,
    "false": _fails,
}
"""By name. Where a function of that name is defined, it is called instead."""

"""One of the shell's own commands on its way: what it was given, what it finds, how it leaves the shell."""

from collections.abc import Callable
from dataclasses import replace

from assent.commandline.context import Context, Starting, Walking
from assent.commandline.findings import Findings
from assent.commandline.given import Output
from assent.commandline.invocation import Invocation, part_of
from assent.commandline.state import UNKNOWN, State
from assent.commandline.variables import harm
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument, Part

Done = tuple[Part, State | None, State | None, Output | None]


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


Special = Callable[[Shell], Done]


def plain(shell: Shell) -> Done:
    """It is a program like any other after all."""
    part, output = shell.simple.start(shell.call, shell.state, shell.context)
    return part, shell.state, shell.state, output


def unknown(sentence: str) -> "Special":
    def special(shell: Shell) -> Done:
        shell.findings.dynamic = True
        shell.findings.not_known(sentence)
        state = replace(shell.state, strange=sentence)
        return shell.done("changes the shell", state, neutral=False)

    return special


def value_of(state: State, name: str) -> Argument:
    value = state.variables.get(name, UNKNOWN)
    return value if isinstance(value, Argument) else UNKNOWN


def with_given(shell: Shell) -> State:
    state = shell.state
    for one in shell.call.assigned:
        state = state.with_variable(one.name, one.value)
    return state

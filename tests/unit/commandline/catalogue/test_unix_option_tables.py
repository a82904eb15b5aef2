"""The tables of options against the programs themselves, and against options that nobody has heard of."""

import re
import shutil
import subprocess

import pytest

from assent.commandline.catalogue import archives, builtins, files, languages, looking, search, system, text
from assent.commandline.schema import Program
from tests.support.programs import program_part
from tests.support.scale import limit

PROGRAMS = [
    program
    for module in (archives, builtins, files, languages, looking, search, system, text)
    for program in module.PROGRAMS
]
NAMES = [(program, name) for program in PROGRAMS for name in program.names]
_ANSWER_DIFFERENTLY = {"[", "test", "echo", "printf", "expr", "true", "false", ":", "yes", "top", "less", "more"}
"""They have no such option, or run on."""


@pytest.mark.parametrize(("program", "name"), NAMES, ids=[name for _, name in NAMES])
@pytest.mark.parametrize("option", ["--no-such-option", "--no-such-option=x", "-\N{SNOWMAN}"])
def test_an_option_that_nobody_has_heard_of_is_a_danger_unless_none_can_be(
    program: Program, name: str, option: str
) -> None:
    part = program_part(f"{name} {option}")

    assert part.dangers or (program.open and not program.verbs)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.names[0] for program in PROGRAMS])
def test_every_entry_says_what_it_does_and_why(program: Program) -> None:
    assert re.fullmatch(r"[a-z].*[^.]", program.does)
    assert re.fullmatch(r"[A-Z].*\.", program.reason)


def _options_of(name: str) -> list[str]:
    """The long options that a program tells of itself."""
    path = shutil.which(name)
    if path is None or name in _ANSWER_DIFFERENTLY:
        return []
    told = subprocess.run([path, "--help"], input="", capture_output=True, text=True, timeout=limit(20), check=False)
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][A-Za-z0-9-]+", told.stdout + told.stderr)))


@pytest.mark.parametrize(
    ("program", "name"),
    [(program, name) for program, name in NAMES if program.options and not program.verbs],
    ids=[name for program, name in NAMES if program.options and not program.verbs],
)
def test_no_long_option_of_the_program_shortens_to_one_that_means_something_else(program: Program, name: str) -> None:
    """A table that lacks an option takes its beginning for another one; so what is told of must be listed, or open."""
    told = _options_of(name)
    if not told:
        pytest.skip("it is not here, or tells nothing")
    for option in told:
        listed = program.options.get(option[1:] if program.one_dash else option)
        fitting = [spelled for spelled in program.options if spelled.startswith(option)]
        assert listed is not None or not fitting, f"{option} of {name} is taken for {fitting}"
        assert listed is not None or program.open or program_part(f"{name} {option}").dangers

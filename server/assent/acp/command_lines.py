"""A command line with the variables that it is given, as one text: what runs is what is judged and shown."""

import shlex
from collections.abc import Sequence

Variables = Sequence[tuple[str, str]]


def with_variables(line: str, variables: Variables, *, is_one_program: bool = False) -> str:
    """The same with its variables before it. One program takes them itself; a whole line needs a shell."""
    if not variables:
        return line
    given = shlex.join(["env", *(f"{name}={value}" for name, value in variables)])
    return f"{given} {line}" if is_one_program else f"{given} bash -c {shlex.quote(line)}"

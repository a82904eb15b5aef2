"""What the catalogue says of the program that a part starts, as far as rules need it."""

from assent.commandline.catalogue import program_named
from assent.commandline.schema import Program
from assent.model.commands import Part


def leaf_of(part: Part) -> tuple[Program | None, int]:
    """The entry of the verb that the part's steps lead to, and how many of the steps it took."""
    program = program_named(part.steps[0]) if part.steps else None
    if program is None:
        return None, 0
    taken = 1
    for step in part.steps[1:]:
        verb = next((verb for verb in program.verbs if step in verb.names), None)
        if verb is None:
            break
        program, taken = verb, taken + 1
    return program, taken

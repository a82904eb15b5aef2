"""What the catalogue says of the program that a part starts, as far as rules need it."""

from assent.commandline.catalogue import program_named
from assent.commandline.catalogue.schema import Program
from assent.model.commands import Part
from assent.model.modes import Category


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


def only_redirects(part: Part) -> bool:
    """Whether the part would only read, were it not for the files that its redirections write."""
    if part.category is not Category.WRITE or not all(is_of_redirect(part, at) for at in range(len(part.dangers))):
        return False
    if any(touch.at is not None and touch.access.value in {"write", "delete"} for touch in part.touches):
        return False
    program, taken = leaf_of(part)
    return not part.words or (program is not None and program.category is Category.READ and taken == len(part.steps))


def is_of_redirect(part: Part, number: int) -> bool:
    """Whether this danger is nothing but a redirection that writes a known file: the file is judged for itself."""
    danger = part.dangers[number]
    return danger.at is None and any(
        touch.at is None and touch.access.value == "write" and danger.text == f"writes {touch.written}"
        for touch in part.touches
    )

"""What the catalogue says of the program that a part starts, as far as rules need it."""

from assent.commandline.catalogue import program_named
from assent.commandline.schema import Program
from assent.model.commands import Part, Touch
from assent.model.modes import Category
from assent.model.paths import Access


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
    changes = [touch for touch in part.touches if touch.access in (Access.WRITE, Access.DELETE)]
    if not changes or any(touch.at is not None or is_own(touch) for touch in changes):
        return False
    program, taken = leaf_of(part)
    if program is not None and program.may_change:
        return False
    return not part.words or (program is not None and program.category is Category.READ and taken == len(part.steps))


def is_own(touch: Touch) -> bool:
    """Whether a program changes this by its purpose, though no word names it: what is below the folder it runs in.

    A redirection writes one file. Where that is only known to lie below a folder, a variable stands in its name.
    """
    if touch.access is not Access.WRITE or touch.written == ".":
        return True
    return touch.whole and not {"$", "`"} & set(touch.written)


def is_of_redirect(part: Part, number: int) -> bool:
    """Whether this danger is nothing but a redirection that writes a known file: the file is judged for itself."""
    danger = part.dangers[number]
    return danger.at is None and any(
        touch.at is None and touch.access is Access.WRITE and danger.text == f"writes {touch.written}"
        for touch in part.touches
    )

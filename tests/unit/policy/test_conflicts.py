"""Which calls get into each other's way."""

import pytest

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Command, Danger, Part
from assent.model.modes import Category
from assent.policy.conflicts import resources_of
from tests.support.conflicts import Conflict, between

READ, WRITE, DELETE, RUN = Access.READ, Access.WRITE, Access.DELETE, Access.RUN
CATEGORIES = {READ: Category.READ, WRITE: Category.WRITE, DELETE: Category.WRITE, RUN: Category.READ}


def touching(*places: tuple[str, Access], directory: bool = False) -> CallFacts:
    uses = tuple(PathUse(path, path, access, inside=True, is_directory=directory) for path, access in places)
    return CallFacts("tool", True, CATEGORIES[places[-1][1]], uses)


def command(*parts: Part, unreadable: str | None = None, places: tuple[tuple[str, Access], ...] = ()) -> CallFacts:
    folder = PathUse("/w", ".", RUN, inside=True, is_directory=True)
    uses = (folder, *(PathUse(path, path, access, inside=True) for path, access in places))
    return CallFacts("bash", True, Category.READ, uses, command=Command("…", parts, unreadable))


def part(category: Category, **known: object) -> Part:
    return Part((), "…", category, **known)  # type: ignore[arg-type]


def making(*steps: CallFacts) -> CallFacts:
    """A call that makes these, one after the other."""
    return CallFacts("run_workflow", True, Category.INTERNAL, steps=steps)


def of(category: Category) -> CallFacts:
    """A step of which only the tool is known: what goes in comes from another step."""
    return CallFacts("tool", True, category)


MAKE = command(part(Category.EXECUTE))
LS = command(part(Category.READ), places=(("/w", READ),))
MKDIR = command(part(Category.WRITE), places=(("/w/new", WRITE),))

A = touching(("/w/a", WRITE))

TABLE = [
    ("one file written twice", touching(("/w/a", WRITE)), touching(("/w/a", WRITE)), Conflict.STRONG),
    ("written and read", touching(("/w/a", WRITE)), touching(("/w/a", READ)), Conflict.STRONG),
    ("deleted and read", touching(("/w/a", DELETE)), touching(("/w/a", READ)), Conflict.STRONG),
    ("read twice", touching(("/w/a", READ)), touching(("/w/a", READ)), Conflict.NONE),
    ("written in a folder that is listed", touching(("/w/d/a", WRITE)), touching(("/w/d", READ)), Conflict.STRONG),
    ("a folder that goes, with what is in it", touching(("/w/d", DELETE)), touching(("/w/d/a", READ)), Conflict.STRONG),
    ("all of the disk", touching(("/", DELETE)), touching(("/w/a", READ)), Conflict.STRONG),
    ("a name that begins alike", touching(("/w/d", WRITE)), touching(("/w/da", WRITE)), Conflict.NONE),
    ("two files of a folder", touching(("/w/d/a", WRITE)), touching(("/w/d/b", WRITE)), Conflict.NONE),
    ("another case of letters", touching(("/w/A", WRITE)), touching(("/w/a", WRITE)), Conflict.STRONG),
    ("one of several", touching(("/w/x", READ), ("/w/a", WRITE)), touching(("/w/a", READ)), Conflict.STRONG),
    ("the device of nothing", touching(("/dev/null", WRITE)), touching(("/dev/null", WRITE)), Conflict.NONE),
    ("a script that is written and run", touching(("/w/s", WRITE)), touching(("/w/s", RUN)), Conflict.STRONG),
    ("a script that is read and run", touching(("/w/s", READ)), touching(("/w/s", RUN)), Conflict.NONE),
    ("a script that is run twice", touching(("/w/s", RUN)), touching(("/w/s", RUN)), Conflict.NONE),
    ("a file in the folder of a command", touching(("/w/a", WRITE)), LS, Conflict.STRONG),
    ("a file that a command only stands beside", touching(("/w/a", WRITE)), MKDIR, Conflict.NONE),
    ("the folder in which a command starts", touching(("/w", DELETE)), MKDIR, Conflict.STRONG),
    ("two commands of which nothing is known", MAKE, MAKE, Conflict.WEAK),
    ("one of which all is known", MAKE, MKDIR, Conflict.WEAK),
    ("two of which all is known", MKDIR, command(part(Category.WRITE), places=(("/w/b", WRITE),)), Conflict.NONE),
    ("a write and a command of which nothing is known", touching(("/w/a", WRITE)), MAKE, Conflict.WEAK),
    ("a read and a command of which nothing is known", touching(("/w/a", READ)), MAKE, Conflict.NONE),
    ("a command that only reads", LS, MAKE, Conflict.NONE),
    ("a command that cannot be read", command(unreadable="no"), MAKE, Conflict.WEAK),
    ("a place that only the run knows", command(part(Category.WRITE, unknown=("where",))), MAKE, Conflict.WEAK),
    ("a program that only the run knows", command(part(Category.WRITE, dynamic=True)), MKDIR, Conflict.WEAK),
    ("a danger", command(part(Category.WRITE, dangers=(Danger("…"),))), MKDIR, Conflict.WEAK),
    ("reading somewhere", command(part(Category.READ, unknown=("where",))), MKDIR, Conflict.NONE),
    (
        "a program that only starts others",
        command(part(Category.EXECUTE, transparent=True, inner=(part(Category.WRITE),))),
        MKDIR,
        Conflict.NONE,
    ),
    ("a step that writes it", making(touching(("/w/b", READ)), touching(("/w/a", WRITE))), A, Conflict.STRONG),
    ("a step of a step", making(making(touching(("/w/a", DELETE)))), A, Conflict.STRONG),
    ("a step that reads it", making(touching(("/w/a", READ))), A, Conflict.STRONG),
    ("two that read it", making(touching(("/w/a", READ))), touching(("/w/a", READ)), Conflict.NONE),
    ("steps elsewhere", making(touching(("/w/b", WRITE)), touching(("/w/c", DELETE))), A, Conflict.NONE),
    ("two that make the same", making(touching(("/w/a", WRITE))), making(touching(("/w/a", WRITE))), Conflict.STRONG),
    ("a step that starts it", making(touching(("/w/a", RUN))), A, Conflict.STRONG),
    ("a step that may do anything", making(MAKE), A, Conflict.WEAK),
    ("a step of which only the tool is known", making(of(Category.WRITE)), A, Conflict.WEAK),
    ("one that is only known to run something", making(of(Category.EXECUTE)), A, Conflict.WEAK),
    ("one that only reads, wherever that is", making(of(Category.READ)), A, Conflict.NONE),
    (
        "one that acts somewhere, and what only reads",
        making(of(Category.WRITE)),
        touching(("/w/a", READ)),
        Conflict.NONE,
    ),
    ("none", making(), A, Conflict.NONE),
]


@pytest.mark.parametrize(("what", "one", "other", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_two_calls(what: str, one: CallFacts, other: CallFacts, expected: Conflict) -> None:
    assert between(resources_of(one), resources_of(other)) is expected, what
    assert between(resources_of(other), resources_of(one)) is expected, what


@pytest.mark.parametrize(("shell", "expected"), [("s1", Conflict.STRONG), ("s2", Conflict.NONE), (None, Conflict.NONE)])
def test_calls_to_one_shell_keep_their_order(shell: str | None, expected: Conflict) -> None:
    one, other = (CallFacts("shell", True, Category.EXECUTE, shell=name) for name in ("s1", shell))

    assert between(resources_of(one), resources_of(other)) is expected


def test_a_step_that_talks_to_a_shell_keeps_the_order_with_calls_to_it() -> None:
    to_first, to_both, to_third = (
        making(*(CallFacts("shell", True, Category.EXECUTE, shell=name) for name in names))
        for names in (["s1"], ["s2", "s1"], ["s3"])
    )

    assert between(resources_of(to_both), resources_of(to_first)) is Conflict.STRONG
    assert between(resources_of(to_both), resources_of(to_third)) is Conflict.NONE

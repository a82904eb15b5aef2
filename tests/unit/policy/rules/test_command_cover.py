"""Whether a command is covered, told by parts that are made by hand: each differs in one thing from one that is."""

from dataclasses import replace

import pytest

from assent.model.calls import CallFacts
from assent.model.commands import Argument, Command, Danger, Part, Touch
from assent.model.modes import Category
from assent.model.paths import Access, PathUse
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule


def part(line: str, **more: object) -> Part:
    words = tuple(Argument(word, written=word) for word in line.split())
    known = {"steps": (words[0].text,), "steps_at": (0,), **more}
    return Part(words, line, **known)  # type: ignore[arg-type]


def covers(pattern: str, *parts: Part, unreadable: str | None = None) -> bool:
    facts = CallFacts("bash", True, Category.EXECUTE, command=Command("a command", parts, unreadable))
    return RuleBook([Rule(Effect.ALLOW, "bash", pattern)], ("/ws",)).first(Effect.ALLOW, facts, "Agent") is not None


GOOD = part("frob go on")
INSIDE = PathUse("/ws/a", "a", Access.WRITE, inside=True, named="/ws/a")
WRITES = replace(GOOD, touches=(Touch("/ws/a", Access.WRITE, written="a", at=2),), paths=(INSIDE,))
STARTS = part("with frob go", inner=(part("frob go"),), inner_at=1)


def test_what_the_others_differ_from_is_covered() -> None:
    assert covers("frob go:*", GOOD)
    assert covers("frob go:*", WRITES)
    assert covers("with frob go:*", STARTS)
    assert covers("frob go:*", replace(STARTS, transparent=True))


@pytest.mark.parametrize(
    ("pattern", "changed"),
    [
        ("frob go:*", replace(GOOD, dynamic=True)),
        ("frob go:*", replace(GOOD, steps=())),
        ("frob go:*", replace(GOOD, dangers=(Danger("does more"),))),
        ("frob go:*", replace(GOOD, dangers=(Danger("does more", 2),))),
        ("frob go:*", replace(GOOD, words=(*GOOD.words[:1], replace(GOOD.words[1], exact=False)))),
        ("frob go:*", replace(GOOD, words=(*GOOD.words[:1], replace(GOOD.words[1], many=True)))),
        ("frob go:*", replace(GOOD, inner=(part("other"),))),
        ("frob go:*", replace(WRITES, paths=())),
        ("frob go:*", replace(WRITES, touches=(replace(WRITES.touches[0], at=None, redirected=True),))),
        ("frob go:*", replace(WRITES, touches=(replace(WRITES.touches[0], name="/ws/b"),))),
        ("with frob go:*", replace(STARTS, inner=(part("frob go"), part("frob go")))),
        ("with frob go:*", replace(STARTS, inner=(part("other"),))),
        ("with frob go:*", replace(STARTS, inner_at=None)),
        ("with:*", STARTS),
        ("frob go:*", replace(STARTS, transparent=True, dangers=(Danger("does more"),))),
        ("frob go:*", replace(STARTS, transparent=True, touches=WRITES.touches, paths=WRITES.paths)),
        ("frob go:*", replace(STARTS, transparent=True, touches=WRITES.touches)),
        ("frob go:*", STARTS),
    ],
)
def test_what_differs_in_one_thing_is_not(pattern: str, changed: Part) -> None:
    assert not covers(pattern, changed)
    assert not covers(pattern, GOOD, changed)


def test_nothing_is_covered_of_what_has_no_parts_or_cannot_be_read() -> None:
    assert not covers("*")
    assert not covers("*", GOOD, unreadable="This command cannot be read.")
    assert not covers("a command", unreadable="This command cannot be read.")
    assert covers("a command", replace(GOOD, dangers=(Danger("does more"),)))


def test_commands_within_commands_are_not_followed_for_ever() -> None:
    deep = part("frob go")
    for _ in range(60):
        deep = replace(STARTS, transparent=True, inner=(deep,))

    assert not covers("frob go:*", deep)

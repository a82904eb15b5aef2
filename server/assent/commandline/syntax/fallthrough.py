"""Arms of a case that go on to the next one (`;&`), or to the next pattern (`;;&`), written without that."""

from assent.commandline.syntax.tree import Case, Joint, Pipeline, Sequence, Word

Arm = tuple[tuple[Word, ...], Sequence]
MarkedArm = tuple[tuple[Word, ...], Sequence, str]

_MOST_THROUGH = 32
_MOST_AGAIN = 4
"""Each of these can double what there is to follow."""


def arms_apart(subject: Word, arms: list[MarkedArm], start: int, end: int) -> tuple[Arm, ...] | None:
    """The same arms, each with all that runs once its pattern fits; None where that would grow too large."""
    enders = [ender for _, _, ender in arms]
    if enders.count(";&") > _MOST_THROUGH or enders.count(";;&") > _MOST_AGAIN:
        return None
    apart: list[Arm] = []
    for patterns, body, ender in reversed(arms):
        items = body.items
        if apart and ender == ";&":
            items += apart[0][1].items
        elif apart and ender == ";;&":
            again = Case(subject, tuple(apart), (), start, end)
            items += ((Pipeline((again,), start, end), Joint.THEN),)
        apart.insert(0, (patterns, Sequence(items)))
    return tuple(apart)

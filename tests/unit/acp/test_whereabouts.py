"""Whether the next command of an agent that keeps its folder begins where the one before it began."""

import pytest

from assent.acp.claim import Claim, claim_of
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.picture import Picture
from assent.acp.together import together
from assent.acp.whereabouts import MOST_LETTERS, MOST_UNREAD, Whereabouts, leads_away
from assent.acp.words import Diff, Kind, ToolTold
from assent.model.ids import CallId

HERE = "/work"
ONE, TWO = CallId("one"), CallId("two")


@pytest.mark.parametrize(
    "command",
    [
        "npm test",
        "git status && git diff | head -3",
        "rm -r box && echo a >> b; cat b",
        "cd /work && npm test",
        "cd . ; ls",
        "X=1 make > out 2>&1 || true",
        "find . -name x -exec rm {} \\;",
    ],
)
def test_what_stays(command: str) -> None:
    assert not leads_away(command, HERE)


@pytest.mark.parametrize(
    "command",
    [
        *(
            "cd sub",
            "cd sub && make",
            "cd ..",
            "cd",
            "cd -",
            "cd ~",
            "pushd sub",
            "popd",
            "cd $X",
            "c\\d sub",
            '"cd" x',
        ),
        *("make || cd sub", "if true; then cd sub; fi", "for i in *; do cd $i; done", "f() { cd sub; }; f"),
        "cd sub && make && cd ..",
        "cd nowhere || true; rm x",
        *("eval $X", "source x.sh", ". ./env", "$X sub", "alias ls=cd", "shopt -s autocd; sub", "exit 1; cd sub"),
        *("echo 'a", "cat <<E\nx"),
    ],
)
def test_what_may_lead_away(command: str) -> None:
    assert leads_away(command, HERE)


def test_a_command_that_leads_away_makes_only_the_others_unsure() -> None:
    where = Whereabouts()
    where.told(ONE, "make", HERE)
    assert where.are_known(ONE) and where.are_known(TWO)
    where.told(ONE, "cd sub", HERE)
    assert where.are_known(ONE) and not where.are_known(TWO)
    where.told(TWO, "cd sub", HERE)
    assert not where.are_known(ONE)
    where.refused(ONE)
    assert where.are_known(TWO)


@pytest.mark.parametrize(("many", "letters"), [(MOST_UNREAD + 1, 1), (3, MOST_LETTERS // 2)], ids=["many", "long"])
def test_of_a_call_that_is_told_in_ever_other_words_nothing_is_known(many: int, letters: int) -> None:
    where = Whereabouts()
    for number in range(many):
        where.told(ONE, f"echo {number} {'x' * letters}", HERE)
    assert where.are_known(ONE) and not where.are_known(TWO)
    where.refused(ONE)
    assert where.are_known(TWO)


def test_a_call_that_is_told_as_often_as_it_may_be_is_read() -> None:
    where = Whereabouts()
    for number in range(MOST_UNREAD):
        where.told(ONE, f"echo {number}", HERE)
    assert where.are_known(TWO)


def claimed(raw: dict[str, object], habits: Habits = NO_HABITS, *, known: bool = True) -> Claim:
    told = ToolTold("c", kind=Kind.EXECUTE, raw_input=raw)  # type: ignore[arg-type]
    return claim_of(Picture("c").with_told(told), habits, folder_is_known=known)


@pytest.mark.parametrize(
    ("raw", "habits", "known", "understood"),
    [
        ({"command": "make"}, NO_HABITS, True, True),
        ({"command": "make"}, NO_HABITS, False, False),
        ({"command": "make"}, Habits(in_one_shell=True), True, False),
        ({"command": "make", "cwd": "/work/sub"}, Habits(in_one_shell=True), False, True),
        ({"command": "make"}, Habits(tells_folder_late=True), True, False),
        ({"command": "make", "cwd": "/work/sub"}, Habits(tells_folder_late=True), True, True),
    ],
)
def test_a_command_is_understood_where_its_folder_is(
    raw: dict[str, object], habits: Habits, known: bool, understood: bool
) -> None:
    found = claimed(raw, habits, known=known)

    assert (found.command, found.inspectable) == ("make", understood)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("cd /work/sub && make", True),
        ("cd /work/sub && make && make test | head -3", True),
        ("cd /work/sub", False),
        ("cd sub && make", False),
        ("cd /work/sub; make", False),
        ("cd /work/sub && make; rm x", False),
        ("cd /work/sub && make || rm x", False),
        ("cd /work/sub && make & rm x", False),
        ("cd /work/sub && make\nrm x", False),
        ("cd /work/$X && make", False),
        ("cd /work/s* && make", False),
        ("cd /work/sub &&", False),
        (" cd /work/sub && make", False),
        ("make && cd /work/sub && make", False),
    ],
)
def test_a_command_that_goes_first_to_where_it_runs_is_understood_anywhere(command: str, says: bool) -> None:
    assert claimed({"command": command}, known=False).inspectable is says
    assert not claimed({"command": command}, Habits(in_one_shell=True)).inspectable, "there, cd may be anything by now"


def test_what_is_asked_together_is_all_of_it_and_no_rule_is_about_it() -> None:
    edit = ToolTold("c", kind=Kind.EDIT, content=(Diff("/work/a", None, "x"),))
    found = together([claimed({"command": "make", "env": {"A": "b"}}), claim_of(Picture("c").with_told(edit))])

    assert (found.command, found.edits, found.kind) == (
        "env A=b bash -c make",
        (Diff("/work/a", None, "x"),),
        Kind.EXECUTE,
    )
    assert not found.inspectable
    alone = together([claimed({"command": "make"})])
    assert (alone.command, alone.inspectable) == ("make", False)

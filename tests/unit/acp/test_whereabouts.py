"""Where the commands of an agent begin that keeps its folder: what is known of it, and when nothing is."""

import os
import sys
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from assent.acp.claim import Claim, claim_of
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.leading import folders_after
from assent.acp.picture import Picture
from assent.acp.together import together
from assent.acp.whereabouts import MOST_LETTERS, MOST_TOLD, Whereabouts
from assent.acp.words import Diff, Kind, Outcome, ToolTold
from assent.model.ids import CallId

ONE, TWO, THREE = CallId("one"), CallId("two"), CallId("three")
CLAUDE = Habits(keeps_its_folder=True, stays_after_a_failure=True)
HERMES = Habits(keeps_its_folder=True, keeps_variables=True)
ANY = "anywhere"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with folders, a link to one of them, an environment of Python, and a script that goes elsewhere."""
    here = tmp_path_factory.mktemp("workspace").resolve()
    for name in ("tests", "sub", "build", "a", "b", "c", "d"):
        (here / name).mkdir()
    (here / "link").symlink_to("sub")
    venv.create(here / ".venv", with_pip=False)
    (here / "env.sh").write_text("cd sub\n")
    for name, text in (("bad", "cd ..\n"), ("dotted", "if true; then . ./env.sh; fi\n")):
        (here / name / "bin").mkdir(parents=True)
        (here / name / "pyvenv.cfg").touch()
        (here / name / "bin" / "activate").write_text(text)
    return here


def named(folders: tuple[str, ...], here: Path) -> str:
    """The folders by their names in the workspace."""
    return " ".join(sorted(str(Path(one).relative_to(here)) for one in folders)) or ANY


@pytest.mark.parametrize(
    ("line", "well", "unsure"),
    [
        ("npm test", ".", "."),
        ("cd . ; ls", ".", "."),
        ("git status && git diff | head -3", ".", "."),
        ("rm -r box && echo a >> b; cat b", ".", "."),
        ("X=1 make > out 2>&1 || true", ".", "."),
        ("cd tests && rm -f zzz.txt", "tests", ". tests"),
        ("cd tests", "tests", ". tests"),
        ("cd tests; make", "tests", ". tests"),
        ("mkdir -p build && cd build && cmake ..", "build", ". build"),
        ('cd "$PWD/sub"', "sub", ". sub"),
        ("c\\d sub", "sub", ". sub"),
        ("builtin cd sub", "sub", ". sub"),
        ("pushd sub", "sub", ". sub"),
        ("cd link && ls", "sub", ". sub"),
        ("f() { cd sub; }; f", "sub", ". sub"),
        ("cd() { builtin cd sub; }; cd tests", "sub", ". sub"),
        ("if make; then cd sub; fi", ". sub", ". sub"),
        ("make || cd sub", ". sub", ". sub"),
        ("cd build && make && cd ..", ".", "."),
        ("(cd tests && make)", ".", "."),
        ("cd tests & make", ".", "."),
        ("bash -c 'cd tests; sleep 60 & wait'", ".", "."),
        ("make; exit 0", ".", "."),
        ("cd tests && make; exit 0", ".", "."),
        ("cd tests; make || exit 0", ". tests", ". tests"),
        ("set -o pipefail; make | tail", ".", "."),
        ("source .venv/bin/activate && pytest -q", ".", "."),
        ("cd tests && . ../.venv/bin/activate && pytest -q", "tests", ". tests"),
        *((line, ANY, ANY) for line in ("source env.sh", ". ./env.sh; ls", "source bad/bin/activate; ls")),
        *((line, ANY, ANY) for line in ("source dotted/bin/activate", "source activate", "source $X/bin/activate")),
        *((line, ANY, ANY) for line in ("cd -", "cd $X", "popd", "for i in *; do cd $i; done", "$X sub", "eval $X")),
        *((line, ANY, ANY) for line in ("CDPATH=/tmp cd sub", "export CDPATH=/tmp; cd sub", "CDPATH=/tmp; cd sub")),
        *(
            (line, ANY, ANY)
            for line in ("shopt -s autocd; sub", "trap 'cd sub' DEBUG; ls", "alias ls=cd", "set -P; ls")
        ),
        *((line, ANY, ANY) for line in ("ln -sfn sub t && cd t && rm t", "mv tests x; cd x", "cd sub; rm -r ../sub")),
        *((line, ANY, ANY) for line in ("echo x | cd sub", "ls | { read x; cd sub; }", "echo 'a", "cat <<E\nx")),
        ("rm -f *.o && cp tests/x . && mv a.txt b.txt", ".", "."),
        ("rm -rf ../{name}; mkdir ../{name}", ANY, ANY),
        ("mv $PWD ../gone", ANY, ANY),
        ("rm -rf ../*", ANY, ANY),
        ("cd nowhere && ls", ANY, ANY),
        ("cd nowhere || true; rm x", ANY, ANY),
    ],
)
def test_where_a_shell_is_after_a_command(here: Path, line: str, well: str, unsure: str) -> None:
    line = line.replace("{name}", here.name)
    assert named(folders_after(line, str(here), CLAUDE, well=True), here) == well
    assert named(folders_after(line, str(here), CLAUDE, well=False), here) == unsure


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("make", "."),
        ("cd tests", ANY),
        ("cd ./tests", ". tests"),
        ("cd ./tests; false", ". tests"),
        ("cd {here}/tests && make", ". tests"),
    ],
)
def test_one_that_keeps_variables_goes_by_full_names_only(here: Path, line: str, after: str) -> None:
    line = line.replace("{here}", str(here))
    assert named(folders_after(line, str(here), HERMES, well=False), here) == after


def test_where_folders_are_looked_for_elsewhere_a_bare_name_says_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDPATH", "/")
    assert folders_after("cd tests", str(here), CLAUDE, well=True) == ()
    assert named(folders_after("cd ./tests", str(here), CLAUDE, well=True), here) == "tests"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_from_anywhere_a_full_name_leads_to_one_folder(here: Path) -> None:
    assert folders_after("cd tests && ls", "", CLAUDE, well=True) == ()
    line = f"cd {here}/tests && ls"
    assert named(folders_after(line, "", CLAUDE, well=True), here) == "tests"
    assert folders_after(line, "", CLAUDE, well=False) == ()
    assert folders_after(f"cd {here}/tests; ls", "", CLAUDE, well=True) == ()


def test_a_folder_that_cannot_be_entered_is_not_gone_to_for_sure(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    sure = os.access(locked, os.X_OK)
    found = folders_after("cd locked; make", str(tmp_path), CLAUDE, well=True)
    assert found == ((str(locked),) if sure else (str(locked), str(tmp_path)))


class Chat:
    """The whereabouts of one chat, with the names of folders in its workspace."""

    def __init__(self, here: Path, habits: Habits = CLAUDE) -> None:
        self.here = here
        self.where = Whereabouts(str(here), habits)

    def runs(self, line: str, outcome: Outcome = Outcome.WELL) -> None:
        """A call is asked for, and over."""
        call = CallId(line)
        self.where.told(call, line, asked=True)
        self.where.ended(call, outcome)

    def begins(self, call: CallId = THREE, line: str = "make") -> str:
        """Where a command begins that is asked for now."""
        self.where.told(call, line, asked=True)
        return named(self.where.begins(call).folders, self.here)


@pytest.mark.parametrize(
    ("outcome", "begins"),
    [
        (Outcome.WELL, "tests"),
        (Outcome.BADLY, "."),
        (Outcome.UNSURE, ". tests"),
        (Outcome.SENT_BACK, "."),
    ],
)
def test_the_next_command_begins_where_the_last_has_ended(here: Path, outcome: Outcome, begins: str) -> None:
    chat = Chat(here)
    chat.runs("cd tests && make", outcome)
    assert chat.begins() == begins


def test_one_that_keeps_its_folder_after_a_failure_is_followed_there(here: Path) -> None:
    chat = Chat(here, HERMES)
    chat.runs("cd ./tests && make", Outcome.BADLY)
    assert chat.begins() == ". tests"


def test_what_is_not_known_is_known_again_after_a_full_name(here: Path) -> None:
    chat = Chat(here)
    chat.runs("source env.sh")
    assert chat.begins(ONE) == ANY
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins(TWO, f"cd {here}/tests && make") == ANY
    chat.where.ended(TWO, Outcome.WELL)
    assert chat.begins() == "tests"


def test_folders_that_nobody_is_sure_of_are_added_up_until_they_are_too_many(here: Path) -> None:
    chat = Chat(here)
    found = []
    for name in "abcd":
        chat.runs(f"cd {here}/{name}", Outcome.UNSURE)
        found.append(chat.begins(CallId(f"after {name}")))
        chat.where.refused(CallId(f"after {name}"))
    assert found == [". a", ". a b", ". a b c", ANY]


def test_of_several_folders_one_is_left_once_a_command_went_there(here: Path) -> None:
    chat = Chat(here)
    chat.runs("cd tests", Outcome.UNSURE)
    assert chat.begins(ONE, f"cd {here}/tests && make") == ". tests"
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins() == "tests"


def test_one_of_several_folders_can_lead_to_another_of_them(here: Path) -> None:
    chat = Chat(here)
    chat.runs("cd a", Outcome.UNSURE)
    chat.where.told(ONE, f"cd {here}/a && make")
    chat.where.told(TWO, f"cd {here} && make")
    chat.where.ended(ONE, Outcome.WELL)
    chat.where.ended(TWO, Outcome.WELL)
    assert chat.begins() == ". a"


@pytest.mark.parametrize(
    ("where", "begins"),
    [("variable", ". tests"), (".claude/settings.json", ". tests"), (".claude/other.json", "tests")],
)
def test_one_that_may_be_set_up_to_go_back_is_where_it_went_or_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, begins: str
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / ".claude").mkdir()
    if where == "variable":
        monkeypatch.setenv("GOES_BACK", "1")
    else:
        (tmp_path / where).write_text('{"env": {"GOES_BACK": "1"}}')
    back = replace(CLAUDE, goes_back_by="GOES_BACK", settings=("~/none/settings.json", ".claude/settings.json"))
    chat = Chat(tmp_path.resolve(), back)
    chat.runs("cd tests && make")
    assert chat.begins() == begins


def test_a_command_that_was_refused_has_led_nowhere(here: Path) -> None:
    chat = Chat(here)
    chat.where.told(ONE, "cd tests", asked=True)
    chat.where.refused(ONE)
    assert chat.begins() == "."
    chat.where.ended(ONE, Outcome.WELL)
    chat.where.refused(THREE)
    assert chat.begins(TWO) == "tests", "it did it all the same"


def test_while_one_runs_another_may_begin_where_that_leads(here: Path) -> None:
    chat = Chat(here)
    chat.where.told(ONE, "cd tests && make", asked=True)
    assert chat.begins(TWO) == ". tests"
    chat.where.ended(ONE, Outcome.WELL)
    assert named(chat.where.begins(TWO).folders, here) == ". tests", "what was asked stays what it is"


def test_one_that_waits_for_its_answer_is_another_once_others_have_led_away(here: Path) -> None:
    chat = Chat(here)
    assert chat.begins(TWO) == "."
    chat.where.told(ONE, "cd tests && make", asked=True)
    chat.where.ended(ONE, Outcome.WELL)
    assert named(chat.where.begins(TWO).folders, here) == ". tests"


def test_of_two_that_lead_away_at_once_nobody_knows_which_is_the_last(here: Path) -> None:
    chat = Chat(here)
    for call, name in ((ONE, "a"), (TWO, "b")):
        chat.where.told(call, f"cd {here}/{name} && ls")
    chat.where.ended(TWO, Outcome.WELL)
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins() in (". a b", "a b")


def test_what_is_told_of_in_advance_and_asked_for_later_did_not_run_before(here: Path) -> None:
    chat = Chat(here)
    chat.where.told(ONE, "cd tests && make")
    chat.where.told(TWO, "cd sub && make")
    chat.where.told(ONE, "cd tests && make", asked=True)
    assert named(chat.where.begins(ONE).folders, here) == "."
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins(TWO, "cd sub && make") == "tests"


def test_a_sub_agent_may_be_anywhere_and_leads_its_agent_nowhere(here: Path) -> None:
    chat = Chat(here)
    chat.where.told(ONE, "cd tests", asked=True, is_inner=True)
    assert chat.where.begins(ONE).folders == ()
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins() == "."


def test_an_agent_that_goes_by_other_means_may_be_anywhere(here: Path) -> None:
    chat = Chat(here)
    chat.where.lost()
    assert chat.begins() == ANY


@pytest.mark.parametrize(("many", "letters"), [(MOST_TOLD + 1, 1), (3, MOST_LETTERS // 2)], ids=["many", "long"])
def test_of_a_call_that_is_told_in_ever_other_words_nothing_is_known(here: Path, many: int, letters: int) -> None:
    chat = Chat(here)
    for number in range(many):
        chat.where.told(ONE, f"echo {number} {'x' * letters}", asked=True)
    assert named(chat.where.begins(ONE).folders, here) == "."
    chat.where.ended(ONE, Outcome.WELL)
    assert chat.begins() == ANY


def test_a_link_in_the_place_of_a_folder_is_found_when_somebody_looks(tmp_path: Path) -> None:
    for name in ("tests", "other"):
        (tmp_path / name).mkdir()
    chat = Chat(tmp_path.resolve())
    chat.runs("cd tests && make")
    (tmp_path / "tests").rename(tmp_path / "gone")
    (tmp_path / "tests").symlink_to("other")
    assert chat.begins() == "other"


def test_an_agent_whose_folder_is_gone_may_be_anywhere_and_then_back_at_the_beginning(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    chat = Chat(tmp_path.resolve())
    chat.runs("cd tests && make")
    (tmp_path / "tests").rmdir()
    assert chat.begins(ONE) == ANY
    chat.where.cut_off(ONE)
    (tmp_path / "tests").mkdir()
    assert chat.begins(TWO) in (". tests", ANY)


def test_while_very_many_run_a_command_may_begin_anywhere(here: Path) -> None:
    chat = Chat(here)
    for number in range(200):
        chat.where.told(CallId(str(number)), f"cd {here}/a && echo {number}", asked=True)
    assert chat.begins() == ANY


def test_thousands_of_commands_are_not_kept_to_be_read_at_once(here: Path) -> None:
    chat = Chat(here)
    for number in range(3_000):
        chat.runs(f"echo {number}")
    assert chat.begins() == "."


def claimed(raw: dict[str, object], habits: Habits = NO_HABITS) -> Claim:
    told = ToolTold("c", kind=Kind.EXECUTE, raw_input=raw)  # type: ignore[arg-type]
    return claim_of(Picture("c").with_told(told), habits)


@pytest.mark.parametrize(
    ("raw", "habits", "understood", "only_lacks_folder"),
    [
        ({"command": "make"}, NO_HABITS, True, False),
        ({"command": "make"}, CLAUDE, True, False),
        ({"command": "make"}, Habits(in_one_shell=True), False, False),
        ({"command": "make", "cwd": "/work/sub"}, Habits(in_one_shell=True), True, False),
        ({"command": "make"}, Habits(tells_folder_late=True), False, True),
        ({"command": "make", "cwd": "/work/sub"}, Habits(tells_folder_late=True), True, False),
    ],
)
def test_a_command_is_understood_where_its_folder_is(
    raw: dict[str, object], habits: Habits, understood: bool, only_lacks_folder: bool
) -> None:
    found = claimed(raw, habits)

    assert (found.command, found.inspectable) == ("make", understood)
    assert (found.lacks_folder, found.only_lacks_folder) == (not understood, only_lacks_folder)


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
    assert claimed({"command": command}, Habits(tells_folder_late=True)).inspectable is says
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

"""A command on its card: its first line as a title, what each part does, and nothing that acts left out."""

import sys
from pathlib import Path

import pytest

from assent.model.approval import RiskLevel
from assent.model.preview import CommandPreview
from assent.tools.command_facts import look_at
from assent.tools.command_preview import MOST_ACTING_PARTS, MOST_PARTS, headline_of, preview_of, risk_of
from tests.support.bash_tool import bash_tool


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


def shown(text: str, root: Path, folders: frozenset[str] = frozenset()) -> CommandPreview:
    return preview_of(look_at(text, str(root), (str(root),)), folders)


def notes(text: str, root: Path) -> tuple[str, ...]:
    (part,) = shown(text, root).parts
    return part.notes


class TestHeadline:
    @pytest.mark.parametrize(
        ("text", "headline"),
        [
            ("cat /etc/passwd", "Run cat /etc/passwd"),
            ("grep 'a\\b'  x", "Run grep 'a\\b'  x"),
            ("ls \u202etxt", "Run ls \u202etxt"),
            ("ls\rrm x", "Run ls\rrm x"),
            ("\n\n  ls\n", "Run ls"),
            ("ls \npwd\nid", "Run ls (first of 3 lines)"),
            ("x" * 80, "Run " + "x" * 80),
            ("x" * 81, "Run " + "x" * 80 + "…"),
            ("x" * 81 + "\nls", "Run " + "x" * 80 + "… (first of 2 lines)"),
        ],
    )
    def test_is_the_first_line_as_it_stands(self, text: str, headline: str) -> None:
        assert headline_of(text) == headline


class TestWhichParts:
    HARMLESS = "; ".join(f"echo {number}" for number in range(12))

    def test_what_acts_is_shown_wherever_it_stands(self, root: Path) -> None:
        card = shown(f"{self.HARMLESS}; rm -rf build; git push -f", root)

        assert [part.written for part in card.parts] == ["rm -rf build", "git push -f"]
        assert (card.more_parts, card.more_only_read) == (12, True)

    def test_where_none_acts_the_first_ones_are_shown(self, root: Path) -> None:
        card = shown(f"{self.HARMLESS}; ls; pwd", root)
        assert (len(card.parts), card.more_parts, card.more_only_read) == (MOST_PARTS, 2, True)

    def test_their_order_stays(self, root: Path) -> None:
        card = shown(f"touch a; {self.HARMLESS}; unheard-of; touch b", root)

        assert [part.written for part in card.parts] == ["touch a", "unheard-of", "touch b"]

    def test_what_only_reads_outside_is_not_left_out_for_what_reads_here(self, root: Path) -> None:
        assert "cat /etc/passwd" in [part.written for part in shown(f"{self.HARMLESS}; cat /etc/passwd", root).parts]

    def test_many_that_act_are_all_shown(self, root: Path) -> None:
        card = shown("; ".join(f"touch {number}" for number in range(30)) + "; ls", root)

        assert (len(card.parts), card.more_parts, card.more_only_read) == (30, 1, True)

    def test_more_than_can_be_shown_is_a_high_risk(self, root: Path) -> None:
        text = "; ".join(f"touch {number}" for number in range(MOST_ACTING_PARTS + 5)) + "; unheard-of"
        command = look_at(text, str(root), (str(root),))
        card = preview_of(command)
        risk = risk_of(command, card)

        assert card.parts[-1].written == "unheard-of"
        assert (len(card.parts), card.more_parts, card.more_only_read) == (MOST_ACTING_PARTS, 6, False)
        assert risk is not None
        assert risk.level is RiskLevel.HIGH
        assert "6 are not described" in risk.notes[0]

    def test_all_of_a_short_one_are_shown(self, root: Path) -> None:
        card = shown(self.HARMLESS, root)
        assert (len(card.parts), card.more_parts, card.more_only_read) == (12, 0, False)


class TestNotes:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("cat > notes.md", ("Writes notes.md.",)),
            ("> notes.md", ("Writes notes.md.",)),
            ("mkdir a b c d", ("Writes a, b, c and d.",)),
            ("mkdir a b c d e", ("Writes a, b, c and 2 more.",)),
            ("rm -rf build", ("Deletes build.",)),
            ("mv a b", ("Writes a and b.",)),
            ("sort -o out in", ("Writes out.",)),
            ("rm ./*.nothing", ("Deletes *.nothing.",)),
            ("find . -delete", ("It deletes what it finds.", "Deletes the workspace folder.")),
            ("cat a < b > /dev/null", ()),
            ("cd /tmp", ("Goes to /tmp, outside the workspace.",)),
            ("git -C /tmp push", ("Works in /tmp, outside the workspace.", "Reads /tmp, outside the workspace.")),
            ("bash /tmp/none.sh", ("Runs /tmp/none.sh, outside the workspace.",)),
            ("cp a /none.md", ("Changes /none.md, outside the workspace.",)),
            (
                'rm "$DIR"/x',
                (
                    'Which file it deletes with "$DIR"/x is only known when it runs.',
                    'It is given "$DIR"/x, which could be an option.',
                ),
            ),
        ],
    )
    def test_of_one_part(self, text: str, said: tuple[str, ...], root: Path) -> None:
        assert set(notes(text, root)) == set(said)
        assert len(notes(text, root)) == len(said)

    def test_where_a_link_leads_is_what_is_written(self, root: Path) -> None:
        (root / "link").symlink_to("/etc/elsewhere")
        assert notes("cat > link", root) == ("Changes /etc/elsewhere, outside the workspace.",)

    async def test_a_copy_into_a_folder_names_the_file_in_it(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "there").mkdir()
        card = (await bash_tool(str(root)).prepare({"command": "cp a ../there"})).preview

        assert isinstance(card, CommandPreview)
        assert card.parts[0].notes == (f"Changes {tmp_path}/there/a, outside the workspace.",)

    def test_two_words_are_two_files_though_one_lies_in_the_other(self, root: Path) -> None:
        assert notes("tee sub sub/key", root) == ("Writes sub and sub/key.",)

    def test_a_link_in_the_folder_is_told_beside_it(self, root: Path) -> None:
        (root / "sub").mkdir()
        (root / "sub" / "a").symlink_to("/etc/elsewhere")
        assert "Changes /etc/elsewhere, outside the workspace." in notes("cp a sub", root)

    def test_many_are_counted(self, root: Path) -> None:
        (said,) = notes("cat " + " ".join(f"/none/{number}" for number in range(20)), root)
        assert said == "Reads /none/0, /none/1, /none/2, /none/3, /none/4, /none/5 and 14 more, outside the workspace."

    def test_what_is_changed_outside_comes_before_what_is_read(self, root: Path) -> None:
        said = notes("cp " + " ".join(f"/none/{number}" for number in range(20)) + " /kept", root)
        assert said[0] == "Changes /kept, outside the workspace."

    def test_many_notes_are_counted(self, root: Path) -> None:
        said = notes("rm " + " ".join(f'"$X"/{number}' for number in range(20)), root)
        assert len(said) == 7
        assert said[-1].startswith("And ")

    @pytest.mark.parametrize(
        ("text", "does"),
        [
            ("> x", "redirects"),
            ("unheard-of", "runs a program that is not known here"),
            ("$X", "runs what is only known when it runs"),
        ],
    )
    def test_what_has_no_description(self, text: str, does: str, root: Path) -> None:
        assert [part.does for part in shown(text, root).parts] == [does]

    @pytest.mark.parametrize("program", ["python", "pytest"])
    def test_the_projects_own_python_is_no_stranger(self, root: Path, program: str) -> None:
        programs = root / ".venv" / "bin"
        programs.mkdir(parents=True)
        (root / ".venv" / "pyvenv.cfg").touch()
        (programs / "python").symlink_to(Path(sys.executable).resolve())
        (programs / "pytest").touch()
        (part,) = shown(f".venv/bin/{program} -q", root).parts
        assert part.does == f"runs {program} of the workspace's Python environment, .venv"
        assert part.notes == ()

    def test_what_only_looks_like_it_is_one(self, root: Path, tmp_path: Path) -> None:
        programs = root / ".venv" / "bin"
        programs.mkdir(parents=True)
        (root / ".venv" / "pyvenv.cfg").touch()
        (tmp_path / "other").touch()
        (programs / "python").symlink_to(tmp_path / "other")
        (part,) = shown(".venv/bin/python -q", root).parts
        assert part.does == "runs a program that is not known here"
        assert part.notes == (f"Runs {tmp_path}/other, outside the workspace.",)


class TestSaidOnce:
    def test_why_it_could_not_be_read(self, root: Path) -> None:
        command = look_at("echo $((1", str(root), (str(root),))

        assert preview_of(command).unreadable == command.unreadable
        assert risk_of(command, preview_of(command)) is None

    def test_control_characters(self, root: Path) -> None:
        command = look_at("ls \x1b[8m", str(root), (str(root),))
        risk = risk_of(command, preview_of(command))

        assert preview_of(command).unreadable == command.unreadable
        assert risk is not None
        assert risk.level is RiskLevel.HIGH
        assert command.unreadable not in risk.notes

    def test_what_cannot_be_foreseen(self, root: Path) -> None:
        command = look_at("$X; rm $Y", str(root), (str(root),))
        assert risk_of(command, preview_of(command)) is None


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({}, None),
        ({"timeout": 120}, None),
        ({"timeout": 3600}, "It may run for up to 1 hour."),
        ({"timeout": 600}, "It may run for up to 10 minutes."),
        ({"timeout": 1}, "It may run for up to 1 second."),
        ({"timeout": 90}, "It may run for up to 90 seconds."),
    ],
)
async def test_an_unusual_limit_of_time_is_said(root: Path, more: dict[str, int], note: str | None) -> None:
    card = (await bash_tool(str(root)).prepare({"command": "ls", **more})).preview

    assert isinstance(card, CommandPreview)
    assert card.note == note

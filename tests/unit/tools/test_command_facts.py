"""A git command is judged by the configuration of the repository that it will work with, wherever it is sent."""

import subprocess
from pathlib import Path

import pytest

from assent.model.commands import Command
from assent.model.modes import Category
from assent.tools.command_facts import category_of, look_at


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A harmless repository with one in `evil` that starts something, and one in `named` with aliases."""
    made = tmp_path / "root"
    for name in (".", "evil", "named"):
        (made / name).mkdir(exist_ok=True, parents=True)
        subprocess.run(["git", "init", "-q"], cwd=made / name, check=True)
    configure(made / "evil", "core.fsmonitor", "touch started;")
    configure(made / "named", "alias.st", "status")
    configure(made / "named", "alias.there", "-C ../evil status")
    configure(made / "named", "alias.out", "!unheard-of")
    configure(made / "named", "alias.loop", "loop")
    return made


def configure(folder: Path, name: str, value: str) -> None:
    subprocess.run(["git", "config", name, value], cwd=folder, check=True)


def looked(root: Path, text: str, folder: str = ".") -> Command:
    return look_at(text, str((root / folder).resolve()), (str(root),))


def dangers(command: Command) -> str:
    return " ".join(danger.text for part in command.all() for danger in part.dangers)


@pytest.mark.parametrize(
    "text", ["git status", "git log --oneline | head", "git -C named status", "cd named && git st"]
)
def test_a_harmless_repository_is_no_danger(root: Path, text: str) -> None:
    command = looked(root, text)

    assert dangers(command) == ""
    assert category_of(command) is Category.READ


@pytest.mark.parametrize(
    "text",
    [
        "git -C evil status",
        "git -C named -C ../evil status",
        "cd evil && git status",
        "(cd evil; git diff)",
        "git status; cd evil; git status",
        "bash -c 'cd evil && git log'",
        "cd named && git there",
    ],
)
def test_one_that_starts_something_is(root: Path, text: str) -> None:
    command = looked(root, text)

    assert "core.fsmonitor" in dangers(command)
    assert category_of(command) is Category.EXECUTE


def test_what_an_alias_starts_is_a_part(root: Path) -> None:
    command = looked(root, "git out x", "named")

    assert any(part.steps[:1] == ("unheard-of",) for part in command.all())
    assert category_of(command) is Category.EXECUTE


def test_an_alias_of_itself_ends(root: Path) -> None:
    assert category_of(looked(root, "git loop", "named")) is not Category.READ


def test_where_the_folder_is_not_known_the_worst_is_assumed(root: Path) -> None:
    assert "nothing is known" in dangers(looked(root, 'cd "$SOMEWHERE"; git status'))


def test_of_too_many_folders_the_worst_is_assumed(root: Path) -> None:
    for number in range(60):
        (root / f"f{number:02}").mkdir()
    command = looked(root, "; ".join(f"git -C f{number:02} status" for number in range(60)))

    assert "nothing is known" in dangers(command)

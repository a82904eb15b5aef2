"""A permission for a program of the workspace is for what that file is now: another one in its place has none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.commands import Command
from assent.policy.rules.commands.pattern import parse_command, without_identities
from assent.policy.rules.commands.permit import permits
from assent.policy.rules.commands.propose import first_words, unsettled
from assent.tools.command_facts import look_at
from assent.tools.program_identity import LARGEST

Look = Callable[[str], Command]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    for name in ("gradlew", "build.sh", "tools/deploy", "manage.py", ".venv/bin/activate", ".venv/bin/pytest"):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n# {name}\n")
    (root / ".venv" / "bin" / "python").symlink_to("/bin/sh")
    return root


@pytest.fixture
def look(root: Path) -> Look:
    return lambda text: look_at(text, str(root), (str(root),))


def offered(command: Command) -> list[str | None]:
    return [first_words(part) for part in unsettled(command)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("./gradlew build --info", "./gradlew@ build"),
        ("./gradlew :app:test", "./gradlew@ :app:test"),
        ("./gradlew", None),
        ("./gradlew --info", None),
        ("./build.sh", "./build.sh@"),
        ("./build.sh out.txt", "./build.sh@"),
        ("tools/deploy staging now", "tools/deploy@ staging"),
        ("bash build.sh out.txt", "bash build.sh@"),
        ("bash -x build.sh", None),
        ("bash gone.sh", None),
        ("./gone.sh", None),
        ("python manage.py migrate app", "python manage.py@ migrate"),
        (".venv/bin/python -m pytest -q", ".venv/bin/python@ -m pytest"),
        (".venv/bin/python -m pip install x", ".venv/bin/python@ -m pip install"),
        (".venv/bin/python -m pip", None),
        (".venv/bin/python -m pdb x.py", None),
        (".venv/bin/python -m $X", None),
        (".venv/bin/python -c x", None),
        (".venv/bin/python x.py", None),
        (".venv/bin/pytest -q", ".venv/bin/pytest@"),
        ("source .venv/bin/activate", "source .venv/bin/activate@"),
        ("timeout 5 ./build.sh", "./build.sh@"),
        ("/usr/bin/frob go", "frob go"),
    ],
)
def test_what_is_offered_names_the_program_and_what_it_is(look: Look, text: str, expected: str | None) -> None:
    (words,) = offered(look(text))

    if expected is None or "@" not in expected:
        assert words == expected
        return
    before, after = expected.split("@")
    assert words is not None
    assert words.startswith(f"{before}@")
    assert words.endswith(after)
    assert without_identities(words) == before + after
    assert without_identities(f"{words}:*") == f"{before}{after}:*"


@pytest.mark.parametrize(
    "text", ["./gradlew build", "bash build.sh", "tools/deploy staging", ".venv/bin/python -m pytest"]
)
def test_it_holds_as_long_as_the_file_is_the_same(root: Path, look: Look, text: str) -> None:
    (words,) = offered(look(text))
    pattern = parse_command(f"{words}:*", generous=False)

    def speaks(text: str) -> bool:
        return any(permits(pattern, part, "") is not None for part in look(text).parts)

    assert speaks(text)
    assert speaks(f"{text} --more")
    for file in (root / "gradlew", root / "build.sh", root / "tools" / "deploy"):
        file.write_text("#!/bin/sh\necho another\n")
    python = root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/bin/cat")
    assert not speaks(text)


def test_a_link_to_another_file_of_the_workspace_is_another_program(root: Path, look: Look) -> None:
    (words,) = offered(look("./build.sh"))
    pattern = parse_command(f"{words}:*", generous=False)
    (root / "build.sh").unlink()
    (root / "build.sh").symlink_to("gradlew")

    assert all(permits(pattern, part, "") is None for part in look("./build.sh").parts)


def test_a_file_that_is_too_large_to_be_read_for_every_command_is_offered_by_no_beginning(
    root: Path, look: Look
) -> None:
    (root / "build.sh").write_bytes(b"#" * (LARGEST + 1))

    assert offered(look("./build.sh")) == [None]
    assert offered(look("tools/deploy staging")) != [None]


def test_the_digest_is_no_part_of_the_name(look: Look) -> None:
    (words,) = offered(look("./build.sh"))
    pattern = parse_command(str(words), generous=False)

    assert not pattern.means_text(str(words))
    assert not pattern.spells_all
    assert all(permits(pattern, part, "") is None for part in look(str(words)).parts)

"""A permission for a program of the workspace is for what that file is now: another one in its place has none."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from assent.model.calls import CallFacts
from assent.model.commands import Command
from assent.model.modes import Category, Mode
from assent.model.verdict import Decision, Outcome
from assent.policy.decide import decide
from assent.policy.rules.book import RuleBook
from assent.policy.rules.commands.pattern import parse_command, without_identities
from assent.policy.rules.commands.permit import permits
from assent.policy.rules.commands.propose import first_words, unsettled
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.suggest import suggest_command
from assent.policy.rules_in_force import Rules
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_places import paths_of
from assent.tools.program_identity import LARGEST
from assent.tools.python_environment import python_environment

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


def test_a_large_one_is_another_when_a_byte_of_it_is_another_though_its_times_are_set_back(
    root: Path, look: Look
) -> None:
    file = root / "build.sh"
    os.truncate(file, 3_000_000)
    os.utime(file, (1, 1))
    before = [offered(look("./build.sh")) for _ in range(2)]
    with file.open("r+b") as opened:
        opened.seek(2_000_000)
        opened.write(b"x")
    os.utime(file, (1, 1))

    assert before[0] == before[1] != offered(look("./build.sh"))


def test_a_link_to_another_file_of_the_workspace_is_another_program(root: Path, look: Look) -> None:
    (words,) = offered(look("./build.sh"))
    pattern = parse_command(f"{words}:*", generous=False)
    (root / "build.sh").unlink()
    (root / "build.sh").symlink_to("gradlew")

    assert all(permits(pattern, part, "") is None for part in look("./build.sh").parts)


def test_a_file_that_is_too_large_to_be_read_for_every_command_is_offered_by_no_beginning(
    root: Path, look: Look
) -> None:
    os.truncate(root / "build.sh", LARGEST + 1)

    assert offered(look("./build.sh")) == [None]
    assert offered(look("tools/deploy staging")) != [None]


def test_the_digest_is_no_part_of_the_name(look: Look) -> None:
    (words,) = offered(look("./build.sh"))
    pattern = parse_command(str(words), generous=False)

    assert not pattern.means_text(str(words))
    assert not pattern.spells_all
    assert all(permits(pattern, part, "") is None for part in look(str(words)).parts)


@pytest.fixture
def by_name(root: Path) -> Look:
    """Looks at a command for which the workspace's environment stands before the system's programs."""
    programs = root / ".venv" / "bin"
    (root / ".venv" / "pyvenv.cfg").touch()
    for name in ("ruff", "pytest"):
        (programs / name).write_text(f"#!/bin/sh\n# {name}\n")
        (programs / name).chmod(0o755)

    def looked(text: str) -> Command:
        python = python_environment(str(root), (str(root),), {"PATH": "/usr/bin:/bin"})
        return look_at(text, str(root), (str(root),), python=python)

    return looked


def outcome(command: Command, root: Path, pattern: str, scope: str, wall: str | None = None) -> Decision:
    facts = CallFacts("bash", True, category_of(command) or Category.EXECUTE, paths_of(command), command=command)
    rules = (Rule(Effect.ALLOW, "bash", pattern, scope),) if pattern else ()
    return decide(replace(facts, wall=wall), Rules(Mode.DEFAULT, book=RuleBook(rules, (str(root),), "/home/me")))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("ruff format .", "ruff format:*"),
        ("ruff format .", "ruff format ."),
        ("timeout 5 ruff format .", "ruff format:*"),
        ("timeout 5 ruff format .", "timeout 5 ruff:*"),
        ("cd . && ruff format .", "ruff format:*"),
        ("pytest -q", "pytest:*"),
        ("python -m pytest -q", "python -m pytest:*"),
    ],
)
def test_a_rule_for_all_workspaces_means_no_program_that_one_of_them_brings(
    root: Path, by_name: Look, look: Look, text: str, pattern: str
) -> None:
    assert outcome(look(text), root, pattern, "user").outcome is Outcome.RUN
    assert outcome(by_name(text), root, pattern, "workspace").outcome is Outcome.RUN

    asked = outcome(by_name(text), root, pattern, "user")

    assert asked.outcome is Outcome.ASK
    if ":*" in pattern and not text.startswith("timeout"):
        assert f"Your rule “{pattern}” does not count here" in asked.text


@pytest.mark.parametrize("text", ["ruff format .", "pytest", "python -m pytest -q"])
def test_what_is_offered_for_it_is_for_the_file_and_counts_wherever_it_is_stored(
    root: Path, by_name: Look, text: str
) -> None:
    command = by_name(text)
    offers = suggest_command(command, command.parts)

    assert offers
    for offer in offers:
        assert outcome(command, root, offer.pattern, "user").outcome is Outcome.RUN
    python = root / ".venv" / "bin" / "python"
    for file in (root / ".venv" / "bin" / "ruff", root / ".venv" / "bin" / "pytest"):
        file.write_text("#!/bin/sh\necho another\n")
    python.unlink()
    python.symlink_to("/bin/cat")
    for offer in offers:
        assert outcome(by_name(text), root, offer.pattern, "user").outcome is Outcome.ASK


def test_what_would_only_read_is_not_believed_of_a_program_of_the_workspace(
    root: Path, by_name: Look, look: Look
) -> None:
    text = "ruff --version"

    assert outcome(look(text), root, "", "user").outcome is Outcome.RUN
    assert outcome(by_name(text), root, "", "user").outcome is Outcome.ASK
    assert outcome(by_name(text), root, "", "user", wall="bubblewrap").held

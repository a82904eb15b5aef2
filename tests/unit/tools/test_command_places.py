"""Every path that a command names is known by its real name, its parts and theirs alike, and none is opened."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from assent.model.commands import Command, Part, Touch
from assent.model.paths import Access, PathUse
from assent.policy.rules.naming import is_raised
from assent.tools.command_places import MOST_PATHS, TOO_MANY, paths_of, resolved
from assent.tools.globbing import MOST_MATCHES
from assent.tools.links import Below
from assent.tools.places import OneLook


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


def touching(root: Path, *touches: Touch, inner: tuple[Part, ...] = ()) -> Command:
    return Command("x", (Part((), "x", touches=touches, directory=str(root), inner=inner),))


def uses(root: Path, *touches: Touch) -> tuple[PathUse, ...]:
    return paths_of(resolved(touching(root, *touches), OneLook((str(root),))))


def one(root: Path, name: str, access: Access = Access.READ, *, whole: bool = False) -> PathUse:
    (use,) = uses(root, Touch(str(root / name), access, whole=whole))
    return use


def reading(root: Path, text: str) -> Command:
    return resolved(read_command(text, Surroundings(str(root))), OneLook((str(root),)))


def test_a_link_is_where_it_leads(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (root / "link").symlink_to(tmp_path / "secret")

    use = one(root, "link/a.txt", Access.WRITE)

    assert (use.real, use.inside) == (str(tmp_path / "secret/a.txt"), False)
    assert use.named == str(root / "link/a.txt")


def test_a_way_around_is_straightened_after_links_are_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other/deep").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "other/deep")

    assert one(root, "sub/../a.txt").real == str(root / "a.txt")
    assert one(root, "link/../a.txt").real == str(tmp_path / "other/a.txt")


def test_inside_and_outside(root: Path) -> None:
    assert one(root, "a.txt").inside
    assert not one(root, "../a.txt").inside
    assert not uses(root, Touch("/etc/passwd", Access.READ))[0].inside


def test_another_name_of_something_protected_is_told(root: Path) -> None:
    (root / ".git").mkdir()
    (root / "scripts").mkdir()
    (root / ".git/hooks").symlink_to(root / "scripts")

    assert one(root, "scripts/pre-commit", Access.WRITE).aliases == (str(root / ".git/hooks/pre-commit"),)


@pytest.mark.parametrize("access", [Access.WRITE, Access.DELETE])
def test_a_change_takes_a_folder_only_where_all_of_it_goes(root: Path, access: Access) -> None:
    (root / "folder").mkdir()
    (root / "file").touch()

    assert one(root, "folder", access, whole=True).is_directory
    assert not one(root, "folder", access).is_directory
    assert not one(root, "file", access, whole=True).is_directory
    assert one(root, "missing", access, whole=True).is_directory
    assert one(root, "folder").is_directory


def test_a_pattern_is_all_that_it_matches(root: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", ".c.txt", "d.md"):
        (root / name).touch()
    (root / "e.txt").symlink_to(tmp_path / "outside.txt")

    found = uses(root, Touch(str(root / "*.txt"), Access.DELETE, glob=True, written="*.txt"))

    assert [use.real for use in found] == [str(root / "a.txt"), str(root / "b.txt"), str(tmp_path / "outside.txt")]


def test_a_pattern_of_too_much_is_the_folder_and_told(root: Path) -> None:
    (root / "many").mkdir()
    for number in range(MOST_MATCHES + 1):
        (root / "many" / f"f{number}").touch()
    command = resolved(
        touching(root, Touch(str(root / "many/*"), Access.WRITE, glob=True, written="many/*")), OneLook((str(root),))
    )

    (use,) = paths_of(command)
    assert (use.real, use.is_directory) == (str(root / "many"), True)
    assert "many/*" in command.parts[0].dangers[0].text


def test_a_folder_that_looks_like_a_pattern_is_none(root: Path) -> None:
    odd = root / "[ab]"
    odd.mkdir()
    (odd / "in.txt").touch()
    (root / "a").mkdir()
    (root / "a/in.txt").touch()

    command = resolved(read_command("cat *.txt", Surroundings(str(odd))), OneLook((str(root),)))

    assert str(odd / "in.txt") in [use.real for use in paths_of(command)]
    assert str(root / "a/in.txt") not in [use.real for use in paths_of(command)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("for d in .g*; do touch $d/hooks/pre-commit; done", ".git/hooks/pre-commit"),
        ('for d in .g*; do echo x > "$d/hooks/new"; done', ".git/hooks/new"),
        ("for f in .en*; do touch ${f}rc; done", ".envrc"),
        ("for d in */; do echo x > $d/.env; done", "src/.env"),
        ("for d in s*; do mkdir $d/new; done", "src/new"),
        ("cp a.txt s*/", "src/a.txt"),
    ],
)
def test_what_a_loop_makes_in_each_folder_is_seen(root: Path, line: str, name: str) -> None:
    for folder in (".git/hooks", "src"):
        (root / folder).mkdir(parents=True)
    for file in ("a.txt", ".env"):
        (root / file).touch()
    command = resolved(read_command(line, Surroundings(str(root))), OneLook((str(root),)))

    assert str(root / name) in [use.real for use in paths_of(command) if use.access is Access.WRITE]


def test_a_pattern_as_it_stands_makes_nothing_new(root: Path) -> None:
    for file in ("a.py", "b.py"):
        (root / file).touch()
    command = resolved(read_command("sed -i s/a/b/ *.py", Surroundings(str(root))), OneLook((str(root),)))

    found = {use.real for use in paths_of(command) if use.access is Access.WRITE}
    assert found == {str(root / "a.py"), str(root / "b.py")}


def test_parts_within_parts_have_their_paths(root: Path) -> None:
    innermost = Part((), "z", touches=(Touch("/etc/shadow", Access.READ),), directory=str(root))
    inner = Part((), "y", inner=(innermost,))

    command = resolved(touching(root, inner=(inner,)), OneLook((str(root),)))

    assert [use.real for use in command.parts[0].inner[0].inner[0].paths] == ["/etc/shadow"]
    assert [use.real for use in paths_of(command)] == ["/etc/shadow"]


def test_each_path_is_named_once(root: Path) -> None:
    command = reading(root, "cat a a; cat ./a sub/../a")

    assert [use.real for use in paths_of(command)] == [str(root / "a")]


def test_more_paths_than_are_followed_are_one_danger(root: Path) -> None:
    touches = [Touch(str(root / f"f{number}"), Access.READ) for number in range(MOST_PATHS + 20)]
    command = resolved(touching(root, *touches), OneLook((str(root),)))

    assert len(paths_of(command)) == MOST_PATHS
    assert [danger.text for danger in command.parts[0].dangers] == [TOO_MANY]


@pytest.mark.parametrize(
    "name", ["/proc/self/cwd/a", "/proc/thread-self/root/etc/x", "/dev/fd/../cwd/a", "//proc/./self/cwd/a"]
)
def test_what_leads_elsewhere_for_every_process_is_told(root: Path, name: str) -> None:
    command = resolved(touching(root, Touch(name, Access.WRITE)), OneLook((str(root),)))

    assert "every process" in " ".join(danger.text for danger in command.parts[0].dangers)


def test_nothing_is_opened(root: Path) -> None:
    """A pipe would wait for ever for somebody at its other end."""
    os.mkfifo(root / "pipe")

    assert one(root, "pipe").real == str(root / "pipe")
    assert uses(root, Touch(str(root / "p*"), Access.READ, glob=True))[0].real == str(root / "pipe")


def test_nothing_else_of_a_part_changes(root: Path) -> None:
    command = read_command("cat a && rm -r b", Surroundings(str(root)))

    found = resolved(command, OneLook((str(root),)))

    bare = tuple(replace(part, paths=()) for part in found.parts)
    assert bare == command.parts


@pytest.mark.parametrize(
    "text",
    [
        "grep -R x .",
        "grep --dereference-rec x .",
        "find -L . -type f",
        "find . -follow",
        "ls -RL",
        "du -L",
        "diff -r . b",
    ],
)
def test_who_follows_links_reaches_what_they_lead_to(root: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "outside").mkdir()
    (root / "deep/er").mkdir(parents=True)
    (root / "deep/er/link").symlink_to(tmp_path / "outside")

    found = {use.real for use in paths_of(reading(root, text)) if not use.inside}

    assert found == {str(tmp_path / "outside")}


@pytest.mark.parametrize("text", ["grep -r x .", "find . -type f", "ls -R", "du", "rg x"])
def test_who_does_not_follow_links_stays_inside(root: Path, tmp_path: Path, text: str) -> None:
    (root / "link").symlink_to(tmp_path)

    assert all(use.inside for use in paths_of(reading(root, text)))


def test_too_many_entries_to_follow_are_told(root: Path) -> None:
    for number in range(5):
        (root / str(number)).touch()
    below = Below((str(root),), _left=3)

    assert below.links(str(root)) == ()
    assert not below.whole


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("find . -type f | xargs cat", {".env", "link.txt"}),
        ("find . -name '*env*' | xargs grep KEY", {".env"}),
        ("find . -iname '*.ENV' -exec cat {} +", {".env", "*.ENV"}),
        ("find . -name '*.txt' -exec cat {} \\;", {"link.txt"}),
        ("find . -name '*.py' | xargs wc -l", set()),
        ("for f in $(find . -name '*.txt'); do cat \"$f\"; done", {"link.txt"}),
        ("find . -name '*.py' -o -name '*.md' | xargs cat", set()),
        ("find . \\( -name '*.py' -o -name '*.txt' \\) -print | xargs cat", {"link.txt"}),
        ("find . -type f -o -name '*.md' | xargs cat", {".env", "link.txt"}),
        ("find . -name '*.py' -o -type f | xargs cat", {".env", "link.txt"}),
        ("find . ! -name '*.py' | xargs cat", {".env", "link.txt"}),
        ("find . -name '*.py' -not -path './x/*' | xargs cat", set()),
        ("git ls-files '*.py' | xargs cat", set()),
        ("git ls-files | xargs cat", {".env", "link.txt"}),
        ("grep -l x *.py | xargs cat", set()),
        ("grep -rl x . | xargs cat", {".env", "link.txt"}),
        ("find . -name '*.txt'", set()),
        ("grep -r x .", set()),
    ],
)
def test_files_that_are_named_one_by_one_are_meant(root: Path, tmp_path: Path, text: str, raised: set[str]) -> None:
    for name in (".env", "a.py", "b.md", "c.txt"):
        (root / name).touch()
    (tmp_path / "outside.txt").touch()
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")

    found = {use for use in paths_of(reading(root, text)) if is_raised(use)}

    assert {Path(use.named).name for use in found} == raised


def test_what_find_prints_in_its_own_words_is_not_known(root: Path) -> None:
    parts = list(reading(root, "find . -printf '/etc/passwd' | xargs cat").all())
    assert any(part.dangers for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "cp -a from to && echo x > to/link/pre-commit",
        "cp -r from to; cat to/link/secret",
        "mv from to && cat to/link/secret",
        "tar xf a.tar -C to && cat to/x",
        "unzip a.zip -d to && cat to/x",
        "ln -s ../.. to; cat to/secret",
        "mv link to; cat to",
    ],
)
def test_where_a_command_has_brought_links_itself_nothing_is_relied_on(root: Path, tmp_path: Path, text: str) -> None:
    (root / "from").mkdir()
    (root / "from/link").symlink_to(tmp_path)
    (root / "link").symlink_to(tmp_path)

    last = list(reading(root, text).all())[-1]

    assert any("a link by then" in danger.text for danger in last.dangers)


@pytest.mark.parametrize(
    "text", ["cp a.txt to && cat to", "mv a.txt to && cat to", "mkdir to && cp a.txt to/ && cat to/a.txt", "cat a.txt"]
)
def test_plain_files_and_new_folders_bring_no_links(root: Path, text: str) -> None:
    (root / "a.txt").touch()

    assert not any(part.dangers for part in reading(root, text).all())


@pytest.mark.parametrize("text", ["cp -r g/. .", "cp -rT g .", "cp -r g/.vscode .", "cp -a g/. ./", "rsync -a g/ ."])
def test_protected_files_that_come_with_a_folder_are_seen(root: Path, text: str) -> None:
    (root / "g/.vscode").mkdir(parents=True)
    (root / "g/.vscode/tasks.json").touch()

    changed = {use.real for use in paths_of(reading(root, text)) if use.access is Access.WRITE}

    assert str(root / ".vscode/tasks.json") in changed


def test_an_ordinary_folder_brings_nothing_protected(root: Path) -> None:
    (root / "src/a").mkdir(parents=True)
    (root / "src/a/b.txt").touch()

    changed = {use.real for use in paths_of(reading(root, "cp -r src build")) if use.access is Access.WRITE}

    assert changed <= {str(root / "build"), str(root / "build/src")}


@pytest.mark.parametrize("text", ["find src -type f | xargs cat", "cat $(find src -type f)"])
def test_a_name_that_splits_into_another_place_is_a_danger(root: Path, text: str) -> None:
    (root / "src/x /etc").mkdir(parents=True)
    assert not any(part.dangers for part in reading(root, text).all())
    (root / "src/x /etc/passwd").touch()
    assert any(part.dangers for part in reading(root, text).all())


def test_links_are_followed_through_folders_inside(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "src").mkdir()
    (root / "src/up").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")

    assert not all(use.inside for use in paths_of(reading(root, "du -L src")))
    assert all(use.inside for use in paths_of(reading(root, "du src")))

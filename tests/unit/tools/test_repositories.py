"""The repository that git would find is the one whose configuration counts, however it is laid out."""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from assent.commandline.surroundings import GitFacts
from assent.tools.repositories import MOST_BYTES, git_facts

GIT = shutil.which("git")
pytestmark = pytest.mark.skipif(GIT is None, reason="needs git")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


def git(folder: Path, *words: str) -> str:
    """Runs the real git, without any configuration of the user."""
    assert GIT is not None
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    done = subprocess.run([GIT, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.txt").write_text("x")
    git(folder, "add", "a.txt")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def facts(folder: Path, root: Path) -> GitFacts:
    return replace(git_facts(str(folder), (str(root),)), top="")


def test_the_folder_of_its_files_is_known_where_nothing_moves_them(root: Path) -> None:
    repository(root)
    (root / "sub").mkdir()

    assert git_facts(str(root / "sub"), (str(root),)).top == str(root)
    git(root, "config", "core.worktree", "../elsewhere")
    assert git_facts(str(root / "sub"), (str(root),)).top == ""


def test_nothing_is_known_where_there_is_no_repository(tmp_path: Path, root: Path) -> None:
    assert facts(root, root) == GitFacts()
    assert facts(root / "missing", root) == GitFacts()


def test_a_harmless_repository_adds_nothing(root: Path) -> None:
    repository(root)

    assert facts(root, root) == GitFacts()


def test_what_its_configuration_starts_is_named_from_every_folder_in_it(root: Path) -> None:
    repository(root)
    git(root, "config", "core.fsmonitor", "./evil")
    (root / "sub/deep").mkdir(parents=True)

    for folder in (root, root / "sub/deep", root / "sub/missing", root / "sub/../sub"):
        assert facts(folder, root).running == ("core.fsmonitor",)


def test_its_aliases_are_known(root: Path) -> None:
    repository(root)
    git(root, "config", "alias.st", "status --short")
    git(root, "config", "alias.x", "!evil")

    assert facts(root, root).aliases == {"st": "status --short", "x": "!evil"}


def test_the_nearest_repository_counts(root: Path) -> None:
    repository(root)
    git(root, "config", "core.fsmonitor", "./evil")
    inner = repository(root / "inner")
    git(inner, "config", "core.sshCommand", "evil")

    assert facts(inner, root).running == ("core.sshcommand",)
    assert git(inner, "rev-parse", "--show-toplevel") == str(inner)


def test_a_link_leads_to_the_repository_that_git_takes(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    git(other, "config", "core.fsmonitor", "./evil")
    (other / "sub").mkdir()
    (root / "link").symlink_to(other / "sub")

    assert facts(root / "link", root).running == ("core.fsmonitor",)


def test_a_worktree_has_the_configuration_of_its_repository_and_its_own(root: Path) -> None:
    main = repository(root / "main")
    git(main, "worktree", "add", "-q", "../tree")
    git(main, "config", "core.fsmonitor", "./evil")
    git(main, "config", "extensions.worktreeConfig", "true")
    git(root / "tree", "config", "--worktree", "core.sshCommand", "evil")

    assert facts(root / "tree", root).running == ("core.fsmonitor", "core.sshcommand")
    assert facts(main, root).running == ("core.fsmonitor",)


def test_a_submodule_has_its_own(root: Path, tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    repository(root)
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(source), "module")
    git(root / "module", "config", "core.fsmonitor", "./evil")

    assert (root / "module/.git").is_file()
    assert facts(root / "module", root).running == ("core.fsmonitor",)
    git(root / "module", "config", "--unset", "core.fsmonitor")
    assert facts(root / "module", root) == facts(root, root) == GitFacts()


def test_a_bare_repository_in_the_workspace_is_told(root: Path) -> None:
    bare = root / "data"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")
    git(bare, "config", "core.fsmonitor", "./evil")

    found = facts(bare, root).running
    assert str(bare) in found[0]
    assert "core.fsmonitor" in found


def test_a_pointer_out_of_the_workspace_is_told(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    (root / ".git").write_text(f"gitdir: {other}/.git\n")

    (found,) = facts(root, root).running
    assert str(root / ".git") in found
    assert str(other / ".git") in found


def test_a_link_out_of_the_workspace_is_told(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    (root / ".git").symlink_to(other / ".git")

    assert str(other / ".git") in facts(root, root).running[0]


def test_objects_out_of_the_workspace_are_told(root: Path, tmp_path: Path) -> None:
    repository(root)
    other, within = repository(tmp_path / "other"), repository(root / "within")
    alternates = root / ".git/objects/info/alternates"
    alternates.write_text(f"# a comment\n{within}/.git/objects\n../../within/.git/objects\n")
    assert facts(root, root).running == ()

    for led in (f"{other}/.git/objects", f'"{other}/.git/objects"', "../../../other/.git/objects"):
        alternates.write_text(f"{led}\n")
        (found,) = facts(root, root).running
        assert found.startswith("objects/info/alternates, which leads to ")

    (within / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")
    alternates.write_text(f"{within}/.git/objects\n")
    assert facts(root, root).running

    alternates.write_text("# long\n" * 300_000 + f"{other}/.git/objects\n")
    assert facts(root, root).running


LINKED = {
    "info/attributes": "check-attr -a machine",
    "info/grafts": "log",
    "shallow": "log",
    "packed-refs": "status",
    "branches/origin": "ls-remote --get-url origin",
    "BISECT_START": "status",
    "rebase-merge/done": "status",
    "worktrees/x/locked": "worktree list --porcelain",
}
"""Files of git's own, each with a command that shows lines of it."""
SHOWN = "machine example.org login password"


@pytest.mark.parametrize("name", LINKED)
def test_a_link_among_its_own_files_is_told(root: Path, tmp_path: Path, name: str) -> None:
    repository(root)
    git(root, "branch", "other")
    git(root, "worktree", "add", "-q", str(root / "x"), "other")
    for other, text in {"BISECT_LOG": "", "rebase-merge/interactive": "", "rebase-merge/onto": ""}.items():
        if other.split("_")[0].split("/")[0] == name.split("_")[0].split("/")[0]:
            (root / ".git" / other).parent.mkdir(exist_ok=True)
            (root / ".git" / other).write_text(text)
    assert facts(root, root).running == ()
    (tmp_path / "outside").write_text(f"{SHOWN}\n")
    link = root / ".git" / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "outside")

    assert "login" in said_by(root, *LINKED[name].split())
    (found,) = facts(root, root).running
    assert found.startswith(str(link))


@pytest.mark.parametrize("name", ["objects", "objects/pack", "refs", "logs"])
def test_so_is_one_in_the_place_of_a_folder(root: Path, tmp_path: Path, name: str) -> None:
    repository(root)
    shutil.move(root / ".git" / name, tmp_path / "moved")
    (root / ".git" / name).symlink_to(tmp_path / "moved")

    assert any(name in found for found in facts(root, root).running)


def test_a_link_from_one_reference_to_another_is_ordinary(root: Path) -> None:
    repository(root)
    (root / ".git/refs/heads/other").symlink_to("main")

    assert facts(root, root) == GitFacts()


NAMED = {"core.attributesFile": "check-attr -a machine", "fsck.skipList": "fsck", "blame.ignoreRevsFile": "blame a.txt"}
"""Entries that name a file, each with a command that shows lines of it."""


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("way", ["outside", "../outside", "link", ".env"])
def test_a_file_elsewhere_that_its_configuration_names_is_told(root: Path, tmp_path: Path, name: str, way: str) -> None:
    repository(root)
    (root / "lines").write_text("# none\n")
    git(root, "config", name, "lines")
    assert facts(root, root) == GitFacts()
    for file in (tmp_path / "outside", root / ".env"):
        file.write_text(f"{SHOWN}\n")
    (root / "link").symlink_to("../outside")
    git(root, "config", name, str(tmp_path / way) if way == "outside" else way)

    assert "login" in said_by(root, *NAMED[name].split())
    (found,) = facts(root, root).running
    assert found.startswith(name.lower())


def test_a_repository_that_is_only_shared_from_elsewhere_is_told(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    repository(root)
    (root / ".git/commondir").write_text(f"{other}/.git\n")
    (found,) = facts(root, root).running
    assert found.startswith(str(root / ".git/commondir"))


def test_so_is_one_within_that_leads_elsewhere(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    repository(root)
    repository(root / "module")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "module")
    shutil.rmtree(root / "module/.git")
    (root / "module/.git").write_text(f"gitdir: {other}/.git\n")

    (found,) = facts(root, root).running
    assert found.startswith(str(root / "module/.git"))


def test_a_worktree_of_a_repository_elsewhere_is_its_own(root: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    git(other, "worktree", "add", "-q", str(root / "here"))
    assert facts(root / "here", root) == GitFacts()

    (root / "there").mkdir()
    shutil.copy(root / "here/.git", root / "there/.git")
    assert facts(root / "there", root).running


def said_by(folder: Path, *words: str) -> str:
    """All that git prints, however it ends."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_repository_above_the_workspace_counts_without_remark(tmp_path: Path) -> None:
    repository(tmp_path)
    git(tmp_path, "config", "core.fsmonitor", "./evil")
    root = tmp_path / "packages"
    root.mkdir()

    assert facts(root, root).running == ("core.fsmonitor",)


def test_a_hook_that_even_looking_starts_is_told(root: Path) -> None:
    """The real git does start it for `git status`, when the index is not up to date."""
    repository(root)
    hook = root / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {root}/started\n")
    hook.chmod(0o755)

    os.utime(root / "a.txt", (1, 1))
    git(root, "status")
    assert (root / "started").exists()
    assert facts(root, root).running == ("hooks/post-index-change",)


def starts(root: Path) -> None:
    """A repository within another one's files, which starts something when git looks at it."""
    inner = repository(root / "module")
    git(inner, "config", "core.fsmonitor", f"touch {root}/started; false")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "module")


def test_a_repository_within_is_looked_at_as_git_does(root: Path) -> None:
    """The real git does start what its configuration names, for the status of the outer one."""
    repository(root)
    starts(root)

    (root / "started").unlink(missing_ok=True)
    git(root, "status")
    assert (root / "started").exists()
    assert facts(root, root).running == ("core.fsmonitor",)


def test_so_is_one_within_that(root: Path) -> None:
    outer = repository(root / "outer")
    middle = repository(outer / "middle")
    starts(middle)
    git(outer, "-c", "advice.addEmbeddedRepo=false", "add", "middle")

    assert facts(outer, root).running == ("core.fsmonitor",)


@pytest.mark.parametrize("how", ["update-index --split-index", "update-index --index-version 4"])
def test_however_the_index_is_kept(root: Path, how: str) -> None:
    repository(root)
    starts(root)
    git(root, *how.split())

    assert len(facts(root, root).running) == 1


def test_with_the_longer_hash_too(root: Path) -> None:
    git(root, "init", "-q", "--object-format=sha256")
    inner = root / "module"
    inner.mkdir()
    git(inner, "init", "-q", "--object-format=sha256")
    git(inner, "commit", "-q", "--allow-empty", "-m", "first")
    git(inner, "config", "core.fsmonitor", "./evil")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "module")

    assert facts(root, root).running == ("core.fsmonitor",)


def test_many_files_are_no_repositories(root: Path) -> None:
    repository(root)
    for number in range(300):
        (root / f"f{number}").write_text(str(number))
    git(root, "add", ".")

    assert facts(root, root) == GitFacts()


def test_files_that_are_elsewhere_are_told(root: Path, tmp_path: Path) -> None:
    repository(root)
    git(root, "config", "core.worktree", "..")
    assert facts(root, root) == GitFacts()

    git(root, "config", "core.worktree", str(tmp_path))
    assert facts(root, root).running == ("core.worktree",)

    git(root, "config", "core.worktree", "..")
    with (root / ".git/config").open("a") as config:
        config.write(f'[CORE] WorkTree = "{tmp_path}"\n')
    assert facts(root, root).running == ("core.worktree",)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to a pipe"])
def test_a_configuration_that_cannot_be_read_is_told_and_never_waited_for(root: Path, kind: str) -> None:
    repository(root)
    config = root / ".git/config"
    config.unlink()
    if kind == "folder":
        config.mkdir()
    else:
        os.mkfifo(config if kind == "pipe" else root / "pipe")
        if kind != "pipe":
            config.symlink_to(root / "pipe")

    assert "cannot be read" in facts(root, root).running[0]


def test_a_configuration_that_is_a_link_is_told(root: Path, tmp_path: Path) -> None:
    repository(root)
    config = root / ".git/config"
    config.rename(tmp_path / "elsewhere")
    config.symlink_to(tmp_path / "elsewhere")

    assert "link" in facts(root, root).running[0]


def test_a_configuration_without_end_is_told(root: Path) -> None:
    repository(root)
    with (root / ".git/config").open("a") as config:
        config.truncate(MOST_BYTES + 1)

    assert any("too long" in entry for entry in facts(root, root).running)


@pytest.mark.parametrize("content", ["", "gitdir:", "gitdir: /nowhere", "nonsense", "gitdir: .git", "\0" * 100])
def test_a_pointer_that_leads_nowhere_is_no_repository(root: Path, content: str) -> None:
    (root / ".git").write_text(content)

    assert facts(root, root) == GitFacts()

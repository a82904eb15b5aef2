"""What a protected name leads to as a link is as protected as the name, whoever made the link."""

from pathlib import Path

import pytest

from assent.model.calls import Access
from assent.policy.protected import protection
from assent.tools.aliases import protected_links
from assent.tools.places import locate


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "scripts" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    return folder.resolve()


def is_protected(root: Path, name: str, access: Access = Access.WRITE) -> bool:
    use = locate(name, (str(root),)).use(access)
    return any(protection(one) for one in use.names)


@pytest.mark.parametrize(
    ("link", "target", "name"),
    [
        (".vscode", "scripts", "scripts/settings.jsonc"),
        (".vscode", "scripts", "scripts/deep/new/file"),
        (".husky", "scripts", "scripts/pre-commit"),
        (".git/hooks", "scripts", "scripts/pre-commit"),
        (".envrc", "scripts/enter.txt", "scripts/enter.txt"),
        (".claude", "scripts/deep", "scripts/deep/hooks.txt"),
    ],
)
def test_what_a_protected_link_leads_to_is_protected(root: Path, link: str, target: str, name: str) -> None:
    assert not is_protected(root, name)
    (root / link).symlink_to(root / target)

    assert is_protected(root, name)
    assert not is_protected(root, "scripts-beside/x")
    assert not is_protected(root, "other.txt")


def test_a_folder_that_holds_the_target_is_protected_as_a_whole(root: Path) -> None:
    (root / ".husky").symlink_to(root / "scripts" / "deep")

    assert is_protected(root, "scripts", Access.DELETE)
    assert not is_protected(root, "scripts/other.txt")


def test_a_link_over_links_counts_too(root: Path) -> None:
    (root / "way").symlink_to(root / "scripts")
    (root / ".husky").symlink_to(root / "way" / "deep")

    assert is_protected(root, "scripts/deep/pre-commit")


def test_the_home_directory_counts_wherever_the_workspace_is(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (home / ".bashrc").symlink_to(root / "scripts" / "bash")
    (home / ".config").mkdir()
    (home / ".config" / "git").symlink_to(root / "scripts" / "deep")

    assert is_protected(root, "scripts/bash")
    assert is_protected(root, "scripts/deep/config")
    assert not is_protected(root, "scripts/zsh")


def test_a_link_that_leads_nowhere_or_in_a_circle_is_no_obstacle(root: Path) -> None:
    (root / ".husky").symlink_to(root / ".husky")
    (root / ".vscode").symlink_to(root / "missing")

    assert not is_protected(root, "scripts/a")
    assert is_protected(root, "missing/tasks")


def test_reading_needs_no_aliases(root: Path) -> None:
    (root / ".vscode").symlink_to(root / "scripts")

    assert locate("scripts/a", (str(root),)).use(Access.READ).aliases == ()


def test_a_folder_that_cannot_be_listed_is_passed_over(root: Path) -> None:
    assert protected_links((str(root / "missing"), str(root))) == ()

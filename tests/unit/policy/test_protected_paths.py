"""Which paths are protected, which look like secrets, and which only look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.protected import (
    PROTECTED,
    PROTECTED_FILES,
    PROTECTED_PREFIXES,
    PROTECTED_SUFFIXES,
    SAFE_DEVICES,
    is_secret,
    is_unsafe_device,
    protection,
)

PROTECTED_PATHS = [
    # the editor's own
    "/w/.vscode",
    "/w/.vscode/settings.json",
    "/w/.vscode/deep/er/any",
    "/w/sub/.vscode/tasks.json",
    "/w/x.code-workspace",
    "/home/me/.config/Code/User/settings.json",
    "/home/me/.config/Code/User/tasks.json",
    "/w/launch.json",
    "/w/.assent/rules",
    "/w/.devcontainer/devcontainer.json",
    "/w/.idea/runConfigurations/x.xml",
    # git
    "/w/.git",
    "/w/sub/.git",
    "/w/.git/hooks/pre-commit",
    "/w/.git/config",
    "/w/.git/config.worktree",
    "/w/.git/config.lock",
    "/w/.git/info/attributes",
    "/w/.git/modules/a/config",
    "/w/.git/modules/libs/deep/a/config",
    "/w/.git/modules/libs/a/hooks/post-checkout",
    "/w/.git/modules/a/modules/b/config",
    "/w/.git/worktrees/a/config.worktree",
    "/w/.git/worktrees/a/commondir",
    "/w/.git/commondir",
    "/w/.gitmodules",
    "/w/.gitattributes",
    "/w/sub/.gitconfig",
    "/w/.husky/pre-push",
    # shells
    "/home/me/.bashrc",
    "/home/me/.zshenv",
    "/home/me/.profile",
    "/home/me/.config/fish/config.fish",
    "/w/.envrc",
    # agents
    "/w/CLAUDE.md",
    "/w/sub/AGENTS.md",
    "/w/.mcp.json",
    "/w/.claude/settings.json",
    "/w/.cursor/rules/x.mdc",
    # keys
    "/w/.env",
    "/w/.env.production",
    "/w/.env-local",
    "/home/me/.ssh/authorized_keys",
    "/w/server.pem",
    "/w/id_ed25519",
    "/home/me/.netrc",
    "/w/.npmrc",
]

SPELLINGS = [
    "/w/.VSCode/Settings.JSON",
    "/w/.vscode./settings.json",
    "/w/.vscode /settings.json",
    "/w/.vscode. . ./x",
    "/w/.env.",
    "/w/.env ",
    "/w/.ENV",
    "/w/.GIT/HOOKS/x",
    "/w/.git./config",
    "/w/.v\u017fcode/x",  # long s
    "/w/.\uff56scode/x",  # full width v
    "/w/\uff0evscode/x",  # full width dot
    "/w/.g\u200bit/config",  # zero width blank
    "/w/.g\u00adit/config",  # soft hyphen
    "/w/.gi\u200dt/hooks/x",  # joiner
    "/w/\ufeff.env",
    "/w/.env::$DATA",
    "/w/.git::$INDEX_ALLOCATION/config",
    "/w/.bashrc:stream",
    "C:\\w\\.git\\config",
    "C:\\w\\.vscode\\settings.json",
    "\\\\host\\share\\.env",
    ".vscode/settings.json",
    ".env",
    "/w//.git//config",
    "/w/.ba\uff53hrc",
    "/w/\u212aeys/.env",
]

ONLY_ALIKE = [
    "/w/src/environment.py",
    "/w/env",
    "/w/my.env.py",
    "/w/gitconfig.md",
    "/w/keyboard.keys",
    "/w/monkey.txt",
    "/w/.gitignore",
    "/w/.github/workflows/ci.yml",
    "/w/git/hooks/x",
    "/w/.gitkeep",
    "/w/src/git/config",
    "/w/vscode/settings.ts",
    "/w/.vscodeignore",
    "/w/hooks/pre-commit",
    "/w/docs/bashrc.md",
    "/w/profile.py",
    "/w/user_settings.json",
    "/w/settings.json.md",
    "/w/mysettings.json",
    "/w/src/claude.py",
    "/w/agents.mdx",
    "/w/pem.py",
    "/w/key",
    "/w/id_rsa.pub.md",
    "/w/assent/x.py",
    "/w/README.md",
    "/w/.editorconfig",
    "/w/a: b",
    "/w/...",
    "/",
    "",
]


@pytest.mark.parametrize("path", PROTECTED_PATHS + SPELLINGS)
def test_is_protected(path: str) -> None:
    assert protection(path)


@pytest.mark.parametrize("path", ONLY_ALIKE)
def test_only_looks_alike(path: str) -> None:
    assert protection(path) is None


def test_each_entry_of_the_list_is_met_and_gives_its_own_reason() -> None:
    for pattern, reason in PROTECTED:
        assert protection("/w/" + "/".join(pattern) + "/below") == reason
    for name, reason in PROTECTED_FILES:
        assert protection(f"/w/{name}") == reason
    for prefix, reason in PROTECTED_PREFIXES:
        assert protection(f"/w/{prefix}x") == reason
    for suffix, reason in PROTECTED_SUFFIXES:
        assert protection(f"/w/x{suffix}") == reason


def test_the_list_is_written_in_the_form_in_which_it_is_compared() -> None:
    names = [segment for pattern, _ in PROTECTED for segment in pattern]
    names += [name for name, _ in PROTECTED_FILES + PROTECTED_PREFIXES + PROTECTED_SUFFIXES]
    assert all(name == name.casefold().rstrip(" .") for name in names)


@given(st.sampled_from(PROTECTED_PATHS), st.text(max_size=20))
def test_upper_case_trailing_dots_and_what_lies_above_change_nothing(path: str, above: str) -> None:
    assert protection(path.upper())
    assert protection(path + ". .")
    assert protection(f"/{above}{path}")


@given(st.text())
def test_any_text_has_an_answer(path: str) -> None:
    protection(path)
    is_secret(path)
    is_unsafe_device(path)


@pytest.mark.parametrize(
    "path",
    [
        "/w/.env",
        "/w/.env.local",
        "/w/.envrc",
        "/w/.ENV",
        "/w/.env::$DATA",
        "/w/cert.pem",
        "/w/tls.KEY",
        "/home/me/.ssh/config",
        "/home/me/.aws/config",
        "/home/me/id_rsa",
        "/home/me/id_ed25519_sk",
        "/home/me/.netrc",
        "/home/me/.git-credentials",
        "/home/me/.docker/config.json",
        "/w/.e\u200bnv",
    ],
)
def test_is_a_secret(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path", ["/w/environment.py", "/w/keys.py", "/w/monkey", "/w/pem", "/w/ssh/config", "/w/credentials.py", "/w/idea"]
)
def test_is_no_secret(path: str) -> None:
    assert not is_secret(path)


@pytest.mark.parametrize("path", ["/dev/sda", "/dev/mem", "/dev/pts/0", "/dev/fd/x", "/dev/fd/", "/dev/fd/\u0661"])
def test_is_a_device_that_is_never_touched(path: str) -> None:
    assert is_unsafe_device(path)


@pytest.mark.parametrize("path", [*SAFE_DEVICES, "/dev/fd/0", "/dev/fd/12", "/dev/shm/p/a.txt", "/dev", "/device/x"])
def test_is_no_device_to_fear(path: str) -> None:
    assert not is_unsafe_device(path)

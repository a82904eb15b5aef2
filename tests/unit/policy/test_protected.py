"""Which paths are protected, which look like secrets, and which only look alike."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.devices import is_unsafe_device
from assent.policy.protected import home_protection, is_secret, protection
from assent.policy.protected_places import FILES, PLACES, SECRET_FILES, SECRET_PLACES, TOP
from tests.support.ladder import law

GOLDEN = Path(__file__).parents[2] / "golden" / "places"

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
    # where attackers of editors go
    "/home/me/.config/Code/User/keybindings.json",
    "/home/me/.config/Code/User/prompts/x.prompt.md",
    "/home/me/Library/Application Support/Code/User/settings.json",
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\tasks.json",
    "/home/me/.vscode-server/extensions/x/extension.js",
    "/home/me/.config/nvim/init.lua",
    "/w/.vimrc",
    "/w/.exrc",
    "/w/.nvim.lua",
    "/w/.dir-locals.el",
    "/w/x.sublime-project",
    "/w/.devcontainer.json",
    "/w/.gitpod.yml",
    "/w/.fleet/run.json",
    "/w/.run/x.run.xml",
    "/w/.ruby-lsp/ruby_lsp/x/addon.rb",
    # agents, their hooks, skills, servers
    "/w/CLAUDE.local.md",
    "/w/GEMINI.md",
    "/w/AGENTS.override.md",
    "/w/.github/copilot-instructions.md",
    "/w/.github/instructions/a.instructions.md",
    "/w/.github/prompts/a.prompt.md",
    "/w/.github/agents/a.agent.md",
    "/w/.github/chatmodes/a.chatmode.md",
    "/w/.github/hooks/pre.json",
    "/w/docs/x.instructions.md",
    "/w/.clinerules",
    "/w/.clinerules/a.md",
    "/w/.windsurfrules",
    "/w/.roo/mcp.json",
    "/w/.roomodes",
    "/w/.kiro/steering/a.md",
    "/w/.junie/guidelines.md",
    "/w/.aider.conf.yml",
    "/w/.goosehints",
    "/w/.rules",
    "/w/opencode.json",
    "/w/.gemini/settings.json",
    "/w/.codex/config.toml",
    "/w/.agents/skills/a/SKILL.md",
    "/w/skills/a/SKILL.md",
    "/home/me/.claude.json",
    "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
    "/home/me/.config/github-copilot/apps.json",
    # shells, sessions, terminals
    "/home/me/.bash_aliases",
    "/home/me/.bashrc.d/x.sh",
    "/home/me/.zlogin",
    "/home/me/.oh-my-zsh/custom/x.zsh",
    "/home/me/.config/fish/conf.d/x.fish",
    "/home/me/.config/nushell/config.nu",
    "/home/me/Documents/PowerShell/Microsoft.PowerShell_profile.ps1",
    "/home/me/.config/powershell/profile.ps1",
    "/home/me/.pam_environment",
    "/home/me/.xprofile",
    "/home/me/.xinitrc",
    "/home/me/.Xresources",
    "/home/me/.tmux.conf",
    "/home/me/.config/kitty/kitty.conf",
    # what starts by itself
    "/home/me/.config/systemd/user/x.service",
    "/home/me/.config/autostart/x.desktop",
    "/home/me/.local/share/applications/x.desktop",
    "/home/me/.config/environment.d/x.conf",
    "/home/me/.local/bin/git",
    "/home/me/Library/LaunchAgents/x.plist",
    "/home/me/.hammerspoon/init.lua",
    "C:\\Users\\me\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.bat",
    "/etc/crontab",
    "/etc/cron.d/x",
    "/etc/cron.daily/x",
    "/var/spool/cron/crontabs/me",
    "/w/crontab",
    "/etc/systemd/system/x.service",
    "/etc/profile.d/x.sh",
    "/etc/bash.bashrc",
    "/etc/zsh/zshrc",
    "/etc/sudoers.d/x",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/etc/xdg/autostart/x.desktop",
    "/etc/rc.local",
    # git and its helpers
    "/w/sub/repo.git/hooks/pre-receive",
    "/w/repo.git/config",
    "/home/me/.config/git/config",
    "/home/me/.config/git/attributes",
    "/w/.pre-commit-config.yaml",
    "/w/lefthook.yml",
    "/w/.lefthook.toml",
    "/w/lefthook-local.json",
    "/w/.lefthook/pre-push/x.sh",
    "/w/.githooks/pre-commit",
    "/w/.overcommit.yml",
    "/w/.lintstagedrc.js",
    "/w/.hg/hgrc",
    "/w/.svn/x",
    # folders that are entered, and packages
    "/w/.mise.toml",
    "/w/mise.local.toml",
    "/w/.mise/tasks/x",
    "/w/.tool-versions",
    "/w/.rvmrc",
    "/home/me/.config/direnv/direnvrc",
    "/w/.yarnrc.yml",
    "/w/.yarn/releases/yarn.cjs",
    "/w/.pnpmfile.cjs",
    "/w/pnpm-workspace.yaml",
    "/w/bunfig.toml",
    "/home/me/.config/pip/pip.conf",
    "/home/me/pip.ini",
    "/w/uv.toml",
    "/w/.cargo/config",
    "/w/.cargo/config.toml",
    "/home/me/.cargo/bin/cargo",
    "/w/.bundle/config",
    "/w/.mvn/extensions.xml",
    "/w/.gradle/init.d/x.gradle",
    "/home/me/.gradle/gradle.properties",
    "/w/gradle/wrapper/gradle-wrapper.properties",
    "/w/gradle.properties",
    "/w/.bazelrc",
    "/w/ansible.cfg",
    "/w/package.json",
    "/w/Cargo.toml",
    "/w/build.rs",
    "/w/app/build.gradle.kts",
    "/w/x.csproj",
    "/w/Directory.Build.props",
    "/w/web.config",
    "/w/yarn.lock",
    "/w/package-lock.json",
    "/w/pnpm-lock.yaml",
    "/w/.venv/lib/python3.12/site-packages/x.pth",
    "/w/sitecustomize.py",
    "/home/me/.gdbinit",
    "/home/me/.psqlrc",
    "/home/me/.curlrc",
    # keys
    "/w/prod.env",
    "/home/me/.pgpass",
    "/home/me/.config/gcloud/x.json",
    "/home/me/.cargo/credentials.toml",
    "/w/id_ecdsa_sk",
    "/w/tls.p8",
    "/w/vault.kdbx",
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
    "/w/./.github/./agents/x",
    "/w/.github//agents/x",
    "/w/.GitHub/Agents/x",
    "/w/.github./agents ./x",
    "/w/.github:x/agents::$DATA",
    "/w/.git\u2060hub/agents/x",
    "/w/CLAUDE.MD",
    "/w/Claude.md.",
    "/w/claude.md:zone.identifier",
    "/w/PACKAGE.JSON ",
    "/ETC/CronTab",
    "//etc//cron.d/x",
    "/etc/./cron.d/x",
    "//?/C:/w/.vscode/x",
    "\\\\?\\C:\\w\\.git\\config",
    "/w/x.CODE-WORKSPACE",
    "/w/x.code-workspace.",
    "/w/\uff45xample.\uff45nv",
]

# Ordinary work, which nobody should be asked for beyond what the mode says.
ONLY_ALIKE = [
    "/w/.env.example",
    "/w/.env.local.sample",
    "/w/.gradle",
    "/w/app/.gradle/8.5/fileHashes/fileHashes.lock",
    "/home/me/.gradle/caches/modules-2/modules-2.lock",
    "/w/src/environment.py",
    "/w/src/settings.py",
    "/w/src/settings/__init__.py",
    "/w/config/settings.yaml",
    "/w/config/settings.toml",
    "/w/config/default.json",
    "/w/docs/env.md",
    "/w/env",
    "/w/env/README.md",
    "/w/my.env.py",
    "/w/gitconfig.md",
    "/w/keyboard.keys",
    "/w/monkey.txt",
    "/w/keys.py",
    "/w/.gitignore",
    "/w/.gitkeep",
    "/w/.dockerignore",
    "/w/.prettierrc",
    "/w/.eslintrc.json",
    "/w/.nvmrc",
    "/w/.python-version",
    # These act after a push only, on another machine, and pushing is asked for by itself.
    "/w/.github/workflows/ci.yml",
    "/w/.github/dependabot.yml",
    "/w/.github/ISSUE_TEMPLATE/bug.md",
    "/w/.gitlab-ci.yml",
    "/w/git/hooks/x",
    "/w/src/git/config",
    "/w/src/hooks/useThing.ts",
    "/w/hooks/pre-commit",
    "/w/vscode/settings.ts",
    "/w/.vscodeignore",
    "/w/docs/bashrc.md",
    "/w/profile.py",
    "/w/src/profile/index.ts",
    "/w/user_settings.json",
    "/w/settings.json.md",
    "/w/mysettings.json",
    "/w/locales/en/auth.json",
    "/w/locales/en/settings.yaml",
    "/w/src/claude.py",
    "/w/src/agents/planner.py",
    "/w/agents/README.md",
    "/w/docs/agents/overview.md",
    "/w/agents.mdx",
    "/w/prompts/system.md",
    "/w/docs/instructions.md",
    "/w/skills/list.md",
    "/w/pem.py",
    "/w/key",
    "/w/assent/x.py",
    "/w/README.md",
    "/w/CONTRIBUTING.md",
    "/w/.editorconfig",
    "/w/pyproject.toml",
    "/w/setup.py",
    "/w/requirements.txt",
    "/w/conftest.py",
    "/w/tests/test_settings.py",
    "/w/tsconfig.json",
    "/w/vite.config.ts",
    "/w/composer.json",
    "/w/go.mod",
    "/w/Makefile",
    "/w/Dockerfile",
    "/w/docker-compose.yml",
    "/w/src/app/user.service.ts",
    "/w/deploy/app.service",
    "/w/src/timer.py",
    "/w/src/Library/launch.py",
    "/w/library/agents.py",
    "/w/code/user/model.py",
    "/w/src/cursor/state.ts",
    "/w/boot/loader.c",
    "/w/etc/cron.d/x",
    "/w/etc/passwd",
    "/etc/hosts",
    "/w/src/aux.c",
    "/w/con",
    "/w/model.pth",
    "/w/lock.py",
    "/w/src/locks/file_lock.py",
    "/w/blockchain.json",
    "/w/props.ts",
    "/w/targets.py",
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


def shown(names: tuple[str, ...]) -> str:
    """Some path that these names of a list stand for."""
    path = "/".join(name.replace("*", "x") for name in names)
    return path.removeprefix(TOP) if names[0] == TOP else f"/w/{path}"


def test_each_entry_of_the_lists_is_met_and_gives_a_reason_of_its_list() -> None:
    reasons = {reason for _, reason in (*PLACES, *FILES)}
    for place, _ in PLACES:
        assert protection(shown(place) + "/below") in reasons
        assert protection(shown(place)) in reasons
    for name, _ in FILES:
        assert protection(shown((name,))) in reasons
    assert all(is_secret(shown(place) + "/below") for place in SECRET_PLACES)
    assert all(is_secret(shown((name,))) for name in SECRET_FILES)


def test_a_reason_is_the_one_of_its_entry() -> None:
    for path, word in [
        ("/w/.git/hooks/x", "which settings, hooks and filters"),
        ("/w/.envrc", "enters the folder"),
        ("/w/.env", "secrets"),
        ("/w/.npmrc", "tokens"),
        ("/w/tls.pem", "private key"),
        ("/w/package.json", "installing"),
    ]:
        assert word in str(protection(path))


def test_the_lists_are_written_in_the_form_in_which_they_are_compared() -> None:
    names = [segment for pattern, _ in PLACES for segment in pattern if segment != TOP]
    names += [name for name, _ in FILES]
    names += [segment for pattern in SECRET_PLACES for segment in pattern if segment != TOP] + list(SECRET_FILES)
    assert all(name == name.casefold().rstrip(" .") and name and "/" not in name for name in names)
    assert all(name.count("*") <= 1 for name in names)


def test_no_entry_stands_there_twice() -> None:
    for entries in ([place for place, _ in PLACES], [name for name, _ in FILES], SECRET_PLACES, SECRET_FILES):
        assert len(set(entries)) == len(entries)


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/home/me/.config", True),
        ("/home/me/.CONFIG/", True),
        ("/w/.github", True),
        ("/w/.cargo", True),
        ("/home/me/.local/share", True),
        ("/etc", True),
        ("/var/spool", True),
        ("/w/src", False),
        ("/w/library", False),
        ("/w/documents", False),
        ("/w/etc", False),
        ("/w/.config.d", False),
        ("/", False),
    ],
)
def test_who_moves_a_folder_moves_what_is_protected_in_it(folder: str, expected: bool) -> None:
    assert bool(protection(folder, whole=True)) is expected
    assert protection(f"{folder}/.vscode", whole=True) == protection("/w/.vscode")
    assert protection(folder) is None


@pytest.mark.parametrize(
    ("path", "roots", "expected"),
    [
        ("/home/me/.foorc", (), True),
        ("/home/me/.cache/x", (), True),
        ("/home/me/Library/x", (), True),
        ("/home/me/AppData/Local/x", (), True),
        ("/HOME/ME/.foorc", (), True),
        ("/home/me/./.foorc", (), True),
        ("/home/me/notes.txt", (), False),
        ("/home/me/project/.foorc", (), False),
        ("/home/other/.foorc", (), False),
        ("/home/me", (), False),
        ("/home/me/.foorc", ("/home/me",), True),
        ("/home/me/.work/project/src/a.py", ("/home/me/.work/project",), False),
        ("/home/me/.work/other/a.py", ("/home/me/.work/project",), True),
    ],
)
def test_what_is_hidden_in_the_home_directory(path: str, roots: tuple[str, ...], expected: bool) -> None:
    assert bool(home_protection(path, "/home/me", roots)) is expected


@pytest.mark.parametrize("home", ["", "/", "home"])
def test_without_a_home_directory_nothing_is_hidden_in_it(home: str) -> None:
    assert home_protection("/.foorc", home, ()) is None


@law
@given(st.sampled_from(PROTECTED_PATHS), st.text(max_size=20))
def test_upper_case_trailing_dots_and_what_lies_above_change_nothing(path: str, above: str) -> None:
    assert protection(path.upper())
    assert protection(path + ". .")
    assert protection(f"/{above}{path}") or path.startswith(("/etc/", "/var/"))


@law
@given(st.text())
def test_any_text_has_an_answer(path: str) -> None:
    protection(path)
    protection(path, whole=True)
    home_protection(path, "/home/me", (path,))
    home_protection("/home/me/.x", path, ())
    is_secret(path)
    is_unsafe_device(path)


@pytest.mark.parametrize(
    "path",
    [
        "/w/.env",
        "/w/.env.local",
        "/w/.env.example.local",
        "/w/.env.examples",
        "/w/secrets/.env.example/.env",
        "/w/.ssh/.env.example",
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
        "/w/prod.env",
        "/home/me/.pgpass",
        "/home/me/.config/gcloud/credentials.db",
        "/home/me/.config/gh/hosts.yml",
        "/home/me/.azure/tokens.json",
        "/home/me/.mozilla/firefox/x/logins.json",
        "/home/me/Library/Keychains/login.keychain-db",
        "/home/me/.local/share/keyrings/login.keyring",
        "/home/me/.cargo/credentials.toml",
        "/home/me/.bash_history",
        "/etc/shadow",
        "/etc/ssh/ssh_host_rsa_key",
    ],
)
def test_is_a_secret(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "/w/environment.py",
        "/w/.env.example",
        "/w/.env.test.dist",
        "/w/keys.py",
        "/w/monkey",
        "/w/pem",
        "/w/ssh/config",
        "/w/credentials.py",
        "/w/idea",
        "/w/gh/x",
        "/w/etc/shadow",
    ],
)
def test_is_no_secret(path: str) -> None:
    assert not is_secret(path)


@pytest.mark.parametrize(("file", "holds"), [("protected.txt", protection), ("secret.txt", is_secret)])
def test_nothing_is_taken_out_of_the_tables_by_accident(file: str, holds: Callable[[str], object]) -> None:
    """One path for each entry; who takes an entry out on purpose takes out its path."""
    assert [path for path in (GOLDEN / file).read_text().splitlines() if not holds(path)] == []

"""Paths that no mode, grant or bypass lets an agent change unseen, as data with a reason for each.

Names are compared without regard to case, Unicode form, characters that cannot be seen and what follows a colon,
because file systems differ in all of these: a stricter answer does no harm.
"""

from collections.abc import Sequence
from unicodedata import category, normalize

Pattern = tuple[str, ...]

# Names of path segments, in order; the last one may be any file or folder, with all that lies below it.
PROTECTED: tuple[tuple[Pattern, str], ...] = (
    ((".vscode",), "it holds settings, tasks and launch definitions that the editor acts on"),
    ((".assent",), "it holds definitions that Assent acts on"),
    ((".idea",), "it holds run configurations that an editor acts on"),
    ((".theia",), "it holds settings that an editor acts on"),
    ((".zed",), "it holds settings and tasks that an editor acts on"),
    ((".devcontainer",), "it says what runs when the container is made"),
    ((".husky",), "git runs what lies there"),
    ((".git", "hooks"), "git runs what lies there"),
    ((".git", "config"), "git's settings can name programs that git runs"),
    # Settings and hooks of submodules and worktrees lie there at any depth, and files that point to others.
    ((".git",), "git's own files say which settings, hooks and filters git uses"),
    ((".claude",), "it holds an agent's settings, hooks and permissions"),
    ((".codex",), "it holds an agent's settings"),
    ((".gemini",), "it holds an agent's settings"),
    ((".qwen",), "it holds an agent's settings"),
    ((".cursor",), "it holds an agent's settings and rules"),
    ((".continue",), "it holds an agent's settings"),
    ((".opencode",), "it holds an agent's settings"),
    ((".ssh",), "it holds keys and says who may log in"),
    ((".gnupg",), "it holds keys"),
    ((".aws",), "it holds keys"),
    ((".kube",), "it holds keys"),
    ((".docker",), "it holds keys"),
)

# File names that are protected wherever they stand.
PROTECTED_FILES: tuple[tuple[str, str], ...] = (
    ("settings.json", "an editor or an agent may take its settings from there"),
    ("tasks.json", "an editor may run the tasks that it defines"),
    ("launch.json", "an editor may start the programs that it names"),
    (".gitmodules", "it says from where git fetches code"),
    (".gitconfig", "git's settings can name programs that git runs"),
    (".gitattributes", "it can make git run filter programs"),
    (".envrc", "the shell runs it when someone enters the folder"),
    (".bashrc", "the shell runs it at every start"),
    (".bash_profile", "the shell runs it at every login"),
    (".bash_login", "the shell runs it at every login"),
    (".bash_logout", "the shell runs it at every logout"),
    (".profile", "the shell runs it at every login"),
    (".zshrc", "the shell runs it at every start"),
    (".zshenv", "the shell runs it at every start"),
    (".zprofile", "the shell runs it at every login"),
    (".zlogin", "the shell runs it at every login"),
    (".zlogout", "the shell runs it at every logout"),
    (".kshrc", "the shell runs it at every start"),
    ("config.fish", "the shell runs it at every start"),
    (".ripgreprc", "it can make a search run a program"),
    (".inputrc", "it changes what keys do in the shell"),
    (".netrc", "it holds passwords"),
    (".npmrc", "it holds tokens and says from where code is fetched"),
    (".pypirc", "it holds tokens"),
    (".mcp.json", "it names programs that agents start"),
    ("mcp.json", "it names programs that agents start"),
    ("agents.md", "agents take it as instructions"),
    ("claude.md", "agents take it as instructions"),
    ("gemini.md", "agents take it as instructions"),
    (".cursorrules", "agents take it as instructions"),
    (".git-credentials", "it holds passwords"),
    ("id_rsa", "it is a private key"),
    ("id_dsa", "it is a private key"),
    ("id_ecdsa", "it is a private key"),
    ("id_ed25519", "it is a private key"),
    ("authorized_keys", "it says who may log in"),
)

PROTECTED_PREFIXES: tuple[tuple[str, str], ...] = ((".env", "it holds secrets"),)
PROTECTED_SUFFIXES: tuple[tuple[str, str], ...] = (
    (".code-workspace", "it holds settings that the editor acts on"),
    (".pem", "it may hold a private key"),
    (".key", "it may hold a private key"),
    (".p12", "it may hold a private key"),
    (".pfx", "it may hold a private key"),
)

# Reading these is as grave as sending them somewhere.
SECRET_FILES = frozenset({".netrc", ".pypirc", ".npmrc", ".git-credentials", "credentials"})
SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".kube", ".docker"})
SECRET_PREFIXES = (".env", "id_")
SECRET_SUFFIXES = (".pem", ".key", ".p12", ".pfx")

SAFE_DEVICES = frozenset(
    {
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/tty",
    }
)


def protection(path: str) -> str | None:
    """Why a change of this path is always asked for, or None."""
    segments = _segments(path)
    for pattern, reason in PROTECTED:
        if _contains(segments, pattern):
            return reason
    name = segments[-1] if segments else ""
    for known, reason in PROTECTED_FILES:
        if name == known:
            return reason
    for prefix, reason in PROTECTED_PREFIXES:
        if name.startswith(prefix):
            return reason
    for suffix, reason in PROTECTED_SUFFIXES:
        if name.endswith(suffix):
            return reason
    return None


def is_secret(path: str) -> bool:
    """Whether a path looks as if it held keys or passwords."""
    segments = _segments(path)
    name = segments[-1] if segments else ""
    return (
        name in SECRET_FILES
        or name.startswith(SECRET_PREFIXES)
        or name.endswith(SECRET_SUFFIXES)
        or any(segment in SECRET_FOLDERS for segment in segments)
    )


def is_unsafe_device(path: str) -> bool:
    """Whether a path names a device whose reading or writing reaches hardware or other processes."""
    return path.startswith("/dev/") and path not in SAFE_DEVICES and not _is_descriptor(path) and not _is_shared(path)


def _is_shared(path: str) -> bool:
    """Ordinary files, kept in memory."""
    return path.startswith("/dev/shm/")  # noqa: S108 - no file is made there


def _is_descriptor(path: str) -> bool:
    rest = path.removeprefix("/dev/fd/")
    return rest != path and rest.isascii() and rest.isdigit()


def _segments(path: str) -> list[str]:
    return [_bare(segment) for segment in folded(path).split("/") if segment]


def _bare(segment: str) -> str:
    """Without what Windows leaves out: a stream's name, and dots and blanks at the end."""
    name = segment.split(":", maxsplit=1)[0] or segment
    return name.rstrip(" .") or name


def folded(path: str) -> str:
    """The path in the one spelling in which all that a file system may take for the same are alike."""
    seen = "".join(character for character in normalize("NFKC", path) if category(character) != "Cf")
    return normalize("NFC", seen.casefold()).replace("\\", "/")


def _contains(segments: Sequence[str], pattern: Pattern) -> bool:
    span = len(pattern)
    return any(tuple(segments[start : start + span]) == pattern for start in range(len(segments) - span + 1))

"""Paths that no mode, grant or bypass lets an agent change unseen, as data with a reason for each.

Names are compared without regard to case and to Unicode form, because file systems differ in both.
"""

from collections.abc import Sequence
from unicodedata import normalize

Pattern = tuple[str, ...]

# Names of path segments, in order; the last one may be any file or folder below the first ones. `*` is one segment.
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
    ((".git", "config.worktree"), "git's settings can name programs that git runs"),
    ((".git", "info", "attributes"), "it can make git run filter programs"),
    ((".git", "modules", "*", "config"), "git's settings can name programs that git runs"),
    ((".git", "modules", "*", "hooks"), "git runs what lies there"),
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
    (".git", "a pointer file there decides which settings and hooks git uses"),
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
    (".env", "it holds secrets"),
    ("id_rsa", "it is a private key"),
    ("id_dsa", "it is a private key"),
    ("id_ecdsa", "it is a private key"),
    ("id_ed25519", "it is a private key"),
    ("authorized_keys", "it says who may log in"),
)

PROTECTED_PREFIXES: tuple[tuple[str, str], ...] = ((".env.", "it holds secrets"),)
PROTECTED_SUFFIXES: tuple[tuple[str, str], ...] = (
    (".code-workspace", "it holds settings that the editor acts on"),
    (".pem", "it may hold a private key"),
    (".key", "it may hold a private key"),
    (".p12", "it may hold a private key"),
    (".pfx", "it may hold a private key"),
)

# Reading these is as grave as sending them somewhere.
SECRET_FILES = frozenset({".netrc", ".pypirc", ".npmrc", ".git-credentials", "credentials", ".env"})
SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".kube", ".docker"})
SECRET_PREFIXES = (".env.", "id_")
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
    return path.startswith("/dev/") and path not in SAFE_DEVICES and not _is_descriptor(path)


def _is_descriptor(path: str) -> bool:
    rest = path.removeprefix("/dev/fd/")
    return rest != path and rest.isascii() and rest.isdigit()


def _segments(path: str) -> list[str]:
    folded = normalize("NFC", normalize("NFKC", path).casefold())
    return [segment.rstrip(" .") or segment for segment in folded.replace("\\", "/").split("/") if segment]


def _contains(segments: Sequence[str], pattern: Pattern) -> bool:
    span = len(pattern)
    return any(
        all(wanted in ("*", segments[start + offset]) for offset, wanted in enumerate(pattern))
        for start in range(len(segments) - span + 1)
    )

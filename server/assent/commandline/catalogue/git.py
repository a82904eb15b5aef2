"""Git: what may stand before its verb, and where it works."""

import posixpath

from assent.commandline.catalogue import git_changing, git_keeping, git_looking, git_mixed, git_reading, git_remote
from assent.commandline.findings import Findings
from assent.commandline.given import Given, sort_words
from assent.commandline.schema import Program, options
from assent.model.commands import Argument, Part
from assent.model.modes import Category
from assent.model.paths import Access

_HARMLESS_SECTIONS = ("color.", "advice.", "column.", "i18n.", "log.", "user.name", "user.email")
_HARMLESS_KEYS_TEXT = """
core.quotepath core.abbrev core.autocrlf core.safecrlf core.ignorecase core.precomposeunicode core.filemode
    core.untrackedcache diff.renames diff.renamelimit diff.algorithm diff.context diff.noprefix diff.mnemonicprefix
    diff.colormoved diff.wserrorhighlight merge.conflictstyle merge.renames merge.ff pull.rebase pull.ff push.default
    push.autosetupremote init.defaultbranch commit.gpgsign tag.gpgsign rebase.autosquash rebase.autostash
    rerere.enabled gc.auto grep.linenumber grep.patterntype status.short status.showuntrackedfiles
    status.relativepaths versionsort.suffix fetch.prune advice.detachedhead blame.date format.pretty
"""
_HARMLESS_KEYS = frozenset(_HARMLESS_KEYS_TEXT.split())
_NO_PROGRAM = frozenset({"", "cat", "false"})


def _settings(given: Given, findings: Findings) -> None:
    """What `-c` sets counts for this one run, and most of it can name a program."""
    for one in given.options:
        if one.name in ("--git-dir", "--work-tree"):
            findings.roams |= {Access.READ, Access.WRITE}
        if one.name == "-c" and one.value is not None and not _harmless(one.value):
            findings.danger(f"sets {one.value.written or one.value.text} for git (-c)", one.value_at)


def _harmless(setting: Argument) -> bool:
    if not setting.exact:
        return False
    key, equals, value = setting.text.partition("=")
    key = key.lower()
    if key == "core.pager" or key.startswith("pager."):
        return bool(equals) and value in _NO_PROGRAM
    if key == "log.showsignature":
        return False
    if key == "core.fsmonitor":
        return value.lower() == "false"
    return key in _HARMLESS_KEYS or key.startswith(_HARMLESS_SECTIONS)


_OPTIONS = options(
    """-P|--no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs
    --icase-pathspecs --no-lazy-fetch --no-advice -v|--version --html-path --man-path --info-path --list-cmds= -c=""",
    directory="-C=",
    dangers={
        "--exec-path[=]": "takes git's own programs from another folder",
        "--git-dir=": "works on another repository",
        "--work-tree=": "works on another folder",
        "--namespace=": "works on other references",
        "--bare": "takes the folder itself for a repository",
        "--config-env=": "takes a setting from the environment",
        "-p|--paginate": "starts a pager",
        "--super-prefix=": "pretends to run elsewhere",
        "--attr-source=": "takes attributes from elsewhere",
        "-h|--help": "opens the manual in another program",
    },
)

GIT = Program(
    ("git",),
    does="runs git",
    reason="Every verb is described by itself; what git may start by its configuration is asked about separately.",
    options=_OPTIONS,
    verbs=(
        *git_reading.PROGRAMS,
        *git_changing.PROGRAMS,
        *git_keeping.PROGRAMS,
        *git_looking.PROGRAMS,
        *git_remote.PROGRAMS,
        *git_mixed.PROGRAMS,
    ),
    before=_settings,
)

PROGRAMS: tuple[Program, ...] = (
    GIT,
    Program(
        ("gitk", "git-gui", "tig", "lazygit"),
        does="shows the repository in a window or at the terminal",
        reason="It is worked by hand, and can change anything.",
        category=Category.EXECUTE,
    ),
)


def works_in(part: Part) -> str | None:
    """The folder whose repository this command of git works on; None where that cannot be known."""
    folder = part.directory
    for one in sort_words(GIT, part.words, 1).options:
        if one.name == "-C" and folder is not None:
            known = one.value is not None and one.value.exact and not one.value.glob
            folder = posixpath.join(folder, one.value.text) if known and one.value is not None else None
    return folder

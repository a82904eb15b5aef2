"""The verbs of git that show or change, depending on their words, and those that can start anything."""

import posixpath
import re

from assent.commandline.catalogue.changes import writes_by_purpose
from assent.commandline.catalogue.git_words import (
    DIFF_DANGERS,
    PICKS_REVISIONS,
    SHOWS_DIFFERENCES,
    both,
    dangerous_verb,
    repository,
    revisions_and_files,
    shows_lines,
    verb,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program, Reader
from assent.model.commands import Argument
from assent.model.modes import Category


def _lists_or_changes(lists: tuple[str, ...], changes: tuple[str, ...]) -> Reader:
    """It changes when told so, or when it is given a name and not told to list."""

    def read(given: Given, findings: Findings) -> None:
        findings.reads_here(whole=False)
        if given.has(*changes) or (given.operands and not given.has(*lists)):
            findings.raises(Category.WRITE)

    return read


_NO_KEYS = re.compile(
    r"(?:user|author|committer|core|init|color|column|push|pull|fetch|merge|rebase|rerere|diff|log|status|commit|tag"
    r"|branch|advice|format|index|pack|gc|feature|safe|alias|submodule|extensions|remote)\.[\w.*/-]+",
    re.IGNORECASE,
)


def _configures(given: Given, findings: Findings) -> None:
    """Anything that is set can make git start programs, now or later."""
    findings.reads_here(whole=False)
    words = [given.words[at].text for at in given.operands]
    first = words[0] if words else ""
    if given.has(*_CHANGING):
        _sets(given, findings)
    elif given.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--get-color", "--get-colorbool"):
        _shows_settings(words, given, findings)
    elif first in ("list", "get") and not given.has("--add"):
        _shows_settings(words[1:], given, findings)
    elif len(words) == 1 and "." in first and first not in ("set", "unset"):
        _shows_settings(words, given, findings)
    elif given.operands:
        findings.danger("changes git's configuration, which can make git start programs", given.operands[0])
        _sets(given, findings)


_CHANGING = ("--add", "--replace-all", "--unset", "--unset-all", "--rename-section", "--remove-section", "-e")


def _sets(given: Given, findings: Findings) -> None:
    """A value that is set is a change of the file in which it stands."""
    writes_by_purpose(findings)
    named = given.value("--file")
    findings.writes(named or Argument(_configuration(given, findings), written="git's configuration"), None)


def _configuration(given: Given, findings: Findings) -> str:
    """The file that a value is set in."""
    if given.has("--global"):
        return posixpath.join(findings.inside.home or "/", ".gitconfig")
    if given.has("--system"):
        return "/etc/gitconfig"
    return ".git/config.worktree" if given.has("--worktree") else ".git/config"


def _shows_settings(names: list[str], given: Given, findings: Findings) -> None:
    """The user's own settings can hold keys, in many places: only those are shown of which none is known to do so."""
    one = names[0] if names else ""
    harmless = _NO_KEYS.fullmatch(one) and not given.has("--get-regexp", "--get-urlmatch", "--regexp", "--all")
    if not (harmless or given.has("--local", "--worktree", "--file", "-f", "--name-only")):
        by = given.options[0].at if given.options else given.operands[0]
        findings.danger("shows the user's settings, with the keys that may stand in them", by)


def _forgets(given: Given, findings: Findings) -> None:
    both(revisions_and_files, shows_lines())(given, findings)
    if given.operands and given.words[given.operands[0]].text in ("expire", "delete", "drop"):
        findings.danger("forgets where references pointed", given.operands[0], Category.WRITE)


def _points(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=False)
    if len(given.operands) > 1 or given.has("-d"):
        findings.raises(Category.WRITE)


def _archives(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=True)


def _in_each_repository(given: Given, findings: Findings) -> None:
    findings.danger("runs in repositories that the configuration names (git for-each-repo)", given.start - 1)
    findings.runs_words((Argument("git", written="git"), *(given.words[at] for at in given.operands)))


def _formats(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=True)
    if given.has("--stdout"):
        return
    if not given.has("-o"):
        findings.writes(Argument(".", written="."), None)


def _bundles(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=True)
    if not given.operands:
        return
    what, *names = given.operands
    for at in names[:1]:
        use = findings.writes if given.words[what].text == "create" else findings.reads
        use(given.words[at], at)
    findings.raises(Category.WRITE if given.words[what].text in ("create", "unbundle") else Category.READ)


_CHANGES_BRANCH = ("-d", "-D", "-m", "-M", "-c", "-C", "-f", "-u", "-t", "--unset-upstream", "--edit-description")
_LISTS_BRANCH = (
    "-l",
    "-a",
    "-r",
    "--show-current",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
)
"""Not `-v`: with a name, it says more of the branch that it makes."""
_CHANGES_TAG = ("-d", "-a", "-m", "-F", "-s", "-u", "-f", "-e")
_LISTS_TAG = ("-l", "-n", "-v", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")

_PATCHES = SHOWS_DIFFERENCES.replace("-s|--no-patch", "").replace("-p|-u|", "-u|").replace("--quiet", "")
_PATCHES = _PATCHES.replace("--cc -c", "--cc= -c")
"""Some spellings mean something else where patches are written."""

PROGRAMS: tuple[Program, ...] = (
    verb(
        "branch",
        "lists or changes branches",
        "Without a name it lists; with one it makes, moves or deletes a branch, which only touches references.",
        """-v|--verbose -q|--quiet -t|--track[=] -u|--set-upstream-to= --unset-upstream --color[=] -r|--remotes
        --contains[=] --no-contains[=] --abbrev[=] -a|--all -m|--move -c|--copy -l|--list
        --show-current --create-reflog --merged[=] --no-merged[=] --column[=] --sort= --points-at=
        -i|--ignore-case --recurse-submodules --format= --omit-empty""",
        reader=_lists_or_changes(_LISTS_BRANCH, _CHANGES_BRANCH),
        may_change=True,
        dangers={
            "--edit-description": "starts the editor",
            "-d|--delete": "deletes a branch",
            "-D": "deletes a branch, also where nothing else holds its commits",
            "-f|--force": "moves a branch that is there",
            "-M": "replaces a branch that is there",
            "-C": "replaces a branch that is there",
        },
    ),
    verb(
        "tag",
        "lists or changes tags",
        "Without a name it lists; with one it makes or deletes a tag.",
        """-l|--list -n[=] -a|--annotate -m|--message= -e|--edit --cleanup= --create-reflog --column[=]
        --contains[=] --no-contains[=] --merged[=] --no-merged[=] --sort=
        --points-at[=] --format= --color[=] -i|--ignore-case --trailer= --omit-empty -v|--verify""",
        reads="-F|--file=",
        reader=_lists_or_changes(_LISTS_TAG, _CHANGES_TAG),
        may_change=True,
        dangers={"-d|--delete": "deletes a tag", "-f|--force": "moves a tag that is there"},
    ),
    verb(
        "config",
        "shows or changes git's configuration",
        "Reading it is harmless; what is set can be a program that git starts, so that setting is a danger.",
        """--global --system --local --worktree --get --get-all --get-regexp --get-urlmatch -l|--list --fixed-value
        --type= --bool --int --bool-or-int --bool-or-str --path --expiry-date -z|--null --name-only --includes
        --show-origin --show-scope --default= --get-color --get-colorbool --show-names --all --regexp
        --value= --url=""",
        reads="-f|--file=",
        reader=_configures,
        dangers={
            "-e|--edit": "starts the editor",
            "--replace-all": "changes git's configuration",
            "--add": "changes git's configuration",
            "--unset": "changes git's configuration",
            "--unset-all": "changes git's configuration",
            "--rename-section": "changes git's configuration",
            "--remove-section": "changes git's configuration",
            "--blob=": "reads a configuration out of the history",
        },
    ),
    verb(
        "reflog",
        "shows where references pointed before",
        "Without a verb it shows; expire and delete forget.",
        f"{SHOWS_DIFFERENCES} {PICKS_REVISIONS}",
        reader=_forgets,
        may_change=True,
        numbers=True,
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "symbolic-ref",
        "shows or changes what a reference points to",
        "With one name it shows, with two it changes.",
        "-q|--quiet -d|--delete --short --recurse -m=",
        reader=_points,
        may_change=True,
    ),
    verb(
        "archive",
        "packs the files of a commit",
        "It prints an archive; an option writes it into a file, others ask another repository.",
        "--format= --prefix= -v|--verbose -l|--list --worktree-attributes --mtime= -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
        outputs="-o|--output=",
        reads="--add-file=",
        reader=_archives,
        dangers={
            "--remote=": "contacts another repository",
            "--exec=": "names the program that is started at the other end",
            "--add-virtual-file=": "puts a file into the archive",
        },
    ),
    verb(
        "format-patch",
        "writes commits as patches",
        "It writes one file a commit, here or where an option says.",
        f"""{_PATCHES}
        -n|--numbered -N|--no-numbered -s|--signoff --stdout --cover-letter --numbered-files --suffix= --start-number=
        -v|--reroll-count= --filename-max-length= --rfc --cover-from-description= --subject-prefix= -k|--keep-subject
        -p|--no-stat --zero-commit --ignore-if-in-upstream --add-header= --to= --from[=] --in-reply-to= --attach[=]
        --inline[=] --thread[=] --signature= --base= -q|--quiet --progress --interdiff= --range-diff=
        --creation-factor= --force-in-body-from --root --no-signature""",
        category=Category.WRITE,
        writes="-o|--output-directory=",
        outputs="--output=",
        reads="--signature-file=",
        reader=_formats,
        numbers=True,
        dangers=DIFF_DANGERS,
    ),
    verb(
        "bundle",
        "packs commits into a file, or looks at one",
        "Its verb create writes the file; verify and list-heads read it.",
        f"{PICKS_REVISIONS} --quiet --progress --version=",
        reader=_bundles,
        may_change=True,
        numbers=True,
        dangers={"--stdin": "takes further arguments from its input"},
    ),
    verb(
        "lfs",
        "manages large files",
        "It runs another program that fetches and stores large files, and changes configuration.",
        category=Category.EXTERNAL,
        verbs=(
            verb("ls-files|status|env|version", "shows large files", "It prints.", "-l|--long -n|--name-only -a|--all"),
            verb(
                "pull|fetch|push|checkout|prune",
                "moves large files",
                "It contacts the other repository.",
                "-a|--all --dry-run -I|--include= -X|--exclude= --recent",
                category=Category.EXTERNAL,
                reader=repository,
            ),
            dangerous_verb("install|uninstall|track|untrack|migrate", "changes git", "changes filters and hooks"),
        ),
    ),
    dangerous_verb("difftool|mergetool", "compares with another program", "starts another program"),
    dangerous_verb(
        "filter-branch|filter-repo|merge-index|merge-one-file",
        "rewrites the history",
        "runs commands over the whole history",
    ),
    dangerous_verb("send-email|imap-send|request-pull", "sends mail", "sends what it is given to others"),
    dangerous_verb(
        "instaweb|daemon|http-backend|gui|gitk|citool|gitweb|shell", "serves", "starts a program that stays"
    ),
    dangerous_verb("credential|credential-store|credential-cache", "handles passwords", "shows or stores passwords"),
    dangerous_verb("svn|p4|cvsimport|cvsserver|cvsexportcommit|archimport|quiltimport", "imports", "contacts others"),
    dangerous_verb("fast-import|fast-export", "moves the whole history", "reads or writes the whole history"),
    dangerous_verb("maintenance|fsmonitor--daemon|scalar", "runs in the background", "sets programs up that run later"),
    dangerous_verb("hook", "runs a hook", "runs a script of the repository"),
    dangerous_verb(
        "submodule--helper|bisect--helper|difftool--helper|add--interactive|rebase--interactive|env--helper"
        "|mergetool--lib",
        "does a part of another command",
        "is a part of another command that can start programs",
    ),
    dangerous_verb(
        "upload-pack|receive-pack|upload-archive|fetch-pack|send-pack|http-fetch|http-push|remote-ext|remote-fd|remote-http"
        "|remote-https",
        "talks to another repository",
        "is the other half of another command",
    ),
    dangerous_verb("web--browse|sh-setup|interpret-trailers", "helps others", "runs commands that are set up"),
    verb(
        "for-each-repo",
        "runs a git command in other repositories",
        "Which they are stands in the configuration; the command is looked at, too.",
        "--config= --keep-going",
        category=Category.EXECUTE,
        reader=_in_each_repository,
    ),
    dangerous_verb("diagnose|bugreport", "collects facts", "writes a file about this machine"),
)

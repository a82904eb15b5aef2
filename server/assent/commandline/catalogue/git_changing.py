"""The verbs of git that change the working tree, the index or the history of the repository."""

import re

from assent.commandline.catalogue.git_words import (
    HOOKS,
    INDEX,
    LISTS_FILES,
    both,
    deletes_word,
    files,
    is_revision,
    reads_word,
    repository,
    revisions_and_files,
    strategies,
    verb,
    writes_word,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program
from assent.model.commands import Argument
from assent.model.modes import Category
from assent.model.paths import Access

_MERGES = """
-s|--strategy= -X|--strategy-option= --rerere-autoupdate --cleanup= --allow-empty
--allow-empty-message -q|--quiet -v|--verbose
"""
_SEQUENCE = "--continue --abort --quit --skip"


def _adds(given: Given, findings: Findings) -> None:
    files(reads_word)(given, findings)
    if not given.operands:
        findings.reads_here(whole=True)


def _removes(given: Given, findings: Findings) -> None:
    only_told = given.has("-n") or given.has("--cached")
    files(reads_word if only_told else deletes_word)(given, findings)


def _cleans(given: Given, findings: Findings) -> None:
    if given.has("-n"):
        files(reads_word)(given, findings)
        return
    files(deletes_word)(given, findings)
    if not given.operands:
        findings.writes(Argument(".", written="the untracked files"), None, whole=True)
    findings.danger("deletes what git does not hold", given.start if given.start < len(given.words) else None)


def _checks_out(given: Given, findings: Findings) -> None:
    """Whatever can be a file is overwritten. Where a branch is made, or before `--`, it is a name of commits."""
    findings.reads_here(whole=False)
    makes_branch = given.has("-b", "-B", "--orphan", "-t", "-d")
    for at in given.operands:
        word = given.words[at]
        before = given.ended is None or at < given.ended
        if before and word.exact and (makes_branch or given.ended is not None or is_revision(word.text)):
            continue
        whole = Argument(".", written=word.written) if word.exact and word.text.startswith(":") else word
        findings.writes(whole, at, whole=True)
        if not before or not word.exact or word.glob or _NAMES_FILES.match(word.text):
            findings.danger(f"{_DISCARDS} in {word.written or word.text}", at)


_DISCARDS = "throws away changes that are not committed"
_NAMES_FILES = re.compile(r"[.:]|.*/$|.*\.[A-Za-z]\w*$", re.DOTALL)
"""What a branch is hardly called. A plain name can be either, and is taken for a branch."""


def _restores(given: Given, findings: Findings) -> None:
    files(writes_word)(given, findings)
    if given.operands and (not given.has("-S") or given.has("-W")):
        findings.danger(_DISCARDS, given.operands[0])


def _resets(given: Given, findings: Findings) -> None:
    revisions_and_files(given, findings)
    if given.has("--hard", "--merge", "--keep"):
        findings.roams.add(Access.WRITE)


def _applies(given: Given, findings: Findings) -> None:
    """What it changes stands in the patches."""
    files(reads_word)(given, findings)
    if not given.has("--stat", "--numstat", "--summary", "--check") or given.has("--apply"):
        findings.roams.add(Access.WRITE)


_MOVES_BRANCH = "moves a branch that is there"


def _runs_commands(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.name in ("-x", "--exec") and one.value is not None:
            findings.runs_text(one.value, one.value_at, posix=True)


_COMMIT = """
-q|--quiet -v|--verbose --author= --date= -m|--message= -c|--reedit-message= -C|--reuse-message= --fixup= --squash=
--reset-author --trailer= -s|--signoff -e|--edit --cleanup= --status -a|--all -i|--include
--interactive -p|--patch -o|--only -n --no-verify --verify --dry-run --short --branch --ahead-behind --porcelain --long
-z|--null --amend -u|--untracked-files[=] --pathspec-file-nul --allow-empty --allow-empty-message --post-rewrite
"""
_CHECKOUT = """
--guess --overlay -q|--quiet --recurse-submodules[=] --progress -m|--merge --conflict= -d|--detach -t|--track[=]
--orphan= --overwrite-ignore --ignore-other-worktrees -2|--ours -3|--theirs -p|--patch
--ignore-skip-worktree-bits --pathspec-file-nul
"""

PROGRAMS: tuple[Program, ...] = (
    verb(
        "add|stage",
        "puts changes into the index",
        INDEX,
        """-n|--dry-run -v|--verbose -i|--interactive -p|--patch -e|--edit -f|--force -u|--update --renormalize
        -N|--intent-to-add -A|--all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse --chmod=
        --warn-embedded-repo --pathspec-file-nul""",
        category=Category.WRITE,
        reader=_adds,
        lists=LISTS_FILES,
    ),
    verb(
        "commit",
        "records changes in the history",
        HOOKS,
        _COMMIT,
        reads="-F|--file= -t|--template=",
        category=Category.EXECUTE,
        reader=files(reads_word),
        lists=LISTS_FILES,
    ),
    verb(
        "merge",
        "joins histories",
        HOOKS,
        f"""{_MERGES} -n --stat --summary --log[=] --squash --commit -e|--edit --ff --ff-only --verify-signatures
        -m|--message= --into-name= --abort --quit --continue --allow-unrelated-histories --progress --autostash
        --overwrite-ignore --signoff --verify""",
        reads="-F|--file=",
        category=Category.EXECUTE,
        reader=both(repository, strategies),
    ),
    verb(
        "rebase",
        "replays commits on another base",
        HOOKS,
        f"""{_MERGES} {_SEQUENCE} --onto= --keep-base --signoff --committer-date-is-author-date --reset-author-date
        --ignore-date --ignore-whitespace --whitespace= -f|--force-rebase --show-current-patch --apply -m|--merge -n
        --stat -C= --empty= -k|--keep-empty --autosquash --update-refs --autostash -r|--rebase-merges[=] --fork-point
        --root --reschedule-failed-exec --reapply-cherry-picks --verify --ff -p""",
        category=Category.EXECUTE,
        reader=both(repository, strategies, _runs_commands),
        dangers={
            "-x|--exec=": "runs a command after every commit",
            "-i|--interactive": "starts the editor for the list of steps",
            "--edit-todo": "starts the editor for the list of steps",
        },
    ),
    verb(
        "cherry-pick|revert",
        "copies or undoes commits",
        HOOKS,
        f"""{_MERGES} {_SEQUENCE} -e|--edit -s --signoff -m|--mainline= --ff --keep-redundant-commits --reference
        -n|--no-commit --commit -x -r""".replace("-s|--strategy=", "--strategy="),
        category=Category.EXECUTE,
        reader=both(repository, strategies),
    ),
    verb(
        "reset",
        "moves the branch, the index or the working tree back",
        "It changes the repository, and with --hard throws away changes in the working tree.",
        """-q|--quiet --mixed --soft --keep --recurse-submodules[=] -p|--patch -N|--intent-to-add
        --pathspec-file-nul --refresh""",
        category=Category.WRITE,
        reader=_resets,
        lists=LISTS_FILES,
        dangers={"--hard": _DISCARDS, "--merge": _DISCARDS},
    ),
    verb(
        "checkout",
        "switches branches or restores files",
        HOOKS,
        f"{_CHECKOUT} -b= -l",
        category=Category.EXECUTE,
        reader=_checks_out,
        lists=LISTS_FILES,
        dangers={"-f|--force": _DISCARDS, "-B=": _MOVES_BRANCH},
    ),
    verb(
        "switch",
        "switches branches",
        HOOKS,
        f"{_CHECKOUT} -c|--create=".replace("--pathspec-file-nul", ""),
        category=Category.EXECUTE,
        reader=repository,
        dangers={"-f|--force|--discard-changes": _DISCARDS, "-C|--force-create=": _MOVES_BRANCH},
    ),
    verb(
        "restore",
        "restores files",
        "It overwrites files with what the repository has of them.",
        """-s|--source= -S|--staged -W|--worktree --ignore-unmerged --overlay -q|--quiet --recurse-submodules[=]
        --progress -m|--merge --conflict= -2|--ours -3|--theirs -p|--patch --ignore-skip-worktree-bits
        --pathspec-file-nul""",
        category=Category.WRITE,
        reader=_restores,
        lists=LISTS_FILES,
    ),
    verb(
        "rm",
        "deletes files and forgets them",
        "It deletes tracked files; with --cached only from the index.",
        "-n|--dry-run -q|--quiet --cached -r --ignore-unmatch --sparse --pathspec-file-nul",
        category=Category.WRITE,
        reader=_removes,
        lists=LISTS_FILES,
        dangers={"-f|--force": _DISCARDS},
    ),
    verb(
        "mv",
        "moves files",
        "It moves tracked files.",
        "-v|--verbose -n|--dry-run -f|--force -k --sparse",
        category=Category.WRITE,
        reader=files(writes_word),
    ),
    verb(
        "clean",
        "deletes files that git does not know",
        "It deletes below where it runs, unless it is only to tell.",
        "-q|--quiet -n|--dry-run -f|--force -d -e|--exclude= -x -X",
        category=Category.WRITE,
        reader=_cleans,
        dangers={"-i|--interactive": "asks at the terminal what to delete"},
    ),
    verb(
        "apply",
        "applies a patch to the working tree",
        "It writes what the patch names; git refuses names outside the tree unless told otherwise.",
        """--exclude= --include= --add --stat --allow-binary-replacement|--binary --numstat --summary --check --index
        -N|--intent-to-add --cached --apply -3|--3way --whitespace= --ignore-space-change --ignore-whitespace
        -R|--reverse --unidiff-zero --reject --allow-overlap -v|--verbose -q|--quiet --inaccurate-eof --recount
        --directory= --allow-empty -p= -C= -z""",
        category=Category.WRITE,
        outputs="--build-fake-ancestor=",
        operands=Operands(),
        reader=_applies,
        dangers={"--unsafe-paths": "lets the patch write outside the repository"},
    ),
    verb(
        "am",
        "applies patches from mails",
        HOOKS,
        f"""{_SEQUENCE} -3|--3way -q|--quiet -s|--signoff -u|--utf8 -k|--keep --keep-non-patch -m|--message-id
        --keep-cr -c|--scissors --quoted-cr= --whitespace= --ignore-space-change --ignore-whitespace --directory=
        --exclude= --include= -C= -p= --patch-format= --reject --resolvemsg= -r|--resolved --show-current-patch[=]
        --allow-empty --committer-date-is-author-date --ignore-date --rerere-autoupdate --empty=""",
        category=Category.EXECUTE,
        reader=_applies,
        dangers={"-i|--interactive": "asks at the terminal"},
    ),
)

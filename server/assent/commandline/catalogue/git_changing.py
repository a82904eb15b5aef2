"""The verbs of git that change the working tree, the index or the history of the repository."""

from assent.commandline.catalogue.git_words import (
    DIFF_DANGERS,
    PICKS_REVISIONS,
    SHOWS_DIFFERENCES,
    both,
    files,
    is_revision,
    read_named,
    repository,
    revisions_and_files,
    strategies,
    verb,
)
from assent.commandline.catalogue.schema import Operands, Program
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument
from assent.model.modes import Category

_MERGES = """
-s|--strategy= -X|--strategy-option= --rerere-autoupdate -S|--gpg-sign[=] --cleanup= --allow-empty
--allow-empty-message -q|--quiet -v|--verbose
"""
_SEQUENCE = "--continue --abort --quit --skip"
_HOOKS = "It changes the repository and may run its hooks; an option that names a program is a danger."
_INDEX = "It changes the index of the repository."
_ASKS_FILES = {"--pathspec-from-file=": "takes names of files from a file"}


def _reads(findings: Findings, word: Argument, at: int) -> None:
    findings.reads(word, at)


def _writes(findings: Findings, word: Argument, at: int) -> None:
    findings.writes(word, at, whole=True)


def _deletes(findings: Findings, word: Argument, at: int) -> None:
    findings.deletes(word, at)


def _removes(given: Given, findings: Findings) -> None:
    only_told = given.has("-n") or given.has("--cached")
    files(_reads if only_told else _deletes)(given, findings)


def _cleans(given: Given, findings: Findings) -> None:
    if given.has("-n"):
        files(_reads)(given, findings)
        return
    files(_deletes)(given, findings)
    if not given.operands:
        findings.deletes(Argument(".", glob=False, written="the untracked files"), None, whole=True)


def _checks_out(given: Given, findings: Findings) -> None:
    """Whatever can be a file is overwritten; where a branch is made, only what stands after `--` can be one."""
    findings.reads_here(whole=False)
    makes_branch = given.has("-b", "-B", "--orphan", "-t", "-d")
    for at in given.operands:
        word = given.words[at]
        before = given.ended is None or at < given.ended
        if before and word.exact and (makes_branch or is_revision(word.text)):
            continue
        whole = Argument(".", written=word.written) if word.exact and word.text.startswith(":") else word
        findings.writes(whole, at, whole=True)


def _runs_commands(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.name in ("-x", "--exec") and one.value is not None:
            findings.runs_text(one.value, one.value_at, posix=True)


def _bisects(given: Given, findings: Findings) -> None:
    if given.operands:
        findings.danger("runs a command again and again (git bisect run)", given.start - 1)
        findings.runs(given.operands[0])


def _plumbing(names: str, does: str, harmless: str = "") -> Program:
    return verb(names, does, _INDEX, harmless, category=Category.WRITE, reader=repository)


def _new_tree(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=False)
    for at in given.operands[:1]:
        findings.writes(given.words[at], at, whole=True)
    for at in given.operands[1:]:
        read_named(given.words[at], at, findings)


_COMMIT = """
-q|--quiet -v|--verbose --author= --date= -m|--message= -c|--reedit-message= -C|--reuse-message= --fixup= --squash=
--reset-author --trailer= -s|--signoff -e|--edit --cleanup= --status -S|--gpg-sign[=] -a|--all -i|--include
--interactive -p|--patch -o|--only -n --no-verify --verify --dry-run --short --branch --ahead-behind --porcelain --long
-z|--null --amend -u|--untracked-files[=] --pathspec-file-nul --allow-empty --allow-empty-message --post-rewrite
"""
_CHECKOUT = """
--guess --overlay -q|--quiet --recurse-submodules[=] --progress -m|--merge --conflict= -d|--detach -t|--track[=]
-f|--force --orphan= --overwrite-ignore --ignore-other-worktrees -2|--ours -3|--theirs -p|--patch
--ignore-skip-worktree-bits --pathspec-file-nul
"""

_STASHES: tuple[Program, ...] = (
    verb(
        "list",
        "lists what was put aside",
        "It is git log on the stash.",
        f"{SHOWS_DIFFERENCES} {PICKS_REVISIONS} --decorate[=]",
        reader=repository,
        numbers=True,
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "show",
        "shows what was put aside",
        "It is git diff on the stash.",
        f"{SHOWS_DIFFERENCES} --include-untracked --only-untracked",
        reader=repository,
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "push|save",
        "puts changes aside",
        "It takes changes out of the working tree and keeps them in the repository.",
        """-k|--keep-index -S|--staged -p|--patch -q|--quiet -u|--include-untracked -a|--all -m|--message=
        --pathspec-file-nul""",
        category=Category.WRITE,
        reader=files(_writes),
        dangers=_ASKS_FILES,
    ),
    verb(
        "pop|apply|branch",
        "brings changes back",
        "It writes into the working tree what was put aside from it.",
        "-q|--quiet --index",
        category=Category.WRITE,
        reader=repository,
    ),
    verb(
        "drop|clear|create|store",
        "changes what was put aside",
        "It forgets or stores changes in the repository.",
        "-q|--quiet -m|--message=",
        category=Category.WRITE,
        reader=repository,
    ),
)

_BISECTIONS: tuple[Program, ...] = (
    verb(
        "start|bad|good|new|old|skip|reset|terms|next",
        "searches the history for a change",
        "It checks commits out, one after another.",
        "--term-new= --term-old= --term-good= --term-bad= --no-checkout --first-parent",
        category=Category.EXECUTE,
        reader=repository,
    ),
    verb("log", "shows the search so far", "It prints the notes of the search.", reader=repository),
    Program(
        ("run",),
        does="runs a command on commits",
        reason="It starts the command that it is given on every step of the search.",
        category=Category.EXECUTE,
        stops=True,
        reader=_bisects,
    ),
)

PROGRAMS: tuple[Program, ...] = (
    verb(
        "add|stage",
        "puts changes into the index",
        _INDEX,
        """-n|--dry-run -v|--verbose -i|--interactive -p|--patch -e|--edit -f|--force -u|--update --renormalize
        -N|--intent-to-add -A|--all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse --chmod=
        --warn-embedded-repo --pathspec-file-nul""",
        category=Category.WRITE,
        reader=files(_reads),
        dangers=_ASKS_FILES,
    ),
    verb(
        "commit",
        "records changes in the history",
        _HOOKS,
        _COMMIT,
        reads="-F|--file= -t|--template=",
        category=Category.EXECUTE,
        reader=files(_reads),
        dangers=_ASKS_FILES,
    ),
    verb(
        "merge",
        "joins histories",
        _HOOKS,
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
        _HOOKS,
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
        _HOOKS,
        f"""{_MERGES} {_SEQUENCE} -e|--edit -s --signoff -m|--mainline= --ff --keep-redundant-commits --reference
        -n|--no-commit --commit -x -r""".replace("-s|--strategy=", "--strategy="),
        category=Category.EXECUTE,
        reader=both(repository, strategies),
    ),
    verb(
        "reset",
        "moves the branch, the index or the working tree back",
        "It changes the repository, and with --hard throws away changes in the working tree.",
        """-q|--quiet --mixed --soft --hard --merge --keep --recurse-submodules[=] -p|--patch -N|--intent-to-add
        --pathspec-file-nul --refresh""",
        category=Category.WRITE,
        reader=revisions_and_files,
        dangers=_ASKS_FILES,
    ),
    verb(
        "checkout",
        "switches branches or restores files",
        _HOOKS,
        f"{_CHECKOUT} -b= -B= -l",
        category=Category.EXECUTE,
        reader=_checks_out,
        dangers=_ASKS_FILES,
    ),
    verb(
        "switch",
        "switches branches",
        _HOOKS,
        f"{_CHECKOUT} -c|--create= -C|--force-create= --discard-changes".replace("--pathspec-file-nul", ""),
        category=Category.EXECUTE,
        reader=repository,
    ),
    verb(
        "restore",
        "restores files",
        "It overwrites files with what the repository has of them.",
        """-s|--source= -S|--staged -W|--worktree --ignore-unmerged --overlay -q|--quiet --recurse-submodules[=]
        --progress -m|--merge --conflict= -2|--ours -3|--theirs -p|--patch --ignore-skip-worktree-bits
        --pathspec-file-nul""",
        category=Category.WRITE,
        reader=files(_writes),
        dangers=_ASKS_FILES,
    ),
    verb(
        "rm",
        "deletes files and forgets them",
        "It deletes tracked files; with --cached only from the index.",
        "-n|--dry-run -q|--quiet --cached -f|--force -r --ignore-unmatch --sparse --pathspec-file-nul",
        category=Category.WRITE,
        reader=_removes,
        dangers=_ASKS_FILES,
    ),
    verb(
        "mv",
        "moves files",
        "It moves tracked files.",
        "-v|--verbose -n|--dry-run -f|--force -k --sparse",
        category=Category.WRITE,
        reader=files(_writes),
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
        "stash",
        "puts changes aside",
        "Without a verb it takes changes out of the working tree and keeps them.",
        "-k|--keep-index -S|--staged -p|--patch -q|--quiet -u|--include-untracked -a|--all -m|--message=",
        category=Category.WRITE,
        reader=repository,
        verbs=_STASHES,
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
        reader=files(_reads),
        dangers={"--unsafe-paths": "lets the patch write outside the repository"},
    ),
    verb(
        "am",
        "applies patches from mails",
        _HOOKS,
        f"""{_SEQUENCE} -3|--3way -q|--quiet -s|--signoff -u|--utf8 -k|--keep --keep-non-patch -m|--message-id
        --keep-cr -c|--scissors --quoted-cr= --whitespace= --ignore-space-change --ignore-whitespace --directory=
        --exclude= --include= -C= -p= --patch-format= --reject --resolvemsg= -r|--resolved --show-current-patch[=]
        --allow-empty --committer-date-is-author-date --ignore-date --rerere-autoupdate -S|--gpg-sign[=] --empty=""",
        category=Category.EXECUTE,
        reader=files(_reads),
        dangers={"-i|--interactive": "asks at the terminal"},
    ),
    verb(
        "bisect",
        "searches the history for a change",
        "It checks commits out; its verb run starts a command.",
        category=Category.EXECUTE,
        reader=repository,
        verbs=_BISECTIONS,
    ),
    verb(
        "gc|prune|repack|pack-refs|prune-packed",
        "tidies the repository up",
        "It packs and drops objects that nothing needs.",
        """-q|--quiet --prune[=] --aggressive --auto --force --keep-largest-pack --cruft -a -A -d -f -F -l|--local -k
        -n|--dry-run -v|--verbose --progress --all --expire= --window= --depth= --threads= --max-pack-size=
        -b|--write-bitmap-index""",
        category=Category.WRITE,
        reader=repository,
    ),
    verb(
        "init",
        "makes a repository",
        "It makes a repository here or in the folder that it is given.",
        "--bare --shared[=] -q|--quiet -b|--initial-branch= --object-format= --ref-format=",
        category=Category.WRITE,
        outputs="--separate-git-dir=",
        reader=files(_writes),
        dangers={"--template=": "puts hooks from another folder into the repository"},
    ),
    verb(
        "update-index",
        "changes the index",
        _INDEX,
        """-q --add --replace --remove --unmerged --refresh --really-refresh --chmod= --assume-unchanged
        --skip-worktree --ignore-skip-worktree-entries --info-only --force-remove --again -g --ignore-missing
        --verbose --index-version= --split-index --ignore-submodules""",
        category=Category.WRITE,
        reader=files(_reads),
        dangers={
            "--fsmonitor": "starts a program that watches the files",
            "--stdin": "takes names from its input",
            "--index-info": "takes entries from its input",
            "--cacheinfo": "puts an object under any name",
            "-z": "takes names from its input",
        },
    ),
    verb(
        "hash-object",
        "sums up a file as an object",
        "It reads a file; with -w it keeps the object in the repository.",
        "-t= --stdin --no-filters --literally --path= -w --filters",
        category=Category.WRITE,
        reader=files(_reads),
        dangers={"--stdin-paths": "takes names of files from its input"},
    ),
    verb(
        "worktree",
        "manages working trees",
        "Its verbs make, list and remove working trees of the repository.",
        category=Category.EXECUTE,
        reader=repository,
        verbs=(
            verb("list", "lists working trees", "It prints them.", "-v|--verbose -z --porcelain", reader=repository),
            verb(
                "add",
                "makes a working tree",
                _HOOKS,
                """-f|--force -d|--detach --checkout --lock --reason= -q|--quiet --track --guess-remote -b= -B=
                --orphan""",
                category=Category.EXECUTE,
                operands=Operands(),
                reader=_new_tree,
            ),
            verb(
                "remove|prune|move|lock|unlock|repair",
                "changes working trees",
                "It removes or moves working trees.",
                "-f|--force -n|--dry-run -v|--verbose --expire= --reason=",
                category=Category.WRITE,
                reader=files(_deletes),
            ),
        ),
    ),
    verb(
        "notes",
        "keeps notes on commits",
        "It adds and removes notes, which are references of their own.",
        "--ref=",
        category=Category.WRITE,
        reader=repository,
        verbs=(
            verb("list|show|get-ref", "shows notes", "It prints them.", "--ref=", reader=repository),
            verb(
                "add|append|copy|edit|remove|prune|merge",
                "changes notes",
                "It changes references of their own.",
                "-m|--message= -f|--force -c|--reedit-message= -C|--reuse-message= -n|--dry-run -v|--verbose --stdin",
                category=Category.WRITE,
                reads="-F|--file=",
                reader=repository,
            ),
        ),
    ),
    verb(
        "merge-file",
        "merges three files",
        "It changes the first file, or prints.",
        "-p|--stdout --diff3 --zdiff3 --ours --theirs --union --marker-size= -q|--quiet -L=",
        category=Category.WRITE,
        reader=files(_writes),
    ),
    _plumbing(
        "read-tree", "reads a tree into the index", "-m -u -i -n|--dry-run -v -q|--quiet --reset --prefix= --empty"
    ),
    _plumbing("commit-tree", "makes a commit", "-p= -m= -S|--gpg-sign[=]"),
    _plumbing("merge-tree", "merges trees", "--write-tree --messages --name-only --allow-unrelated-histories -z"),
    _plumbing("update-ref", "changes a reference", "-d -m= --create-reflog --deref"),
    _plumbing("sparse-checkout", "chooses which files are there", "--cone --sparse-index"),
    _plumbing("replace", "puts one object in the place of another", "-f|--force -d|--delete -l|--list --format="),
    _plumbing(
        "write-tree|mktree|mktag|rerere|pack-objects|unpack-objects|index-pack|commit-graph|multi-pack-index",
        "changes the repository",
        "-q|--quiet -z --missing-ok",
    ),
)

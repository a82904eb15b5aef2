"""The verbs of git that keep things aside, search, or change its own records."""

from assent.commandline.catalogue.git_words import (
    DIFF_DANGERS,
    HOOKS,
    INDEX,
    LISTS_FILES,
    PICKS_REVISIONS,
    SHOWS_DIFFERENCES,
    both,
    changes_files,
    deletes_word,
    files,
    read_named,
    reads_word,
    repository,
    shows_lines,
    verb,
    writes_word,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Reader
from assent.model.modes import Category


def _bisects(given: Given, findings: Findings) -> None:
    if given.operands:
        findings.danger("runs a command again and again (git bisect run)", given.start - 1)
        findings.runs(given.operands[0])


def _new_tree(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=True)
    for at in given.operands[:1]:
        findings.writes(given.words[at], at, whole=True)
    for at in given.operands[1:]:
        read_named(given.words[at], at, findings)


def _puts_aside(given: Given, findings: Findings) -> None:
    (files(writes_word) if given.operands else changes_files)(given, findings)


def _plumbing(names: str, does: str, harmless: str = "", reader: Reader = repository) -> Program:
    return verb(names, does, INDEX, harmless, category=Category.WRITE, reader=reader)


_DROPS = "can drop what could still be brought back"

_STASHES: tuple[Program, ...] = (
    verb(
        "list",
        "lists what was put aside",
        "It is git log on the stash.",
        f"{SHOWS_DIFFERENCES} {PICKS_REVISIONS} --decorate[=]",
        reader=both(repository, shows_lines()),
        numbers=True,
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "show",
        "shows what was put aside",
        "It is git diff on the stash.",
        f"{SHOWS_DIFFERENCES} --include-untracked --only-untracked",
        reader=both(repository, shows_lines()),
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
        reader=_puts_aside,
        lists=LISTS_FILES,
    ),
    verb(
        "pop|apply|branch",
        "brings changes back",
        "It writes into the working tree what was put aside from it.",
        "-q|--quiet --index",
        category=Category.WRITE,
        reader=changes_files,
    ),
    verb(
        "create|store",
        "keeps changes beside those that were put aside",
        "It stores changes in the repository.",
        "-q|--quiet -m|--message=",
        category=Category.WRITE,
        reader=repository,
    ),
    verb(
        "drop|clear",
        "forgets what was put aside",
        "Nothing else holds what was put aside, so it is no ordinary change.",
        "-q|--quiet",
        category=Category.EXECUTE,
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
        "stash",
        "puts changes aside",
        "Without a verb it takes changes out of the working tree and keeps them.",
        "-k|--keep-index -S|--staged -p|--patch -q|--quiet -u|--include-untracked -a|--all -m|--message=",
        category=Category.WRITE,
        reader=changes_files,
        verbs=_STASHES,
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
        """-q|--quiet --aggressive --auto --force --keep-largest-pack --cruft -a -A -d -f -F -l|--local -k
        -n|--dry-run -v|--verbose --progress --all --window= --depth= --threads= --max-pack-size=
        -b|--write-bitmap-index""",
        category=Category.WRITE,
        reader=repository,
        dangers={"--prune[=]": _DROPS, "--expire=": _DROPS},
    ),
    verb(
        "init",
        "makes a repository",
        "It makes a repository here or in the folder that it is given.",
        "--bare --shared[=] -q|--quiet -b|--initial-branch= --object-format= --ref-format=",
        category=Category.WRITE,
        outputs="--separate-git-dir=",
        reader=files(writes_word),
        dangers={"--template=": "puts hooks from another folder into the repository"},
    ),
    verb(
        "update-index",
        "changes the index",
        INDEX,
        """-q --add --replace --remove --unmerged --refresh --really-refresh --chmod= --assume-unchanged
        --skip-worktree --ignore-skip-worktree-entries --info-only --force-remove --again -g --ignore-missing
        --verbose --index-version= --split-index --ignore-submodules""",
        category=Category.WRITE,
        reader=files(reads_word),
        dangers={
            "--fsmonitor": "starts a program that watches the files",
            "-z": "takes names from its input",
        },
        lists="--stdin --index-info --cacheinfo",
    ),
    verb(
        "hash-object",
        "sums up a file as an object",
        "It reads a file; with -w it keeps the object in the repository.",
        "-t= --stdin --no-filters --literally --path= -w --filters",
        category=Category.WRITE,
        reader=files(reads_word),
        lists="--stdin-paths",
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
                HOOKS,
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
                "-n|--dry-run -v|--verbose --expire= --reason=",
                category=Category.WRITE,
                reader=files(deletes_word),
                dangers={"-f|--force": "throws away changes that are not committed"},
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
        reader=files(writes_word),
    ),
    _plumbing(
        "read-tree",
        "reads a tree into the index",
        "-m -u -i -n|--dry-run -v -q|--quiet --reset --prefix= --empty",
        changes_files,
    ),
    _plumbing("checkout-index", "writes files of the index", "-u -q -f -a|--all -n --mkdir --temp", changes_files),
    _plumbing("commit-tree", "makes a commit", "-p= -m= -S|--gpg-sign[=]"),
    _plumbing("merge-tree", "merges trees", "--write-tree --messages --name-only --allow-unrelated-histories -z"),
    _plumbing("update-ref", "changes a reference", "-m= --create-reflog --deref"),
    _plumbing("sparse-checkout", "chooses which files are there", "--cone --sparse-index", changes_files),
    _plumbing("replace", "puts one object in the place of another", "-f|--force -d|--delete -l|--list --format="),
    _plumbing(
        "write-tree|mktree|mktag|rerere|pack-objects|unpack-objects|index-pack|commit-graph|multi-pack-index",
        "changes the repository",
        "-q|--quiet -z --missing-ok",
        changes_files,
    ),
)

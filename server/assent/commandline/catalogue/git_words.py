"""What git's verbs have in common: options of several of them, and how their operands name files."""

from collections.abc import Callable, Mapping

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Reader, Takes, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category
from assent.model.paths import Access

SHOWS_DIFFERENCES = """
-p|-u|--patch -s|--no-patch -U|--unified[=] --output-indicator-new= --output-indicator-old=
--output-indicator-context= --raw --patch-with-raw --patch-with-stat --indent-heuristic --minimal --patience
--histogram --anchored= --diff-algorithm= --stat[=] --stat-width= --stat-name-width= --stat-graph-width=
--stat-count= --compact-summary --numstat --shortstat -X|--dirstat[=] --cumulative --dirstat-by-file[=] --summary
-z --name-only --name-status --submodule[=] --color[=] --color-moved[=] --color-moved-ws= --word-diff[=]
--word-diff-regex= --color-words[=] --no-renames --rename-empty --check --ws-error-highlight= --full-index --binary
--abbrev[=] -B|--break-rewrites[=] -M|--find-renames[=] -C|--find-copies[=] --find-copies-harder
-D|--irreversible-delete -l= --diff-filter= -S= -G= --find-object= --pickaxe-all --pickaxe-regex --skip-to=
--rotate-to= -R --relative[=] -a|--text --ignore-cr-at-eol --ignore-space-at-eol -b|--ignore-space-change
-w|--ignore-all-space --ignore-blank-lines -I|--ignore-matching-lines= --inter-hunk-context= -W|--function-context
--exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=] --src-prefix= --dst-prefix= --no-prefix
--default-prefix --line-prefix= --ita-invisible-in-index --ita-visible-in-index --cc -c --combined-all-paths -m --dd
--remerge-diff --diff-merges= --no-diff-merges -t -r --merge-base
"""

PICKS_REVISIONS = """
-n|--max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep=
--grep-reflog= --all-match --invert-grep -i|--regexp-ignore-case --basic-regexp -E|--extended-regexp
-F|--fixed-strings -P|--perl-regexp --remove-empty --merges --no-merges --min-parents[=] --max-parents[=]
--no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches[=] --tags[=]
--remotes[=] --glob= --exclude= --exclude-hidden= --reflog --single-worktree --ignore-missing --bisect --cherry-mark
--cherry-pick --left-only --right-only --cherry -g|--walk-reflogs --merge --boundary --simplify-by-decoration
--show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path[=] --date-order --author-date-order
--topo-order --reverse --no-walk[=] --do-walk --pretty[=] --format[=] --abbrev-commit --no-abbrev-commit --oneline
--encoding[=] --expand-tabs[=] --no-expand-tabs --notes[=] --no-notes --show-notes[=] --show-notes-by-default
--standard-notes --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break[=]
"""

SHOWS_LOG = """
--follow --decorate[=] --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --use-mailmap --mailmap
--log-size --full-diff -L= -q
"""

HOOKS = "It changes the repository and may run its hooks; an option that names a program is a danger."
INDEX = "It changes the index of the repository."
LISTS_FILES = "--pathspec-from-file="

DIFF_DANGERS: Mapping[str, str] = {
    "--ext-diff": "runs the programs that the configuration names for differences",
    "--textconv": "runs the programs that the configuration names for making text of files",
}

LOG_DANGERS: Mapping[str, str] = {
    "--show-signature": "runs the program that checks signatures",
    "--alternate-refs": "runs the program that the configuration names for borrowed objects",
    "--stdin": "takes further arguments from its input",
}


_ANY = Operands()


def verb(
    names: str,
    does: str,
    reason: str,
    harmless: str = "",
    *,
    category: Category = Category.READ,
    operands: Operands = _ANY,
    reader: Reader | None = None,
    verbs: tuple[Program, ...] = (),
    numbers: bool = False,
    may_change: bool = False,
    dangers: Mapping[str, str] | None = None,
    reads: str = "",
    writes: str = "",
    outputs: str = "",
    lists: str = "",
) -> Program:
    """A verb of git, with what its own reader of options adds: every flag's opposite, and both kinds of help."""
    told = {} if dangers is None else dict(dangers)
    table = options(harmless, reads=reads, writes=writes, outputs=outputs, lists=lists, dangers=told)
    _add_opposites(table)
    table.setdefault("-h", Option(("-h",)))
    table.setdefault("--help", Option(("--help",), use=Use.DANGER, why="opens the manual in another program"))
    return Program(
        tuple(names.split("|")),
        does=does,
        reason=reason,
        category=category,
        options=table,
        operands=operands,
        reader=reader,
        verbs=verbs,
        numbers=numbers,
        may_change=may_change,
    )


def _add_opposites(table: dict[str, Option]) -> None:
    for name, option in list(table.items()):
        opposite = name.replace("--", "--no-", 1)
        if option.use is Use.TEXT and name.startswith("--") and not name.startswith("--no-") and opposite not in table:
            table[opposite] = Option((opposite,), Takes.NOTHING)


def dangerous_verb(names: str, does: str, why: str) -> Program:
    """A verb that can start anything: its own name is what makes it dangerous."""

    def tell(given: Given, findings: Findings) -> None:
        findings.danger(f"{why} (git {names.partition('|')[0]})", given.start - 1)
        findings.roams |= {Access.READ, Access.WRITE}

    return verb(names, does, f"It {why}.", category=Category.EXECUTE, reader=tell)


def both(*readers: Reader) -> Reader:
    """One reader after the other."""

    def read(given: Given, findings: Findings) -> None:
        for reader in readers:
            reader(given, findings)

    return read


_STRATEGIES = frozenset({"ort", "recursive", "resolve", "octopus", "ours", "subtree"})


def strategies(given: Given, findings: Findings) -> None:
    """Another way to merge than git's own is a program of its own."""
    for one in given.options:
        if "--strategy" in one.option.names and one.value is not None and one.value.text not in _STRATEGIES:
            findings.danger(f"merges with the program git-merge-{one.value.text}", one.value_at)


def repository(given: Given, findings: Findings) -> None:
    """It reads the repository that it runs in."""
    findings.reads_here(whole=False)


def changes_files(given: Given, findings: Findings) -> None:
    """It writes into the working tree, or makes git do so later, what none of its words names."""
    findings.reads_here(whole=False)
    findings.roams.add(Access.WRITE)


def revisions_and_files(given: Given, findings: Findings) -> None:
    """Operands can be revisions or files; after `--` they are files. All of it is read."""
    findings.reads_here(whole=False)
    for at, word in _operand_words(given):
        if given.ended is None or at < given.ended:
            read_named(word, at, findings)
        else:
            read_pathspec(word, at, findings)


def files(use: Callable[[Findings, Argument, int], None], *, revision_first: bool = False) -> Reader:
    """Operands are files that are used in this way; before `--`, the first can be a revision."""

    def read(given: Given, findings: Findings) -> None:
        findings.reads_here(whole=False)
        for place, (at, word) in enumerate(_operand_words(given)):
            before = given.ended is None or at < given.ended
            if before and revision_first and (given.ended is not None or place == 0):
                read_named(word, at, findings)
            elif _is_magic(word):
                use(findings, Argument(".", written=word.written), at)
            else:
                use(findings, word, at)

    return read


def _operand_words(given: Given) -> list[tuple[int, Argument]]:
    return [(at, given.words[at]) for at in given.operands]


def read_named(word: Argument, at: int, findings: Findings) -> None:
    """A revision, a file, or a file in a revision: what it shows is read like the file of that name."""
    text = word.text
    if text.startswith(":"):
        staged = text[3:] if text[1:2].isdigit() and text[2:3] == ":" else text[1:]
        if not text.startswith((":/", ":!", ":^", ":(")):
            findings.reads(_part_of(word, staged), at)
        return
    revision, colon, path = text.partition(":")
    if colon:
        findings.reads(_part_of(word, path), at)
    elif not (word.plain or (word.exact and is_revision(revision))):
        findings.reads(word, at)


def _part_of(word: Argument, text: str) -> Argument:
    return Argument(text, word.exact, word.many, word.glob, below=False, written=word.written)


def read_pathspec(word: Argument, at: int, findings: Findings) -> None:
    """What stands after `--`; the signs that git gives a meaning in front of it are no part of the name."""
    if not _is_magic(word):
        findings.reads(word, at, whole=True)


def _is_magic(word: Argument) -> bool:
    return word.exact and word.text.startswith(":")


_NAMED_REVISIONS = frozenset({"HEAD", "@", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"})
_HEX = frozenset("0123456789abcdefABCDEF")


def is_revision(text: str) -> bool:
    """Whether this can only be meant as a revision: no file of this name is worth a question."""
    if text.startswith("/") or ".." in text.split("/"):
        return False
    if text in _NAMED_REVISIONS or text.startswith(("refs/", "stash@")):
        return True
    if ".." in text or "~" in text[1:] or "^" in text or "@{" in text:
        return True
    return 7 <= len(text) <= 64 and set(text) <= _HEX


def shows_lines(*, always: bool = False) -> Reader:
    """Unless words name the files, lines of any of them: always but where it only sums up, or when told so."""

    def read(given: Given, findings: Findings) -> None:
        shows = given.has(*_PATCHES) or (always and not given.has(*_NO_LINES))
        if shows and not _names_its_files(given):
            findings.reads_here(whole=True)

    return read


def _names_its_files(given: Given) -> bool:
    """By `--`, or by `revision:file`: any other word can be a revision, whatever it looks like."""
    words = _operand_words(given)
    after = [word for at, word in words if given.ended is not None and at >= given.ended]
    if after:
        return not any(map(_is_magic, after))
    return bool(words) and all(word.exact and ":" in word.text[1:] for _, word in words)


_SHOWS_PATCHES = """
-p -U -c --cc -W -G --binary --dd --word-diff --color-words --patch-with-stat --patch-with-raw --remerge-diff
"""
_PATCHES = tuple(_SHOWS_PATCHES.split())
_ONLY_SUMS_UP = "--stat --numstat --shortstat --name-only --name-status --summary --raw -s --quiet"
_NO_LINES = tuple(_ONLY_SUMS_UP.split())


def transport(given: Given, findings: Findings) -> None:
    """The address of a repository can name a program that is to be talked to."""
    findings.reads_here(whole=False)
    findings.raises(Category.EXTERNAL)
    for at, word in _operand_words(given):
        address(word, at, findings)


def address(word: Argument, at: int | None, findings: Findings) -> None:
    """Where a repository is: an address with a transport of its own starts a program."""
    if "::" in word.text or not (word.exact or word.plain):
        findings.danger(f"can start a program by the address {word.written or word.text}", at)
    elif word.text.startswith(("/", "../", "./", "~")) or word.text in ("..", "."):
        findings.reads(word, at, whole=True)
    elif word.text.startswith("file://"):
        findings.reads(Argument(word.text[len("file://") :], written=word.written), at, whole=True)


def reads_word(findings: Findings, word: Argument, at: int) -> None:
    """It is read, with all that is in it."""
    findings.reads(word, at, whole=True)


def writes_word(findings: Findings, word: Argument, at: int) -> None:
    """It is made or changed, with all that is in it."""
    findings.writes(word, at, whole=True)


def deletes_word(findings: Findings, word: Argument, at: int) -> None:
    """It is deleted."""
    findings.deletes(word, at)

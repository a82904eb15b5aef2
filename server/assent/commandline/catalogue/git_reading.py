"""The verbs of git that show something and change nothing."""

from assent.commandline.catalogue.git_words import (
    DIFF_DANGERS,
    LOG_DANGERS,
    PICKS_REVISIONS,
    SHOWS_DIFFERENCES,
    SHOWS_LOG,
    address,
    repository,
    revisions_and_files,
    verb,
)
from assent.commandline.catalogue.schema import Operands, Program
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output
from assent.model.modes import Category

_LOG = f"{SHOWS_DIFFERENCES} {PICKS_REVISIONS} {SHOWS_LOG}"
_LOG_DANGERS = {**DIFF_DANGERS, **LOG_DANGERS}
_NAMES_HERE = Output(names_below=".")


def _prints_names(given: Given, findings: Findings) -> None:
    """Names are relative to where git works; with `-C` that is another place than where they are used."""
    if not any(word.text.startswith("-C") for word in given.words[: given.start]):
        findings.prints(_NAMES_HERE)


def _differences(given: Given, findings: Findings) -> None:
    revisions_and_files(given, findings)
    if given.has("--name-only") and not given.has("-z") and not given.has("--no-index"):
        _prints_names(given, findings)


def _names(given: Given, findings: Findings) -> None:
    revisions_and_files(given, findings)
    if not given.has("-s", "-t", "-v", "-f", "--eol", "--format", "--debug", "-u"):
        _prints_names(given, findings)


def _grep(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=True)
    pattern_given = given.has("-e", "-f")
    for place, at in enumerate(given.operands):
        if place > 0 or pattern_given:
            findings.reads(given.words[at], at, whole=True)
    if given.has("-l", "-L", "--name-only") and not given.has("-z"):
        _prints_names(given, findings)


def _asks_remote(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=False)
    if not given.has("--get-url"):
        findings.raises(Category.EXTERNAL)
    for at in given.operands[:1]:
        address(given.words[at], at, findings)


def _read_everything(given: Given, findings: Findings) -> None:
    for at in given.operands:
        findings.reads(given.words[at], at)
    findings.reads_here(whole=False)


_PLAIN = Operands()
_SHOWS = "It shows what the repository holds; an option that writes a file or starts a program is a danger."

PROGRAMS: tuple[Program, ...] = (
    verb(
        "status",
        "shows what has changed in the working tree",
        "It compares the working tree with the index, and at most refreshes the index.",
        """-v|--verbose -s|--short -b|--branch --show-stash --ahead-behind --porcelain[=] --long -z|--null
        -u|--untracked-files[=] --ignored[=] --ignore-submodules[=] --column[=] -M|--find-renames[=] --renames""",
        reader=revisions_and_files,
    ),
    verb(
        "log|whatchanged",
        "shows the history",
        _SHOWS,
        _LOG,
        reader=_differences,
        numbers=True,
        reads="-O=",
        outputs="--output=",
        dangers=_LOG_DANGERS,
    ),
    verb(
        "show",
        "shows commits, tags or files of the history",
        _SHOWS,
        _LOG,
        reader=_differences,
        numbers=True,
        reads="-O=",
        outputs="--output=",
        dangers=_LOG_DANGERS,
    ),
    verb(
        "diff",
        "shows differences",
        "It compares files, inside the repository or, with --no-index, anywhere.",
        f"{SHOWS_DIFFERENCES} --staged|--cached --follow -1|--base -2|--ours -3|--theirs -0 --no-index -q",
        reader=_differences,
        reads="-O=",
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "diff-tree|diff-index|diff-files",
        "shows differences",
        "The plain forms of diff, for scripts.",
        f"""{SHOWS_DIFFERENCES} --cached --root --no-commit-id --pretty[=] --format[=] -v --always -0 -1 -2 -3 -q
        --base --ours --theirs""",
        reader=_differences,
        reads="-O=",
        outputs="--output=",
        dangers={**DIFF_DANGERS, "--stdin": "takes further arguments from its input"},
    ),
    verb(
        "range-diff",
        "compares two versions of a series of commits",
        _SHOWS,
        f"{SHOWS_DIFFERENCES} --creation-factor= --dual-color --notes[=] --left-only --right-only",
        reader=revisions_and_files,
        reads="-O=",
        outputs="--output=",
        dangers=DIFF_DANGERS,
    ),
    verb(
        "shortlog",
        "sums the history up by author",
        _SHOWS,
        f"""{PICKS_REVISIONS.replace("-n|", "").replace("--committer=", "")} -n|--numbered -s|--summary -e|--email
        -c|--committer --group= -w[=]""",
        reader=revisions_and_files,
        numbers=True,
    ),
    verb(
        "rev-list",
        "lists commits",
        _SHOWS,
        f"""{PICKS_REVISIONS} --count --timestamp --header --quiet --objects --objects-edge
        --objects-edge-aggressive --indexed-objects --in-commit-order --unpacked --object-names --filter=
        --disk-usage[=]
        --filter-print-omitted --missing= --progress= --use-bitmap-index --bisect-vars --bisect-all --no-commit-header
        --commit-header --exclude-promisor-objects""",
        reader=revisions_and_files,
        numbers=True,
        dangers=LOG_DANGERS,
    ),
    verb(
        "rev-parse",
        "says what names in the repository mean",
        "It prints what it makes of its arguments.",
        """--abbrev-ref[=] --show-toplevel --short[=] --verify -q|--quiet --git-dir --absolute-git-dir
        --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository
        --show-prefix --show-cdup --symbolic --symbolic-full-name --all --branches[=] --tags[=] --remotes[=] --glob=
        --exclude= --not --sq --sq-quote --git-path= --show-superproject-working-tree --show-object-format[=] --since=
        --after= --until= --before= --revs-only --no-revs --flags --no-flags --default= --prefix= --local-env-vars
        --shared-index-path --path-format= --disambiguate= --parseopt --keep-dashdash --stop-at-non-option
        --stuck-long --end-of-options""",
        reader=repository,
    ),
    verb(
        "ls-files",
        "lists the files that git knows",
        "It lists names of the index and the working tree.",
        """-z -t -v -f -c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage -k|--killed
        --directory --eol --empty-directory -u|--unmerged --resolve-undo -x|--exclude= --exclude-per-directory=
        --exclude-standard --full-name --recurse-submodules --error-unmatch --with-tree= --abbrev[=] --debug
        --deduplicate --sparse --format=""",
        reads="-X|--exclude-from=",
        reader=_names,
    ),
    verb(
        "ls-tree",
        "lists the files of a tree",
        "It lists names in the history.",
        "-d -r -t -z -l|--long --name-only --name-status --object-only --full-name --full-tree --format= --abbrev[=]",
        reader=repository,
    ),
    verb(
        "ls-remote",
        "lists the references of another repository",
        "It contacts the repository that it is given.",
        "-q|--quiet -h|--heads|--branches -t|--tags --refs --get-url --sort= --exit-code --symref",
        reader=_asks_remote,
        dangers={
            "--upload-pack|--exec=": "names the program that is started at the other end",
            "-o|--server-option=": "is handed to the other end",
        },
    ),
    verb(
        "cat-file",
        "shows an object",
        "It prints what the repository holds under a name.",
        """-e -p -t -s -z --allow-unknown-type --use-mailmap --mailmap --batch[=] --batch-check[=]
        --batch-command[=] --batch-all-objects --buffer --follow-symlinks --unordered --path=""",
        reader=revisions_and_files,
        dangers={
            "--textconv": "runs the programs that the configuration names for making text of files",
            "--filters": "runs the programs that the configuration names as filters",
        },
    ),
    verb(
        "describe",
        "names a commit after the nearest tag",
        _SHOWS,
        """--contains --debug --all --tags --long --first-parent --abbrev[=] --exact-match --candidates= --match=
        --exclude= --always --dirty[=] --broken[=]""",
        reader=revisions_and_files,
    ),
    verb(
        "blame|annotate",
        "shows who changed which line",
        "It reads a file and its history.",
        """--incremental --root --show-stats --progress --score-debug -f|--show-name -n|--show-number -p|--porcelain
        --line-porcelain -e|--show-email --ignore-rev= --color-lines --color-by-age --minimal --abbrev[=] -b -c -t -l
        -s -w -C[=] -M[=] -L= --since= --after= --first-parent --reverse --date= --encoding= --no-textconv""",
        reads="-S= --ignore-revs-file= --contents=",
        reader=revisions_and_files,
        dangers={"--textconv": "runs the programs that the configuration names for making text of files"},
    ),
    verb(
        "grep",
        "looks for text in the working tree or the history",
        "It reads files; with --no-index also those that git does not know.",
        """--cached --no-index --untracked --exclude-standard --recurse-submodules -v|--invert-match -i|--ignore-case
        -w|--word-regexp -a|--text -I --no-textconv -r|--recursive --max-depth= -E|--extended-regexp
        -G|--basic-regexp -F|--fixed-strings -P|--perl-regexp -n|--line-number --column -h -H --full-name
        -l|--files-with-matches|--name-only -L|--files-without-match -z|--null -o|--only-matching -c|--count
        --color[=] --break --heading -C|--context= -B|--before-context= -A|--after-context= --threads=
        -p|--show-function -W|--function-context -e= --and --or --not -q|--quiet --all-match -m|--max-count=""",
        reads="-f=",
        reader=_grep,
        numbers=True,
        dangers={
            "-O|--open-files-in-pager[=]": "opens the files it finds in another program",
            "--textconv": "runs the programs that the configuration names for making text of files",
            "--ext-grep": "runs another program to search",
        },
    ),
    verb(
        "for-each-ref",
        "lists references",
        _SHOWS,
        """-s|--shell -p|--perl --python --tcl --count= --format= --color[=] --sort= --points-at= --merged[=]
        --contains[=] --no-merged[=] --no-contains[=] --ignore-case --omit-empty --include-root-refs --exclude=""",
        reader=repository,
    ),
    verb(
        "show-ref",
        "lists references",
        _SHOWS,
        "--tags --heads --branches --verify --head -d|--dereference -s|--hash[=] --abbrev[=] -q|--quiet --exists",
        reader=repository,
        dangers={"--exclude-existing[=]": "takes names from its input"},
    ),
    verb(
        "show-branch",
        "shows branches and their commits",
        _SHOWS,
        """-a|--all -r|--remotes --color[=] --more[=] --list --no-name --current --sha1-name --merge-base
        --independent --topo-order --topics --sparse --date-order -g|--reflog[=]""",
        reader=repository,
    ),
    verb("cherry", "finds commits that are not yet upstream", _SHOWS, "--abbrev[=] -v|--verbose", reader=repository),
    verb(
        "merge-base",
        "finds common ancestors",
        _SHOWS,
        "-a|--all --octopus --independent --is-ancestor --fork-point",
        reader=repository,
    ),
    verb(
        "name-rev",
        "names commits",
        _SHOWS,
        "--name-only --tags --refs= --exclude= --all --stdin --annotate-stdin --undefined --always --peel-tag",
        reader=repository,
    ),
    verb(
        "var",
        "shows a setting of git",
        "It prints one of the values that git would use.",
        "-l",
        reader=repository,
    ),
    verb(
        "count-objects",
        "counts the objects of the repository",
        _SHOWS,
        "-v|--verbose -H|--human-readable",
        reader=repository,
        operands=Operands(rest=None),
    ),
    verb(
        "fsck",
        "checks the repository",
        "It reads all objects; what it finds lost it writes only when told.",
        """-v|--verbose --unreachable --dangling --tags --root --cache --reflogs --full --connectivity-only --strict
        --progress --name-objects""",
        reader=repository,
        dangers={"--lost-found": "writes the lost objects into the repository"},
    ),
    verb(
        "check-ignore",
        "says which names git ignores",
        _SHOWS,
        "-q|--quiet -v|--verbose --stdin -z -n|--non-matching --index",
        reader=repository,
    ),
    verb(
        "check-attr",
        "says which attributes files have",
        _SHOWS,
        "-a|--all --cached --stdin -z --source=",
        reader=repository,
    ),
    verb(
        "check-ref-format|check-mailmap",
        "checks a name",
        "It looks at its arguments alone.",
        "--normalize --print --branch --allow-onelevel --refspec-pattern --stdin",
        reader=repository,
    ),
    verb("version", "shows its version", "It prints one line.", "--build-options"),
    verb("get-tar-commit-id|stripspace", "reads its input", "It prints what it is given.", "-s|--strip-comments"),
    verb(
        "patch-id",
        "sums a patch up",
        "It reads its input and prints a number.",
        "--stable --unstable --verbatim",
    ),
    verb(
        "verify-commit|verify-tag|verify-pack",
        "checks signatures or packs",
        "It reads; the program for signatures is the one that the configuration names.",
        "-v|--verbose --raw --format= -s|--stat-only",
        reader=_read_everything,
    ),
    verb(
        "help",
        "shows help",
        "Only its lists are printed; a page of the manual opens in another program.",
        """-a|--all -g|--guides --verbose -c|--config --external-commands --aliases --developer-interfaces
        --user-interfaces""",
        operands=Operands(rest=None),
    ),
)

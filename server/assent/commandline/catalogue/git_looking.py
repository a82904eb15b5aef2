"""The plainer verbs of git that show what the repository holds."""

from assent.commandline.catalogue.git_words import (
    LOG_DANGERS,
    PICKS_REVISIONS,
    address,
    repository,
    revisions_and_files,
    verb,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program
from assent.model.modes import Category

_SHOWS = "It shows what the repository holds; an option that starts a program is a danger."


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


PROGRAMS: tuple[Program, ...] = (
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
        """-e -p -t -s -z --allow-unknown-type --use-mailmap --mailmap --batch-check[=]
        --batch-all-objects --buffer --follow-symlinks --unordered --path=""",
        reader=revisions_and_files,
        lists="--batch[=] --batch-command[=]",
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
        "",
        dangers={"-l": "shows the user's settings, with the keys that may stand in them"},
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

"""The verbs of git that show something and change nothing."""

from dataclasses import replace

from assent.commandline.catalogue.git_words import (
    DIFF_DANGERS,
    LOG_DANGERS,
    PICKS_REVISIONS,
    SHOWS_DIFFERENCES,
    SHOWS_LOG,
    both,
    revisions_and_files,
    shows_lines,
    verb,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output
from assent.commandline.schema import Operands, Program
from assent.model.commands import Tells

_LOG = f"{SHOWS_DIFFERENCES} {PICKS_REVISIONS} {SHOWS_LOG}"
_LOG_DANGERS = {**DIFF_DANGERS, **LOG_DANGERS}


def _prints_names(given: Given, findings: Findings) -> None:
    """Names are relative to where git works; with `-C` that is another place than where they are used."""
    if not any(word.text.startswith("-C") for word in given.words[: given.start]):
        endings = [given.words[at].text.rpartition("/")[2] for at in given.operands if given.words[at].exact]
        told = len(endings) == len(given.operands) and all(ending.startswith("*.") for ending in endings)
        findings.prints(Output(names_below="", named=tuple(endings) if told else ()))


def _lines_of_a_file(given: Given, findings: Findings) -> None:
    """`-L1,5:file`."""
    for one in given.options:
        if "-L" in one.option.names and one.value is not None:
            file = replace(one.value, text=one.value.text.rpartition(":")[2])
            findings.reads(file, one.value_at)


def _differences(given: Given, findings: Findings) -> None:
    revisions_and_files(given, findings)
    if given.has("--no-index"):
        for at in given.operands:
            findings.reads(given.words[at], at, whole=True)
        findings.goes_through(Tells.LINES)
    if given.has("--name-only") and not given.has("--no-index") and given.program.names[0] == "diff":
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
    findings.goes_through(Tells.LINES)
    if given.has("-l", "-L", "--name-only") and not given.has("--no-index"):
        _prints_names(given, findings)


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
        reader=both(_differences, _lines_of_a_file, shows_lines()),
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
        reader=both(_differences, _lines_of_a_file, shows_lines(always=True)),
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
        reader=both(_differences, shows_lines(always=True)),
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
        reader=both(_differences, shows_lines()),
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
)

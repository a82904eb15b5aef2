"""Programs that are told what to do in a language of their own, which is read by a module for it beside this one."""

import re

from assent.commandline.catalogue import awk_script, sed_script
from assent.commandline.catalogue.changes import first_of, writes_by_purpose
from assent.commandline.catalogue.jq_words import jq_words
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category

_SCRIPT_GIVEN = frozenset({"-e", "-f"})
_STREAMS = frozenset({"/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/null"})
_SUFFIX_APART = re.compile(r"|\.\w+~?")
"""What stands after `-i` where a suffix has to be given: no script begins with a dot."""


def _edits(given: Given, findings: Findings) -> None:
    """sed: its scripts, and whether it changes its files."""
    scripts = [
        (one.value, one.at if one.value_at is None else one.value_at)
        for one in given.options
        if "-e" in one.option.names and one.value is not None
    ]
    files = list(given.operands)
    in_place = first_of(given, "-i")
    if not given.has(*_SCRIPT_GIVEN):
        apart = in_place is not None and given.value("-i") is None
        if apart and files and _is_suffix(findings.words[files[0]]):
            files.pop(0)
        elif apart and len(files) > 2:
            _other_reading(findings.words[files[1]], files[1], findings)
        if files:
            at = files.pop(0)
            scripts.append((findings.words[at], at))
    _sed_scripts(scripts, findings)
    for at in files:
        findings.reads(findings.words[at], at)
    if in_place is not None:
        _in_place(files, given, in_place, findings)


def _is_suffix(word: Argument) -> bool:
    return word.exact and _SUFFIX_APART.fullmatch(word.text) is not None


def _sed_scripts(scripts: list[tuple[Argument, int]], findings: Findings) -> None:
    """Several scripts are one, a line each."""
    for word, at in scripts:
        if not word.exact or word.glob:
            findings.unclear(f"is given the script {word.written or word.text}, of which nobody knows what it does", at)
            return
    if not scripts:
        return
    at = scripts[-1][1]
    if any(word.text.endswith("\\") for word, _ in scripts[:-1]):
        findings.unclear("has a script that goes on in another one", at)
        return
    try:
        script = sed_script.read_sed("\n".join(word.text for word, _ in scripts))
    except sed_script.NotUnderstood as fault:
        findings.unclear(f"has a script that is not understood: {fault}", at)
        return
    if script.runs:
        findings.dynamic = True
        findings.danger("has a script that starts programs", at)
    for name in script.reads:
        findings.reads(Argument(name), at)
    for name in script.writes:
        if name not in _STREAMS:
            findings.writes_beside(Argument(name), at)


def _other_reading(word: Argument, at: int, findings: Findings) -> None:
    """Where `-i` takes the next word, this is the script: nothing is written then that was not seen."""
    if not word.exact or word.glob:
        return
    try:
        written = sed_script.read_sed(word.text).writes
    except sed_script.NotUnderstood:
        return
    for name in written:
        if name.startswith("/") or ".." in name.split("/"):
            findings.writes_beside(Argument(name), at)


def _in_place(files: list[int], given: Given, at: int, findings: Findings) -> None:
    suffix = given.value("-i")
    findings.danger("changes its files in place", at, Category.WRITE)
    if suffix is not None and (not suffix.exact or re.search(r"[/*]", suffix.text)):
        findings.danger(f"keeps copies under names that {suffix.written or suffix.text} tells", at)
    writes_by_purpose(findings)
    for place in files:
        findings.writes(findings.words[place], place)


def _awk(given: Given, findings: Findings) -> None:
    if given.has("-f") or not given.operands:
        return
    at = given.operands[0]
    word = findings.words[at]
    if not word.exact or word.glob:
        findings.unclear(f"is given the program {word.written or word.text}, of which nobody knows what it does", at)
        return
    try:
        program = awk_script.read_awk(word.text)
    except awk_script.NotUnderstood as fault:
        findings.unclear(f"has a program that is not understood: {fault}", at)
        return
    findings.dynamic = findings.dynamic or program.starts
    for danger in dict.fromkeys(program.dangers):
        findings.danger(f"has a program that {danger}", at)
    for sentence in dict.fromkeys(program.unknown):
        findings.not_known(sentence, at)
    for name in program.reads:
        findings.reads(Argument(name), at)
    for name in program.writes:
        findings.writes_beside(Argument(name), at)


_SED = options(
    "-n|--quiet|--silent --debug -e|--expression= --follow-symlinks -i|--in-place[=] --line-length= --posix "
    "-E|-r|--regexp-extended -s|--separate --sandbox -u|--unbuffered -z|--null-data|--zero-terminated --binary "
    "--help --version",
    loads="-f|--file=",
)
"""`-l` has a value in one version and none in the other, and is left out; so is the `-I` of the other."""

_AWK = options(
    "-F|--field-separator= -v|--assign= --posix --traditional --re-interval --sandbox --csv --characters-as-bytes "
    "-version --version --help",
    loads="-f|--file=",
)

_YQ = options(
    "-P|--prettyPrint -r|--raw-output|--unwrapScalar[=] -n|--null-input -N|--no-doc -j|--tojson|--join-output "
    "-C|--colors|--color-output -M|--no-colors|--monochrome-output -e|--exit-status -v|--verbose -y|--yaml-output "
    "-Y|--yaml-roundtrip -c|--compact-output -S|--sort-keys -a|--ascii-output -i|--inplace|--in-place "
    "-V|--version -h|--help --header-preprocess[=] --nul-output --xml-output -x -t --toml-output "
    "--indentless-lists|--indentless",
    reads="-o|--output-format= -p|--input-format= -I|--indent= --xml-attribute-prefix= --width=",
    dangers={"-s|--split-exp=": "writes a file for each piece"},
)
"""Values count as files that are read: one of the two programs takes none there."""
_YQ_VERBS = frozenset({"e", "eval", "ea", "eval-all"})
_YQ_REACHES = re.compile(r"\b(load\w*|system|import|include|eval)\b")


def _yaml(given: Given, findings: Findings) -> None:
    operands = list(given.operands)
    if operands and findings.words[operands[0]].text in _YQ_VERBS:
        operands.pop(0)
    in_place = first_of(given, "-i")
    if in_place is not None:
        findings.danger("changes its files in place", in_place, Category.WRITE)
        writes_by_purpose(findings)
    for count, at in enumerate(operands):
        word = findings.words[at]
        if _YQ_REACHES.search(word.text) or not word.exact:
            findings.danger(f"has an expression that can reach further ({word.written or word.text})", at)
        if count or len(operands) == 1:
            # Where there is only one, it may be the file.
            findings.reads(word, at)
        if in_place is not None and (count or len(operands) == 1):
            findings.writes(word, at)


PROGRAMS: tuple[Program, ...] = (
    Program(
        ("sed", "gsed"),
        "edits text as a script says",
        "The script is read command by command: some read or write files, some start programs. With -i it writes.",
        options=_SED,
        operands=Operands(rest=Use.TEXT),
        reader=_edits,
    ),
    Program(
        ("awk", "gawk", "mawk", "nawk"),
        "prints what a program computes from text",
        "The program is read word by word: system, pipes, files that are written, and code from elsewhere stand out.",
        options=_AWK,
        operands=Operands(first=(Use.TEXT,), rest=Use.READ, first_unless=frozenset({"-f"})),
        stops=True,
        runs_code=True,
        reader=_awk,
    ),
    Program(
        ("yq",),
        "computes from YAML",
        "Two programs have this name. In both -i writes; the language of one can load files and start programs.",
        options=_YQ,
        operands=Operands(rest=Use.TEXT),
        reader=_yaml,
    ),
    Program(
        ("jq", "gojq", "jaq"),
        "computes from JSON",
        "Its language can start nothing and write nothing. Options and imports make it read more files.",
        open=True,
        sorts_words=True,
        reader=jq_words,
    ),
)

"""Editors and manuals: what they show, and the ways in which they run commands of their own."""

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_COMMANDS = "runs commands of the editor"


def _opens(given: Given, findings: Findings) -> None:
    """`+command` before or between the files."""
    if given.piped:
        findings.danger("takes the commands of the editor from its input")
    for at in given.operands:
        word = given.words[at]
        if word.text.startswith("+") or word.may_be_option:
            findings.danger(f"{_COMMANDS} ({word.written or word.text})", at)


def _manuals(given: Given, findings: Findings) -> None:
    for at in given.operands:
        word = given.words[at]
        if "/" in word.text or not word.exact:
            findings.danger(f"formats {word.written or word.text}, which can start other programs", at)


def _editor(names: str, harmless: str, *, runs: str) -> Program:
    return Program(
        tuple(names.split()),
        "opens an editor",
        "It waits for a person; with its options it runs commands of its own, which can start anything.",
        category=Category.EXECUTE,
        options=options(harmless, dangers=dict.fromkeys(runs.split(), _COMMANDS)),
        operands=Operands(rest=Use.WRITE),
        runs_code=True,
        reader=_opens,
    )


PROGRAMS: tuple[Program, ...] = (
    Program(
        ("man",),
        "shows a manual",
        "It prints through a pager that its options choose, and its configuration can name any formatter.",
        options=options(
            "-k|--apropos -f|--whatis -a|--all -w|--where|--path|--location -W|--where-cat -s|-S|--sections= "
            "-e|--extension= -i|--ignore-case -I|--match-case -K|--global-apropos -L|--locale= -m|--systems= "
            "--names-only "
            "--regex --wildcard -d|--debug -D|--default -7|--ascii -E|--encoding= --no-hyphenation --no-justification "
            "-u|--update --version --help",
            dangers={
                "-P|--pager=": "starts a pager of its choice",
                "-H|--html[=]": "starts a browser",
                "-C|--config-file=": "takes its programs from a file",
                "-M|--manpath=": "takes manuals from elsewhere",
                "-l|--local-file": "formats any file",
                "-p|--preprocessor=": "starts other programs",
                "-T|--troff-device[=]": "formats for a device",
                "-t|--troff": "starts other programs",
                "-X|--gxditview[=]": "starts a viewer",
                "-Z|--ditroff": "starts other programs",
                "-R|--recode=": "recodes its source",
                "-r|--prompt=": "hands text to the pager",
            },
        ),
        operands=Operands(rest=Use.TEXT),
        reader=_manuals,
    ),
    _editor(
        "vim vi nvim view vimdiff rvim gvim ex",
        "-R -M -m -b -n -N -C -e -E -v -y -Z -f -o -O -p -r -L -x --noplugin --clean --version --help -h",
        runs="-c= --cmd= -S= -s= -u= -U= -i= -w= -W= -t= -q= -l= -T= --startuptime= --servername= --remote "
        "--remote-expr= --remote-send= --headless --embed --listen= --server= -d -V[=]",
    ),
    _editor(
        "nano pico", "-l -v --view -i -m -w -W -L -c -E -T= --version --help -h", runs="-s= -f= --rcfile= -C= -B -Q="
    ),
    _editor(
        "emacs",
        "-nw -Q --version --help",
        runs="-f= -l= --funcall= --load= --eval= --execute= --batch --script= -batch -eval= -script= --insert= "
        "--daemon -x=",
    ),
    _editor("dc", "-V --version -h --help", runs="-e= --expression= -f= --file="),
    _editor("ed red", "-s -p= --version --help", runs="-G -E -r"),
)
"""Programs that show files to people."""

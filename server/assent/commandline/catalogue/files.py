"""Programs that copy, move, make and delete files."""

from dataclasses import replace

from assent.commandline.catalogue.changes import beginning_with, listed
from assent.commandline.catalogue.copying import copies, installs, links, rights
from assent.commandline.catalogue.looking import HELP
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category


def _cuts(given: Given, findings: Findings) -> None:
    """The pieces have names of their own, which begin as the second operand says."""
    operands = given.operands
    for at in operands[:1]:
        findings.reads(findings.words[at], at)
    for at in operands[2:]:
        findings.danger(f"is given {findings.words[at].written}, which is not understood", at)
    if not given.has("--filter"):
        named = next(((findings.words[at], at) for at in operands[1:2]), (Argument("x", written="x"), None))
        findings.writes(beginning_with(named[0]), named[1])
        _ends_as_it_likes(named[0], given.value("--additional-suffix"), named[1], findings)


def _ends_as_it_likes(begins: Argument, suffix: Argument | None, at: int | None, findings: Findings) -> None:
    """With letters after it, a name with a dot can become that of any other file."""
    if "." in begins.text.rpartition("/")[2] or (suffix is not None and not suffix.text.startswith(".")):
        findings.danger(f"writes files that begin with {begins.written or begins.text} and have any ending", at)


def _cuts_at_lines(given: Given, findings: Findings) -> None:
    """The same, but how the names begin stands in an option."""
    # Of several, the last one counts.
    begins = next((one for one in reversed(given.options) if "-f" in one.option.names), None)
    word, at = (begins.value, begins.value_at) if begins is not None else (None, None)
    findings.writes(beginning_with(word or Argument("xx", written="xx")), at)


def _changes_rights(given: Given, findings: Findings) -> None:
    reference = given.value("--reference")
    operands = given.operands
    if reference is None and operands and not given.has(*_MODE_FLAGS):
        rights(findings.words[operands[0]], operands[0], findings)
        operands = operands[1:]
    for at in operands:
        findings.writes(findings.words[at], at, whole=given.has("-R"))


def _copies_blocks(given: Given, findings: Findings) -> None:
    """dd takes everything as `name=value`."""
    for at in given.operands:
        word = findings.words[at]
        name, equals, value = word.text.partition("=")
        named = Argument(value, word.exact, word.many, word.glob, below=word.below, written=word.written)
        if equals and name == "if":
            findings.reads(named, at)
        elif equals and name == "of":
            findings.writes(named, at)
        elif not equals or name not in _BLOCK_WORDS:
            findings.danger(f"is given {word.written or word.text}, which is not understood", at)


_BLOCK_WORDS = listed("bs ibs obs cbs count skip iseek seek oseek conv iflag oflag status speed fillchar")
_MODE_FLAGS = ("-r", "-w", "-x", "-X", "-s", "-t", "-u", "-g", "-o", "-a")

_COPY = (
    "-a|--archive --attributes-only --backup[=] -b --copy-contents -d -f|--force -i|--interactive -H -l|--link "
    "-L|--dereference -n|--no-clobber -P|--no-dereference -p --preserve[=] --no-preserve= --parents -r|-R|--recursive "
    "--reflink[=] --remove-destination --sparse= --strip-trailing-slashes -s|--symbolic-link -S|--suffix= "
    "-T|--no-target-directory -u --update[=] -v|--verbose -x|--one-file-system -Z --context[=] --debug -c -X -N "
    "--keep-directory-symlink -t|--target-directory=" + HELP
)
"""`-t` is taken up by the reader, with where the copies go."""

_OWNER = options(
    "-c|--changes -f|--silent|--quiet -v|--verbose --dereference -h|--no-dereference --from= --no-preserve-root "
    "--preserve-root -R|--recursive -H -L -P -n -x" + HELP,
    reads="--reference=",
)


def _makes_temporary(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.value is not None and one.option.names[0] in ("-p", "--tmpdir"):
            made = f"{one.value.text.rstrip('/')}/XXXXXXXXXX"
            findings.writes(replace(one.value, text=made), one.value_at)


PROGRAMS: tuple[Program, ...] = (
    Program(
        ("cp",),
        "copies files",
        "It reads the first files and writes to the last name; options choose what of a file goes with it.",
        follows=frozenset({"-L"}),
        category=Category.WRITE,
        options=options(_COPY),
        reader=copies,
    ),
    Program(
        ("mv",),
        "moves files",
        "What it moves is gone from where it was, so both ends are changed.",
        category=Category.WRITE,
        options=options(
            "--backup[=] -b -f|--force -i|--interactive -n|--no-clobber --strip-trailing-slashes -S|--suffix= "
            "-t|--target-directory= -T|--no-target-directory -u --update[=] -v|--verbose -Z|--context --debug "
            "--exchange --no-copy -h" + HELP
        ),
        reader=copies,
    ),
    Program(
        ("ln",),
        "makes another name for a file",
        "It writes the new name; through a hard link, the file itself can be changed under it.",
        category=Category.WRITE,
        options=options(
            "--backup[=] -b -d|-F|--directory -f|--force -i|--interactive -L|--logical -n|-h|--no-dereference "
            "-P|--physical -r|--relative -s|--symbolic -S|--suffix= -t|--target-directory= -T|--no-target-directory "
            "-v|--verbose -w" + HELP
        ),
        reader=links,
    ),
    Program(
        ("install", "ginstall"),
        "copies files and sets their rights",
        "It copies like cp. One option makes it start another program to strip what it copied.",
        category=Category.WRITE,
        options=options(
            "--backup[=] -b -c -C|--compare -d|--directory -D -g|--group= -m|--mode= -o|--owner= "
            "-p|--preserve-timestamps -S|--suffix= -t|--target-directory= -T|--no-target-directory -v|--verbose "
            "--preserve-context --context[=] --debug" + HELP,
            runs="-s|--strip --strip-program=",
        ),
        reader=installs,
    ),
    Program(
        ("rm",),
        "deletes files",
        "Deleting is what it is for; only going against its own guard of the root folder is more.",
        category=Category.WRITE,
        options=options(
            "-f|--force -i -I --interactive[=] --one-file-system --preserve-root[=] -r|-R|--recursive -d|--dir "
            "-v|--verbose -P -W -x" + HELP,
            dangers={"--no-preserve-root": "takes away the guard of the root folder"},
        ),
        operands=Operands(rest=Use.DELETE),
    ),
    Program(
        ("rmdir", "unlink"),
        "deletes an empty folder or one file",
        "Deleting is what it is for.",
        category=Category.WRITE,
        options=options("--ignore-fail-on-non-empty -p|--parents -v|--verbose" + HELP),
        operands=Operands(rest=Use.DELETE),
    ),
    Program(
        ("shred", "srm"),
        "overwrites files so that nothing is left of them",
        "What it overwrites is lost whether it is deleted or not.",
        category=Category.WRITE,
        options=options(
            "-f|--force -n|--iterations= -s|--size= -u --remove[=] -v|--verbose -x|--exact -z|--zero" + HELP,
            reads="--random-source=",
        ),
        operands=Operands(rest=Use.DELETE),
    ),
    Program(
        ("mkdir",),
        "makes folders",
        "It makes empty folders; options choose their rights.",
        category=Category.WRITE,
        options=options("-m|--mode= -p|--parents -v|--verbose -Z --context[=]" + HELP),
        operands=Operands(rest=Use.WRITE),
    ),
    Program(
        ("mkfifo",),
        "makes named pipes",
        "It makes a pipe under a name; options choose its rights.",
        category=Category.WRITE,
        options=options("-m|--mode= -Z --context[=]" + HELP),
        operands=Operands(rest=Use.WRITE),
    ),
    Program(
        ("touch",),
        "makes empty files or sets times",
        "It makes what is missing and sets the times of the rest; content stays.",
        category=Category.WRITE,
        options=options(
            "-a -A= -c|--no-create -d|--date= -f -h|--no-dereference -m -t= --time=" + HELP, reads="-r|--reference="
        ),
        operands=Operands(rest=Use.WRITE),
    ),
    Program(
        ("truncate",),
        "cuts or extends files",
        "It changes the length of the files that it names.",
        category=Category.WRITE,
        options=options("-c|--no-create -o|--io-blocks -s|--size=" + HELP, reads="-r|--reference="),
        operands=Operands(rest=Use.WRITE),
    ),
    Program(
        ("mktemp",),
        "makes a new empty file with a name of its own",
        "It never takes a name that exists; where nothing is said, the file lies among the temporary files.",
        category=Category.WRITE,
        options=options("-d|--directory -u|--dry-run -q|--quiet --suffix= -t -p= --tmpdir[=]" + HELP),
        operands=Operands(rest=Use.WRITE),
        reader=_makes_temporary,
    ),
    Program(
        ("tee",),
        "copies its input to files and on",
        "It writes the files that it names.",
        category=Category.WRITE,
        options=options("-a|--append -i|--ignore-interrupts -p --output-error[=]" + HELP),
        operands=Operands(rest=Use.WRITE),
    ),
    Program(
        ("chmod",),
        "changes the rights of files",
        "It changes rights only, but one of them lets a program run as its owner.",
        category=Category.WRITE,
        options=options(
            "-c|--changes -f|--silent|--quiet -v|--verbose --no-preserve-root --preserve-root -R|--recursive "
            "-H -L -P -h|--no-dereference --dereference -r -w -x -X -t -u -g -o -a" + HELP,
            reads="--reference=",
        ),
        reader=_changes_rights,
    ),
    Program(
        ("chown", "chgrp"),
        "changes to whom files belong",
        "It changes owner and group only.",
        category=Category.WRITE,
        options=_OWNER,
        operands=Operands(first=(Use.TEXT,), rest=Use.WRITE, first_unless=frozenset({"--reference"}), whole=True),
    ),
    Program(
        ("dd",),
        "copies blocks of data",
        "It reads `if=` and writes `of=`, which may be a device.",
        category=Category.WRITE,
        options=options("--help --version"),
        reader=_copies_blocks,
    ),
    Program(
        ("split",),
        "cuts a file into pieces",
        "It writes pieces that begin with the last name. One option sends each piece into a command.",
        category=Category.WRITE,
        options=options(
            "-a|--suffix-length= --additional-suffix= -b|--bytes= -C|--line-bytes= -d -x --numeric-suffixes[=] "
            "--hex-suffixes[=] -e|--elide-empty-files -l|--lines= -n|--number= -p= -t|--separator= -u|--unbuffered "
            "--verbose -c" + HELP,
            commands="--filter=",
        ),
        numbers=True,
        reader=_cuts,
    ),
    Program(
        ("csplit",),
        "cuts a file where lines match",
        "It writes pieces with names of its own; their beginning can be given.",
        category=Category.WRITE,
        options=options(
            "-b|--suffix-format= -k|--keep-files -n|--digits= --suppress-matched -s|-q|--quiet|--silent "
            "-z|--elide-empty-files -f|--prefix=" + HELP,
        ),
        operands=Operands(first=(Use.READ,), rest=Use.TEXT),
        reader=_cuts_at_lines,
    ),
    Program(
        ("patch",),
        "changes files as a patch says",
        "Which files it changes stands in the patch; all of them lie below the folder that it works in.",
        category=Category.WRITE,
        options=options(
            "-p|--strip= -F|--fuzz= -l|--ignore-whitespace -c|--context -n|--normal -u|--unified -N|--forward "
            "-R|--reverse -E|--remove-empty-files -Z|--set-utc -T|--set-time --dry-run --posix -D|--ifdef= "
            "--merge[=] -b|--backup --backup-if-mismatch --no-backup-if-mismatch -V|--version-control= -B|--prefix= "
            "-Y|--basename-prefix= -z|--suffix= -t|--batch -f|--force -s|--quiet|--silent --verbose --binary "
            "--reject-format= --quoting-style= -v|--version --help -C|--check",
            reads="-i|--input=",
            writes="-o|--output= -r|--reject-file=",
            directory="-d|--directory=",
            dangers={"-e|--ed": "runs the patch as commands of an editor", "-g|--get=": "fetches files elsewhere"},
        ),
        operands=Operands(first=(Use.WRITE, Use.READ), rest=None),
        reader=lambda given, findings: findings.writes(Argument(".", written="."), None, whole=True),
    ),
)

"""Programs that pack and unpack."""

from assent.commandline.catalogue.changes import beginning_with, first_of, writes_by_purpose
from assent.commandline.catalogue.looking import HELP
from assent.commandline.catalogue.tar_words import tar_words
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category
from assent.model.paths import Access

_HERE = Argument(".", written=".")


def _packs_each(given: Given, findings: Findings) -> None:
    """Each file is replaced, unless the result goes to the output or nothing is changed."""
    whole = given.has("-r")
    for at in given.operands:
        findings.reads(findings.words[at], at, whole=whole)
    if not given.has("-c", "-t", "-l"):
        _replaces_each(given, findings, whole=whole)
    if whole:
        findings.follows_links()


def _replaces_each(given: Given, findings: Findings, *, whole: bool) -> None:
    writes_by_purpose(findings)
    unpacks = given.has("-d") or "un" in given.program.names[0]
    for at in given.operands:
        word = findings.words[at]
        findings.deletes(word, at, whole=whole)
        _replaced(word, at, given.value("-S"), findings, unpacks=unpacks)


def _replaced(word: Argument, at: int, suffix: Argument | None, findings: Findings, *, unpacks: bool) -> None:
    """What stands in the place of a file afterwards has its name, with an ending more or less."""
    if suffix is not None and (not suffix.exact or suffix.glob):
        findings.not_known(f"Which files it writes with the ending {suffix.written} cannot be known.", at)
        return
    if not word.exact or word.glob:
        return
    if not unpacks:
        findings.writes(beginning_with(word), at)
        return
    stem = word.text.rpartition(".")[0] if suffix is None else word.text.removesuffix(suffix.text)
    if stem:
        findings.writes(Argument(stem, written=word.written), at)


def _packs_or_unpacks(given: Given, findings: Findings) -> None:
    """Some take names from lists or their input, and all write what an archive holds."""
    findings.roams |= {Access.READ, Access.WRITE}


def _zips(given: Given, findings: Findings) -> None:
    writes_by_purpose(findings)
    for count, at in enumerate(given.operands):
        if count:
            findings.reads(findings.words[at], at, whole=given.has("-r"))
        else:
            word = findings.words[at]
            findings.writes(word, at)
            if word.exact and not word.glob and "." not in word.text.rpartition("/")[2]:
                findings.writes(Argument(f"{word.text}.zip", written=word.written), at)
    if not given.has("-y"):
        findings.follows_links()


def _unzips(given: Given, findings: Findings) -> None:
    if given.operands:
        findings.reads(findings.words[given.operands[0]], given.operands[0])
    # After the archive, words with a dash are names of files in it, but for the folder.
    archive = given.operands[0] if given.operands else len(given.words)
    first = {name for one in given.options if one.at < archive for name in one.option.names}
    if first & {"-l", "-p", "-c", "-t", "-Z", "-z"} or ("-v" in first and "-o" not in first):
        return
    writes_by_purpose(findings)
    # Of several, the last one counts.
    target = next((one for one in reversed(given.options) if "-d" in one.option.names), None)
    if target is None or target.value is None:
        findings.writes(_HERE, None, whole=True)
    else:
        findings.writes(target.value, target.value_at, whole=True)


def _unpacks_to(given: Given, findings: Findings) -> None:
    """cpio takes names from its input, or writes what an archive holds."""
    if given.has("-o", "-p"):
        findings.takes_names("packs the files that its input names", first_of(given, "-o", "-p"))
    elif not given.has("-t", "--to-stdout"):
        writes_by_purpose(findings)
        findings.writes(_HERE, None, whole=True)


_GZIP = (
    "-a|--ascii -c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -h|--help -k|--keep -l|--list "
    "-L|--license "
    "-n|--no-name -q|--quiet -r|--recursive --rsyncable -S|--suffix= -t|--test -v|--verbose "
    "-V|--version --synchronous -1|--fast -2 -3 -4 -5 -6 -7 -8 -9|--best"
)

_XZ = (
    "-z|--compress -d|--decompress|--uncompress -t|--test -l|--list -k|--keep -f|--force -c|--stdout|--to-stdout "
    "--single-stream --no-sparse -S|--suffix= -F|--format= -C|--check= --ignore-check -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 "
    "-e|--extreme --fast --best --block-size= --block-list= --flush-timeout= --memlimit-compress= "
    "--memlimit-decompress= --memlimit-mt-decompress= -M|--memlimit|--memory= --no-adjust -T|--threads= --lzma1[=] "
    "--lzma2[=] --x86[=] --arm[=] --arm64[=] --armthumb[=] --ia64[=] --powerpc[=] --sparc[=] --delta[=] -q|--quiet "
    "-v|--verbose -Q|--no-warn --robot --info-memory -h|--help -H|--long-help -V|--version"
)

_BZIP2 = (
    "-h|--help -d|--decompress -z|--compress -k|--keep -f|--force -t|--test -c|--stdout -q|--quiet -v|--verbose "
    "-L|--license -V|--version -s|--small -1|--fast -2 -3 -4 -5 -6 -7 -8 -9|--best --repetitive-fast --repetitive-best"
)

_ZSTD = options(
    "-z|--compress -d|--decompress|--uncompress -k|--keep -f|--force -c|--stdout|--to-stdout -t|--test -l|--list "
    "-q|--quiet "
    "-v|--verbose -V|--version -h|--help -H -T|--threads= --fast[=] --ultra --long[=] --adapt[=] --check --no-check "
    "--content-size --no-content-size --progress --no-progress --sparse --no-sparse --rm -r --format= --single-thread "
    "--auto-threads= -M|--memory= -B= -C --rsyncable --exclude-compressed --no-dictID -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
    reads="-D= --patch-from=",
    outputs="-o= --output-dir-flat= --output-dir-mirror=",
    lists="--filelist=",
    dangers={"--train": "writes what it learned"},
)

_ZIP = options(
    "-r|--recurse-paths -R|--recurse-patterns -q|--quiet -v|--verbose -j|--junk-paths -D|--no-dir-entries "
    "-y|--symlinks "
    "-X|--no-extra -u|--update -f|--freshen -g|--grow -d|--delete -e|--encrypt -P|--password= -x|--exclude "
    "-i|--include "
    "-o|--latest-time -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -Z= -n|--suffixes= -t|--from-date= -tt|--before-date= "
    "-A|--adjust-sfx "
    "-J|--junk-sfx -z|--archive-comment -c|--entry-comments -l|--to-crlf -ll|--from-crlf -k|--DOS-names -S "
    "-sc|--show-command -sf|--show-files -so|--show-options -h|--help -h2 -L|--license -FS|--filesync -sd -db -dc -dd "
    "-du "
    "-dv -dg -ds= -s|--split-size= -w --version",
    writes="-O|--output-file|--out=",
    outputs="-b|--temp-path=",
    runs="-TT|--unzip-command=",
    lists="-@|--names-stdin",
    dangers={
        "-T|--test": "starts another program to test",
        "-m|--move": "deletes what it packed",
        "-F|--fix": "makes another archive",
        "-FF|--fixfix": "makes another archive",
        "-lf|--logfile-path=": "writes a log",
        "-la|--log-append": "writes a log",
    },
)

_UNZIP = options(
    "-l -v -Z -p -c -t -z -o -n -f -u -q -qq -j -a -aa -b -B -C -L -V -X -K -U -UU -W -M -x -P= -d= -h -hh -O= "
    "-I= -1 -2 -s -m "
    "-DD -D -F -i -J -N -y"
)


def _packer(
    packs: str, unpacks: str, listed: str, reason: str, dangers: dict[str, str] | None = None, lists: str = ""
) -> tuple[Program, ...]:
    table = options(listed, dangers=dangers, lists=lists)
    return tuple(
        Program(tuple(names.split()), does, reason, options=table, reader=_packs_each)
        for names, does in ((packs, "packs or unpacks files"), (unpacks, "unpacks files"))
    )


_OTHERS = "7z 7za 7zr 7zz rar pax mksquashfs genisoimage mkisofs xorriso dar borg restic"
_REPLACES = "It puts a packed file in the place of each file or the other way round; with -c it only prints."

PROGRAMS: tuple[Program, ...] = (
    *_packer("gzip pigz", "gunzip unpigz", _GZIP, _REPLACES, {"-N|--name": "takes the name from inside the file"}),
    *_packer("bzip2", "bunzip2", _BZIP2, _REPLACES),
    *_packer(
        "xz lzma",
        "unxz unlzma",
        _XZ,
        _REPLACES + " Options make it take names from a file.",
        lists="--files[=] --files0[=]",
    ),
    Program(
        ("zstd",),
        "packs or unpacks files",
        _REPLACES + " Where it writes can be told.",
        options=_ZSTD,
        reader=_packs_each,
    ),
    Program(
        ("zcat", "gzcat", "bzcat", "xzcat", "lzcat", "zstdcat"),
        "shows packed files",
        "They unpack to their output only, unless one of the options of the packers behind them says otherwise.",
        options=options("-f|--force -q|--quiet -v|--verbose -h|--help -V|--version"),
        operands=Operands(rest=Use.READ),
    ),
    Program(
        tuple(_OTHERS.split()),
        "packs or unpacks an archive",
        "What it does is told by words of its own; whatever it is given may be packed, with all that is in it.",
        Category.EXECUTE,
        operands=Operands(rest=Use.READ, whole=True),
        open=True,
        reader=_packs_or_unpacks,
    ),
    Program(
        ("zip",),
        "packs files into an archive",
        "It writes the first name and reads the others. Options make it start a program, delete, or write a log.",
        options=_ZIP,
        reader=_zips,
    ),
    Program(
        ("unzip",),
        "unpacks an archive",
        "It writes what the archive holds below one folder, or only lists or prints it.",
        options=_UNZIP,
        reader=_unzips,
    ),
    Program(
        ("zipinfo",),
        "lists an archive",
        "It only lists.",
        operands=Operands(first=(Use.READ,), rest=Use.TEXT),
        open=True,
    ),
    Program(
        ("tar", "gtar", "bsdtar"),
        "packs or unpacks an archive",
        "What it does is the first letter it is given. Many options make it start programs; archives may be elsewhere.",
        open=True,
        sorts_words=True,
        reader=tar_words,
    ),
    Program(
        ("cpio",),
        "packs or unpacks an archive",
        "It takes the names of what it packs from its input, and writes what an archive holds.",
        options=options(
            "-i|--extract -o|--create -p|--pass-through -t|--list -d|--make-directories -v|--verbose -m "
            "--preserve-modification-time -u|--unconditional -0|--null -a|--reset-access-time -B -c -H|--format= "
            "--no-absolute-filenames --quiet -V|--dot -n|--numeric-uid-gid --to-stdout -f|--nonmatching" + HELP,
            reads="-E|--pattern-file=",
            writes="-F|--file= -O=",
            directory="-D|--directory=",
            runs="--rsh-command=",
        ),
        operands=Operands(rest=Use.TEXT),
        reader=_unpacks_to,
    ),
)

"""Programs that only look at files: their names, their sizes, their content."""

from assent.commandline.catalogue.changes import passes_on
from assent.commandline.catalogue.placeholders import stays_here
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Tells

READS = Operands(rest=Use.READ)
READS_BELOW = Operands(rest=Use.READ, whole=True)
HELP = " --help --version"


def _no_end_of_options(given: Given, findings: Findings) -> None:
    """To some programs, `--` is a name like any other."""
    if given.ended is not None:
        findings.danger("takes -- for a file", given.ended - 1)


def _no_lists_of_words(given: Given, findings: Findings) -> None:
    """To some programs, `@file` stands for the words in that file."""
    for at in given.operands:
        if findings.words[at].text.startswith("@") or not findings.words[at].text:
            findings.danger(f"takes words from {findings.words[at].written or findings.words[at].text}", at)


def _lists(given: Given, findings: Findings) -> None:
    """With `-R`, all that lies below is listed too. Without options that say more, names are all it prints."""
    plain = all(one.name in _NAMES_ONLY for one in given.options) and not given.strange
    if plain and all(stays_here(findings.words[at]) for at in given.operands):
        findings.prints(Output(names_below=""))
    if given.has("-R"):
        for at in given.operands:
            findings.reads(findings.words[at], at, whole=True)
        if not given.operands:
            findings.reads_here(whole=True)


def _viewer(given: Given, findings: Findings) -> None:
    findings.danger("opens a viewer in which other programs can be started", 0)
    for at in given.operands:
        if findings.words[at].text.startswith("+"):
            findings.danger(f"tells the viewer to do {findings.words[at].text} at once", at)


_NAMES_ONLY = frozenset({"-1", "-A", "-t", "-r", "-S", "-U", "-d"})

# Where one family of systems gives an option a value and the other does not, its value counts as a file that is read:
# so a file is seen in either case.
_LS = options(
    "-a|--all -A|--almost-all --author -b|--escape --block-size= -B|--ignore-backups -c -C --color[=] -d|--directory "
    "-f -F|--classify[=] --file-type --format= --full-time -g --group-directories-first -G|--no-group "
    "-h|--human-readable --si -H|--dereference-command-line --dereference-command-line-symlink-to-dir --hide= "
    "--hyperlink[=] --indicator-style= -i|--inode -k|--kibibytes -l -L|--dereference -m -n|--numeric-uid-gid "
    "-N|--literal -o -p -q|--hide-control-chars --show-control-chars -Q|--quote-name --quoting-style= -r|--reverse "
    "-R|--recursive -s|--size -S --sort= --time= --time-style= -t -u -U -v -x -X -Z|--context --zero -1 --dired "
    "-e -O -P -W -y -% -@" + HELP,
    reads="-I|--ignore= -T|--tabsize= -w|--width= -D=",
)

_DU = options(
    "-0|--null -a|--all -A|--apparent-size -b|--bytes -c|--total -d|--max-depth= -h|--human-readable -H --inodes -g -k "
    "-L|--dereference -l|--count-links -m -n -i -P|--no-dereference -r -S|--separate-dirs --si -s|--summarize "
    "-t|--threshold= --time[=] --time-style= --exclude= -x|--one-file-system -y" + HELP,
    reads="-B|--block-size= -I= -X|--exclude-from= -D|--dereference-args",
    lists="--files0-from=",
)

_DIGEST = options(
    "-b|--binary -c|--check --tag --untagged -t|--text -z|--zero --ignore-missing --quiet --status --strict -w|--warn "
    "-l|--length= -a|--algorithm= --raw --base64 --debug -q -r -p -x -s= -U -0 -01" + HELP
)

PROGRAMS: tuple[Program, ...] = (
    Program(
        ("ls", "dir", "vdir"),
        "lists files",
        "All options of the GNU and BSD versions choose what is listed and how; none writes or starts anything.",
        follows=frozenset({"-L"}),
        options=_LS,
        operands=Operands(rest=Use.READ, here=True),
        open=True,
        numbers=True,
        only_reads=True,
        tells=Tells.NAMES,
        reader=_lists,
    ),
    Program(
        ("cat", "tac", "rev"),
        "shows files",
        "They copy what they read to their output; no version has an option that writes a file or starts a program.",
        operands=READS,
        open=True,
    ),
    Program(
        ("head", "tail"),
        "shows the beginning or the end of files",
        "Options choose how much is shown and whether to wait for more; none writes or starts anything.",
        options=options(
            "-c|--bytes= -n|--lines= -b= -q|--quiet|--silent -v|--verbose -z|--zero-terminated -f --follow[=] -F -r "
            "--max-unchanged-stats= --pid= --retry -s|--sleep-interval=" + HELP
        ),
        operands=READS,
        open=True,
        numbers=True,
        only_reads=True,
        reader=passes_on("-c"),
    ),
    Program(
        ("less", "more", "most"),
        "opens files in a viewer",
        "A viewer can start shells and editors from inside, and its surroundings can make it start a filter for input.",
        options=options(
            "-N|--LINE-NUMBERS -R|--RAW-CONTROL-CHARS -S|--chop-long-lines -F|--quit-if-one-screen -X|--no-init "
            "-i|--ignore-case -I|--IGNORE-CASE -n|--line-numbers -s|--squeeze-blank-lines -e -E -m -M -r -g -G -w -W"
        ),
        operands=READS,
        numbers=True,
        reader=_viewer,
    ),
    Program(
        ("file",),
        "tells of what kind files are",
        "It reads the beginning of files. It can also compile tables, and take its tables or names from a file.",
        options=options(
            "-b|--brief -c|--checking-printout -e|--exclude= --exclude-quiet= --extension -F|--separator= "
            "-h|--no-dereference -i|--mime -I --mime-type --mime-encoding --apple -k|--keep-going -l|--list "
            "-L|--dereference -n|--no-buffer -N|--no-pad -0|--print0 -P|--parameter= -r|--raw "
            "-s|--special-files -d -D -v|--version --help",
            lists="-f|--files-from=",
            dangers={
                "-m|--magic-file=": "takes its tables from a file",
                "-C|--compile": "writes a compiled table",
                "-p|--preserve-date": "sets the times of what it reads",
                "-z|--uncompress": "can start programs that unpack",
                "-Z|--uncompress-noreport": "can start programs that unpack",
                "-S|--no-sandbox": "works without its own protection",
            },
        ),
        operands=READS,
    ),
    Program(
        ("stat",),
        "shows size, times and rights of files",
        "It looks at what the system keeps of a file, not into it; formats of both families only print.",
        options=options(
            "-L|--dereference --file-system --cached= -c|--format= --printf= --terse -F -l -n -q -r -s -x" + HELP,
            reads="-f= -t=",
        ),
        operands=READS,
        open=True,
    ),
    Program(
        ("du",),
        "adds up the sizes of files",
        "It looks at sizes only.",
        follows=frozenset({"-L"}),
        options=_DU,
        operands=Operands(rest=Use.READ, here=True, whole=True),
        tells=Tells.NAMES,
        open=True,
    ),
    Program(
        ("df",),
        "shows how full the disks are",
        "It asks the system for numbers; no option writes or starts anything.",
        options=options("-B|--block-size= --output[=] -x|--exclude-type="),
        operands=READS,
        open=True,
    ),
    Program(
        ("wc",),
        "counts lines, words and bytes",
        "It reads and prints numbers only.",
        options=options(
            "-c|--bytes -m|--chars -l|--lines -L|--max-line-length -w|--words --total= --debug --libxo[=]" + HELP,
            lists="--files0-from=",
        ),
        operands=READS,
        open=True,
    ),
    Program(
        (
            *("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "b3sum", "shasum"),
            *("md5", "sha1", "sha256", "sha512", "cksum", "sum"),
        ),
        "computes checksums",
        "It reads files and prints numbers; when it checks a list, it reads the files in it and prints no content.",
        options=_DIGEST,
        operands=READS,
        open=True,
    ),
    Program(
        ("readlink", "realpath"),
        "shows where names lead",
        "It follows links and prints a path; it opens no file.",
        options=options(
            "-f|--canonicalize -e|--canonicalize-existing -m|--canonicalize-missing -n|--no-newline "
            "-q|--quiet|--silent -s|--strip|--no-symlinks -v|--verbose -z|--zero -E -L|--logical -P|--physical" + HELP,
            reads="--relative-to= --relative-base=",
        ),
        operands=READS,
        open=True,
    ),
    Program(
        ("xxd",),
        "shows files as numbers",
        "It reads one file and prints it. A second name is a file that it writes.",
        options=options(
            "-a|-autoskip -b|-bits -c|-cols= -d -e -E|-EBCDIC -g|-groupsize= -h|-help -i|-include -l|-len= -n|-name= "
            "-o|-offset= -p|-ps|-postscript|-plain -r|-revert -R= -s|-skip|-seek= -u|-uppercase -v|-version "
            "-C|-capitalize"
        ),
        operands=Operands(first=(Use.READ, Use.WRITE), rest=None),
        stops=True,
        reader=_no_end_of_options,
    ),
    Program(
        ("od",),
        "shows files as numbers",
        "It reads and prints; options choose the format.",
        options=options(
            "-A|--address-radix= -j|--skip-bytes= -N|--read-bytes= -S= --strings[=] -t|--format= "
            "-v|--output-duplicates -w --width[=] --endian= -a -b -c -d -f -i -l -o -s -x" + HELP
        ),
        operands=READS,
        open=True,
    ),
    Program(
        ("hexdump", "hd"),
        "shows files as numbers",
        "It reads and prints; options choose the format, which can also come from a file.",
        options=options(
            "-b|--one-byte-octal -X|--one-byte-hex -c|--one-byte-char -C|--canonical -d|--two-bytes-decimal "
            "-o|--two-bytes-octal -x|--two-bytes-hex -e|--format= -L|--color[=] -n|--length= -s|--skip= "
            "-v|--no-squeezing -h|--help -V|--version",
            reads="-f|--format-file=",
        ),
        operands=READS,
        open=True,
    ),
    Program(
        ("strings",),
        "shows the readable text in files",
        "It reads and prints; options choose what counts as text.",
        options=options(
            "-a|--all -d|--data -f|--print-file-name -n|--bytes= -t|--radix= -w|--include-all-whitespace -o "
            "-e|--encoding= -U|--unicode= -s|--output-separator= -T|--target= -V|--version -h|--help"
        ),
        operands=READS,
        numbers=True,
        reader=_no_lists_of_words,
    ),
    Program(
        ("cmp",),
        "compares two files",
        "It reads both and prints where they differ.",
        options=options(
            "-b|--print-bytes -i|--ignore-initial= -l|--verbose -n|--bytes= -s|--quiet|--silent -x -z -h -v"
        ),
        operands=Operands(first=(Use.READ, Use.READ), rest=Use.TEXT),
        open=True,
    ),
    Program(
        ("comm",),
        "compares two sorted files line by line",
        "It reads both and prints lines.",
        options=options("--output-delimiter="),
        operands=READS,
        open=True,
    ),
    Program(
        ("diff", "colordiff"),
        "shows how files differ",
        "It reads and prints. One option sends its output through another program.",
        follows=frozenset({"-r"}),
        options=options(
            "--normal -q|--brief -s|--report-identical-files -c -C|--context= -u -U|--unified= -e|--ed -f "
            "-n|--rcs -y|--side-by-side -W|--width= --left-column --suppress-common-lines -p|--show-c-function "
            "-F|--show-function-line= --label= -L= -t|--expand-tabs -T|--initial-tab --tabsize= "
            "--suppress-blank-empty -r|--recursive --no-dereference -N|--new-file --unidirectional-new-file "
            "--ignore-file-name-case --no-ignore-file-name-case -x|--exclude= -S|--starting-file= -i|--ignore-case "
            "-E|--ignore-tab-expansion -Z|--ignore-trailing-space -b|--ignore-space-change -w|--ignore-all-space "
            "-B|--ignore-blank-lines -I|--ignore-matching-lines= -a|--text --strip-trailing-cr -D|--ifdef= "
            "--line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= "
            "--new-group-format= --unchanged-group-format= --changed-group-format= -d|--minimal --horizon-lines= "
            "--speed-large-files -h --color[=] --palette= -v|--version --help -P",
            reads="-X|--exclude-from= --from-file= --to-file=",
            dangers={"-l|--paginate": "sends its output through another program"},
        ),
        operands=READS_BELOW,
        tells=Tells.LINES,
        numbers=True,
    ),
    Program(
        ("tree",),
        "lists files as a tree",
        "It lists names. It can also write its output to a file, and a web page into each folder.",
        options=options(
            "-a -d -f -x -L= -P= -I= --ignore-case --matchdirs --metafirst --prune --info --noreport "
            "--charset= --filelimit= -q -N -Q -p -u -g -s -h --si --du -D --timefmt= -F --inodes --device -v -t -c "
            "-U -r --dirsfirst --filesfirst --sort= -i -A -S -n -C -X -J -H= -T= --nolinks --hintro= --houtro= "
            "--gitignore --fflinks --opt-toggle --compress= --hyperlink --version --help",
            reads="--infofile= --gitfile=",
            writes="-o=",
            dangers={
                "-l": "goes on where links lead, wherever that is",
                "-R": "writes a page into every folder that it reaches",
                "--fromfile": "takes the names that it lists from a file",
                "--fromtabfile": "takes the names that it lists from a file",
            },
        ),
        operands=Operands(rest=Use.READ, here=True),
    ),
)

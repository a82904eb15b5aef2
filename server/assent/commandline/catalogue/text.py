"""Programs that turn text into other text. Those with a language of their own have a module for it beside this one."""

from assent.commandline.catalogue.changes import passes_on
from assent.commandline.catalogue.looking import HELP, READS
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_SORT = Program(
    ("sort", "gsort"),
    "sorts lines",
    "It reads and prints. Options make it write a file, start a program that packs, or take names from a file.",
    options=options(
        "-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort "
        "-i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort -R|--random-sort "
        "-r|--reverse --sort= -V|--version-sort --batch-size= -c|--check[=] -C --debug -k|--key= -m|--merge "
        "-s|--stable -S|--buffer-size= -t|--field-separator= --parallel= -u|--unique -z|--zero-terminated --mmap "
        "--qsort "
        "--mergesort --heapsort --radixsort -H" + HELP,
        reads="--random-source=",
        outputs="-o|--output= -T|--temporary-directory=",
        runs="--compress-program=",
        lists="--files0-from=",
    ),
    operands=READS,
    numbers=True,
    reader=passes_on(),
)

_UNIQ = Program(
    ("uniq",),
    "drops repeated lines",
    "It reads one file and prints. A second name is a file that it writes.",
    options=options(
        "-c|--count -d|--repeated -D --all-repeated[=] -f|--skip-fields= --group[=] -i|--ignore-case -s|--skip-chars= "
        "-u|--unique -z|--zero-terminated -w|--check-chars=" + HELP
    ),
    operands=Operands(first=(Use.READ, Use.WRITE), rest=None),
    numbers=True,
    reader=passes_on("-c"),
)

_SHUF = Program(
    ("shuf",),
    "mixes lines",
    "It reads one file and prints. One option makes it write a file.",
    options=options(
        "-e|--echo -i|--input-range= -n|--head-count= -r|--repeat -z|--zero-terminated" + HELP,
        reads="--random-source=",
        outputs="-o|--output=",
    ),
    operands=READS,
)

_CUT = options(
    "-b|--bytes= -c|--characters= -d|--delimiter= -f|--fields= -n --complement -s|--only-delimited "
    "--output-delimiter= -z|--zero-terminated -w"
)

_COLUMN = options(
    "-t|--table -N|--table-columns= -o|--output-separator= -s|--separator= -c|--output-width|--columns= -x|--fillrows "
    "-O|--table-order= -E|--table-noextreme= -R|--table-right= -H|--table-hide= -T|--table-truncate= -W|--table-wrap= "
    "-d|--table-noheadings -L|--keep-empty-lines -J|--json -r|--tree= -i|--tree-id= -p|--tree-parent= -e",
    reads="-n|--table-name= -l|--table-columns-limit=",
)

_BASE = options(
    "-d|--decode -D -w|--wrap= -b|--break= --base64 --base32 --base16 --base64url --base32hex --z85" + HELP,
    reads="-i|--input|--ignore-garbage=",
    outputs="-o|--output=",
)

_XML = options(
    "-format -noout -xpath= -html -recover -huge -nonet -noblanks -nocdata -pretty= -encode= "
    "-stream -memory -timing -nowarning -noenc -nodefdtd -version -push -sax "
    "-quiet -dropdtd -pattern= -oldxml10",
    reads="-schematron=",
    outputs="-o|-output=",
    dangers={
        "-c14n": "fetches what the document names",
        "-c14n11": "fetches what the document names",
        "-exc-c14n": "fetches what the document names",
        "-schema=": "fetches what the schema names",
        "-relaxng=": "fetches what the schema names",
    },
)


def _fetches(given: Given, findings: Findings) -> None:
    """xmllint takes an address for a file."""
    for at, word in enumerate(given.words):
        if "://" in word.text:
            findings.danger(f"fetches {word.text}", at, Category.EXTERNAL)


def _plain(names: str, does: str, listed: str = "", operands: Operands = READS) -> Program:
    """A filter with no option that reaches beyond its output, in any version."""
    return Program(
        tuple(names.split()),
        does,
        "It reads what it is given and prints; no version has an option that writes a file or starts a program.",
        options=options(listed),
        operands=operands,
        open=True,
        numbers=True,
    )


PROGRAMS: tuple[Program, ...] = (
    _SORT,
    _UNIQ,
    _SHUF,
    Program(
        ("cut",),
        "cuts columns out of lines",
        "It reads and prints; options choose what is cut.",
        options=_CUT,
        operands=READS,
        open=True,
    ),
    _plain("tr", "replaces characters", operands=Operands(rest=Use.TEXT)),
    _plain("paste", "joins files side by side", "-d|--delimiters= -s|--serial -z"),
    _plain("join", "joins lines that share a field", "-a= -e= -j= -o= -t= -v= -1= -2= -i"),
    _plain("fold", "wraps long lines", "-b|--bytes -s|--spaces -w|--width="),
    _plain("fmt", "fills paragraphs", "-p|--prefix= -w|--width= -g|--goal= -c -s -u"),
    _plain("pr", "lays text out in pages", "-h|--header= -l|--length= -o|--indent= -w|--width= -W|--page-width="),
    _plain(
        "nl",
        "numbers lines",
        "-b|--body-numbering= -d|--section-delimiter= -f|--footer-numbering= -h|--header-numbering= "
        "-i|--line-increment= -l|--join-blank-lines= -n|--number-format= -s|--number-separator= "
        "-v|--starting-line-number= -w|--number-width= -p|--no-renumber",
    ),
    _plain("expand unexpand", "turns tabs into blanks or back", "-t|--tabs= -i|--initial -a|--all --first-only"),
    _plain("tsort", "sorts what depends on each other"),
    _plain("col colrm", "takes out control characters or columns", "-l=", operands=Operands(rest=Use.TEXT)),
    _plain(
        "numfmt",
        "writes numbers in other units",
        "-d|--delimiter= --field= --format= --from= --from-unit= --grouping --header[=] --invalid= --padding= --round= "
        "--suffix= --to= --to-unit= -z|--zero-terminated",
        Operands(rest=Use.TEXT),
    ),
    Program(
        ("column",),
        "lays lines out as a table",
        "It reads and prints; options choose the layout.",
        options=_COLUMN,
        operands=READS,
        open=True,
    ),
    Program(
        ("iconv",),
        "turns text into another character set",
        "It reads and prints. One option makes it write a file.",
        options=options(
            "-f|--from-code= -t|--to-code= -l|--list -c -s|--silent --verbose --usage --unicode-subst= --byte-subst= "
            "--widechar-subst= -V|--version --help",
            outputs="-o|--output=",
        ),
        operands=READS,
    ),
    Program(
        ("base64", "base32", "basenc"),
        "writes bytes as letters, or back",
        "It reads and prints. One version has an option that writes a file.",
        options=_BASE,
        operands=READS,
        open=True,
    ),
    Program(
        ("envsubst",),
        "puts the values of variables into text",
        "It reads its input and prints.",
        options=options("-v|--variables -h|--help -V|--version"),
    ),
    Program(
        ("look",),
        "shows lines that begin with a word",
        "It reads one file and prints.",
        options=options("-a|--alternative -b -d|--alphanum -f|--ignore-case -t|--terminate= -h|--help -V|--version"),
        operands=Operands(first=(Use.TEXT,), rest=Use.READ),
    ),
    Program(
        ("xmllint",),
        "checks and prints XML",
        "It reads and prints. Options that fetch what a document names, open a shell or write a file are not harmless.",
        options=_XML,
        operands=READS,
        one_dash=True,
        reader=_fetches,
    ),
)

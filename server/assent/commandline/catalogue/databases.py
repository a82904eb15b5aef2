"""The command lines of databases: what they are told to do is a language of its own, so only its ways out are known."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Reader, Use, options
from assent.model.modes import Category

_PSQL = ("\\", " program ", "pg_read", "lo_import", "lo_export", "copy ")
_MYSQL = ("\\", "system", "source ", "tee ", "pager ", "edit", "outfile", "dumpfile", "load_file", "load data")
_SQLITE = ("load_extension", "writefile", "readfile", "attach ", "fts3_tokenizer", "edit(")
_SQLITE_HARMLESS = frozenset({".tables", ".schema", ".databases", ".dbinfo", ".indexes", ".quit", ".help", ".show"})


def _statements(*ways: str, dots: bool = False) -> Reader:
    """Words of the statements that start programs or reach files; commands with a dot are harmless only if listed."""

    def read(given: Given, findings: Findings) -> None:
        for at in range(given.start, len(given.words)):
            word = given.words[at]
            text = word.text.lower()
            dotted = dots and text.lstrip().startswith(".") and text.split()[0] not in _SQLITE_HARMLESS
            lines = dots and "\n" in text and any(line.lstrip().startswith(".") for line in text.split("\n"))
            if not word.exact or dotted or lines or any(way in text for way in ways):
                findings.danger("can be told to start programs or to reach files", at)

    return read


_SENDS = "Does in the database whatever the statements say; ways to files, programs and other hosts are dangers."
PSQL = Program(
    ("psql",),
    "works on a database",
    _SENDS,
    Category.EXTERNAL,
    options(
        "-c|--command= -d|--dbname= -l|--list -t|--tuples-only -A|--no-align -q|--quiet -x|--expanded "
        "-1|--single-transaction "
        "-F|--field-separator= -R|--record-separator= -H|--html --csv -X|--no-psqlrc -a|--echo-all -b "
        "-e|--echo-queries -E -n "
        "-w|--no-password -V|--version -z -0 -P|--pset=",
        loads="-f|--file=",
        outputs="-o|--output= -L|--log-file=",
        dangers={
            "-h|--host=": "talks to another host",
            "-p|--port=": "talks to another port",
            "-U|--username=": "logs in as somebody else",
            "-W|--password": "asks for a password",
            "-v|--set|--variable=": "changes its settings",
        },
    ),
    reader=_statements(*_PSQL),
    versions=VERSION_OR_HELP | {"-V"},
)
MYSQL = Program(
    ("mysql", "mariadb"),
    "works on a database",
    _SENDS,
    Category.EXTERNAL,
    options(
        "-e|--execute= -D|--database= -t|--table -s|--silent -B|--batch -N|--skip-column-names -E|--vertical -H|--html "
        "-v "
        "-X|--xml --connect-timeout= -V|--version",
        outputs="--tee=",
        loads="--defaults-file= --defaults-extra-file= --plugin-dir= --init-command= --default-auth= "
        "--defaults-group-suffix=",
        runs="--pager=",
        dangers={
            "-h|--host=": "talks to another host",
            "-P|--port=": "talks to another port",
            "-u|--user=": "logs in as somebody else",
            "-p|--password[=]": "logs in",
            "-S|--socket=": "talks to another program",
            "--local-infile[=]": "sends files",
            "--enable-cleartext-plugin": "shows the password",
        },
    ),
    reader=_statements(*_MYSQL),
    versions=VERSION_OR_HELP | {"-V"},
)
SQLITE = Program(
    ("sqlite3",),
    "works on a database in a file",
    "Changes the file as the statements say; ways to other files and programs are dangers.",
    Category.EXECUTE,
    options(
        "-header -noheader -csv -json -line -list -html -column -box -table -markdown -bail -batch -echo -separator= "
        "-nullvalue= "
        "-readonly -safe -version -help -interactive -newline= -stats -tabs -ascii -quote -nofollow",
        loads="-init=",
        runs="-cmd= -vfs= -zip -A -append -deserialize",
    ),
    Operands(first=(Use.WRITE,), rest=Use.TEXT),
    one_dash=True,
    reader=_statements(*_SQLITE, dots=True),
    versions=VERSION_OR_HELP | {"-version", "-help"},
)
REDIS = Program(
    ("redis-cli",),
    "works on a database",
    "Does in the database whatever the words say; other hosts, files and scripts are dangers.",
    Category.EXTERNAL,
    options(
        "-n= --raw --no-raw --csv --json --scan --pattern= --stat --latency --bigkeys --no-auth-warning -r= -i= --help",
        loads="--eval=",
        reads="--cacert= --cert= --key=",
        outputs="--rdb= --functions-rdb=",
        dangers={
            "-h=": "talks to another host",
            "-p=": "talks to another port",
            "-u=": "talks to another host",
            "-s=": "talks to another program",
            "-a|--pass=": "logs in",
            "--user=": "logs in as somebody else",
            "--pipe": "does what its input says",
            "-x": "sends its input",
            "-X=": "sends its input",
            "--cluster=": "changes a cluster",
            "--insecure": "trusts any host",
        },
    ),
    named_operands=1,
    stops=True,
)
MONGO = Program(
    ("mongosh", "mongo"),
    "works on a database",
    "Runs JavaScript, which can start programs, so only its name and version are harmless.",
    Category.EXTERNAL,
    options("--quiet", runs="--eval= --shell --nodb --norc"),
    Operands(rest=Use.DANGER),
    runs_code=True,
    versions=VERSION_OR_HELP,
)
PROGRAMS: tuple[Program, ...] = (PSQL, MYSQL, SQLITE, REDIS, MONGO)

"""Programs that do nothing but start another one, with the same rights and in the same place."""

from assent.commandline.catalogue import wrappers_elsewhere, wrappers_watching
from assent.commandline.catalogue.wrapping import as_text, start_at, without_assignments
from assent.commandline.catalogue.xargs import XARGS
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_ONLY_STARTS = (
    "It starts the command that it is given, which is judged by itself; options that reach further are named."
)


def _wrapper(
    names: str,
    does: str,
    harmless: str = "",
    *,
    first: tuple[Use, ...] = (),
    writes: str = "",
    dangers: dict[str, str] | None = None,
    numbers: bool = False,
    one_dash: bool = False,
) -> Program:
    return Program(
        tuple(names.split()),
        does=does,
        reason=_ONLY_STARTS,
        options=options(f"{harmless} --help --version", writes=writes, dangers=dangers),
        operands=Operands(first=first),
        numbers=numbers,
        one_dash=one_dash,
        wraps=True,
        transparent=True,
        runs_code=True,
    )


def _env(given: Given, findings: Findings) -> None:
    """A lone dash is an option; then variables; then the command."""
    rest = list(given.operands)
    while rest and given.words[rest[0]].text == "-" and given.words[rest[0]].exact:
        rest.pop(0)
    rest = without_assignments(given, findings, rest)
    text = given.value("-S")
    if text is not None:
        findings.runs_text(as_text((text, *(given.words[at] for at in rest))), None)
    elif rest:
        start_at(given, findings, rest[0])


def _command(given: Given, findings: Findings) -> None:
    if given.operands and not given.has("-v", "-V"):
        start_at(given, findings, given.operands[0])


def _watch(given: Given, findings: Findings) -> None:
    if not given.operands:
        return
    first = given.operands[0]
    if given.has("-x"):
        start_at(given, findings, first)
    else:
        findings.runs_text(as_text(given.words[first:]), first, posix=True)


def _flock(given: Given, findings: Findings) -> None:
    """The file or its number, and then a command, or `-c` and a text."""
    if not given.operands:
        return
    lock, *rest = given.operands
    if not given.words[lock].text.isdigit():
        findings.writes(given.words[lock], lock)
    if rest and given.words[rest[0]].text in ("-c", "--command"):
        if len(rest) > 1:
            findings.runs_text(given.words[rest[1]], rest[1], posix=True)
    elif rest:
        start_at(given, findings, rest[0])


def _setarch(given: Given, findings: Findings) -> None:
    """The kind of machine may come first, and options after it."""
    rest = [at for at in given.operands if given.words[at].text not in _MACHINES]
    while rest and given.words[rest[0]].text.startswith("-"):
        rest.pop(0)
    if rest:
        start_at(given, findings, rest[0])


_MACHINES = frozenset(
    {"x86_64", "i386", "i486", "i586", "i686", "linux32", "linux64", "aarch64", "arm64", "arm", "uname26"}
)


def _busybox(given: Given, findings: Findings) -> None:
    if given.operands:
        start_at(given, findings, given.operands[0])


_SELF: tuple[Program, ...] = (
    Program(
        ("env", "genv"),
        does="starts a command with other variables",
        reason="It sets variables and starts the command; variables that change what programs do are dangers.",
        options=options(
            """-i|--ignore-environment -0|--null -u|--unset= -v|--debug --block-signal[=] --default-signal[=]
            --ignore-signal[=] --list-signal-handling -a|--argv0= --help --version""",
            directory="-C|--chdir=",
            dangers={"-S|--split-string=": "splits a text into words of a command"},
        ),
        stops=True,
        transparent=True,
        runs_code=True,
        reader=_env,
    ),
    Program(
        ("command",),
        does="starts a program, or says what a name means",
        reason="With -v or -V it only says; otherwise it starts the program of that name.",
        options=options("-v -V -p"),
        stops=True,
        transparent=True,
        runs_code=True,
        reader=_command,
    ),
    Program(
        ("watch",),
        does="runs a command again and again",
        reason="It hands its words to a shell, joined; both are read.",
        options=options(
            """-b|--beep -c|--color -C|--no-color -d|--differences[=]
            -e|--errexit -g|--chgexit -n|--interval= -p|--precise
            -q|--equexit= -r|--no-rerun -t|--no-title -w|--no-wrap -x|--exec -h|--help -v|--version"""
        ),
        stops=True,
        transparent=True,
        runs_code=True,
        reader=_watch,
    ),
    Program(
        ("flock",),
        does="starts a command while it holds a lock",
        reason="It makes the lock file if there is none, and starts the command.",
        category=Category.WRITE,
        options=options(
            """-s|--shared -x|-e|--exclusive -u|--unlock -n|--nb|--nonblock -w|--wait|--timeout= -o|--close
            -E|--conflict-exit-code= -F|--no-fork --verbose -h|--help -V|--version""",
            commands="-c|--command=",
        ),
        stops=True,
        runs_code=True,
        reader=_flock,
    ),
    Program(
        ("setarch", "linux32", "linux64"),
        does="starts a command as on another machine",
        reason="It changes how the machine names itself, and starts the command.",
        options=options(
            """-B|--32bit -F|--fdpic-funcptrs -I|--short-inode -L|--addr-compat-layout -R|--addr-no-randomize
            -S|--whole-seconds -T|--sticky-timeouts -X|--read-implies-exec -Z|--mmap-page-zero -3|--3gb --4gb
            --uname-2.6 -v|--verbose --list --help --version"""
        ),
        stops=True,
        transparent=True,
        runs_code=True,
        reader=_setarch,
    ),
    Program(
        ("busybox", "toybox"),
        does="runs one of its own programs",
        reason="Its first operand names a program, which is judged like the program of that name.",
        options=options("--list --list-full --help", dangers={"--install": "puts programs into folders"}),
        stops=True,
        transparent=True,
        runs_code=True,
        reader=_busybox,
    ),
)

PROGRAMS: tuple[Program, ...] = (
    *_SELF,
    XARGS,
    _wrapper(
        "timeout gtimeout",
        "stops a command after some time",
        "-k|--kill-after= -s|--signal= --foreground --preserve-status -v|--verbose -f|-p",
        first=(Use.TEXT,),
    ),
    _wrapper("nice", "starts a command with another priority", "-n|--adjustment=", numbers=True),
    _wrapper("nohup eatmydata", "starts a command that outlives the terminal"),
    _wrapper(
        "time gtime",
        "measures how long a command takes",
        "-p|--portability -v|--verbose -a|--append -f|--format= -q|--quiet -l -h",
        writes="-o|--output=",
    ),
    _wrapper("stdbuf", "starts a command with other buffers", "-i|--input= -o|--output= -e|--error="),
    _wrapper("setsid", "starts a command in a session of its own", "-c|--ctty -f|--fork -w|--wait"),
    _wrapper(
        "ionice",
        "starts a command with another priority",
        "-c|--class= -n|--classdata= -t|--ignore",
        dangers={
            "-p|--pid=": "changes running processes",
            "-P|--pgid=": "changes running processes",
            "-u|--uid=": "changes running processes",
        },
    ),
    _wrapper(
        "chrt",
        "starts a command with another priority",
        "-b|--batch -d|--deadline -f|--fifo -i|--idle -o|--other -r|--rr -R|--reset-on-fork -T= -P= -D= -m|--max -v",
        first=(Use.TEXT,),
        dangers={"-p|--pid": "changes running processes", "-a|--all-tasks": "changes running processes"},
    ),
    _wrapper(
        "taskset",
        "starts a command on some processors",
        "-c|--cpu-list",
        first=(Use.TEXT,),
        dangers={"-p|--pid": "changes running processes", "-a|--all-tasks": "changes running processes"},
    ),
    _wrapper("chronic", "shows what a command prints if it fails", "-v -e"),
    _wrapper("ifne", "starts a command if there is input", "-n"),
    _wrapper("unbuffer", "starts a command with a terminal of its own", "-p"),
    _wrapper("catchsegv", "starts a command"),
    _wrapper("caffeinate", "keeps the machine awake during a command", "-d -i -m -s -u -t= -w="),
    _wrapper("winpty", "starts a command with a terminal", "-Xallow-non-tty -Xplain -Xconerr", one_dash=True),
    _wrapper(
        "xvfb-run",
        "starts a command with a display of its own",
        "-a|--auto-servernum -n|--server-num= -l|--listen-tcp -w|--wait= -p|--xauth-protocol= -h",
        writes="-e|--error-file= -f|--auth-file=",
        dangers={"-s|--server-args=": "hands options to the display"},
    ),
    _wrapper(
        "dbus-run-session",
        "starts a command in a session of its own",
        dangers={"--dbus-daemon=": "starts another program", "--config-file=": "can start other programs"},
    ),
    _wrapper("faketime", "starts a command at another time", "-f -m -p= --exclude-monotonic", first=(Use.TEXT,)),
    _wrapper(
        "numactl",
        "starts a command on some processors",
        """-a|--all -i|--interleave= -w|--weighted-interleave= -p|--preferred= -P|--preferred-many= -m|--membind=
        -N|--cpunodebind= -C|--physcpubind= -l|--localalloc -b|--balancing -s|--show -H|--hardware""",
        dangers={"--shm=": "changes memory that others use", "-f|--file=": "changes memory that others use"},
    ),
    _wrapper(
        "prlimit",
        "starts a command with limits",
        """-c|--core[=] -d|--data[=] -e|--nice[=] -f|--fsize[=] -i|--sigpending[=] -l|--memlock[=] -m|--rss[=]
        -n|--nofile[=] -q|--msgqueue[=] -r|--rtprio[=] -s|--stack[=] -t|--cpu[=] -u|--nproc[=] -v|--as[=] -x|--locks[=]
        -y|--rttime[=] --verbose""",
        dangers={"-p|--pid=": "changes running processes"},
    ),
    _wrapper(
        "rlwrap", "starts a command with a line to type in", "-a -A -i -n -N -r", dangers={"-z=": "starts a filter"}
    ),
    _wrapper("fakeroot", "starts a command that believes to be root", "-u --unknown-is-real"),
    *wrappers_elsewhere.PROGRAMS,
    *wrappers_watching.PROGRAMS,
)

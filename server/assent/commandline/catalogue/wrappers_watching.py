"""Programs that start another one under a microscope, or at another time."""

from assent.commandline.catalogue.starting import after_dashes, shell_text, starter, warned
from assent.commandline.catalogue.wrapping import as_text, own_word, run_input, start_at, without_assignments
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program, Use
from assent.model.modes import Category

_TRACE = "It starts a command and looks into it; options that write files or start programs are named."


def _parallel(given: Given, findings: Findings) -> None:
    findings.takes_names("puts what it reads into the text of commands", own_word(given))
    words = given.words
    end = next((at for at in given.operands if words[at].text.startswith(":::")), len(words))
    if given.operands and given.operands[0] < end:
        findings.runs_text(as_text(words[given.operands[0] : end]), given.operands[0])


def _direnv(given: Given, findings: Findings) -> None:
    rest = without_assignments(given, findings, given.operands[1:])
    if rest:
        start_at(given, findings, rest[0])


def _strace(given: Given, findings: Findings) -> None:
    target = given.value("-o")
    if target is not None and (not target.exact or target.text[:1] in ("|", "!")):
        findings.danger(f"sends what it finds to the program {target.text}")
    for one in given.options:
        if one.name == "-e" and one.value is not None and one.value.text.startswith(("inject", "fault")):
            findings.danger("changes what the system answers", one.value_at)


def _later(given: Given, findings: Findings) -> None:
    findings.danger("keeps commands that run later", own_word(given))
    run_input(given, findings, "What it is given to run later cannot be known.")


_TRACING: tuple[Program, ...] = (
    starter(
        "strace",
        "shows what a command asks of the system",
        _TRACE,
        """-f|--follow-forks -ff -F -e= -s|--string-limit= -c|--summary-only
        -C|--summary -t -tt -ttt -T -v|--no-abbrev -V
        -x -xx -y -yy -q|--quiet -qq -qqq -r -i -k -n -N -z
        -Z -w -a= -b= -I= -O= -P= -S= -X= -A --trace= --signal= --status=
        --trace-path= --output-separately --absolute-timestamps[=] --relative-timestamps[=] --syscall-times[=]
        --decode-fds[=] --stack-traces""",
        outputs="-o|--output=",
        dangers={
            "-p|--attach=": "looks into a process that runs already",
            "-E|--env=": "sets variables of the command",
            "-u|--user=": "starts the command as another user",
            "-d|--debug": "shows its own work",
            "-D": "hides behind the command",
            "--inject=": "changes what the system answers",
            "--fault=": "changes what the system answers",
        },
        reader=_strace,
    ),
    starter(
        "ltrace",
        "shows what a command asks of its libraries",
        _TRACE,
        "-a= -c -C -e= -f -i -L -n= -r -s= -S -t -tt -ttt -T -u= -V -w= -x= -b -A= -D= -l=",
        outputs="-o|--output=",
        dangers={"-p=": "looks into a process that runs already", "-F=": "reads another configuration"},
    ),
    starter(
        "valgrind",
        "looks for faults in the memory of a command",
        _TRACE,
        "-q --quiet -v --verbose -h -d",
        outputs="--log-file= --xml-file= --callgrind-out-file= --massif-out-file= --cachegrind-out-file=",
        reads="--suppressions=",
        dangers={"--db-command=": "starts another program", "--log-socket=": "sends what it finds away"},
        open=True,
    ),
    starter(
        "gdb lldb rr",
        "debugs a program",
        "A debugger runs programs, and commands of its own that can start anything.",
        "-q -quiet --quiet --silent -batch --batch -nh -nx -n --version --help",
        wraps=False,
        stops=True,
        reader=warned("can run anything in the program that it debugs", after_dashes("--args")),
    ),
    starter(
        "perf dtrace bpftrace ktrace dtruss sysdig",
        "looks into programs",
        _TRACE,
        open=True,
        wraps=False,
        reader=warned("looks into running programs"),
    ),
    starter(
        "script",
        "keeps what a command prints",
        "It starts a shell, or with -c the text of a command, and writes a file.",
        """-q|--quiet -e|--return -f|--flush -a|--append -E|--echo=
        -m|--logging-format= -o|--output-limit= --force -h -V -c|--command=""",
        outputs="-O|--log-out= -B|--log-io= -T|--log-timing= -t|--timing[=]",
        dangers={"-I|--log-in=": "keeps what is typed"},
        wraps=False,
        rest=Use.WRITE,
        reader=shell_text("-c"),
    ),
)

_LATER: tuple[Program, ...] = (
    starter(
        "parallel sem",
        "runs commands with arguments that it reads",
        "It builds texts that a shell reads.",
        """-j|--jobs= -k|--keep-order -n|--max-args= -N= -0|--null -I= -q|--quote -u|--ungroup -v --dry-run --bar --eta
             --halt= --timeout= --retries= --will-cite --no-notice --line-buffer|--lb -X -m""",
        reads="-a|--arg-file=",
        wraps=False,
        stops=True,
        reader=_parallel,
    ),
    starter(
        "systemd-run",
        "starts a command under the care of the system",
        "What it starts does not end with the shell.",
        """-u|--unit= --description= --slice= --scope --user --system -t|--pty -P|--pipe
        -q|--quiet --wait
        -G|--collect --no-block -r|--remain-after-exit --uid=
        --gid= --nice= --service-type= -S|--shell -d|--same-dir""",
        directory="--working-directory=",
        dangers={
            "-E|--setenv=": "sets variables of the command",
            "-p|--property=": "can start further programs",
            "-H|--host=": "runs it on another machine",
            "-M|--machine=": "runs it elsewhere",
            "--on-calendar=": "runs it later",
            "--on-active=": "runs it later",
            "--on-boot=": "runs it later",
        },
        reader=warned("starts a command that does not end with the shell"),
    ),
    starter(
        "at batch",
        "runs commands later",
        "It keeps commands for later.",
        open=True,
        wraps=False,
        reader=_later,
    ),
    starter(
        "direnv",
        "sets variables by folder",
        "What it sets comes out of a file of the folder, which is a script.",
        wraps=False,
        verbs=(
            starter(
                "exec",
                "starts a command with the variables of a folder",
                "It runs the folder's script first.",
                first=(Use.DIRECTORY,),
                wraps=False,
                stops=True,
                reader=warned("runs .envrc first", _direnv),
            ),
            starter(
                "allow edit grant hook reload export",
                "lets a folder's script run",
                "It runs .envrc, now or later.",
                open=True,
                wraps=False,
                reader=warned("lets .envrc run"),
            ),
            starter(
                "status version", "says what it knows", "It prints.", "--json", category=Category.READ, wraps=False
            ),
        ),
    ),
    starter(
        "nix-shell",
        "starts a shell with other programs",
        "It builds and fetches what is asked for, and then runs a shell.",
        "-p|--packages --pure --run= --command= -i= -A|--attr=",
        open=True,
        wraps=False,
        reader=warned("builds and fetches programs", shell_text("--run", "--command")),
    ),
)

_QUEUES: tuple[Program, ...] = (
    starter("atq", "lists commands that run later", "It prints.", "-q= -V", category=Category.READ, wraps=False),
    starter(
        "atrm anacron",
        "changes what runs later",
        "It changes or starts what was kept for later.",
        open=True,
        wraps=False,
        reader=warned("changes or starts what runs later"),
    ),
)

_AGAIN: tuple[Program, ...] = (
    starter(
        "watchexec entr nodemon chokidar reflex modd",
        "runs a command whenever files change",
        "It does not end, and starts what it is given again and again.",
        open=True,
        reader=warned("starts a command again and again"),
    ),
    starter(
        "tmux screen byobu zellij dtach abduco",
        "runs commands in terminals of its own",
        "What it starts does not end with the shell, and it can type into what runs already.",
        open=True,
        wraps=False,
        reader=warned("starts commands that do not end with the shell"),
    ),
    starter(
        "nix",
        "builds, fetches and runs programs",
        "It fetches and builds what is asked for, and can start a command in it.",
        open=True,
        wraps=False,
        reader=warned("builds and fetches programs", after_dashes("-c", "--command")),
    ),
)

PROGRAMS: tuple[Program, ...] = (*_TRACING, *_LATER, *_QUEUES, *_AGAIN)

"""Programs that start another one with other rights, in another place, at another time, or under a microscope."""

from collections.abc import Callable
from dataclasses import replace

from assent.commandline.catalogue.schema import Operands, Program, Reader, Use, options
from assent.commandline.catalogue.ssh import SSH_PROGRAMS
from assent.commandline.catalogue.wrapping import as_text, own_word, start_at, without_assignments
from assent.commandline.findings import Findings
from assent.commandline.given import Given, sort_words
from assent.model.modes import Category

_RIGHTS = "It starts a command with the rights of another user, which a rule has to name by itself."
_PLACE = "It starts a command where files and processes are others, so that no path means what it says."
_TRACE = "It starts a command and looks into it; options that write files or start programs are named."

_TWO_VALUES = """
--bind --dev-bind --ro-bind --bind-try --dev-bind-try --ro-bind-try --symlink --setenv --file --bind-data --ro-bind-data
--chmod --overlay
"""
_ONE_VALUE = """
--args --argv0 --userns --userns2 --pidns --uid --gid --hostname --chdir --unsetenv --lock-file --sync-fd --remount-ro
--exec-label --file-label --proc --dev --tmpfs --mqueue --dir --seccomp --add-seccomp-fd --block-fd --userns-block-fd
--info-fd --json-status-fd --cap-add --cap-drop --perms --size --overlay-src --tmp-overlay --ro-overlay
"""
_BWRAP_VALUES = {**dict.fromkeys(_TWO_VALUES.split(), 2), **dict.fromkeys(_ONE_VALUE.split(), 1)}


def _warned(why: str, then: Reader | None = None) -> Reader:
    """A danger in the name of the program itself."""

    def read(given: Given, findings: Findings) -> None:
        findings.danger(why, own_word(given))
        if then is not None:
            then(given, findings)

    return read


def _shell_text(*names: str) -> Reader:
    """Text in an option; without it, a shell that reads what it is given."""

    def read(given: Given, findings: Findings) -> None:
        texts = [one for one in given.options if one.option.names[0] in names and one.value is not None]
        for one in texts:
            if one.value is not None:
                findings.runs_text(one.value, one.value_at, posix=True)
        if not texts:
            findings.danger("starts a shell, which runs whatever it is given", own_word(given))

    return read


def _command_or_text(given: Given, findings: Findings) -> None:
    """`runuser -u name command`, or the form of su."""
    if given.has("-u") and given.operands:
        start_at(given, findings, given.operands[0])
        return
    # In the form of su, options may stand after the name of the user.
    _shell_text("-c")(sort_words(replace(given.program, stops=False), given.words, given.start), findings)


def _after_dashes(name: str) -> Callable[[Given, Findings], None]:
    """A command after this option, up to the end of the line."""

    def read(given: Given, findings: Findings) -> None:
        texts = [word.text for word in given.words]
        if name in texts and texts.index(name) + 1 < len(texts):
            start_at(given, findings, texts.index(name) + 1)

    return read


def _bwrap(given: Given, findings: Findings) -> None:
    findings.danger("starts a command among other files", own_word(given))
    at = given.start
    while at < len(given.words) and given.words[at].text.startswith("-"):
        text = given.words[at].text
        at += 1 + _BWRAP_VALUES.get(text, 0)
        if text == "--":
            break
    if at < len(given.words):
        start_at(given, findings, at)


def _parallel(given: Given, findings: Findings) -> None:
    findings.danger("puts what it reads into the text of commands", own_word(given))
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


def _wrapper(
    names: str,
    does: str,
    reason: str,
    harmless: str = "",
    *,
    category: Category = Category.EXECUTE,
    first: tuple[Use, ...] = (),
    outputs: str = "",
    reads: str = "",
    directory: str = "",
    commands: str = "",
    dangers: dict[str, str] | None = None,
    assigns: bool = False,
    wraps: bool = True,
    stops: bool = False,
    open: bool = False,
    reader: Reader | None = None,
    verbs: tuple[Program, ...] = (),
    rest: Use = Use.TEXT,
) -> Program:
    table = options(harmless, outputs=outputs, reads=reads, directory=directory, commands=commands, dangers=dangers)
    for name in ("--help", "--version"):
        table.update({} if name in table else options(name))
    return Program(
        tuple(names.split()),
        does=does,
        reason=reason,
        category=category,
        options=table,
        operands=Operands(first=first, rest=rest),
        assigns=assigns,
        wraps=wraps,
        stops=stops,
        open=open,
        reader=reader,
        verbs=verbs,
        runs_code=True,
    )


_RIGHTS_OF_OTHERS: tuple[Program, ...] = (
    _wrapper(
        "sudo",
        "starts a command as another user",
        _RIGHTS,
        """-b|--background -B|--bell -C|--close-from= -E -g|--group= -H|--set-home -h|--host= -K|--remove-timestamp
        -k|--reset-timestamp -l|--list -n|--non-interactive -N|--no-update -P|--preserve-groups -p|--prompt= -S|--stdin
        -T|--command-timeout= -r|--role= -t|--type= -U|--other-user= -u|--user= -V -v|--validate""",
        directory="-D|--chdir=",
        dangers={
            "-A|--askpass": "starts a program that asks for the password",
            "-e|--edit": "starts an editor",
            "-i|--login": "starts a shell",
            "-s|--shell": "starts a shell",
            "-R|--chroot=": "takes another folder for the whole machine",
            "--preserve-env[=]": "hands variables to the command",
        },
        assigns=True,
    ),
    _wrapper(
        "doas",
        "starts a command as another user",
        _RIGHTS,
        "-n -u= -L -a=",
        dangers={"-s": "starts a shell", "-C=": "takes another configuration"},
    ),
    _wrapper("pkexec", "starts a command as another user", _RIGHTS, "--user= --disable-internal-agent --keep-cwd"),
    _wrapper(
        "su",
        "starts a shell as another user",
        _RIGHTS,
        """-c|--command= --session-command= -l|--login -m|-p|--preserve-environment
        -g|--group= -G|--supp-group= -P|--pty -f""",
        dangers={"-s|--shell=": "starts another program", "-w|--whitelist-environment=": "hands variables on"},
        wraps=False,
        reader=_shell_text("-c", "--session-command"),
    ),
    _wrapper(
        "runuser",
        "starts a command as another user",
        _RIGHTS,
        """-u|--user= -c|--command= --session-command= -l|--login -m|-p|--preserve-environment -g|--group=
        -G|--supp-group= -P|--pty -f""",
        dangers={"-s|--shell=": "starts another program", "-w|--whitelist-environment=": "hands variables on"},
        wraps=False,
        stops=True,
        reader=_command_or_text,
    ),
    _wrapper(
        "setpriv capsh", "starts a command with other rights", _RIGHTS, open=True, reader=_warned("changes rights")
    ),
)

_OTHER_PLACES: tuple[Program, ...] = (
    _wrapper(
        "chroot",
        "starts a command in another root",
        _PLACE,
        "--groups= --userspec= --skip-chdir",
        first=(Use.DANGER,),
    ),
    _wrapper(
        "unshare",
        "starts a command in namespaces of its own",
        _PLACE,
        """-m|--mount[=] -u|--uts[=] -i|--ipc[=] -n|--net[=] -p|--pid[=] -U|--user[=] -C|--cgroup[=] -T|--time[=]
        -f|--fork --kill-child[=] --mount-proc[=] --map-user= --map-group= -r|--map-root-user -c|--map-current-user
        --map-auto --map-users= --map-groups= --propagation= --setgroups= --keep-caps -R|--root= -w|--wd= -S|--setuid=
        -G|--setgid= --monotonic= --boottime=""",
        reader=_warned("starts a command among other files and processes"),
    ),
    _wrapper(
        "nsenter",
        "starts a command in the namespaces of a process",
        _PLACE,
        """-t|--target= -a|--all -m|--mount[=] -u|--uts[=] -i|--ipc[=] -n|--net[=] -p|--pid[=] -C|--cgroup[=]
        -U|--user[=] -T|--time[=] -S|--setuid= -G|--setgid= --preserve-credentials -r|--root[=] -w|--wd[=] -W|--wdns=
        -e|--env -F|--no-fork -Z|--follow-context""",
        reader=_warned("starts a command among other files and processes"),
    ),
    _wrapper("bwrap", "starts a command among other files", _PLACE, open=True, wraps=False, stops=True, reader=_bwrap),
    _wrapper(
        "firejail proot fakechroot",
        "starts a command among other files",
        _PLACE,
        open=True,
        reader=_warned("starts a command among other files"),
    ),
    _wrapper(
        "arch", "starts a command for another processor", _PLACE, "-x86_64 -arm64 -arm64e -i386 -arch= -c", open=True
    ),
    *SSH_PROGRAMS,
)

_TRACING: tuple[Program, ...] = (
    _wrapper(
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
    _wrapper(
        "ltrace",
        "shows what a command asks of its libraries",
        _TRACE,
        "-a= -c -C -e= -f -i -L -n= -r -s= -S -t -tt -ttt -T -u= -V -w= -x= -b -A= -D= -l=",
        outputs="-o|--output=",
        dangers={"-p=": "looks into a process that runs already", "-F=": "reads another configuration"},
    ),
    _wrapper(
        "valgrind",
        "looks for faults in the memory of a command",
        _TRACE,
        "-q --quiet -v --verbose -h -d",
        outputs="--log-file= --xml-file= --callgrind-out-file= --massif-out-file= --cachegrind-out-file=",
        reads="--suppressions=",
        dangers={"--db-command=": "starts another program", "--log-socket=": "sends what it finds away"},
        open=True,
    ),
    _wrapper(
        "gdb lldb rr",
        "debugs a program",
        "A debugger runs programs, and commands of its own that can start anything.",
        wraps=False,
        stops=True,
        open=True,
        reader=_warned("can run anything in the program that it debugs", _after_dashes("--args")),
    ),
    _wrapper(
        "perf dtrace bpftrace ktrace dtruss sysdig",
        "looks into programs",
        _TRACE,
        open=True,
        wraps=False,
        reader=_warned("looks into running programs"),
    ),
    _wrapper(
        "script",
        "keeps what a command prints",
        "It starts a shell, or with -c the text of a command, and writes a file.",
        """-q|--quiet -e|--return -f|--flush -a|--append -E|--echo=
        -m|--logging-format= -o|--output-limit= --force -h -V -c|--command=""",
        outputs="-O|--log-out= -B|--log-io= -T|--log-timing= -t|--timing[=]",
        dangers={"-I|--log-in=": "keeps what is typed"},
        wraps=False,
        rest=Use.WRITE,
        reader=_shell_text("-c"),
    ),
)

_LATER: tuple[Program, ...] = (
    _wrapper(
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
    _wrapper(
        "systemd-run",
        "starts a command under the care of the system",
        "What it starts does not end with the shell.",
        """-u|--unit= -p|--property= --description= --slice= --scope --user --system -t|--pty -P|--pipe
        -q|--quiet --wait
        -G|--collect --no-block -r|--remain-after-exit --uid=
        --gid= --nice= --service-type= -S|--shell -d|--same-dir""",
        directory="--working-directory=",
        dangers={
            "-E|--setenv=": "sets variables of the command",
            "-H|--host=": "runs it on another machine",
            "-M|--machine=": "runs it elsewhere",
            "--on-calendar=": "runs it later",
            "--on-active=": "runs it later",
            "--on-boot=": "runs it later",
        },
        reader=_warned("starts a command that does not end with the shell"),
    ),
    _wrapper(
        "at batch atq atrm anacron",
        "runs commands later",
        "It keeps commands for later.",
        open=True,
        wraps=False,
        reader=_warned("keeps commands that run later"),
    ),
    _wrapper(
        "direnv",
        "sets variables by folder",
        "What it sets comes out of a file of the folder, which is a script.",
        wraps=False,
        verbs=(
            _wrapper(
                "exec",
                "starts a command with the variables of a folder",
                "It runs the folder's script first.",
                first=(Use.DIRECTORY,),
                wraps=False,
                stops=True,
                reader=_warned("runs .envrc first", _direnv),
            ),
            _wrapper(
                "allow edit grant hook reload export",
                "lets a folder's script run",
                "It runs .envrc, now or later.",
                open=True,
                wraps=False,
                reader=_warned("lets .envrc run"),
            ),
            _wrapper(
                "status version", "says what it knows", "It prints.", "--json", category=Category.READ, wraps=False
            ),
        ),
    ),
    _wrapper(
        "nix-shell",
        "starts a shell with other programs",
        "It builds and fetches what is asked for, and then runs a shell.",
        "-p|--packages --pure --run= --command= -i= -A|--attr=",
        open=True,
        wraps=False,
        reader=_warned("builds and fetches programs", _shell_text("--run", "--command")),
    ),
)

PROGRAMS: tuple[Program, ...] = (*_RIGHTS_OF_OTHERS, *_OTHER_PLACES, *_TRACING, *_LATER)

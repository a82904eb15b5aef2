"""Programs that tell of the machine, and a few that change what runs on it."""

from assent.commandline.catalogue.looking import HELP
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Use, options
from assent.model.modes import Category

_NONE = Operands(rest=None)
_TEXT = Operands(rest=Use.TEXT)
_READS = Operands(rest=Use.READ)


def _tells(names: str, does: str, operands: Operands = _TEXT, *, reads: str = "") -> Program:
    return Program(
        tuple(names.split()),
        does,
        "It asks the system and prints the answer; what it could change is named as a danger, or needs an operand.",
        options=options(reads=reads),
        operands=operands,
        open=True,
    )


def _dates(given: Given, findings: Findings) -> None:
    """What does not begin with + sets the clock, unless it is only taken apart."""
    if given.has("-j"):
        return
    for at in given.operands:
        if not findings.words[at].text.startswith("+"):
            findings.danger("sets the clock", at)


def _shows_settings(given: Given, findings: Findings) -> None:
    """sysctl and the like: `name=value` sets."""
    for at in given.operands:
        if "=" in findings.words[at].text or not findings.words[at].exact:
            findings.danger("changes a setting of the system", at)


def _shows_variables(given: Given, findings: Findings) -> None:
    for at in given.operands:
        text = findings.words[at].text
        if not findings.words[at].exact or ("e" in text and text.isalpha()):
            findings.danger("shows the variables of other programs", at)
    for at, word in enumerate(given.words):
        if "environ" in word.text.lower():
            findings.danger("shows the variables of other programs", at)


def _viewer(given: Given, findings: Findings) -> None:
    findings.danger("waits for a person at the keyboard", 0)


def _changes_table(given: Given, findings: Findings) -> None:
    if not given.has("-l"):
        findings.danger("changes what is run at set times", 0)


_DATE = options(
    "-d|--date= --debug -I|--iso-8601[=] --resolution -R|--rfc-email|--rfc-822|--rfc-2822 --rfc-3339= "
    "-u|--utc|--universal "
    "-j -n -v= -z=" + HELP,
    reads="-r|--reference= -f|--file=",
    dangers={"-s|--set=": "sets the clock"},
)

_PS = (
    "-A -a -d -e -f -F -j -l -M -m -N -T -x -y -c -H -L -V -S -w -r -v -X -h -C= -G= -g= -o= -O= -p= -q= -s= -t= "
    "-U= -u= "
    "--pid= --ppid= --user= --User= --group= --Group= --tty= --sid= --format= --sort= --forest --no-headers --headers "
    "--cols= --columns= --width= --rows= --lines= --deselect --cumulative --context --info --version --help[=]"
)

_SYSTEMD_FLAGS = options(
    "--user --system --no-pager -a|--all -l|--full -q|--quiet -t|--type= --state= -p|--property= --plain --no-legend "
    "-n|--lines= -o|--output= --value -r|--recursive --failed",
    dangers={
        "-H|--host=": "works on another machine",
        "-M|--machine=": "works inside a container",
        "--root=": "works on another system's files",
        "--image=": "works on another system's files",
    },
)


def _systemctl() -> Program:
    shows = "status show is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets cat "
    shows += "list-dependencies list-jobs get-default is-system-running help"
    return Program(
        ("systemctl",),
        "shows or changes what the system runs",
        "Verbs that show are known; every other one changes what runs.",
        category=Category.EXECUTE,
        options=_SYSTEMD_FLAGS,
        verbs=(Program(tuple(shows.split()), "shows services", "It only shows.", options=_SYSTEMD_FLAGS),),
    )


_JOURNAL: dict[str, Option] = options(
    "-a|--all -f|--follow -e|--pager-end -n|--lines[=] --no-tail -r|--reverse -o|--output= --output-fields= --utc "
    "-x|--catalog --no-full -l|--full -q|--quiet -m|--merge -b|--boot[=] --list-boots -k|--dmesg -u|--unit= "
    "--user-unit= -t|--identifier= -p|--priority= --facility= -g|--grep= --case-sensitive[=] -S|--since= -U|--until= "
    "-c|--cursor= --after-cursor= --show-cursor -N|--fields -F|--field= --system --user --no-pager --no-hostname "
    "--disk-usage --header --list-catalog --version -h|--help --truncate-newline",
    reads="-D|--directory= --file= --root=",
    dangers={
        "--vacuum-size=": "deletes logs",
        "--vacuum-files=": "deletes logs",
        "--vacuum-time=": "deletes logs",
        "--rotate": "changes logs",
        "--flush": "changes logs",
        "--sync": "changes logs",
        "--relinquish-var": "changes logs",
        "--smart-relinquish-var": "changes logs",
        "--setup-keys": "writes keys",
        "--update-catalog": "writes the catalogue",
        "-M|--machine=": "works inside a container",
        "--cursor-file=": "writes a file",
    },
)

PROGRAMS: tuple[Program, ...] = (
    _tells("whoami id groups w", "shows who is there"),
    _tells("users who last", "shows who is there, or was by what a file says", _READS, reads="-f|--file="),
    _tells("uname nproc sw_vers lsb_release", "shows what machine this is"),
    _tells("uptime free vmstat mpstat iostat", "shows how busy the machine is"),
    _tells("pgrep pidof pstree", "looks for running programs"),
    _tells("lsblk lsmod", "shows what the machine has", reads="--sysroot="),
    _tells("lscpu", "shows what the machine has", reads="-s|--sysroot="),
    _tells("lsusb", "shows what the machine has", reads="-D="),
    _tells("findmnt", "shows what is mounted, or would be by what a file says", reads="-F|--tab-file="),
    _tells("locale", "shows the settings of language"),
    _tells("cal ncal", "shows a calendar"),
    _tells("printenv", "shows variables of the environment"),
    Program(
        ("date", "gdate"),
        "shows the time",
        "It prints the time, or one that is given. It can also set the clock.",
        options=_DATE,
        operands=_TEXT,
        reader=_dates,
    ),
    Program(
        ("hostname",),
        "shows the machine's name",
        "It prints a name; with an operand it sets it.",
        options=options(
            "-a|--alias -A|--all-fqdns -d|--domain -f|--fqdn|--long -i|--ip-address -I|--all-ip-addresses -s|--short "
            "-y|--yp|--nis -V|--version -h|--help",
            dangers={"-F|--file=": "sets the name", "-b|--boot": "sets the name"},
        ),
        operands=_NONE,
    ),
    Program(
        ("ps",),
        "shows running programs",
        "It asks the system and prints; in no version does an option change anything. Letters without a dash are "
        "options, too, and one of them shows the variables of all programs, with the keys in them.",
        options=options(_PS, dangers={"-E": "shows the variables of other programs"}),
        open=True,
        numbers=True,
        reader=_shows_variables,
    ),
    Program(
        ("top", "htop", "btop"),
        "shows running programs all the time",
        "It waits for keys, some of which end programs.",
        open=True,
        category=Category.EXECUTE,
        reader=_viewer,
    ),
    Program(
        ("lsof",),
        "shows open files",
        "It asks the system and prints. An option makes it keep a file about devices.",
        options=options(
            "-a -b -C -c= -d= -E +E -F[=] -g[=] -h -i[=] -K -l -n -N -o -O -p= -P -Q -r[=] -R -s[=] -S[=] -t -T[=] "
            "-u= -U "
            "-v -V -w -x[=] -X -Z",
            reads="+d= +D= -f[=]",
            dangers={"-D=": "writes a file about devices", "-A=": "loads other tables", "-k=": "loads other tables"},
        ),
        operands=_READS,
    ),
    Program(
        ("stty",),
        "shows settings of the terminal",
        "Without a word it only shows; with one it changes how the terminal behaves.",
        options=options("-a|--all -g|--save" + HELP),
        operands=_NONE,
    ),
    Program(
        ("sysctl",),
        "shows settings of the system",
        "A name with a value sets; so do two options.",
        options=options(
            "-a|--all -A -X -b|--binary -e|--ignore -N|--names -n|--values -o -x -h -d -i",
            dangers={"-w|--write": "changes a setting", "-p|--load[=]": "loads settings", "-f=": "loads settings"},
        ),
        operands=_TEXT,
        reader=_shows_settings,
    ),
    Program(
        ("dmesg",),
        "shows messages of the system",
        "It prints messages. It can also empty them or change where they go.",
        options=options(
            "-H|--human -J|--json -k|--kernel -l|--level= -L|--color[=] -P|--nopager -r|--raw -S|--syslog -s= "
            "-t|--notime -T|--ctime -u|--userspace -w|--follow -W|--follow-new -x|--decode --since= --until= "
            "--time-format= -f|--facility= -p|--force-prefix --noescape -d|--show-delta -e|--reltime -h|--help "
            "-V|--version",
            reads="-F|--file= -K|--kmsg-file=",
            dangers={
                "-C|--clear": "empties the messages",
                "-c|--read-clear": "empties the messages",
                "-D|--console-off": "changes where messages go",
                "-E|--console-on": "changes where messages go",
                "-n|--console-level=": "changes where messages go",
            },
        ),
        operands=_NONE,
    ),
    Program(
        ("kill", "pkill", "killall", "skill"),
        "ends running programs",
        "Which program a number or a name means is only known when it runs.",
        category=Category.EXECUTE,
        open=True,
    ),
    Program(
        ("mount",),
        "shows or changes what is mounted",
        "Without a word it lists; with one it changes what lies under a name.",
        open=True,
        reader=lambda given, findings: findings.danger("changes what is mounted", 0) if len(given.words) > 1 else None,
    ),
    Program(
        ("umount", "swapon", "swapoff", "mkfs", "fdisk", "parted", "reboot", "shutdown", "halt", "poweroff"),
        "changes the machine for everybody",
        "There is no harmless form of it that is worth telling apart.",
        category=Category.EXECUTE,
        open=True,
        reader=lambda given, findings: findings.danger("changes the machine for everybody", 0),
    ),
    _systemctl(),
    Program(
        ("service",),
        "shows or changes what the system runs",
        "It starts the script that belongs to a service with a word for it.",
        category=Category.EXECUTE,
        open=True,
    ),
    Program(
        ("journalctl",),
        "shows logs of the system",
        "It prints logs. Options make it delete or change them.",
        options=_JOURNAL,
        operands=_TEXT,
    ),
    Program(
        ("crontab",),
        "shows or changes what is run at set times",
        "Only -l shows; all else changes what is run later.",
        options=options("-l", dangers={"-e": "opens an editor", "-r": "deletes the table", "-u=": "is another user's"}),
        operands=Operands(rest=Use.SCRIPT),
        reader=_changes_table,
    ),
    Program(
        ("defaults",),
        "shows or changes settings of programs",
        "Verbs that show are known; every other one changes settings.",
        category=Category.EXECUTE,
        options=options("-currentHost -globalDomain", dangers={"-host=": "reads another machine's settings"}),
        one_dash=True,
        verbs=(
            Program(
                ("read", "read-type", "domains", "find", "help"),
                "shows settings of programs",
                "It only shows.",
                options=options("-g -app= -globalDomain"),
                one_dash=True,
            ),
        ),
    ),
    Program(
        ("open", "xdg-open", "start"),
        "opens something with the program for it",
        "Which program that is, and what it does with what it is given, is decided elsewhere.",
        category=Category.EXECUTE,
        open=True,
        operands=_READS,
        reader=lambda given, findings: findings.danger("starts the program that belongs to a file", 0),
    ),
)

"""Programs that start another one with other rights, or in another place."""

from dataclasses import replace

from assent.commandline.catalogue.ssh import SSH_PROGRAMS
from assent.commandline.catalogue.starting import shell_text, starter, warned
from assent.commandline.catalogue.wrapping import own_word, start_at
from assent.commandline.findings import Findings
from assent.commandline.given import Given, sort_words
from assent.commandline.schema import Program, Use

_RIGHTS = "It starts a command with the rights of another user, which a rule has to name by itself."
_PLACE = "It starts a command where files and processes are others, so that no path means what it says."

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


def _command_or_text(given: Given, findings: Findings) -> None:
    """`runuser -u name command`, or the form of su."""
    if given.has("-u") and given.operands:
        start_at(given, findings, given.operands[0])
        return
    # In the form of su, options may stand after the name of the user.
    shell_text("-c")(sort_words(replace(given.program, stops=False), given.words, given.start), findings)


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


_RIGHTS_OF_OTHERS: tuple[Program, ...] = (
    starter(
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
    starter(
        "doas",
        "starts a command as another user",
        _RIGHTS,
        "-n -u= -L -a=",
        dangers={"-s": "starts a shell", "-C=": "takes another configuration"},
    ),
    starter("pkexec", "starts a command as another user", _RIGHTS, "--user= --disable-internal-agent --keep-cwd"),
    starter(
        "su",
        "starts a shell as another user",
        _RIGHTS,
        """-c|--command= --session-command= -l|--login -m|-p|--preserve-environment
        -g|--group= -G|--supp-group= -P|--pty -f""",
        dangers={"-s|--shell=": "starts another program", "-w|--whitelist-environment=": "hands variables on"},
        wraps=False,
        reader=shell_text("-c", "--session-command"),
    ),
    starter(
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
    starter("setpriv capsh", "starts a command with other rights", _RIGHTS, open=True, reader=warned("changes rights")),
)

_OTHER_PLACES: tuple[Program, ...] = (
    starter(
        "chroot",
        "starts a command in another root",
        _PLACE,
        "--groups= --userspec= --skip-chdir",
        first=(Use.DANGER,),
    ),
    starter(
        "unshare",
        "starts a command in namespaces of its own",
        _PLACE,
        """-m|--mount[=] -u|--uts[=] -i|--ipc[=] -n|--net[=] -p|--pid[=] -U|--user[=] -C|--cgroup[=] -T|--time[=]
        -f|--fork --kill-child[=] --mount-proc[=] --map-user= --map-group= -r|--map-root-user -c|--map-current-user
        --map-auto --map-users= --map-groups= --propagation= --setgroups= --keep-caps -R|--root= -w|--wd= -S|--setuid=
        -G|--setgid= --monotonic= --boottime=""",
        reader=warned("starts a command among other files and processes"),
    ),
    starter(
        "nsenter",
        "starts a command in the namespaces of a process",
        _PLACE,
        """-t|--target= -a|--all -m|--mount[=] -u|--uts[=] -i|--ipc[=] -n|--net[=] -p|--pid[=] -C|--cgroup[=]
        -U|--user[=] -T|--time[=] -S|--setuid= -G|--setgid= --preserve-credentials -r|--root[=] -w|--wd[=] -W|--wdns=
        -e|--env -F|--no-fork -Z|--follow-context""",
        reader=warned("starts a command among other files and processes"),
    ),
    starter("bwrap", "starts a command among other files", _PLACE, open=True, wraps=False, stops=True, reader=_bwrap),
    starter(
        "firejail proot fakechroot",
        "starts a command among other files",
        _PLACE,
        open=True,
        reader=warned("starts a command among other files"),
    ),
    starter(
        "arch", "starts a command for another processor", _PLACE, "-x86_64 -arm64 -arm64e -i386 -arch= -c", open=True
    ),
    *SSH_PROGRAMS,
)

PROGRAMS: tuple[Program, ...] = (*_RIGHTS_OF_OTHERS, *_OTHER_PLACES)

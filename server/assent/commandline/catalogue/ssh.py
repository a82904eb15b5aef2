"""Ssh: a command on another machine, and the options that start programs on this one."""

from assent.commandline.catalogue.wrapping import as_text, run_input
from assent.commandline.findings import Findings
from assent.commandline.given import Given, sort_words
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_HARMLESS = frozenset(
    {
        "addressfamily", "batchmode", "compression", "connectionattempts", "connecttimeout", "identitiesonly",
        "loglevel", "numberofpasswordprompts", "passwordauthentication", "port", "preferredauthentications",
        "pubkeyauthentication", "requesttty", "serveralivecountmax", "serveraliveinterval", "tcpkeepalive", "user",
    }
)  # fmt: skip
"""Settings whose values name no program, no file and no further host."""


def _ssh(given: Given, findings: Findings) -> None:
    findings.contacts()
    _settings(given, findings)
    if not given.operands:
        return
    again = sort_words(given.program, given.words, given.operands[0] + 1)
    if again.options or again.strange:
        findings.danger("has options after the name of the host", given.operands[0] + 1)
    elif not again.operands and given.piped:
        findings.danger("hands its input to a shell on the other machine", given.operands[0])
        before, findings.directory = findings.directory, None
        run_input(given, findings, "What the other machine is given to run cannot be known.")
        findings.directory = before
    if again.operands:
        words = given.words[again.operands[0] :]
        before, findings.directory = findings.directory, None
        findings.runs_text(as_text(words), again.operands[0])
        findings.directory = before


def _settings(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.name == "-o" and one.value is not None:
            name = one.value.text.replace("=", " ").split(" ")[0].lower()
            if name not in _HARMLESS or not one.value.exact:
                findings.danger(f"sets {one.value.written or one.value.text}", one.value_at)


SSH_PROGRAMS: tuple[Program, ...] = (
    Program(
        ("ssh", "autossh", "slogin"),
        does="runs a command on another machine",
        reason="It contacts the other machine; options that start programs here, or open ways through, are dangers.",
        category=Category.EXTERNAL,
        options=options(
            "-4 -6 -a -B= -b= -C -c= -e= -G -k -l= -m= -N -n -o= -p= -P= -Q= -q -T -t -V -v -x -y",
            reads="-i=",
            writes="-E=",
            dangers={
                "-A": "lets the other machine use the keys of this one",
                "-K": "hands credentials to the other machine",
                "-X": "lets the other machine use the display",
                "-Y": "lets the other machine use the display",
                "-D=": "opens a way through the other machine",
                "-L=": "opens a way through the other machine",
                "-R=": "opens a way back to this machine",
                "-W=": "opens a way through the other machine",
                "-w=": "opens a way through the other machine",
                "-g": "lets others use the ways that it opens",
                "-F=": "takes a configuration, which can start programs",
                "-I=": "loads a library",
                "-J=": "goes through another machine",
                "-S=": "uses the connection of another",
                "-M": "lets others use its connection",
                "-O=": "commands another connection",
                "-f": "stays in the background",
                "-s": "starts a part of the other machine's service",
            },
        ),
        operands=Operands(first=(Use.CONTACT,)),
        stops=True,
        runs_code=True,
        reader=_ssh,
    ),
    Program(
        ("mosh",),
        does="runs a command on another machine",
        reason="It contacts the other machine with ssh, and options name the programs for that.",
        category=Category.EXTERNAL,
        options=options(
            "-4 -6 -a -n -p|--port= --predict= --help --version",
            dangers={
                "--ssh=": "starts another program",
                "--client=": "starts another program",
                "--server=": "starts another",
            },
        ),
        stops=True,
        runs_code=True,
        reader=_ssh,
    ),
)

"""What shows the connections of this machine."""

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options

_LOOKS = "Prints what the system knows of its own connections."
SOCKETS: tuple[Program, ...] = (
    Program(
        ("ss",),
        "lists connections",
        _LOOKS,
        options=options(
            "-t|--tcp -u|--udp -l|--listening -n|--numeric -p|--processes -a|--all -e|--extended -m|--memory -i|--info "
            "-s|--summary -4|--ipv4 -6|--ipv6 -x|--unix -o|--options -r|--resolve -H|--no-header -O|--oneline "
            "-h|--help "
            "-V|--version -w|--raw -0|--packet -f|--family= -A|--query= -Z|--context -b|--bpf -E|--events --tos "
            "--cgroup",
            reads="-F|--filter=",
            outputs="-D|--diag=",
            dangers={"-K|--kill": "closes connections", "-N|--net=": "looks at another network"},
        ),
    ),
    Program(
        ("netstat",),
        "lists connections",
        _LOOKS,
        options=options(
            "-t|--tcp -u|--udp -l|--listening -n|--numeric -p|--programs -a|--all -e|--extend -r|--route "
            "-i|--interfaces "
            "-s|--statistics -c|--continuous -v|--verbose -o|--timers -4 -6 -x|--unix -w|--raw -W|--wide -g|--groups "
            "-h|--help -V|--version -f= -b"
        ),
    ),
)
_IP_LOOKS = frozenset({"show", "list", "ls", "get", "s", "sh", "l", "lst"})
_IP_WORDS = "a addr address l link r ro rou rout route n nei neigh neighbor neighbour ru rule m maddr maddress"
_IP_THINGS = frozenset(_IP_WORDS.split())


def _ip(given: Given, findings: Findings) -> None:
    """`ip THING [show ...]` only looks; any other word after the thing may change it."""
    words = [findings.words[at] for at in given.operands]
    if not words or (words[0].exact and words[0].text in _IP_THINGS and len(words) == 1):
        return
    if not words[0].exact or words[0].text not in _IP_THINGS:
        findings.danger("works on something that is not looked at here", given.operands[0])
    elif not words[1].exact or words[1].text not in _IP_LOOKS:
        findings.danger(f"can change the network ({words[1].written or words[1].text})", given.operands[1])


IP: tuple[Program, ...] = (
    Program(
        ("ip",),
        "shows how the machine is connected",
        "Shows, unless a verb says otherwise; a file of commands is a danger.",
        options=options(
            "-4 -6 -s|-stats|-statistics -d|-details -o|-oneline -br|-brief -c|-color -j|-json -p|-pretty -h|-human -r "
            "-0 -V|-Version -f|-family= -t|-timestamp -ts -N",
            dangers={
                "-b|-batch=": "runs a file of commands",
                "-n|-netns=": "works on another network",
                "-force": "does not stop at errors",
                "-a|-all": "works on all networks",
            },
        ),
        named_operands=2,
        one_dash=True,
        reader=_ip,
    ),
    Program(
        ("ifconfig",),
        "shows how the machine is connected",
        "Shows one interface or all; anything after the name of one can change it.",
        options=options("-a -s -v -l -u -d -L -m"),
        operands=Operands(first=(Use.TEXT,), rest=Use.DANGER),
    ),
)
PROGRAMS: tuple[Program, ...] = (*SOCKETS, *IP)

"""Containers: what works on them asks a daemon, which may be another machine's."""

from assent.commandline.catalogue.compose import ASK, COMPOSE_VERBS, COMPOSE_WHERE, EXEC, RUN, starts_in
from assent.commandline.catalogue.shared import anywhere, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

ELSEWHERE = {
    "-H|--host|--url=": "talks to another machine",
    "-c|--context|--connection=": "talks to another machine",
    "--config=": "reads other settings",
    "--tlscacert=": "trusts other machines",
    "--tlscert=": "shows another certificate",
    "--tlskey=": "shows another key",
    "--identity=": "shows another key",
    "--tls": "talks to another machine",
    "--tlsverify": "talks to another machine",
    "-r|--remote": "talks to another machine",
    "--root=": "keeps its data elsewhere",
    "--runroot=": "keeps its data elsewhere",
    "--conmon=": "starts another program",
    "--runtime=": "starts another program",
    "--hooks-dir=": "starts other programs",
    "--module=": "reads other settings",
    "-n|--namespace=": "works on other containers",
    "-a|--address=": "talks to another machine",
}
_EVERYWHERE = anywhere(options(dangers=ELSEWHERE))
_CHANGE = "Has the daemon do what the verb says."
_FORMAT = options(
    "-a|--all -q|--quiet -f|--filter= --format= --no-trunc -s|--size -n|--last= -l|--latest --digests --tree "
    "-t|--timestamps "
    "--follow --tail= --since= --until= --details --no-stream --type= -h|--help --no-resolve --orphans -o"
)


def _shared_paths(given: Given, findings: Findings) -> None:
    """`docker cp` has one side in a container, which a colon after its name tells."""
    for place, at in enumerate(given.operands):
        word = findings.words[at]
        if word.exact and (":" in word.text.partition("/")[0] or word.text == "-"):
            continue
        if place == 0:
            findings.reads(word, at, whole=True)
        else:
            findings.writes(word, at, whole=True)


_BUILD = options(
    "-t|--tag= --target= --build-arg= --no-cache --pull -q|--quiet --progress= --platform= --label= --rm --force-rm "
    "--network= --load --squash --compress -m|--memory= --shm-size= --ulimit= --no-cache-filter= --provenance= --sbom=",
    scripts="-f|--file=",
    outputs="--iidfile= --metadata-file= -o|--output=",
    dangers={
        "--push": "sends the image to a registry",
        "--secret=": "gives it secrets",
        "--ssh=": "gives it keys",
        "--allow=": "gives it more rights",
        "--security-opt=": "changes its rights",
        "--build-context=": "gives it other folders",
        "--cache-to=": "sends what it builds elsewhere",
        "--cache-from=": "takes what was built elsewhere",
        "--add-host=": "lets names mean other hosts",
        "--builder=": "builds on another machine",
        "-v|--volume=": "gives it folders of this machine",
        "--cap-add=": "gives it more rights",
        "--device=": "gives it devices of this machine",
    },
)


def _builds(given: Given, findings: Findings) -> None:
    for at in given.operands:
        if "://" in given.words[at].text or given.words[at].text.startswith("git@"):
            findings.danger(f"builds what lies elsewhere ({given.words[at].written or given.words[at].text})", at)


_BUILD_VERB = Program(
    ("build",),
    "builds an image",
    "Runs the steps of a file of the project, and fetches what that is made of.",
    Category.EXTERNAL,
    _EVERYWHERE | _BUILD,
    Operands(rest=Use.READ, whole=True),
    open=True,
    reader=_builds,
)
_LISTS = {
    "ps": "lists containers",
    "images": "lists images",
    "logs": "prints what a container said",
    "inspect": "describes a container",
    "version": "tells which version it is",
    "info": "describes the daemon",
    "top": "lists programs in a container",
    "stats": "prints how busy containers are",
    "port": "prints the ports of a container",
    "diff": "lists what a container changed",
    "history": "lists how an image was made",
    "search": "searches the registry",
    "events": "prints what happens",
    "df": "prints how much is used",
}
_ACTS = {
    "start": "starts containers",
    "stop": "stops containers",
    "restart": "restarts containers",
    "kill": "ends containers",
    "rm": "removes containers",
    "rmi": "removes images",
    "pull": "fetches an image",
    "push": "sends an image",
    "tag": "names an image",
    "rename": "renames a container",
    "pause unpause": "pauses containers",
    "wait": "waits for containers",
    "attach": "joins a container",
    "login logout": "logs in or out",
    "commit": "makes an image",
    "prune": "removes what is not used",
    "connect disconnect": "changes a network",
    "update": "changes the limits of containers",
}
_FILES = several(
    {"save export": "writes an image", "load import": "reads an image"},
    "Copies an image between the daemon and a file.",
    Category.EXTERNAL,
    options("-q|--quiet --platform= -m= -c=", writes="-o|--output=", reads="-i|--input="),
)
_VERBS: tuple[Program, ...] = (
    *several(
        _LISTS,
        ASK,
        Category.EXTERNAL,
        _EVERYWHERE | _FORMAT,
    ),
    *several(
        _ACTS,
        _CHANGE,
        Category.EXTERNAL,
        _EVERYWHERE
        | options(
            "-t|--time= -s|--signal= -f|--force -q|--quiet -a|--all --platform= --filter= -m=",
            dangers={"-v|--volumes": "deletes data", "--link": "removes a link"},
        ),
    ),
    *_FILES,
    Program(
        ("cp",),
        "copies files between a container and this machine",
        "Reads and writes files of this machine.",
        Category.EXTERNAL,
        options("-a|--archive -L|--follow-link -q|--quiet"),
        reader=_shared_paths,
    ),
    _BUILD_VERB,
    starts_in("exec", "starts a command in a container", _EVERYWHERE | EXEC),
    starts_in("run create", "starts a command in a new container", _EVERYWHERE | RUN),
)
_ON = (*_VERBS, *several({"ls list": "lists them"}, ASK, Category.EXTERNAL, _EVERYWHERE | _FORMAT))

DOCKER = Program(
    ("docker", "podman", "nerdctl"),
    "works on containers",
    "Asks the daemon; another machine, and what gives a container more of this one, are dangers.",
    Category.EXTERNAL,
    options("-D|--debug -l|--log-level= -h|--help -v --noout --syslog", dangers=ELSEWHERE),
    verbs=(
        *_VERBS,
        *(
            Program((thing,), f"works on {thing}s", _CHANGE, Category.EXTERNAL, verbs=_ON)
            for thing in ("container", "image", "volume", "network", "system", "builder", "manifest")
        ),
        Program(
            ("compose",),
            "works on the project's containers",
            "Asks the daemon; other files, places and machines are dangers.",
            Category.EXTERNAL,
            COMPOSE_WHERE,
            verbs=COMPOSE_VERBS,
        ),
        Program(
            ("buildx",),
            "builds images",
            "Builds like the verb of that name; other verbs of it are not looked at.",
            Category.EXTERNAL,
            options(dangers={"--builder=": "builds on another machine"}),
            verbs=(
                _BUILD_VERB,
                *several(
                    {"ls": "lists builders", "version": "tells which version it is", "du": "prints what is used"},
                    ASK,
                    Category.EXTERNAL,
                ),
            ),
        ),
    ),
    versions=frozenset({"--version", "-v", "--help"}),
)
PROGRAMS: tuple[Program, ...] = (DOCKER,)

"""How commands are started in containers, and the verbs of a project's own."""

from assent.commandline.catalogue.shared import anywhere, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Use, options
from assent.model.modes import Category

ASK = "Asks the daemon and prints; the daemon may be another machine's, which is why this is not only reading."
_ENTER = "Starts the command inside a container; it is read like any other, but its paths are those of the container."
_RUN_FLAGS = (
    "--rm -i|--interactive -t|--tty -d|--detach --name= -w|--workdir= -e|--env= -l|--label= -p|--publish= "
    "-P|--publish-all --network|--net= -h|--hostname= --platform= --pull= -m|--memory= --memory-swap= --cpus= "
    "-c|--cpu-shares= "
    "--cpuset-cpus= --restart= --init -q|--quiet --read-only --shm-size= --ulimit= -u|--user= --stop-signal= "
    "--stop-timeout= "
    "--no-healthcheck --dns= --domainname= --expose= --ip= --ip6= --link= --log-driver= --log-opt= "
    "--mac-address= --network-alias= -a|--attach= --detach-keys= --tmpfs= --annotation= --storage-opt= --pids-limit= "
    "--sig-proxy[=] --oom-score-adj= --oom-kill-disable --isolation= --memory-reservation= --memory-swappiness= "
    "--kernel-memory= --blkio-weight= --cpu-period= --cpu-quota= --cpuset-mems= --dns-option= --dns-search="
)
RUN = options(
    _RUN_FLAGS,
    outputs="--cidfile= --iidfile=",
    reads="--label-file=",
    dangers={
        "-v|--volume=": "gives it folders of this machine",
        "--mount=": "gives it folders of this machine",
        "--volumes-from=": "gives it folders of another container",
        "--volume-driver=": "starts another program",
        "--privileged": "gives it all rights on this machine",
        "--cap-add=": "gives it more rights",
        "--cap-drop=": "changes its rights",
        "--security-opt=": "changes its rights",
        "--device=": "gives it devices of this machine",
        "--device-cgroup-rule=": "gives it devices of this machine",
        "--device-read-bps=": "works on devices of this machine",
        "--device-write-bps=": "works on devices of this machine",
        "--gpus=": "gives it devices of this machine",
        "--pid=": "lets it see other programs",
        "--ipc=": "lets it see other programs",
        "--uts=": "lets it change the machine's name",
        "--userns=": "changes its rights",
        "--cgroupns=": "changes its rights",
        "--cgroup-parent=": "changes its rights",
        "--group-add=": "gives it more rights",
        "--sysctl=": "changes the machine",
        "--runtime=": "starts another program",
        "--entrypoint=": "starts another program in it",
        "--health-cmd=": "starts another program in it",
        "--env-file=": "gives it what is in a file",
        "--add-host=": "lets names mean other hosts",
        "--disable-content-trust[=]": "trusts any image",
        "--use-api-socket": "lets it talk to the daemon",
    },
)
EXEC = options(
    "-i|--interactive -t|--tty -d|--detach -e|--env= -w|--workdir= -u|--user= --detach-keys= -T|--no-TTY|--no-tty "
    "--index=",
    dangers={"--privileged": "gives it all rights on this machine", "--env-file=": "gives it what is in a file"},
)


def _networks(given: Given, findings: Findings) -> None:
    for one in given.options:
        value = one.value
        if "--network" not in one.option.names or value is None:
            continue
        if not value.exact or value.text == "host" or ":" in value.text:
            findings.danger(f"gives it the network of this machine or of another container ({one.name})", one.at)


def starts_in(names: str, does: str, table: dict[str, Option]) -> Program:
    return Program(
        tuple(names.split()),
        does,
        _ENTER,
        Category.EXTERNAL,
        table,
        Operands(first=(Use.TEXT,)),
        named_operands=1,
        stops=True,
        wraps=True,
        runs_code=True,
        reader=_networks,
    )


COMPOSE_WHERE = options(
    "--profile= --ansi= --parallel= --progress= --dry-run --compatibility --all-resources --verbose -h|--help",
    loads="-f|--file= --env-file=",
    directory="--project-directory=",
    dangers={
        "-p|--project-name=": "works on another project's containers",
        "-H|--host=": "talks to another machine",
        "-c|--context=": "talks to another machine",
    },
)
COMPOSE_VERBS: tuple[Program, ...] = (
    *several(
        {
            "ps": "lists containers",
            "logs": "prints what containers said",
            "images": "lists images",
            "config": "prints the project's settings",
            "top": "lists programs in containers",
            "ls": "lists projects",
            "port": "prints a port",
            "version": "tells which version it is",
            "events": "prints what happens",
            "stats": "prints how busy containers are",
        },
        ASK,
        Category.EXTERNAL,
        options(
            "-a|--all -q|--quiet --services -f|--follow --tail= --since= --until= --format= --filter=",
            outputs="-o|--output= --lock-image-digests",
        ),
    ),
    *several(
        {
            "up": "starts the project's containers",
            "down": "removes the project's containers",
            "start": "starts containers",
            "stop": "stops containers",
            "restart": "restarts containers",
            "build": "builds images",
            "pull": "fetches images",
            "push": "sends images",
            "create": "makes containers",
            "rm": "removes containers",
            "kill": "ends containers",
            "pause unpause": "pauses containers",
            "watch": "starts the project's containers",
            "wait": "waits for containers",
        },
        "Does with the project's containers what the verb says; what they are is in files of the project.",
        Category.EXTERNAL,
        anywhere(COMPOSE_WHERE)
        | options(
            "-d|--detach --build --no-build --force-recreate --no-deps --remove-orphans --wait -t|--timeout= --scale= "
            "--no-cache --pull[=] -q|--quiet --abort-on-container-exit --exit-code-from= --attach= -s|--signal= "
            "-f|--force",
            dangers={
                "-v|--volumes": "deletes data",
                "--rmi=": "deletes images",
                "--push": "sends images",
                "--ssh=": "keys",
            },
        ),
    ),
    starts_in("exec", "starts a command in a container", EXEC),
    starts_in(
        "run",
        "starts a command in a new container",
        RUN | options("--build --no-deps --service-ports --use-aliases -T|--no-TTY --remove-orphans"),
    ),
)
COMPOSE = Program(
    ("docker-compose", "podman-compose"),
    "works on the project's containers",
    "Asks the daemon; other files, places and machines are dangers.",
    Category.EXTERNAL,
    COMPOSE_WHERE,
    verbs=COMPOSE_VERBS,
    versions=frozenset({"--version"}),
)
PROGRAMS: tuple[Program, ...] = (COMPOSE,)

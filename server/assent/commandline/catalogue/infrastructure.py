"""What works on machines and infrastructure that lie elsewhere."""

from assent.commandline.catalogue.shared import several
from assent.commandline.schema import Program, options
from assent.model.modes import Category

_TERRAFORM = options(
    "-json -no-color -input= -lock= -lock-timeout= -parallelism= -refresh= -refresh-only -target= -var= "
    "-detailed-exitcode "
    "-compact-warnings -check -diff -recursive -list= -raw -help -upgrade -get= -reconfigure -migrate-state -replace= "
    "-verbose "
    "-filter= -backend= -write= -destroy -test-directory=",
    reads="-var-file=",
    outputs="-out= -state= -state-out= -backup= -backup-out= -generate-config-out= -junit-xml=",
    loads="-plugin-dir= -from-module= -backend-config= -chdir= -lockfile=",
    dangers={
        "-auto-approve": "does not ask before it changes anything",
        "-force": "does not ask before it changes anything",
        "-force-copy": "does not ask before it changes anything",
    },
)
TERRAFORM = Program(
    ("terraform", "tofu"),
    "works on infrastructure",
    "Starts the providers that the project names, which reach what they manage.",
    Category.EXTERNAL,
    options("-help -version", loads="-chdir="),
    verbs=several(
        {
            "init": "fetches providers",
            "plan": "shows what would change",
            "apply": "changes infrastructure",
            "destroy": "deletes infrastructure",
            "validate": "checks the project",
            "fmt": "formats the project",
            "show": "shows a state or plan",
            "output": "prints results",
            "state": "works on the state",
            "providers": "lists providers",
            "version": "tells which version it is",
            "graph": "shows what needs what",
            "workspace": "works on workspaces",
            "import": "takes over something",
            "refresh": "brings the state up to date",
            "get": "fetches modules",
            "test": "runs the tests",
            "taint untaint": "marks something",
            "console": "evaluates expressions",
        },
        "Starts the providers that the project names; other plugins, states and places, and not asking, are dangers.",
        Category.EXTERNAL,
        _TERRAFORM,
        one_dash=True,
    ),
    one_dash=True,
    versions=frozenset({"-version", "--version", "-help", "--help"}),
)
_ANSIBLE = options(
    "-v -vv -vvv -C|--check -D|--diff -t|--tags= --skip-tags= -f|--forks= --list-hosts --list-tasks --list-tags "
    "--syntax-check "
    "--start-at-task= --step --flush-cache -h|--help --version -o|--one-line -T|--timeout=",
    reads="-i|--inventory=",
    loads="-M|--module-path= --playbook-dir= --vault-password-file= --vault-id= --connection-password-file= "
    "--become-password-file= --private-key|--key-file=",
    runs="-e|--extra-vars= -c|--connection= --ssh-common-args= --ssh-extra-args= --scp-extra-args= --sftp-extra-args=",
    dangers={
        "-b|--become": "takes more rights",
        "--become-user=": "takes more rights",
        "--become-method=": "takes more rights",
        "-u|--user=": "logs in as somebody else",
        "-l|--limit=": "changes which machines it works on",
        "-m|--module-name=": "runs what is named",
        "-a|--args=": "runs what is named",
    },
)
OTHERS = (
    *several(
        {
            "ansible ansible-playbook": "works on many machines",
            "ansible-galaxy ansible-vault ansible-inventory": "works on Ansible's files",
        },
        "Runs on other machines what its files say; other connections, rights and code are dangers.",
        Category.EXTERNAL,
        _ANSIBLE,
    ),
    *several(
        {"minikube kind k3d": "works on a cluster of this machine", "vagrant": "works on virtual machines"},
        "Starts and stops machines; which and how is up to the words, so only what is named by them is covered.",
        Category.EXTERNAL,
        options(
            "-p|--profile= -h|--help -f|--force",
            dangers={
                "--config=": "reads settings",
                "--mount-string=": "folders",
            },
        ),
    ),
)
PROGRAMS: tuple[Program, ...] = (TERRAFORM, *OTHERS)

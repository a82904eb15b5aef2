"""The managers of Python projects, which start commands in an environment of their own."""

from assent.commandline.catalogue.packages_python import ENVIRONMENT, FETCH, INDEX, PIP_INSTALL, STARTS
from assent.commandline.catalogue.shared import VERSION_OR_HELP, names_packages, several
from assent.commandline.schema import Program, options
from assent.model.modes import Category

_UV_FLAGS = (
    "-q|--quiet -v|--verbose --offline --no-progress --no-config --color= --native-tls --no-cache|-n "
    "--no-python-downloads "
    "-h|--help --managed-python --no-managed-python --preview"
)
_UV_EVERYWHERE = options(
    _UV_FLAGS,
    directory="--directory= --project=",
    loads="--config-file=",
    outputs="--cache-dir=",
    runs="-p|--python= --python-preference=",
    dangers=INDEX,
)
_UV_PROJECT = (
    "--frozen --locked --no-sync --no-dev --dev --only-dev --all-extras --no-project --isolated --active --exact "
    "--all-groups --no-default-groups --inexact --no-install-project --no-editable --all-packages --extra= --group= "
    "--only-group= --no-group= --no-extra= --package= --no-env-file --upgrade|-U -P|--upgrade-package= --reinstall "
    "--refresh --resolution= --prerelease= --exclude-newer= --link-mode= --no-build --no-binary --raw-sources"
)
UV = Program(
    ("uv",),
    "manages packages and environments",
    FETCH,
    Category.EXECUTE,
    _UV_EVERYWHERE,
    verbs=(
        Program(
            ("run",),
            "starts a command in the project's environment",
            ENVIRONMENT + " Packages added for one run, other interpreters and modules are dangers.",
            Category.EXTERNAL,
            _UV_EVERYWHERE
            | options(
                _UV_PROJECT,
                loads="--with-editable= --with-requirements= --env-file= -s|--script --gui-script",
                dangers={
                    "-w|--with=": "adds a package",
                    "-m|--module": "runs a module",
                    "--from=": "takes another package",
                },
            ),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {
                "sync": "brings the environment up to date",
                "lock": "writes the lock file",
                "add": "adds packages",
                "remove": "removes packages",
                "venv": "makes an environment",
                "build": "builds the project",
                "export": "writes the list of packages",
                "init": "starts a project",
            },
            FETCH,
            Category.EXTERNAL,
            _UV_EVERYWHERE
            | options(
                _UV_PROJECT
                + " --optional= --bounds= --format= --seed --prompt= --lib --app --name= --wheel --sdist --check",
                reads="-r|--requirements= -c|--constraints=",
                outputs="-o|--output-file|--out-dir=",
                loads="--build-constraints= --script=",
                dangers={
                    "--branch=": "takes other sources",
                    "--rev=": "takes other sources",
                    "--tag=": "takes other sources",
                    "--config-setting|-C=": "changes how packages are built",
                },
            ),
            reader=names_packages,
        ),
        Program(
            ("pip",),
            "manages packages",
            FETCH,
            Category.EXTERNAL,
            _UV_EVERYWHERE,
            verbs=(
                *several(
                    {
                        "install": "installs packages",
                        "sync": "installs packages",
                        "compile": "writes a list of packages",
                    },
                    FETCH,
                    Category.EXTERNAL,
                    _UV_EVERYWHERE
                    | PIP_INSTALL
                    | options(
                        runs="-p|--python=", outputs="-o|--output-file=", dangers={"--system": "changes the system"}
                    ),
                    reader=names_packages,
                ),
                *several(
                    {
                        "list": "lists installed packages",
                        "show": "describes an installed package",
                        "freeze": "lists installed packages",
                        "check": "checks packages",
                        "tree": "shows what needs what",
                    },
                    "Starts the environment's interpreter to see what is installed.",
                    Category.EXECUTE,
                    _UV_EVERYWHERE | options("--format= --exclude= -e --strict -d|--depth="),
                ),
                *several(
                    {"uninstall": "removes packages"}, FETCH, Category.EXECUTE, _UV_EVERYWHERE | options(reads="-r=")
                ),
            ),
        ),
        *several(
            {
                "tree": "shows what the project needs",
                "version": "tells or changes the project's version",
                "python": "works on interpreters",
                "cache": "works on the cache",
                "publish": "publishes the project",
                "self": "works on uv itself",
            },
            "Works on the project or on what is installed; other indexes and places are dangers.",
            Category.EXTERNAL,
            _UV_EVERYWHERE
            | options(
                _UV_PROJECT, dangers={"--publish-url=": "sends it elsewhere", "--token|-t=": "shows another key"}
            ),
        ),
        Program(
            ("tool",),
            "starts or installs a package's program",
            "Fetches the package that is named.",
            Category.EXTERNAL,
            _UV_EVERYWHERE,
            verbs=(
                Program(
                    ("run",),
                    "starts a package's program",
                    "Fetches the package that has the program's name.",
                    Category.EXTERNAL,
                    _UV_EVERYWHERE
                    | options(dangers={"--from=": "takes another package", "-w|--with=": "adds a package"}),
                    named_operands=1,
                    wraps=True,
                    runs_code=True,
                ),
                *several(
                    {"install": "installs a program", "list": "lists programs", "uninstall": "removes a program"}
                    | {"upgrade": "updates programs"},
                    FETCH,
                    Category.EXTERNAL,
                    _UV_EVERYWHERE
                    | options(dangers={"--from=": "takes another package", "-w|--with=": "adds a package"}),
                ),
            ),
        ),
    ),
    versions=VERSION_OR_HELP | {"-V"},
)
UVX = Program(
    ("uvx",),
    "starts a package's program",
    STARTS,
    Category.EXTERNAL,
    _UV_EVERYWHERE
    | options(
        "--isolated",
        loads="--with-editable= --with-requirements= --env-file=",
        dangers={"--from=": "takes another package", "-w|--with=": "adds a package"},
    ),
    named_operands=1,
    wraps=True,
    runs_code=True,
)
_POETRY = options(
    "-q|--quiet -v|--verbose -vv -vvv -n|--no-interaction --ansi --no-ansi --no-cache --no-plugins -h|--help",
    directory="-C|--directory= -P|--project=",
)
_MANAGES = {
    "install": "installs the project's packages",
    "add": "adds packages",
    "remove": "removes packages",
    "update": "updates packages",
    "lock": "writes the lock file",
    "sync": "installs the project's packages",
    "build": "builds the project",
    "publish": "publishes the project",
    "search": "searches the index",
}
POETRY = Program(
    ("poetry", "pdm", "hatch", "rye"),
    "manages packages and environments",
    FETCH + " Plugins of the project can take part in every verb.",
    Category.EXECUTE,
    _POETRY,
    verbs=(
        Program(
            ("run",),
            "starts a command in the project's environment",
            ENVIRONMENT,
            Category.EXECUTE,
            _POETRY,
            named_operands=1,
            stops=True,
            wraps=True,
            runs_code=True,
        ),
        *several(
            _MANAGES,
            FETCH,
            Category.EXTERNAL,
            _POETRY
            | options(
                "-G|--group= --with= --without= --only= -E|--extras= --all-extras --no-root --sync --dry-run "
                "-f|--format= --dev "
                "-D --optional",
                outputs="-o|--output=",
                dangers={
                    "--source=": "asks another index",
                    "-r|--repository=": "sends it elsewhere",
                    "-u|--username=": "logs in",
                    "-p|--password=": "logs in",
                    "--cert=": "trusts other hosts",
                    "--skip-tls-verify": "trusts any host",
                },
            ),
            reader=names_packages,
        ),
        *several(
            {
                "show": "lists packages",
                "check": "checks the project's settings",
                "env": "works on environments",
                "version": "tells or changes the project's version",
                "config": "works on settings",
                "export": "writes the list of packages",
                "about": "tells about itself",
                "shell": "starts a shell",
                "test": "runs the tests",
                "fmt": "formats the project",
            },
            "Works on the project or on what is installed; plugins of the project can take part.",
            Category.EXECUTE,
            _POETRY | options("-f|--format=", outputs="-o|--output="),
        ),
    ),
)
PIPENV = Program(
    ("pipenv",),
    "manages packages and environments",
    FETCH,
    Category.EXECUTE,
    options(
        "-q|--quiet -v|--verbose --bare", runs="--python=", dangers=INDEX | {"--pypi-mirror=": "asks another index"}
    ),
    verbs=(
        Program(
            ("run",),
            "starts a command in the project's environment",
            ENVIRONMENT + " It also sets what the project's file of variables says.",
            Category.EXECUTE,
            options(runs="--python=", dangers={"--pypi-mirror=": "asks another index"}),
            named_operands=1,
            stops=True,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {"install sync update upgrade lock uninstall clean": "works on the project's packages"}
            | {"graph requirements check verify": "shows the project's packages"},
            FETCH,
            Category.EXTERNAL,
            options(
                "-d|--dev --deploy --system --skip-lock --categories=",
                reads="-r|--requirements=",
                scripts="-e|--editable=",
                runs="--python=",
                dangers=INDEX | {"--pypi-mirror=": "asks another index", "--extra-pip-args=": "changes how it fetches"},
            ),
            reader=names_packages,
        ),
    ),
    versions=VERSION_OR_HELP,
)
PROGRAMS: tuple[Program, ...] = (UV, UVX, POETRY, PIPENV)

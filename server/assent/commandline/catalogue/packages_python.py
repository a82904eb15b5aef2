"""The package managers of Python."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP, names_packages, several
from assent.commandline.schema import Program, options
from assent.model.modes import Category

INDEX = {
    "-i|--index-url|--pypi-url|--default-index=": "asks another index",
    "--extra-index-url=": "asks another index",
    "--index=": "asks another index",
    "-f|--find-links=": "takes packages from elsewhere",
    "--trusted-host|--allow-insecure-host=": "trusts any host",
    "--proxy=": "goes through another host",
    "--cert=": "trusts other hosts",
    "--client-cert=": "shows another certificate",
    "--keyring-provider=": "starts another program",
}
FETCH = "Fetches packages and may run what they bring to be built; other indexes, places and interpreters are dangers."
_PIP_FLAGS = (
    "-q|--quiet -v|--verbose --no-input --no-color --disable-pip-version-check --isolated --require-virtualenv "
    "--timeout= "
    "--retries= --no-cache-dir --exists-action= --use-feature= --use-deprecated= --progress-bar= "
    "--no-python-version-warning "
    "-h|--help --debug"
)
_PIP_EVERYWHERE = options(
    _PIP_FLAGS,
    outputs="--log|--log-file|--local-log= --cache-dir=",
    runs="--python=",
    dangers=INDEX,
)
PIP_INSTALL = _PIP_EVERYWHERE | options(
    "-U|--upgrade --upgrade-strategy= --force-reinstall -I|--ignore-installed --no-deps --pre --no-build-isolation "
    "--only-binary= --no-binary= --prefer-binary --no-compile --compile --platform= --python-version= "
    "--implementation= "
    "--abi= --dry-run --require-hashes --use-pep517 --no-warn-script-location --group= --ignore-requires-python "
    "--check-build-dependencies --no-clean --no-warn-conflicts --resume-retries=",
    reads="-r|--requirement= -c|--constraint= --build-constraint=",
    scripts="-e|--editable=",
    outputs="-t|--target= --root= --prefix= --src= --report= -d|--dest|--dest-dir= -w|--wheel-dir= -b|--build=",
    dangers={
        "--user": "installs for the user, outside of the project",
        "--break-system-packages": "changes packages of the system",
        "--config-settings|--config-setting|-C=": "changes how packages are built",
        "--global-option=": "changes how packages are built",
        "--build-option=": "changes how packages are built",
        "--install-option=": "changes how packages are built",
    },
)
_LOOK = "Prints what is installed; it runs nothing of the workspace."
PIP = Program(
    ("pip", "pip3"),
    "manages packages",
    FETCH,
    Category.EXECUTE,
    _PIP_EVERYWHERE,
    verbs=(
        *several(
            {"install": "installs packages", "download": "fetches packages", "wheel": "builds packages"},
            FETCH,
            Category.EXTERNAL,
            PIP_INSTALL,
            open=False,
            reader=names_packages,
        ),
        Program(
            ("list",),
            "lists installed packages",
            _LOOK + " Asking for newer ones reaches the index.",
            Category.READ,
            _PIP_EVERYWHERE
            | options(
                "-l|--local --user --pre --format= --not-required --exclude-editable --include-editable --exclude= "
                "-e|--editable",
                contacts="-o|--outdated -u|--uptodate",
                dangers={"--path=": "looks elsewhere"},
            ),
        ),
        *several(
            {
                "show": "describes an installed package",
                "freeze": "lists installed packages",
                "check": "checks packages",
            },
            _LOOK,
            Category.READ,
            _PIP_EVERYWHERE
            | options(
                "-f|--files -l|--local --user --all --exclude-editable --exclude=",
                reads="-r|--requirement=",
                dangers={"--path=": "looks elsewhere"},
            ),
            open=False,
        ),
        *several(
            {"index": "asks the index", "search": "asks the index"},
            "Asks the index; another index is a danger.",
            Category.EXTERNAL,
            _PIP_EVERYWHERE,
        ),
        *several(
            {"uninstall": "removes packages", "cache": "works on the cache", "config": "works on settings"},
            "Changes what is installed or configured for every later call.",
            Category.EXECUTE,
            _PIP_EVERYWHERE
            | options(
                "-y|--yes",
                reads="-r|--requirement=",
                runs="--editor=",
                dangers={"--break-system-packages": "changes packages of the system"},
            ),
            open=False,
        ),
        *several({"help": "explains itself"}, "Prints what is built in.", Category.READ, open=False),
    ),
    versions=VERSION_OR_HELP | {"-V", "-h"},
)
ENVIRONMENT = (
    "First brings the project's environment up to date and puts its folder before others where programs are looked "
    "for, "
    "so the command is not what it would be without it."
)
STARTS = "Fetches the package that has the program's name; taking another one, or adding some, is a danger."
PIPX = Program(
    ("pipx",),
    "starts or installs a package's program",
    STARTS,
    Category.EXTERNAL,
    options("-q|--quiet -v|--verbose"),
    verbs=(
        Program(
            ("run",),
            "starts a package's program",
            STARTS,
            Category.EXTERNAL,
            options(
                "-q|--quiet -v|--verbose --no-cache",
                runs="--python=",
                dangers={
                    "--spec=": "takes another package",
                    "--pip-args=": "changes how it is fetched",
                    "--with=": "adds one",
                }
                | {"--path": "runs a file", "--system-site-packages": "adds packages"}
                | INDEX,
            ),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {"install": "installs a program", "upgrade": "updates a program", "uninstall": "removes a program"}
            | {"inject": "adds packages to a program", "ensurepath": "changes start-up files"},
            FETCH,
            Category.EXTERNAL,
            options(dangers=INDEX)
            | options("-f|--force", runs="--python=", dangers={"--pip-args=": "changes how it is fetched"}),
        ),
        *several({"list": "lists programs"}, "Starts interpreters to see what is installed.", Category.EXECUTE),
    ),
    versions=VERSION_OR_HELP,
)
_CONDA_PLACE = options(
    "-n|--name= -q|--quiet -v|--verbose -y|--yes --json --no-deps --dry-run -d --offline",
    dangers={
        "-c|--channel=": "asks another channel",
        "--override-channels": "asks another channel",
        "-p|--prefix=": "works elsewhere",
        "-k|--insecure": "trusts any host",
        "--repodata-fn=": "asks for another list",
    },
)
CONDA = Program(
    ("conda", "mamba", "micromamba"),
    "manages packages and environments",
    FETCH,
    Category.EXECUTE,
    options(
        "-V|--version -h|--help -v", dangers={"-r|--root-prefix=": "works elsewhere", "--rc-file=": "other settings"}
    ),
    verbs=(
        Program(
            ("run",),
            "starts a command in an environment",
            ENVIRONMENT,
            Category.EXECUTE,
            options(
                "-n|--name= --no-capture-output --live-stream -v|--verbose",
                dangers={"-p|--prefix=": "works elsewhere"},
                outputs="--dev --debug-wrapper-scripts",
                directory="--cwd=",
            ),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {"install": "installs packages", "create": "makes an environment", "update upgrade": "updates packages"}
            | {
                "remove uninstall": "removes packages",
                "search": "searches the channels",
                "env": "works on environments",
            }
            | {"clean": "clears caches"},
            FETCH,
            Category.EXTERNAL,
            _CONDA_PLACE | options(reads="-f|--file="),
            reader=names_packages,
        ),
        *several(
            {"list": "lists installed packages", "info": "describes the installation", "config": "works on settings"},
            "Works on what is installed; plugins can take part.",
            Category.EXECUTE,
            _CONDA_PLACE | options("-e --export --envs -a"),
        ),
    ),
)
TWINE = Program(
    ("twine",),
    "sends packages to an index",
    "Sends what it is given; another index is a danger.",
    Category.EXTERNAL,
    options(
        "--verbose --non-interactive --skip-existing --strict",
        loads="--config-file=",
        dangers={"-r|--repository=": "sends it elsewhere", "--repository-url=": "sends it elsewhere"},
    ),
    named_operands=1,
    open=True,
)
PROGRAMS: tuple[Program, ...] = (PIP, PIPX, CONDA, TWINE)

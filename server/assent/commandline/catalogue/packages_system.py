"""The package managers of systems, and of Ruby and PHP."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP, names_packages, several
from assent.commandline.schema import Program, options
from assent.model.modes import Category

_INSTALLS = "Fetches packages and runs what they bring; other sources, places and settings are dangers."
_LOOKS = "Prints what is installed or could be; it runs nothing of the workspace."
_APT_WAYS = {
    "-o|--option=": "changes its settings, which can start other programs",
    "-c|--config-file=": "reads other settings",
    "-t|--target-release|--default-release=": "takes packages from elsewhere",
    "--allow-unauthenticated": "trusts any source",
    "--allow-insecure-repositories": "trusts any source",
    "--force-yes": "trusts any source",
    "--host-architecture=": "takes other packages",
}
APT = Program(
    ("apt", "apt-get", "apt-cache", "aptitude"),
    "manages packages of the system",
    _INSTALLS,
    Category.EXECUTE,
    options("-q -qq -y|--yes|--assume-yes", dangers=_APT_WAYS),
    verbs=(
        *several(
            {"list": "lists packages", "search": "searches packages", "show showpkg": "describes a package"}
            | {"policy": "tells where packages come from", "depends rdepends": "tells what needs what"},
            _LOOKS,
            Category.READ,
            options("--installed --upgradable -a --all-versions -n|--names-only -q -f|--full", dangers=_APT_WAYS),
            open=False,
        ),
        *several(
            {
                "update": "fetches the lists of packages",
                "install": "installs packages",
                "upgrade full-upgrade dist-upgrade": "updates packages",
                "remove purge autoremove": "removes packages",
                "download source": "fetches packages",
                "clean autoclean": "clears caches",
            },
            _INSTALLS,
            Category.EXTERNAL,
            options("-q -qq -y|--yes --no-install-recommends --only-upgrade", dangers=_APT_WAYS),
            reader=names_packages,
        ),
    ),
    versions=VERSION_OR_HELP | {"-v"},
)
BREW = Program(
    ("brew",),
    "manages packages of the system",
    _INSTALLS,
    Category.EXECUTE,
    options("-q -v"),
    verbs=(
        *several(
            {"list ls": "lists packages", "leaves": "lists packages", "deps uses": "tells what needs what"},
            "Prints what is installed; formulas are evaluated for it.",
            Category.EXECUTE,
            options("--formula --cask --versions -1"),
        ),
        *several(
            {
                "install reinstall": "installs packages",
                "upgrade": "updates packages",
                "update": "fetches the lists of packages",
                "uninstall remove rm": "removes packages",
                "search info outdated doctor": "tells about packages",
                "services": "starts and stops services",
                "cleanup": "clears caches",
                "bundle": "installs what a file lists",
            },
            _INSTALLS,
            Category.EXTERNAL,
            options(
                "-q -v -f|--force --cask --formula",
                loads="--file= --cc=",
                dangers={
                    "--HEAD": "takes other sources",
                },
            ),
            reader=names_packages,
        ),
    ),
    versions=frozenset({"--version"}),
)
OTHERS = several(
    {
        "yum dnf": "manages packages of the system",
        "apk": "manages packages of the system",
        "pacman": "manages packages of the system",
        "zypper": "manages packages of the system",
        "snap flatpak": "manages packages of the system",
        "choco winget scoop": "manages packages of the system",
    },
    _INSTALLS,
    Category.EXTERNAL,
    options(
        "-y -q",
        loads="-c|--config= --repositories-file= --keys-dir= --hookdir= --gpgdir=",
        dangers={
            "-X|--repository=": "takes packages from elsewhere",
            "--repofrompath=": "takes packages from elsewhere",
            "--setopt=": "changes its settings",
            "--allow-untrusted": "trusts any source",
            "--nogpgcheck": "trusts any source",
            "--no-gpg-checks": "trusts any source",
            "--dangerous": "trusts any source",
            "-p|--root|--installroot=": "works elsewhere",
            "--dbpath=": "works elsewhere",
        },
    ),
    reader=names_packages,
)
_GEM_WAYS = {
    "-s|--source=": "asks another index",
    "--clear-sources": "asks another index",
    "-p|--http-proxy=": "goes through another host",
    "-P|--trust-policy=": "trusts others",
    "--config-file=": "reads other settings",
    "-i|--install-dir=": "installs elsewhere",
    "-n|--bindir=": "installs elsewhere",
    "--build-root=": "installs elsewhere",
    "-g|--file=": "installs what a file lists",
    "-r|--require=": "loads other code",
    "-e|--exec=": "runs other code",
}
GEM = Program(
    ("gem",),
    "manages packages",
    _INSTALLS,
    Category.EXECUTE,
    options(dangers=_GEM_WAYS),
    verbs=(
        *several(
            {"list": "lists packages", "contents which environment": "tells about a package"},
            "Plugins of installed packages take part.",
            Category.EXECUTE,
            options("-l|--local -a|--all", contacts="-r|--remote -b|--both"),
        ),
        *several(
            {
                "install i": "installs packages",
                "update": "updates packages",
                "search info outdated fetch": "asks the index",
            }
            | {
                "uninstall cleanup": "removes packages",
                "push yank owner signin": "changes the index",
                "build": "packs",
            },
            _INSTALLS,
            Category.EXTERNAL,
            options("-v|--version= -N|--no-document", dangers=_GEM_WAYS),
            reader=names_packages,
        ),
    ),
    versions=VERSION_OR_HELP | {"-v"},
)
BUNDLE = Program(
    ("bundle", "bundler"),
    "manages packages of a project",
    "The list of packages is code of the workspace, which every verb runs.",
    Category.EXECUTE,
    options("--verbose --no-color -r|--retry="),
    verbs=(
        Program(
            ("exec", "e"),
            "starts a command with the project's packages",
            "Runs the list of packages first, and loads from there, so the command is not what it would be without it.",
            Category.EXECUTE,
            options("--keep-file-descriptors", loads="--gemfile="),
            named_operands=1,
            stops=True,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {
                "install i": "installs packages",
                "update": "updates packages",
                "add": "adds packages",
                "remove": "removes them",
            }
            | {"outdated": "lists packages that have newer versions", "lock": "writes the lock file"},
            _INSTALLS,
            Category.EXTERNAL,
            options(
                "-j|--jobs= --quiet --local",
                loads="--gemfile=",
                dangers={
                    "--path=": "installs elsewhere",
                    "--source|-s=": "asks another index",
                    "--git=": "other sources",
                }
                | {
                    "--trust-policy=": "trusts others",
                    "--binstubs[=]": "writes programs",
                    "--shebang=": "another ruby",
                },
            ),
        ),
        *several(
            {"list show info check": "tells about packages", "config": "works on settings"},
            "Runs the list of packages.",
            Category.EXECUTE,
            options(loads="--gemfile="),
        ),
    ),
)
COMPOSER = Program(
    ("composer",),
    "manages packages of a project",
    _INSTALLS + " Scripts and plugins of the project take part.",
    Category.EXECUTE,
    options("-q|--quiet -v -n|--no-interaction --no-plugins --no-scripts", directory="-d|--working-dir="),
    verbs=(
        *several(
            {
                "install i": "installs packages",
                "update u upgrade": "updates packages",
                "require r": "adds packages",
                "remove rm": "removes packages",
                "create-project": "starts a project",
                "outdated search audit": "asks the index",
                "self-update": "updates itself",
            },
            _INSTALLS,
            Category.EXTERNAL,
            options(
                "-q -v -n --dev -o|--optimize-autoloader --no-dev --prefer-dist --prefer-source",
                directory="-d|--working-dir=",
                dangers={"--repository=": "asks another index", "--repository-url=": "asks another index"},
            ),
        ),
        *several(
            {
                "run-script run": "runs a script of the project",
                "test": "runs a script of the project",
                "show info": "lists packages",
                "validate": "checks the project",
                "dump-autoload dumpautoload": "writes lists of classes",
                "config": "works on settings",
                "diagnose licenses": "tells about the project",
            },
            "Scripts and plugins of the project take part.",
            Category.EXECUTE,
            options("-q -v -n", directory="-d|--working-dir=", loads="-f|--file="),
        ),
        Program(
            ("exec",),
            "starts a program of the project's packages",
            "The program comes from the project's packages.",
            Category.EXECUTE,
            options("-l|--list -q -v -n", directory="-d|--working-dir="),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
    ),
)
PROGRAMS: tuple[Program, ...] = (APT, BREW, *OTHERS, GEM, BUNDLE, COMPOSER)

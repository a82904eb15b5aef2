"""The package managers of JavaScript, and what starts a package's program."""

from dataclasses import replace

from assent.commandline.catalogue.npm_settings import (
    read_settings,
    read_settings_and_packages,
    read_settings_and_places,
    shows_settings,
)
from assent.commandline.catalogue.shared import several
from assent.commandline.schema import Operands, Option, Program, Use, options
from assent.model.modes import Category

_GLOBAL = {"-g|--global": "works on the programs of the whole machine"}
_SCRIPT = "Runs what package.json calls by this name; options that choose another shell or load code are dangers."
_FETCH = "Fetches packages and runs their install scripts; another registry or place is a danger."
_ASK = "Asks the registry and changes nothing here; another registry is a danger."
_SEND = "Changes what the registry holds, as the verb says; another registry is a danger."
_LOOK = "Prints what is installed or configured; it runs nothing of the workspace."
_CHANGE = "Changes files of the project or the user's settings, and may run scripts."

_PLACES: dict[str, Option] = options(directory="-C|--prefix= --dir= --cwd=")
_OWN = _PLACES | options(dangers=_GLOBAL)
_NPM_ALWAYS = options(
    "-s|--silent -q|--quiet -d|--verbose --loglevel= -w|--workspace= --workspaces --if-present --json --color[=] "
    "--no-color --offline --prefer-offline --ignore-scripts --no-audit --no-fund --no-progress --progress[=] "
    "--include-workspace-root --foreground-scripts -y|--yes --no-update-notifier --no-install --no"
)
_PNPM_ALWAYS = options(
    "-r|--recursive -s|--silent -w|--workspace-root -F|--filter= --loglevel= --reporter= --stream --parallel "
    "--if-present --json --color --no-color --offline --prefer-offline --ignore-scripts --aggregate-output "
    "--workspace-concurrency= --frozen-lockfile --no-frozen-lockfile --no-bail --bail --fail-if-no-match"
)
_YARN_ALWAYS = options(
    "-s|--silent --verbose --json --offline --prefer-offline --frozen-lockfile --immutable --ignore-scripts "
    "--no-progress --non-interactive --mutex="
)

_WITH_NAME = "run run-script rum urn"
_SCRIPTS = {"test t tst": "runs the tests", "start": "starts the project", "stop": "stops the project"} | {
    "restart": "restarts the project",
    "rebuild rb": "builds the packages again",
}
_FETCHES = {
    "install i in ins inst insta instal isnt isnta isntal isntall add": "installs packages",
    "ci clean-install ic install-clean isntall-clean": "installs what the lock file names",
    "install-test it install-ci-test cit": "installs packages and runs the tests",
    "uninstall remove rm r un unlink": "removes packages",
    "update up upgrade udpate": "updates packages",
    "dedupe ddp": "simplifies the tree of packages",
    "prune": "removes packages that nobody needs",
    "link ln": "links packages",
    "fetch": "fetches packages",
    "import": "takes over another lock file",
    "init create innit": "starts a project, with the program of a package",
}
_QUESTIONS = {
    "outdated": "lists packages that have newer versions",
    "view info show v": "shows a package of the registry",
    "search s se find": "searches the registry",
    "ping": "asks whether the registry answers",
    "whoami": "asks the registry who is logged in",
    "fund": "lists who asks for money",
    "doctor": "checks the installation",
    "licenses": "lists licences",
}
_SENDS = {
    "publish": "publishes the package",
    "unpublish": "takes a package back",
    "deprecate": "marks a package",
    "login adduser add-user": "logs in",
    "logout": "logs out",
    "owner author": "changes who owns a package",
    "access": "changes who may see a package",
    "dist-tag dist-tags tag": "changes the tags of a package",
    "token": "changes tokens",
    "profile": "changes the profile",
    "team": "changes teams",
    "org ogr": "changes organisations",
    "star unstar stars": "marks packages",
}
_LOOKS = {
    "ls list ll la": "lists installed packages",
    "why explain": "tells why a package is installed",
    "root": "prints where packages are",
    "bin": "prints where programs are",
    "query": "lists installed packages",
    "sbom": "lists installed packages",
}
_CHANGES = {
    "pack": "packs the package",
    "version verison": "changes the version",
    "set": "changes a setting",
    "shrinkwrap": "writes a lock file",
    "cache": "works on the cache",
    "patch patch-commit": "patches a package",
    "deploy": "copies the package with its dependencies",
    "store": "works on the store of packages",
    "completion": "prints or installs completions",
}
_CONFIG = Program(
    ("config", "c"),
    "works on the settings",
    "Listing is harmless; setting one can make later calls run something else.",
    Category.EXECUTE,
    _OWN,
    verbs=(
        Program(
            ("get", "list", "ls"),
            "prints settings",
            "Prints settings, and runs nothing; of the secrets among them it only leaves out those that it knows.",
            Category.READ,
            options("-l --long --json -g|--global --location="),
            open=True,
            reader=shows_settings,
        ),
        *several(
            {"set": "changes a setting", "delete rm": "removes a setting", "edit": "edits the settings"},
            _CHANGE,
            Category.EXECUTE,
            _OWN,
            reader=read_settings,
        ),
    ),
)
_AUDIT = Program(
    ("audit",),
    "asks for known faults of packages",
    "Asks the registry; with “fix” it changes what is installed, which the first words do not say.",
    Category.EXTERNAL,
    options("--level= --audit-level= --omit= --include= --groups= --environment=") | _OWN,
    Operands(rest=Use.DANGER),
    open=True,
    reader=read_settings,
)


def _common(own: dict[str, Option], looking: Category = Category.READ) -> tuple[Program, ...]:
    """The verbs that all of them have. `looking`: what those do that only look."""
    values = options("--tag= --omit= --include= --otp= --access= --depth= --scope= --save-prefix= --before=")
    return (
        *several(_FETCHES, _FETCH, Category.EXTERNAL, own | values, reader=read_settings_and_packages),
        *several(_QUESTIONS, _ASK, Category.EXTERNAL, own | values, reader=read_settings),
        *several(_SENDS, _SEND, Category.EXTERNAL, own | values, reader=read_settings_and_places),
        *several(
            _LOOKS, _LOOK, looking, options("-g|--global -a|--all --depth= --omit=") | _PLACES, reader=read_settings
        ),
        *several(_CHANGES, _CHANGE, Category.EXECUTE, own, reader=read_settings_and_places),
        *several({"get": "prints a setting"}, _LOOK, looking, own, reader=shows_settings),
        _CONFIG if looking is Category.READ else replace(_CONFIG, category=looking, verbs=()),
        _AUDIT,
    )


def _runs(names: str, own: dict[str, Option], *, stops: bool) -> Program:
    return Program(
        tuple(names.split()),
        "runs a script of the project",
        _SCRIPT,
        Category.EXECUTE,
        own,
        named_operands=1,
        open=True,
        stops=stops,
        runs_code=True,
        reader=read_settings_and_places,
    )


def _starter(names: str, own: dict[str, Option], *, stops: bool = True) -> Program:
    return Program(
        tuple(names.split()),
        "starts the program of a package, which it may fetch first",
        _STARTS,
        Category.EXTERNAL,
        own | options(dangers={"-c|--call=": "runs the text of a command", "-p|--package=": "takes another package"}),
        named_operands=1,
        stops=stops,
        wraps=True,
        runs_code=True,
        reader=read_settings,
    )


_STARTS = "Which package has the program is its own choice, so a rule must name the program with it."
_STARTER_FLAGS = options(
    "-y|--yes --no --no-install -q|--quiet -s|--silent --ignore-existing -w|--workspace= --workspaces "
    "--prefer-offline --offline --if-present -B|--bun --verbose --no-color"
)
_NPM_OWN = options("-w|--workspace= --loglevel= -ws -s -q -d") | _OWN
_PNPM_OWN = options("-F|--filter= --loglevel= --reporter= -r -s -w -D -P -O -E") | _OWN
_YARN_OWN = options("--mutex= -s -D -E -W -P") | _OWN

NPM = Program(
    ("npm",),
    "manages packages",
    "Options may stand before or after the verb, so the dangerous settings are looked for in the whole command.",
    Category.EXECUTE,
    _NPM_ALWAYS | _OWN,
    verbs=(
        *several(_SCRIPTS, _SCRIPT, Category.EXECUTE, _NPM_OWN, reader=read_settings_and_places),
        _runs(_WITH_NAME, _NPM_OWN, stops=False),
        _starter("exec x", _STARTER_FLAGS | _PLACES, stops=False),
        *several({"prefix": "prints where the project is"}, _LOOK, Category.READ, _OWN, reader=read_settings),
        *_common(_NPM_OWN),
    ),
    reader=read_settings,
    versions=frozenset({"--version", "-v", "--help", "-h"}),
)
PNPM = Program(
    ("pnpm",),
    "manages packages",
    "What is no verb of its own is a script or a program of the project; another version of it may answer --version.",
    Category.EXECUTE,
    _PNPM_ALWAYS | _OWN,
    verbs=(
        *several(_SCRIPTS, _SCRIPT, Category.EXECUTE, _PNPM_OWN, reader=read_settings_and_places),
        _runs(_WITH_NAME, _PNPM_OWN, stops=False),
        _starter("exec dlx", _STARTER_FLAGS | _PLACES | options("-r|--recursive --parallel -F|--filter=")),
        # Even to look at something, it loads a file of the project first (.pnpmfile.cjs).
        *_common(_PNPM_OWN, Category.EXECUTE),
    ),
    reader=read_settings,
)
YARN = Program(
    ("yarn", "yarnpkg"),
    "manages packages",
    "Without a verb it installs; a project can bring a yarn of its own, so no form of it only reads.",
    Category.EXTERNAL,
    _YARN_ALWAYS | _OWN,
    verbs=(
        *several(_SCRIPTS, _SCRIPT, Category.EXECUTE, _YARN_OWN, reader=read_settings_and_places),
        _runs("run", _YARN_OWN, stops=False),
        _starter("exec dlx", _STARTER_FLAGS | _PLACES),
        *several(_FETCHES, _FETCH, Category.EXTERNAL, _YARN_OWN, reader=read_settings_and_packages),
        *several(_QUESTIONS | _SENDS, _ASK, Category.EXTERNAL, _YARN_OWN, reader=read_settings),
        *several(_LOOKS | _CHANGES, _SCRIPT, Category.EXECUTE, _YARN_OWN, reader=read_settings_and_places),
        *several({"workspaces": "works on all packages"}, _SCRIPT, Category.EXECUTE, _YARN_OWN, reader=read_settings),
        _AUDIT,
    ),
    reader=read_settings,
)
BUN = Program(
    ("bun",),
    "runs JavaScript and manages packages",
    "What is no verb is a script or a file to run; options that load other code are dangers.",
    Category.EXECUTE,
    options("--silent --hot --watch --smol --no-install -b|--bun") | _OWN,
    verbs=(
        Program(
            ("test",),
            "runs the tests",
            "Runs the project's tests; what loads other code or writes elsewhere is a danger.",
            Category.EXECUTE,
            options(
                "-t|--test-name-pattern= --timeout= --bail[=] --coverage --watch -u|--update-snapshots --rerun-each= "
                "--coverage-reporter= --todo --only --max-concurrency=",
                loads="-r|--preload= -c|--config=",
                outputs="--reporter-outfile= --coverage-dir=",
            )
            | _OWN,
            open=True,
            reader=read_settings_and_places,
        ),
        _runs("run", options(loads="-r|--preload= -c|--config=", runs="-e|--eval= -p|--print=") | _OWN, stops=True),
        Program(
            ("build",),
            "bundles the project",
            "Writes what it is told to; plugins of the project's settings take part.",
            Category.EXECUTE,
            options("--target= --format= --minify --sourcemap[=] --splitting", writes="--outdir= --outfile=") | _OWN,
            open=True,
            reader=read_settings_and_places,
        ),
        _starter("x", _STARTER_FLAGS | _PLACES),
        *several(_FETCHES, _FETCH, Category.EXTERNAL, _OWN, reader=read_settings_and_packages),
        *several({"pm": "works on packages"}, _CHANGE, Category.EXECUTE, _OWN, reader=read_settings),
        *several(
            {"publish": "publishes the package", "outdated": "lists packages that have newer versions"},
            _SEND,
            Category.EXTERNAL,
            _OWN,
            reader=read_settings,
        ),
    ),
    versions=frozenset({"--version", "-v", "--help", "-h"}),
)
PROGRAMS: tuple[Program, ...] = (NPM, PNPM, YARN, BUN, _starter("npx bunx pnpx", _STARTER_FLAGS | _PLACES))

"""Runners of tests and of whole lists of checks, for Python or any language."""

from assent.commandline.catalogue.shared import (
    VERSION,
    VERSION_OR_HELP,
    all_of,
    arguments_from_files,
    several,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category


def _pytest_plugins(given: Given, findings: Findings) -> None:
    for one in given.options:
        if "-p" in one.option.names and one.value is not None and not one.value.text.startswith("no:"):
            findings.danger(f"loads the plugin {one.value.written or one.value.text}", one.at)
        elif "--cov-report" in one.option.names and one.value is not None and ":" in one.value.text:
            findings.danger(f"writes a report to a place of its own ({one.name})", one.at)


PYTEST = Program(
    ("pytest", "py.test"),
    "runs the tests",
    "Runs the project's tests; other plugins and settings, and files written elsewhere, are dangers. Settings of the "
    "project can load plugins before anything is printed, so no form of it only reads.",
    Category.EXECUTE,
    options(
        "-q|--quiet -v|--verbose -x|--exitfirst -s -l|--showlocals -h|--help -V|--version -k= -m= -n|--numprocesses= "
        "-r= -p= -W|--pythonwarnings= --maxfail= --tb= --durations= --durations-min= --timeout= --timeout-method= "
        "--ignore= --ignore-glob= --deselect= --cov[=] --cov-report= --cov-fail-under= --cov-branch --cov-append "
        "--cov-context= --color= --capture= --log-level= --log-cli-level= --log-format= --import-mode= --dist= "
        "--maxprocesses= --reruns= --reruns-delay= --lf --last-failed --ff --failed-first --nf --sw --stepwise --co "
        "--collect-only --show-capture= --asyncio-mode= --hypothesis-seed= --hypothesis-profile= --randomly-seed= "
        "--verbosity= --code-highlight= --no-header --no-summary --no-cov --strict-markers --doctest-modules --pdb "
        "--cache-clear --cache-show[=] --setup-show --fixtures --markers --last-failed-no-failures= --count= --lfnf=",
        loads="-c|--config-file= --rootdir= --confcutdir= --cov-config= --ds= --dc= --pdbcls=",
        outputs="--basetemp= --junitxml|--junit-xml= --report-log= --log-file= --resultlog= --html= --debug[=] "
        "--benchmark-json= --json-report-file= --profile-svg --snapshot-update",
        runs="--tx= --px= --rsyncdir= -f|--looponfail",
        dangers={"-o|--override-ini=": "changes its settings", "--pastebin=": "sends its output to a website"},
    ),
    open=True,
    reader=all_of(_pytest_plugins, arguments_from_files, starts_operands_outside),
)
RSPEC = Program(
    ("rspec",),
    "runs the tests",
    "Runs the project's tests; code and settings from elsewhere, and files written elsewhere, are dangers.",
    Category.EXECUTE,
    options(
        "-f|--format= -t|--tag= -e|--example= -E|--example-matches= -P|--pattern= --exclude-pattern= --fail-fast[=] "
        "--no-fail-fast --seed= --order= -b|--backtrace -c|--color --no-color -p|--profile[=] --dry-run "
        "--only-failures -n|--next-failure -w|--warnings --force-color",
        loads="-r|--require= -O|--options= -I=",
        outputs="-o|--out= --deprecation-out=",
        dangers={"--init": "makes files for a new project"},
    ),
    reader=starts_operands_outside,
)
TOX = Program(
    ("tox",),
    "runs the project's checks",
    "What it runs stands in the project's settings; other settings and places are dangers.",
    Category.EXECUTE,
    options(
        "-q -v -r|--recreate -e= -f= -m= -p|--parallel= -l|--listenvs -a -h -o --notest --colored= --skip-env= "
        "--skip-missing-interpreters[=] --no-provision[=] --parallel-no-spinner --discover-off",
        loads="-c|--conf= --root= --discover= --installpkg= --installdir=",
        outputs="--workdir|--work-dir= --result-json= --temp-dir=",
        dangers={
            "-x|--override=": "changes its settings",
            "--force-dep=": "takes another package",
            "-i=": "other index",
        },
    ),
    open=True,
    runs_code=True,
)
NOX = Program(
    ("nox",),
    "runs the project's checks",
    "What it runs stands in the project's noxfile; another file and other interpreters are dangers.",
    Category.EXECUTE,
    options(
        "-r -R -l|--list -s|--session|--sessions|-e= -t|--tags= -k|--keywords= -p|--python|--pythons= -v -h -x -N "
        "--no-venv "
        "--non-interactive --no-install --default-venv-backend= --force-color --json --usage=",
        loads="-f|--noxfile=",
        outputs="--envdir= --report=",
        runs="-P|--force-python|--force-pythons= --extra-python|--extra-pythons= -db= -fb|--force-venv-backend=",
        dangers={"--script-mode=": "installs what a script asks for"},
    ),
    open=True,
    runs_code=True,
    versions=VERSION,
)
COVERAGE = Program(
    ("coverage",),
    "measures which code runs",
    "Its settings can load plugins, so every verb can run code of the workspace; other settings are dangers.",
    Category.EXECUTE,
    verbs=(
        Program(
            ("run",),
            "runs a script and measures it",
            "Starts whatever script or module is named; options after it belong to that.",
            Category.EXECUTE,
            options(
                "-m|--module -p|--parallel-mode -a|--append --branch --source= --omit= --include= --concurrency= "
                "--context= --timid -L|--pylib --save-signal=",
                loads="--rcfile=",
                outputs="--data-file= --debug=",
            ),
            Operands(first=(Use.SCRIPT,), first_unless=frozenset({"-m"})),
            stops=True,
            runs_code=True,
        ),
        *several(
            {
                "report": "prints what ran",
                "html": "writes a report",
                "xml": "writes a report",
                "json": "writes a report",
                "lcov": "writes a report",
                "annotate": "writes a report",
                "combine": "joins measurements",
                "erase": "deletes measurements",
                "debug": "tells about itself",
            },
            "Reads what was measured and writes the report that it is named for.",
            Category.EXECUTE,
            options(
                "-m|--show-missing -i|--ignore-errors -q --omit= --include= --fail-under= --precision= --sort= "
                "--format= "
                "--skip-covered --skip-empty --contexts= --title= -a|--append --keep",
                writes="-o= -d|--directory=",
                loads="--rcfile=",
                outputs="--data-file=",
            ),
        ),
    ),
    versions=VERSION_OR_HELP,
)
PRE_COMMIT = Program(
    ("pre-commit",),
    "runs the project's hooks",
    "What it runs, and from where, stands in the project's settings; other settings are a danger.",
    Category.EXECUTE,
    options(),
    verbs=several(
        {
            "run": "runs the project's hooks",
            "install": "installs hooks",
            "uninstall": "removes hooks",
            "validate-config": "checks its settings",
            "clean gc": "clears its cache",
        },
        "Hooks of the project's settings run with every form of it; another file of settings is a danger.",
        Category.EXECUTE,
        options("-a|--all-files -v --hook-stage= --from-ref= --to-ref= --color= --files= -t=", loads="-c|--config="),
    )
    + several(
        {"autoupdate": "looks for newer hooks", "install-hooks": "fetches hooks", "try-repo": "runs foreign hooks"},
        "Fetches repositories that the settings or the words name.",
        Category.EXTERNAL,
        options("--freeze -j=", loads="-c|--config="),
    ),
    runs_code=True,
    versions=VERSION,
)
HYPERFINE = Program(
    ("hyperfine",),
    "measures how long commands take",
    "Each operand is the text of a command, which is read as such.",
    Category.EXECUTE,
    options(
        "-w|--warmup= -r|--runs= -m|--min-runs= -M|--max-runs= -N -i|--ignore-failure -n|--command-name= --style= "
        "-u|--time-unit= --sort= --show-output -h|--help -V|--version --reference-name=",
        commands="-p|--prepare= -c|--cleanup= -s|--setup= -C|--conclude= --reference=",
        outputs="--export-json= --export-csv= --export-markdown= --export-asciidoc= --export-orgmode= --output=",
        runs="-S|--shell= -L|--parameter-list= -P|--parameter-scan= -D|--parameter-step-size=",
        reads="--input=",
    ),
    Operands(rest=Use.COMMAND),
    runs_code=True,
    versions=VERSION_OR_HELP,
)
PROGRAMS: tuple[Program, ...] = (PYTEST, RSPEC, TOX, NOX, COVERAGE, PRE_COMMIT, HYPERFINE)

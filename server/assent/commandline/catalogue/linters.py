"""Checkers and formatters for Python, and checkers that belong to no language."""

from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    arguments_from_files,
    names_code,
    several,
    starts_operands_outside,
)
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_READS = Operands(rest=Use.READ, here=True)
_CHANGES = Operands(rest=Use.WRITE)

MYPY = Program(
    ("mypy",),
    "checks types",
    "Its settings can name plugins, which are code of the workspace; other settings and an interpreter are dangers.",
    Category.EXECUTE,
    options(
        "-v|--verbose -h|--help -V|--version -i|--incremental -n= -p|--package= -m|--module= -c|--command= "
        "-O|--output= "
        "--python-version= --platform= --exclude= --follow-imports= --disable-error-code= --enable-error-code= "
        "--always-true= --always-false= --no-incremental --strict --pretty --show-error-codes",
        loads="--config-file= --custom-typeshed-dir= --package-root=",
        outputs="--cache-dir= --junit-xml= --html-report= --xml-report= --txt-report= --any-exprs-report= "
        "--cobertura-xml-report= --linecount-report= --linecoverage-report= --lineprecision-report= "
        "--xslt-html-report= --xslt-txt-report= --memory-xml-report= --timing-stats= --line-checking-stats= "
        "--skip-cache",
        runs="--python-executable= --pdb",
        dangers={
            "--install-types": "installs packages",
            "--non-interactive": "installs packages without asking",
            "--shadow-file=": "checks another file in place of one",
            "--bazel": "reads its paths differently",
        },
    ),
    open=True,
    reader=all_of(arguments_from_files, starts_operands_outside),
    versions=VERSION_OR_HELP | {"-V"},
)
_RUFF_OPTIONS = options(
    "-q|--quiet -s|--silent -v|--verbose -n|--no-cache -e|--exit-zero -h|--help --isolated --statistics --no-fix "
    "--diff "
    "--check --select= --ignore= --extend-select= --extend-ignore= --output-format= --target-version= --line-length= "
    "--exclude= --extend-exclude= --per-file-ignores= --stdin-filename= --unsafe-fixes --show-fixes --preview "
    "--no-preview --range= -w|--watch --color= --fixable= --unfixable= --force-exclude --respect-gitignore "
    "--show-files "
    "--show-settings --exit-non-zero-on-fix --exit-non-zero-on-format --no-unsafe-fixes",
    loads="--config=",
    outputs="-o|--output-file= --cache-dir= --fix --fix-only --add-noqa[=]",
)
RUFF = Program(
    ("ruff",),
    "checks Python code",
    "It loads no code. Its settings can make a check change files, which is why a check is not only reading.",
    Category.WRITE,
    options("-q|--quiet -s|--silent -v|--verbose --isolated --color= -h|--help", loads="--config="),
    verbs=(
        Program(
            ("check",),
            "checks Python code",
            "Settings of the project can make it change files; asking for that is a danger, and so are other settings.",
            Category.WRITE,
            _RUFF_OPTIONS,
            _READS,
            open=True,
            reader=arguments_from_files,
        ),
        Program(
            ("format",),
            "formats Python code",
            "Changes the files that it is given, or those of the folder it runs in.",
            Category.WRITE,
            _RUFF_OPTIONS,
            _CHANGES,
            open=True,
            reader=arguments_from_files,
        ),
        *several(
            {
                "rule": "explains a rule",
                "config": "explains a setting",
                "linter": "lists checks",
                "version": "tells it",
            },
            "Prints what is built in.",
            Category.READ,
            options("--output-format= --all"),
            open=False,
        ),
        *several({"clean": "clears its cache"}, "Deletes only its own caches.", Category.WRITE, open=False),
    ),
    versions=VERSION_OR_HELP | {"-V"},
)
_PYTHON_FORMAT = "-q|--quiet -v|--verbose -l|--line-length= -t|--target-version= --check --diff --color --no-color"
BLACK = Program(
    ("black",),
    "formats Python code",
    "Changes the files that it is given; its settings load no code.",
    Category.WRITE,
    options(
        _PYTHON_FORMAT + " -S|--skip-string-normalization -C|--skip-magic-trailing-comma --fast --safe --preview -W= "
        "--workers= --include= --exclude= --extend-exclude= --force-exclude= --stdin-filename= --required-version= -x "
        "-c|--code= --line-ranges= --pyi --ipynb -h|--help",
        reads="--config=",
    ),
    _CHANGES,
    open=True,
    versions=VERSION_OR_HELP,
)
ISORT = Program(
    ("isort",),
    "sorts imports",
    "Changes the files that it is given; other settings are a danger, because they can name what it loads.",
    Category.WRITE,
    options(
        "-q|--quiet -v|--verbose -c|--check|--check-only -d|--stdout --diff --profile= -l|--line-length= -s|--skip= "
        "--skip-glob= --src= -p|--project= -m|--multi-line= --filter-files -j|--jobs= --color -h -V",
        loads="--sp|--settings-path|--settings-file|--settings= --cr|--config-root=",
        dangers={"--sort-order=": "can load code that sorts", "--formatter=": "can load code that formats"},
    ),
    _CHANGES,
    open=True,
    versions=VERSION_OR_HELP,
)
FLAKE8 = Program(
    ("flake8",),
    "checks Python code",
    "Its settings can name plugins of the workspace, which are loaded even to print its version.",
    Category.EXECUTE,
    options(
        "-q|--quiet -v|--verbose -h|--help -j|--jobs= --select= --extend-select= --ignore= --extend-ignore= --exclude= "
        "--extend-exclude= --max-line-length= --max-complexity= --format= --filename= --stdin-display-name= --color= "
        "--per-file-ignores= --count --statistics --show-source --isolated --exit-zero --benchmark --max-doc-length=",
        loads="--config= --append-config= --enable-extensions= --require-plugins=",
        outputs="--output-file= --tee",
        dangers={"--install-hook=": "installs a hook"},
    ),
    open=True,
    reader=starts_operands_outside,
)
PYLINT = Program(
    ("pylint",),
    "checks Python code",
    "Its settings can load plugins and run code, and it imports what it checks where told to; other ones are dangers.",
    Category.EXECUTE,
    options(
        "-E|--errors-only -v|--verbose -h|--help -j|--jobs= -d|--disable= -e|--enable= -f|--output-format= "
        "-r|--reports= "
        "-s|--score= --fail-under= --fail-on= --ignore= --ignore-patterns= --ignore-paths= --max-line-length= "
        "--msg-template= --py-version= --recursive= --from-stdin --exit-zero --confidence= --rcfile-off",
        loads="--rcfile= --load-plugins= --extension-pkg-allow-list= --extension-pkg-whitelist= --source-roots=",
        outputs="--output= --import-graph= --ext-import-graph= --int-import-graph= --generate-toml-config",
        runs="--init-hook= --spelling-private-dict-file= --unsafe-load-any-extension=",
    ),
    open=True,
    reader=all_of(
        names_code(
            "-f",
            built_in="text json json2 colorized parseable msvs no-header github text,json json,text json,colorized",
        ),
        starts_operands_outside,
    ),
)
PYRIGHT = Program(
    ("pyright", "basedpyright"),
    "checks types",
    "It may fetch itself first, and starts the interpreter that its settings name; another one, or other libraries, "
    "are dangers.",
    Category.EXECUTE,
    options(
        "-w|--watch -h|--help --outputjson --stats --verbose --warnings --level= --pythonversion= --pythonplatform= "
        "--dependencies --threads --skipunannotated --gitlabcodequality",
        scripts="-p|--project=",
        loads="-v|--venvpath|--venv-path= -t|--typeshedpath|--typeshed-path=",
        outputs="--createstub= --verifytypes= --writebaseline --baselinefile=",
        runs="--pythonpath=",
    ),
    open=True,
    reader=starts_operands_outside,
)
_LINTS = "Reads the files that it is given and prints what it thinks of them; its settings load no code."
READERS: tuple[Program, ...] = (
    Program(
        ("shellcheck",),
        "checks shell scripts",
        _LINTS,
        options=options(
            "-C|--color[=] -f|--format= -i|--include= -e|--exclude= -o|--enable= -P|--source-path= "
            "-s|--shell= -S|--severity= -V|--version -W|--wiki-link-count= -x|--external-sources --norc --help "
            "--list-optional --extended-analysis=",
            reads="--rcfile=",
            dangers={"-a|--check-sourced": "shows lines of the files that a script names"},
        ),
        operands=Operands(rest=Use.READ),
    ),
    Program(
        ("hadolint",),
        "checks Dockerfiles",
        _LINTS,
        options=options(
            "-f|--format= --ignore= -t|--failure-threshold= --no-fail --no-color --trusted-registry= -v|--version "
            "-h|--help "
            "-V|--verbose --error= --warning= --info= --style= --require-label= --strict-labels "
            "--disable-ignore-pragma",
            reads="-c|--config=",
        ),
        operands=Operands(rest=Use.READ),
    ),
    Program(
        ("yamllint",),
        "checks YAML files",
        _LINTS,
        options=options(
            "-d|--config-data= -f|--format= -s|--strict --no-warnings --list-files -v|--version -h|--help -",
            reads="-c|--config-file=",
        ),
        operands=Operands(rest=Use.READ, whole=True),
    ),
    Program(
        ("codespell",),
        "looks for misspelt words",
        "Only looks, unless told to write; its dictionaries are text.",
        Category.WRITE,
        options(
            "-q|--quiet-level= -S|--skip= -L|--ignore-words-list= -c|--enable-colors -d|--disable-colors -s|--summary "
            "--count -f -H --builtin= --ignore-regex= -h|--help --version",
            reads="-I|--ignore-words= -D|--dictionary= -x|--exclude-file= --config= --toml=",
            outputs="-w|--write-changes -i|--interactive=",
        ),
        _READS,
    ),
)
PROGRAMS: tuple[Program, ...] = (MYPY, RUFF, BLACK, ISORT, FLAKE8, PYLINT, PYRIGHT, *READERS)

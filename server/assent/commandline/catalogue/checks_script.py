"""Checkers and runners of tests for JavaScript and TypeScript."""

from assent.commandline.catalogue.schema import Program, options
from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    arguments_from_files,
    in_both_cases,
    names_code,
    several,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.modes import Category

_TESTS = "Runs the project's tests; other settings, code that is named and files written elsewhere are dangers."

ESLINT = Program(
    ("eslint", "eslint_d"),
    "checks JavaScript",
    "Its settings are code of the workspace; other settings, rules, parsers and formatters are dangers.",
    Category.EXECUTE,
    options(
        "-h|--help -v|--version --ext= --env= --global= --rule= --parser-options= --ignore-pattern= "
        "--max-warnings= --fix-dry-run --fix-type= --quiet --cache --cache-strategy= --no-eslintrc --color --no-color "
        "--stdin --no-ignore --debug --no-inline-config --no-config-lookup --flag= --concurrency= --print-config= "
        "--pass-on-no-patterns --no-error-on-unmatched-pattern --report-unused-disable-directives --no-warn-ignored "
        "--report-unused-disable-directives-severity= --report-unused-inline-configs= --stats -f|--format=",
        reads="--ignore-path=",
        scripts="--stdin-filename=",
        loads="-c|--config= --rulesdir= --parser= --plugin= --resolve-plugins-relative-to=",
        outputs="-o|--output-file= --cache-location= --cache-file= --fix --suppress-all --suppress-rule= "
        "--prune-suppressions --suppressions-location=",
        dangers={"--init": "sets up a project", "--inspect-config": "starts a server", "--mcp": "starts a server"},
    ),
    open=True,
    reader=all_of(
        names_code(
            "-f", built_in="stylish json json-with-metadata html compact unix visualstudio checkstyle junit tap"
        ),
        starts_operands_outside,
    ),
    versions=VERSION_OR_HELP | {"-v", "-h"},
)
PRETTIER = Program(
    ("prettier",),
    "formats files",
    "Its settings can be code of the workspace. It prints, and changing files must be spelt out; other settings and "
    "plugins are dangers.",
    Category.EXECUTE,
    options(
        "-c|--check -l|--list-different -u|--ignore-unknown -h|--help --parser= --log-level= "
        "--loglevel= --end-of-line= --tab-width= --print-width= --trailing-comma= --quote-props= --prose-wrap= "
        "--arrow-parens= --html-whitespace-sensitivity= --embedded-language-formatting= --config-precedence= "
        "--range-start= --range-end= --cursor-offset= --cache --cache-strategy= --no-config --no-editorconfig "
        "--single-quote --no-semi --use-tabs --color --no-color --with-node-modules --no-error-on-unmatched-pattern "
        "--find-config-path= --find-config-file= --file-info= --support-info --require-pragma --insert-pragma",
        reads="--ignore-path=",
        scripts="--stdin-filepath=",
        loads="--config= --plugin= --plugin-search-dir=",
        outputs="-w|--write --cache-location=",
    ),
    open=True,
    reader=all_of(
        names_code(
            "--parser",
            built_in="babel babel-flow babel-ts flow typescript acorn espree meriyah css less scss json json5 jsonc "
            "json-stringify graphql markdown mdx vue yaml glimmer html angular lwc",
        ),
        starts_operands_outside,
    ),
    versions=VERSION_OR_HELP,
)
_TSC_OUTPUTS = frozenset({"generatetrace", "generatecpuprofile", "tsbuildinfofile", "init"})
_TSC_PLACES = frozenset({"project", "p", "outdir", "outfile", "declarationdir"})


def _tsc(given: Given, findings: Findings) -> None:
    """Its options may have one dash or two, in any case, and everything that the table does not know is harmless."""
    for at in range(given.start, len(given.words)):
        word = given.words[at]
        name = word.text.lstrip("-").lower() if word.text.startswith("-") else ""
        if name in _TSC_OUTPUTS:
            findings.danger(f"writes other files ({word.text})", at)
        elif name in _TSC_PLACES and word.text not in given.program.options:
            findings.danger(f"names a place in an unusual way ({word.text})", at)


TSC = Program(
    ("tsc",),
    "checks and compiles TypeScript",
    "Compiles, which loads no code of the workspace but writes what its settings say; settings elsewhere are shown as "
    "places that it runs.",
    Category.EXECUTE,
    options(
        "-t|--target= -m|--module= --lib= --jsx= --moduleResolution= --rootDir= --types= --typeRoots= --newLine= "
        "-h|--help -v|--version -w|--watch -b|--build -d|--declaration --noEmit --pretty --strict --incremental "
        "--skipLibCheck --listFiles --showConfig --all --locale= --baseUrl=",
        scripts="-p|--project=",
        writes="--outDir= --outFile= --declarationDir=",
    ),
    open=True,
    reader=all_of(_tsc, arguments_from_files, starts_operands_outside),
    versions=VERSION_OR_HELP | {"-v", "-h"},
)
_REPORTS = "text html json lcov text-summary json-summary lcovonly clover cobertura none teamcity text-lcov"
JEST = Program(
    ("jest",),
    "runs the tests",
    _TESTS,
    Category.EXECUTE,
    options(
        in_both_cases(
            "-t|--testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns= -w|--maxWorkers= "
            "--testTimeout= --changedSince= --shard= --seed= --collectCoverageFrom= --coverageProvider= "
            "--coverageReporters= --maxConcurrency= --workerThreads --logHeapUsage --selectProjects= "
            "--ignoreProjects= --openHandlesTimeout= --runTestsByPath --findRelatedTests --passWithNoTests "
            "--silent[=] --ci[=] --coverage[=] --bail[=] --verbose[=] --watch --watchAll[=] -o|--onlyChanged "
            "-i|--runInBand -h|--help -v|--version -f|--onlyFailures -b -e|--expand --no-cache --colors --color "
            "--detectOpenHandles --forceExit --showConfig --listTests --json --notify --debug --clearMocks "
            "--coverageThreshold= --testMatch= --testRegex= --env= --reporters="
        ),
        loads=in_both_cases(
            "-c|--config= --globalSetup= --globalTeardown= --setupFiles= --setupFilesAfterEnv= "
            "--setupTestFrameworkScriptFile= "
            "--runner= --testRunner= --transform= --testEnvironment= --resolver= --preset= --projects= --rootDir= "
            "--roots= --modulePaths= --moduleDirectories= --moduleNameMapper= --snapshotSerializers= --watchPlugins= "
            "--testSequencer= --haste= --dependencyExtractor= --prettierPath= --filter= --testResultsProcessor= "
            "--testEnvironmentOptions= --globals= --moduleLoader= --runtime= --transformIgnorePatterns= "
            "--snapshotResolver= --require="
        ),
        outputs=in_both_cases(
            "--outputFile= --coverageDirectory= --cacheDirectory= -u|--updateSnapshot --clearCache --init"
        ),
    ),
    open=True,
    reader=all_of(
        names_code("--reporters", built_in="default summary github-actions"),
        names_code("--env", built_in="node jsdom"),
        names_code("--coverageReporters", built_in=_REPORTS),
        starts_operands_outside,
    ),
    versions=VERSION_OR_HELP | {"-v", "-h"},
)
VITEST = Program(
    ("vitest",),
    "runs the tests",
    _TESTS,
    Category.EXECUTE,
    options(
        in_both_cases(
            "-t|--testNamePattern= --reporter= --testTimeout= --hookTimeout= --maxWorkers= --minWorkers= --shard= "
            "--project= --retry= --bail= --exclude= --mode= --pool= --environment= --coverage[=] --coverage.enabled[=] "
            "--coverage.provider= --coverage.reporter= --coverage.include= --coverage.exclude= --run --watch -w "
            "--changed[=] --passWithNoTests --silent[=] --globals --dom --no-color --typecheck -h|--help -v|--version"
        ),
        loads=in_both_cases(
            "-c|--config= -r|--root= --dir= --globalSetup= --runner= --workspace= --snapshotSerializers= --diff= "
            "--sequence.sequencer= --coverage.customProviderModule= --typecheck.tsconfig= --setupFiles= --alias= "
            "--environmentOptions= --env= --vmMemoryLimit="
        ),
        outputs=in_both_cases(
            "--outputFile= --coverage.reportsDirectory= --attachmentsDir= -u|--update --cache.dir= --mergeReports= "
            "--standalone"
        ),
        runs=in_both_cases(
            "--typecheck.checker= --execArgv= --poolOptions= --poolOptions.forks.execArgv= "
            "--poolOptions.threads.execArgv= --poolOptions.vmThreads.execArgv= --poolOptions.vmForks.execArgv= "
            "--browser.provider= --inspect[=] --inspectBrk[=]"
        ),
        dangers={
            "--api[=]": "opens a port",
            "--api.host=": "opens a port to others",
            "--ui": "opens a port",
            "--open": "opens a browser",
        },
    ),
    open=True,
    reader=all_of(
        names_code(
            "--reporter",
            built_in="default basic verbose dot json tap tap-flat junit html hanging-process github-actions tree blob",
        ),
        names_code("--environment", built_in="node jsdom happy-dom edge-runtime"),
        names_code("--pool", built_in="threads forks vmThreads vmForks"),
        names_code("--coverage.provider", built_in="v8 istanbul"),
        names_code("--coverage.reporter", built_in=_REPORTS),
        starts_operands_outside,
    ),
    versions=VERSION_OR_HELP | {"-v", "-h"},
)
_NODE_LOADS = "-r|--require= --import= --loader= --experimental-loader= --env-file="
MOCHA = Program(
    ("mocha",),
    "runs the tests",
    _TESTS + " It hands options of node on to node.",
    Category.EXECUTE,
    options(
        "-g|--grep= -f|--fgrep= -t|--timeout= -s|--slow= --extension= --ignore|--exclude= --spec= --retries= "
        "-j|--jobs= "
        "-b|--bail -w|--watch -p|--parallel -c|--color -C|--no-color -i|--invert -A|--async-only -S|--sort -h|--help "
        "-V|--version --recursive --exit --dry-run --full-trace --check-leaks --global= -R|--reporter= -u|--ui= "
        "--forbid-only --forbid-pending --watch-files= --watch-ignore= --diff --inline-diffs --delay",
        loads=_NODE_LOADS + " --config= --package= --file=",
        outputs="-O|--reporter-option|--reporter-options=",
        runs="-n|--node-option= --node-flags= -e|--eval= --inspect[=] --inspect-brk[=] --prof --snapshot-blob=",
    ),
    open=True,
    reader=all_of(
        names_code(
            "-R", built_in="spec dot nyan tap landing list progress json json-stream min doc markdown xunit html"
        ),
        names_code("-u", built_in="bdd tdd qunit exports"),
        starts_operands_outside,
    ),
    versions=VERSION_OR_HELP | {"-V", "-h"},
)
AVA = Program(
    ("ava",),
    "runs the tests",
    _TESTS,
    Category.EXECUTE,
    options(
        "-m|--match= -T|--timeout= -c|--concurrency= -s|--serial -v|--verbose -t|--tap -w|--watch --fail-fast --color",
        loads="--config=",
        outputs="-u|--update-snapshots",
        runs="--node-arguments=",
    ),
    open=True,
    reader=starts_operands_outside,
    versions=VERSION_OR_HELP,
)
PLAYWRIGHT = Program(
    ("playwright",),
    "tests in browsers",
    "Runs the project's tests in browsers, which also reach the network that the tests name.",
    Category.EXECUTE,
    options(),
    verbs=(
        Program(
            ("test",),
            "runs the tests in browsers",
            _TESTS,
            Category.EXECUTE,
            options(
                "-g|--grep= --grep-invert= --project= -j|--workers= --timeout= --global-timeout= --retries= --shard= "
                "--repeat-each= --max-failures= --trace= --reporter= -x --headed --debug --list --fully-parallel "
                "--forbid-only --quiet --last-failed --pass-with-no-tests --only-changed[=] --browser=",
                loads="-c|--config= --tsconfig= --test-list=",
                outputs="--output= -u|--update-snapshots[=] --update-source-method=",
                dangers={"--ui": "opens a window", "--ui-host=": "opens a port", "--ui-port=": "opens a port"},
            ),
            open=True,
            reader=all_of(
                names_code("--reporter", built_in="list line dot html json junit github blob null"),
                starts_operands_outside,
            ),
        ),
        *several(
            {"install": "fetches browsers", "install-deps": "installs packages of the system"},
            "Fetches browsers; installing what they need from the system takes more rights.",
            Category.EXTERNAL,
            options(dangers={"--with-deps": "installs packages of the system"}),
        ),
        *several(
            {"codegen open cr ff wk": "opens a browser", "screenshot pdf": "takes a picture of a page"},
            "Opens whatever address is named.",
            Category.EXTERNAL,
        ),
    ),
    versions=VERSION_OR_HELP | {"-V"},
)
CYPRESS = Program(
    ("cypress",),
    "tests in browsers",
    _TESTS,
    Category.EXECUTE,
    options(
        "-s|--spec= --headless --headed -q|--quiet -p|--port= --parallel --group= --tag= --e2e --component --exit",
        directory="-P|--project=",
        loads="-C|--config-file= -c|--config= -e|--env= -r|--reporter= -o|--reporter-options=",
        runs="-b|--browser=",
        dangers={"-k|--key=": "sends its results", "--record[=]": "sends its results"},
    ),
    open=True,
    versions=VERSION_OR_HELP,
)
STYLELINT = Program(
    ("stylelint",),
    "checks style sheets",
    "Its settings can be code of the workspace; other settings, syntaxes and formatters are dangers.",
    Category.EXECUTE,
    options(
        "-f|--formatter= -q|--quiet --max-warnings= --ignore-pattern|--ip= --stdin --stdin-filename= --cache --color "
        "--allow-empty-input --aei --report-needless-disables --disable-default-ignores --no-color",
        reads="-i|--ignore-path=",
        loads="-c|--config= --config-basedir= --custom-syntax= --custom-formatter= --plugins= --syntax=",
        outputs="--fix[=] -o|--output-file= --cache-location=",
    ),
    open=True,
    reader=all_of(names_code("-f", built_in="compact github json string tap unix verbose"), starts_operands_outside),
    versions=VERSION_OR_HELP,
)
BIOME = Program(
    ("biome",),
    "checks and formats files",
    "It loads no code and changes nothing unless told to, which is a danger; other settings are one as well.",
    Category.EXECUTE,
    options("--colors= --verbose -h|--help"),
    verbs=several(
        {
            "check": "checks files",
            "lint": "checks files",
            "format": "checks the layout of files",
            "ci": "checks files",
        },
        "Settings name rules and other settings, no code; git is only asked where an option says so.",
        Category.EXECUTE,
        options(
            "--colors= --reporter= --max-diagnostics= --log-level= --log-kind= --stdin-file-path= --diagnostic-level= "
            "--only= --skip= --indent-style= --indent-width= --line-width= --no-errors-on-unmatched "
            "--error-on-warnings "
            "--files-ignore-unknown= --skip-errors --verbose",
            loads="--config-path= --vcs-root=",
            outputs="--write --fix --apply --apply-unsafe --suppress --log-file= --log-path= --reporter-file=",
            dangers={"--changed": "starts git", "--staged": "starts git", "--since=": "starts git"},
        ),
        reader=starts_operands_outside,
    ),
    versions=VERSION_OR_HELP | {"-V"},
)
MARKDOWNLINT = Program(
    ("markdownlint", "markdownlint-cli2"),
    "checks Markdown",
    "Its settings can be code of the workspace; other settings and rules are dangers.",
    Category.EXECUTE,
    options(
        "-i|--ignore= --disable= --enable= -q|--quiet -j|--json -d|--dot -s|--stdin -h|--help -V|--version --no-globs",
        reads="-p|--ignore-path=",
        loads="-c|--config= -r|--rules= --configPointer=",
        outputs="-f|--fix -o|--output=",
    ),
    open=True,
    reader=starts_operands_outside,
)
PROGRAMS: tuple[Program, ...] = (
    ESLINT,
    PRETTIER,
    TSC,
    JEST,
    VITEST,
    MOCHA,
    AVA,
    PLAYWRIGHT,
    CYPRESS,
    STYLELINT,
    BIOME,
    MARKDOWNLINT,
)

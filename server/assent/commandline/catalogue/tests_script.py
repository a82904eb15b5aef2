"""Runners of tests for JavaScript and TypeScript."""

from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    in_both_cases,
    names_code,
    several,
    starts_operands_outside,
)
from assent.commandline.schema import Program, options
from assent.model.modes import Category

_TESTS = (
    "Runs the project's tests; other settings, code that is named and files written elsewhere are dangers. Some hand "
    "over "
    "to what the project has installed, or read its settings first, even to print their version."
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
PROGRAMS: tuple[Program, ...] = (JEST, VITEST, MOCHA, AVA, PLAYWRIGHT, CYPRESS)

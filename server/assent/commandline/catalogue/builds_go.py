"""The tools of Go."""

import re

from assent.commandline.catalogue.shared import VERSION_OR_HELP, all_of, several, starts_operands_outside
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_LINKER = re.compile(r"((all=|)\s*-(s|w|X[ =][\w./-]+=[\w.,:+/-]*|N|l|m|B[ =]none|buildid=)\s*)*")


def _go(given: Given, findings: Findings) -> None:
    for one in given.options:
        value = one.value
        if value is None or not {"-ldflags", "-gcflags"} & set(one.option.names):
            continue
        if not value.exact or not _LINKER.fullmatch(value.text.strip("'\"")):
            findings.danger(f"changes how it makes code ({value.written or value.text})", one.at)


def _go_run(given: Given, findings: Findings) -> None:
    """A package with a version is fetched; everything after it belongs to that."""
    _go(given, findings)
    for at in given.operands[:1]:
        word = findings.words[at]
        if "@" in word.text:
            findings.contacts(word, at)
        if word.text.startswith(("/", "~", "..")) or not word.exact:
            findings.starts(word, at)


_GO_RUNS = "-toolexec= -exec= -vettool= -gccgoflags= -asmflags= -compiler= -test.exec= -fixtool="
_GO_OUTPUTS = (
    "-o= -pkgdir= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir= "
    "-test.coverprofile= -test.cpuprofile= -test.memprofile= -test.blockprofile= -test.mutexprofile= -test.trace= "
    "-test.outputdir= -test.fuzzcachedir= -test.gocoverdir= -test.testlogfile= -c -debug-actiongraph= -debug-trace= "
    "-debug-runtime-trace="
)
_GO = options(
    "-v -x -n -a -race -msan -asan -cover -json -short -failfast -work -trimpath -run= -bench= -count= -timeout= "
    "-parallel= -cpu= -tags= -p= -mod= -buildmode= -covermode= -coverpkg= -skip= -shuffle= -vet= -list= -benchtime= "
    "-benchmem -f= -m -u -t -d -e -deps -test -find -compiled -fuzz= -fuzztime= -installsuffix= -buildvcs= -pgo= "
    "-ldflags= -gcflags= -modcacherw -linkshared -fullpath -artifacts",
    directory="-C=",
    loads="-overlay= -modfile= -reuse=",
    outputs=_GO_OUTPUTS,
    runs=_GO_RUNS,
)
_GO_REASON = (
    "Runs code of the project or of its dependencies; options that start other programs, put other sources in place or "
    "write elsewhere are dangers."
)
_GO_BUILD = {**_GO, **options(writes="-o=")}
"""Where a build is put is what it is for."""

GO = Program(
    ("go",),
    "builds Go projects",
    _GO_REASON,
    Category.EXECUTE,
    options(directory="-C="),
    verbs=(
        *several(
            {
                "build": "builds the project",
            },
            _GO_REASON,
            Category.EXECUTE,
            _GO_BUILD,
            one_dash=True,
            reader=all_of(_go, starts_operands_outside),
        ),
        *several(
            {
                "test": "runs the tests",
                "vet": "checks the project",
                "fmt": "formats the project",
                "list": "lists packages",
                "doc": "shows documentation",
                "clean": "deletes what was built",
                "generate": "runs what the sources ask for",
                "fix": "changes the sources",
            },
            _GO_REASON,
            Category.EXECUTE,
            _GO,
            one_dash=True,
            reader=all_of(_go, starts_operands_outside),
        ),
        Program(
            ("run",),
            "builds a program and runs it",
            _GO_REASON,
            Category.EXECUTE,
            _GO,
            named_operands=1,
            open=True,
            one_dash=True,
            stops=True,
            runs_code=True,
            reader=_go_run,
        ),
        Program(
            ("tool",),
            "starts a tool of Go or of the project",
            "Which tool, and what it writes, is up to its words.",
            Category.EXECUTE,
            options(runs="-exec= -toolexec=", loads="-modfile= -overlay="),
            named_operands=1,
            open=True,
            one_dash=True,
            stops=True,
            runs_code=True,
        ),
        *several(
            {"get": "fetches packages", "install": "installs a program", "work": "works on the workspace of modules"},
            "Fetches what it is told to, and compiles it.",
            Category.EXTERNAL,
            _GO,
            one_dash=True,
            reader=_go,
        ),
        Program(
            ("mod",),
            "works on the modules that the project needs",
            "Most of its verbs fetch modules; other files in place of the project's are dangers.",
            Category.EXTERNAL,
            options(),
            verbs=several(
                {
                    "tidy": "brings the list of modules up to date",
                    "download": "fetches modules",
                    "verify": "checks modules",
                    "why": "tells why a module is needed",
                    "graph": "shows which module needs which",
                    "init": "starts a module",
                    "edit": "changes the list of modules",
                    "vendor": "copies modules into the project",
                },
                "Fetches what the list of modules names; other files in place of the project's are dangers.",
                Category.EXTERNAL,
                options(directory="-C=", loads="-modfile= -overlay=", outputs="-o=", runs=_GO_RUNS),
                one_dash=True,
            ),
        ),
        Program(
            ("env",),
            "prints settings of Go",
            "Prints; writing a setting, which later builds act on, is a danger.",
            Category.READ,
            options("-json -changed", dangers={"-w": "changes the settings", "-u": "changes the settings"}),
            one_dash=True,
        ),
        Program(
            ("version",),
            "tells which version it is",
            "Prints its own version, or that of a program that was built. It may first fetch the release that the "
            "project asks for, which is checked.",
            Category.READ,
            options("-m -v -json"),
            Operands(rest=Use.READ),
            one_dash=True,
        ),
        *several({"help": "explains itself"}, "Prints what is built in.", Category.READ, open=False),
    ),
)
GOFMT = Program(
    ("gofmt",),
    "formats Go code",
    "Prints, unless told to write, which is a danger.",
    Category.READ,
    options("-d -e -l -s -r=", outputs="-w -cpuprofile="),
    Operands(rest=Use.READ, whole=True),
    one_dash=True,
)
GO_LINTERS: tuple[Program, ...] = (
    Program(
        ("golangci-lint",),
        "checks Go code",
        "Its settings can load plugins; other settings are dangers.",
        Category.EXECUTE,
        options("-v|--verbose --color= -h|--help"),
        verbs=several(
            {
                "run": "checks Go code",
                "linters": "lists checks",
                "fmt": "formats Go code",
                "cache": "works on its cache",
            },
            "Its settings can load plugins; other settings, and files written elsewhere, are dangers.",
            Category.EXECUTE,
            options(
                "-v|--verbose -E|--enable= -D|--disable= --enable-all --disable-all --fast -p|--presets= --timeout= "
                "--tests[=] "
                "-j|--concurrency= --build-tags= --modules-download-mode= -n|--new --new-from-rev= --color= "
                "-e|--exclude= "
                "--max-issues-per-linter= --max-same-issues= --issues-exit-code= --skip-dirs= --skip-files= "
                "--out-format= "
                "--enable-only= --default= --new-from-merge-base= --allow-parallel-runners --no-config",
                loads="-c|--config= --path-mode=",
                reads="--new-from-patch=",
                outputs="--fix --cpu-profile-path= --mem-profile-path= --trace-path= --output.text.path= "
                "--output.json.path= --output.tab.path= --output.html.path= --output.checkstyle.path= "
                "--output.code-climate.path= --output.junit-xml.path= --output.teamcity.path= --output.sarif.path=",
            ),
            reader=all_of(starts_operands_outside),
        ),
        versions=VERSION_OR_HELP,
    ),
    Program(
        ("staticcheck", "goimports", "gofumpt"),
        "checks or formats Go code",
        "Loads packages with the tools of Go; changing files is a danger.",
        Category.EXECUTE,
        options("-checks= -f= -tests= -tags= -go= -d -l -e -local=", outputs="-w -debug.cpuprofile= -cpuprofile="),
        open=True,
        one_dash=True,
        reader=starts_operands_outside,
    ),
)
PROGRAMS: tuple[Program, ...] = (GO, GOFMT, *GO_LINTERS)

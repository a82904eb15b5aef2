"""What builds by rules of its own: make and its kin, and runners of tasks."""

import re

from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    several,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, options
from assent.commandline.variables import harm
from assent.model.commands import Argument
from assent.model.modes import Category

_PLAIN_VALUE = re.compile(r"[\w./:,+-]*")
"""Anything else can be a call of a function of make, which starts a shell."""
_HARMLESS_SETTINGS = frozenset({"V", "VERBOSE", "Q", "DEBUG", "PREFIX", "JOBS", "BUILD_TYPE", "CONFIG"})


def assigned_in_operands(given: Given, findings: Findings) -> None:
    """`NAME=value` among the operands of make replaces what the makefile says, also which shell it starts."""
    for at in given.operands:
        word = findings.words[at]
        if not word.exact and "=" not in word.text:
            findings.danger(f"is given {word.written or word.text}, which could set a variable", at)
        name, equals, value = word.text.partition("=")
        known = name in _HARMLESS_SETTINGS or not harm(name, Argument(value))
        if equals and not (known and word.exact and _PLAIN_VALUE.fullmatch(value)):
            findings.danger(f"sets {name} for what it runs", at)


_CMAKE_KNOWN = re.compile(
    r"(CMAKE_(BUILD_TYPE|EXPORT_COMPILE_COMMANDS|CXX_STANDARD|C_STANDARD|VERBOSE_MAKEFILE|POSITION_INDEPENDENT_CODE|"
    r"COLOR_MAKEFILE|COLOR_DIAGNOSTICS|UNITY_BUILD)(:\w+)?=\w*|(?!CMAKE_)\w+(:BOOL)?=(?i:on|off|true|false|yes|no|\d+))"
)

_HANDED_ON = re.compile(r"-[jkl]?\d*|-[ksv]|VERBOSE=1|--parallel|--quiet")


def _cmake_settings(given: Given, findings: Findings) -> None:
    """`-DNAME=value` can name a program or a place to take code from, unless it is a switch or known to be harmless."""
    for one in given.options:
        value = one.value
        if "-D" in one.option.names and value is not None and not (value.exact and _CMAKE_KNOWN.fullmatch(value.text)):
            findings.danger(f"sets {value.written or value.text}, which can name other code", one.at)
    for at in range(given.ended if given.ended is not None else len(given.words), len(given.words)):
        if not _HANDED_ON.fullmatch(given.words[at].text) or not given.words[at].exact:
            findings.danger("hands an option on to another builder", at)


MAKE = Program(
    ("make", "gmake"),
    "builds a target",
    "Runs what the makefile says. Another makefile, another shell and rules given as text are dangers, and so is "
    "setting a variable, because recipes are made of them.",
    Category.EXECUTE,
    options(
        "-b -m -B|--always-make -d -e -i|--ignore-errors -j|--jobs[=] -k|--keep-going -l|--load-average|--max-load[=] "
        "-L|--check-symlink-times -n|--just-print|--dry-run|--recon -O|--output-sync[=] -p|--print-data-base "
        "-q|--question -r|--no-builtin-rules -R|--no-builtin-variables -s|--silent|--quiet --no-silent "
        "-S|--no-keep-going|--stop -t|--touch --trace -v|--version -w|--print-directory --no-print-directory "
        "-h|--help --warn-undefined-variables --debug[=] --shuffle[=] --jobserver-style= "
        "-o|--old-file|--assume-old= -W|--what-if|--new-file|--assume-new=",
        directory="-C|--directory=",
        loads="-f|--file|--makefile= -I|--include-dir=",
        runs="-E|--eval=",
    ),
    Operands(),
    reader=assigned_in_operands,
    versions=VERSION_OR_HELP | {"-v", "-h"},
    named_operands=1,
)
NINJA = Program(
    ("ninja", "samu"),
    "builds a target",
    "Runs what the build file says; another build file is a danger.",
    Category.EXECUTE,
    options(
        "-j= -k= -l= -n -v|--verbose --quiet -d= -w= -h|--help --version",
        directory="-C=",
        loads="-f=",
        dangers={"-t=": "starts a tool of its own"},
    ),
    versions=VERSION_OR_HELP,
)
CMAKE = Program(
    ("cmake",),
    "sets up or makes a build",
    "Runs what the project's lists say; scripts, other tools and settings of compilers are dangers.",
    Category.EXECUTE,
    options(
        "-D= -G= -A= -T= -j|--parallel[=] -t|--target= --config= --clean-first --fresh -v|--verbose -N -Wno-dev -Wdev "
        "--preset= --list-presets[=] --workflow --component= --strip --log-level= --trace --trace-expand -U= -LA -L "
        "-LAH "
        "-Werror=dev --debug-output --warn-uninitialized -h|--help --default-directory-permissions= "
        "--no-warn-unused-cli",
        scripts="-S= --build=",
        writes="-B=",
        loads="-C= -P= --toolchain= --project-file=",
        outputs="--install= --install-prefix= --prefix= --graphviz= --profiling-output= --trace-redirect= --open=",
        runs="-E= --find-package --debugger --debugger-pipe=",
    ),
    reader=all_of(_cmake_settings, starts_operands_outside),
    versions=VERSION_OR_HELP | {"-h"},
)
CTEST = Program(
    ("ctest",),
    "runs the tests",
    "Runs the tests that a build folder lists; scripts and other programs are dangers.",
    Category.EXECUTE,
    options(
        "-V|--verbose -VV|--extra-verbose --output-on-failure -j|--parallel= -R|--tests-regex= -E|--exclude-regex= "
        "-L|--label-regex= -LE|--label-exclude= -C|--build-config= -N|--show-only[=] -I|--tests-information= "
        "--timeout= "
        "--rerun-failed --repeat= --stop-on-failure -Q|--quiet --progress --schedule-random --no-tests= -F --preset= "
        "--list-presets -U -h|--help --version --stop-time= --max-width= --test-load=",
        directory="--test-dir=",
        loads="-S|--script= -SP|--script-new-process= --resource-spec-file= --http-header=",
        outputs="-O|--output-log= --output-junit= --build-and-test",
        runs="-M= -T= -D= -A= --build-makeprogram= --test-command= --overwrite= --extra-submit= --submit-index=",
    ),
    Operands(rest=None),
    versions=VERSION_OR_HELP,
)
MESON = Program(
    ("meson",),
    "sets up or makes a build",
    "Runs what the project's files say; files that name compilers are a danger.",
    Category.EXECUTE,
    options("-h|--help -v|--version"),
    verbs=(
        *several(
            {
                "setup": "sets up a build",
                "compile": "builds",
                "test": "runs the tests",
                "configure": "changes settings of a build",
                "introspect": "describes a build",
                "dist": "packs the project",
                "install": "installs what was built",
            },
            "Runs what the project's files say; wrappers, files of settings and other places are dangers.",
            Category.EXECUTE,
            options(
                "-j= -v|--verbose --suite= --no-suite= -t= --repeat= --no-rebuild --print-errorlogs --list "
                "--buildtype= "
                "--backend= --reconfigure --wipe --clean --quiet --num-processes= --maxfail= --tags= --only-changed",
                directory="-C=",
                loads="--cross-file= --native-file=",
                outputs="--prefix= --destdir= --logbase=",
                runs="--wrap|--wrapper= --gdb --gdb-path= --ninja-args= --vs-args= --xcode-args= --setup= --test-args=",
            ),
        ),
        Program(
            ("devenv",),
            "starts a command in the build's environment",
            "It sets variables that the project chooses, so the command is not what it would be without it.",
            Category.EXECUTE,
            options(directory="-C=", dangers={"--workdir=": "works elsewhere", "-w=": "works elsewhere"}),
            wraps=True,
            runs_code=True,
        ),
    ),
    versions=VERSION_OR_HELP | {"-v"},
)
_BAZEL = options(
    "-c|--compilation_mode= -k|--keep_going -j|--jobs= --test_output= --test_filter= --config= --nocache_test_results "
    "--cache_test_results= --verbose_failures --color= --curses= --output= --test_arg= --test_tag_filters= "
    "--runs_per_test= "
    "--build_tag_filters= --noshow_progress -s|--subcommands --explain= --keep_state_after_build --test_timeout=",
    runs="--run_under= --workspace_status_command= --host_action_env= --action_env= --test_env= --repo_env= "
    "--extra_toolchains= --crosstool_top= --compiler= --python_path= --java_runtime_version= --shell_executable= "
    "--strategy= --spawn_strategy= --credential_helper=",
    loads="--override_repository= --override_module= --package_path= --registry= --inject_repository=",
    outputs="--build_event_json_file= --build_event_text_file= --profile= --disk_cache= --symlink_prefix= "
    "--build_event_binary_file= --execution_log_json_file= --experimental_convenience_symlinks=",
    dangers={
        "--remote_cache=": "sends what it builds elsewhere",
        "--remote_executor=": "builds elsewhere",
        "--bes_backend=": "sends its results elsewhere",
        "--remote_downloader=": "fetches from elsewhere",
    },
)
BAZEL = Program(
    ("bazel", "bazelisk"),
    "builds targets",
    "Runs what the project's rules say; options that start other programs or reach other machines are dangers.",
    Category.EXECUTE,
    options(
        "--max_idle_secs= --batch",
        loads="--bazelrc=",
        runs="--host_jvm_args= --server_javabase=",
        outputs="--output_base= --output_user_root= --install_base=",
    ),
    verbs=(
        *several(
            {"build": "builds targets", "test coverage": "runs tests", "query cquery aquery": "asks about targets"}
            | {"clean": "deletes what was built", "info": "tells about the build", "shutdown": "stops its server"},
            "Runs what the project's rules say.",
            Category.EXECUTE,
            _BAZEL,
        ),
        Program(
            ("run",),
            "builds a target and runs it",
            "Runs whatever target is named.",
            Category.EXECUTE,
            _BAZEL,
            named_operands=1,
            open=True,
            runs_code=True,
        ),
    ),
)
JUST = Program(
    ("just",),
    "runs a recipe",
    "Runs what the justfile says; another justfile, another shell and a command of its own are dangers.",
    Category.EXECUTE,
    options(
        "-l|--list --summary -n|--dry-run -q|--quiet -v|--verbose -u|--unsorted --color= --evaluate --dump --variables "
        "--list-heading= --list-prefix= -h|--help -V|--version --yes --no-deps --highlight --no-highlight -s|--show= "
        "--timestamp --explain --unstable --check --groups --list-submodules --no-dotenv",
        loads="-f|--justfile= -E|--dotenv-path= --dotenv-filename= --alias-style=",
        directory="-d|--working-directory=",
        runs="--shell= --shell-arg= --shell-command -c|--command= --chooser= --choose -e|--edit --cygpath= -g "
        "--global-justfile --tempdir=",
        dangers={"--set=": "changes what recipes are made of", "--fmt": "changes the justfile", "--init": "makes one"},
    ),
    named_operands=1,
    stops=True,
    runs_code=True,
    reader=assigned_in_operands,
    versions=VERSION_OR_HELP | {"-V", "-h"},
)
TASK = Program(
    ("task", "go-task"),
    "runs a task",
    "Runs what the task file says; another file is a danger, and so are variables, of which commands are made.",
    Category.EXECUTE,
    options(
        "-l|--list -a|--list-all -s|--silent -v|--verbose -f|--force -n|--dry -p|--parallel -w|--watch -y|--yes "
        "--summary "
        "-c|--color -C|--concurrency= -o|--output= -I|--interval= -h|--help --version --status -x|--exit-code "
        "-j|--json",
        loads="-t|--taskfile=",
        directory="-d|--dir=",
        dangers={"-g|--global": "runs tasks of the home directory", "-i|--init": "makes a task file"},
    ),
    named_operands=1,
    runs_code=True,
    reader=assigned_in_operands,
    versions=VERSION_OR_HELP,
)
RAKE = Program(
    ("rake",),
    "runs a task",
    "Runs what the Rakefile says; other files, and Ruby given as text, are dangers.",
    Category.EXECUTE,
    options(
        "-T|--tasks[=] -P|--prereqs -D|--describe[=] -W|--where[=] -A|--all -n|--dry-run -q|--quiet -s|--silent "
        "-t|--trace[=] "
        "-v|--verbose[=] -j|--jobs[=] -m|--multitask -h|--help -V|--version --rules --build-all -B --backtrace[=]",
        loads="-f|--rakefile= -I|--libdir= -R|--rakelibdir|--rakelib= -r|--require=",
        runs="-e|--execute= -E|--execute-continue= -p|--execute-print=",
        dangers={"-g|--system": "runs tasks of the home directory", "-C|--directory=": "works elsewhere"},
    ),
    named_operands=1,
    runs_code=True,
    reader=assigned_in_operands,
)
NX = Program(
    ("nx", "turbo", "lerna"),
    "runs tasks of the project's packages",
    "Runs what the project's settings say, by the version that it has installed; other places or settings are dangers.",
    Category.EXECUTE,
    options(
        "-t|--target|--targets= -p|--projects= --exclude= --parallel= --concurrency= -F|--filter= --scope= "
        "-c|--configuration= "
        "--output-logs= --since= --base= --head= --force --dry-run[=] --verbose --skip-nx-cache --nxBail --graph[=]",
        directory="--cwd=",
        loads="--root-turbo-json= --runner= --nx-json=",
        outputs="--cache-dir= --profile= --trace= --heap=",
        dangers={"--token=": "sends its results", "--team=": "sends its results", "--api=": "sends its results"},
    ),
    named_operands=2,
    open=True,
    runs_code=True,
)
PROGRAMS: tuple[Program, ...] = (MAKE, NINJA, CMAKE, CTEST, MESON, BAZEL, JUST, TASK, RAKE, NX)

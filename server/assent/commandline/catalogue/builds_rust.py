"""The tools of Rust."""

import re

from assent.commandline.catalogue.shared import several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_CARGO_FLAGS = (
    "-p|--package= --bin= --example= --test= --bench= --features|-F= -j|--jobs= --profile= --message-format= --color= "
    "--exclude= --target= -v|--verbose -q|--quiet -r|--release --all-features --no-default-features --workspace --all "
    "--lib --bins --examples --tests --benches --all-targets --locked --offline --frozen --no-run --no-fail-fast "
    "--keep-going --doc --no-deps --check -h|--help -V|--version --list -e|--edges= -i|--invert= --depth= --format= "
    "--prefix= --filter-platform= --format-version= --ignore-rust-version --document-private-items --dev --build "
    "--rename= --optional --precise= --aggressive --vers= --dry-run -n"
)
_CARGO = options(
    _CARGO_FLAGS,
    directory="-C=",
    scripts="--manifest-path=",
    loads="--path= --vcs-root=",
    outputs="--target-dir= --artifact-dir= --out-dir= --lockfile-path= --root= --fix --timings[=] --emit=",
    runs="--config= -Z=",
    dangers={
        "--open": "starts a browser",
        "--git=": "fetches from another place",
        "--registry=": "asks another registry",
        "--index=": "asks another registry",
        "--host=": "asks another registry",
        "--token=": "shows another key",
        "--allow-dirty": "does not mind changes that are not recorded",
        "--allow-staged": "does not mind changes that are not recorded",
        "--allow-no-vcs": "does not mind that nothing is recorded",
    },
)
_CARGO_REASON = (
    "Compiling runs scripts and macros of the workspace; settings given as options can start other programs, and files "
    "elsewhere or another registry are dangers too."
)


def _cargo_target(given: Given, findings: Findings) -> None:
    for one in given.options:
        value = one.value
        if "--target" in one.option.names and value is not None and not re.fullmatch(r"[a-z0-9_-]+", value.text):
            findings.danger(f"takes its target from {value.written or value.text}", one.at)


CARGO = Program(
    ("cargo",),
    "builds Rust projects",
    _CARGO_REASON + " A file in the project can choose another cargo, so no form of it only reads.",
    Category.EXECUTE,
    _CARGO,
    verbs=(
        *several(
            {
                "build b": "builds the project",
                "check c": "checks the project",
                "test t": "runs the tests",
                "run r": "builds the project and runs it",
                "bench": "measures the project",
                "clippy": "checks the project",
                "fmt": "formats the project",
                "doc d": "writes the documentation",
                "clean": "deletes what was built",
                "tree": "shows what the project needs",
                "metadata": "describes the project",
                "pkgid locate-project verify-project": "tells about the project",
                "package": "packs the project",
                "rustdoc": "writes the documentation",
                "fix": "changes the sources",
                "version": "tells which version it is",
            },
            _CARGO_REASON,
            Category.EXECUTE,
            _CARGO,
            reader=_cargo_target,
        ),
        *several(
            {
                "add": "adds packages",
                "remove rm": "removes packages",
                "update": "updates packages",
                "fetch": "fetches packages",
                "vendor": "copies packages into the project",
                "generate-lockfile": "writes the lock file",
                "install": "installs a program",
                "uninstall": "removes a program",
                "search": "searches the registry",
                "info": "asks the registry",
                "publish": "publishes the package",
                "yank": "takes a package back",
                "owner": "changes who owns a package",
                "login": "logs in",
                "logout": "logs out",
                "audit": "looks for known faults",
                "outdated": "lists packages that have newer versions",
            },
            "Talks to the registry; another registry or place is a danger.",
            Category.EXTERNAL,
            _CARGO,
            reader=_cargo_target,
        ),
        *several(
            {"new": "starts a project", "init": "starts a project"},
            "Writes the files of a new project where it is told to.",
            Category.WRITE,
            options("--name= --lib --bin --edition= --vcs= -q|--quiet -v|--verbose --color=", runs="--config="),
            open=False,
            operands=Operands(rest=Use.WRITE),
        ),
        Program(
            ("nextest",),
            "runs the tests",
            _CARGO_REASON,
            Category.EXECUTE,
            _CARGO | options("-E|--filter-expr= --retries= --test-threads= -P=", loads="--config-file="),
            named_operands=1,
            open=True,
            reader=_cargo_target,
        ),
        Program(
            ("watch",),
            "runs commands when files change",
            "Keeps running commands; each is a danger, because a change of a file starts it.",
            Category.EXECUTE,
            options("-w|--watch= -c|--clear -q|--quiet", runs="-x|--exec= -s|--shell= --use-shell="),
            operands=Operands(rest=Use.RUNS),
        ),
    ),
)
RUSTUP = Program(
    ("rustup",),
    "manages compilers",
    "Fetches compilers where it needs them, also for verbs that only show.",
    Category.EXTERNAL,
    options("-v|--verbose -q|--quiet"),
    verbs=(
        Program(
            ("run",),
            "starts a command with another compiler",
            "Puts another compiler's folder first where programs are looked for.",
            Category.EXECUTE,
            options("--install"),
            Operands(first=(Use.TEXT,)),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {
                "show": "shows which compilers there are",
                "update": "updates compilers",
                "toolchain": "works on compilers",
                "target": "works on targets",
                "component": "works on components",
                "which": "shows where a program is",
                "check": "looks for newer compilers",
                "doc": "opens the documentation",
                "default": "chooses a compiler",
                "override": "chooses a compiler for a folder",
            },
            "Works on what is installed for the user.",
            Category.EXTERNAL,
            options("--toolchain= -c|--component= -t|--target= --profile=", loads="--path="),
        ),
    ),
)
PROGRAMS: tuple[Program, ...] = (CARGO, RUSTUP)

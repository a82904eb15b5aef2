"""Compilers that are started by hand."""

from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    arguments_from_files,
    leads_out,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category


def _compiler(given: Given, findings: Findings) -> None:
    """Options with a value behind a comma, and a linker's, can start or load something too."""
    for at in range(given.start, len(given.words)):
        word = given.words[at]
        if word.text.startswith(("-fplugin", "-Wl,-plugin", "-Wl,--plugin", "-Xclang", "-fuse-ld=", "-fpass-plugin")):
            findings.danger(f"can load other code ({word.text})", at)
        elif word.text.startswith(("-Wp,", "-Wa,", "-dumpdir", "-Wl,-Map", "-Wl,-o", "-Wl,--output")):
            findings.danger(f"can write elsewhere ({word.text})", at)
        elif word.text.startswith("-B") and len(word.text) > 2:
            findings.danger(f"starts its tools from {word.text[2:]}", at)
        elif word.text.startswith("-o") and len(word.text) > 2:
            findings.writes(Argument(word.text[2:], word.exact, written=word.written), at)
        elif at in given.operands and leads_out(word) and not word.text.startswith("-"):
            findings.reads(word, at)


CC = Program(
    ("gcc", "cc", "g++", "c++", "clang", "clang++"),
    "compiles",
    "Reads sources and writes what it compiles; what makes it start or load something else is a danger.",
    Category.WRITE,
    options(
        "-c -S -E -g -O -O0 -O1 -O2 -O3 -Os -Og -Ofast -v -w -s -pipe -shared -static -fPIC -fpic -pthread -rdynamic "
        "-std= -x= -D= -U= -l= -u= -z= -T= -e= -arch= -target= -MD -MMD -MP -MT= -MQ= -M -MM -MG -m32 -m64 -Wall "
        "-Wextra",
        reads="-I= -L= -isystem= -iquote= -idirafter= -include= -imacros= --sysroot= -isysroot= -F=",
        writes="-o=",
        outputs="-MF= -MJ= -dumpbase= -aux-info= -save-temps[=] -ftime-trace[=] -fdump-ada-spec "
        "--serialize-diagnostics=",
        runs="-B= -wrapper= -specs= --specs= -fplugin= -Xlinker= -Xassembler= -Xpreprocessor= -load= -cc1 "
        "-no-canonical-prefixes "
        "-gcc-toolchain= --gcc-toolchain= --config= -ivfsoverlay= -resource-dir= -fuse-ld=",
    ),
    open=True,
    one_dash=True,
    reader=all_of(_compiler, arguments_from_files),
    versions=VERSION_OR_HELP | {"-v", "-dumpversion", "-dumpmachine"},
)
_RUSTC_HARMLESS = ("opt-level", "debuginfo", "target-cpu", "lto", "panic", "codegen-units", "overflow-checks", "strip")


def _rustc(given: Given, findings: Findings) -> None:
    for one in given.options:
        if "-C" in one.option.names and one.value is not None:
            name = one.value.text.partition("=")[0]
            if name not in _RUSTC_HARMLESS:
                findings.danger(f"changes how it makes code ({one.value.written or one.value.text})", one.at)


RUSTC = Program(
    ("rustc",),
    "compiles Rust",
    "Runs macros of the crates that it is given; another linker, and files written elsewhere, are dangers. A file in "
    "the project can choose another compiler, so no form of it only reads.",
    Category.EXECUTE,
    options(
        "-C|--codegen= --cfg= --check-cfg= --crate-type= --crate-name= --edition= --target= -O -g -v|--verbose --test "
        "-A|--allow= -W|--warn= -D|--deny= -F|--forbid= --cap-lints= --error-format= --color= --explain= --print= -l= "
        "-V|--version -h|--help",
        reads="-L=",
        writes="-o= --out-dir=",
        outputs="--emit=",
        loads="--extern= --sysroot= --remap-path-prefix=",
        runs="-Z=",
    ),
    Operands(rest=Use.READ),
    reader=all_of(_rustc, arguments_from_files),
)
JAVAC = Program(
    ("javac",),
    "compiles Java",
    "Processors on its class path are run; naming other ones, and options for the machine under it, are dangers.",
    Category.EXECUTE,
    options(
        "-g -nowarn -verbose -deprecation -encoding= -source= --source= -target= --release= -Xlint -parameters -Werror "
        "-proc:none --enable-preview -cp= -classpath= --class-path= -version --version -help --help -proc:only "
        "-Xlint:all",
        writes="-d= -h= -s=",
        loads="-processorpath= --processor-path= -processor= --processor-module-path= -bootclasspath= -extdirs= "
        "-endorseddirs= --upgrade-module-path= --system= -Xplugin= --module-path= -p= --patch-module= "
        "--module-source-path=",
        runs="-J=",
    ),
    Operands(),
    one_dash=True,
    reader=all_of(arguments_from_files, starts_operands_outside),
    versions=VERSION_OR_HELP | {"-version", "-help"},
)
PROGRAMS: tuple[Program, ...] = (CC, RUSTC, JAVAC)

"""Checkers for JavaScript and TypeScript."""

from dataclasses import replace

from assent.commandline.catalogue.shared import (
    VERSION_OR_HELP,
    all_of,
    arguments_from_files,
    names_code,
    several,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program, options
from assent.model.modes import Category

ESLINT = Program(
    ("eslint",),
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
ESLINT_DAEMON = replace(
    ESLINT,
    names=("eslint_d",),
    reason="Starts the project's own eslint, and keeps it running, even to print its version.",
    versions=frozenset(),
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
    ESLINT_DAEMON,
    PRETTIER,
    TSC,
    STYLELINT,
    BIOME,
    MARKDOWNLINT,
)

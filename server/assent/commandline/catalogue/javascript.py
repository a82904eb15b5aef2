"""Node and its kin."""

from dataclasses import replace

from assent.commandline.catalogue.interpreting import interpreter, runs_script
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, options
from assent.model.modes import Category

_CODE = "It runs the code that it is given; options that load further code, or let others in, are dangers."
_DEBUGS = "lets others look into it and run code in it"
_NODE_DANGERS = {
    "--inspect[=]": _DEBUGS,
    "--inspect-brk[=]": _DEBUGS,
    "--inspect-wait[=]": _DEBUGS,
    "--inspect-port|--debug-port=": _DEBUGS,
    "--env-file=": "takes variables from a file, which can make it load code",
    "--env-file-if-exists=": "takes variables from a file, which can make it load code",
    "--experimental-config-file=": "takes options from a file",
    "--experimental-default-config-file": "takes options from a file",
    "--experimental-policy=": "takes rules from a file",
    "--openssl-config=": "takes a configuration that can load code",
    "--prof-process": "runs another script",
    "--build-snapshot": "writes a file",
    "--experimental-network-imports": "loads code from the network",
}
_NODE_HARMLESS = """
-c|--check -C|--conditions= -i|--interactive --input-type= --enable-source-maps --expose-gc --expose_gc
--max-old-space-size= --max_old_space_size= --max-semi-space-size=
--stack-size= --stack-trace-limit= --max-http-header-size=
--no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --trace-exit --trace-sigint
--throw-deprecation --pending-deprecation --unhandled-rejections= --disable-warning= --preserve-symlinks
--preserve-symlinks-main --experimental-vm-modules --experimental-modules --experimental-json-modules
--experimental-wasm-modules --experimental-strip-types
--experimental-transform-types --experimental-specifier-resolution=
--experimental-default-type= --experimental-detect-module --no-experimental-detect-module --experimental-require-module
--no-experimental-require-module --experimental-sqlite --experimental-websocket --experimental-fetch
--no-experimental-fetch --experimental-import-meta-resolve --experimental-test-coverage --experimental-test-module-mocks
--experimental-test-snapshots --test-update-snapshots --test --test-only --test-name-pattern= --test-skip-pattern=
--test-concurrency= --test-timeout= --test-force-exit --test-shard= --test-isolation= --test-coverage-include=
--test-coverage-exclude= --test-coverage-lines= --test-coverage-branches= --test-coverage-functions= --watch
--watch-path= --watch-preserve-output --no-addons --no-global-search-paths --dns-result-order= --title= --jitless
--abort-on-uncaught-exception --use-openssl-ca --use-bundled-ca --use-system-ca --openssl-legacy-provider --trace-gc
--permission --experimental-permission --allow-fs-read= --allow-fs-write= --allow-child-process --allow-worker
--allow-addons --allow-wasi --harmony --v8-options --experimental-eventsource --insecure-http-parser --strip-types
--no-strip-types --no-experimental-strip-types --disable-proto= --frozen-intrinsics --zero-fill-buffers --run= -h -v
"""


def _node(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.name == "--test-reporter" and one.value is not None and ("/" in one.value.text or not one.value.exact):
            findings.danger(f"loads {one.value.written or one.value.text}", one.value_at)
    if given.operands and given.words[given.operands[0]].text in ("inspect", "debug"):
        findings.danger("starts a debugger", given.operands[0])
    if given.has("--test", "--run", "-h", "-v"):
        for at in given.operands:
            findings.starts(given.words[at], at)
        return
    runs_script("-e", "-p", "-pe")(given, findings)


def _may_be_far(given: Given, findings: Findings) -> None:
    """A script, which can also be an address."""
    for at in given.operands[:1]:
        word = given.words[at]
        if "://" in word.text or word.text.startswith(("npm:", "jsr:")):
            findings.contacts(word, at)
            findings.danger(f"runs code from the network ({word.text})", at)
        else:
            findings.starts(word, at)


_DENO = """
-A|--allow-all -R|--allow-read[=] -W|--allow-write[=] -N|--allow-net[=] -E|--allow-env[=] -S|--allow-sys[=]
--allow-run[=] --allow-ffi[=] --deny-read[=] --deny-write[=] --deny-net[=] --deny-env[=] --deny-run[=] --no-prompt
--check[=] --no-check[=] --cached-only --frozen[=] --no-lock --lock[=] --node-modules-dir[=] --no-npm --no-remote
-q|--quiet --unstable --watch[=] --seed= --v8-flags[=] --no-config --ext= --filter= --fail-fast[=] --parallel
--coverage[=] --doc --no-run --permit-no-files --json --reporter= --fix --compact --ignore= --line-width=
--indent-width= --single-quote --no-semicolons --prose-wrap= --rules --rules-tags= --rules-exclude= --clean
--trace-leaks --shuffle[=] -h|--help
"""
_DENO_DANGERS = {
    "--inspect[=]": _DEBUGS,
    "--inspect-brk[=]": _DEBUGS,
    "--inspect-wait[=]": _DEBUGS,
    "--env-file[=]": "takes variables from a file",
    "--import-map=": "takes other code for what is imported",
    "-c|--config=": "takes another configuration",
    "-r|--reload[=]": "fetches code again",
    "--cert=": "trusts another authority",
    "--location=": "pretends to be elsewhere",
    "--preload=": "loads other code first",
}


def _deno(names: str, does: str, category: Category = Category.EXECUTE, *, script: bool = False) -> Program:
    return Program(
        tuple(names.split()),
        does=does,
        reason=_CODE,
        category=category,
        options=options(_DENO, dangers=_DENO_DANGERS),
        stops=script,
        reader=_may_be_far if script else None,
        runs_code=True,
    )


JAVASCRIPT: tuple[Program, ...] = (
    interpreter(
        "node nodejs",
        _CODE,
        _NODE_HARMLESS,
        code="-e|--eval -p|--print -pe",
        loads="-r|--require= --import= --loader|--experimental-loader= --snapshot-blob= --icu-data-dir=",
        dangers=_NODE_DANGERS,
        outputs="""--cpu-prof-dir= --cpu-prof-name=
        --heap-prof-dir= --redirect-warnings= --report-dir|--report-directory=
        --report-filename= --diagnostic-dir= --test-reporter-destination= --trace-event-file-pattern= --tls-keylog=
        --cpu-prof --heap-prof --prof""",
        does="runs JavaScript",
        reader=_node,
        versions="--version -v -h --help",
    ),
    replace(
        interpreter(
            "tsx ts-node ts-node-esm esno jiti",
            _CODE,
            """--tsconfig= -P|--project= -T|--transpile-only --esm --files --skip-project
            --swc --no-cache -v -h --watch --clear-screen""",
            code="-e|--eval -p|--print -pe",
            loads="-r|--require= --import= --loader= -C|--compiler=",
            dangers={
                "--inspect[=]": _DEBUGS,
                "--inspect-brk[=]": _DEBUGS,
                "--env-file=": "takes variables from a file",
            },
            does="runs TypeScript",
            reader=_node,
        ),
        operands=Operands(),
    ),
    Program(
        ("deno",),
        does="runs JavaScript",
        reason=_CODE,
        category=Category.EXECUTE,
        options=options("-q|--quiet -h|--help -V|--version --unstable"),
        versions=frozenset({"--version", "-V", "--help", "-h"}),
        runs_code=True,
        verbs=(
            _deno("run serve", "runs a script", script=True),
            _deno("eval", "runs code"),
            _deno("test bench", "runs tests"),
            _deno("task", "runs a task of the workspace"),
            _deno("fmt", "formats files", Category.WRITE),
            _deno("lint check doc info types", "looks at code"),
            _deno(
                "cache install add remove uninstall upgrade publish outdated update", "fetches code", Category.EXTERNAL
            ),
        ),
    ),
)

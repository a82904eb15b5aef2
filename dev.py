"""The project's commands: `python3 dev.py <command>`. Each makes by itself whatever it needs first.

    run        the chat page in your browser, with the server behind it
    editor     a real VS Code in your browser, with the packed extension in it
    test       every check, and every test that a change can break; with words behind it, the tests that they name
               (--all: also what takes long; --changed: what can be affected by a change; --mutants: whether they
               notice small changes)
    check      the part of it that only reads the code
    bench      measurements
    pictures   takes those of the documentation anew, by their names or all of them
    package    the wheel and the .vsix, into dist/
    setup      only makes what the others need (--e2e: the editors and the browser as well; --agents: public agents;
               --further-agents: more of them)
    generate   writes the files that are made from the Python types
    notices    writes the notices about packages of others that are shipped
    lock       resolves the exact Python packages anew

It needs Python 3.11 or newer and nothing else that is not in its standard library.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  older Pythons parse this file as well, and are told
    sys.exit(
        "Assent needs Python 3.11 or newer; this is Python %d.%d. Run this file with a newer one, "  # noqa: UP031
        "for example: python3.12 dev.py" % sys.version_info[:2]
    )

import argparse
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from devtools import (
    affected,
    agents,
    checks,
    client,
    editor,
    extension,
    lock,
    node_packages,
    notices,
    playground,
    python_packages,
    wheelhouse,
    workbench,
)
from devtools.console import Trouble, say
from devtools.places import DIST, DOCUMENTED_PICTURES, SERVER, VENV_PYTHON, shown
from devtools.processes import environment, passing_on


def run(options: argparse.Namespace, _: list[str]) -> int:
    return playground.run(options.folder, options.port, not options.no_open)


def edit(options: argparse.Namespace, _: list[str]) -> int:
    return editor.run(options.folder, options.port, workbench.RELEASES[options.vscode], not options.no_open)


def test(options: argparse.Namespace, named: list[str]) -> int:
    _setup()
    if options.mutants is not None:
        return checks.run_mutants(options.mutants, named)
    if named:
        checks.prepare()
        for folder, install in checks.INSTALLING.items():
            if any(folder in Path(word).parts for word in named) or not any(Path(word).exists() for word in named):
                install()
        return checks.run_named(named, options.all)
    changed = None if options.changed is None else affected.changed_since(options.changed)
    troubles = []
    try:
        checks.prepare()
    except Trouble as trouble:
        say(str(trouble))
        troubles.append(str(trouble).splitlines()[0])
    return 0 if checks.run_all([checks.static(), *checks.tests(options.all, changed)], troubles) else 1


def check(_: argparse.Namespace, __: list[str]) -> int:
    _setup()
    return 0 if checks.run_all([checks.static()]) else 1


def bench(_: argparse.Namespace, arguments: list[str]) -> int:
    python_packages.ensure()
    code, _lines = passing_on([VENV_PYTHON, "-m", "tests.bench", *arguments], env=environment(PYTHONPATH=str(SERVER)))
    return code


def pictures(_: argparse.Namespace, names: list[str]) -> int:
    _setup()
    client.build()
    program: list[str | Path] = [VENV_PYTHON, "-m", "tests.pictures", str(DOCUMENTED_PICTURES), *names]
    code, _lines = passing_on(program, env=environment(PYTHONPATH=str(SERVER)))
    return code


def package(options: argparse.Namespace, _: list[str]) -> int:
    if options.universal:
        extension.package_universal()
    else:
        extension.package_for_linux()
    wheel = wheelhouse.build_own_wheel()
    shutil.copyfile(wheel, DIST / wheel.name)
    say(shown(DIST / wheel.name))
    return 0


def setup(options: argparse.Namespace, _: list[str]) -> int:
    _setup()
    checks.prepare()
    if options.e2e:
        workbench.ensure_all()
    if options.agents:
        agents.SUITE.ensure()
    if options.further_agents:
        agents.FURTHER.ensure()
    say("Ready.")
    return 0


def generate(_: argparse.Namespace, __: list[str]) -> int:
    python_packages.ensure()
    code, _lines = passing_on([VENV_PYTHON, "-m", "codegen"], env=environment(PYTHONPATH=str(SERVER)))
    return code


def write_notices(_: argparse.Namespace, __: list[str]) -> int:
    _setup()
    notices.write()
    return 0


def write_lock(options: argparse.Namespace, _: list[str]) -> int:
    python_packages.ensure()
    lock.write(options.upgrade)
    return 0


def _setup() -> None:
    with ThreadPoolExecutor() as both:
        jobs = [both.submit(python_packages.ensure), both.submit(node_packages.ensure)]
    faults = [fault for job in jobs if (fault := job.exception())]
    if all(isinstance(fault, Trouble) for fault in faults) and faults:
        raise Trouble("\n\n".join(str(fault) for fault in faults))
    for fault in faults:
        raise fault


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, does: object, *, takes_more: bool = False) -> argparse.ArgumentParser:
        added = commands.add_parser(name)
        added.set_defaults(does=does, takes_more=takes_more)
        return added

    for served in (command("run", run), command("editor", edit)):
        served.add_argument("--folder", type=_folder, help="the folder to work in (a scratch folder of its own)")
        served.add_argument("--port", type=int, help="(a free one)")
        served.add_argument("--no-open", action="store_true", help="only print the address")
        if served.get_default("does") is edit:
            served.add_argument("--vscode", choices=list(workbench.RELEASES), default="newest")
    tests = command("test", test, takes_more=True)
    tests.add_argument("--all", action="store_true", help="also what takes long, and all sizes of what is made up")
    changed = "only what a change since this revision can affect (what is not committed)"
    tests.add_argument("--changed", nargs="?", const="HEAD", metavar="REVISION", help=changed)
    mutants = "whether tests notice small changes of a package that decides (of policy and of approvals), and which not"
    tests.add_argument("--mutants", nargs="?", const="", metavar="PACKAGE", help=mutants)
    command("check", check)
    command("bench", bench, takes_more=True)
    command("pictures", pictures, takes_more=True)
    command("package", package).add_argument("--universal", action="store_true", help="without compiled packages")
    needs = command("setup", setup)
    needs.add_argument("--e2e", action="store_true", help="the editors and the browser as well")
    needs.add_argument("--agents", action="store_true", help="the public agents that tests lead, as well")
    further = "more public agents (3.5 GB), which tests lead from then on"
    needs.add_argument("--further-agents", action="store_true", help=further)
    command("generate", generate)
    command("notices", write_notices)
    command("lock", write_lock).add_argument("--upgrade", action="store_true", help="to the newest versions")
    return parser


def _folder(text: str) -> Path:
    folder = Path(text).resolve()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return folder


def main(arguments: list[str]) -> int:
    parser = _parser()
    options, more = parser.parse_known_args(arguments)
    for ending in ("SIGTERM", "SIGHUP"):  # as Ctrl-C: whoever runs other programs ends them then
        if hasattr(signal, ending):
            signal.signal(getattr(signal, ending), signal.default_int_handler)
    if more and not options.takes_more:
        parser.error(f"unknown: {' '.join(more)}")
    try:
        code: int = options.does(options, more)
    except Trouble as trouble:
        say(f"\n{trouble}")
        return 1
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

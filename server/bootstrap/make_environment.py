"""Makes the Python environment in which the installed extension runs its server.

Runs under the user's own Python, before anything is installed: the standard library only. The wheels come with the
extension; they were resolved when it was packed, so here they are only checked and unpacked. Where the machine is one
that a wheel was not packed for, pip fetches that package in exactly the packed version, against its packed hashes.

It prints one JSON object a line: `{"step", "message"}` on the way, and at the end either `{"done": true, "python"}` or
`{"error", "hint"}` with exit code 1. Made aside and renamed into place: there is a whole environment or none.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  older Pythons parse this file as well, and are told
    sys.stdout.write(
        '{"error": "This is Python %d.%d, and Assent needs 3.11 or newer.", '  # noqa: UP031
        '"hint": "Install a newer Python, or name one in the setting assent.server.python."}\n' % sys.version_info[:2]
    )
    sys.exit(1)

import argparse
import errno
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))  # an isolated interpreter does not look here by itself

from environments import Environment, clear_away_leftovers, clear_away_unused
from lock import alone
from packed import Manifest, Package, Problem, choose, unpack


def make(wheels: Path, target: Path) -> Path:
    """The environment's Python: of one that is whole already, else of one made now."""
    manifest = Manifest.read(wheels)
    environment = Environment.of_this_python(target, manifest.digest)
    if environment.is_whole():
        return environment.python
    target.mkdir(parents=True, exist_ok=True)
    with alone(target / ".lock", _tell_of_waiting):
        if not environment.is_whole():
            clear_away_leftovers(target)
            _make_aside_and_move(environment, manifest)
        clear_away_unused(target, environment)
    return environment.python


def _make_aside_and_move(environment: Environment, manifest: Manifest) -> None:
    chosen, missing = choose(manifest)
    aside = environment.aside()
    try:
        _tell("create", f"Preparing Assent's own Python environment with Python {sys.version.split()[0]}.")
        _create(aside.folder)
        for wheel in chosen:
            _tell("unpack", f"Unpacking {wheel.name} {wheel.version}.")
            unpack(wheel, aside.site_packages)
        if missing:
            _fetch(missing, aside.site_packages)
        _tell("compile", "Compiling, so that every later start is quick.")
        _compile(aside, environment)
        _tell("verify", "Checking that the server starts in it.")
        _prove(aside, manifest.proof)
        aside.mark_whole()
        aside.move_to(environment)
    finally:
        shutil.rmtree(aside.folder, ignore_errors=True)


def _create(aside: Path) -> None:
    try:
        from venv import EnvBuilder
    except ImportError as fault:
        raise Problem(
            f"{sys.executable} has no module venv ({fault}), which is needed to make an environment.",
            "Install it (on Debian and Ubuntu: sudo apt-get install python3-venv), "
            "or name another Python in the setting assent.server.python.",
        ) from fault
    EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(aside)


def _fetch(missing: Sequence[Package], site: Path) -> None:
    """pip gets what was not packed for this machine, as wheels only: nothing is built, so nothing foreign runs."""
    names = ", ".join(f"{package.name} {package.version}" for package in missing)
    _tell("download", f"Fetching what this machine needs of its own: {names}.")
    wanted = site.parent / "to-fetch.txt"
    wanted.write_text("".join(_requirement(package) for package in missing), encoding="ascii")
    calm = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-compile"]
    strict = ["--no-deps", "--only-binary=:all:", "--require-hashes"]
    pip = [sys.executable, "-m", "pip", "install", *calm, *strict, "--target", str(site), "-r", str(wanted)]
    done = _run(pip)
    wanted.unlink()
    if done.returncode != 0:
        raise _fetching_failed(names, done.stderr)


def _requirement(package: Package) -> str:
    hashes = " ".join(f"--hash=sha256:{value}" for value in package.hashes)
    return f"{package.name}=={package.version} {hashes}\n"


def _fetching_failed(names: str, said: str) -> Problem:
    if "No module named pip" in said:
        return Problem(
            f"This machine needs {names} from the package registry, and {sys.executable} has no pip to fetch it.",
            "Install pip for this Python (on Debian and Ubuntu: sudo apt-get install python3-pip), "
            "or name another Python in the setting assent.server.python.",
        )
    last = said.strip().splitlines()[-1] if said.strip() else "pip gave no reason"
    return Problem(
        f"pip could not fetch {names}: {last}",
        "Check the network and pip's configuration. If there is no such package for your Python, "
        "name another one (3.11 to 3.14) in the setting assent.server.python.",
    )


def _compile(aside: Environment, place: Environment) -> None:
    """The compiled files name the sources by the place where they will be."""
    from compileall import compile_dir

    compile_dir(aside.site_packages, quiet=2, stripdir=str(aside.folder), prependdir=str(place.folder))


def _prove(aside: Environment, proof: str) -> None:
    """Runs the packed statement in the new environment, so that a broken one is met here and not by the editor."""
    done = _run([str(aside.python), "-I", "-c", proof])
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
        raise Problem(
            f"The environment was made, but the server does not start in it: {last}",
            "Name another Python (3.11 to 3.14) in the setting assent.server.python.",
        )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONHOME"}}
    return subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _tell_of_waiting() -> None:
    _tell("wait", "Another window is preparing the same environment; waiting for it.")


def _tell(step: str, message: str) -> None:
    _print({"step": step, "message": message})


def _print(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _explained(fault: OSError, target: Path) -> Problem:
    """What the user can do about a fault of the disk."""
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Problem("The disk is full.", f"Free about 100 MB where {target} lies, then reload the window.")
    if fault.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return Problem(f"{target} cannot be written: {fault.strerror}.", "Give yourself the right to write there.")
    return Problem(f"The environment could not be made in {target}: {fault}", "Reload the window to try again.")


def _end_tidily(number: int, _: object) -> NoReturn:
    """A closed editor ends its children; what was begun is cleared away on the way out."""
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheels", type=Path, required=True, help="the folder with the wheels and manifest.json")
    parser.add_argument("--target", type=Path, required=True, help="the folder that holds the environments")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _end_tidily)
    target = options.target.absolute()
    try:
        try:
            python = make(options.wheels.absolute(), target)
        except OSError as fault:
            raise _explained(fault, target) from fault
    except Problem as problem:
        _print({"error": str(problem), "hint": problem.hint})
        return 1
    _print({"done": True, "python": str(python)})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The checks of the project: all of them run even when one fails, with a summary at the end."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from devtools import affected, agents, client, lanes, node_packages, prerequisites, pytest_parts, workbench
from devtools.console import say
from devtools.places import BOOTSTRAP, CLIENT, ROOT, SERVER, TEST_RESULTS, TESTS, VENV_PYTHON, shown
from devtools.processes import Command, environment
from devtools.records import MARK, Failure, Records, added_up

_PROGRAMS = VENV_PYTHON.parent
_PER_CORE = 2
"""Runs of tests that share a core: most of what they do is to wait for programs that they have started."""
_SCALE, _ALL = "ASSENT_TEST_SCALE", "ASSENT_TEST_ALL"
_PATIENCE = "4"
"""By how much limits are stretched. They are ceilings: a test that passes does not take longer for it."""
_MORE_PATIENCE = 4
"""By how much further for a test that failed beside others and is tried again alone."""
_MOST_TRIED_AGAIN = 10
"""Where more tests fail, that is no chance."""
_LAST_WORDS = 60
_NEVER_BY_CHANCE = ("tests/laws/", "tests/contract/", "tests/faults/")
"""Folders whose failures count at once: what they found is there, even where it is not met again."""
_NOTHING_CHOSEN = 5
_MUTANTS: Command = [VENV_PYTHON, "-m", "tests.mutation"]
_OF_VITEST = (".test.ts", "client-ts/test", "client-ts/test/page")


@dataclass(frozen=True, eq=False)
class Check:
    """One program whose exit code is the verdict."""

    name: str
    command: Command
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=environment)

    @property
    def log(self) -> Path | None:
        """The file that keeps all that it prints."""
        return None

    def printed(self, line: str) -> None:
        """Nothing is shown of what passes."""

    def ended(self, end: lanes.Ended) -> None:
        say(f"{'passed' if end.code == 0 else 'FAILED'}  {self.name}  ({end.seconds:.0f} s)")
        if end.code != 0:
            _say_indented(end.lines)

    def troubles(self, end: lanes.Ended) -> list[str]:
        """What went wrong, a line each."""
        return [] if end.code == 0 else [self.name]


@dataclass(frozen=True, eq=False)
class SuiteRun(Check):
    """A run of tests that says of each what came of it."""

    program: Command = ()
    """What runs tests that are named behind it."""
    group: str = ""
    """What the summary counts it under."""
    records: Records = field(default_factory=Records)

    @property
    def log(self) -> Path:
        return TEST_RESULTS / "logs" / (re.sub(r"[^\w.]+", "-", self.name)[-100:] + ".log")

    def printed(self, line: str) -> None:
        if failure := self.records.read(line):
            say(f"\nFAILED  {failure.test}  (in {self.name})")
            _say_indented(failure.said.splitlines())

    def ended(self, end: lanes.Ended) -> None:
        say(f"{self.name}: {added_up([self.records.counts], end.seconds)}")
        if self._broke(end):
            say(f"FAILED  {self.name} ended with exit code {end.code}; its last words:")
            _say_indented([line for line in end.lines if not line.startswith(MARK)])

    def troubles(self, end: lanes.Ended) -> list[str]:
        broke = [f"{self.name} broke off; all that it printed is in {shown(self.log)}"] if self._broke(end) else []
        return [*(failure.test for failure in self.records.failures), *broke]

    def alone(self, failure: Failure) -> "SuiteRun":
        """The run of this test and no other, with more time."""
        patient = str(float(self.env.get(_SCALE, "1")) * _MORE_PATIENCE)
        return replace(
            self,
            name=f"{failure.test} (alone)",
            command=[*self.program, *self.naming(failure.test)],
            env={**self.env, _SCALE: patient},
            records=Records(),
        )

    def naming(self, test: str) -> Command:
        """How a test is named to pytest."""
        return [test]

    def _broke(self, end: lanes.Ended) -> bool:
        """Whether it did not come to its end, or says that something is wrong and not what."""
        if end.code == _NOTHING_CHOSEN:
            return set(self.records.counts) != {"deselected"}
        known = self.records.failures or self.records.by_chance
        return not self.records.ended or (end.code != 0 and not known)


class VitestRun(SuiteRun):
    """A run of vitest."""

    def naming(self, test: str) -> Command:
        """How a test is named to vitest."""
        file, _, name = test.partition(" > ")
        return [file, "--testNamePattern", f"^{re.escape(name)}$"]


@dataclass(frozen=True)
class Stage:
    """Checks that run beside each other, so many at once."""

    at_once: int
    checks: Sequence[Check]


def static() -> Stage:
    """What reads the code without running it, longest first."""
    node = node_packages.node_environment(node_packages.node_folder())
    python_path = environment(PYTHONPATH=str(SERVER))
    checks = [
        Check("mypy: the server", [_PROGRAMS / "mypy"]),
        Check("TypeScript and biome", ["npm", "run", "--silent", "check"], CLIENT, node),
        Check("layers", [_PROGRAMS / "lint-imports"], env=python_path),
        Check("mypy: the tools", [_PROGRAMS / "mypy", "dev.py", "devtools", *sorted(BOOTSTRAP.glob("*.py"))]),
        Check("generated files", [VENV_PYTHON, "-m", "codegen", "--check"], env=python_path),
        Check("third-party notices", [VENV_PYTHON, "-m", "devtools.notices"]),
        Check("ruff", [_PROGRAMS / "ruff", "check", "."]),
        Check("ruff format", [_PROGRAMS / "ruff", "format", "--check", "."]),
    ]
    return Stage(lanes.cores() + 1, checks)


def tests(whole: bool, changed: Collection[Path] | None = None) -> list[Stage]:
    """What runs the code: all of it, or what a change of these files can affect.

    The light ones come first, some to a core, and then those of which each wants a core.
    """
    cores = lanes.cores()
    if changed is None:
        chosen, vitest = pytest_parts.files(TESTS), ["run"]
    else:
        chosen, related = affected.pytest_files(changed), affected.vitest_files(changed)
        vitest = ["related", "--run", *map(str, related)] if related else []
    parts = pytest_parts.parts(TESTS, chosen, cores)
    light = [_pytest_part(part, whole) for part in parts if not part.heavy]
    heavy = [_pytest_part(part, whole) for part in parts if part.heavy]
    page = [_vitest(vitest, whole)] if vitest else []
    needed = [option for folder, option in (("e2e", "--e2e"), ("agents", "--agents")) if _holds(parts, folder)]
    setup = Check("installing what the heavy ones drive", [VENV_PYTHON, ROOT / "dev.py", "setup", *needed])
    installing = [setup] if needed else []
    stages = [Stage(cores * _PER_CORE, [*installing, *page, *light]), Stage(cores, heavy)]
    if whole:
        stages.append(Stage(1, [Check("mutants", [*_MUTANTS, "--sample", "200", "--least", "80"])]))
    return stages


def _holds(parts: Sequence[pytest_parts.Part], folder: str) -> bool:
    return any(part.folder == folder for part in parts)


def run_named(arguments: Sequence[str], whole: bool) -> int:
    """Runs the tests that are named, and nothing else, in this terminal: what follows is pytest's own, or vitest's
    where it names files of it. Naming a file takes in what only the long run takes otherwise.
    """
    of_vitest = [word for word in arguments if word.rstrip("/").endswith(_OF_VITEST)]
    of_pytest = [word for word in arguments if word not in of_vitest]
    codes = []
    if of_vitest:
        files = [str(Path(word).resolve()) for word in of_vitest]
        codes.append(subprocess.call(["npx", "vitest", "run", *files], cwd=CLIENT, env=vitest_environment(whole)))  # noqa: S603, S607
    if of_pytest:
        named = whole or any(".py" in word for word in of_pytest)
        command = [*pytest_command(named), *of_pytest]
        codes.append(subprocess.call(command, cwd=ROOT, env=test_environment(whole)))  # noqa: S603
    return 1 if any(codes) else 0


def run_mutants(package: str, options: Sequence[str]) -> int:
    """Changes a package in small ways and prints what no test notices; what follows are options of the run."""
    words = [*_MUTANTS, *([package] if package else []), *options]
    return subprocess.call(words, cwd=ROOT, env=environment())  # noqa: S603


def pytest_command(whole: bool) -> list[str | Path]:
    """A run of pytest that leaves out what only the long run takes, unless it is one."""
    return [VENV_PYTHON, "-m", "pytest", *([] if whole else ["-m", "not long"])]


def test_environment(whole: bool) -> dict[str, str]:
    """Limits as they are fit for a machine that does several things at once, unless somebody knows better."""
    scale = {_SCALE: os.environ.get(_SCALE, _PATIENCE)}
    return environment(**scale, **({_ALL: "1"} if whole else {}))


def vitest_environment(whole: bool) -> dict[str, str]:
    return {**test_environment(whole), **node_packages.node_environment(node_packages.node_folder())}


def _pytest_part(part: pytest_parts.Part, whole: bool) -> SuiteRun:
    # What failed last time is one file that all parts would write.
    program = [*pytest_command(whole), "-p", "no:cacheprovider", "-p", "devtools.pytest_records"]
    group = f"{TESTS.name}/{part.folder}"
    return SuiteRun(part.name, [*program, *part.files], env=test_environment(whole), program=program, group=group)


def _vitest(words: Sequence[str], whole: bool) -> SuiteRun:
    records = "--reporter=./test/support/records.ts"
    name = "client-ts/test"
    one = ["npx", "vitest", "run", records]
    return VitestRun(name, ["npx", "vitest", *words, records], CLIENT, vitest_environment(whole), one, name)


INSTALLING: Mapping[str, Callable[[], None]] = {"e2e": workbench.ensure_all, "agents": agents.SUITE.ensure}
"""What the tests of a folder need beside the rest, and takes long to install."""


def prepare() -> None:
    """What all tests may need, so that no test's time limit pays for it. strace and bubblewrap are Linux's."""
    watchers = (prerequisites.STRACE, prerequisites.BUBBLEWRAP) if sys.platform == "linux" else ()
    prerequisites.require(prerequisites.GIT, *watchers)
    client.build()
    prerequisites.chromium()
    prerequisites.browser_of_tests()


def run_all(stages: Sequence[Stage], troubles: Sequence[str] = ()) -> bool:
    """Runs every check, says how each went, and ends with one summary of all runs of tests if there is one."""
    begin = time.monotonic()
    done = [
        (check, end)
        for stage in stages
        for check, end in zip(stage.checks, lanes.run(stage.checks, stage.at_once), strict=True)
    ]
    runs = {check: end for check, end in done if isinstance(check, SuiteRun)}
    _try_again(list(runs))
    found = [*troubles, *(trouble for check, end in done for trouble in check.troubles(end))]
    counts = [run.records.counts for run in runs]
    if runs and not any(set(each) - {"deselected"} for each in counts):
        found.append("no test was chosen")

    say(f"\n{'=' * 30} summary {'=' * 30}")
    for check, end in done:
        if check not in runs:
            say(f"{end.seconds:6.0f} s  {check.name}")
    _say_groups(runs)
    for failure in (failure for run in runs for failure in run.records.by_chance):
        say(f"FLAKY   {failure.test}: failed beside others (above) and passed alone. Mend what it waits for.")
    for trouble in found:
        say(f"FAILED  {trouble}")
    if runs:
        say(added_up(counts, time.monotonic() - begin))
    return not found


def _try_again(runs: Sequence[SuiteRun]) -> None:
    """Tries what failed once more, each alone: what passes then waited for luck, which is said and fails nobody."""
    failed = [(run, failure) for run in runs for failure in run.records.failures]
    if len(failed) > _MOST_TRIED_AGAIN:
        return
    for run, failure in failed:
        if failure.is_of_a_file or failure.test.startswith(_NEVER_BY_CHANCE):
            continue
        alone = run.alone(failure)
        (end,) = lanes.run([alone], 1)
        if end.code == 0 and alone.records.counts["passed"] and not alone.troubles(end):
            run.records.passed_alone(failure)


def _say_groups(runs: Mapping[SuiteRun, lanes.Ended]) -> None:
    for group in dict.fromkeys(run.group for run in runs):
        parts = [(run, end) for run, end in runs.items() if run.group == group]
        seconds = sum(end.seconds for _, end in parts)
        tests = sum(run.records.counts.total() - run.records.counts["deselected"] for run, _ in parts)
        say(f"{seconds:6.0f} s  {group}: {tests} tests{f' in {len(parts)} parts' if len(parts) > 1 else ''}")


def _say_indented(lines: Sequence[str]) -> None:
    """What failed stands at the end of what programs print."""
    for line in lines[-_LAST_WORDS:]:
        say(f"        {line}")

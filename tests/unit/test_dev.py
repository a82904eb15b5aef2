"""The project's own commands: what they make, what they say, and that one failing check hides no other."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from devtools import checks, lanes, prerequisites, wheelhouse
from devtools.checks import Check, Stage, SuiteRun, VitestRun
from devtools.console import Trouble
from devtools.places import BOOTSTRAP, CLIENT, DEV_LOCK, ROOT, SHIPPED_LOCK
from devtools.prerequisites import Prerequisite
from devtools.processes import Background, environment, quietly
from devtools.records import MARK, Failure
from devtools.stamps import Stamp
from tests.support.processes import is_running
from tests.support.scale import wait_until
from tests.unit.bootstrap.wheelhouse import make, write_wheel

ENTRIES = [ROOT / "dev.py", BOOTSTRAP / "make_environment.py"]


def dev(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


class TestEntry:
    @pytest.mark.parametrize("file", ENTRIES, ids=lambda file: file.name)
    def test_older_pythons_can_parse_it(self, file: Path):
        ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))

    @pytest.mark.parametrize("file", ENTRIES, ids=lambda file: file.name)
    def test_older_pythons_are_told(self, file: Path):
        pretend = f"import sys; sys.version_info = (3, 9, 2); exec(compile(open({str(file)!r}).read(), 'x', 'exec'))"
        done = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "3.11 or newer" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr

    def test_every_command_is_described_and_every_description_is_a_command(self):
        words = ast.get_docstring(ast.parse(ENTRIES[0].read_text())) or ""
        described = re.findall(r"^    (\w+) +\S", words, re.MULTILINE)
        assert described
        for command in described:
            assert dev(command, "--help").returncode == 0, command

    def test_an_unknown_word_is_a_fault(self):
        done = dev("check", "--no-such-thing")
        assert done.returncode == 2
        assert "--no-such-thing" in done.stderr

    def test_a_folder_that_is_none_is_a_fault(self, tmp_path: Path):
        done = dev("run", "--folder", str(tmp_path / "nowhere"))
        assert done.returncode == 2
        assert "is no folder" in done.stderr

    def test_mutants_of_a_package_that_has_none_are_a_fault(self):
        done = dev("test", "--mutants", "nowhere")
        assert done.returncode == 2
        assert "approvals" in done.stderr

    def test_ci_runs_the_one_test_command(self):
        text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
        assert "python3 dev.py test" in text
        assert os.access(ROOT / ".ci" / "run", os.X_OK)


class TestLocks:
    def test_every_package_is_exact_and_hashed_and_no_index_is_named(self):
        for lock in (DEV_LOCK, SHIPPED_LOCK):
            text = lock.read_text(encoding="utf-8")
            assert "://" not in text
            assert not re.search(r"^\s*--(index|extra|find|trusted)", text, re.MULTILINE)
            requirements = [line for line in text.replace("\\\n", " ").splitlines() if re.match(r"\w", line)]
            assert requirements
            for line in requirements:
                assert re.match(r"[\w.-]+==\S+", line), line
                assert "--hash=sha256:" in line, line

    def test_the_lock_has_what_the_project_asks_for(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        asked = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
        locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", DEV_LOCK.read_text(encoding="utf-8"), re.MULTILINE))
        for requirement in map(Requirement, asked):
            name = canonicalize_name(requirement.name)
            assert name in locked, f"run: python3 dev.py lock ({name} is missing)"
            assert requirement.specifier.contains(locked[name]), f"run: python3 dev.py lock ({name})"

    def test_the_project_itself_is_never_asked_of_a_registry(self):
        for lock in (DEV_LOCK, SHIPPED_LOCK):
            assert not re.search(r"^assent\b", lock.read_text(encoding="utf-8"), re.MULTILINE)

    def test_the_npm_lock_is_of_this_manifest_and_hashes_everything(self):
        manifest = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
        packages = json.loads((CLIENT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        for kind in ("dependencies", "devDependencies"):
            assert packages[""].get(kind) == manifest.get(kind), "run npm install in client-ts"
            for name, version in manifest.get(kind, {}).items():
                assert packages[f"node_modules/{name}"]["version"] == version
        assert [name for name, package in packages.items() if name and "integrity" not in package] == []

    def test_what_is_shipped_is_what_is_tested(self):
        tested = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", DEV_LOCK.read_text(encoding="utf-8"), re.MULTILINE))
        for package in wheelhouse.locked_packages():
            assert tested[package.name] == package.version

    def test_what_only_a_browser_needs_is_left_out_and_what_every_system_needs_is_in(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        digest = f"--hash=sha256:{'0' * 64}"
        lock = tmp_path / "requirements.txt"
        lock.write_text(
            f"everywhere==1.0 ; sys_platform != 'emscripten' \\\n    {digest}\n"
            f"nowhere==1.0 ; sys_platform == 'emscripten' \\\n    {digest}\n"
            f"newer==1.0 ; python_full_version >= '3.12' and sys_platform == 'emscripten' \\\n    {digest}\n"
        )
        monkeypatch.setattr(wheelhouse, "SHIPPED_LOCK", lock)
        assert [package.name for package in wheelhouse.locked_packages()] == ["everywhere"]

    @pytest.mark.parametrize(
        "marker", ["python_version < '3.12'", "sys_platform != 'emscripten' and python_version < '3.12'"]
    )
    def test_a_lock_line_that_packaging_cannot_ship_is_a_fault(
        self, marker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        odd = tmp_path / "requirements.txt"
        odd.write_text(f"thing==1.0 ; {marker} --hash=sha256:{'0' * 64}\n")
        monkeypatch.setattr(wheelhouse, "SHIPPED_LOCK", odd)
        with pytest.raises(Trouble, match="does not know how to ship"):
            wheelhouse.locked_packages()


class TestWheelhouse:
    def test_what_packaging_stages_the_first_activation_understands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        lock = tmp_path / "requirements.txt"
        lock.write_text(f"other==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
        monkeypatch.setattr(wheelhouse, "SHIPPED_LOCK", lock)
        monkeypatch.setattr(wheelhouse, "_PROOF", "import assent, other")
        wheelhouse.stage([write_wheel(tmp_path, "assent"), write_wheel(tmp_path, "other")], tmp_path / "wheels")
        assert make(tmp_path / "wheels", tmp_path / "environments").python.exists()


class TestStamp:
    @pytest.fixture
    def source(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        monkeypatch.setattr("devtools.stamps.ROOT", tmp_path)
        (tmp_path / "source").mkdir()
        (tmp_path / "source" / "a.txt").write_text("a")
        return tmp_path / "source"

    def test_is_fresh_only_after_it_was_set(self, source: Path, tmp_path: Path):
        stamp = Stamp(tmp_path / "result" / ".stamp", [source])
        assert not stamp.fresh
        stamp.set()
        assert Stamp(tmp_path / "result" / ".stamp", [source]).fresh

    @pytest.mark.parametrize("change", ["content", "name", "added", "fact"])
    def test_any_change_of_the_inputs_makes_it_stale(self, source: Path, tmp_path: Path, change: str):
        file = tmp_path / ".stamp"
        Stamp(file, [source], "fact").set()
        if change == "content":
            (source / "a.txt").write_text("b")
        elif change == "name":
            (source / "a.txt").rename(source / "b.txt")
        elif change == "added":
            (source / "b.txt").write_text("")
        assert not Stamp(file, [source], "other" if change == "fact" else "fact").fresh


def run_all(*run: Check, troubles: tuple[str, ...] = ()) -> bool:
    return checks.run_all([Stage(1, run)], troubles)


def test_work_of_a_checkout_is_done_by_one_process_at_a_time(tmp_path: Path):
    code = (
        "import pathlib, time; from devtools import stamps\n"
        f"stamps.CACHE = pathlib.Path({str(tmp_path)!r})\n"
        "log = (stamps.CACHE / 'log').open('a', buffering=1)\n"
        "for _ in range(20):\n"
        "    with stamps.one_at_a_time('work'): log.write('in\\n'); time.sleep(0.002); log.write('out\\n')\n"
    )
    ended = lanes.run([Check(str(number), [sys.executable, "-c", code]) for number in range(3)], 3)
    assert [each.code for each in ended] == [0, 0, 0], ended
    assert (tmp_path / "log").read_text().split() == ["in", "out"] * 60


class TestChecks:
    @staticmethod
    def check(name: str, code: str) -> Check:
        return Check(name, [sys.executable, "-c", code])

    def test_all_run_when_one_fails_and_what_it_said_and_which_it_was_is_shown(
        self, capsys: pytest.CaptureFixture[str]
    ):
        passed = run_all(
            self.check("first", "print('one ran')"),
            self.check("second", "print('its last words'); raise SystemExit(3)"),
            self.check("third", "print('three ran')"),
        )
        printed = capsys.readouterr().out
        assert not passed
        assert re.search(r"passed  first .*\nFAILED  second .*\n +its last words\npassed  third ", printed)
        assert re.search(r"summary =+\n.*first\n.*second\n.*third\nFAILED  second\n$", printed)
        assert "one ran" not in printed

    def test_a_program_that_is_not_there_is_a_failed_check(self, capsys: pytest.CaptureFixture[str]):
        assert not run_all(Check("gone", ["/no/such/program"]))
        assert "could not be started" in capsys.readouterr().out

    def test_a_trouble_beforehand_fails_the_whole(self, capsys: pytest.CaptureFixture[str]):
        assert not run_all(self.check("fine", ""), troubles=("no browser",))
        assert "FAILED  no browser" in capsys.readouterr().out


class TestRunsOfTests:
    @staticmethod
    def run(name: str, *records: dict[str, object], code: int = 0, again: str = "") -> SuiteRun:
        """A program that says these records; tried again, it is the other one."""
        lines = [f"{MARK}{json.dumps(record)}" for record in (*records, {"ended": code})]
        program = f"print({chr(10).join(lines)!r}); raise SystemExit({code})"
        command = [sys.executable, "-c", program]
        env = environment(ASSENT_TEST_SCALE="1")
        return SuiteRun(name, command, env=env, program=[sys.executable, "-c", again], group=f"tests/{name}")

    @staticmethod
    def told(outcome: str, count: int = 1, name: str = "") -> dict[str, object]:
        return {"outcome": outcome, "count": count, "test": name, "said": f"why {name} failed"}

    def test_the_last_line_adds_up_all_and_the_summary_says_what_each_group_took(
        self, capsys: pytest.CaptureFixture[str]
    ):
        one = self.run("one", self.told("passed", 3), self.told("skipped"))
        two = self.run("two", self.told("passed", 4), self.told("deselected", 9))
        assert run_all(one, two)
        *printed, last = capsys.readouterr().out.splitlines()
        assert re.fullmatch(r"7 passed, 1 skipped, 9 deselected in [\d.]+s", last)
        assert re.fullmatch(r" *\d+ s  tests/one: 4 tests", printed[-2])
        assert re.fullmatch(r" *\d+ s  tests/two: 4 tests", printed[-1])

    def test_a_failure_is_shown_when_it_happens_and_named_in_the_end(self, capsys: pytest.CaptureFixture[str]):
        failing = self.run("laws", self.told("failed", name="tests/laws/test_a.py::test_b"), code=1)
        assert not run_all(failing, self.run("later", self.told("passed")))
        printed = capsys.readouterr().out
        assert printed.index("why tests/laws/test_a.py::test_b failed") < printed.index("later: ")
        assert re.search(r"FAILED  tests/laws/test_a.py::test_b\n1 failed, 1 passed in [\d.]+s\n$", printed)

    def test_one_that_dies_failed_and_its_last_words_are_shown(self, capsys: pytest.CaptureFixture[str]):
        died = SuiteRun("died", [sys.executable, "-c", "import os; print('last words', flush=True); os._exit(0)"])
        assert not run_all(died, self.run("fine", self.told("passed")))
        printed = capsys.readouterr().out
        assert "last words" in printed
        assert "FAILED  died broke off" in printed

    @pytest.mark.parametrize("others", [0, 1])
    def test_that_all_tests_were_left_out_is_a_failure_of_the_whole_but_not_of_a_part(self, others: int):
        none = self.run("none", self.told("deselected", 4), code=5)
        assert run_all(none, *[self.run("some", self.told("passed"))] * others) == bool(others)

    AGAIN = (
        "import os, sys; assert sys.argv[1] == 'tests/unit/test_a.py::test_b'\n"
        "assert os.environ['ASSENT_TEST_SCALE'] == '4.0'\n"
        f'print({MARK!r} + \'{{"outcome": "%s", "test": "tests/unit/test_a.py::test_b"}}\')\n'
        f"print({MARK!r} + '{{\"ended\": 0}}')\n"
    )

    @pytest.mark.parametrize(("outcome", "well"), [("passed", True), ("failed", False), ("skipped", False)])
    def test_what_failed_is_tried_alone_with_more_time_and_one_that_passes_there_is_named_as_flaky(
        self, outcome: str, well: bool, capsys: pytest.CaptureFixture[str]
    ):
        failed = self.told("failed", name="tests/unit/test_a.py::test_b")
        first = self.run("unit", self.told("passed", 2), failed, code=1, again=self.AGAIN % outcome)
        assert run_all(first) == well
        printed = capsys.readouterr().out
        assert "why tests/unit/test_a.py::test_b failed" in printed
        assert ("FLAKY   tests/unit/test_a.py::test_b" in printed) == well
        assert re.search(r"\n(3 passed|1 failed, 2 passed) in [\d.]+s\n$", printed)
        assert (printed.splitlines()[-1].startswith("3 passed")) == well

    @pytest.mark.parametrize("name", ["tests/laws/test_a.py::test_b", "tests/unit/test_a.py"])
    def test_what_cannot_fail_by_chance_is_not_tried_again(self, name: str, capsys: pytest.CaptureFixture[str]):
        assert not run_all(self.run("laws", self.told("failed", name=name), code=1, again=self.AGAIN % "passed"))
        assert "(alone)" not in capsys.readouterr().out

    def test_where_many_fail_none_is_tried_again(self, capsys: pytest.CaptureFixture[str]):
        failed = [self.told("failed", name=f"tests/unit/test_a.py::test_{number}") for number in range(11)]
        assert not run_all(self.run("unit", *failed, code=1, again=self.AGAIN % "passed"))
        assert "(alone)" not in capsys.readouterr().out

    def test_a_test_of_vitest_is_named_by_its_file_and_its_whole_name(self):
        run = VitestRun("page", [], program=["vitest"])
        alone = run.alone(Failure("test/a.test.ts > what (it) does > does it", "", "failed"))
        assert alone.command[:3] == ["vitest", "test/a.test.ts", "--testNamePattern"]
        assert re.fullmatch(alone.command[3], "what (it) does > does it")


class TestPrerequisites:
    MISSING = Prerequisite("a thing", "a purpose", ("thing-package",), "Install it somehow.", ("no-such-program-here",))

    def test_what_is_there_needs_nothing(self):
        prerequisites.require(Prerequisite("Python", "this", (), "", programs=(sys.executable,), modules=("json",)))

    @pytest.mark.parametrize("apt", [True, False])
    def test_what_is_missing_is_named_with_how_to_get_it(self, apt: bool, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(prerequisites.os, "geteuid", lambda: 1000)
        monkeypatch.setattr(prerequisites.shutil, "which", lambda name: "/usr/bin/x" if apt and "apt" in name else None)
        with pytest.raises(Trouble) as told:
            prerequisites.require(self.MISSING)
        assert "a thing" in str(told.value)
        assert "a purpose" in str(told.value)
        expected = "sudo apt-get update && sudo apt-get install thing-package" if apt else "Install it somehow."
        assert expected in str(told.value)

    def test_a_named_browser_that_is_none_is_a_fault(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("ASSENT_CHROMIUM", "/no/such/browser")
        with pytest.raises(Trouble, match="/no/such/browser"):
            prerequisites.chromium()


class TestProcesses:
    def test_a_failure_shows_the_last_words(self):
        with pytest.raises(Trouble, match=r"exit code 4(.|\n)*my last words"):
            quietly([sys.executable, "-c", "print('my last words'); raise SystemExit(4)"])

    def test_a_background_program_that_dies_early_is_explained(self, tmp_path: Path):
        dying = self.background(tmp_path, "print('cannot go on'); raise SystemExit(1)")
        with pytest.raises(Trouble, match=r"ended(.|\n)*cannot go on"):
            dying.wait_for("ready", seconds=30)
        dying.end()

    def test_ending_it_ends_its_children_too(self, tmp_path: Path):
        sleeper = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(f'child {p.pid} ', flush=True)"
        parent = self.background(tmp_path, f"{sleeper}; p.wait()")
        parent.wait_for("child", seconds=30)
        child = int(parent.output.split()[1])
        parent.end()
        # A signal that was sent takes a moment to be met.
        wait_until(lambda: not is_running(child), within=10, what="the end of the child")

    @staticmethod
    def background(folder: Path, code: str) -> Background:
        return Background([sys.executable, "-c", code], cwd=folder, env=environment(), log=folder / "log")

"""The project's own commands: what they make, what they say, and that one failing check hides no other."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from devtools import checks, prerequisites, wheelhouse
from devtools.checks import Check
from devtools.console import Trouble
from devtools.places import BOOTSTRAP, CLIENT, DEV_LOCK, ROOT, SHIPPED_LOCK
from devtools.prerequisites import Prerequisite
from devtools.processes import Background, environment, quietly
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


class TestChecks:
    @staticmethod
    def check(name: str, code: str) -> Check:
        return Check(name, [sys.executable, "-c", code])

    def test_all_run_when_one_fails_and_the_summary_says_which_and_why(self, capsys: pytest.CaptureFixture[str]):
        passed = checks.run_all(
            [
                self.check("first", "print('one ran')"),
                self.check("second", "print('its last words'); raise SystemExit(3)"),
                self.check("third", "print('three ran')"),
            ]
        )
        printed = capsys.readouterr().out
        assert not passed
        assert "one ran" in printed
        assert "three ran" in printed
        assert re.search(r"passed  first .*\npassed  third .*\nFAILED  second .*\n +its last words\n", printed)

    def test_the_last_line_adds_up_what_all_runs_of_pytest_say(self, capsys: pytest.CaptureFixture[str]):
        def run(summary: str, code: int, *, beside: bool) -> Check:
            program = f"print('=== {summary} in 0.1s ===\\n'); raise SystemExit({code})"
            return replace(self.check("some", program), is_pytest=True, beside=beside)

        well = [run("3 passed, 1 skipped", 0, beside=True), run("4 passed", 0, beside=True)]
        assert checks.run_all([self.check("first", "print('9 passed in 1s')"), *well])
        assert re.fullmatch(r"7 passed, 1 skipped in [\d.]+s", capsys.readouterr().out.splitlines()[-1])

        assert not checks.run_all([*well, run("1 failed, 2 passed", 1, beside=False)])
        assert re.fullmatch(r"1 failed, 9 passed, 1 skipped in [\d.]+s", capsys.readouterr().out.splitlines()[-1])

    def test_a_run_of_pytest_that_dies_without_a_summary_failed(self, capsys: pytest.CaptureFixture[str]):
        died = replace(self.check("died", "import os; print('....', flush=True); os._exit(0)"), is_pytest=True)
        assert not checks.run_all([died])
        printed = capsys.readouterr().out
        assert "FAILED  died" in printed
        assert re.fullmatch(r"1 error in [\d.]+s", printed.splitlines()[-1])

    @pytest.mark.parametrize("others", [0, 1])
    def test_that_all_tests_were_left_out_is_a_failure_of_the_whole_but_not_of_a_part(self, others: int):
        none = replace(self.check("none", "print('4 deselected in 0.1s'); raise SystemExit(5)"), is_pytest=True)
        some = replace(self.check("some", "print('1 passed in 0.1s')"), is_pytest=True)
        assert checks.run_all([none, *[some] * others]) == bool(others)

    def test_a_program_that_is_not_there_is_a_failed_check(self, capsys: pytest.CaptureFixture[str]):
        assert not checks.run_all([Check("gone", ["/no/such/program"])])
        assert "could not be started" in capsys.readouterr().out

    def test_a_trouble_beforehand_fails_the_whole(self, capsys: pytest.CaptureFixture[str]):
        assert not checks.run_all([self.check("fine", "")], ["no browser"])
        assert "FAILED  no browser" in capsys.readouterr().out


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

"""The tests in parts: none is left out, none runs twice, and what they say of their tests adds up."""

import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from devtools import checks, lanes
from devtools.checks import Check, SuiteRun, VitestRun
from devtools.places import CLIENT, ROOT, TESTS
from devtools.pytest_parts import files, parts
from devtools.records import added_up


def made(folder: Path, *files: str) -> list[Path]:
    paths = [folder / file for file in files]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return sorted(paths)


def pytest_in(folder: Path) -> list[str | Path]:
    alone = ["-c", "/dev/null", "--rootdir", folder, "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *alone, folder]


def recorded(folder: Path, *options: str) -> SuiteRun:
    """A run of pytest as the project's own are."""
    program = [*pytest_in(folder)[:-1], "-p", "devtools.pytest_records", *options]
    return SuiteRun("inner", [*program, folder], program=program)


def dealt(folder: Path) -> list[Path]:
    return sorted(file for part in parts(folder, files(folder), 2) for file in part.files)


def test_every_test_file_is_in_exactly_one_part_wherever_it_lies(tmp_path: Path):
    many = [f"many/{sub}/test_{number}.py" for sub in "ab" for number in range(33)]
    found = made(tmp_path, "test_loose.py", "new/test_a.py", "new/deep/er/b_test.py", "e2e/test_c.py", *many)
    made(tmp_path, "support/helper.py", "conftest.py", "many/testing.py")
    assert dealt(tmp_path) == found


def test_the_files_are_those_that_pytest_collects_by_itself(tmp_path: Path):
    written = made(tmp_path, "test_a.py", "b_test.py", "test.py", "tests.py", "mytest.py", "sub/test_c.py", "sub/d.py")
    for number, file in enumerate(written):
        file.write_text(f"def test_{number}(): pass\n")
    (collected,) = lanes.run([Check("collecting", [*pytest_in(tmp_path), "--collect-only", "-q"])], 1)
    found = {tmp_path / line.partition("::")[0] for line in collected.lines if "::" in line}
    assert found == set(dealt(tmp_path))
    assert len(found) == 3


def test_this_project_calls_its_test_files_as_pytest_does():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert "python_files" not in options
    assert options["testpaths"] == [TESTS.name]


def test_what_is_heavy_comes_last_in_a_part_for_each_lane_and_what_takes_long_first(tmp_path: Path):
    heavy = [f"e2e/test_{number}.py" for number in range(3)]
    lot = [f"a_lot/test_{number}.py" for number in range(60)]
    made(tmp_path, *heavy, "integration/test_b.py", *lot, "agents/test_one.py")
    names = [(part.name.removeprefix(tmp_path.name), part.heavy) for part in parts(tmp_path, files(tmp_path), 2)]
    light = ["/integration", "/a_lot 1 of 3", "/a_lot 2 of 3", "/a_lot 3 of 3"]
    assert names[:4] == [(name, False) for name in light]
    assert sorted(names[4:]) == [("/agents", True), ("/e2e 1 of 2", True), ("/e2e 2 of 2", True)]


@pytest.mark.parametrize("whole", [True, False])
def test_each_size_runs_every_file_and_the_short_one_leaves_out_what_is_marked(whole: bool):
    stages = checks.tests(whole)
    runs = [run for stage in stages for run in stage.checks if isinstance(run, SuiteRun)]
    named = sorted(word for run in runs for word in run.command if isinstance(word, Path) and word.suffix == ".py")
    assert named == dealt(TESTS)
    assert {run.group for run in stages[1].checks if isinstance(run, SuiteRun)} == {"tests/agents", "tests/e2e"}
    for run in runs:
        assert ("not long" in run.command) == (not whole and run.group.startswith("tests/"))
        assert (run.env.get("ASSENT_TEST_ALL") == "1") == whole
    assert ("mutants" in {check.name for stage in stages for check in stage.checks}) == whole


def test_only_what_a_change_can_affect_is_run():
    stages = checks.tests(False, [ROOT / "devtools" / "lanes.py"])
    named = [word.name for stage in stages for run in stage.checks for word in run.command if isinstance(word, Path)]
    assert "test_dev_lanes.py" in named
    assert "test_decide.py" not in named
    assert not [run for stage in stages for run in stage.checks if run.name == "client-ts/test"]


def test_what_pytest_says_of_each_test_is_read(tmp_path: Path):
    file = tmp_path / "test_some.py"
    file.write_text(
        "import pytest\n"
        "def test_a(): pass\n"
        "def test_b(): print('what it printed'); assert 'left' == 'right'\n"
        "def test_c(): pytest.skip()\n"
        "@pytest.fixture\ndef broken(): raise KeyError\n"
        "def test_d(broken): pass\ndef test_e(broken): pass\n"
        "@pytest.mark.xfail\ndef test_f(): assert False\n"
    )
    (tmp_path / "test_unreadable.py").write_text("import no_such_module\n")
    run = recorded(tmp_path, "--continue-on-collection-errors")
    lanes.run([run], 1)
    assert run.records.ended
    assert run.records.counts == Counter(passed=1, failed=1, skipped=1, error=3, xfailed=1)
    said = {failure.test: failure for failure in run.records.failures}
    assert sorted(said) == [
        "test_some.py::test_b",
        "test_some.py::test_d",
        "test_some.py::test_e",
        "test_unreadable.py",
    ]
    assert "assert 'left' == 'right'" in said["test_some.py::test_b"].said
    assert "what it printed" in said["test_some.py::test_b"].said
    assert "no_such_module" in said["test_unreadable.py"].said
    assert [name for name, failure in said.items() if failure.is_of_a_file] == ["test_unreadable.py"]


@pytest.mark.parametrize(
    ("text", "options", "well"),
    [
        ("def test_a(): pass", [], True),
        ("def test_a(): pass", ["-k", "nothing"], True),
        ("", [], False),
        ("import os\ndef test_a(): pass\ndef test_b(): os._exit(0)", [], False),
        ("import os\ndef test_a(): os.kill(os.getpid(), 9)", [], False),
        ("def test_a(): pass", ["--no-such-option"], False),
    ],
)
def test_a_run_is_well_when_it_came_to_its_end_and_left_tests_out_only_by_choice(
    text: str, options: list[str], well: bool, tmp_path: Path
):
    (tmp_path / "test_some.py").write_text(text)
    run = recorded(tmp_path, *options)
    (end,) = lanes.run([run], 1)
    assert (run.troubles(end) == []) == well


def test_what_vitest_says_of_each_test_is_read_and_one_of_them_can_be_run_alone(tmp_path: Path):
    (tmp_path / "some.test.ts").write_text(
        'describe("what (it) does", () => {\n'
        '  it("passes", () => {});\n'
        '  it("fails", () => expect("left").toBe("right"));\n'
        '  it.skip("is left out", () => {});\n'
        "});\n"
        'describe("not made", () => { beforeAll(() => { throw new Error("no room"); }); it("runs", () => {}); });\n'
    )
    (tmp_path / "unreadable.test.ts").write_text('import "./no-such-module.js";\n')
    reporter = f"--reporter={CLIENT / 'test' / 'support' / 'records.ts'}"
    here = [f"--root={tmp_path}", "--globals"]
    program = ["npx", "vitest", "run", reporter, *here]
    run = VitestRun("page", program, CLIENT, checks.vitest_environment(whole=False), program=program)
    lanes.run([run], 1)
    assert run.records.ended
    assert run.records.counts == Counter(passed=1, failed=1, skipped=2, error=2)
    said = {
        failure.test.partition(" > ")[2]: failure for failure in run.records.failures if failure.outcome == "failed"
    }
    assert "right" in said["what (it) does > fails"].said
    errors = " ".join(failure.said for failure in run.records.failures if failure.is_of_a_file)
    assert "no room" in errors
    assert "no-such-module" in errors

    alone = run.alone(said["what (it) does > fails"])
    lanes.run([alone], 1)
    assert alone.records.counts["failed"] == 1
    assert alone.records.counts["passed"] == 0


def test_runs_add_up_in_pytests_words():
    counts = [Counter(passed=2, skipped=1), Counter(passed=3), Counter(deselected=4)]
    assert added_up(counts, 1.234) == "5 passed, 1 skipped, 4 deselected in 1.23s"
    assert added_up([Counter(failed=1, error=2, odd=1)], 1) == "1 failed, 2 errors, 1 odd in 1.00s"
    assert added_up([], 0) == "no tests ran in 0.00s"

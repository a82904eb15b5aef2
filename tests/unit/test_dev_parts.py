"""The tests in parts: none is left out, none runs twice, and the parts' summaries add up to one."""

import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from devtools import checks, lanes
from devtools.checks import Check
from devtools.places import ROOT, TESTS
from devtools.pytest_parts import added_up, counted, parts, went_well


def made(folder: Path, *files: str) -> list[Path]:
    paths = [folder / file for file in files]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return sorted(paths)


def pytest_in(folder: Path) -> list[str | Path]:
    alone = ["-c", "/dev/null", "--rootdir", folder, "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *alone, folder]


def dealt(folder: Path) -> list[Path]:
    return sorted(file for part in parts(folder) for file in part.files)


def test_every_test_file_is_in_exactly_one_part_wherever_it_lies(tmp_path: Path):
    many = [f"many/{sub}/test_{number}.py" for sub in "ab" for number in range(33)]
    files = made(tmp_path, "test_loose.py", "new/test_a.py", "new/deep/er/b_test.py", "e2e/test_c.py", *many)
    made(tmp_path, "support/helper.py", "conftest.py", "many/testing.py")
    assert dealt(tmp_path) == files


def test_the_files_are_those_that_pytest_collects_by_itself(tmp_path: Path):
    files = made(tmp_path, "test_a.py", "b_test.py", "test.py", "tests.py", "mytest.py", "sub/test_c.py", "sub/d.py")
    for number, file in enumerate(files):
        file.write_text(f"def test_{number}(): pass\n")
    (collected,) = lanes.run([Check("collecting", [*pytest_in(tmp_path), "--collect-only", "-q"])], 1)
    found = {tmp_path / line.partition("::")[0] for line in collected.lines if "::" in line}
    assert found == set(dealt(tmp_path))
    assert len(found) == 3


def test_this_project_calls_its_test_files_as_pytest_does():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert "python_files" not in options
    assert options["testpaths"] == [TESTS.name]


def test_what_needs_the_machine_runs_alone_and_last_and_what_is_in_most_parts_before(tmp_path: Path):
    made(tmp_path, "e2e/test_a.py", "few/test_b.py", *(f"a_lot/test_{number}.py" for number in range(60)))
    names = [(part.name.removeprefix(tmp_path.name), part.alone) for part in parts(tmp_path)]
    lot = [(f"/a_lot {number} of 3", False) for number in (1, 2, 3)]
    assert names == [("/few", False), *lot, ("/e2e", True)]


@pytest.mark.parametrize("fast", [True, False])
def test_all_parts_are_run_and_only_those_that_may_run_beside_others(fast: bool):
    runs = [check for check in checks.tests(fast, []) if check.is_pytest]
    files = sorted(word for check in runs for word in check.command if isinstance(word, Path) and word.suffix == ".py")
    assert files == dealt(TESTS)
    assert [check.name for check in runs if not check.beside] == ["tests/agents", "tests/e2e"]
    assert all(("not e2e and not agents" in check.command) == fast for check in runs)


def test_with_arguments_pytest_runs_once():
    (run,) = [check for check in checks.tests(False, ["-k", "this"]) if check.is_pytest]
    assert list(run.command[-4:]) == ["-m", "pytest", "-k", "this"]
    assert not run.beside


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("= 1 failed, 12626 passed, 53 skipped, 2 warnings in 716.25s (0:11:56) =", "failed passed skipped warning"),
        ("12 passed in 0.10s", "passed"),
        ("======== 3 deselected in 1s ========", "deselected"),
        ("1 passed, 2 errors in 3.1s", "passed error"),
    ],
)
def test_a_summary_is_read(line: str, counts: str):
    found = counted(["...", line, "", "Exception ignored in: <x>"])
    assert found is not None
    assert list(found) == counts.split()


def test_what_is_no_summary_is_none_and_an_empty_one_counts_nothing():
    assert counted(["...", "the 12 passed in 0.10s", "12 passed", ""]) is None
    assert counted(["1 passed in 0.1s", *["more"] * 50]) is None
    assert counted(["no tests ran in 0.01s"]) == Counter()


@pytest.mark.parametrize(
    ("code", "counts", "well"),
    [
        (0, Counter(passed=1), True),
        (0, None, False),
        (1, Counter(passed=1, failed=1), False),
        (-9, None, False),
        (5, Counter(deselected=3), True),
        (5, Counter(), False),
        (5, None, False),
    ],
)
def test_a_run_without_tests_is_well_only_where_they_were_left_out_by_choice(
    code: int, counts: Counter[str] | None, well: bool
):
    assert went_well(code, counts) == well


def test_runs_add_up_in_pytests_words():
    runs = [
        (True, Counter(passed=2, skipped=1, warning=1)),
        (True, Counter(passed=3, warning=2)),
        (True, Counter(deselected=4)),
    ]
    assert added_up(runs, 1.234) == "5 passed, 1 skipped, 4 deselected, 3 warnings in 1.23s"
    assert added_up([], 0) == "no tests ran in 0.00s"


def test_a_run_that_went_wrong_leaves_no_sum_without_a_fault():
    assert added_up([(True, Counter(passed=2)), (False, None)], 1) == "2 passed, 1 error in 1.00s"
    assert added_up([(False, Counter(passed=2))] * 2, 1) == "4 passed, 2 errors in 1.00s"
    assert added_up([(False, Counter(passed=2, failed=1))], 1) == "1 failed, 2 passed in 1.00s"


def test_what_pytest_prints_today_is_understood(tmp_path: Path):
    file = tmp_path / "test_some.py"
    file.write_text(
        "import pytest\n"
        "def test_a(): pass\n"
        "def test_b(): assert False\n"
        "def test_c(): pytest.skip()\n"
        "@pytest.fixture\ndef broken(): raise KeyError\n"
        "def test_d(broken): pass\ndef test_e(broken): pass\n"
        "@pytest.mark.xfail\ndef test_f(): assert False\n"
    )
    (done,) = lanes.run([Check("inner", pytest_in(tmp_path))], 1)
    assert counted(done.lines) == Counter(passed=1, failed=1, skipped=1, error=2, xfailed=1)
    (none,) = lanes.run([Check("inner", [*pytest_in(tmp_path), "-k", "nothing"])], 1)
    assert went_well(none.code, counted(none.lines))

"""The rules of the tests' own house: they wait for conditions, within limits that scale, and can all be collected."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.places import CLIENT, ROOT, SERVER, TESTS
from devtools.pytest_parts import files
from tests.support.scale import limit

CLOCKS = {"monotonic", "perf_counter", "process_time"}
LONGEST_NAP = 0.05
"""Seconds. Between two looks at a condition one may sleep; longer, and one waits for luck."""
MEASURES = {"bench", "pictures"}
"""Folders that measure, or that draw for people."""
FIXED = {
    "tests/e2e/limits.py": "the nap between two looks at a condition in an editor",
    "tests/faults/slow_client.py": "it measures how late the loop of a server is, with the wait for a core taken off",
    "tests/faults/hangups.py": "a hang-up has a limit of its own, which scales",
    "tests/support/mcp_chaos.py": "a server that never answers",
    "tests/support/rpc.py": "the nap between two looks at a child that is to end",
    "tests/support/kept.py": "how long SQLite waits for a lock",
    "tests/faults/written.py": "how long SQLite waits for a lock",
    "tests/unit/runtime/test_state_directory.py": "the clock is what is tested",
    "tests/unit/acp/test_acp_chaos.py": "how long an agent may go on before it is stopped: every moment is a case",
    "tests/unit/runtime/test_commands_in_bounds.py": "a look that does not wait",
}


def calls(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            called = each.func
            yield called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", ""), each


def number(node: ast.AST) -> float | None:
    plain = isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    return node.value if plain else None


def by_luck(text: str) -> list[str]:
    """What waits for time in this code, by line."""
    tree = ast.parse(text)
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    timed = [node for node in asserts if any(name in CLOCKS for name, _ in calls(node.test))]
    found = [f"{node.lineno}: a timed assertion" for node in timed]
    for name, call in calls(tree):
        first, last = (number(call.args[at]) if call.args else None for at in (0, -1))
        keyword = next((number(each.value) for each in call.keywords if each.arg == "timeout"), None)
        waits = name in ("communicate", "wait", "join") and (keyword or (first or 0) > LONGEST_NAP)
        of_module = ast.unparse(call.func) in ("asyncio.wait", "asyncio.wait_for", "asyncio.timeout", "subprocess.run")
        if name == "sleep" and first is not None and first > LONGEST_NAP:
            found.append(f"{call.lineno}: a fixed sleep")
        elif waits or (of_module and (keyword is not None or last is not None)):
            found.append(f"{call.lineno}: a limit that does not scale")
    return found


@pytest.mark.parametrize(
    ("text", "luck"),
    [
        ("time.sleep(0.2)", ["1: a fixed sleep"]),
        ("async def a():\n  await asyncio.sleep(1)", ["2: a fixed sleep"]),
        ("assert time.monotonic() - begun < limit(5)", ["1: a timed assertion"]),
        ("await asyncio.wait_for(x(), 5)", ["1: a limit that does not scale"]),
        ("subprocess.run(['x'], timeout=60)", ["1: a limit that does not scale"]),
        ("child.wait(10)", ["1: a limit that does not scale"]),
        ("child.communicate(timeout=60)", ["1: a limit that does not scale"]),
        ("async def a():\n  async with asyncio.timeout(3): pass", ["2: a limit that does not scale"]),
        ("time.sleep(0.01)\nchild.wait(limit(10))\nawait asyncio.wait_for(x(), limit(5))\n', '.join(x)", []),
    ],
)
def test_what_waits_for_luck_is_found(text: str, luck: list[str]):
    assert by_luck(text) == luck


def test_no_test_waits_for_luck():
    looked_at = [file for file in sorted(TESTS.rglob("*.py")) if file.relative_to(TESTS).parts[0] not in MEASURES]
    found = {file.relative_to(ROOT).as_posix(): by_luck(file.read_text(encoding="utf-8")) for file in looked_at}
    assert {name: lines for name, lines in found.items() if lines and name not in FIXED} == {}
    assert {name for name in FIXED if name not in found} == set(), "these are not there any more"


def test_all_can_be_collected_in_one_run(tmp_path: Path):
    """With what imports them named alike in several folders."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "test_same.py").write_text("def test_it(): pass\n")
    options = ["-c", ROOT / "pyproject.toml", "--rootdir", tmp_path, "-p", "no:cacheprovider", "--collect-only", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=limit(60),
        check=False,
    )
    assert "2 tests collected" in done.stdout, done.stdout + done.stderr


def proofs_missing(test: Path, text: str) -> list[str]:
    """The tests that a file names as the proof in the short run, and that are not there."""
    marks = [call for name, call in calls(ast.parse(text)) if name == "long"]
    reasons = [mark.args[0].value for mark in marks if mark.args and isinstance(mark.args[0], ast.Constant)]
    named = [name for reason in reasons for name in re.findall(r"[\w./-]+\.(?:py|test\.ts)", str(reason))]
    places = (ROOT, ROOT / "client-ts", test.parent)
    return [name for name in named if not any((place / name).exists() for place in places)]


def test_what_is_left_to_the_long_run_is_proven_by_tests_that_are_there():
    here = Path(__file__)
    planted = '@pytest.mark.long("test_nowhere.py and test_house_of_tests.py prove it")\ndef test_it(): ...'
    assert proofs_missing(here, planted) == ["test_nowhere.py"]
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(TESTS.rglob("test_*.py"))}
    found = {file: proofs_missing(file, text) for file, text in texts.items() if "mark.long(" in text}
    assert {file.name: missing for file, missing in found.items() if missing} == {}


def test_the_page_of_what_tests_can_use_names_each_module_once():
    page = (TESTS / "support" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    there = [file for file in (TESTS / "support").iterdir() if file.suffix == ".py" or (file / "__init__.py").exists()]
    assert sorted(named) == sorted(file.stem for file in there), "add a row to tests/support/README.md"


UNIT, ASSENT = TESTS / "unit", SERVER / "assent"
OF_THE_PROJECT = {Path(), Path("bootstrap"), Path("codegen")}
"""Folders of tests for what is beside the server's own package."""


def misplaced(test: Path) -> bool:
    """Whether nobody would look for it there: tests of `server/assent/x/y.py` are `tests/unit/x/test_y.py`, or lie in
    `tests/unit/x/` or `tests/unit/x/y/` under the name of what they are about."""
    folder = test.relative_to(UNIT).parent
    of_a_module = (ASSENT / folder).is_dir() or (ASSENT / folder).with_suffix(".py").exists()
    return folder not in OF_THE_PROJECT and not of_a_module


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("policy/test_decide.py", False),
        ("policy/decide/test_of_rungs.py", False),
        ("policy/rules/test_book.py", False),
        ("policy_rules/test_book.py", True),
        ("no_such/test_decide.py", True),
        ("test_of_the_project.py", False),
    ],
)
def test_a_test_that_lies_elsewhere_is_found(name: str, wrong: bool):
    assert misplaced(UNIT / name) == wrong


def test_tests_lie_where_one_looks_for_them():
    assert [file for file in files(UNIT) if misplaced(file)] == []


def commands_not_given(contributes: dict[str, list[dict[str, str]]], texts: str) -> list[str]:
    """Commands of the editor that no test gives: by their name or by their key."""
    pressed = texts.lower().replace("control", "ctrl")
    keys = {one["command"]: one["key"] for one in contributes["keybindings"]}
    return [
        one["title"]
        for one in contributes["commands"]
        if not re.search(rf'"(Assent: )?{re.escape(one["title"].rstrip("…"))}"', texts)
        and f'"{keys.get(one["command"])}"' not in pressed
    ]


def test_every_command_of_the_editor_is_given_by_a_test_in_one() -> None:
    contributes = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))["contributes"]
    texts = "\n".join(file.read_text(encoding="utf-8") for file in (TESTS / "e2e").glob("*.py"))
    planted = {"command": "assent.planted", "title": "Planted"}
    assert commands_not_given({**contributes, "commands": [*contributes["commands"], planted]}, texts) == ["Planted"]

"""What a change can affect: through imports, programs that are started, and files that are named."""

import subprocess
from pathlib import Path

import pytest

from devtools import affected
from devtools.console import Trouble
from devtools.places import CLIENT, ROOT, SERVER, TESTS


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project of the same layout."""
    for name, text in {
        "server/assent/__main__.py": "from assent.app import main\n",
        "server/assent/__init__.py": "",
        "server/assent/app.py": "def main():\n    from assent import (\n        used,\n    )\n",
        "server/assent/used.py": "",
        "server/assent/loaded.py": "",
        "server/assent/only/__init__.py": "",
        "server/assent/only/here.py": "",
        "tests/conftest.py": "",
        "tests/support/start.py": 'COMMAND = ["python", "-m", "assent", "serve"]\n',
        "tests/unit/conftest.py": "import assent.only.here as here\n",
        "tests/unit/test_direct.py": "from assent.used import something\n",
        "tests/integration/test_through.py": "from tests.support.start import COMMAND\nGOLDEN = 'cards.json'\n",
        "tests/e2e/test_editor.py": "",
        "devtools/tool.py": "",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for name, place in (("ROOT", ROOT), ("SERVER", SERVER), ("TESTS", TESTS), ("CLIENT", CLIENT)):
        monkeypatch.setattr(affected, name, tmp_path / place.relative_to(ROOT))
    monkeypatch.setattr(affected, "_CODE", (tmp_path / "server", tmp_path / "tests", tmp_path / "devtools"))
    monkeypatch.setattr(affected, "_DRIVES_THE_EXTENSION", tmp_path / "tests" / "e2e")
    for cached in (affected._modules, affected._text, affected._uses, affected._reached):
        cached.cache_clear()
    yield tmp_path
    for cached in (affected._modules, affected._text, affected._uses, affected._reached):
        cached.cache_clear()


DIRECT, THROUGH, EDITOR = "test_direct.py", "test_through.py", "test_editor.py"


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("server/assent/used.py", [DIRECT, EDITOR, THROUGH]),
        ("server/assent/app.py", [EDITOR, THROUGH]),
        ("server/assent/loaded.py", [EDITOR, THROUGH]),
        ("server/assent/only/here.py", [DIRECT, EDITOR, THROUGH]),
        ("tests/unit/conftest.py", [DIRECT]),
        ("tests/unit/test_direct.py", [DIRECT]),
        ("tests/support/start.py", [THROUGH]),
        ("client-ts/src/page.ts", [EDITOR]),
        ("tests/golden/cards.json", [THROUGH]),
        ("devtools/tool.py", []),
        ("docs/some.md", []),
        ("pyproject.toml", [DIRECT, EDITOR, THROUGH]),
    ],
)
def test_a_change_affects_what_can_meet_it(changed: str, tests: list[str], project: Path):
    assert sorted(file.name for file in affected.pytest_files([project / changed])) == tests


def test_tests_of_a_changed_module_itself_come_first(project: Path):
    (project / "tests/a_folder").mkdir()
    (project / "tests/a_folder/test_far.py").write_text("import tests.support.start\n")
    assert affected.pytest_files([project / "server/assent/used.py"])[0].name == DIRECT


def test_what_is_changed_and_what_is_new_and_what_is_gone_differ_from_a_revision(project: Path):
    def git(*words: str) -> None:
        told = ["-c", "user.name=x", "-c", "user.email=x@x"]
        subprocess.run(["git", *told, *words], cwd=project, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    (project / "server/assent/used.py").write_text("changed = True\n")
    (project / "server/assent/loaded.py").unlink()
    (project / "server/assent/new.py").touch()
    names = {"used.py", "loaded.py", "new.py"}
    assert {file.name for file in affected.changed_since("HEAD")} == names
    with pytest.raises(Trouble, match="no-such-revision"):
        affected.changed_since("no-such-revision")


def test_every_module_of_the_server_is_reached_from_a_server_that_is_started():
    reached = affected._reached(SERVER / "assent" / "__main__.py")
    assert set((SERVER / "assent").rglob("*.py")) <= reached

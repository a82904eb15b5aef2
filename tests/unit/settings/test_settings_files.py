"""Writing one entry into a workspace's settings file: nothing lost, nothing left behind, links and modes kept."""

import json
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assent.settings.faults import SettingsFault
from assent.settings.files import edit_file, lock_file_of, patch_file, unset_in_file, workspace_settings_file
from assent.settings.jsonc import parse
from assent.settings.locking import locked
from tests.support.scale import limit

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs links and permission bits")
SERVER = Path(__file__).parents[3] / "server"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def bypass(folder: Path, state: Path, agent: str = "Demo", value: bool = True) -> Path:
    return patch_file(workspace_settings_file(folder), ("assent.bypassPermissions", agent), value, state_dir=state)


def everything_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_missing_file_and_its_folder_are_made(folder: Path, state: Path) -> None:
    written = bypass(folder, state)
    assert json.loads(written.read_text()) == {"assent.bypassPermissions": {"Demo": True}}
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]


def test_an_existing_file_keeps_its_bytes_around_the_entry(folder: Path, state: Path) -> None:
    file = workspace_settings_file(folder)
    file.parent.mkdir()
    file.write_bytes(b'\xef\xbb\xbf{\r\n\t// mine\r\n\t"editor.tabSize": 2, // two\r\n}\r\n')
    bypass(folder, state)
    assert file.read_bytes() == (
        b'\xef\xbb\xbf{\r\n\t// mine\r\n\t"editor.tabSize": 2, // two\r\n'
        b'\t"assent.bypassPermissions": {\r\n\t\t"Demo": true\r\n\t},\r\n}\r\n'
    )


def test_an_entry_is_taken_out(folder: Path, state: Path) -> None:
    file = bypass(folder, state)
    unset_in_file(file, ("assent.bypassPermissions", "Demo"), state_dir=state)
    assert parse(file.read_text()).value == {"assent.bypassPermissions": {}}


@pytest.mark.parametrize("content", [b'{"a": 1,,}', b"[]", b"null", b"\xff", b'{"assent.bypassPermissions": []}'])
def test_a_file_that_cannot_be_understood_is_left_alone(folder: Path, state: Path, content: bytes) -> None:
    file = workspace_settings_file(folder)
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(SettingsFault, match="was not changed: line 1"):
        bypass(folder, state)
    assert file.read_bytes() == content
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]


def test_a_missing_workspace_is_not_made(folder: Path, state: Path) -> None:
    with pytest.raises(SettingsFault, match="was not changed"):
        bypass(folder / "gone", state)
    assert everything_below(folder) == []


@posix_only
def test_the_mode_of_the_file_is_kept(folder: Path, state: Path) -> None:
    file = bypass(folder, state)
    file.chmod(0o640)
    bypass(folder, state, "Other")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@posix_only
def test_what_is_marked_read_only_is_respected(folder: Path, state: Path) -> None:
    file = bypass(folder, state)
    before = file.read_bytes()
    for place, kind in ((file, "file"), (file.parent, "folder")):
        mode = stat.S_IMODE(place.stat().st_mode)
        place.chmod(mode & ~0o222)
        with pytest.raises(SettingsFault, match=f"the {kind} .* is read-only"):
            bypass(folder, state, "Other")
        place.chmod(mode)
    assert file.read_bytes() == before
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]


@posix_only
def test_a_read_only_workspace_gets_no_folder(folder: Path, state: Path) -> None:
    folder.chmod(0o555)
    with pytest.raises(SettingsFault, match="is read-only"):
        bypass(folder, state)
    assert everything_below(folder) == []


@posix_only
def test_a_full_disk_leaves_the_old_file_and_nothing_else(folder: Path, state: Path) -> None:
    file = bypass(folder, state)
    before = file.read_bytes()
    for made_folder in (folder, folder.parent / "fresh"):
        made_folder.mkdir(exist_ok=True)
        child = run_child(
            "import resource, signal\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))\n"
            "try:\n"
            "    patch_file(workspace_settings_file(root), ('assent.mode',), 'x' * 30, state_dir=state)\n"
            "except SettingsFault as fault:\n"
            "    print(fault)\n",
            made_folder,
            state,
        )
        out, err = child.communicate(timeout=limit(60))
        assert "was not changed: File too large" in out, err
    assert file.read_bytes() == before
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]
    assert everything_below(folder.parent / "fresh") == []


@posix_only
def test_a_link_stays_a_link_and_its_target_is_written(folder: Path, state: Path) -> None:
    shared = folder.parent / "dotfiles"
    shared.mkdir()
    (shared / "settings.json").write_text("{}")
    file = workspace_settings_file(folder)
    file.parent.mkdir()
    file.symlink_to(shared / "settings.json")
    assert bypass(folder, state) == (shared / "settings.json").resolve()
    assert file.is_symlink()
    assert "Demo" in (shared / "settings.json").read_text()
    assert everything_below(shared) == ["settings.json"]


@posix_only
@pytest.mark.parametrize("place", ["Code/User", "Code/User/profiles/1a2b", "data/Machine"])
def test_a_link_to_the_settings_for_every_workspace_is_not_followed(folder: Path, state: Path, place: str) -> None:
    everywhere = folder.parent / place / "settings.json"
    everywhere.parent.mkdir(parents=True)
    everywhere.write_text("{}")
    workspace_settings_file(folder).parent.mkdir()
    workspace_settings_file(folder).symlink_to(everywhere)
    with pytest.raises(SettingsFault, match="hold for every workspace"):
        bypass(folder, state)
    assert everywhere.read_text() == "{}"


@posix_only
def test_through_a_link_no_file_is_made_outside_the_workspace(folder: Path, state: Path) -> None:
    workspace_settings_file(folder).parent.mkdir()
    workspace_settings_file(folder).symlink_to(folder.parent / "new.json")
    with pytest.raises(SettingsFault, match="where no file is"):
        bypass(folder, state)
    assert not (folder.parent / "new.json").exists()


def test_what_another_program_writes_meanwhile_is_kept(folder: Path, state: Path) -> None:
    """The editor knows nothing of the lock: its save between reading and replacing wins, and the edit is made again."""
    file = bypass(folder, state)
    rounds: list[str] = []

    def edit(text: str) -> str:
        rounds.append(text)
        if len(rounds) < 3:
            file.write_text(json.dumps({"saved by the editor": len(rounds)}))
        changed = dict(json.loads(text))
        return json.dumps({**changed, "mine": True})

    edit_file(file, edit, state_dir=state)
    assert json.loads(file.read_text()) == {"saved by the editor": 2, "mine": True}
    assert len(rounds) == 3


def test_a_file_that_never_holds_still_is_given_up(folder: Path, state: Path) -> None:
    file = bypass(folder, state)
    count = iter(range(100))

    def edit(text: str) -> str:
        file.write_text(json.dumps({"saved": next(count)}))
        return '{"mine": true}'

    with pytest.raises(SettingsFault, match="another program keeps changing it"):
        edit_file(file, edit, state_dir=state)
    assert "mine" not in file.read_text()
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]


def test_a_file_that_comes_into_being_meanwhile_is_not_replaced(folder: Path, state: Path) -> None:
    file = workspace_settings_file(folder)

    def edit(text: str) -> str:
        if not file.exists():
            file.write_text('{"theirs": 1}')
        return json.dumps({**json.loads(text or "{}"), "mine": 1})

    edit_file(file, edit, state_dir=state)
    assert json.loads(file.read_text()) == {"theirs": 1, "mine": 1}


def test_one_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    lock, inside, most = tmp_path / "locks" / "x", [], []

    def work() -> None:
        for _ in range(20):
            with locked(lock):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 80
    assert max(most) == 1


@posix_only
def test_a_lock_of_a_process_that_was_killed_is_free(folder: Path, state: Path) -> None:
    lock = lock_file_of(workspace_settings_file(folder).resolve(), state)
    child = run_child(
        "import sys\nfrom assent.settings.locking import locked\n"
        f"with locked(Path({str(lock)!r})):\n    print('held', flush=True)\n    sys.stdin.read()\n",
        folder,
        state,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    child.kill()
    child.communicate(timeout=limit(60))
    bypass(folder, state)


def test_two_processes_that_toggle_different_agents_lose_nothing(folder: Path, state: Path) -> None:
    toggles = 100
    program = (
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "for number in range({toggles}):\n"
        "    for value in (False, True):\n"
        "        path = ('assent.bypassPermissions', f'{name} {{number}}')\n"
        "        patch_file(workspace_settings_file(root), path, value, state_dir=state)\n"
    )
    children = [run_child(program.format(toggles=toggles, name=name), folder, state) for name in ("left", "right")]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, err = child.communicate(timeout=limit(240))
        assert child.returncode == 0, err
    stored = json.loads(workspace_settings_file(folder).read_text())
    expected = {f"{name} {number}" for name in ("left", "right") for number in range(toggles)}
    assert set(stored["assent.bypassPermissions"]) == expected
    assert all(value is True for value in stored["assent.bypassPermissions"].values())
    assert everything_below(folder) == [".vscode", ".vscode/settings.json"]


def run_child(program: str, root: Path, state: Path) -> "subprocess.Popen[str]":
    head = (
        f"import sys\nsys.path.insert(0, {str(SERVER)!r})\nfrom pathlib import Path\n"
        "from assent.settings.faults import SettingsFault\n"
        "from assent.settings.files import patch_file, workspace_settings_file\n"
        f"root, state = Path({str(root)!r}), Path({str(state)!r})\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", head + program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

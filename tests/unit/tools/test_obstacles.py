"""What can never work is known before anyone is asked, inside the roots only, and trying it comes to the same."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assent.agent.ports import Prepared
from assent.model.errors import ToolFault
from assent.tools.handles import MOST_NEW_FOLDERS
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


async def prepared(kind: str, root: Path, path: str) -> Prepared:
    tools = {"read": ReadFile, "write": WriteFile, "list": ListFiles}
    args = {"path": path, "content": "new"} if kind == "write" else {"path": path}
    return await tools[kind](lambda: (str(root),)).prepare(args)


async def tried(call: Prepared) -> tuple[str, str]:
    with pytest.raises(ToolFault) as fault:
        await call.perform()
    return fault.value.code, str(fault.value)


Make = Callable[[Path], object]


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


THINGS: dict[str, Make] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "socket": make_socket,
    "loop": lambda path: path.symlink_to("x"),
    "below a file": lambda path: (path.parent / "f").touch(),
}


@pytest.mark.parametrize(
    ("kind", "thing", "path", "code"),
    [
        ("read", "folder", "x", "is_a_directory"),
        ("read", "folder", ".", "is_a_directory"),
        ("read", "pipe", "x", "not_a_file"),
        ("read", "socket", "x", "not_a_file"),
        ("read", "loop", "x", "link_loop"),
        ("read", "loop", "x/y", "link_loop"),
        ("read", "below a file", "f/x", "not_a_directory"),
        ("write", "folder", "x", "is_a_directory"),
        ("write", "folder", ".", "is_a_directory"),
        ("write", "pipe", "x", "not_a_file"),
        ("write", "socket", "x", "not_a_file"),
        ("write", "loop", "x", "link_loop"),
        ("write", "below a file", "f/x/y", "not_a_directory"),
        ("write", "folder", "x/" + "n" * 256, "name_too_long"),
        ("write", "folder", "new/" + "n" * 256 + "/a", "name_too_long"),
        ("write", "folder", "new/" + "文" * 86, "name_too_long"),
        ("write", "folder", "n/" * (MOST_NEW_FOLDERS + 1) + "a", "too_deep"),
        ("list", "pipe", "x", "not_a_directory"),
        ("list", "loop", "x", "link_loop"),
        ("list", "below a file", "f", "not_a_directory"),
        ("list", "below a file", "f/x", "not_a_directory"),
    ],
)
async def test_inside(root: Path, kind: str, thing: str, path: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The path of a socket must be short.
    monkeypatch.chdir(root)
    THINGS[thing](Path("x") if thing == "socket" else root / "x")
    call = await prepared(kind, root, path)

    assert call.impossible is not None
    assert (call.impossible.code, str(call.impossible)) == await tried(call)
    assert call.impossible.code == code
    assert set(os.listdir(root)) <= {"x", "f"}  # noqa: PTH208


@pytest.mark.parametrize("kind", ["read", "write", "list"])
@pytest.mark.parametrize("thing", ["folder", "pipe", "loop", "below a file"])
async def test_nothing_is_told_of_what_lies_outside(root: Path, kind: str, thing: str) -> None:
    THINGS[thing](root.parent / "x")
    for path in ("../x", "../f/x", str(root.parent / "x")):
        assert (await prepared(kind, root, path)).impossible is None


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("read", "none"),
        ("read", "a"),
        ("write", "a"),
        ("write", "none"),
        ("write", "x/y/none"),
        ("write", "n/" * MOST_NEW_FOLDERS + "a"),
        ("write", "n" * 255),
        ("list", "."),
        ("list", "none"),
        ("list", "folder"),
    ],
)
async def test_what_may_work_or_may_be_mended_is_none(root: Path, kind: str, path: str) -> None:
    """A file that is missing may be written by the call before."""
    (root / "a").touch()
    (root / "folder").mkdir()
    assert (await prepared(kind, root, path)).impossible is None


async def test_folders_up_to_the_limit_are_made(root: Path) -> None:
    path = "n/" * MOST_NEW_FOLDERS + "a"
    await (await prepared("write", root, path)).perform()
    assert (root / path).read_text() == "new"


@pytest.fixture
def read_only(root: Path) -> Iterator[Path]:
    """A folder on a file system of its own that takes no writing."""
    mounted = root / "ro"
    mounted.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mounted)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("needs the right to mount")
    try:
        (mounted / "a").write_text("old")
        subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
        yield mounted
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


@pytest.mark.parametrize("path", ["ro/a", "ro/new", "ro/x/y"])
async def test_a_read_only_file_system(root: Path, read_only: Path, path: str) -> None:
    call = await prepared("write", root, path)

    assert call.impossible is not None
    assert call.impossible.code == "read_only"
    assert (await tried(call))[0] == "read_only"
    assert (await prepared("read", root, "ro/a")).impossible is None


class TestRights:
    """As another user, because the one who runs the tests may be allowed everything."""

    @pytest.fixture
    def root(self) -> Iterator[Path]:
        """Not among the folders of pytest: each run that begins closes those to all others."""
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            base.chmod(0o711)
            (base / "root").mkdir()
            yield base / "root"

    @pytest.fixture
    def as_nobody(self) -> Iterator[None]:
        if os.getuid() != 0:
            pytest.skip("needs to become another user")
        yield
        os.seteuid(0)

    @pytest.mark.parametrize(
        ("kind", "path", "modes"),
        [
            ("read", "a", {"a": 0o200}),
            ("write", "a", {"a": 0o400}),
            ("write", "a", {"a": 0o200}),
            ("write", "a", {".": 0o500}),
            ("write", "new", {".": 0o500}),
            ("write", "x/new", {".": 0o500}),
            ("list", ".", {".": 0o300}),
        ],
    )
    async def test_what_the_system_forbids(
        self, root: Path, as_nobody: None, kind: str, path: str, modes: dict[str, int]
    ) -> None:
        (root / "a").write_text("old")
        # What is only loaded now may lie where nobody else can read it.
        await prepared(kind, root, path)
        for name in (".", "a"):
            os.chown(root / name, 65534, 65534)
            (root / name).chmod(modes.get(name, 0o700))
        os.seteuid(65534)
        call = await prepared(kind, root, path)

        assert call.impossible is not None
        assert call.impossible.code == "permission_denied_by_system"
        assert (await tried(call))[0] == "permission_denied_by_system"

    async def test_a_file_that_its_owner_may_only_read_is_not_replaced(self, root: Path, as_nobody: None) -> None:
        (root / "a").write_text("old")
        os.chown(root, 65534, 65534)
        os.chown(root / "a", 65534, 65534)
        call = await prepared("write", root, "a")
        (root / "a").chmod(0o444)
        os.seteuid(65534)

        assert (await tried(call))[0] == "permission_denied_by_system"
        assert (root / "a").read_text() == "old"

    async def test_a_file_of_someone_else_stays_theirs(self, root: Path, as_nobody: None) -> None:
        (root / "a").write_text("old")
        os.chown(root / "a", 65534, 65534)
        (root / "a").chmod(0o640)

        await (await prepared("write", root, "a")).perform()

        status = (root / "a").stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (65534, 65534, 0o640)

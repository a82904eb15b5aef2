"""write_file on a real disk: exactly this content, at once or not at all, and only where it was looked at."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Prepared
from assent.model.approval import RiskLevel
from assent.model.calls import Access
from assent.model.errors import ToolFault
from assent.model.preview import DiffPreview, LineKind
from assent.tools.change_preview import MAX_BYTES
from assent.tools.disk import digest_of
from assent.tools.replacing import replace_file
from assent.tools.resolve import resolve
from assent.tools.write_file import WriteFile

NOBODY = 65534


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


@pytest.fixture
def tool(root: Path) -> WriteFile:
    return WriteFile(lambda: (str(root),))


async def prepared(tool: WriteFile, path: str, content: str = "new\n") -> Prepared:
    args = {"path": path, "content": content}
    assert tool.fault(args) is None
    return await tool.prepare(args)


async def refused(call: Prepared) -> ToolFault:
    with pytest.raises(ToolFault) as fault:
        await call.perform()
    return fault.value


def diff(call: Prepared) -> DiffPreview:
    assert isinstance(call.preview, DiffPreview)
    return call.preview


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def inodes(folder: Path) -> list[tuple[str, int]]:
    return sorted((entry.name, entry.lstat().st_ino) for entry in folder.iterdir())


def leftovers(folder: Path) -> list[str]:
    return [name for name in names(folder) if name.endswith(".tmp")]


async def test_a_new_file(tool: WriteFile, root: Path) -> None:
    call = await prepared(tool, "a.txt", "one\ntwo")
    assert not (root / "a.txt").exists()
    assert call.headline == "Write a.txt (+2 −0)"
    assert diff(call).is_new

    answer = await call.perform()

    assert (root / "a.txt").read_bytes() == b"one\ntwo"
    assert (answer.path, answer.content) == ("a.txt", "one\ntwo")
    assert "7 bytes" in answer.text
    assert names(root) == ["a.txt"]


async def test_what_is_written_is_what_was_shown_byte_for_byte(tool: WriteFile, root: Path) -> None:
    content = "\ufeffa\r\nb\rc\n\u2028d\x00é😀\t \n\n"
    await (await prepared(tool, "a", content)).perform()

    assert (root / "a").read_bytes() == content.encode()


async def test_missing_folders_are_made_but_not_before(tool: WriteFile, root: Path) -> None:
    call = await prepared(tool, "x/y/z.txt")
    assert not (root / "x").exists()

    await call.perform()

    assert (root / "x/y/z.txt").read_text() == "new\n"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o640, 0o666, 0o777])
async def test_a_replaced_file_keeps_who_may_use_it(tool: WriteFile, root: Path, mode: int) -> None:
    (root / "a").write_text("old\n")
    (root / "a").chmod(mode)

    await (await prepared(tool, "a")).perform()

    assert stat.S_IMODE((root / "a").stat().st_mode) == mode


async def test_it_does_not_keep_the_rights_that_the_old_content_lent(tool: WriteFile, root: Path) -> None:
    (root / "a").write_text("old\n")
    (root / "a").chmod(0o6755)

    await (await prepared(tool, "a")).perform()

    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o755


async def test_a_new_file_follows_the_umask(tool: WriteFile, root: Path) -> None:
    before = os.umask(0o027)
    try:
        await (await prepared(tool, "a")).perform()
    finally:
        os.umask(before)

    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o640


Change = Callable[[Path], object]
CHANGES: dict[str, Change] = {
    "content": lambda file: file.write_text("changed\n"),
    "same length": lambda file: file.write_text("OLD\n"),
    "removed": lambda file: file.unlink(),
    "emptied": lambda file: file.write_text(""),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a link to the same content": lambda file: (file.rename(file.parent / "b"), file.symlink_to("b")),
    "a link out": lambda file: (file.unlink(), file.symlink_to(file.parent.parent / "victim")),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_changed_since_is_not_overwritten(tool: WriteFile, root: Path, change: str) -> None:
    (root.parent / "victim").write_text("old\n")
    (root / "a").write_text("old\n")
    call = await prepared(tool, "a")
    CHANGES[change](root / "a")
    before = inodes(root)

    fault = await refused(call)

    assert fault.code in ("changed_since", "not_a_file", "is_a_directory")
    assert inodes(root) == before
    assert (root.parent / "victim").read_text() == "old\n"


async def test_a_file_that_appeared_since_is_not_overwritten(tool: WriteFile, root: Path) -> None:
    call = await prepared(tool, "a")
    (root / "a").write_text("")

    assert (await refused(call)).code == "changed_since"
    assert (root / "a").read_text() == ""


async def test_a_folder_on_the_way_that_became_a_link_out_is_not_followed(tool: WriteFile, root: Path) -> None:
    (root / "sub").mkdir()
    call = await prepared(tool, "sub/a")
    (root / "sub").rmdir()
    (root / "sub").symlink_to(root.parent)

    assert (await refused(call)).code == "changed_since"
    assert not (root.parent / "a").exists()


async def test_folders_are_not_made_again_for_a_file_that_was_to_be_replaced(tool: WriteFile, root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub/a").write_text("old\n")
    call = await prepared(tool, "sub/a")
    (root / "sub/a").unlink()
    (root / "sub").rmdir()

    assert (await refused(call)).code == "not_found"
    assert not (root / "sub").exists()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
async def test_what_is_no_file_is_said_on_the_card_and_not_replaced(tool: WriteFile, root: Path, kind: str) -> None:
    (root / "x").mkdir() if kind == "folder" else os.mkfifo(root / "x")
    call = await prepared(tool, "x")
    assert call.risk is not None
    assert call.risk.level is RiskLevel.HIGH
    assert {"folder": "is a directory", "pipe": "not a regular file"}[kind] in (diff(call).note or "")

    assert (await refused(call)).code == {"folder": "is_a_directory", "pipe": "not_a_file"}[kind]
    assert stat.S_ISDIR((root / "x").stat().st_mode) == (kind == "folder")
    assert leftovers(root) == []


async def test_a_hard_link_outside_keeps_its_content(tool: WriteFile, root: Path) -> None:
    outside = root.parent / "outside"
    outside.write_text("old\n")
    (root / "a").hardlink_to(outside)

    await (await prepared(tool, "a")).perform()

    assert (root / "a").read_text() == "new\n"
    assert outside.read_text() == "old\n"


async def test_through_a_link_the_target_is_written_and_the_card_names_it(tool: WriteFile, root: Path) -> None:
    (root / "real").write_text("old\n")
    (root / "link").symlink_to("real")
    call = await prepared(tool, "link")
    assert call.headline.startswith("Write real ")

    await call.perform()

    assert (root / "link").is_symlink()
    assert (root / "real").read_text() == "new\n"


async def test_outside_is_told_to_the_gate_with_the_real_name(tool: WriteFile, root: Path) -> None:
    (root / "link").symlink_to(root.parent / "victim")
    (use,) = (await prepared(tool, "link")).paths

    assert (use.access, use.inside, use.real) == (Access.WRITE, False, str(root.parent / "victim"))
    assert use.named == str(root / "link")


@pytest.mark.parametrize("length", [240, 255])
async def test_names_of_the_greatest_length_are_written(tool: WriteFile, root: Path, length: int) -> None:
    name = "x" * length
    await (await prepared(tool, name)).perform()
    assert (root / name).read_text() == "new\n"


async def test_wide_names_too(tool: WriteFile, root: Path) -> None:
    name = "文" * 85
    await (await prepared(tool, name)).perform()
    assert (root / name).read_text() == "new\n"


async def test_a_name_that_is_too_long_is_a_named_fault(tool: WriteFile, root: Path) -> None:
    call = await prepared(tool, "x" * 256)
    assert (await refused(call)).code == "name_too_long"
    assert names(root) == []


async def test_below_a_file(tool: WriteFile, root: Path) -> None:
    (root / "a").write_text("old\n")
    call = await prepared(tool, "a/b")
    assert (await refused(call)).code == "not_a_directory"


@pytest.mark.parametrize(
    "args",
    [
        {"path": "a", "content": "half \ud800"},
        {"path": "\udfff", "content": ""},
        {"path": "", "content": ""},
        {"path": "a"},
        {"content": "a"},
        {"path": "a", "content": 1},
        {"path": "a", "content": None},
        {"path": "a", "content": "x", "mode": "append"},
        {"path": "a", "content": "x" * (MAX_BYTES + 1)},
        {"path": "a", "content": "é" * (MAX_BYTES // 2 + 1)},
    ],
    ids=lambda args: str(args)[:40],
)
def test_arguments_that_do_not_fit(tool: WriteFile, args: dict[str, Any]) -> None:
    assert (tool.fault(args) or "").startswith("The arguments do not fit.")


async def test_nul_in_a_name_touches_nothing(tool: WriteFile, root: Path) -> None:
    call = await prepared(tool, "a\0b")
    assert "\0" in call.paths[0].real
    assert names(root) == []


async def test_the_state_is_bound_to_old_and_new_content(tool: WriteFile, root: Path) -> None:
    states = []
    for old, new in (("a", "x"), ("b", "x"), ("a", "y"), ("", "x")):
        (root / "a").write_text(old)
        states.append((await prepared(tool, "a", new)).state)
    (root / "a").unlink()
    states.append((await prepared(tool, "a", "x")).state)

    assert len(set(states)) == len(states)


NOTES = [
    (b"a\n", "a\n", "stays the same"),
    (b"a\r\nb\r\n", "a\nb\n", "stays the same. Its line ends stay CRLF."),
    (b"a\r\nb\r\n", "a\nc\n", "Its line ends stay CRLF."),
    (b"a\r\nb\n", "a\nb\n", "Only line ends change. Line ends change from CRLF to LF."),
    (b"a\nb\n", "a\r\nb\r\n", "from LF to CRLF"),
    (b"a\nb\n", "a\r\nc\r\n", "from LF to CRLF"),
    (b"a\n", "a", "no line end at its end"),
    (b"a", "a\n", "a line end at its end"),
    (b"\xef\xbb\xbfa\n", "a\n", "stays the same. It stays UTF-8 with a byte order mark."),
    (b"a\n", "\ufeffa\n", "encoding changes: the file becomes UTF-8 with a byte order mark"),
    ("\ufeffa\n".encode("utf-16-le"), "a\n", "stays the same. It stays UTF-16 with a byte order mark."),
    ("\ufeffa\n".encode("utf-16-be"), "b\n", "It stays UTF-16, big-endian, with a byte order mark."),
    (b"a\n", "\0", "no text any more"),
    (b"\0binary", "a\n", "not text"),
    (b"a\n", "b\n", None),
]


@pytest.mark.parametrize(("old", "new", "words"), NOTES)
async def test_what_the_lines_do_not_show_is_said(
    tool: WriteFile, root: Path, old: bytes, new: str, words: str | None
) -> None:
    (root / "a").write_bytes(old)
    note = diff(await prepared(tool, "a", new)).note

    assert (words in (note or "")) if words else note is None


KEPT = [
    (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
    (b"a\r\nb", "x\ny", b"x\r\ny"),
    (b"a\r\nb\r\n", "x\r\ny\n", b"x\r\ny\n"),
    (b"a\nb\n", "x\r\ny\r\n", b"x\r\ny\r\n"),
    (b"a\r\nb\n", "x\ny\n", b"x\ny\n"),
    (b"a\rb", "x\ny\n", b"x\ny\n"),
    (b"", "x\n", b"x\n"),
    (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
    (b"\xef\xbb\xbfa\n", "\ufeffx\n", b"\xef\xbb\xbfx\n"),
    (b"\xef\xbb\xbf", "x", b"\xef\xbb\xbfx"),
    ("\ufeffa\r\n".encode("utf-16-le"), "é😀\n", "\ufeffé😀\r\n".encode("utf-16-le")),
    ("\ufeffa\n".encode("utf-16-be"), "\ufeffé\n", "\ufeffé\n".encode("utf-16-be")),
    (b"\0\r\n", "x\n", b"x\n"),
    (b"caf\xe9\r\n", "x\n", b"x\r\n"),
    (b"caf\xe9 \x08\r\n", "x\n", b"x\n"),
]


@pytest.mark.parametrize(("old", "new", "written"), KEPT)
async def test_a_file_keeps_its_form_where_the_content_does_not_say_otherwise(
    tool: WriteFile, root: Path, old: bytes, new: str, written: bytes
) -> None:
    (root / "a").write_bytes(old)
    call = await prepared(tool, "a", new)
    answer = await call.perform()

    assert (root / "a").read_bytes() == written
    assert answer.left[0].made == digest_of(written)
    assert f"{len(written)} bytes" in answer.text


@pytest.mark.parametrize("old", [old for old, _, _ in KEPT])
async def test_whoever_counts_on_each_byte_gets_exactly_the_content(tool: WriteFile, root: Path, old: bytes) -> None:
    (root / "a").write_bytes(old)
    await (await prepared(tool.exactly(), "a", "x\ny\n")).perform()

    assert (root / "a").read_bytes() == b"x\ny\n"


async def test_a_content_that_grows_too_long_by_the_form_of_its_file_is_not_written(
    tool: WriteFile, root: Path
) -> None:
    (root / "a").write_bytes("\ufeffa".encode("utf-16-le"))
    call = await prepared(tool, "a", "x" * (MAX_BYTES - 10))

    assert call.impossible is not None and call.impossible.code == "too_long"
    assert (await refused(call)).code == "too_long"
    assert (root / "a").read_bytes() == "\ufeffa".encode("utf-16-le")


async def test_a_change_of_a_line_end_beside_other_changes_is_on_the_card(tool: WriteFile, root: Path) -> None:
    """What was a comment before an odd line end becomes code of its own: it must not look unchanged."""
    (root / "a.py").write_text("# safe\u2028evil()\nx = 1\n")
    preview = diff(await prepared(tool, "a.py", "# safe\nevil()\nx = 2\n"))

    added = [line.text for line in preview.lines if line.kind is LineKind.ADDED]
    assert added == ["# safe", "evil()", "x = 2"]


async def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tool: WriteFile, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a").write_text("old\n")
    call = await prepared(tool, "a")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    assert (await refused(call)).code == "disk_full"
    assert (root / "a").read_text() == "old\n"
    assert names(root) == ["a"]


def as_nobody(action: Callable[[], None]) -> str:
    """What comes of the action for a user without rights: “done”, or the code of the fault."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        told = "crashed"
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            action()
            told = "done"
        except ToolFault as fault:
            told = fault.code
        finally:
            os.write(writing, told.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        return pipe.read()


@pytest.fixture
def open_way(tmp_path: Path) -> Path:
    """A folder that everyone can reach; the folders of pytest are for their owner only."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    return tmp_path


@pytest.mark.skipif(os.getuid() != 0, reason="needs to become another user")
class TestRights:
    """What the system forbids is a named fault; what it allows works."""

    def test_a_folder_that_may_be_entered_but_not_listed_is_no_obstacle(self, open_way: Path) -> None:
        above, mine = open_way / "above", open_way / "above" / "mine"
        mine.mkdir(parents=True)
        os.chown(mine, NOBODY, NOBODY)
        above.chmod(0o711)

        assert (
            as_nobody(lambda: replace_file(resolve(str(mine / "a")), b"x", expected=frozenset({"missing"}), limit=10))
            == "done"
        )
        assert (mine / "a").read_bytes() == b"x"

    def test_a_read_only_folder(self, open_way: Path) -> None:
        folder = open_way / "folder"
        folder.mkdir(mode=0o755)

        told = as_nobody(
            lambda: replace_file(resolve(str(folder / "a")), b"x", expected=frozenset({"missing"}), limit=10)
        )
        assert told == "permission_denied_by_system"
        assert list(folder.iterdir()) == []

    def test_a_file_that_may_not_be_read_is_not_replaced_either(self, open_way: Path) -> None:
        folder = open_way / "folder"
        folder.mkdir()
        (folder / "a").write_text("secret")
        (folder / "a").chmod(0o600)
        os.chown(folder, NOBODY, NOBODY)

        told = as_nobody(
            lambda: replace_file(resolve(str(folder / "a")), b"x", expected="permission_denied_by_system", limit=10)
        )
        assert told == "permission_denied_by_system"
        assert (folder / "a").read_text() == "secret"

"""edit_file on a real disk: all of its replacements or none, as they were shown, in the file that was looked at."""

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Left, Prepared
from assent.model.approval import RiskLevel
from assent.model.calls import Access
from assent.model.errors import ToolFault
from assent.model.preview import DiffPreview, LineKind
from assent.tools.change_preview import MAX_BYTES
from assent.tools.edit_file import MOST_EDITS, EditFile
from assent.tools.write_file import WriteFile
from tests.support.scale import limit

TEXT = "one\ntwo\nthree\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    (made / "a").write_text(TEXT)
    return made


@pytest.fixture
def tool(root: Path) -> EditFile:
    return EditFile(lambda: (str(root),))


async def prepared(tool: EditFile, *edits: tuple[str, str], path: str = "a", everywhere: bool = False) -> Prepared:
    more = {"all": True} if everywhere else {}
    args: dict[str, Any] = {"path": path, "edits": [{"old": old, "new": new, **more} for old, new in edits]}
    assert tool.fault(args) is None
    return await tool.prepare(args)


async def refused(call: Prepared, left: tuple[Left, ...] = ()) -> ToolFault:
    with pytest.raises(ToolFault) as fault:
        await call.carry_out(left)
    return fault.value


def lines(call: Prepared, kind: LineKind) -> list[str]:
    assert isinstance(call.preview, DiffPreview)
    return [line.text for line in call.preview.lines if line.kind is kind]


def inodes(folder: Path) -> list[tuple[str, int]]:
    return sorted((entry.name, entry.lstat().st_ino) for entry in folder.iterdir())


async def test_what_was_shown_is_done(tool: EditFile, root: Path) -> None:
    call = await prepared(tool, ("one", "1"), ("three\n", "3\nfour\n"))
    assert (root / "a").read_text() == TEXT
    assert call.headline == "Edit a (+3 −2)"
    assert (lines(call, LineKind.REMOVED), lines(call, LineKind.ADDED)) == (["one", "three"], ["1", "3", "four"])
    assert [(use.real, use.access) for use in call.paths] == [(str(root / "a"), Access.WRITE)]

    answer = await call.perform()

    assert (root / "a").read_text() == "1\ntwo\n3\nfour\n"
    assert (answer.path, answer.content) == ("a", "1\ntwo\n3\nfour\n")
    assert answer.text == "Edited a: 3 lines added, 2 removed."
    assert [name for name, _ in inodes(root)] == ["a"]


async def test_one_line_is_one_line(tool: EditFile) -> None:
    call = await prepared(tool, ("one", "1"))
    assert (await call.perform()).text == "Edited a: 1 line added, 1 removed."


FORMS = [
    ("utf-8", b"", "\n"),
    ("utf-8", b"\xef\xbb\xbf", "\r\n"),
    ("utf-16-le", b"\xff\xfe", "\r\n"),
    ("utf-16-be", b"\xfe\xff", "\n"),
]


@pytest.mark.parametrize(("encoding", "mark", "end"), FORMS)
@pytest.mark.parametrize("last", ["", "\n"])
async def test_the_form_of_the_file_stays(
    tool: EditFile, root: Path, encoding: str, mark: bytes, end: str, last: str
) -> None:
    def spelled(text: str) -> bytes:
        return mark + text.replace("\n", end).encode(encoding)

    (root / "a").write_bytes(spelled("é\ntwo\n😀" + last))
    (root / "a").chmod(0o751)
    await (await prepared(tool, ("é\ntwo", "1\n2\nü"))).perform()

    assert (root / "a").read_bytes() == spelled("1\n2\nü\n😀" + last)
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o751


@pytest.mark.parametrize(
    "args",
    [
        {"path": "a"},
        {"path": "a", "edits": []},
        {"path": "a", "edits": [{"old": "x", "new": "y"}] * (MOST_EDITS + 1)},
        {"path": "a", "edits": {"old": "x", "new": "y"}},
        {"path": "a", "old": "x", "new": "y"},
        {"path": "a", "edits": [{"old": "", "new": "y"}]},
        {"path": "a", "edits": [{"old": "x"}]},
        {"path": "a", "edits": [{"old": "x", "new": "x"}]},
        {"path": "a", "edits": [{"old": "x", "new": "y", "all": 1}]},
        {"path": "a", "edits": [{"old": "x", "new": "half \ud800"}]},
        {"path": "a", "edits": [{"old": "\udfff", "new": ""}]},
        {"path": "a", "edits": [{"old": "x", "new": "y" * (MAX_BYTES + 1)}]},
        {"path": "a", "edits": [{"old": "x", "new": "y"}], "content": ""},
        {"edits": [{"old": "x", "new": "y"}]},
    ],
    ids=lambda args: str(args)[:50],
)
def test_arguments_that_do_not_fit(tool: EditFile, args: dict[str, Any]) -> None:
    assert (tool.fault(args) or "").startswith("The arguments do not fit.")


Making = Callable[[Path], object]
NEVER: dict[str, tuple[Making, str]] = {
    "missing": (lambda file: file.unlink(), "not_found"),
    "not there": (lambda file: file.write_text("other"), "not_found_in_file"),
    "twice": (lambda file: file.write_text("two two"), "found_several_times"),
    "binary": (lambda file: file.write_bytes(b"two\0"), "not_text"),
    "another encoding": (lambda file: file.write_bytes(b"two \xe9"), "not_text"),
    "huge": (lambda file: os.truncate(file, MAX_BYTES + 1), "not_text"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "is_a_directory"),
    "a pipe": (lambda file: (file.unlink(), os.mkfifo(file)), "not_a_file"),
    "a loop": (lambda file: (file.unlink(), file.symlink_to(file)), "link_loop"),
}


@pytest.mark.parametrize("way", NEVER)
async def test_what_can_never_work_is_told_before_anyone_is_asked(tool: EditFile, root: Path, way: str) -> None:
    make, code = NEVER[way]
    make(root / "a")
    call = await asyncio.wait_for(prepared(tool, ("two", "2")), limit(60))

    assert call.impossible is not None and call.impossible.code == code
    assert (await refused(call)).code == code


@pytest.mark.parametrize("name", ["outside", "root/.env"])
async def test_where_reading_would_be_asked_for_nothing_is_told_before(tool: EditFile, root: Path, name: str) -> None:
    file = root.parent / name
    file.write_text("KEY=treasure\n")
    fits, fails = (
        await prepared(tool, ("treasure", "x"), path=str(file)),
        await prepared(tool, ("no", "x"), path=str(file)),
    )

    assert fits.impossible is None and fails.impossible is None
    assert fails.risk is not None and fails.risk.level is RiskLevel.MEDIUM
    assert isinstance(fails.preview, DiffPreview) and (fails.preview.note or "").startswith("This cannot be done")
    assert fails.state != fits.state
    assert (await refused(fails)).code == "not_found_in_file"


CHANGES: dict[str, Making] = {
    "content": lambda file: file.write_text(TEXT + "more\n"),
    "same length": lambda file: file.write_text(TEXT.upper()),
    "removed": lambda file: file.unlink(),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a link to the same content": lambda file: (file.rename(file.parent / "b"), file.symlink_to("b")),
    "a link out": lambda file: (file.unlink(), file.symlink_to(file.parent.parent / "victim")),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_changed_since_is_not_touched(tool: EditFile, root: Path, change: str) -> None:
    (root.parent / "victim").write_text(TEXT)
    call = await prepared(tool, ("two", "2"))
    CHANGES[change](root / "a")
    before = inodes(root)

    assert (await refused(call)).code in ("changed_since", "not_a_file", "is_a_directory")
    assert inodes(root) == before
    assert (root.parent / "victim").read_text() == TEXT


async def test_a_hard_link_outside_keeps_its_content(tool: EditFile, root: Path) -> None:
    (root.parent / "outside").hardlink_to(root / "a")
    await (await prepared(tool, ("two", "2"))).perform()

    assert (root / "a").read_text() == "one\n2\nthree\n"
    assert (root.parent / "outside").read_text() == TEXT


async def test_the_state_is_bound_to_the_file_and_to_what_it_becomes(tool: EditFile, root: Path) -> None:
    states = [(await prepared(tool, ("two", new))).state for new in ("2", "3")]
    (root / "a").write_text(TEXT + "more\n")
    states.append((await prepared(tool, ("two", "2"))).state)

    assert len(set(states)) == 3


class TestInARow:
    """After other calls of its run at the same file: the same lines become the same, or it is refused."""

    async def test_two_edits_that_were_shown_together(self, tool: EditFile, root: Path) -> None:
        first, second = await prepared(tool, ("one", "1")), await prepared(tool, ("two\n", "2\n"))
        left = (await first.carry_out(())).left
        answer = await second.carry_out(left)

        assert (root / "a").read_text() == "1\n2\nthree\n"
        assert "earlier call of this run" in answer.text
        assert answer.left[0].found == left[0].made

    @pytest.mark.parametrize(
        "between",
        [
            ("two", "2"),
            ("two\n", ""),
            ("one\ntwo", "one two"),
            ("three", "two"),
        ],
    )
    async def test_other_lines_than_those_that_were_shown(
        self, tool: EditFile, root: Path, between: tuple[str, str]
    ) -> None:
        first, second = await prepared(tool, between), await prepared(tool, ("two", "II"))
        left = (await first.carry_out(())).left
        after = (root / "a").read_text()

        assert (await refused(second, left)).code == "changed_since"
        assert (root / "a").read_text() == after

    async def test_more_places_than_were_shown(self, tool: EditFile, root: Path) -> None:
        first = await prepared(tool, ("three", "two again"))
        second = await prepared(tool, ("two", "2"), everywhere=True)
        left = (await first.carry_out(())).left

        assert (await refused(second, left)).code == "changed_since"

    async def test_after_a_write_and_before_one(self, tool: EditFile, root: Path) -> None:
        writing = await WriteFile(lambda: (str(root),)).prepare({"path": "a", "content": "zero\ntwo\n"})
        edit = await prepared(tool, ("two", "2"))
        left = (await writing.carry_out(())).left
        await edit.carry_out(left)

        assert (root / "a").read_text() == "zero\n2\n"

    async def test_what_anybody_else_put_there(self, tool: EditFile, root: Path) -> None:
        first, second = await prepared(tool, ("one", "1")), await prepared(tool, ("two", "2"))
        left = (await first.carry_out(())).left
        (root / "a").write_text("1\ntwo\nthree\nby hand\n")

        assert (await refused(second, left)).code == "changed_since"
        assert (await refused(second)).code == "changed_since"


async def test_a_huge_file_with_many_edits_is_edited_at_once(tool: EditFile, root: Path) -> None:
    (root / "a").write_text("".join(f"line {number}.\r\n" for number in range(200_000)), newline="")
    edits = [(f"line {number}.\n", f"LINE {number}\n") for number in range(0, 200_000, 1_000)]
    call = await prepared(tool, *edits)
    await call.perform()

    data = (root / "a").read_bytes()
    assert data.count(b"LINE") == 200 and data.count(b"\r\n") == data.count(b"\n") == 200_000

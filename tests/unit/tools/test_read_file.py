"""read_file on a real disk: text in its encodings, parts of it, and everything that is no text file."""

import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import ToolAnswer
from assent.model.calls import Access
from assent.model.errors import ToolFault
from assent.tools import read_file as read_file_module
from assent.tools.read_file import MAX_BYTES, MAX_RESULT, ReadFile

Read = Callable[..., Awaitable[ToolAnswer]]


@pytest.fixture
def tool(tmp_path: Path) -> ReadFile:
    return ReadFile(lambda: (str(tmp_path),))


@pytest.fixture
def read(tool: ReadFile) -> Read:
    async def reading(**args: Any) -> ToolAnswer:
        assert tool.fault(args) is None
        return await (await tool.prepare(args)).perform()

    return reading


def names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


async def fails(read: Read, **args: Any) -> ToolFault:
    with pytest.raises(ToolFault) as fault:
        await read(**args)
    return fault.value


async def test_the_whole_text(read: Read, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")

    answer = await read(path="a.txt")

    assert answer == ToolAnswer("one\ntwo\n", path="a.txt", content="one\ntwo\n", truncated=False)


async def test_an_empty_file(read: Read, tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    assert (await read(path="a.txt")).text == ""


@pytest.mark.parametrize(
    ("offset", "limit", "text"),
    [
        (1, None, "1\n2\n3\n4"),
        (2, None, "2\n3\n4"),
        (2, 2, "2\n3\n"),
        (4, 9, "4"),
        (5, None, ""),
        (1, 1, "1\n"),
        (10**9, 10**9, ""),
    ],
)
async def test_a_part_by_lines(read: Read, tmp_path: Path, offset: int, limit: int | None, text: str) -> None:
    (tmp_path / "a.txt").write_text("1\n2\n3\n4")

    assert (await read(path="a.txt", offset=offset, limit=limit)).text == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é ✓ 😀".encode(), "é ✓ 😀"),
        (b"\xef\xbb\xbfbom", "bom"),
        (b"a\r\nb\r\n", "a\r\nb\r\n"),
    ],
)
async def test_encodings(read: Read, tmp_path: Path, data: bytes, text: str) -> None:
    (tmp_path / "a").write_bytes(data)
    assert (await read(path="a")).text == text


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0",
        b"abc\0def",
        b"\xff\xfe\0",
        b"\x7fELF\x02\x01\x01\0",
        b"BM8a\x01\xff\xe9 caf\xe9",
        b"caf\xe9 \x08",
        bytes(range(1, 256)),
    ],
)
async def test_what_is_no_text_is_said_with_its_first_bytes(read: Read, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)

    fault = await fails(read, path="a")

    assert fault.code == "binary"
    assert data[:4].hex(" ") in str(fault)
    assert str(len(data)) in str(fault)


async def test_a_missing_file(read: Read) -> None:
    fault = await fails(read, path="no/such")
    assert (fault.code, str(fault)) == ("not_found", "no/such does not exist.")


async def test_a_folder(read: Read, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    assert (await fails(read, path="d")).code == "is_a_directory"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files")
async def test_whatever_stands_there_no_file_stays_open(read: Read, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a").touch()
    for name in ("a", "d", "pipe", "none", "a/b"):
        with suppress(ToolFault):
            await read(path=name)
    before = names(Path("/proc/self/fd"))
    for name in ("a", "d", "pipe", "none", "a/b", "d/none") * 3:
        with suppress(ToolFault):
            await read(path=name)
    assert len(names(Path("/proc/self/fd"))) == len(before)


async def test_below_a_file(read: Read, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert (await fails(read, path="a/b")).code == "not_a_directory"


async def test_a_pipe_is_not_waited_for(read: Read, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (await fails(read, path="pipe")).code == "not_a_file"


async def test_a_socket(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        assert (await fails(read, path="socket")).code == "not_a_file"


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
async def test_a_device_is_no_file_even_where_the_gate_lets_it_pass(read: Read, device: str) -> None:
    assert (await fails(read, path=device)).code in ("not_a_file", "not_found")


async def test_a_loop_of_links(read: Read, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert (await fails(read, path="loop")).code == "link_loop"


async def test_a_file_that_says_it_is_empty_and_is_not(read: Read) -> None:
    """Files of the kernel have no size before they are read."""
    assert "Name:" in (await read(path="/proc/self/status")).text


async def test_a_file_that_fails_in_the_middle_is_a_named_fault(read: Read) -> None:
    fault = await fails(read, path="/proc/self/mem")
    assert fault.code == "io_error"


async def test_a_name_that_is_too_long(read: Read) -> None:
    assert (await fails(read, path="x" * 300)).code == "name_too_long"


async def test_a_huge_sparse_file_costs_no_more_than_its_first_part(read: Read, tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.write(b"first line\n")
        file.truncate(1 << 40)

    fault = await fails(read, path="huge")
    assert fault.code == "binary"
    assert str(1 << 40) in str(fault)


async def test_more_than_fits_is_cut_and_says_so(read: Read, tmp_path: Path) -> None:
    (tmp_path / "long").write_text("x" * 99 + "\n" + "y" * MAX_RESULT)

    answer = await read(path="long")

    assert answer.truncated
    assert answer.text.startswith("x" * 99 + "\n" + "y" * (MAX_RESULT - 100) + "\n[100 more characters")
    assert answer.content is not None
    assert len(answer.content) == MAX_RESULT


async def test_a_character_split_by_the_limit_is_left_out(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_file_module, "MAX_BYTES", 4)
    (tmp_path / "a").write_bytes("abc€".encode())

    answer = await read(path="a")

    assert answer.content == "abc"
    assert answer.truncated
    assert "first 4 of 6 bytes" in answer.text


async def test_it_is_the_place_that_was_prepared_or_nothing(tool: ReadFile, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "secret").write_text("secret")
    prepared = await tool.prepare({"path": "a"})
    (tmp_path / "a").unlink()
    (tmp_path / "a").symlink_to("secret")

    with pytest.raises(ToolFault) as fault:
        await prepared.perform()
    assert fault.value.code == "changed_since"


async def test_a_folder_that_was_closed_since_is_not_read_in(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one/a").write_text("one")
    roots = [str(tmp_path / "one")]
    tool = ReadFile(lambda: tuple(roots))
    prepared = await tool.prepare({"path": "a"})
    roots[:] = [str(tmp_path / "two")]

    with pytest.raises(ToolFault) as fault:
        await prepared.perform()
    assert fault.value.code == "changed_since"


async def test_what_the_gate_is_told(tool: ReadFile, tmp_path: Path) -> None:
    real_hosts = str(Path("/etc/hosts").resolve())  # noqa: ASYNC240 - a test may wait for the disk
    (tmp_path / "link").symlink_to("/etc/hosts")
    (use,) = (await tool.prepare({"path": "link"})).paths

    assert (use.access, use.inside, use.named) == (Access.READ, False, str(tmp_path / "link"))
    assert use.real == real_hosts


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({}, "path"),
        ({"path": ""}, "path"),
        ({"path": None}, "path"),
        ({"path": 5}, "path"),
        ({"path": ["a"]}, "path"),
        ({"path": "\ud800"}, "path"),
        ({"path": "a", "offset": 0}, "offset"),
        ({"path": "a", "offset": "1"}, "offset"),
        ({"path": "a", "offset": 1.5}, "offset"),
        ({"path": "a", "limit": 0}, "limit"),
        ({"path": "a", "limit": True}, "limit"),
        ({"path": "a", "extra": 1}, "extra"),
        ({"Path": "a"}, "path"),
    ],
)
def test_arguments_that_do_not_fit(tool: ReadFile, args: dict[str, Any], words: str) -> None:
    fault = tool.fault(args)

    assert fault is not None
    assert f"{words}: " in fault


def test_the_schema_is_the_one_that_is_checked(tool: ReadFile) -> None:
    schema = tool.spec.schema
    assert schema["required"] == ["path"]
    assert schema["additionalProperties"] is False
    assert MAX_BYTES >= MAX_RESULT

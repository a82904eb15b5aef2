"""Reading a settings file that a stranger may have put there."""

import os
import socket
import sys
from pathlib import Path

import pytest

from assent.settings.reading import MAX_BYTES, Reading, SettingsFile

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes and links")


def says(reading: Reading) -> object:
    assert reading.fault is None
    assert reading.document is not None
    return reading.document.value


def test_a_missing_file_says_nothing(tmp_path: Path) -> None:
    reading = SettingsFile(tmp_path / "none" / "settings.json").read()
    assert not reading.exists
    assert reading.fault is None


def test_an_edit_is_seen_even_within_one_tick_of_the_file_system(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    file = SettingsFile(path)
    path.write_text('{"a": 1}')
    info = path.stat()
    assert says(file.read()) == {"a": 1}
    with path.open("r+") as stream:
        stream.write('{"a": 2}')
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert says(file.read()) == {"a": 2}


def test_an_unchanged_file_is_parsed_once(tmp_path: Path) -> None:
    for size in (10, 100_000):
        path = tmp_path / f"{size}.json"
        path.write_text('{"a": 1}' + " " * size)
        file = SettingsFile(path)
        first = file.read()
        assert file.read() is first
        path.write_text('{"a": 2}' + " " * size)
        assert says(file.read()) == {"a": 2}


def test_of_a_file_that_breaks_the_last_good_reading_is_known(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"a": 1}')
    file = SettingsFile(path)
    file.read()
    path.write_text('{\n"a": 1,,\n}')
    broken = file.read()
    assert broken.document is None
    assert broken.line == 2
    assert broken.last_good is not None
    assert broken.last_good.value == {"a": 1}
    path.write_text('{"a": 3}')
    assert says(file.read()) == {"a": 3}


BROKEN = {
    "cut": b'{"assent.bypassPermissions": {"Demo": tr',
    "list": b"[1]",
    "null": b"null",
    "text": b'"x"',
    "latin": b'{"a": "\xe9"}',
    "wide": '{"a": 1}'.encode("utf-16"),
    "deep": b'{"a":' * 5000,
    "nul": b"\x00" * 50,
    "open comment": b"{} /*",
    "two": b"{}{}",
    "single quotes": b"{'a': 1}",
    "bare": b"{a: 1}",
    "too large": b" " * (MAX_BYTES + 1),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_is_a_fault_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    reading = SettingsFile(path).read()
    assert reading.exists
    assert reading.fault
    assert reading.document is None
    assert path.read_bytes() == content


@posix_only
def test_a_named_pipe_a_device_a_socket_and_a_folder_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for name in ("pipe", "device", "socket", "folder"):
            reading = SettingsFile(tmp_path / name).read()
            assert reading.fault == "this is not a regular file"


@posix_only
def test_a_link_is_followed_and_a_loop_of_links_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text('{"a": 1}')
    (tmp_path / "settings.json").symlink_to("real.json")
    assert says(SettingsFile(tmp_path / "settings.json").read()) == {"a": 1}
    (tmp_path / "loop").symlink_to("loop")
    assert SettingsFile(tmp_path / "loop").read().fault


@posix_only
def test_a_huge_sparse_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(50 * 2**30)
    fault = SettingsFile(tmp_path / "sparse").read().fault
    assert fault is not None
    assert "too large" in fault


def test_as_long_as_nothing_changes_the_reading_is_the_same_one(tmp_path: Path) -> None:
    missing, folder = SettingsFile(tmp_path / "none"), SettingsFile(tmp_path)
    assert missing.read() is missing.read()
    assert folder.read() is folder.read()

"""openat2 as it is used here: beneath a handle, no link of any kind anywhere on the way."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.tools import openat2

pytestmark = pytest.mark.skipif(not openat2.is_available(), reason="this kernel has no openat2")
FLAGS = os.O_RDONLY | os.O_CLOEXEC


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "sub" / "deep" / "a").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("sub")
    (tmp_path / "sub" / "back").symlink_to("deep/a")
    return tmp_path


@pytest.fixture
def handle(root: Path) -> Iterator[int]:
    opened = os.open(root, os.O_RDONLY)
    yield opened
    os.close(opened)


def test_what_lies_beneath(handle: int) -> None:
    opened = openat2.open_beneath(handle, "sub/deep/a", FLAGS)
    assert os.read(opened, 10) == b"mine"
    assert not os.get_inheritable(opened)
    os.close(opened)


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("link/deep/a", errno.ELOOP),
        ("link", errno.ELOOP),
        ("sub/back", errno.ELOOP),
        ("..", errno.EXDEV),
        ("sub/../../x", errno.EXDEV),
        ("/etc/hosts", errno.EXDEV),
        ("none", errno.ENOENT),
        ("sub/deep/a/b", errno.ENOTDIR),
        ("x" * 300, errno.ENAMETOOLONG),
        ("x/" * 3_000, errno.ENAMETOOLONG),
    ],
)
def test_what_is_refused(handle: int, path: str, number: int) -> None:
    with pytest.raises(OSError) as fault:
        openat2.open_beneath(handle, path, FLAGS)
    assert fault.value.errno == number


def test_the_links_of_proc_are_links(root: Path) -> None:
    slash = os.open("/", os.O_RDONLY)
    try:
        for path in ("proc/self/root/etc", f"proc/{os.getpid()}/root", f"proc/{os.getpid()}/cwd"):
            with pytest.raises(OSError) as fault:
                openat2.open_beneath(slash, path, FLAGS)
            assert fault.value.errno == errno.ELOOP
    finally:
        os.close(slash)


def test_longer_paths_than_a_call_takes_are_walked(root: Path) -> None:
    assert openat2.takes("/" + "x" * 4_000)
    assert not openat2.takes("/" + "x" * 4_095)
    assert not openat2.takes("/" + "文" * 1_400)

"""Which paths are no files but devices, switches of the system, or the inside of processes."""

import pytest

from assent.policy.devices import SAFE_DEVICES, is_unsafe_device


@pytest.mark.parametrize(
    "path",
    [
        "/dev/sda",
        "/dev/mem",
        "/dev/pts/0",
        "/dev/tcp/127.0.0.1/80",
        "/dev/fd/x",
        "/dev/fd/",
        "/dev/fd/1/..",
        "/dev/fd/\u0661",
        "/dev/nullx",
        "/dev/null/x",
        "//dev//sda",
        "/dev/./sda",
        "/./dev/sda",
        "/DEV/disk0",
        "/De\u200bv/disk0",
        "/proc/self",
        "/proc/self/environ",
        "/proc/thread-self/mem",
        "/proc/1/mem",
        "/proc/1/environ",
        "/proc/1/fd/3",
        "/proc/1/root/etc/shadow",
        "/proc/1/cwd",
        "/proc/1/task/2/mem",
        "/proc/1/oom_score_adj",
        "/proc/sys/kernel/core_pattern",
        "/proc/sysrq-trigger",
        "/proc/kcore",
        "/sys",
        "/sys/power/state",
        "//sys/x",
        "\\\\.\\PhysicalDrive0",
        "//./PhysicalDrive0",
        "\\\\.\\pipe\\x",
        "\\\\?\\GLOBALROOT\\Device\\x",
        "C:\\w\\con",
        "C:\\w\\COM1.txt",
        "C:\\w\\aux.c",
        "C:/w/lpt9:x",
        "C:\\w\\con .txt",
        "\\\\host\\share\\prn",
    ],
)
def test_is_never_touched(path: str) -> None:
    assert is_unsafe_device(path)


@pytest.mark.parametrize(
    "path",
    [
        *SAFE_DEVICES,
        "/dev/fd/0",
        "/dev/fd/12",
        "/dev/shm/p/a.txt",
        "/dev",
        "/device/x",
        "/w/dev/sda",
        "/w/proc/self/x",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/1/status",
        "/proc/driver/stack",
        "/proc/1/cmdline",
        "/system/x",
        "/w/aux.c",
        "/w/con",
        "/w/nul",
        "con",
        "aux.c",
        "a: b",
        "C:\\w\\console.txt",
        "C:\\w\\com.txt",
        "C:\\w\\nul",
        "\\\\?\\C:\\w\\a.txt",
        "\\\\?\\UNC\\host\\share\\a.txt",
        "\\\\host\\share\\a.txt",
        "dev/sda",
        "sys/x",
        "",
        "/",
    ],
)
def test_is_nothing_to_fear(path: str) -> None:
    assert not is_unsafe_device(path)

"""The filter of system calls, run by a small machine of our own for both kinds of processors, and by the kernel."""

import struct
from itertools import product

import pytest

from assent.sandbox.call_numbers import CALLS
from assent.sandbox.seccomp import system_calls
from assent.sandbox.words import Tier
from tests.support.confining import BOTH, PYTHON, Room

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


def answer(code: bytes, machine: int, number: int, *arguments: int) -> int:
    """What the filter says about a call: it is carried out as the kernel's manual says, and ends in bounds."""
    values = (*arguments, *([0] * (6 - len(arguments))))
    data = struct.pack("=iIQ6Q", number, machine, 0, *values)
    steps = list(struct.iter_unpack("=HBBI", code))
    place, held = 0, 0
    while True:
        kind, yes, no, value = steps[place]
        place += 1
        match kind:
            case 0x20:
                held = struct.unpack_from("=I", data, value)[0]
            case 0x54:
                held &= value
            case 0x15:
                place += yes if held == value else no
            case 0x35:
                place += yes if held >= value else no
            case 0x45:
                place += yes if held & value else no
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(kind)


def said(machine: str, name: str, *arguments: int, internet: bool = True, apart: bool = True) -> int:
    """What is said about a call by its name."""
    kind, column = MACHINES[machine]
    number = CALLS[name][column]
    code = system_calls(machine, internet=internet, apart=apart)
    assert code is not None
    assert number is not None
    return answer(code, kind, number, *arguments)


def error(number: int) -> int:
    return 0x00050000 | number


@pytest.mark.parametrize("machine", MACHINES)
def test_sockets(machine: str) -> None:
    for family, kind in product(range(50), (1, 2, 1 | 0o2000000, 2 | 0o4000)):
        expected = ALLOWED if family in {2, 10} else error(1)
        assert said(machine, "socket", family, kind) == expected, (family, kind)
        assert said(machine, "socket", family, kind, internet=False) == error(1)
    assert said(machine, "socket", 2, 3) == said(machine, "socket", 10, 3 | 0o2000000) == error(1)
    assert said(machine, "socket", (1 << 32) | 1, 1) == error(1)


@pytest.mark.parametrize("machine", MACHINES)
def test_pairs_of_sockets(machine: str) -> None:
    for kind in range(8):
        assert said(machine, "socketpair", 1, kind | 0o2000000) == (ALLOWED if kind in {1, 5} else error(1)), kind
    assert said(machine, "socketpair", 2, 1) == error(1)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["clone", "unshare"])
def test_namespaces(machine: str, name: str) -> None:
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert said(machine, name, flag) == said(machine, name, flag | 0x11) == error(1), hex(flag)
    assert said(machine, name, 0x003D0F00) == said(machine, name, 0x01200011) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_terminals(machine: str) -> None:
    assert said(machine, "ioctl", 0, 0x5412) == said(machine, "ioctl", 0, 0x541C) == error(1)
    assert said(machine, "ioctl", 0, (7 << 32) | 0x5412) == error(1)
    assert said(machine, "ioctl", 0, 0x5413) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_what_belongs_to_the_system(machine: str) -> None:
    for name in (
        "mount",
        "bpf",
        "keyctl",
        "userfaultfd",
        "perf_event_open",
        "setns",
        "pivot_root",
        "open_by_handle_at",
    ):
        assert said(machine, name) == error(1), name
    for name in ("clone3", "io_uring_setup"):
        assert said(machine, name) == error(38), name


@pytest.mark.parametrize("machine", MACHINES)
def test_modes_are_left_alone_where_files_are_those_of_others(machine: str) -> None:
    assert said(machine, "fchmod") == ALLOWED
    assert said(machine, "fchmod", apart=False) == said(machine, "fchownat", apart=False) == error(0)
    assert said(machine, "setxattr", apart=False) == error(95)


@pytest.mark.parametrize("machine", MACHINES)
def test_other_kinds_of_programs_are_ended(machine: str) -> None:
    code = system_calls(machine, internet=True, apart=True)
    assert code is not None
    kind, _ = MACHINES[machine]
    for other in (0x40000003, 0x40000028, 0):
        assert answer(code, other, 1) == KILLED
    for number in (0x40000000, 0x40000029, 0x40000200):
        assert answer(code, kind, number) == KILLED
    assert answer(code, kind, 0) == ALLOWED


def test_there_is_none_for_others() -> None:
    assert system_calls("riscv64", internet=True, apart=True) is None


def test_no_number_stands_twice() -> None:
    for column in (0, 1):
        numbers = [row[column] for row in CALLS.values() if row[column] is not None]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("tier", BOTH)
def test_the_kernel_says_the_same(room: Room, tier: Tier) -> None:
    import os

    column = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
    wanted = [CALLS[name][column] for name in ("bpf", "keyctl", "add_key", "userfaultfd", "perf_event_open", "setns")]
    wanted += [CALLS[name][column] for name in ("clone3", "io_uring_setup")]
    text = f"import ctypes; l = ctypes.CDLL(None, use_errno=True); z = ctypes.c_long(0)\nfor n in {wanted}:\n"
    text += "    ctypes.set_errno(0); l.syscall(ctypes.c_long(n), z, z, z, z, z, z); print(ctypes.get_errno())\n"
    room.file("calls.py", text)

    ran = room.run(f"{PYTHON} calls.py", tier)

    assert ran.output.split() == ["1"] * 6 + ["38"] * 2, ran

"""Where Assent keeps what it remembers, on each system, and the clock that is the machine's."""

import sys
from pathlib import Path
from uuid import UUID

import pytest

from assent.runtime.clock import SystemClock
from assent.runtime.ids import new_id
from assent.runtime.places import state_directory


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASSENT_STATE_DIR", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")


def test_the_named_one_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSENT_STATE_DIR", "~/elsewhere")
    assert state_directory() == Path("/home/me/elsewhere")


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", None, "", "/home/me/.local/state/assent"),
        ("linux", "XDG_STATE_HOME", "/state", "/state/assent"),
        ("linux", "XDG_STATE_HOME", "", "/home/me/.local/state/assent"),
        ("darwin", None, "", "/home/me/Library/Application Support/assent"),
        ("win32", "LOCALAPPDATA", "/local", "/local/assent"),
        ("win32", None, "", "/home/me/AppData/Local/assent"),
    ],
)
def test_else_the_one_of_the_system(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str | None, value: str, expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    if variable:
        monkeypatch.setenv(variable, value)
    assert state_directory() == Path(expected)


async def test_the_clock_of_the_machine() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0)

    assert clock.monotonic() >= before
    assert clock.timestamp().endswith("Z")
    assert len(clock.timestamp()) == len("2026-01-01T00:00:00.000Z")


def test_ids_are_random_uuids() -> None:
    ids = {new_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(UUID(one).version == 4 for one in ids)

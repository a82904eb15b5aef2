"""A command that an agent tells of before it asks is read by the time that it asks, and nothing else happens to it."""

from pathlib import Path
from typing import Any

import pytest

from assent.acp.claimed_look import look
from assent.acp.open_calls import OpenCalls
from assent.commandline import read
from tests.support.acp_traffic import CALL, request, told, update
from tests.support.clock import FakeClock


class NoHost:
    """What is only told leaves no trace in the chat."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was called for a call that only waits")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read, and not only remembered."""
    found: list[str] = []
    real = read._read
    read._read_before.cache_clear()
    monkeypatch.setattr(read, "_read", lambda text, around: found.append(text) or real(text, around))
    return found


def calls(folder: Path) -> OpenCalls:
    return OpenCalls("Agent", NoHost(), FakeClock(), folder=str(folder))  # type: ignore[arg-type]


async def test_it_is_not_read_again_when_it_is_asked_about(tmp_path: Path, reads: list[str]) -> None:
    opened = calls(tmp_path)
    opened.told(told(update("tool_call", toolCallId=CALL, kind="execute", status="pending")))
    assert reads == []
    opened.told(told(update("tool_call_update", toolCallId=CALL, rawInput={"command": "rm -r box"})))
    assert reads == ["rm -r box"]
    call = opened.asking(told(request(kind="execute", rawInput={"command": "rm -r box"})))
    assert call is not None
    found = look(opened.claim(call), (str(tmp_path),), "Agent", str(tmp_path))
    assert found.command is not None and [part.written for part in found.command.parts] == ["rm -r box"]
    assert reads == ["rm -r box"]


async def test_what_is_asked_counts_and_not_what_was_told_before(tmp_path: Path, reads: list[str]) -> None:
    opened = calls(tmp_path)
    opened.told(told(update("tool_call", toolCallId=CALL, kind="execute", rawInput={"command": "ls"})))
    call = opened.asking(told(request(kind="execute", rawInput={"command": "rm -r box"})))
    assert call is not None
    found = look(opened.claim(call), (str(tmp_path),), "Agent", str(tmp_path))
    assert found.command is not None and found.command.text == "rm -r box"
    assert reads == ["ls", "rm -r box"]


@pytest.mark.parametrize("command", ["true; " * 1_000, ""], ids=["long", "empty"])
async def test_what_takes_long_or_says_nothing_waits_for_its_look(
    tmp_path: Path, reads: list[str], command: str
) -> None:
    opened = calls(tmp_path)
    opened.told(told(update("tool_call", toolCallId=CALL, kind="execute", rawInput={"command": command})))
    assert reads == []

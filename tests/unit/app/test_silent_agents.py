"""An agent of others that says nothing: the chat says what it waits for, and then what to do."""

import shlex
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assent.acp import scripted
from assent.agent.chat import Chat
from assent.app.app import App
from assent.app.scopes import Scopes
from assent.app.seat import Sent
from assent.model.events import Notice, NoticeLevel
from assent.model.json import Json
from assent.model.modes import Mode
from tests.support.clock import FakeClock
from tests.support.scale import eventually

SILENT = "import sys, time; sys.stderr.write('Fetching the package\\n'); sys.stderr.flush(); time.sleep(600)"


@dataclass
class Place:
    app: App
    clock: FakeClock
    folder: Path

    def chat(self, command: str, *args: str) -> Chat:
        agent: Json = {"command": command, "args": list(args)}
        self.app.trust.meet((self.folder,), Scopes(user={"agents": {"Quiet": agent}}), trusted=None, write=None)
        return self.app.open_chat("Quiet", Mode.DEFAULT)

    async def waits(self) -> None:
        await eventually(lambda: self.clock.sleeping > 0)


def notices(chat: Chat) -> list[Notice]:
    return [one.event for one in chat.events.since(0) if isinstance(one.event, Notice)]


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    folder = tmp_path / "root"
    folder.mkdir()
    clock = FakeClock()
    app = App(clock, tmp_path / "state", ())
    app.workspace.folders = (str(folder),)
    yield Place(app, clock, folder)
    await app.shut_down()


async def test_it_is_said_what_is_waited_for_then_what_to_do(place: Place) -> None:
    chat = place.chat(sys.executable, "-c", SILENT)
    run = place.app.desk.send(chat.session_id, "go", None)
    await place.waits()
    await eventually(lambda: "Fetching" in last_words(place, chat))
    place.clock.advance(4.9)
    assert notices(chat) == []
    place.clock.advance(0.2)
    await eventually(lambda: len(notices(chat)) == 1)
    assert notices(chat)[0].text == "Waiting for Quiet to answer initialize…"

    await place.waits()
    place.clock.advance(15)
    await eventually(lambda: len(notices(chat)) == 2)
    told = notices(chat)[1]
    assert told.level is NoticeLevel.WARNING
    assert "Quiet has not answered initialize for 20 seconds" in told.text
    assert shlex.join([sys.executable, "-c", SILENT]) in told.text
    assert "Fetching the package" in told.text

    # It is waited for on: a package manager may be at it.
    place.clock.advance(100)
    assert not run.done()
    await place.app.desk.stop(chat.session_id)
    assert (await run).end.reason == "cancelled"
    assert len(notices(chat)) == 2


def last_words(place: Place, chat: Chat) -> str:
    session = place.app.guests.session(chat.session_id)
    return session._house.last_words if session is not None else ""


async def test_one_that_answers_in_time_is_not_spoken_of(place: Place, tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text('{"prompts": [[{"say": "Here."}]]}')
    chat = place.chat(*scripted.command(str(tmp_path / "script.json")))
    end: Sent = await place.app.desk.send(chat.session_id, "go", None)
    assert end.end.reason == "stop"
    place.clock.advance(100)
    assert notices(chat) == []
    assert place.clock.sleeping == 0


async def test_one_that_opens_no_chat_is_said_to_do_so(place: Place) -> None:
    answer = "print(json.dumps({'jsonrpc': '2.0', 'id': one['id'], 'result': {'protocolVersion': 1}}), flush=True)"
    code = "import json, sys\nfor line in sys.stdin:\n    one = json.loads(line)\n"
    code += f"    if one['method'] == 'initialize':\n        {answer}\n"
    chat = place.chat(sys.executable, "-c", code)
    place.app.desk.send(chat.session_id, "go", None)
    await place.waits()
    session = place.app.guests.session(chat.session_id)
    assert session is not None
    await eventually(lambda: session._house.waits_for == "session/new")
    place.clock.advance(5)
    await eventually(lambda: len(notices(chat)) == 1)
    assert notices(chat)[0].text == "Waiting for Quiet to answer session/new…"

"""Texts that are spoken: by a server, by a program of this machine, or by nobody, with the reason."""

import asyncio
import os
import shutil
import sys
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Prepared
from assent.app.keys import Keys
from assent.app.media_makers import MediaMakers
from assent.model.errors import ToolFault
from assent.model.services import Maker, ServiceChoice
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.settings.effective import Effective, before_settings
from assent.tools import speech_engine
from assent.tools.speech_engine import Engine, find_engine, no_engine
from assent.tools.writing import Writer
from tests.support.media_files import MP3_BYTES, wav
from tests.support.media_server import MediaServer
from tests.support.scale import wait_until

ENGINE = """#!{python}
# Speaks as espeak-ng does: options, the text from its input, a WAV file at the place that it is given.
import os, sys, time, wave
from pathlib import Path

told = Path({told!r})
text = sys.stdin.buffer.read()
told.write_bytes(b"\\0".join(os.fsencode(one) for one in sys.argv[1:]) + b"\\0" + text)
{before}
with wave.open(sys.argv[sys.argv.index("-w") + 1], "wb") as sound:
    sound.setnchannels(1)
    sound.setsampwidth(2)
    sound.setframerate(8000)
    sound.writeframes(text * 2)
{after}
"""


class Desk:
    """The tool of one chat, on a machine with these programs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.programs, self.passing = folder / "root", folder / "bin", folder / "tmp"
        for made in (self.root, self.programs, self.passing):
            made.mkdir()
        self.told = folder / "told"
        self.written: list[str] = []
        self.settings: Effective = before_settings()
        monkeypatch.setenv("PATH", str(self.programs))
        monkeypatch.setenv("TMPDIR", str(self.passing))
        self.processes = Processes()
        makers = MediaMakers(Keys({}, KnownSecrets()), self.processes, lambda: self.settings)
        self.tool = makers.speech(lambda: (str(self.root),), Writer(writes=self.written.append))

    def install(self, name: str = "espeak-ng", before: str = "", after: str = "", folder: Path | None = None) -> Path:
        path = (folder or self.programs) / name
        path.write_text(ENGINE.format(python=sys.executable, told=str(self.told), before=before, after=after))
        path.chmod(0o755)
        return path

    def use(self, choice: ServiceChoice) -> None:
        self.settings = replace(self.settings, speech=choice)

    async def prepared(self, text: str = "Hello", path: str = "a.wav", **more: Any) -> Prepared:
        args = {"text": text, "path": path, **more}
        assert self.tool.fault(args) is None
        return await self.tool.prepare(args)

    async def fault(self, *args: str, **more: Any) -> ToolFault:
        with pytest.raises(ToolFault) as raised:
            await (await self.prepared(*args, **more)).perform()
        return raised.value

    @property
    def files(self) -> list[str]:
        """Also what a program may have left in passing."""
        return sorted(path.name for folder in (self.root, self.passing) for path in folder.rglob("*"))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(tmp_path, monkeypatch)
    yield made
    made.processes.end_all()


async def test_a_program_of_this_machine_is_given_the_text_where_it_reads_no_options(desk: Desk) -> None:
    program = desk.install()
    call = await desk.prepared("--help; -w /etc/x", voice="en-gb")
    assert call.risk is not None
    assert str(program) in call.risk.notes[0]
    answer = await call.perform()
    *options, text = desk.told.read_bytes().split(b"\0")
    assert text == b"--help; -w /etc/x"
    assert options[:5] == [b"--stdin", b"-b", b"1", b"-v", b"en-gb"]
    assert desk.files == ["a.wav"]
    assert answer.made is not None
    assert answer.made.mime == "audio/wav"
    with wave.open(str(desk.root / "a.wav")) as sound:
        assert sound.getnframes() == len(text)


async def test_the_second_best_program_is_taken_where_the_best_is_missing(desk: Desk) -> None:
    desk.install("espeak")
    await (await desk.prepared()).perform()
    assert desk.files == ["a.wav"]


def test_a_program_in_an_open_folder_is_never_started(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = desk.install(folder=desk.root)
    (desk.programs / "espeak-ng").symlink_to(inside)
    desk.install("espeak")
    monkeypatch.chdir(desk.root)
    path = os.pathsep.join((str(desk.root), ".", "", str(desk.programs)))
    found = find_engine((str(desk.root),), {"PATH": path}, "linux")
    assert found == Engine("espeak", str(desk.programs / "espeak"))


async def test_without_any_program_it_is_said_what_is_missing_and_nobody_is_asked(desk: Desk) -> None:
    call = await desk.prepared()
    assert call.impossible is not None
    assert call.impossible.code == "no_engine"
    fault = await desk.fault()
    for word in ("espeak-ng", "install", "assent.speech", "Nothing was written"):
        assert word in str(fault)
    assert desk.files == []


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_each_system_has_its_own_words_for_it(platform: str) -> None:
    assert "assent.speech" in str(no_engine(platform).why)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("sys.exit('no such voice')", "", "no such voice"),
        ("sys.exit(0)", "", "ended without"),
        ("os.abort()", "", "SIGABRT"),
        ("", "sys.exit(3)", "code 3"),
    ],
)
async def test_a_program_that_fails_is_quoted_and_leaves_nothing(
    desk: Desk, before: str, after: str, said: str
) -> None:
    desk.install(before=before, after=after)
    fault = await desk.fault()
    assert (fault.code, said in str(fault)) == ("engine_failed", True), fault
    assert desk.files == desk.written == []


async def test_what_is_no_sound_is_not_taken_for_one(desk: Desk) -> None:
    end = "Path(sys.argv[-1]).write_bytes(b'<html>'); sys.exit(0)"
    desk.install(before=end)
    assert (await desk.fault()).code == "wrong_format"
    assert desk.files == []


async def test_no_more_is_read_than_may_come(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_engine, "MOST_WRITTEN", 10_000)
    desk.install(before="Path(sys.argv[-1]).write_bytes(b'x' * 100_000)")
    fault = await desk.fault()
    assert fault.code == "engine_failed"
    assert desk.files == []


async def test_a_stop_ends_the_program_and_leaves_nothing(desk: Desk) -> None:
    desk.install(before="told.with_suffix('.pid').write_text(str(os.getpid())); time.sleep(3600)")
    pid = desk.told.with_suffix(".pid")
    work = asyncio.ensure_future((await desk.prepared()).perform())
    await asyncio.to_thread(wait_until, lambda: pid.exists() and pid.read_text() != "", within=20, what="its start")
    work.cancel()
    with pytest.raises(ToolFault) as raised:
        await work
    assert raised.value.code == "cancelled"
    assert desk.files == desk.written == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


async def test_another_program_since_the_card_is_another_one(desk: Desk) -> None:
    desk.install("espeak")
    call = await desk.prepared()
    desk.install("espeak-ng")
    assert (await desk.prepared()).state != call.state
    with pytest.raises(ToolFault) as raised:
        await call.perform()
    assert raised.value.code == "changed_since"
    assert not desk.told.exists()


@pytest.mark.parametrize(
    "args",
    [
        {"text": "x", "path": "a.png"},
        {"text": " ", "path": "a.wav"},
        {"text": "\ud800", "path": "a.wav"},
        {"text": "x" * 20_001, "path": "a.wav"},
        {"text": "x", "path": "a.wav", "voice": "-w"},
        {"text": "x", "path": "a.wav", "voice": "../../x"},
        {"text": "x", "path": "a.wav", "voice": "a\nb"},
        {"text": "x", "path": "a.wav", "voice": ""},
        {"text": "x"},
    ],
)
def test_arguments_that_make_no_sense_are_refused(desk: Desk, args: dict[str, Any]) -> None:
    desk.install()
    assert desk.tool.fault(args) is not None


async def test_a_program_that_makes_no_mp3_is_not_asked_for_one(desk: Desk) -> None:
    desk.install()
    call = await desk.prepared(path="a.mp3")
    assert call.impossible is not None
    assert (call.impossible.code, ".wav" in str(call.impossible)) == ("wrong_kind", True)
    assert (await desk.fault(path="a.mp3")).code == "wrong_kind"


def test_each_program_is_told_by_its_own_options() -> None:
    say = Engine("say", "/usr/bin/say").start("/tmp/x", "Anna", {}).argv
    assert say[:3] == ("/usr/bin/say", "-v", "Anna")
    assert say[-2:] == ("-f", "-")
    sapi = Engine("powershell", "powershell.exe").start("/tmp/x", "Anna", {})
    assert sapi.environment["ASSENT_VOICE"] == "Anna"
    assert "Anna" not in " ".join(sapi.argv)


async def test_a_server_speaks(desk: Desk) -> None:
    with MediaServer() as server:
        desk.use(ServiceChoice(Maker.OPENAI, f"{server.origin}/v1", "tts", "nova"))
        server.makes(wav(), mime="application/json")
        await (await desk.prepared()).perform()
        server.makes(MP3_BYTES)
        await (await desk.prepared(path="b.mp3", voice="echo")).perform()
        bodies = [asked.body for asked in server.asked]
        assert bodies[0] == {"model": "tts", "input": "Hello", "voice": "nova", "response_format": "wav"}
        assert (bodies[1]["voice"], bodies[1]["response_format"]) == ("echo", "mp3")
        assert desk.files == ["a.wav", "b.mp3"]
        server.makes(MP3_BYTES, mime="audio/wav")
        assert (await desk.fault(path="c.wav")).code == "wrong_format"
        server.breaks_off(wav()[:100])
        assert (await desk.fault(path="c.wav")).code == "broken_off"
        server.makes(wav()[:-100])
        assert (await desk.fault(path="c.wav")).code == "cut_off"
    assert desk.files == ["a.wav", "b.mp3"]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed here")
async def test_the_real_program_really_speaks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    await (await desk.prepared("Hello there, this is spoken.", voice="en")).perform()
    with wave.open(str(desk.root / "a.wav")) as sound:
        assert sound.getnframes() / sound.getframerate() > 0.5
    assert desk.files == ["a.wav"]

"""The program of this machine that can speak: found outside the open folders, given its text where no option is read.

It writes into a folder of its own that is gone when it has ended, however it ended.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from assent.agent.readable import printed
from assent.lazy_dataclasses import dataclass
from assent.media.kinds import WAV, Kind
from assent.media.orders import Made, Order
from assent.model.errors import ToolFault
from assent.runtime.kept_output import KeptOutput
from assent.runtime.places import temporary_directory
from assent.runtime.processes import Bounds, Exit, Processes, Start, Stream
from assent.tools.faults import explained
from assent.tools.nobody import Nobody
from assent.tools.places import Roots, locate
from assent.tools.shell import environment_for, find_shell

MOST_BYTES = 32 * 1024 * 1024
MOST_WRITTEN = 4 * MOST_BYTES
"""Of any one file: sound systems share memory through files that are larger than what is said."""
_MOST_COMPLAINT = 2_000
_FILE = "speech.wav"
_ESPEAK = ("espeak-ng", "espeak")
_SAPI = (
    "$ErrorActionPreference = 'Stop'; Add-Type -AssemblyName System.Speech; "
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; "
    "$speaker = New-Object System.Speech.Synthesis.SpeechSynthesizer; "
    "if ($env:ASSENT_VOICE) { $speaker.SelectVoice($env:ASSENT_VOICE) }; "
    "$speaker.SetOutputToWaveFile($env:ASSENT_FILE); $speaker.Speak([Console]::In.ReadToEnd()); $speaker.Dispose()"
)


@dataclass(frozen=True, slots=True)
class Engine:
    """A program that speaks, by its name and its path."""

    name: str
    path: str

    def start(self, folder: str, voice: str, environment: Mapping[str, str]) -> Start:
        """How it is started, so that it reads the text and writes the file. The voice is checked before."""
        file = str(Path(folder) / _FILE)
        own: dict[str, str] = {}
        chosen = ("-v", voice) if voice else ()
        if self.name in _ESPEAK:
            argv = (self.path, "--stdin", "-b", "1", *chosen, "-w", file)
        elif self.name == "say":
            argv = (self.path, *chosen, "-o", file, "--file-format=WAVE", "--data-format=LEI16@22050", "-f", "-")
        else:
            argv = (self.path, "-NoProfile", "-NonInteractive", "-Command", _SAPI)
            own = {"ASSENT_FILE": file, "ASSENT_VOICE": voice}
        bounds = Bounds(file_bytes=MOST_WRITTEN)
        return Start(argv, folder, {**environment, **own}, bounds=bounds, talks=True)


def find_engine(roots: tuple[str, ...], given: Mapping[str, str], platform: str = sys.platform) -> Engine | None:
    """The one of this system; what lies in an open folder never counts. `given` is our environment."""
    if platform == "win32":
        shell = find_shell(roots, given, "powershell")
        return None if isinstance(shell, ToolFault) else Engine("powershell", shell.path)
    path = environment_for(roots, given)["PATH"]
    for name in ("say",) if platform == "darwin" else _ESPEAK:
        for folder in path.split(os.pathsep):
            program = shutil.which(name, path=folder)
            if program is not None and not locate(program, roots).inside:
                return Engine(name, program)
    return None


def no_engine(platform: str = sys.platform) -> Nobody:
    """Where there is none."""
    missing = {"win32": "PowerShell is not where Windows keeps it", "darwin": "there is no say on PATH"}
    why = missing.get(platform, f"there is neither {' nor '.join(_ESPEAK)} on PATH")
    do = "is to be put back" if platform in missing else "(the package espeak-ng) can be installed by the user"
    words = f"Nothing on this machine can speak: {why}. It {do}, or the user names a server in the setting"
    return Nobody(ToolFault("no_engine", f"{words} assent.speech. Nothing was written."), (WAV,))


class SystemSpeaker:
    """Has it speak."""

    kinds: tuple[Kind, ...] = (WAV,)
    impossible: ToolFault | None = None

    def __init__(
        self,
        engine: Engine,
        voice: str,
        processes: Processes,
        roots: Roots,
        given: Mapping[str, str],
        folder: Callable[[], Path] = temporary_directory,
    ) -> None:
        self._engine = engine
        self._voice = voice
        self._processes = processes
        self._roots = roots
        self._given = given
        self._folder = folder
        self.told = f"The program {engine.path} of this machine speaks it. The text goes nowhere else."
        self.bound = f"{engine.name}|{engine.path}|{voice}"

    async def make(self, order: Order) -> Made:
        """Raises ToolFault."""
        folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="assent-speech-", dir=self._folder())
        try:
            await self._speak(folder, order)
            return Made(await asyncio.to_thread(self._spoken, folder))
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _speak(self, folder: str, order: Order) -> None:
        data = order.text.encode("utf-8")
        environment = environment_for(self._roots(), self._given)
        complaint = KeptOutput(_MOST_COMPLAINT)
        start = self._engine.start(folder, order.voice or self._voice, environment)

        def said(stream: Stream, piece: bytes) -> None:
            if stream is Stream.ERRORS:
                complaint.add(piece)

        try:
            running = await self._processes.start(start, said)
        except OSError as fault:
            raise explained(fault, self._engine.path) from fault
        try:
            running.write(data)
            running.close_input()
            end = await running.ended()
        finally:
            await running.end()
        if end.code != 0:
            raise self._failed(end, " ".join(printed(complaint.text()).split()))

    def _failed(self, end: Exit, complaint: str) -> ToolFault:
        how = f"it had {end.limit}" if end.limit else f"it was ended by {end.signal}" if end.signal else ""
        how = how or f"it ended with code {end.code}"
        quoted = f" It says: “{complaint[:300]}”." if complaint else ""
        return ToolFault("engine_failed", f"{self._engine.name} did not speak it: {how}.{quoted} Nothing was written.")

    def _spoken(self, folder: str) -> bytes:
        try:
            with Path(folder, _FILE).open("rb") as file:
                return file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            words = f"{self._engine.name} ended without having said anything. Nothing was written."
            raise ToolFault("engine_failed", words) from None
        except OSError as fault:
            raise explained(fault, folder) from fault

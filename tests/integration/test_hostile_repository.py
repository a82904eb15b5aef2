"""Opening a hostile repository starts nothing, contacts nobody, changes nothing and reads nothing but its settings.

The server is the real one, under strace, opened as an editor would. `ASSENT_TEST_WATCH_SECONDS=60` watches it for as
long; without it, until it is idle.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile import MODULES, READABLE, HostileRepository
from tests.support.processes import ROOT, python
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import Chat, EagerClient, Server, refusal
from tests.support.traced import Trace, require_strace
from tests.support.traps import CONTACTED, Traps

Json = Any

WATCH_SECONDS = float(os.environ.get("ASSENT_TEST_WATCH_SECONDS", "0"))
LOOKS, QUIET_SECONDS = 4, 1.5
"""A server to which nothing is said is idle after so many looks at the settings, or after such a silence."""

ITS_SETTINGS = {".", ".vscode", ".vscode/settings.json"}
"""All that may be looked at in the repository before a tool runs: the file with its settings, and the way there."""

NAMED_BY_SETTINGS = {
    "planted/agent-of-the-settings",
    "planted/hook-of-the-settings",
    "planted/MCP-server-of-the-settings",
    "turns.json",
}
"""Files that the repository's settings would start: they are read so that a consent binds what they hold."""

SERVE = ("-m", "assent", "serve", "--stdio")
# Bytecode is Python's own business: without it, nothing at all is written.
ISOLATED = python("-P", "-B", *SERVE)

# What an editor does not tell of a workspace that it does not trust.
RESTRICTED = json.loads((ROOT / "client-ts" / "package.json").read_text())["capabilities"]["untrustedWorkspaces"][
    "restrictedConfigurations"
]


@dataclass(frozen=True)
class Opening:
    """How the repository is opened."""

    shape: str = "dotted"
    trusted: bool | None = True
    scopes: bool = True
    """Whether the client tells the workspace's values, as VS Code does; else the server reads the file alone."""
    inside: bool = True
    """Whether the server's working directory is the repository."""
    cards: bool = True
    """Whether the client draws cards; else it shows message boxes."""

    def __str__(self) -> str:
        trust = {True: "trusted", False: "untrusted", None: "unknown"}[self.trusted]
        return "-".join(
            [
                self.shape,
                trust,
                "scopes" if self.scopes else "file",
                *([] if self.inside else ["elsewhere"]),
                *([] if self.cards else ["boxes"]),
            ]
        )


FIRST = [
    Opening(trusted=True),
    Opening(trusted=False, scopes=False),
    Opening("nested", trusted=None, scopes=False, cards=False),
    Opening("link", scopes=False, inside=False),
    *(Opening(shape, scopes=False) for shape in ("fifo", "huge", "deep")),
]
"""Each property of an opening at least once."""
MORE = [
    *(Opening(shape, scopes=False) for shape in ("nested", "link")),
    Opening(trusted=None),
    Opening(trusted=True, inside=False),
    Opening(trusted=None, scopes=False, cards=False),
    Opening(trusted=True, scopes=False),
    Opening(trusted=False),
    Opening(trusted=None, scopes=False),
    Opening("nested", trusted=None),
]
ONCE_MORE = pytest.mark.long("another pair of properties that the short run has, each in other openings")
OPENINGS = [*FIRST, *(pytest.param(opening, marks=ONCE_MORE) for opening in MORE)]


class Scene(Server):
    """A hostile repository, opened by a client with a watched server behind it."""

    def __init__(self, folder: Path, traps: Traps, opening: Opening) -> None:
        self.opening = opening
        self.traps = traps
        self.repository = HostileRepository(folder / "repository", traps, shape=opening.shape, pointer=opening.inside)
        self.workspace = self.repository.folder
        self.state = folder / "state"
        self.trace = Trace(folder / "trace")
        (folder / "elsewhere").mkdir()
        self.client = EagerClient(
            self.trace.command(ISOLATED),
            env={"ASSENT_STATE_DIR": str(self.state), "HOME": str(self.repository.home)},
            cwd=self.workspace if opening.inside else folder / "elsewhere",
        )

    def settings(self, **user: Json) -> dict[str, Json]:
        """What the client tells: of the user nothing at all, of the workspace what its file says."""
        return {"user": user, **({"workspace": self._told_of_the_workspace()} if self.opening.scopes else {})}

    def open(self) -> None:
        """The handshake."""
        trust = {} if self.opening.trusted is None else {"workspaceTrusted": self.opening.trusted}
        editor = {} if self.opening.cards else {"window": {"showMessage": {}}}
        self.meet(capabilities=("cards",) if self.opening.cards else (), editor=editor, **trust)

    def wait_until_idle(self) -> None:
        """Lets it work by itself for the time that was asked, and until it does nothing, or only looks at the settings
        again and again."""
        begin = changed = time.monotonic()
        looks, size = self.trace.looks(self.repository.settings_file), self.trace.size

        def idle() -> bool:
            nonlocal changed, size
            now = time.monotonic()
            if self.trace.size != size:
                changed, size = now, self.trace.size
            only_looks = self.trace.looks(self.repository.settings_file) - looks >= LOOKS
            return now - begin >= WATCH_SECONDS and (only_looks or now - changed > QUIET_SECONDS)

        wait_until(idle, within=30 + WATCH_SECONDS, what="an idle server")

    def assert_nothing_happened(self) -> None:
        """Since the server was started."""
        assert self.trace.started() == []
        assert self.trace.contacted() == []
        assert self.trace.changed_outside(self.state) == []
        assert self.trace.opened_in(self.workspace) <= ITS_SETTINGS | NAMED_BY_SETTINGS
        assert self.trace.opened_in(self.repository.home) == set()
        assert self.trace.opened_in(self.repository.outside) <= {"settings.json"}
        assert self.traps.sprung() == []
        self.assert_nothing_agreed()

    def assert_nothing_agreed(self) -> None:
        """Nobody clicked, so the records of this machine say nothing."""
        assert not (self.state / "consent.json").exists()

    def _told_of_the_workspace(self) -> dict[str, Json]:
        values = self.repository.values()
        if self.opening.trusted is False:
            return {key: value for key, value in values.items() if f"assent.{key}" not in RESTRICTED}
        return values


@pytest.fixture
def traps(tmp_path: Path) -> Iterator[Traps]:
    with Traps(tmp_path / "marks") as traps:
        yield traps


@pytest.fixture
def enter(tmp_path: Path, traps: Traps) -> Iterator[Callable[[Opening], Scene]]:
    require_strace()
    scenes: list[Scene] = []

    def make(opening: Opening) -> Scene:
        scenes.append(Scene(tmp_path, traps, opening))
        return scenes[-1]

    yield make
    for scene in scenes:
        scene.client.close()


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_opening_it_does_nothing_and_the_first_write_asks(enter: Callable[[Opening], Scene], opening: Opening) -> None:
    scene = enter(opening)
    scene.open()
    chat = scene.chat(agent="Demo")
    scene.wait_until_idle()
    scene.assert_nothing_happened()
    _asks_about_its_settings(scene)

    assert chat.info()["mode"] == "default" and chat.info()["bypassAgent"] is False
    _asks_before_it_writes(scene, chat)
    _takes_no_agent_from_it(scene)
    if opening.shape in READABLE:
        _refuses_what_the_repository_denies(chat)
        _asks(chat, "write x to asked/a.txt", "ask_rule")
    _asks(chat, f"write x to {scene.repository.outside}/a.txt", "outside_workspace")
    _asks(chat, "write x to .vscode/tasks.json", "protected")

    assert scene.trace.started() == [] and scene.trace.contacted() == []
    assert scene.trace.changed_outside(scene.state) == []
    assert scene.traps.sprung() == []
    scene.assert_nothing_agreed()


@pytest.mark.parametrize("opening", [Opening(trusted=False), Opening(trusted=False, scopes=False)], ids=str)
def test_of_an_untrusted_folder_only_the_settings_are_looked_at(
    enter: Callable[[Opening], Scene], opening: Opening
) -> None:
    scene = enter(opening)
    scene.open()
    scene.chat(agent="Demo")
    scene.wait_until_idle()
    assert scene.trace.looked_at(scene.workspace) <= ITS_SETTINGS


def _asks_about_its_settings(scene: Scene) -> None:
    """Where the folder may be trusted and its settings can be read; nobody answers. A box is another matter."""
    opening, asked = scene.opening, scene.client.notifications("settings/consentRequest")
    expected = opening.cards and opening.trusted is not False and opening.shape in READABLE
    assert (len(asked) > 0) == expected
    if expected:
        keys = {entry["key"] for entry in asked[-1]["entries"]}
        assert keys >= {"assent.agents", "assent.alwaysAllowRules", "assent.toolAllowlist"}


def _asks_before_it_writes(scene: Scene, chat: Chat) -> None:
    card = _asks(chat, "write hello to greeting.txt", "needs_approval")
    if card is not None:
        assert card["mode"] == ("default" if scene.opening.shape in READABLE else "ask")
    assert not (scene.workspace / "greeting.txt").exists()


def _asks(chat: Chat, text: str, reason: str) -> Json:
    """The call of this message is asked for, for this reason; it is denied."""
    run = chat.send(text)
    if not chat.server.opening.cards:
        asked = chat.client.wait_for_request("window/showMessageRequest", _is_about_a_call)
        asked.answer(None)
        run.result()
        return None
    card = chat.card()
    assert card["reason"]["code"] == reason, card["reason"]
    chat.select(card, "deny")
    run.result()
    return card


def _is_about_a_call(box: Json) -> bool:
    """Not about settings that would loosen something: of those it may ask, too, and nobody answers."""
    return not box["message"].startswith("Settings in")


def _refuses_what_the_repository_denies(chat: Chat) -> None:
    cards = len(chat.cards())
    chat.run("write x to denied/a.txt")
    assert refusal(chat.results()[-1])["error"] == "denied_by_rule"
    assert len(chat.cards()) == cards


def _takes_no_agent_from_it(scene: Scene) -> None:
    for name in ("Planted", "Scripted", "Hosted", "Local"):
        with pytest.raises(RpcError, match="no agent named"):
            scene.client.request("session/new", {"agent": name})


def test_its_modules_are_not_imported_from_the_working_directory(tmp_path: Path, traps: Traps) -> None:
    """Started in any documented way, with the repository as working directory."""
    repository = HostileRepository(tmp_path / "repository", traps)
    script = Path(sys.executable).with_name("assent")
    ways = [ISOLATED, python("-I", *SERVE), [str(script), "serve", "--stdio"]]
    for way in ways:
        _serves(way, repository)
        assert traps.sprung() == [], way


def test_a_plain_start_imports_nothing_that_lies_beside(tmp_path: Path, traps: Traps) -> None:
    """`python -m` looks into the working directory: what this server is made of does not come from there."""
    repository = HostileRepository(tmp_path / "repository", traps)
    for name in ("assent", "contextlib"):
        # Python itself takes these up with `-m`, before a line of the server could object.
        (repository.folder / f"{name}.py").unlink()
    (repository.folder / "assent").rename(repository.folder / "another")
    _serves(python(*SERVE), repository)
    assert traps.sprung() == []


def _serves(way: list[str], repository: HostileRepository) -> None:
    env = {"ASSENT_STATE_DIR": str(repository.folder.parent / "state"), "HOME": str(repository.home)}
    with EagerClient(way, env=env, cwd=repository.folder) as client:
        client.initialize(root=repository.folder, capabilities=["cards"])
        assert client.request("session/new", {})["sessionId"]
        client.shutdown()


# What these tests rest on


def test_every_trap_leaves_its_mark(tmp_path: Path, traps: Traps) -> None:
    repository = HostileRepository(tmp_path / "repository", traps)
    modules = [repository.folder / f"{name}.py" for name in MODULES]
    files = [file for file in repository.folder.rglob("*") if file.is_file() and file.suffix != ".sample"]
    programs = [file for file in files if os.access(file, os.X_OK)]
    assert len(programs) > 40
    for command in [*(python(str(module)) for module in modules), *([str(program)] for program in programs)]:
        subprocess.run(command, check=True, cwd=tmp_path)
        assert len(traps.sprung()) == 1, command
        traps.reset()
    socket.create_connection(traps.address).close()
    wait_until(lambda: traps.sprung() == [CONTACTED], what="a mark of the connection")


@pytest.mark.parametrize(
    ("does", "seen_as"),
    [
        ("subprocess.run(['true'])", "started"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "started"),
        ("os.fork() or os._exit(0)", "started"),
        ("socket.socket().connect_ex(('127.0.0.1', 9))", "contacted"),
        ("socket.socket(socket.AF_UNIX).connect_ex('/nobody')", "contacted"),
        ("open('new', 'w').close()", "changed"),
        ("os.mkdir('folder')", "changed"),
        ("os.rename('/no/such', '/no/other')", "changed"),
        ("os.chmod(os.open('/etc/hosts', os.O_RDONLY), 0o644)", "changed"),
        ("os.symlink('a', 'b')", "changed"),
        ("os.open('/dev/null', os.O_RDWR)", ""),
        ("threading.Thread(target=int).start()", ""),
        ("socket.socketpair()", ""),
        ("open('/etc/hosts').close()", ""),
    ],
)
def test_the_watch_sees_what_it_is_there_for(tmp_path: Path, does: str, seen_as: str) -> None:
    require_strace()
    trace = Trace(tmp_path / "trace")
    script = f"import contextlib, os, socket, subprocess, threading\nwith contextlib.suppress(OSError):\n    {does}\n"
    subprocess.run(trace.command(python("-I", "-B", "-c", script)), cwd=tmp_path, check=True)
    seen = {
        "started": trace.started(),
        "contacted": trace.contacted(),
        "changed": trace.changed_outside(tmp_path / "state"),
    }
    assert [kind for kind, calls in seen.items() if calls] == ([seen_as] if seen_as else []), seen


def test_the_watch_sees_what_is_opened(tmp_path: Path) -> None:
    require_strace()
    trace = Trace(tmp_path / "trace")
    (tmp_path / "sub").mkdir()
    script = "import os; os.path.exists(os.path.abspath('sub/asked'))\n"
    script += "os.access('sub/named', os.R_OK)\n"
    script += "os.open('opened', os.O_CREAT, dir_fd=os.open('sub', os.O_RDONLY))"
    subprocess.run(trace.command(python("-I", "-B", "-c", script)), cwd=tmp_path, check=True)
    assert trace.looked_at(tmp_path / "sub") == {".", "asked", "named", "opened"}
    assert trace.opened_in(tmp_path / "sub") == {".", "opened"}
    assert trace.looks(tmp_path / "sub" / "asked") == 1

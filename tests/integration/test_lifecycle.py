"""Beginning and end: whatever ends the connection, nothing that waited runs, and nothing stays behind."""

import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.support.processes import ROOT, descendants, is_running, listening
from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, RESOLVED, Chat, Json, Server, say

Start = Callable[..., Server]

INVALID_REQUEST, NOT_INITIALIZED = -32600, -32002


@pytest.fixture(scope="module")
def cold() -> str:
    return "how a process begins and ends is what is tested"


def leave(server: Server) -> None:
    server.client.close_stdin()


def terminate(server: Server) -> None:
    server.client.process.send_signal(signal.SIGTERM)


def interrupt(server: Server) -> None:
    server.client.process.send_signal(signal.SIGINT)


def exit_at_once(server: Server) -> None:
    server.client.notify("exit")


def break_the_frame(server: Server) -> None:
    server.client.send_bytes(b"Content-Length: many\r\n\r\n")


WAYS_TO_END = {
    "end of input": leave,
    "SIGTERM": terminate,
    "SIGINT": interrupt,
    "exit": exit_at_once,
    "a frame of unknown length": break_the_frame,
}


@pytest.mark.parametrize("end", WAYS_TO_END.values(), ids=WAYS_TO_END)
def test_whatever_ends_the_connection_nothing_that_waited_runs(alone: Server, end: Callable[[Server], None]) -> None:
    room = Room(alone, "room")
    chat, card, _ = room.card([room.write("a"), room.write("b"), say("x")])
    chat.card()
    streaming = room.chat([say("begun "), {"wait": 3600}, room.write("c")], mode="auto")
    streaming.send()
    streaming.wait_for_event("Chunk")
    children = descendants(alone.client.pid)
    end(alone)
    alone.client.wait_exit(within=2)
    assert [child for child in children if is_running(child.pid)] == []
    assert list(room.folder.iterdir()) == []
    ends = chat.endings(card)
    if ends:
        assert (ends[0]["status"], ends[0]["resolvedBy"]) == ("cancelled", "shutdown")


def test_a_client_that_is_killed_takes_the_server_with_it(tmp_path: Path) -> None:
    """A client in a process of its own: it says what it saw, and is killed with a card open."""
    program = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from tests.support.server import Server, write
        server = Server(Path(sys.argv[1]), cold="the test looks at its process")
        server.meet()
        server.script([write("a.txt")])
        chat = server.chat()
        chat.send()
        chat.card()
        print(server.client.pid, flush=True)
        time.sleep(3600)
        """
    )
    path = [str(ROOT), str(ROOT / "server")]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{program}", str(tmp_path)]
    client = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    try:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        assert is_running(server)
        client.kill()
        wait_until(lambda: not is_running(server), within=2, what="the end of the server")
    finally:
        client.kill()
        client.communicate()
    assert not (tmp_path / "workspace" / "a.txt").exists()


def test_an_orderly_end_withdraws_what_waits(alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    alone.client.request("shutdown")
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("cancelled", "shutdown")
    assert run.answer()
    late = alone.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
    assert late.error().code == INVALID_REQUEST
    alone.client.notify("exit")
    assert alone.client.wait_exit(within=2) == 0
    assert not room.file("a").exists()


def test_an_answer_and_the_end_in_one_write_run_once_or_not_at_all(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, _ = room.card([room.write("a", "agreed")])
    chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
    server.client.close_stdin()
    server.client.wait_exit(within=2)
    found = [path.name for path in room.folder.iterdir()]
    assert found in ([], ["a"]), "a half-written file is left behind"
    assert found == [] or room.file("a").read_text() == "agreed"


def test_nothing_listens_while_the_server_serves(alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    assert listening(alone.client.pid) == []
    assert psutil.Process(alone.client.pid).net_connections(kind="inet") == []
    chat.select(card, "approve")
    run.result()
    assert psutil.Process(alone.client.pid).net_connections(kind="inet") == []
    assert descendants(alone.client.pid) == []


# The handshake

BAD_BLOCKS: dict[str, tuple[Json, str]] = {
    "a number": (5, ""),
    "a list": ([], ""),
    "a text": ("cards", ""),
    "capabilities that are a text": ({"capabilities": "cards"}, ".capabilities"),
    "a capability that is a number": ({"capabilities": ["cards", 5]}, ".capabilities[1]"),
    "a protocol that is a text": ({"protocol": "1"}, ".protocol"),
    "trust that is a text": ({"workspaceTrusted": "yes"}, ".workspaceTrusted"),
    "options that are an object": ({"options": {}}, ".options"),
    "settings that are a list": ({"settings": []}, ".settings"),
    "a scope that is a text": ({"settings": {"workspace": "x"}}, ".settings.workspace"),
}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, cold: str) -> "object":
    """A server that was never introduced: a handshake that fails may be tried again."""
    with Server(tmp_path_factory.mktemp("fresh"), cold=cold) as server:
        yield server


@pytest.mark.parametrize(("block", "path"), BAD_BLOCKS.values(), ids=BAD_BLOCKS)
def test_a_malformed_introduction_is_refused_and_may_be_repeated(fresh: Server, block: Json, path: str) -> None:
    params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": {"assent": block}}
    fault = fresh.client.start("initialize", params).error(within=30)
    assert fault.code == INVALID_PARAMS
    assert fault.data["path"] == f"params.initializationOptions.assent{path}"
    assert fresh.client.start("session/new", {}).error().code == NOT_INITIALIZED


def test_a_failed_introduction_leaves_nothing_behind(start: Start) -> None:
    """The second try counts alone: what the first one announced does not."""
    server = start()
    bad = {"capabilities": ["cards", "settings/write"], "options": ["allow_once"], "workspaceTrusted": "yes"}
    params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": {"assent": bad}}
    assert server.client.start("initialize", params).error(within=30).code == INVALID_PARAMS
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    assert {option["kind"] for option in card["options"]} > {"allow_session", "bypass_agent"}
    chat.select(card, "deny")
    run.result()


@pytest.mark.parametrize("options", [None, {"assent": None}, {"other": 1}, "text"])
def test_a_client_that_says_nothing_of_assent_is_welcome(start: Start, options: Json) -> None:
    client = start().client
    params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options}
    assert client.request("initialize", params, within=30)["serverInfo"]["name"] == "assent"
    client.notify("initialized", {})
    assert client.request("session/new", {}, within=30)["agentId"] == "Demo"


def test_everything_in_one_write(start: Start) -> None:
    """Handshake, chat and message, without waiting for any answer."""
    server = start()
    server.script([{"call": "write_file", "args": {"path": "a", "content": "x"}}])
    client = server.client
    block = {"protocol": 1, "capabilities": ["cards"], "settings": server.settings(agent="Scripted")}
    params = {"processId": None, "rootUri": server.workspace.as_uri(), "capabilities": {}}
    hello = client.start("initialize", {**params, "initializationOptions": {"assent": block}})
    client.notify("initialized", {})
    new = client.start("session/new", {})
    listed = client.start("session/list", {})
    assert hello.result(30) and listed.result(30)
    chat = Chat(server, new.result(30)["sessionId"])
    assert chat.info()["agentId"] == "Scripted"
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert (server.workspace / "a").exists()


def test_initialized_twice_changes_nothing(alone: Server) -> None:
    """Nothing is told twice, and settings that came meanwhile still count."""
    tighter = {"settings": {"assent": alone.settings(bypassAvailable=False)}}
    alone.client.notify("workspace/didChangeConfiguration", tighter)
    alone.client.notify("initialized", {})
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    assert "bypass_session" not in [option["kind"] for option in card["options"]]
    chat.select(card, "deny")
    run.result()
    assert len(chat.cards()) == 1 and len(chat.endings(card)) == 1
    assert [event["n"] for event in chat.events()] == list(range(1, len(chat.events()) + 1))


def test_initialize_twice_is_refused_and_changes_nothing(alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    params = {"processId": None, "rootUri": "file:///", "capabilities": {}}
    assert alone.client.start("initialize", params).error().code == INVALID_REQUEST
    assert chat.waits(card)
    chat.select(card, "approve")
    run.result()
    assert room.file("a").exists()


# Folders and settings while it runs


def test_a_folder_that_leaves_the_workspace_is_outside_from_then_on(alone: Server) -> None:
    room = Room(alone, "room")
    second = alone.workspace.parent / "second"
    second.mkdir()
    event = {"added": [{"uri": second.as_uri(), "name": "second"}], "removed": []}
    alone.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    target = second / "a"
    step = {"call": "write_file", "args": {"path": str(target), "content": "x"}}
    assert room.chat([step], mode="auto").run()["done_reason"] == "stop"
    assert target.exists()

    chat, card, run = room.card([{"call": "write_file", "args": {"path": str(second / "b"), "content": "x"}}])
    gone = {"added": [], "removed": [{"uri": second.as_uri(), "name": "second"}]}
    alone.client.notify("workspace/didChangeWorkspaceFolders", {"event": gone})
    chat.client.start(
        "tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "bypass_session"}
    ).answer()
    again = chat.card()
    assert again["reason"]["code"] == "outside_workspace", "what waited is outside now, and its card says so"
    assert "bypass_session" not in {option["kind"] for option in again["options"]}
    chat.select(again, "deny")
    run.result()
    assert not (second / "b").exists()


def test_a_server_without_a_folder_asks_for_everything(start: Start) -> None:
    server = start()
    server.client.initialize(capabilities=["cards"], settings=server.settings())
    server.script([{"call": "write_file", "args": {"path": str(server.workspace / "a"), "content": "x"}}])
    chat = server.chat(mode="auto")
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "outside_workspace"
    chat.select(card, "deny")
    run.result()
    assert not (server.workspace / "a").exists()


NONSENSE: list[Json] = [
    None,
    5,
    [],
    "x",
    {},
    {"assent": 5},
    {"assent": {"user": "x"}},
    {"assent": {"user": {"mode": 7}}},
]


def test_settings_that_make_no_sense_loosen_nothing(alone: Server) -> None:
    room = Room(alone, "room")
    for settings in NONSENSE:
        chat, card, run = room.card([room.write("a")])
        alone.client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert chat.waits(card)
        chat.select(card, "deny")
        run.result()
        assert chat.refused(card, decision="accept").code == RESOLVED
        assert not room.file("a").exists()
        alone.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": alone.settings()}})

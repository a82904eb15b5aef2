"""A window without a folder: each chat works in a folder of its own, which is there from the start and goes with it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.crashed import kill, same
from tests.support.scale import wait_until
from tests.support.server import DEMO, Chat, Json, Server, call, read, say, write

Start = Callable[..., Server]


def begin(start: Start, *, folders: Json = None, **user: Json) -> Server:
    """A server whose client has these folders open, or none."""
    server = start()
    block = {"protocol": 1, "capabilities": ["cards"], "settings": server.settings(**user)}
    params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": {"assent": block}}
    server.client.request("initialize", {**params, "workspaceFolders": folders}, within=30)
    server.client.notify("initialized", {})
    return server


def own(chat: Chat) -> Path:
    return Path(chat.info()["ownFolder"])


def outputs(chat: Chat) -> list[str]:
    return [result["output"] for result in chat.results()]


def test_commands_and_tools_of_files_work_in_it_from_the_first_call_on(start: Start) -> None:
    server = begin(start)
    server.script(
        [call("list_files", path=".")],
        [call("bash", command="mkdir x && pwd && echo $TMPDIR")],
        [write("x/a.txt", "hello")],
        [read("x/a.txt"), call("list_files", path=".")],
        [say("done")],
    )
    chat = server.chat(mode="auto")
    assert chat.run(within=30)["done_reason"] == "stop"
    assert all(result["success"] for result in chat.results()), outputs(chat)
    folder = own(chat)
    assert (folder / "x" / "a.txt").read_text() == "hello"
    listed, printed, _, *found = outputs(chat)
    assert str(folder) in printed
    # What passes is somewhere else: it goes with the server.
    assert str(folder) not in printed.splitlines()[2]
    assert "x" not in listed
    assert any("hello" in one for one in found)
    assert "x/" in found
    assert folder.stat().st_mode & 0o077 == 0


def test_each_chat_has_another_one_and_it_goes_with_its_chat(start: Start) -> None:
    server = begin(start)
    server.script([write("a.txt")], [say("done")])
    first, second = server.chat(mode="auto"), server.chat(mode="auto")
    for chat in (first, second):
        assert chat.run()["done_reason"] == "stop"
    gone, kept = own(first), own(second)
    server.client.request("session/close", {"sessionId": first.id})
    assert not gone.exists()
    assert (kept / "a.txt").exists()


@pytest.mark.parametrize("ends", ["shut down", "killed"])
def test_its_files_are_there_when_the_chat_comes_back(start: Start, ends: str) -> None:
    first = begin(start)
    chat, empty = first.chat(agent=DEMO, mode="auto"), first.chat()
    assert chat.run("write kept to a.txt")["done_reason"] == "stop"
    folder = own(chat)
    if ends == "killed":
        kill(first)
    else:
        first.client.request("shutdown", None)
        first.client.notify("exit")
        first.client.close()
        assert not own_of(folder, empty).exists(), "an empty one is nothing to keep"

    server = begin(start)
    wait_until(lambda: chat.id in ids(server), what="the chat is back")
    back = same(server, chat)
    assert own(back) == folder
    assert back.run("read a.txt")["done_reason"] == "stop"
    assert "kept" in outputs(back)[-1]
    server.client.request("session/close", {"sessionId": chat.id})
    assert not folder.exists()


def own_of(known: Path, chat: Chat) -> Path:
    return known.parent / chat.id


def ids(server: Server) -> list[str]:
    return [one["sessionId"] for one in server.client.request("session/list", {})["sessions"]]


def test_a_link_in_its_place_leads_nowhere(start: Start, tmp_path: Path) -> None:
    server = begin(start)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    server.script([write("a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    folder = own(chat)
    folder.rmdir()
    folder.symlink_to(elsewhere)
    assert chat.run()["done_reason"] == "stop"
    assert list(elsewhere.iterdir()) == []
    assert (folder / "a.txt").exists()
    server.client.request("session/close", {"sessionId": chat.id})
    assert elsewhere.exists()


def test_rules_with_relative_patterns_hold_in_it(start: Start) -> None:
    server = begin(start, alwaysDenyRules={"write_file": ["secret/**"]})
    server.script([write("secret/a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    chat.run()
    assert "denied_by_rule" in outputs(chat)[0]


def test_what_a_run_wrote_there_can_be_rolled_back(start: Start) -> None:
    server = begin(start)
    server.script([write("a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    chat.run()
    (run,) = server.client.request("checkpoint/list", {"sessionId": chat.id})["checkpoints"]
    params = {"sessionId": chat.id, "runId": run["runId"]}
    found = server.client.request("checkpoint/diff", params)
    server.client.request("checkpoint/restore", {**params, "digest": found["digest"]})
    assert not (own(chat) / "a.txt").exists()


def test_an_agent_of_others_begins_there(start: Start, tmp_path: Path) -> None:
    _, *words = scripted.command(str(tmp_path / "script.json"))
    code = f"import os\nopen({str(tmp_path / 'cwd')!r}, 'w').write(os.getcwd())\n"
    code += f"os.execv({sys.executable!r}, {[sys.executable, *words]!r})\n"
    (tmp_path / "script.json").write_text(json.dumps({"prompts": [[]]}))
    agent = {"command": sys.executable, "args": ["-c", code]}
    server = start()
    settings = server.settings()
    settings["user"]["agents"]["Guest"] = agent
    server.client.initialize(capabilities=["cards"], settings=settings)
    chat = server.chat(agent="Guest")
    assert chat.run(within=30)["done_reason"] == "stop"
    assert (tmp_path / "cwd").read_text() == str(own(chat))
    server.client.request("session/close", {"sessionId": chat.id})
    assert not own_of(own_parent(server), chat).exists()


def own_parent(server: Server) -> Path:
    return own(server.chat()).parent


def test_a_folder_that_is_not_on_this_disk_is_said_to_be_out_of_reach(start: Start) -> None:
    server = begin(start, folders=[{"uri": "vscode-vfs://github/owner/repo", "name": "repo"}])
    chat = server.chat()
    info = chat.info()
    assert info["unreachable"] == ["repo (vscode-vfs)"]
    assert Path(info["ownFolder"]).is_dir()


def test_a_folder_that_is_opened_takes_its_place(start: Start) -> None:
    server = begin(start)
    server.script([write("a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    assert chat.info()["ownFolder"]
    added = [{"uri": server.workspace.as_uri(), "name": "w"}, {"uri": "memfs:/sample", "name": "sample"}]
    server.client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
    server.client.wait_for("session/listChanged")
    info = chat.info()
    assert info.get("ownFolder") is None
    assert info["unreachable"] == ["sample (memfs)"]
    chat.run()
    assert (server.workspace / "a.txt").exists()


def test_where_it_cannot_be_made_the_chat_says_so(start: Start, tmp_path: Path) -> None:
    (tmp_path / "state-chats").write_text("in the way")
    chat = begin(start).chat()
    told = chat.wait_for_event("Notification")
    assert "This chat has no folder to work in" in told["text"]
    assert "Open a folder" in told["text"]


def test_with_a_folder_nothing_is_said_and_nothing_made(start: Start) -> None:
    server = start()
    server.meet()
    server.script([write("a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    chat.run()
    info = chat.info()
    assert (info.get("ownFolder"), info.get("unreachable")) == (None, None)
    assert [one.name for one in server.state.parent.iterdir() if "chats" in one.name] == []

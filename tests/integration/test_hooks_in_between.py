"""Hooks where a call is on its way in some other manner: a step of a workflow, changed by the user, one of many."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.rpc import Pending, RpcError
from tests.support.scale import wait_until
from tests.support.server import Chat, Server, call, refusal, say, write

Json = Any


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def workflow_under(server: Server, *before: Json) -> Chat:
    """A chat that runs a workflow of two steps under these hooks."""
    folder = server.workspace / ".assent" / "workflows"
    folder.mkdir(parents=True)
    steps = [
        {"id": name, "tool": "write_file", "inputs": {"path": f"{name}.txt", "content": "x"}} for name in ("one", "two")
    ]
    (folder / "w.json").write_text(json.dumps({"steps": steps}))
    server.meet(user={"hooks": {"PreToolUse": list(before)}})
    server.script([call("run_workflow", workflow_id="file:w")], [say("done")])
    return server.chat()


def files(server: Server) -> list[str]:
    return sorted(path.name for path in server.workspace.glob("*.txt"))


def test_a_step_is_denied_by_a_hook_after_the_click_on_the_whole(server: Server, hooks: HookPrograms) -> None:
    denies = "sys.exit(2) if told['tool_input']['path'] == 'two.txt' else None"
    chat = workflow_under(server, hooks.running(denies, matcher="write_file"))
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    run.result()

    assert files(server) == ["one.txt"]
    errors = [refusal(one)["error"] for one in chat.results() if one["tool"] == "write_file" and one["is_error"]]
    assert errors == ["denied_by_hook"]


def test_a_step_that_a_hook_wants_asked_has_a_card_of_its_own(server: Server, hooks: HookPrograms) -> None:
    asks = "print(json.dumps({'decision': 'ask'} if told['tool_input']['path'] == 'two.txt' else {}))"
    chat = workflow_under(server, hooks.running(asks, matcher="write_file"))
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    step = chat.card("two.txt")
    assert step["reason"]["code"] == "ask_rule"
    chat.answer(step, decision="deny")
    run.result()

    assert files(server) == ["one.txt"]


def test_a_step_that_a_hook_has_changed_is_none_that_was_agreed_to(server: Server, hooks: HookPrograms) -> None:
    changes = "print(json.dumps({'updatedInput': {**told['tool_input'], 'path': 'evil.txt'}}))"
    chat = workflow_under(server, hooks.running(changes, matcher="write_file"))
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    step = chat.card("evil.txt")
    assert files(server) == []
    chat.answer(step, decision="deny")
    run.result()

    assert files(server) == []


def test_a_workflow_is_also_meant_by_its_own_name(server: Server, hooks: HookPrograms) -> None:
    denies = hooks.running("sys.exit(2)", matcher="run_workflow:file:w")
    others = hooks.running("sys.exit(2)", matcher="run_workflow:file:x|mcp.*|mcp:*")
    chat = workflow_under(server, denies, others)
    chat.run()

    assert refusal(chat.results()[0])["error"] == "denied_by_hook"
    assert [(one["hook"], one["tool_name"]) for one in hooks.told()] == [("hook1.py", "run_workflow")]


def test_stop_ends_a_hook_that_is_asked_about_a_change_by_the_user(server: Server, hooks: HookPrograms) -> None:
    slow = "time.sleep(10_000) if told['tool_input']['content'] == 'mine' else None"
    server.meet(user={"hooks": {"PreToolUse": [hooks.running(slow, timeoutSeconds=60)]}})
    server.script([write("a.txt", "x")], [say("done")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    params = {
        "approvalId": card["approvalId"],
        "sessionId": chat.id,
        "argsDigest": card["argsDigest"],
        "response": {"outcome": {"outcome": "selected", "optionId": "approve"}},
        "editedArgs": {"path": "a.txt", "content": "mine"},
    }
    changing = server.client.start("tool/approvalResponse", params)
    told = hooks.wait_told(2)[1]
    chat.stop()
    run.result()

    with pytest.raises(RpcError):
        changing.result()
    assert refusal(chat.results()[0])["error"] == "cancelled"
    assert files(server) == []
    wait_until(lambda: not Path(f"/proc/{told['pid']}").exists(), what="the end of the hook")


def test_what_waits_keeps_what_hooks_said_when_rules_and_modes_change(server: Server, hooks: HookPrograms) -> None:
    asks = hooks.answering({"decision": "ask", "reason": "look twice"})
    server.meet(user={"hooks": {"PreToolUse": [asks]}})
    server.script([write("a.txt")], [say("done")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    chat.set_mode("auto", applyNow=True)
    told = server.settings(hooks={"PreToolUse": []})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    params = {"tool": "write_file", "args": {"path": "b", "content": ""}, "sessionId": chat.id}
    assert server.client.request("policy/explain", params)["outcome"] == "run"
    assert chat.waits(card)
    chat.answer(card, decision="deny")
    run.result()

    assert files(server) == []
    assert len(hooks.told()) == 1


def test_many_calls_at_once_are_each_asked_about(server: Server, hooks: HookPrograms) -> None:
    judges = "print(json.dumps({'decision': 'deny' if '7' in told['tool_input']['path'] else 'allow'}))"
    server.meet(user={"hooks": {"PreToolUse": [hooks.running(judges, timeoutSeconds=60)]}})
    names = [f"{number}.txt" for number in range(20)]
    server.script([write(name) for name in names], [say("done")])
    chat = server.chat()
    chat.run(within=60)

    # One that had to wait for others is looked at anew when its turn comes. Nobody is asked twice about it.
    assert sorted(one["tool_input"]["path"] for one in hooks.told()) == sorted(names)
    assert files(server) == sorted(name for name in names if "7" not in name)


WAITS = "while [ ! -e go ]; do sleep 0.05; done; echo 0 > out"


def in_a_row(server: Server, *commands: str) -> tuple[Chat, Pending]:
    """A chat with commands for one file, which wait for the one before them; the first waits for another file."""
    server.script([call("bash", command=command) for command in (WAITS, *commands)], [say("done")])
    chat = server.chat(mode="auto")
    return chat, chat.send()


def commands_of(hooks: HookPrograms) -> list[str]:
    return [one["tool_input"]["command"] for one in hooks.told()]


def wait_heard(server: Server, hooks: HookPrograms, count: int) -> None:
    """Returns when so many hooks were asked, and the server has their answers."""
    told = hooks.wait_told(count)
    wait_until(lambda: not any(Path(f"/proc/{one['pid']}").exists() for one in told), what="the ends of the hooks")
    server.client.request("session/list", {})


def test_hooks_are_asked_once_about_a_call_that_has_to_wait_for_its_turn(server: Server, hooks: HookPrograms) -> None:
    changes = "c = told['tool_input']['command']\nif c == 'echo 1 >> out': "
    changes += "print(json.dumps({'updatedInput': {'command': 'echo 2 >> out'}}))"
    server.meet(user={"hooks": {"PreToolUse": [hooks.running(changes, timeoutSeconds=60)]}})
    chat, run = in_a_row(server, "echo 1 >> out")
    wait_heard(server, hooks, 3)
    (server.workspace / "go").touch()
    run.result()

    assert sorted(commands_of(hooks)) == sorted([WAITS, "echo 1 >> out", "echo 2 >> out"])
    assert (server.workspace / "out").read_text() == "0\n2\n"
    assert "This ran instead" in chat.results()[-1]["output"]


def test_a_hook_that_comes_while_a_call_waits_for_its_turn_is_asked(server: Server, hooks: HookPrograms) -> None:
    first = hooks.answering({"decision": "allow"}, timeoutSeconds=60)
    server.meet(user={"hooks": {"PreToolUse": [first]}})
    chat, run = in_a_row(server, "echo 1 >> out")
    wait_heard(server, hooks, 2)
    wait_until(lambda: any("shellId" in event["data"] for event in chat.events()), what="the first command at work")
    denies = hooks.running("sys.exit(2)", timeoutSeconds=60)
    told = server.settings(hooks={"PreToolUse": [first, denies]})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    # It is new while an agent is at work, so that it counts with the user's word.
    consent = server.client.wait_for("settings/consentRequest")
    entries = [one["entryId"] for one in consent["entries"]]
    said = {"consentId": consent["consentId"], "digest": consent["digest"], "honour": entries}
    server.client.request("settings/consentResponse", said)
    (server.workspace / "go").touch()
    run.result()

    # Whether the answer of the first hook or the second hook was there sooner: one is asked, and the other call ran.
    (denied,) = (one for one in chat.results() if not one["success"])
    assert refusal(denied)["error"] == "denied_by_hook"
    assert commands_of(hooks)[-2:] == ["echo 1 >> out"] * 2
    assert (server.workspace / "out").read_text() == "0\n"

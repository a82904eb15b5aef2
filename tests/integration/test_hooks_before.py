"""Hooks that are asked before calls, as real programs: what they say, where on the ladder it counts, and what fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.scale import wait_until
from tests.support.server import Chat, Server, call, read, refusal, say, write

Json = Any


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, env={"MY_API_KEY": "sk-of-the-user", "HARMLESS": "yes"}) as server:
        yield server


def chat_under(server: Server, *before: Json, mode: str | None = None, **user: Json) -> Chat:
    server.meet(user={"hooks": {"PreToolUse": list(before)}, **user})
    return server.chat(mode=mode)


def notes(chat: Chat) -> list[str]:
    return [event["data"]["note"] for event in chat.events("ToolUpdate") if event["data"].get("note")]


def content(server: Server, name: str) -> str | None:
    path = server.workspace / name
    return path.read_text() if path.exists() else None


# What they are told, and what they say


def test_it_is_told_of_the_call_on_its_input(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.silent(matcher="write_file"))
    server.script([write("a.txt", "password=hunter2 é"), read("b.txt")], [say("done")])
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()

    (told,) = hooks.told()
    assert {name: told[name] for name in ("session_id", "hook_event_name", "tool_name", "cwd", "mode", "agent")} == {
        "session_id": chat.id,
        "hook_event_name": "PreToolUse",
        "tool_name": "write_file",
        "cwd": str(server.workspace),
        "mode": "default",
        "agent": "Scripted",
    }
    assert told["tool_input"] == {"path": "a.txt", "content": "password=hunter2 é"}
    assert told["tool_use_id"] in [result["toolCallId"] for result in chat.results()]
    assert told["at"] == str(server.workspace)
    assert told["env"]["HARMLESS"] == "yes"
    assert told["env"]["ASSENT_HOOK_EVENT"] == "PreToolUse"
    assert "MY_API_KEY" not in told["env"]
    assert "ASSENT_STATE_DIR" not in told["env"]


def test_a_word_to_allow_lets_an_ordinary_call_run(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "allow", "reason": "it is only a note"}))
    server.script([write("a.txt", "hello")], [say("done")])
    chat.run()

    assert content(server, "a.txt") == "hello"
    assert not chat.cards()
    assert any("it is only a note" in note for note in notes(chat))


@pytest.mark.parametrize("ending", ['print(\'{"decision": "deny", "reason": "not today"}\')', "sys.exit('no')"])
def test_a_word_to_deny_counts_in_auto_and_with_a_bypass(server: Server, hooks: HookPrograms, ending: str) -> None:
    denies = ending if "print" in ending else "sys.stderr.write('not today'); sys.exit(2)"
    chat = chat_under(server, hooks.running(denies), mode="auto", bypassPermissions={"Scripted": True})
    server.script([write("a.txt")], [say("done")])
    chat.run()

    (result,) = chat.results()
    assert refusal(result)["error"] == "denied_by_hook"
    assert "not today" in refusal(result)["message"]
    assert content(server, "a.txt") is None
    assert not chat.cards()


def test_a_word_to_ask_asks_where_nothing_else_would(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.answering({"decision": "ask", "reason": "look twice"}), mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert "look twice" in card["reason"]["text"]
    # Nothing lasting is offered: the hook would ask again.
    assert {one["kind"] for one in card["options"]} <= {"allow_once", "reject_once", "reject_always"}
    chat.select(card, "approve")
    run.result()

    assert content(server, "a.txt") == "content"
    # What it said stays with the call while it waits, runs and ends.
    assert len(hooks.told()) == 1


def test_deny_beats_ask_beats_allow(server: Server, hooks: HookPrograms) -> None:
    allows = hooks.answering({"decision": "allow"})
    asks = hooks.answering({"decision": "ask"}, matcher="write_file")
    denies = hooks.running("sys.exit(2) if told['tool_input']['path'] == 'b.txt' else None")
    chat = chat_under(server, allows, asks, denies)
    server.script([write("a.txt"), write("b.txt")], [say("done")])
    run = chat.send()
    chat.select(chat.card("a.txt"), "deny")
    run.result()

    assert [refusal(result)["error"] for result in chat.results()] == ["denied_by_hook", "permission_denied"] or [
        refusal(result)["error"] for result in chat.results()
    ] == ["permission_denied", "denied_by_hook"]
    assert len(chat.cards()) == 1


# The ladder


def test_nothing_that_is_settled_before_starts_a_hook(server: Server, hooks: HookPrograms) -> None:
    rules = {"alwaysDenyRules": {"write_file": ["secret/**"]}}
    chat = chat_under(server, hooks.answering({"decision": "allow"}), **rules)
    server.script(
        [write("secret/a.txt"), call("write_file", path=5), call("no_such_tool"), write(str(server.state / "x"))],
        [say("done")],
    )
    chat.run()

    errors = {refusal(result)["error"] for result in chat.results()}
    assert errors == {"denied_by_rule", "invalid_arguments", "tool_not_found", "permission_denied"}
    plan = server.chat(mode="plan")
    server.script([write("a.txt")], [say("done")])
    plan.run()
    assert refusal(plan.results()[0])["error"] == "blocked_in_plan_mode"
    assert hooks.told() == []


def test_a_word_to_allow_beats_neither_protection_nor_ask_rules_nor_the_outside(
    server: Server, hooks: HookPrograms, tmp_path: Path
) -> None:
    rules = {"alwaysAskRules": {"write_file": ["asked/**"]}}
    chat = chat_under(server, hooks.answering({"decision": "allow"}), **rules)
    outside = str(tmp_path / "elsewhere.txt")
    server.script([write(".vscode/settings.json"), write("asked/a.txt"), write(outside)], [say("done")])
    run = chat.send()
    codes = {}
    for path in (".vscode/settings.json", "asked/a.txt", outside):
        card = chat.card(path)
        codes[path] = card["reason"]["code"]
        chat.select(card, "deny")
    run.result()

    assert list(codes.values()) == ["protected", "ask_rule", "outside_workspace"]


# New arguments


def test_new_arguments_are_shown_named_and_told_to_the_model(server: Server, hooks: HookPrograms) -> None:
    changes = "print(json.dumps({'updatedInput': {**told['tool_input'], 'content': 'clean'}, 'reason': 'cleaner'}))"
    chat = chat_under(server, hooks.running(changes))
    server.script([write("a.txt", "dirty")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert card["args"] == {"path": "a.txt", "content": "clean"}
    assert "hook1.py" in card["reason"]["text"]
    assert "cleaner" in card["reason"]["text"]
    assert [one["tool_input"]["content"] for one in hooks.told()] == ["dirty", "clean"]
    chat.select(card, "approve")
    run.result()

    assert content(server, "a.txt") == "clean"
    (result,) = chat.results()
    assert "hook" in result["output"]
    assert '"content": "clean"' in result["output"]


def test_new_arguments_that_are_denied_or_make_no_sense_go_nowhere(server: Server, hooks: HookPrograms) -> None:
    changes = """
    path = told["tool_input"]["path"]
    new = {"a": {"path": "infra/x", "content": ""}, "b": {"path": 5}, "c": {"path": ".git/config", "content": ""}}
    print(json.dumps({"decision": "allow", "updatedInput": new.get(path, told["tool_input"])}))
    """
    rules = {"alwaysDenyRules": {"write_file": ["infra/**"]}}
    chat = chat_under(server, hooks.running(changes), mode="auto", **rules)
    server.script([write("a"), write("b"), write("c")], [say("done")])
    run = chat.send()
    card = chat.card(".git/config")
    assert card["reason"]["code"] == "protected"
    chat.select(card, "deny")
    run.result()

    errors = {refusal(result)["error"] for result in chat.results()}
    assert errors == {"denied_by_rule", "invalid_arguments", "permission_denied"}
    assert not (server.workspace / "infra").exists()
    denied = next(one for one in chat.results() if refusal(one)["error"] == "denied_by_rule")
    assert "has changed the arguments" in refusal(denied)["message"]


def test_new_arguments_do_not_get_a_call_past_plan_mode(server: Server, hooks: HookPrograms) -> None:
    """A command that only reads may run in plan mode; what a hook makes of it may not."""
    changes = """
    command = "touch made" if told["tool_input"]["command"] == "cat a.txt" else told["tool_input"]["command"]
    print(json.dumps({"decision": "allow", "updatedInput": {"command": command}}))
    """
    chat = chat_under(server, hooks.running(changes), mode="plan")
    (server.workspace / "a.txt").write_text("content")
    server.script([call("bash", command="cat a.txt")], [say("done")])
    chat.run()

    assert refusal(chat.results()[0])["error"] == "blocked_in_plan_mode"
    assert content(server, "made") is None
    assert len(hooks.told()) == 1


def test_a_hook_that_never_stops_changing_is_asked_about(server: Server, hooks: HookPrograms) -> None:
    changes = """
    new = {**told["tool_input"], "content": told["tool_input"]["content"] + "+"}
    print(json.dumps({"decision": "allow", "updatedInput": new}))
    """
    chat = chat_under(server, hooks.running(changes), mode="auto")
    server.script([write("a.txt", "x")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert card["args"]["content"] == "x+"
    assert "once more" in card["reason"]["text"]
    chat.select(card, "approve")
    run.result()

    assert content(server, "a.txt") == "x+"
    assert len(hooks.told()) == 2


def test_two_that_change_it_differently_are_asked_about(server: Server, hooks: HookPrograms) -> None:
    one, two = (hooks.answering({"updatedInput": {"path": name, "content": ""}}) for name in ("one", "two"))
    chat = chat_under(server, one, two, mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert card["args"]["path"] == "a.txt"
    assert "each in another way" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()


def test_what_the_user_writes_into_a_card_is_put_to_the_hooks_too(server: Server, hooks: HookPrograms) -> None:
    judges = """
    content = told["tool_input"]["content"]
    if content == "forbidden": sys.exit(2)
    print(json.dumps({"decision": "ask"} if content == "doubtful" else {}))
    """
    chat = chat_under(server, hooks.running(judges))
    server.script([write("a.txt", "x")], [say("done")])
    run = chat.send()
    card = chat.card()

    def edited(text: str) -> Json:
        args = {"path": "a.txt", "content": text}
        return {"response": {"outcome": {"outcome": "selected", "optionId": "approve"}}, "editedArgs": args}

    fault = chat.refused(card, **edited("forbidden"), sessionId=chat.id, argsDigest=card["argsDigest"])
    assert "A hook of yours forbids this" in fault.message
    chat.refused(card, **edited("doubtful"), sessionId=chat.id, argsDigest=card["argsDigest"])
    shown = chat.card()
    assert shown["args"]["content"] == "doubtful"
    assert shown["reason"]["code"] == "ask_rule"
    chat.select(shown, "approve")
    run.result()

    assert content(server, "a.txt") == "doubtful"
    assert [one["tool_input"]["content"] for one in hooks.told()] == ["x", "forbidden", "doubtful"]


# What fails

FAILING = {
    "crashes": ("raise RuntimeError('gone')", "exit code 1"),
    "prints no JSON": ("print('allow')", "no JSON"),
    "prints two answers": ("print('{}'); print('{\"decision\": \"allow\"}')", "no JSON"),
    "prints an unknown word": ('print(\'{"decision": "approve"}\')', "none of allow"),
    "prints without end": ("while True: os.write(1, b'x' * 65536)", "printed more than"),
    "prints ten megabytes": ("sys.stdout.write('{\"decision\": \"allow\"}' + ' ' * 10_000_000)", "printed more than"),
    "kills itself": ("os.kill(os.getpid(), 9)", "exit code 137"),
    "sleeps for ever": ("time.sleep(10_000)", "not answered after"),
    "leaves a program": ("os.fork() or time.sleep(10_000)", "left a program running"),
}


@pytest.mark.parametrize("failing", sorted(FAILING))
def test_a_hook_that_fails_is_a_reason_to_ask_and_is_named(server: Server, hooks: HookPrograms, failing: str) -> None:
    code, named = FAILING[failing]
    seconds = 1 if failing == "sleeps for ever" else 30
    entry = hooks.running(code, timeoutSeconds=seconds)
    chat = chat_under(server, entry, hooks.answering({"decision": "allow"}), mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card(within=60)
    assert named in card["reason"]["text"]
    assert "hook1.py" in card["reason"]["text"]
    assert any("hook1.py" in note and named in note for note in notes(chat))
    chat.select(card, "deny")
    run.result()

    assert content(server, "a.txt") is None
    pids = [one["pid"] for one in hooks.told()]
    wait_until(
        lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), what="the end of what hooks have started"
    )


def test_a_hook_that_is_not_there_fails_and_one_that_may_fail_open_says_so(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, {"command": "/no/such/program"}, mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert "no such program" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()

    server.client.notify(
        "workspace/didChangeConfiguration",
        {
            "settings": {
                "assent": server.settings(hooks={"PreToolUse": [{"command": "/no/such/program", "failClosed": False}]})
            }
        },
    )
    open_chat = server.chat(mode="auto")
    server.script([write("b.txt")], [say("done")])
    open_chat.run()
    assert content(server, "b.txt") == "content"
    # Also in the last note, which is the one that stays on the row.
    assert "as if it had said nothing" in notes(open_chat)[-1]


@pytest.mark.parametrize(
    "entry", [5, {}, {"command": ""}, {"matcher": "bash"}, {"command": ["x"]}, {"command": "x\0y"}]
)
def test_a_hook_of_the_users_that_cannot_be_read_is_a_reason_to_ask(server: Server, entry: Json) -> None:
    chat = chat_under(server, entry, mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert "cannot be read" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()


def test_a_matcher_that_makes_no_sense_means_every_tool(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.running("sys.exit(2)", matcher="^bash$"), mode="auto")
    server.script([write("a.txt")], [say("done")])
    chat.run()

    assert refusal(chat.results()[0])["error"] == "denied_by_hook"
    assert any("until its matcher can be read" in event["data"]["text"] for event in chat.events("Notification"))


@pytest.mark.parametrize("matcher", ["^read_file$", ["read_file"], 5])
@pytest.mark.parametrize(
    "answer", [{"decision": "allow"}, {"decision": "allow", "updatedInput": {"path": "b.txt", "content": "other"}}]
)
def test_a_hook_whose_matcher_makes_no_sense_lets_nothing_run(
    server: Server, hooks: HookPrograms, matcher: Json, answer: Json
) -> None:
    chat = chat_under(server, hooks.answering(answer, matcher=matcher))
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    card = chat.card("a.txt")
    assert not any(server.workspace.iterdir())
    chat.answer(card, decision="accept")
    run.result()
    assert [path.name for path in server.workspace.iterdir()] == ["a.txt"]


def test_stop_ends_the_hook_and_what_it_has_started(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, hooks.running("os.fork(); time.sleep(10_000)", timeoutSeconds=60), mode="auto")
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    (told,) = hooks.wait_told()
    assert chat.stop()
    run.result()

    assert refusal(chat.results()[0])["error"] == "cancelled"
    assert content(server, "a.txt") is None
    wait_until(lambda: not _alive(str(told["hook"])), what="the end of the hook and its child")


def _alive(name: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if f"hooks/{name}".encode() in words and b"test_stop_ends" in words:
                found.append(entry.name)
    return found


# Where nothing of it may happen


def test_explaining_runs_no_hook_and_says_that_they_decide(server: Server, hooks: HookPrograms) -> None:
    chat_under(server, hooks.answering({"decision": "deny"}))
    params = {"tool": "write_file", "args": {"path": "a.txt", "content": ""}}
    found = server.client.request("policy/explain", params)

    assert found["outcome"] == "need_hooks"
    assert found["trace"][-1]["name"] == "hooks"
    assert found["trace"][-1]["matched"]
    assert hooks.told() == []


def test_what_hooks_said_stands_in_the_history(server: Server, hooks: HookPrograms) -> None:
    judges = "print(json.dumps({'decision': told['tool_input']['path'], 'reason': 'because'}))"
    chat = chat_under(server, hooks.running(judges))
    server.script([write("deny"), write("allow")], [say("done")])
    chat.run()

    lines = server.client.request("history/query", {"sessionId": chat.id})["entries"]
    said = {line["reason"]: line["text"] for line in lines if line.get("reason")}
    assert "because" in said["denied_by_hook"]
    assert "because" in said["hook_allow"]
    assert json.dumps(said)

"""Hooks that are told what became of a call, that one waits, that a run has ended. They change nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.guests import House, ask, done, tool_call
from tests.support.hook_programs import HookPrograms
from tests.support.scale import wait_until
from tests.support.server import Chat, Server, call, read, say, write

Json = Any


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def chat_under(server: Server, mode: str | None = "auto", **hooks: Json) -> Chat:
    server.meet(user={"hooks": hooks})
    return server.chat(mode=mode)


def notes(chat: Chat, phase: str = "post_tool_use") -> list[str]:
    told = [event["data"] for event in chat.events("ToolUpdate")]
    return [one["note"] for one in told if one.get("note") and one["phase"] == phase]


# After a call


def test_it_is_told_of_what_ran_and_of_what_failed_and_not_of_what_did_not_run(
    server: Server, hooks: HookPrograms
) -> None:
    server.meet(
        user={
            "hooks": {"PostToolUse": [hooks.silent()]},
            "alwaysDenyRules": {"write_file": ["infra/**"]},
            "alwaysAskRules": {"write_file": ["asked/**"]},
        }
    )
    chat = server.chat(mode="auto")
    server.script(
        [write("a.txt", "hello"), read("missing.txt"), write("infra/x"), write("asked/x"), call("no_such_tool")],
        [say("done")],
    )
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()

    told = {one["tool_input"]["path"]: one for one in hooks.told()}
    assert set(told) == {"a.txt", "missing.txt"}
    assert told["a.txt"]["hook_event_name"] == "PostToolUse"
    assert told["a.txt"]["tool_result"]["success"] is True
    assert told["missing.txt"]["tool_result"]["success"] is False
    assert told["missing.txt"]["tool_result"]["code"] == "not_found"
    assert "missing.txt" in told["missing.txt"]["tool_result"]["output"]


def test_its_note_reaches_the_model_with_the_result(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, PostToolUse=[hooks.answering({"note": "run the tests now"}, matcher="write_file")])
    server.script([write("a.txt")], [say("done")])
    chat.run()

    (result,) = chat.results()
    assert result["success"] is True
    assert result["output"].endswith("says: run the tests now")
    assert (server.workspace / "a.txt").read_text() == "content"


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("sys.exit(1)", "exit code 1"),
        ("print('fine')", "no JSON"),
        ("print(json.dumps({'decision': 'deny'}))", "decision"),
        ("time.sleep(10_000)", "not answered"),
        ("while True: os.write(1, b'x' * 65536)", "printed more than"),
    ],
)
def test_its_failure_is_seen_and_changes_nothing(server: Server, hooks: HookPrograms, code: str, named: str) -> None:
    seconds = 1 if "sleep" in code else 30
    chat = chat_under(server, PostToolUse=[hooks.running(code, timeoutSeconds=seconds)])
    server.script([write("a.txt")], [say("done")])
    assert chat.run(within=60)["done_reason"] == "stop"

    (result,) = chat.results()
    assert result["success"] is True
    assert "hook1.py" not in result["output"]
    assert any(named in note and "hook1.py" in note for note in notes(chat))


def test_a_long_result_is_told_in_part(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, PostToolUse=[hooks.silent()])
    server.script([call("bash", command="head -c 300000 /dev/zero | tr '\\0' x")], [say("done")])
    chat.run()

    (told,) = hooks.told()
    assert told["tool_result"]["truncated"] is True
    assert len(told["tool_result"]["output"]) == 64 * 1024


def test_stopped_while_it_is_told_the_call_has_its_result(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, PostToolUse=[hooks.running("time.sleep(10_000)", timeoutSeconds=60)])
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    (told,) = hooks.wait_told()
    chat.stop()
    run.result()

    (result,) = chat.results()
    assert result["success"] is True
    wait_until(lambda: not Path(f"/proc/{told['pid']}").exists(), what="the end of the hook")


def test_what_a_guest_did_is_told_and_the_note_stands_on_its_row(tmp_path: Path, hooks: HookPrograms) -> None:
    with House(tmp_path, many=1) as house:
        house.tell_settings(hooks={"PostToolUse": [hooks.answering({"note": "look at it"})]})
        guest = house.guest(
            [
                ask(command="make", on={"allow": [done(words="made")]}),
                {"write": str(house.workspace / "a.txt"), "content": "x", "on": {"ok": [], "error": []}},
            ]
        )
        chat = guest.chat("auto")
        chat.run()

        assert {one["tool_name"] for one in hooks.told()} == {"bash", "write_file"}
        assert all("look at it" not in result["output"] for result in chat.results())
        assert sum("look at it" in note for note in notes(chat)) == 2
        assert (house.workspace / "a.txt").read_text() == "x"


def test_what_a_guest_does_without_asking_is_told_as_it_tells_it(tmp_path: Path, hooks: HookPrograms) -> None:
    with House(tmp_path, many=1) as house:
        before, after = hooks.silent(), hooks.answering({"note": "look at it"}, matcher="bash")
        house.tell_settings(hooks={"PreToolUse": [before], "PostToolUse": [after]})
        failed = {**done("c2", words="no such file", status="failed")["update"], **tool_call("c2", command="cat x")}
        read_only = tool_call("c3", kind="read", title="Read", status="completed", locations=[{"path": "/x"}])
        guest = house.guest(
            [
                {"update": tool_call("c1", command="make", status="in_progress")},
                done("c1", words="made"),
                {"update": failed},
                {"update": read_only},
            ]
        )
        chat = guest.chat()
        chat.run(within=30)

        told = {one["tool_input"]["command"]: one["tool_result"] for one in hooks.told()}
        assert {name: (one["success"], one["output"]) for name, one in told.items()} == {
            "make": (True, "made"),
            "cat x": (False, "no such file"),
        }
        assert {one["hook_event_name"] for one in hooks.told()} == {"PostToolUse"}
        assert sum("look at it" in note for note in notes(chat)) == 2
        assert chat.cards() == [] and len(chat.results()) == 3


def test_a_stop_ends_a_hook_that_is_told_what_a_guest_did_without_asking(tmp_path: Path, hooks: HookPrograms) -> None:
    with House(tmp_path, many=1) as house:
        slow = hooks.running("time.sleep(10_000)", timeoutSeconds=60)
        house.tell_settings(hooks={"PostToolUse": [slow]})
        guest = house.guest([{"update": tool_call("c1", command="make", status="completed")}])
        chat = guest.chat()
        run = chat.send()
        (told,) = hooks.wait_told()
        chat.stop()
        assert run.result()["done_reason"] == "cancelled"
        wait_until(lambda: not Path(f"/proc/{told['pid']}").exists(), what="the end of the hook")


def test_the_phases_of_a_call_are_told_in_their_order(server: Server, hooks: HookPrograms) -> None:
    hook = hooks.silent()
    server.meet(user={"hooks": {"PreToolUse": [hook], "PostToolUse": [hook]}})
    chat = server.chat()
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()

    phases = [event["data"]["phase"] for event in chat.events("ToolUpdate")]
    assert list(dict.fromkeys(phases)) == ["pre_tool_use", "awaiting_approval", "running", "post_tool_use"]
    assert [one["hook_event_name"] for one in hooks.told()] == ["PreToolUse", "PostToolUse"]


# Notifications


def told_of(hooks: HookPrograms, occasion: str) -> list[Json]:
    return [one for one in hooks.told() if one.get("notification_type") == occasion]


def test_it_is_told_that_calls_wait_once_for_all_of_them(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, "default", Notification=[hooks.silent(matcher="approval_waiting", afterSeconds=1)])
    server.script([write("a.txt"), write("b.txt")], [say("done")])
    run = chat.send()
    cards = [chat.card("a.txt"), chat.card("b.txt")]
    wait_until(lambda: told_of(hooks, "approval_waiting"), what="a hook that is told")
    for card in cards:
        chat.select(card, "deny")
    run.result()

    (told,) = hooks.told()
    assert (told["session_id"], told["agent"], told["tool_name"]) == (chat.id, "Scripted", "write_file")
    assert "1 more" in told["message"]


def test_a_call_that_is_answered_at_once_is_not_told_of(server: Server, hooks: HookPrograms) -> None:
    entry = hooks.silent(matcher="approval_waiting|run_finished", afterSeconds=60)
    chat = chat_under(server, "default", Notification=[entry])
    server.script([write("a.txt")], [say("done")])
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    wait_until(lambda: told_of(hooks, "run_finished"), what="the end that is told")

    assert told_of(hooks, "approval_waiting") == []
    assert told_of(hooks, "run_finished")[0]["message"] == "The run has finished."


def test_it_is_told_of_faults_and_limits(server: Server, hooks: HookPrograms) -> None:
    server.meet(user={"hooks": {"Notification": [hooks.silent(matcher="error|limit")]}, "limits": {"iterations": 1}})
    chat = server.chat(mode="auto")
    server.script([write("a.txt")], [say("done")])
    chat.run()
    wait_until(lambda: told_of(hooks, "limit"), what="the limit that is told")
    assert "1" in told_of(hooks, "limit")[0]["message"]

    broken = server.chat(agent="Second")
    server.script([{"no such step": 1}], agent="Second")
    broken.send().answer(30)
    wait_until(lambda: told_of(hooks, "error"), what="the fault that is told")
    assert told_of(hooks, "error")[0]["session_id"] == broken.id


def test_one_that_fails_is_told_of_once_and_holds_up_nothing(server: Server, hooks: HookPrograms) -> None:
    chat = chat_under(server, Notification=[hooks.running("sys.exit(3)")])
    server.script([say("one")], repeat=True)
    for count in (1, 2):
        assert chat.run()["done_reason"] == "stop"
        wait_until(lambda count=count: len(hooks.told()) == count, what="a hook that was told")
    wait_until(lambda: chat.events("Notification"), what="the notice")

    assert sum("exit code 3" in event["data"]["text"] for event in chat.events("Notification")) == 1

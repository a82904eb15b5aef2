"""Hooks hold for agents of others, for what those leave to Assent, and for sub-agents: there is one gate."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.guests import House, ask, diff, done, said, says
from tests.support.hook_programs import HookPrograms
from tests.support.server import Chat, Server, call, refusal, say, write
from tests.support.sub_agents import chat_of, hand_on

Json = Any
ANSWERS = {"allow": [done()], "reject": [says("no")]}


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, many=2) as house:
        yield house


def running(guests: House, script: list[Json], *before: Json, mode: str | None = None) -> tuple[Any, Chat]:
    """A guest that plays this under these hooks, and its chat."""
    guests.tell_settings(hooks={"PreToolUse": list(before)})
    guest = guests.guest(script)
    return guest, guest.chat(mode)


def test_what_a_guest_asks_for_is_denied_by_a_hook(guests: House, hooks: HookPrograms) -> None:
    denies = hooks.answering({"decision": "deny", "reason": "no making here"}, matcher="bash")
    guest, chat = running(guests, [ask(command="make", on=ANSWERS)], denies)
    chat.run()

    assert guest.answers() == ["reject"]
    assert not chat.cards()
    (told,) = hooks.told()
    assert (told["tool_name"], told["tool_input"]["command"], told["agent"]) == ("bash", "make", guest.name)


def test_what_a_guest_asks_for_is_allowed_by_a_hook(guests: House, hooks: HookPrograms) -> None:
    guest, chat = running(guests, [ask(command="make", on=ANSWERS)], hooks.answering({"decision": "allow"}))
    chat.run()

    assert guest.answers() == ["allow"]
    assert not chat.cards()


def test_what_a_guest_does_itself_cannot_be_changed_and_is_not_done(guests: House, hooks: HookPrograms) -> None:
    changes = hooks.answering({"decision": "allow", "updatedInput": {"command": "make --dry-run"}})
    guest, chat = running(guests, [ask(command="make", on=ANSWERS)], changes, mode="auto")
    chat.run()

    assert guest.answers() == ["reject"]
    (result,) = chat.results()
    assert "cannot be done" in refusal(result)["message"]
    assert len(hooks.told()) == 1


def test_a_hook_for_one_of_the_things_that_a_call_does_may_deny_it_and_not_allow_it(
    guests: House, hooks: HookPrograms
) -> None:
    """A command that also shows changes of files is a command by its name."""
    path = guests.workspace / "a.txt"
    wanted = {"command": "make", "content": [diff(path, "new")]}
    judges = "print(json.dumps({'decision': 'deny' if 'deny' in open('word').read() else 'allow'}))"
    entry = hooks.running(judges, matcher="write_file")
    (guests.workspace / "word").write_text("allow")
    guest, chat = running(guests, [ask(**wanted, on=ANSWERS)], entry)
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert hooks.told()[0]["tool_name"] == "bash"

    (guests.workspace / "word").write_text("deny")
    other, again = running(guests, [ask(**wanted, on=ANSWERS)], entry)
    again.run()
    assert (guest.answers(), other.answers()) == (["allow"], ["reject"])


def test_what_a_guest_leaves_to_assent_is_put_to_hooks(guests: House, hooks: HookPrograms) -> None:
    secret = guests.workspace / "read.txt"
    secret.write_text("one")
    judges = "sys.exit(2) if 'made' in json.dumps(told['tool_input']) else None"
    script = [
        {"write": str(guests.workspace / "made.txt"), "content": "x", "on": {"ok": [says("written ")], "error": []}},
        {"terminal": {"command": "touch made"}, "on": {"ok": [says("begun ")], "error": []}},
        {"read": str(secret), "on": {"ok": [says("<$RESULT>")], "error": []}},
    ]
    _, chat = running(guests, script, hooks.running(judges), mode="auto")
    chat.run()

    assert said(chat) == "<one>"
    assert not list(guests.workspace.glob("made*"))
    assert {one["tool_name"] for one in hooks.told()} == {"write_file", "bash", "read_file"}


def test_a_sub_agents_calls_are_put_to_hooks(tmp_path: Path, hooks: HookPrograms) -> None:
    judges = "print(json.dumps({'decision': 'deny' if told['sub_agents'] else 'allow'}))"
    with Server(tmp_path) as server:
        server.meet(user={"hooks": {"PreToolUse": [hooks.running(judges, matcher="write_file")]}})
        talks = {"First": [[write("below.txt")], [say("done")]]}
        chat = chat_of(server, [[hand_on("First"), write("above.txt")], [say("done")]], talks)
        chat.run()

        assert (server.workspace / "above.txt").exists()
        assert not (server.workspace / "below.txt").exists()
        denied = [refusal(one) for one in chat.results() if one["tool"] == "write_file" and one["is_error"]]
        assert [one["error"] for one in denied] == ["denied_by_hook"]
        assert {tuple(one["sub_agents"]) for one in hooks.told()} == {(), ("First",)}


def test_what_starts_a_sub_agent_may_be_changed_as_well(tmp_path: Path, hooks: HookPrograms) -> None:
    changes = "print(json.dumps({'updatedInput': {**told['tool_input'], 'instructions': 'Second'}}))"
    with Server(tmp_path) as server:
        server.meet(user={"hooks": {"PreToolUse": [hooks.running(changes, matcher="run_subtask")]}})
        talks = {"First": [[say("I am the first.")]], "Second": [[say("I am the second.")]]}
        chat = chat_of(server, [[hand_on("First")], [say("done")]], talks)
        chat.run()

        (result,) = chat.results()
        assert "I am the second." in result["output"]


def test_a_call_that_came_back_after_a_restart_is_put_to_hooks_again(tmp_path: Path, hooks: HookPrograms) -> None:
    user = {"hooks": {"PreToolUse": [hooks.answering({"decision": "ask", "reason": "as ever"})]}}
    with Server(tmp_path) as first:
        first.meet(user=user)
        first.script([call("write_file", path="a.txt", content="x")], [say("done")])
        chat = first.chat()
        chat.send()
        chat.card()
    with Server(tmp_path) as second:
        second.meet(user=user)
        again = second.client.wait_for("tool/approvalRequest", within=20)
        assert "as ever" in again["reason"]["text"]
        assert len(hooks.told()) == 2

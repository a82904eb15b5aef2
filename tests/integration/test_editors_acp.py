"""`assent acp` in front of an agent: what needs asking is asked in the editor, by the editor's own protocol."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.acp_editor import AcpEditor, Json
from tests.support.assent_command import run_assent
from tests.support.processes import descendants, python
from tests.support.scale import wait_until
from tests.support.server import Server, call, say, write


@contextmanager
def editor(root: Path, *turns: list[Json], **more: Json) -> Iterator[AcpEditor]:
    with AcpEditor(root, *turns, **more) as one:
        yield one


def test_a_write_is_asked_for_with_both_contents_and_then_done(tmp_path: Path) -> None:
    with editor(tmp_path, [say("I write."), write("a.txt", "new\n")], [say("Done.")]) as one:
        (one.workspace / "a.txt").write_text("old\n")
        session_id = one.session()
        prompt = one.prompt(session_id)
        question = one.question()
        told = question["params"]["toolCall"]
        assert question["params"]["sessionId"] == session_id
        assert (told["kind"], told["title"], told["rawInput"]["path"]) == ("edit", "Write a.txt (+1 −1)", "a.txt")
        diff = next(part for part in told["content"] if part["type"] == "diff")
        assert (diff["oldText"], diff["newText"]) == ("old\n", "new\n")
        assert (one.workspace / "a.txt").read_text() == "old\n"
        one.choose(question, "allow_once")
        assert one.answer_to(prompt)["result"] == {"stopReason": "end_turn"}
        assert (one.workspace / "a.txt").read_text() == "new\n"
        (row,) = one.updates("tool_call")
        states = [told["status"] for told in one.updates("tool_call_update") if told["toolCallId"] == row["toolCallId"]]
        assert states[-1] == "completed"
        assert [told["content"]["text"] for told in one.updates("agent_message_chunk")] == ["I write.", "Done."]


def test_no_option_reaches_further_than_the_chat(tmp_path: Path) -> None:
    with editor(
        tmp_path, [call("bash", command="npm test")], [call("bash", command="python x.py")], [say("Done.")]
    ) as one:
        one.prompt(one.session())
        question = one.question()
        options = question["params"]["options"]
        assert [option["kind"] for option in options] == ["allow_once", "allow_always", "reject_once"]
        assert options[1]["name"] == "Allow “npm test …” for this chat"
        one.choose(question, "reject_once")
        # What could only be allowed with every other command is not offered for the chat at all.
        assert [option["kind"] for option in one.question()["params"]["options"]] == ["allow_once", "reject_once"]


@pytest.mark.parametrize(
    "answer",
    [
        {"result": {"outcome": {"outcome": "cancelled"}}},
        {"result": {"outcome": {"outcome": "selected", "optionId": "bypass_agent_"}}},
        {"result": {"outcome": {"outcome": "selected"}}},
        {"result": None},
        {"result": {"outcome": "allow_once"}},
        {"error": {"code": -32603, "message": "no"}},
    ],
)
def test_whatever_is_no_clear_yes_is_a_no(tmp_path: Path, answer: Json) -> None:
    with editor(tmp_path, [write("a.txt")], [say("Well.")]) as one:
        prompt = one.prompt(one.session())
        one.send(id=one.question()["id"], **answer)
        assert one.answer_to(prompt)["result"] == {"stopReason": "end_turn"}
        assert not (one.workspace / "a.txt").exists()


def test_a_rejection_is_told_to_the_agent(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt")], [say("Well.")]) as one:
        prompt = one.prompt(one.session())
        one.choose(one.question(), "reject_once")
        one.answer_to(prompt)
        (end,) = [told for told in one.updates("tool_call_update") if told["status"] == "failed"]
        assert "permission_denied" in end["content"][0]["content"]["text"]


def test_what_is_allowed_for_the_chat_is_not_asked_for_again(tmp_path: Path) -> None:
    steps = [write("a.txt"), write("b.txt"), write("c.txt")]
    with editor(tmp_path, *[[step] for step in steps], [say("Done.")]) as one:
        prompt = one.prompt(one.session())
        one.choose(one.question(), "allow_always")
        assert one.answer_to(prompt)["result"] == {"stopReason": "end_turn"}
        assert sorted(path.name for path in one.workspace.iterdir()) == ["a.txt", "b.txt", "c.txt"]


def test_a_stop_withdraws_the_question(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt")], [say("Again.")]) as one:
        session_id = one.session()
        prompt, question = one.prompt(session_id), one.question()
        one.send(method="session/cancel", params={"sessionId": session_id})
        assert one.answer_to(prompt)["result"] == {"stopReason": "cancelled"}
        assert one.noted("$/cancel_request")["params"] == {"requestId": question["id"]}
        one.choose(question, "allow_once")
        assert one.answer_to(one.prompt(session_id))["result"] == {"stopReason": "end_turn"}
        assert not (one.workspace / "a.txt").exists()


def test_what_has_changed_meanwhile_is_asked_for_anew(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt", "new")], [say("Done.")]) as one:
        (one.workspace / "a.txt").write_text("old")
        prompt = one.prompt(one.session())
        first = one.question()
        (one.workspace / "a.txt").write_text("somebody else's")
        one.choose(first, "allow_once")
        second = one.question()
        assert (one.workspace / "a.txt").read_text() == "somebody else's"
        diff = next(part for part in second["params"]["toolCall"]["content"] if part["type"] == "diff")
        assert diff["oldText"] == "somebody else's"
        one.choose(second, "allow_once")
        one.answer_to(prompt)
        assert (one.workspace / "a.txt").read_text() == "new"


def test_what_a_workspace_would_loosen_does_not_count_and_that_is_said(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt")], [say("Done.")]) as one:
        settings = one.workspace / ".vscode" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"assent.bypassPermissions": {"S": True}}))
        prompt = one.prompt(one.session())
        one.choose(one.question(), "reject_once")
        one.answer_to(prompt)
        thoughts = [told["content"]["text"] for told in one.updates("agent_thought_chunk")]
        assert [words for words in thoughts if "This has no effect until you agree" in words], thoughts


def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(tmp_path: Path) -> None:
    with editor(tmp_path, [write("pipe")], [say("Done.")]) as one:
        os.mkfifo(one.workspace / "pipe")
        prompt = one.prompt(one.session())
        assert one.answer_to(prompt)["result"] == {"stopReason": "end_turn"}


def test_the_users_rules_hold(tmp_path: Path) -> None:
    rules = {"assent.alwaysDenyRules": {"bash": ["rm:*"]}, "assent.alwaysAllowRules": {"bash": ["touch a"]}}
    steps = [call("bash", command="rm -rf x"), call("bash", command="touch a")]
    with editor(tmp_path, steps, [say("Done.")], user=rules) as one:
        (one.workspace / "x").mkdir()
        assert one.answer_to(one.prompt(one.session()))["result"] == {"stopReason": "end_turn"}
        assert sorted(path.name for path in one.workspace.iterdir()) == ["a", "x"]
        assert not [note for note in one.notes if note.get("method") == "session/request_permission"]


def test_nobody_writes_the_settings_that_it_was_started_with(tmp_path: Path) -> None:
    steps = [write(str(tmp_path / "settings.json"), "{}")]
    with editor(tmp_path, steps, [say("Done.")], user={"assent.mode": "auto"}) as one:
        one.answer_to(one.prompt(one.session()))
        assert json.loads((tmp_path / "settings.json").read_text())["assent.mode"] == "auto"
        (end,) = [told for told in one.updates("tool_call_update") if told["status"] == "failed"]
        assert "belongs to Assent itself" in end["content"][0]["content"]["text"]


def test_modes_are_those_of_assent(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt")], [write("b.txt")], [say("Done.")]) as one:
        session_id = one.session()
        one.request("session/set_mode", sessionId=session_id, modeId="plan")
        one.answer_to(one.prompt(session_id))
        assert [told["currentModeId"] for told in one.updates("current_mode_update")] == ["plan"]
        assert list(one.workspace.iterdir()) == []
        refused = one.answer_to(one.begin("session/set_mode", sessionId=session_id, modeId="yolo"))
        assert "there is no such mode" in refused["error"]["message"]


def test_what_makes_no_sense_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    with editor(tmp_path, [write("a.txt")], [say("Done.")]) as one:
        session_id = one.session()
        for line in (b"", b"garbage", b"[1, 2]", b"{}", b'{"jsonrpc": "2.0", "id": true, "method": "session/new"}'):
            one.raw(line)
        for method, params in (
            ("session/new", {"cwd": "relative"}),
            ("session/new", {"cwd": str(tmp_path / "missing")}),
            ("session/new", {"cwd": str(tmp_path)}),
            ("session/prompt", {"sessionId": "another", "prompt": []}),
            ("session/prompt", {"sessionId": session_id, "prompt": []}),
            ("session/prompt", {"sessionId": session_id, "prompt": "text"}),
            ("session/set_mode", {"sessionId": session_id}),
            ("craft/unknown", {}),
        ):
            assert "error" in one.answer_to(one.begin(method, **params)), method
        one.send(method="session/cancel", params={"sessionId": "another"})
        one.send(id=99, result={"outcome": {"outcome": "selected", "optionId": "approve"}})
        prompt = one.prompt(session_id)
        one.choose(one.question(), "allow_once")
        assert one.answer_to(prompt)["result"] == {"stopReason": "end_turn"}


def test_what_the_editor_puts_beside_a_message_is_passed_on(tmp_path: Path) -> None:
    with editor(tmp_path, [say("Read.")]) as one:
        session_id = one.session()
        blocks = [
            {"type": "text", "text": "Look at "},
            {"type": "resource_link", "uri": "file:///a.py", "name": "a.py"},
            {"type": "resource", "resource": {"uri": "file:///b.md", "text": "```\ncode\n```"}},
            {"type": "image", "data": "", "mimeType": "image/png"},
        ]
        assert one.request("session/prompt", sessionId=session_id, prompt=blocks) == {"stopReason": "end_turn"}


def test_with_the_editor_everything_ends(tmp_path: Path) -> None:
    with editor(tmp_path, [call("bash", command="touch a; sleep 1000")], [say("Done.")]) as one:
        one.prompt(one.session())
        one.choose(one.question(), "allow_once")
        wait_until(lambda: any("sleep" in process.name() for process in descendants(one.process.pid)), what="the sleep")
        started = descendants(one.process.pid)
        assert one.close() == 0
        wait_until(lambda: not any(process.is_running() for process in started), what="the end of all")


def test_a_wrong_settings_file_is_named(tmp_path: Path) -> None:
    one = AcpEditor(tmp_path)
    one.close()
    (tmp_path / "settings.json").write_text("[]")
    done = run_assent("acp", "--user-settings", str(tmp_path / "settings.json"))
    assert done.returncode == 2
    assert "cannot be read as settings" in done.stderr


def test_assent_behind_assent(tmp_path: Path) -> None:
    """The server talks to `assent acp` as to any agent: both ends of the protocol fit together."""
    script = tmp_path / "inner.json"
    script.write_text(json.dumps({"turns": [[write("a.txt", "from inside")], [say("Done.")]]}))
    settings = tmp_path / "inner-settings.json"
    settings.write_text(json.dumps({"assent.agents": {"S": {"provider": "scripted", "script": str(script)}}}))
    words = python("-m", "assent", "acp", "--agent", "S", "--user-settings", str(settings))
    state = {"ASSENT_STATE_DIR": str(tmp_path / "inner-state")}
    with Server(tmp_path) as server:
        server.meet(user={"agents": {"Inner": {"command": words[0], "args": words[1:], "env": state}}})
        chat = server.chat(agent="Inner")
        pending = chat.send()
        card = chat.card(within=30)
        assert (card["tool"], card["category"], card["agentName"]) == ("write_file", "write", "Inner")
        assert card["preview"]["lines"][-1]["text"] == "from inside"
        chat.answer(card, decision="accept")
        assert pending.result()["done_reason"] == "stop"
        assert (server.workspace / "a.txt").read_text() == "from inside"

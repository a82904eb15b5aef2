"""Workflows over the wire with the real process: one card for what is known, and the ladder for every step."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.editor_documents import CAPABILITIES, EDITS, Documents
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, call, refusal, say

Made = Callable[..., Server]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def put(server: Server, name: str, *steps: Json, **more: Json) -> None:
    """A workflow of the workspace."""
    folder = server.workspace / ".assent" / "workflows"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps({"steps": steps, **more}))


def step(name: str, tool: str, after: list[str] | None = None, **inputs: Json) -> Json:
    return {"id": name, "tool": tool, "inputs": inputs, **({"after": after} if after else {})}


def writes(name: str, path: str, content: Json = "content") -> Json:
    return step(name, "write_file", path=path, content=content)


def started(server: Server, *, mode: str | None = None, **args: Json) -> Chat:
    """A chat whose first turn runs the workflow w."""
    server.script([call("run_workflow", workflow_id="file:w", **args)], [say("Done.")])
    return server.chat(mode=mode)


def outer(chat: Chat) -> Json:
    (result,) = [one for one in chat.results() if one["tool"] == "run_workflow"]
    return result


def test_one_card_shows_all_steps_and_its_yes_counts_for_each(server: Server) -> None:
    put(server, "w", writes("one", "a.txt", "first"), writes("two", "b.txt"), step("three", "bash", command="touch c"))
    server.meet()
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert card["headline"] == "Run the workflow file:w (3 steps)"
    assert [one["number"] for one in card["preview"]["steps"]] == [1, 2, 3]
    first, _, third = card["preview"]["steps"]
    assert first["preview"]["lines"][0]["text"] == "first" and third["preview"]["text"] == "touch c"
    assert not (server.workspace / "a.txt").exists()
    chat.answer(card, decision="accept")
    run.result()
    assert len(chat.cards()) == 1 and outer(chat)["success"]
    assert [(server.workspace / name).exists() for name in ("a.txt", "b.txt", "c")] == [True] * 3
    parents = [one["data"].get("parentToolCallId") for one in chat.events("ToolCall")]
    assert parents == [None, *[outer(chat)["toolCallId"]] * 3]


def test_a_file_that_changes_before_the_click_is_shown_anew(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"))
    server.meet()
    chat = started(server)
    run = chat.send()
    card = chat.card()
    put(server, "w", writes("one", "evil.txt"))
    assert chat.refused(card, decision="accept").code == -31004
    assert not (server.workspace / "evil.txt").exists()
    again = chat.card()
    assert "evil.txt" in json.dumps(again["preview"])
    chat.answer(again, decision="accept", argsDigest=again["argsDigest"])
    run.result()
    assert (server.workspace / "evil.txt").exists()


def test_what_a_step_gives_goes_into_the_next_one_which_is_decided_about_by_itself(server: Server) -> None:
    (server.workspace / "in.txt").write_text("out.txt")
    put(
        server,
        "w",
        step("read", "read_file", path="in.txt"),
        step("write", "write_file", path={"$step": "read"}, content={"$text": ["v", {"$param": "n"}]}),
        parameters={"type": "object", "properties": {"n": {"type": "integer", "default": 3}}},
    )
    server.meet()
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert "comes from the step “read”" in card["preview"]["steps"][1]["notes"][0]
    chat.answer(card, decision="accept")
    second = chat.card("out.txt")
    assert second["tool"] == "write_file" and not (server.workspace / "out.txt").exists()
    chat.answer(second, decision="accept")
    run.result()
    assert (server.workspace / "out.txt").read_text() == "v3"


def test_steps_that_only_read_ask_nobody(server: Server) -> None:
    (server.workspace / "in.txt").write_text("text")
    put(server, "w", step("read", "read_file", path="in.txt"), step("list", "list_files"))
    server.meet()
    chat = started(server, mode="plan")
    chat.run()
    assert chat.cards() == [] and outer(chat)["success"] and "text" in outer(chat)["output"]


def test_in_plan_mode_a_step_that_acts_blocks_all_of_it(server: Server) -> None:
    put(server, "w", step("list", "list_files"), writes("write", "a.txt"))
    server.meet()
    chat = started(server, mode="plan")
    chat.run()
    assert refusal(outer(chat))["error"] == "blocked_in_plan_mode"
    assert len(chat.results()) == 1


@pytest.mark.parametrize("bypass", [False, True])
def test_a_deny_rule_on_a_step_blocks_all_of_it(server: Server, bypass: bool) -> None:
    put(server, "w", writes("one", "a.txt"), writes("two", "infra/b.txt"))
    user = {"alwaysDenyRules": {"write_file": ["infra/**"]}}
    server.meet(user={**user, "bypassPermissions": {"Scripted": True}} if bypass else user)
    chat = started(server)
    chat.run()
    told = refusal(outer(chat))
    assert told["error"] == "denied_by_rule" and "Step 2 (write_file)" in told["message"]
    assert not (server.workspace / "a.txt").exists()


def test_a_protected_step_makes_all_of_it_protected(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"), writes("two", ".vscode/tasks.json", "{}"))
    server.meet(user={"bypassPermissions": {"Scripted": True}})
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "protected"
    assert {one["kind"] for one in card["options"]} <= {"allow_once", "reject_once", "reject_always"}
    chat.answer(card, decision="accept")
    run.result()
    assert (server.workspace / ".vscode/tasks.json").read_text() == "{}" and len(chat.cards()) == 1


def test_under_a_bypass_a_step_that_is_only_known_later_is_still_held_at_what_is_protected(server: Server) -> None:
    (server.workspace / "in.txt").write_text(".vscode/tasks.json")
    put(
        server,
        "w",
        step("read", "read_file", path="in.txt"),
        writes("write", "x") | {"inputs": {"path": {"$step": "read"}, "content": "{}"}},
    )
    server.meet(user={"bypassPermissions": {"Scripted": True}})
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert card["tool"] == "write_file" and card["reason"]["code"] == "protected"
    chat.answer(card, decision="deny", feedback="no")
    run.result()
    assert "no" in outer(chat)["output"] and not (server.workspace / ".vscode").exists()


def test_a_step_that_the_workflow_itself_has_made_something_else_is_asked_about(server: Server) -> None:
    put(server, "w", writes("one", "a.txt", "1"), writes("two", "a.txt", "2"))
    server.meet()
    chat = started(server)
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    second = chat.card("a.txt")
    shown = [(line["kind"], line["text"]) for line in second["preview"]["lines"]]
    assert shown == [("removed", "1"), ("added", "2")]
    chat.answer(second, decision="deny")
    run.result()
    assert (server.workspace / "a.txt").read_text() == "1" and not outer(chat)["success"]


def test_one_that_stopped_goes_on_from_there(server: Server) -> None:
    put(
        server,
        "w",
        writes("one", "a.txt", "1"),
        step("two", "bash", after=["one"], command="test -e ready && touch made"),
    )
    server.meet()
    chat = started(server)
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    run.result()
    told = outer(chat)["output"]
    assert "stopped at its step “two”" in told and "Finished: one." in told
    resume = told.split('"resume": "')[1].split('"')[0]
    (server.workspace / "ready").touch()
    (server.workspace / "a.txt").unlink()
    server.script([say("-")], [say("-")], [call("run_workflow", workflow_id="file:w", resume=resume)], [say("Done.")])
    run = chat.send()
    card = chat.card()
    assert card["headline"] == "Go on with the workflow file:w (1 step)" and card["preview"]["done"] == 1
    chat.answer(card, decision="accept")
    run.result()
    assert [one for one in chat.results() if one["tool"] == "run_workflow"][-1]["success"]
    assert not (server.workspace / "a.txt").exists()


def test_allowed_for_the_chat_it_runs_again_and_with_other_parameters_asks_anew(server: Server) -> None:
    put(
        server,
        "w",
        writes("one", {"$param": "file"}),  # type: ignore[arg-type]
        parameters={"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]},
    )
    server.meet()
    again = {"workflow_id": "file:w", "params": {"file": "a.txt"}}
    other = {"workflow_id": "file:w", "params": {"file": "b.txt"}}
    server.script([call("run_workflow", **again)], [call("run_workflow", **again)], [call("run_workflow", **other)])
    chat = server.chat()
    chat.send()
    chat.answer(chat.card(), decision="allow_session")
    card = chat.card()
    assert "b.txt" in json.dumps(card["preview"]) and card["tool"] == "run_workflow"
    assert [one["tool"] for one in chat.results()] == ["write_file", "run_workflow"] * 2
    assert not (server.workspace / "b.txt").exists()


def test_a_stop_ends_the_step_and_makes_no_other(server: Server) -> None:
    put(server, "w", step("one", "bash", command="touch began; sleep 100"), writes("two", "b.txt"))
    server.meet(user={"bypassPermissions": {"Scripted": True}})
    chat = started(server)
    run = chat.send()
    wait_until(lambda: (server.workspace / "began").exists(), what="the first step")
    chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    assert not (server.workspace / "b.txt").exists()
    assert [one["code"] for one in chat.results()] == ["cancelled", "cancelled"]


def test_a_later_call_of_the_model_waits_for_the_steps_that_touch_the_same(server: Server) -> None:
    wait = "touch began; while ! test -e go; do sleep 0.05; done"
    put(server, "w", step("wait", "bash", command=wait), writes("write", "a.txt", "of the workflow"))
    (server.workspace / "b.txt").write_text("beside")
    server.meet(user={"bypassPermissions": {"Scripted": True}})
    flow, last = call("run_workflow", workflow_id="file:w"), writes("", "a.txt", "of the model")["inputs"]
    server.script([flow, call("write_file", **last), call("read_file", path="b.txt")], [say("Done.")])
    chat = server.chat()
    run = chat.send()
    wait_until(lambda: (server.workspace / "began").exists(), what="the first step")
    # What touches nothing of it does not wait.
    assert chat.wait_for_event("ToolResult")["tool"] == "read_file"
    chat.info()
    assert not (server.workspace / "a.txt").exists() and len(chat.results()) == 1
    (server.workspace / "go").touch()
    run.result()
    assert (server.workspace / "a.txt").read_text() == "of the model"
    assert [one["tool"] for one in chat.results()][-2:] == ["run_workflow", "write_file"]


def test_one_that_runs_itself_comes_to_an_end(server: Server) -> None:
    put(server, "w", step("again", "run_workflow", workflow_id="file:w"))
    server.meet(user={"bypassPermissions": {"Scripted": True}})
    chat = started(server)
    chat.run()
    assert "no deeper than 3" in outer(chat)["output"]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("{", "no JSON"),
        ('{"steps": []}', "not empty"),
        ('{"steps": [{"id": "a", "tool": "bash"}], "run": 1}', "“run”, which is not known"),
        (
            '{"steps": [{"id": "a", "tool": "x", "after": ["b"]}, {"id": "b", "tool": "x", "after": ["a"]}]}',
            "each other",
        ),
        ('{"steps": [{"id": "a", "tool": "x", "inputs": {"p": {"$step": "b"}}}]}', "there is none"),
        ('{"steps": [{"id": "a", "tool": "x", "inputs": {"p": {"$env": "b"}}}]}', "stands for nothing"),
        ('{"steps": [{"id": "a", "tool": "x", "node": "y"}]}', "either"),
    ],
)
def test_a_file_that_is_no_workflow_says_why_and_nobody_is_asked(server: Server, file: str, said: str) -> None:
    put(server, "w")
    (server.workspace / ".assent/workflows/w.json").write_text(file)
    server.meet()
    chat = started(server)
    chat.run()
    assert said in refusal(outer(chat))["message"] and chat.cards() == []


def test_what_there_is_can_be_listed_and_looked_at(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"), title="Title", description="What it is for")
    (server.workspace / ".assent/workflows/bad.json").write_text("[]")
    server.meet()
    server.script([call("list_workflows"), call("get_workflow", workflow_id="file:w")], [say("Done.")])
    chat = server.chat(mode="plan")
    chat.run()
    # Both only read, so either may be done first.
    gave = {one["tool"]: json.loads(one["output"]) for one in chat.results()}
    listed, got = gave["list_workflows"], gave["get_workflow"]
    assert listed[1] == {"id": "file:w", "title": "Title", "description": "What it is for", "steps": 1}
    assert "is no object" in listed[0]["unusable"]
    assert got["steps"][0]["inputs"]["path"] == "a.txt"


@pytest.mark.parametrize("ending", ["yaml", "yml"])
def test_a_file_that_is_not_json_is_listed_as_none_and_says_what_to_do(server: Server, ending: str) -> None:
    put(server, "other", writes("one", "a.txt"))
    (server.workspace / f".assent/workflows/w.{ending}").write_text("steps:\n- tool: bash\n")
    server.meet()
    server.script(
        [call("list_workflows"), call("get_workflow", workflow_id=f"file:w.{ending}")],
        [call("run_workflow", workflow_id="file:w")],
    )
    chat = server.chat()
    chat.run()
    words = f".assent/workflows/w.{ending} is no workflow: workflows are JSON files. Write it as w.json."
    gave = {one["tool"]: one["output"] for one in chat.results()}
    assert json.loads(gave["list_workflows"])[1] == {"id": f"file:w.{ending}", "unusable": words}
    assert words in gave["get_workflow"] and words in gave["run_workflow"] and chat.cards() == []


def test_the_card_of_one_that_is_open_with_unsaved_changes_says_that_they_do_not_count(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"))
    server.meet(capabilities=CAPABILITIES, editor=EDITS)
    file = server.workspace / ".assent/workflows/w.json"
    Documents(server).open(file, file.read_text().replace("a.txt", "typed.txt"), dirty=True)
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert "not saved. They do not count" in card["risk"]["notes"][0]
    chat.answer(card, decision="accept")
    run.result()
    assert (server.workspace / "a.txt").exists() and not (server.workspace / "typed.txt").exists()


@pytest.mark.parametrize("pattern", ["file:w", "file:*", "*", "FILE:W"])
def test_a_deny_rule_names_a_workflow_by_its_id(server: Server, pattern: str) -> None:
    put(server, "w", step("read", "list_files"))
    server.meet(user={"alwaysDenyRules": {"run_workflow": [pattern]}})
    chat = started(server, mode="auto")
    chat.run()
    assert refusal(outer(chat))["error"] == "denied_by_rule"


def test_a_rule_about_another_workflow_leaves_this_one_alone(server: Server) -> None:
    put(server, "w", step("read", "list_files"))
    server.meet(user={"alwaysDenyRules": {"run_workflow": ["file:other"]}, "toolAllowlist": ["run_workflow"]})
    chat = started(server)
    chat.run()
    assert outer(chat)["success"]


def test_that_the_tool_is_always_allowed_allows_no_workflow(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"))
    server.meet(user={"toolAllowlist": ["run_workflow"]})
    chat = started(server)
    run = chat.send()
    card = chat.card()
    assert card["tool"] == "run_workflow" and "allow_always" not in {one["kind"] for one in card["options"]}
    chat.answer(card, decision="deny")
    run.result()


def test_what_a_step_calls_that_changed_is_not_covered_by_what_was_allowed_for_the_chat(server: Server) -> None:
    nodes = server.workspace / ".assent" / "nodes"
    nodes.mkdir(parents=True)
    script = {"description": "Makes a file", "command": ["touch", "made"]}
    (nodes / "make.json").write_text(json.dumps(script))
    put(server, "w", {"id": "one", "node": "script.make", "inputs": {}})
    server.meet()
    server.script(
        [call("run_workflow", workflow_id="file:w")], [say("-")], [call("run_workflow", workflow_id="file:w")]
    )
    chat = server.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="allow_session")
    run.result()
    assert (server.workspace / "made").exists()
    (nodes / "make.json").write_text(json.dumps({**script, "command": ["touch", "evil"]}))
    chat.send()
    assert chat.card()["tool"] == "run_workflow" and not (server.workspace / "evil").exists()


def test_files_that_name_each_other_are_not_looked_into_without_end(server: Server) -> None:
    for name, inner in (("w", "x"), ("x", "y")):
        put(server, name, *(step(f"s{at}", "run_workflow", workflow_id=f"file:{inner}") for at in range(30)))
    put(server, "y", *(step(f"s{at}", "list_files") for at in range(30)))
    server.meet()
    chat = started(server, mode="plan")
    chat.run(within=30)
    assert "more than 200 calls" in outer(chat)["output"]


def test_a_step_that_can_never_be_made_is_told_before_anybody_is_asked(server: Server) -> None:
    put(server, "w", {"id": "one", "node": "script.none", "inputs": {}}, writes("two", "a.txt"))
    server.meet()
    chat = started(server)
    chat.run()
    assert "The step “one” cannot be made" in outer(chat)["output"] and chat.cards() == []


def test_uses_are_counted_once_for_a_workflow_and_not_for_its_steps(server: Server) -> None:
    put(server, "w", writes("one", "a.txt"), writes("two", "b.txt"))
    server.meet()
    server.script(*([[call("run_workflow", workflow_id="file:w")]] * 4), [say("Done.")])
    chat = server.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="allow_session", limits={"uses": 2})
    card = chat.card()
    done = [one["tool"] for one in chat.results()]
    assert card["tool"] == "run_workflow" and done.count("write_file") == 2 * done.count("run_workflow")
    assert done.count("run_workflow") in (2, 3)
    chat.stop()
    run.result()

"""Numbers and truths that a model writes as texts: what runs is what the card shows, and a text stays a text."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.mcp_servers import OFFICIAL, command
from tests.support.server import Json, Server, call, refusal, say


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        (server.workspace / "lines.txt").write_text("one\ntwo\nthree\n")
        yield server


def reading(**args: Json) -> Json:
    return call("read_file", path="lines.txt", **args)


def test_a_number_in_quotation_marks_is_that_number_on_the_card_and_when_it_runs(server: Server) -> None:
    server.meet()
    server.script([reading(offset="2", limit="1")], [reading(offset=2, limit=1)], [say("done")])
    chat = server.chat(mode="ask")
    run = chat.send()
    card = chat.card()
    assert card["args"] == card["toolCall"]["rawInput"] == {"path": "lines.txt", "offset": 2, "limit": 1}
    assert json.loads(card["preview"]["text"]) == card["args"]
    chat.select(card, "approve")
    again = chat.card()
    assert again["args"] == card["args"]
    chat.select(again, "approve")
    run.result()
    first, second = chat.results()
    assert first["success"] and first["output"] == second["output"] and "two" in first["output"]
    # What the model wrote is kept as it wrote it.
    assert chat.events("ToolCall")[0]["data"]["args"]["limit"] == "1"


@pytest.mark.parametrize("text", ["one", "1.0", " 1", "01", "1e0", ""])
def test_what_is_no_plain_number_does_not_fit(server: Server, text: str) -> None:
    server.meet()
    server.script([reading(limit=text)], [say("done")])
    chat = server.chat(mode="ask")
    chat.run()
    assert chat.cards() == [] and refusal(chat.results()[0])["error"] == "invalid_arguments"


def test_a_text_stays_a_text(server: Server) -> None:
    server.meet()
    server.script([call("write_file", path="1", content="true")], [say("done")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    assert card["args"] == {"path": "1", "content": "true"}
    chat.select(card, "approve")
    run.result()
    assert (server.workspace / "1").read_text() == "true"


def test_tools_of_mcp_servers_and_nodes_are_taken_by_their_schema(server: Server) -> None:
    server.meet(user={"mcpServers": {"ours": command(OFFICIAL)}})
    steps = [
        call("run_node", node_type="mcp.ours.echo", inputs={"text": "1", "times": "2"}),
        call("run_node", node_type="mcp.ours.totals", inputs={"numbers": ["1", "2"]}),
        call("run_node", node_type="builtin.text.slice", inputs={"text": "123", "start": "1", "end": "2"}),
    ]
    server.script(*([step] for step in steps), [say("done")])
    chat = server.chat(mode="ask")
    run = chat.send()
    for inputs in ({"text": "1", "times": 2}, {"numbers": [1, 2]}, {"text": "123", "start": 1, "end": 2}):
        card = chat.card(within=30)
        assert card["args"]["inputs"] == inputs and json.loads(card["preview"]["text"]) == inputs
        chat.select(card, "approve")
    run.result(30)
    assert [one["success"] for one in chat.results()] == [True] * 3
    assert [one["output"] for one in chat.results()][::2] == ["1 1", "2"]


def test_steps_and_parameters_of_workflows_are_taken_too(server: Server) -> None:
    folder = server.workspace / ".assent" / "workflows"
    folder.mkdir(parents=True)
    (folder / "w.json").write_text(
        json.dumps(
            {
                "parameters": {"type": "object", "properties": {"first": {"type": "integer"}}},
                "steps": [
                    {
                        "id": "read",
                        "tool": "read_file",
                        "inputs": {"path": "lines.txt", "offset": {"$param": "first"}, "limit": "1"},
                    },
                    {"id": "write", "tool": "write_file", "inputs": {"path": "a", "content": "1"}, "after": ["read"]},
                ],
            }
        )
    )
    server.meet()
    server.script([call("run_workflow", workflow_id="file:w", params={"first": "3"})], [say("done")])
    chat = server.chat(mode="ask")
    run = chat.send()
    card = chat.card()
    assert card["args"]["params"] == {"first": 3}
    shown = json.loads(card["preview"]["steps"][0]["preview"]["text"])
    assert shown == {"path": "lines.txt", "offset": 3, "limit": 1}
    chat.select(card, "approve")
    run.result()
    # The one yes counts for each step that does just what was shown.
    assert len(chat.cards()) == 1 and (server.workspace / "a").read_text() == "1"
    assert any("three" in one["output"] for one in chat.results())


def test_hooks_are_told_what_would_run_and_what_they_write_counts_as_they_write_it(
    server: Server, tmp_path: Path
) -> None:
    hooks = HookPrograms(tmp_path)
    changing = hooks.answering({"updatedInput": {"path": "lines.txt", "limit": "2"}}, matcher="read_file")
    server.meet(user={"hooks": {"PreToolUse": [changing]}})
    server.script([reading(limit="1")], [say("done")])
    chat = server.chat(mode="ask")
    chat.run()
    assert hooks.told()[0]["tool_input"] == {"path": "lines.txt", "limit": 1}
    assert len(hooks.told()) <= 2 and refusal(chat.results()[0])["error"] == "invalid_arguments"


def test_explaining_speaks_of_the_same_call(server: Server) -> None:
    server.meet()
    asked = {"tool": "read_file", "args": {"path": "lines.txt", "limit": "1"}, "agent": "Scripted"}
    found = server.client.request("policy/explain", asked)
    assert found["outcome"] == "run"

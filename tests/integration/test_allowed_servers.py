"""MCP servers among what is allowed: where they come from, what it means, and how it is taken and given back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.mcp_servers import OFFICIAL, command
from tests.support.server import Chat, Json, Server, call, say

Start = Callable[..., Server]
READING = call("run_node", node_type="mcp.ours/resources/read", inputs={"uri": "notes://first"})
NOTE = "Remember the milk."


def defined(*, trusted: bool = True) -> Json:
    return {**command(OFFICIAL), **({"trusted": True} if trusted else {})}


def in_workspace(server: Server, servers: Json) -> Path:
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"editor.tabSize": 2, "assent.mcpServers": servers}, indent=2))
    return file


def grants(server: Server) -> list[Json]:
    found: list[Json] = server.client.request("grants/list", {})["grants"]
    return found


def revoke(server: Server, grant: Json) -> Json:
    return server.client.request("grants/revoke", {"grantId": grant["grantId"]})


def undo(server: Server, grant: Json) -> Json:
    return server.client.request("grants/undo", {"grantId": grant["grantId"]})["grant"]


def agree(server: Server, within: Callable[[Json], bool] = lambda _: True) -> None:
    """Honours all of the question that is asked now."""
    question = server.client.wait_for("settings/consentRequest", within)
    honour = [entry["entryId"] for entry in question["entries"]]
    answer = {"consentId": question["consentId"], "digest": question["digest"], "honour": honour}
    server.client.request("settings/consentResponse", answer)


def reads(server: Server) -> tuple[Chat, Any]:
    """A chat that has a resource of the server read."""
    server.script([READING], [say("done")])
    chat = server.chat()
    return chat, chat.send()


def test_the_trust_in_a_server_of_ones_own_is_taken_out_by_the_editor(start: Start) -> None:
    server = start()
    servers = {"ours": defined(), "plain": defined(trusted=False)}
    server.meet(capabilities=("cards", "settings/write"), user={"mcpServers": servers})
    (one,) = grants(server)
    assert (one["kind"], one["scope"], one["setting"]) == ("server_trust", "user", "assent.mcpServers")
    assert "“ours” is believed" in one["text"] and one["effective"] is True
    chat, run = reads(server)
    assert run.result(30)["done_reason"] == "stop" and chat.cards() == []
    assert chat.results()[0]["output"] == NOTE

    pending = server.client.start("grants/revoke", {"grantId": one["grantId"]})
    asked = server.client.wait_for_request("settings/write")
    assert asked.params == {
        "key": "assent.mcpServers",
        "path": ["ours", "trusted"],
        "value": None,
        "target": "user",
    }
    asked.answer({"written": True, "target": "user"})
    assert pending.result()["undoable"] is True
    # The settings that were told still say it.
    chat, run = reads(server)
    chat.select(chat.card(within=30), "deny")
    run.result(30)
    assert [grant["effective"] for grant in grants(server)] == [False]


def test_a_server_of_the_workspace_and_the_trust_in_it_go_and_come_back_with_the_agreement(start: Start) -> None:
    server = start()
    file = in_workspace(server, {"ours": defined()})
    before = file.read_text()
    server.meet()
    assert [(one["kind"], one["effective"]) for one in grants(server)] == [("server", False), ("server_trust", False)]
    agree(server)
    started, trusted = grants(server)
    assert [started["effective"], trusted["effective"]] == [True, True]
    assert "of this workspace is started, as" in started["text"] and "mcp_official.py" in started["text"]
    assert [one["file"] for one in (started, trusted)] == [str(file)] * 2
    assert '"trusted"' in before.splitlines()[trusted["line"] - 1]
    chat, run = reads(server)
    assert run.result(30)["done_reason"] == "stop" and chat.cards() == []

    revoke(server, started)
    left = json.loads(file.read_text())
    assert left["editor.tabSize"] == 2 and not left.get("assent.mcpServers")
    assert grants(server) == []
    chat, run = reads(server)
    assert run.result(30)["done_reason"] == "stop" and chat.cards() == []
    assert "no MCP server “ours”" in chat.results()[0]["output"]

    assert undo(server, started)["effective"] is True
    assert json.loads(file.read_text()) == json.loads(before)
    assert [one["effective"] for one in grants(server)] == [True, True]


def test_a_server_that_was_taken_back_is_not_believed_when_it_comes_by_another_way(start: Start) -> None:
    server = start()
    file = in_workspace(server, {"ours": defined()})
    before = file.read_text()
    server.meet()
    agree(server)
    first = server.client.notifications("settings/consentRequest")
    revoke(server, grants(server)[0])
    file.write_text(before)
    known = {question["consentId"] for question in first}
    question = server.client.wait_for(
        "settings/consentRequest", lambda question: question["consentId"] not in known, within=20
    )
    assert len(question["entries"]) == 2
    assert [one["effective"] for one in grants(server)] == [False, False]


def test_only_the_trust_goes_and_the_server_asks_from_then_on(start: Start) -> None:
    server = start()
    file = in_workspace(server, {"ours": defined()})
    server.meet()
    agree(server)
    revoke(server, grants(server)[1])
    assert json.loads(file.read_text())["assent.mcpServers"] == {"ours": defined(trusted=False)}
    assert [(one["kind"], one["effective"]) for one in grants(server)] == [("server", True)]
    chat, run = reads(server)
    chat.select(chat.card(within=30), "deny")
    run.result(30)


def test_a_workspace_that_repeats_ones_own_server_permits_nothing(start: Start) -> None:
    server = start()
    in_workspace(server, {"ours": defined()})
    server.meet(user={"mcpServers": {"ours": defined(trusted=False)}})
    assert grants(server) == []

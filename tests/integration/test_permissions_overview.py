"""What decides, looked at in one place and changed there: modes, rules, bypasses, answers, over the wire."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.rpc import RpcError
from tests.support.server import Json, Server, call, say

Start = Callable[..., Server]
WRITING = call("write_file", path="a.txt", content="x")


def overview(server: Server) -> Json:
    return server.client.request("permissions/overview", {})


def settings_of(server: Server) -> Path:
    return server.workspace / ".vscode" / "settings.json"


def put(server: Server, settings: Json) -> Path:
    file = settings_of(server)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(settings, indent=2))
    return file


def bypass_of(server: Server, agent: str) -> Json:
    (one,) = [one for one in overview(server)["bypasses"] if one["agent"] == agent]
    return one


def grant_of(server: Server, grant_id: str) -> Json:
    grants = server.client.request("grants/list", {})["grants"]
    (one,) = [one for one in grants if one["grantId"] == grant_id]
    return one


def honour_all(server: Server) -> None:
    question = server.client.wait_for("settings/consentRequest")
    honour = [entry["entryId"] for entry in question["entries"]]
    answer = {"consentId": question["consentId"], "digest": question["digest"], "honour": honour}
    server.client.request("settings/consentResponse", answer)


def test_each_rule_is_told_with_what_it_does_and_why_it_changes_nothing(start: Start) -> None:
    server = start()
    put(server, {"assent.alwaysDenyRules": {"bash": ["rm:*"]}, "assent.alwaysAskRules": {"web_fetch": ["*"]}})
    server.meet(user={"alwaysAllowRules": {"bash": ["rm -rf build", "ls:*"]}})
    found = overview(server)
    rules = {(one["effect"], one["tool"], one["pattern"]): one for one in found["rules"]}
    assert rules["deny", "bash", "rm:*"]["does"] == "Every command in which `rm` is run is refused."
    assert rules["ask", "web_fetch", "*"]["does"].startswith("Every web_fetch call is asked for")
    assert "comes first" in rules["allow", "bash", "rm -rf build"]["remark"]
    assert rules["allow", "bash", "ls:*"].get("remark") is None
    assert {one["effect"] for one in found["orders"]} == {"deny", "ask", "allow"}
    asked = grant_of(server, rules["ask", "web_fetch", "*"]["grantId"])
    assert (asked["kind"], asked["line"], asked["setting"]) == ("ask_rule", 9, "assent.alwaysAskRules")


def test_a_rule_that_is_removed_goes_out_of_the_file_and_the_next_call_asks(start: Start) -> None:
    server = start()
    file = put(server, {"assent.alwaysAllowRules": {"write_file": ["*.txt"]}})
    server.meet()
    honour_all(server)
    server.script([WRITING], [say("done")], [WRITING], [say("done")])
    chat = server.chat()
    chat.send().result(30)
    assert chat.cards() == []
    (rule,) = overview(server)["rules"]
    grant = grant_of(server, rule["grantId"])
    server.client.request("grants/revoke", {"grantId": grant["grantId"], "digest": grant["digest"]})
    assert json.loads(file.read_text())["assent.alwaysAllowRules"] == {"write_file": []}
    assert overview(server)["rules"] == []
    run = chat.send()
    chat.select(chat.card(within=30), "deny")
    run.result(30)


def test_an_entry_that_says_something_else_by_now_is_not_removed(start: Start) -> None:
    server = start()
    server.meet(user={"mcpServers": {"ours": {"command": "one", "trusted": True}}})
    (grant,) = server.client.request("grants/list", {})["grants"]
    told = server.settings(mcpServers={"ours": {"command": "another", "trusted": True}})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    with pytest.raises(RpcError, match="says something else by now"):
        server.client.request("grants/revoke", {"grantId": grant["grantId"], "digest": grant["digest"]})


def test_a_bypass_is_switched_on_for_what_was_shown_and_off_without_a_question(start: Start) -> None:
    server = start()
    server.meet()
    shown = bypass_of(server, "Scripted")
    assert shown["on"] is False and "runs without asking" in shown["warning"]
    with pytest.raises(RpcError, match="look at it again"):
        server.client.request("permissions/setBypass", {"agent": "Scripted", "on": True})
    on = {"agent": "Scripted", "on": True, "digest": shown["digest"]}
    server.client.request("permissions/setBypass", on)
    assert json.loads(settings_of(server).read_text()) == {"assent.bypassPermissions": {"Scripted": True}}
    with pytest.raises(RpcError, match="look at it again"):
        server.client.request("permissions/setBypass", on)

    server.script([WRITING], [say("done")], [WRITING], [say("done")])
    chat = server.chat()
    chat.send().result(30)
    assert chat.cards() == [] and bypass_of(server, "Scripted")["place"]["line"] == 3
    revoked = server.client.request("permissions/setBypass", {"agent": "Scripted", "on": False})["revoked"]
    assert [one["undoable"] for one in revoked] == [True]
    assert json.loads(settings_of(server).read_text()) == {"assent.bypassPermissions": {"Scripted": False}}
    run = chat.send()
    chat.select(chat.card(within=30), "deny")
    run.result(30)


def test_where_bypasses_are_taken_away_none_can_be_switched_on(start: Start) -> None:
    server = start()
    server.meet(user={"bypassAvailable": False})
    shown = bypass_of(server, "Scripted")
    assert shown["locked"] == "assent.bypassAvailable takes every bypass away."
    with pytest.raises(RpcError, match="takes every bypass away"):
        server.client.request("permissions/setBypass", {"agent": "Scripted", "on": True, "digest": shown["digest"]})
    (lock,) = overview(server)["locks"]
    assert (lock["setting"], lock["place"]["scope"]) == ("assent.bypassAvailable", "user")


def test_the_mode_of_new_chats_is_stored_with_the_agreement_and_never_over_another_one(start: Start) -> None:
    server = start()
    server.meet()
    shown = overview(server)["mode"]
    assert (shown["mode"], shown["storedIn"]) == ("default", "workspace") and shown.get("place") is None
    server.client.request("permissions/setMode", {"mode": "auto", "digest": shown["digest"]})
    assert json.loads(settings_of(server).read_text()) == {"assent.mode": "auto"}
    now = overview(server)["mode"]
    assert (now["mode"], now["place"]["line"]) == ("auto", 2)
    assert server.client.request("session/new", {})["mode"] == "auto"
    with pytest.raises(RpcError, match="another one by now"):
        server.client.request("permissions/setMode", {"mode": "plan", "digest": shown["digest"]})


def test_an_answer_that_is_forgotten_is_asked_for_again(start: Start) -> None:
    server = start()
    put(server, {"assent.toolAllowlist": ["write_file"]})
    server.meet()
    honour_all(server)
    (answer,) = overview(server)["answers"]
    assert answer["honoured"] is True and answer["at"].endswith("Z") and answer["place"]["line"] == 3
    assert answer["words"] == "Every call of the tool “write_file” would run without asking."
    before = len(server.client.notifications("settings/consentRequest"))
    server.client.request("permissions/forgetAnswer", {"answerId": answer["answerId"]})
    server.client.wait_for("settings/consentRequest", lambda _: True)
    assert len(server.client.notifications("settings/consentRequest")) == before + 1
    assert overview(server)["answers"] == []
    with pytest.raises(RpcError, match="not kept any more"):
        server.client.request("permissions/forgetAnswer", {"answerId": answer["answerId"]})


def test_the_sandbox_is_told_in_a_sentence_that_follows_the_settings(start: Start) -> None:
    server = start()
    server.meet(user={"sandbox": {"enabled": "off"}})
    text = server.client.request("permissions/sandbox", {})["text"]
    assert text.startswith("It is switched off: commands that are allowed run with all that you may do. ")

"""Rules of the settings, from the settings of a real client to what a call comes to."""

import json
from collections.abc import Callable

import pytest

from tests.support.room import Room
from tests.support.server import NOT_OFFERED, SCRIPTED, SECOND, Chat, Json, Server, call, read, refusal

Start = Callable[..., Server]

DENY, ASK, ALLOW = "alwaysDenyRules", "alwaysAskRules", "alwaysAllowRules"


def meet(start: Start, **user: Json) -> Room:
    """A server whose user has these settings, and a folder `room` in its workspace."""
    server = start()
    server.meet(user=user)
    return Room(server, "room")


def of_workspace(server: Server, **block: Json) -> None:
    """Puts settings into the workspace's own file."""
    folder = server.workspace / ".vscode"
    folder.mkdir(exist_ok=True)
    lines = ",\n  ".join(f'"assent.{key}": {json.dumps(value)}' for key, value in block.items())
    (folder / "settings.json").write_text(f"{{\n  {lines}\n}}\n")


def tell(server: Server, **user: Json) -> None:
    """The user's settings are these from now on."""
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": server.settings(**user)}})


def denied(chat: Chat, calls: int = 1) -> str:
    """So many calls were refused, all of them for a rule; what the model was told of one."""
    refused = [result for result in chat.results() if not result["success"]]
    assert [result["code"] for result in refused] == ["denied_by_rule"] * calls, chat.results()
    told = refusal(refused[0])
    assert told["error"] == "denied_by_rule"
    return str(told["message"])


def notices(chat: Chat) -> list[str]:
    return [event["data"]["text"] for event in chat.events("Notification")]


def kinds(card: Json) -> set[str]:
    return {option["kind"] for option in card["options"]}


# Deny


def test_a_deny_rule_holds_in_the_loosest_mode(start: Start) -> None:
    room = meet(start, **{DENY: {"write_file": ["room/secret/**"]}})
    chat = room.chat([room.write("secret/a"), room.write("open")], mode="auto")
    chat.run()
    assert chat.cards() == []
    message = denied(chat)
    assert "room/secret/**" in message and "your user settings" in message
    assert not room.file("secret").exists() and room.file("open").exists()


def test_a_deny_rule_holds_under_bypass_and_every_grant(start: Start) -> None:
    room = meet(
        start,
        **{DENY: {"write_file": ["room/a"]}, ALLOW: {"write_file": ["*"]}},
        toolAllowlist=["write_file"],
        bypassPermissions={SCRIPTED: True},
    )
    chat = room.chat([room.write("b"), room.write("a")])
    assert chat.info()["bypassAgent"] is True
    chat.run()
    assert chat.cards() == [] and denied(chat)
    assert room.file("b").exists() and not room.file("a").exists()


@pytest.mark.parametrize("name", ["room/../room/a", "ROOM/A", "./room/a", "room/link/a"])
def test_a_deny_rule_holds_under_every_name_of_the_file(start: Start, name: str) -> None:
    room = meet(start, **{DENY: {"write_file": ["room/a"]}})
    room.file("link").symlink_to(room.folder)
    chat = room.chat([call("write_file", path=name, content="x")], mode="auto")
    chat.run()
    assert denied(chat)
    assert not room.file("a").exists()


def test_a_deny_rule_of_the_workspaces_own_file_counts(start: Start) -> None:
    server = start()
    of_workspace(server, alwaysDenyRules={"write_file": ["room/a"]})
    server.meet(user={ALLOW: {"write_file": ["*"]}}, workspaceTrusted=False)
    room = Room(server, "room")
    chat = room.chat([room.write("a"), room.write("b")])
    chat.run()
    message = denied(chat)
    assert "the workspace's settings" in message and "settings.json, line 2" in message
    assert chat.cards() == [] and not room.file("a").exists() and room.file("b").exists()


def test_a_rule_that_is_saved_to_the_workspaces_file_counts_for_the_next_call(start: Start) -> None:
    room = meet(start)
    chat = room.chat([room.write("a")], mode="auto")
    chat.run()
    of_workspace(room.server, alwaysDenyRules={"write_file": ["b"]})
    later = room.chat([room.write("b")], mode="auto")
    later.run()
    assert denied(later)
    assert room.file("a").exists() and not room.file("b").exists()


def test_listing_a_folder_that_is_denied(start: Start) -> None:
    room = meet(start, **{DENY: {"list_files": ["docs/"]}})
    for name in ("docs", "src"):
        (room.server.workspace / name).mkdir()
    chat = room.chat(
        [call("list_files", path="docs"), call("list_files", path="src"), call("list_files", path="docs/")]
    )
    chat.run()
    assert denied(chat, calls=2)
    assert [result["success"] for result in chat.results()].count(True) == 1


# Allow


def test_listing_a_folder_that_is_allowed(start: Start) -> None:
    room = meet(start, **{ALLOW: {"list_files": ["docs/"]}})
    for name in ("docs/deep", "src"):
        (room.server.workspace / name).mkdir(parents=True)
    chat = room.chat([call("list_files", path=path) for path in ("docs", "docs/deep", "src")], mode="ask")
    run = chat.send()
    chat.select(chat.card("src"), "deny")
    run.result()
    assert len(chat.cards()) == 1
    assert [result["success"] for result in chat.results()].count(True) == 2


def test_an_allow_rule_lets_read_what_it_names_and_nothing_else(start: Start) -> None:
    room = meet(start, **{ALLOW: {"read_file": ["docs/**"]}})
    for name in ("docs", "src"):
        (room.server.workspace / name).mkdir()
        (room.server.workspace / name / "a").write_text(name)
    chat = room.chat([read("docs/a"), read("src/a"), read("docs/../src/a")], mode="ask")
    run = chat.send()
    for path in ("src/a", "docs/../src/a"):
        card = chat.card(path)
        assert card["reason"]["code"] == "needs_approval" and "rule" not in card["reason"]
        chat.select(card, "deny")
    run.result()
    assert [result["success"] for result in chat.results()].count(True) == 1
    assert len(chat.cards()) == 2


def test_an_allow_rule_lets_write_unasked_but_never_what_is_protected(start: Start) -> None:
    room = meet(start, **{ALLOW: {"write_file": ["*", ".vscode/tasks.json"]}})
    chat = room.chat([room.write("a"), call("write_file", path=".vscode/tasks.json", content="{}")], mode="default")
    run = chat.send()
    card = chat.card()
    assert card["args"]["path"] == ".vscode/tasks.json" and card["reason"]["code"] == "protected"
    assert kinds(card) == ONLY_THIS_ONE
    chat.select(card, "deny")
    run.result()
    assert room.file("a").exists() and not (room.server.workspace / ".vscode").exists()
    assert len(chat.cards()) == 1


def test_an_allow_rule_is_nothing_in_plan_mode(start: Start) -> None:
    room = meet(start, **{ALLOW: {"write_file": ["*"]}}, toolAllowlist=["write_file"])
    chat = room.chat([room.write("a")], mode="plan")
    chat.run()
    assert chat.results()[0]["code"] == "blocked_in_plan_mode" and not room.file("a").exists()


def test_what_a_workspace_allows_does_not_count(start: Start) -> None:
    server = start()
    of_workspace(server, alwaysAllowRules={"write_file": ["*"]}, toolAllowlist=["write_file"])
    server.meet(workspaceTrusted=True)
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    assert card["reason"]["code"] == "needs_approval"
    chat.select(card, "deny")
    run.result()
    assert not room.file("a").exists()
    assert len(room.server.client.wait_for("settings/consentRequest")["entries"]) == 2
    assert notices(chat) == []


def test_a_tool_that_is_always_allowed_runs_unasked_where_nothing_is_raised(start: Start) -> None:
    room = meet(start, toolAllowlist=["write_file", "read_file"])
    room.file(".env").write_text("KEY=1")
    outside = room.server.workspace.parent / "outside"
    outside.write_text("x")
    chat = room.chat([room.write("a"), read(room.path(".env")), read(str(outside))], mode="ask")
    run = chat.send()
    for path in (room.path(".env"), str(outside)):
        chat.select(chat.card(path), "deny")
    run.result()
    assert room.file("a").exists() and len(chat.cards()) == 2


# Ask

ONLY_THIS_ONE = {"allow_once", "reject_once", "reject_always"}


@pytest.mark.parametrize("mode", ["default", "auto"])
@pytest.mark.parametrize("bypassed", [False, True])
def test_an_ask_rule_asks_whatever_is_allowed(start: Start, mode: str, bypassed: bool) -> None:
    server = start()
    of_workspace(server, mode="default", alwaysAskRules={"write_file": ["room/a"]})
    allowed: dict[str, Json] = {ALLOW: {"write_file": ["*"]}, "toolAllowlist": ["write_file"]}
    server.meet(user={**allowed, "mode": "auto", "bypassPermissions": {SCRIPTED: bypassed}})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("b"), room.write("a")], mode=mode)
    assert card["args"]["path"] == "room/a"
    assert kinds(card) == ONLY_THIS_ONE
    assert card["reason"]["code"] == "ask_rule"
    assert card["reason"]["rule"] == {
        "pattern": "room/a",
        "scope": "workspace",
        "file": str(server.workspace / ".vscode" / "settings.json"),
        "line": 3,
    }
    for fields in ({"decision": "allow_for_chat"}, {"decision": "bypass_session"}, {"bypassAll": True}):
        assert chat.refused(card, **fields).code == NOT_OFFERED
    chat.select(card, "approve")
    run.result()
    assert room.file("a").exists() and room.file("b").exists() and len(chat.cards()) == 1


def test_an_ask_rule_of_the_user_names_the_scope_and_asks_for_reading(start: Start) -> None:
    room = meet(start, **{ASK: {"read_file": [{"pattern": "room/*.md"}]}})
    room.file("a.md").write_text("x")
    chat, card, run = room.card([read(room.path("a.md"))], mode="auto")
    assert card["reason"]["rule"] == {"pattern": "room/*.md", "scope": "user"}
    assert "room/*.md" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()
    assert chat.results()[0]["code"] == "permission_denied"


# Rules for single agents


def test_rules_for_another_agent_do_not_hold(start: Start) -> None:
    room = meet(
        start,
        **{
            DENY: {"write_file": [{"pattern": "room/denied", "agents": [SECOND]}]},
            ASK: {"write_file": [{"pattern": "room/asked", "agents": [SECOND]}]},
            ALLOW: {"read_file": [{"pattern": "room/**", "agents": [SECOND]}]},
        },
    )
    room.file("a").write_text("x")
    steps = [room.write("denied"), room.write("asked")]
    chat = room.chat(steps, mode="auto")
    chat.run()
    assert chat.cards() == [] and room.file("denied").exists() and room.file("asked").exists()
    asking, card, run = room.card([read(room.path("a"))], mode="ask")
    asking.select(card, "deny")
    run.result()

    room.server.script([*steps, read(room.path("a"))], agent=SECOND)
    second = room.server.chat(agent=SECOND, mode="auto")
    run = second.send()
    second.select(second.card(room.path("asked")), "deny")
    run.result()
    codes = {result.get("code") for result in second.results()}
    assert codes == {"denied_by_rule", "permission_denied", None} and len(second.cards()) == 1
    room.server.script([read(room.path("a"))], agent=SECOND)
    reading = room.server.chat(agent=SECOND, mode="ask")
    reading.run()
    assert reading.cards() == [] and reading.results()[0]["success"] is True


# While a card waits


def test_a_deny_rule_that_arrives_ends_what_waits(start: Start) -> None:
    room = meet(start)
    chat, card, run = room.card([room.write("a")])
    tell(room.server, alwaysDenyRules={"write_file": ["room/a"]})
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("denied_by_rule", "policy")
    assert "room/a" in end["reasonText"]
    run.result()
    assert denied(chat) and not room.file("a").exists()
    assert len(chat.endings(card)) == 1 and len(chat.cards()) == 1


def test_an_allow_rule_that_arrives_and_is_agreed_to_runs_what_waits(start: Start) -> None:
    """An agent is at work: it may be the one who wrote the rule."""
    room = meet(start)
    chat, card, run = room.card([room.write("a"), room.write("b")])
    other = chat.card()
    first, second = sorted((card, other), key=lambda one: str(one["args"]["path"]))
    tell(room.server, alwaysAllowRules={"write_file": ["room/a"]})
    asked = room.server.client.wait_for("settings/consentRequest")
    assert chat.waits(first)
    honour = [entry["entryId"] for entry in asked["entries"]]
    answer = {"consentId": asked["consentId"], "digest": asked["digest"], "honour": honour}
    room.server.client.request("settings/consentResponse", answer)
    end = chat.resolved(first)
    assert (end["status"], end["resolvedBy"]) == ("allowed", "policy")
    assert chat.waits(second)
    chat.select(second, "deny")
    run.result()
    assert room.file("a").exists() and not room.file("b").exists()


def test_an_ask_rule_that_arrives_takes_lasting_answers_off_the_card(start: Start) -> None:
    room = meet(start)
    chat, card, run = room.card([room.write("a")])
    assert "allow_session" in kinds(card)
    tell(room.server, alwaysAskRules={"write_file": ["*"]})
    assert chat.refused(card, decision="allow_for_chat").code == NOT_OFFERED
    again = chat.card()
    assert again["approvalId"] == card["approvalId"] and kinds(again) == ONLY_THIS_ONE
    assert again["reason"]["rule"] == {"pattern": "*", "scope": "user"}
    chat.select(again, "deny")
    run.result()
    assert not room.file("a").exists()


def test_rules_that_are_gone_no_longer_hold(start: Start) -> None:
    room = meet(start, **{ASK: {"write_file": ["room/*"]}})
    chat, card, run = room.card([room.write("a")], mode="auto")
    tell(room.server)
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("allowed", "policy")
    run.result()
    assert room.file("a").exists()


def test_settings_that_make_no_sense_take_permissions_away_and_leave_restrictions(start: Start) -> None:
    room = meet(
        start,
        **{ALLOW: {"write_file": ["*"]}, DENY: {"write_file": ["room/denied"]}},
        toolAllowlist=["write_file"],
    )
    room.server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": {"user": ["nonsense"]}}})
    chat, card, run = room.card([room.write("denied"), room.write("a")])
    assert card["args"]["path"] == "room/a"
    chat.select(card, "deny")
    run.result()
    assert {result["code"] for result in chat.results()} == {"denied_by_rule", "permission_denied"}
    assert len(chat.cards()) == 1 and not room.file("a").exists()


# Entries that make no sense


@pytest.mark.parametrize(
    "entry", [{"write_file": 5}, {"write_file": [5]}, {"write_file": [{"patern": "x"}]}, {"write_file": ["[z-a"]}]
)
def test_a_deny_entry_that_makes_no_sense_denies_the_tool_and_is_told_once(start: Start, entry: Json) -> None:
    room = meet(start, **{DENY: entry, ALLOW: {"write_file": ["*"]}})
    chat = room.chat([room.write("a")], mode="auto")
    about = [text for text in notices(chat) if "write_file" in text]
    assert len(about) == 1, notices(chat)
    chat.run()
    assert denied(chat) and chat.cards() == [] and not room.file("a").exists()


@pytest.mark.parametrize("value", ["write_file", ["write_file"], 5])
def test_deny_rules_that_are_no_object_hold_every_chat_at_ask(start: Start, value: Json) -> None:
    room = meet(start, **{DENY: value, ALLOW: {"write_file": ["*"]}}, toolAllowlist=["write_file"], mode="auto")
    chat, card, run = room.card([room.write("a")], mode="auto")
    assert card["mode"] == "ask"
    assert sum("assent.alwaysDenyRules should be" in text for text in notices(chat)) == 1
    chat.select(card, "deny")
    run.result()
    assert not room.file("a").exists()


@pytest.mark.parametrize("entry", ["*", {"write_file": "*"}, {"write_file": [5]}, {"write_file": ["[z-a"]}])
def test_an_allow_entry_that_makes_no_sense_allows_nothing_and_is_told_once(start: Start, entry: Json) -> None:
    room = meet(start, **{ALLOW: entry}, toolAllowlist="write_file")
    chat, card, run = room.card([room.write("a")])
    assert sum("alwaysAllowRules" in text or "allow rule" in text for text in notices(chat)) == 1, notices(chat)
    assert sum("toolAllowlist" in text for text in notices(chat)) == 1
    chat.select(card, "deny")
    run.result()
    assert not room.file("a").exists()

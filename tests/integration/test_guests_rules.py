"""What an agent asks for meets the user's rules, the protected files and the workspace's edges as any call does."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.guests import House, ask, asked_under, click_all, diff, done
from tests.support.scale import wait_until
from tests.support.server import Chat, refusal

Json = Any


# Deny rules win over everything


@pytest.mark.parametrize(
    ("rules", "call"),
    [
        ({"bash": ["rm:*"]}, {"command": "rm -rf build"}),
        ({"bash": ["rm:*"]}, {"command": "make && env X=1 rm -rf build"}),
        ({"bash": ["rm:*"]}, {"kind": "read", "rawInput": {"command": "rm x"}}),
        ({"bash": ["*"]}, {"command": "ls"}),
        ({"write_file": ["secret/**"]}, {"edits": [diff("secret/a.txt", "x")]}),
        ({"write_file": ["secret/**"]}, {"edits": [diff("a.txt", "x"), diff("secret/../secret/b.txt", "x")]}),
        ({"delete_file": ["*"]}, {"kind": "delete", "locations": [{"path": "a.txt"}]}),
        ({"write_file": ["secret/**"]}, {"kind": "edit", "locations": [{"path": "secret/a.txt"}]}),
        ({"write_file": ["secret/**"]}, {"kind": "delete", "locations": [{"path": "secret/a.txt"}]}),
        ({"write_file": ["secret/**"]}, {"kind": "move", "rawInput": {"source": "a", "destination": "secret/a"}}),
        ({"write_file": ["secret/**"]}, {"command": "make", "content": [diff("secret/a.txt", "x")]}),
        ({"delete_file": ["*"]}, {"kind": "move", "rawInput": {"source": "a.txt", "destination": "b.txt"}}),
        ({"write_file": ["*"]}, {"kind": "edit", "title": "Edit something"}),
        ({"bash": ["*"]}, {"kind": "execute", "title": "Run something"}),
        ({"read_file": ["notes/**"]}, {"kind": "read", "locations": [{"path": "notes/a.txt"}]}),
        ({"web_fetch": ["*"]}, {"kind": "fetch", "rawInput": {"url": "https://example.org/x"}}),
        ({"acp:other": ["*"]}, {"kind": "other", "title": "Something"}),
        ({"acp:switch_mode": ["*"]}, {"kind": "switch_mode", "title": "yolo"}),
    ],
    ids=lambda value: json.dumps(value)[:40],
)
@pytest.mark.parametrize("permitted", [False, True], ids=["asked", "bypassed"])
def test_a_deny_rule_wins_and_the_agent_hears_its_own_no(
    house: House, rules: Json, call: Json, permitted: bool
) -> None:
    name = f"Guest {house.made}"
    settings: dict[str, Json] = {"alwaysDenyRules": rules}
    if permitted:
        settings |= {"bypassPermissions": {name: True}, "toolAllowlist": ["bash", "write_file"]}
    guest, chat, run = asked_under(house, call, "auto" if permitted else None, **settings)
    run.result()
    assert guest.name == name and guest.answers() == ["reject"] and chat.cards() == []
    assert refusal(chat.results()[0])["error"] in ("denied_by_rule", "permission_denied", "blocked")


def test_a_command_that_is_not_shown_could_be_the_forbidden_one(house: House) -> None:
    settings = {"alwaysDenyRules": {"bash": ["rm:*"]}, "bypassPermissions": {f"Guest {house.made}": True}}
    guest, chat, run = asked_under(house, {"kind": "execute", "title": "Run something"}, "auto", **settings)
    card = chat.card()
    assert card["reason"]["code"] == "ask_rule"
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["reject"]


def test_a_deny_rule_that_comes_while_it_waits_denies_it(house: House) -> None:
    guest, chat, run = asked_under(house, {"command": "make deploy"})
    card = chat.card()
    house.tell_settings(alwaysDenyRules={"bash": ["make:*"]})
    assert chat.resolved(card)["resolvedBy"] == "policy"
    run.result()
    assert guest.answers() == ["reject"]


# Allow rules, ask rules


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("npm test", False),
        ("npm test -- x", False),
        ("npm install", True),
        ("npm test; rm x", True),
        ("npm test > .env", True),
    ],
)
def test_allow_rules_hold_for_the_commands_of_agents(house: House, command: str, asked: bool) -> None:
    guest, chat, run = asked_under(house, {"command": command}, alwaysAllowRules={"bash": ["npm test:*"]})
    cards = click_all(chat, run, "deny")
    assert (len(cards) == 1) is asked and guest.answers() == ["reject" if asked else "allow"]


@pytest.mark.parametrize("bypass", [False, True])
def test_an_ask_rule_asks_even_with_bypass(house: House, bypass: bool) -> None:
    settings: dict[str, Json] = {"alwaysAskRules": {"bash": ["git push:*"]}}
    if bypass:
        settings["bypassPermissions"] = {f"Guest {house.made}": True}
    guest, chat, run = asked_under(house, {"command": "git push origin"}, **settings)
    card = chat.card()
    assert card["reason"]["code"] == "ask_rule"
    chat.select(card, "approve")
    run.result()
    assert guest.answers() == ["allow"]


# Protected, outside, secret, blocked

_FLOOR = [
    ({"edits": [diff(".vscode/settings.json", "{}")]}, "protected"),
    ({"edits": [diff("a.txt", "x"), diff(".git/hooks/pre-commit", "x")]}, "protected"),
    ({"command": "echo x >> .git/config"}, "protected"),
    ({"command": "tee .vscode/tasks.json"}, "protected"),
    ({"kind": "delete", "locations": [{"path": ".vscode/launch.json"}]}, "protected"),
    ({"kind": "move", "rawInput": {"source": "a.txt", "destination": ".env"}}, "protected"),
    ({"kind": "read", "content": [diff(".env", "x")]}, "protected"),
    ({"kind": "switch_mode", "title": "Plan is ready"}, "protected"),
    ({"edits": [diff("../outside.txt", "x")]}, "outside_workspace"),
    ({"command": "touch /tmp/assent-guests-outside"}, "outside_workspace"),
    ({"kind": "delete", "locations": [{"path": "../outside.txt"}]}, "outside_workspace"),
]


@pytest.mark.parametrize(("call", "code"), _FLOOR, ids=lambda value: json.dumps(value)[:50])
def test_the_floor_asks_whatever_is_allowed(house: House, call: Json, code: str) -> None:
    settings = {
        "bypassPermissions": {f"Guest {house.made}": True},
        "toolAllowlist": ["bash", "write_file", "delete_file", "move_file"],
        "alwaysAllowRules": {"bash": ["*"], "write_file": ["*"]},
    }
    guest, chat, run = asked_under(house, call, "auto", **settings)
    card = chat.card()
    assert card["reason"]["code"] == code, card["reason"]
    kinds = {one["kind"] for one in card["options"]}
    assert not kinds & {"bypass_session", "bypass_agent", "always_allow"}
    chat.select(card, "approve")
    run.result()
    assert guest.answers() == ["allow"]


@pytest.mark.parametrize("path", [".env", "~/.ssh/id_rsa", "/etc/passwd", "../outside.txt"])
def test_reading_what_is_secret_or_outside_is_asked_for(house: House, path: str) -> None:
    where = str(Path(path).expanduser())
    guest, chat, run = asked_under(house, {"kind": "read", "locations": [{"path": where}]}, toolAllowlist=["read_file"])
    card = chat.card()
    assert card["category"] == "external"
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["reject"]


@pytest.mark.parametrize(
    "call", [{"edits": [diff("/dev/sda", "x")]}, {"edits": [diff("a\0b", "x")]}], ids=["device", "NUL"]
)
def test_what_is_never_allowed_is_blocked(house: House, call: Json) -> None:
    guest, chat, run = asked_under(house, call, "auto")
    run.result()
    assert guest.answers() == ["reject"] and chat.cards() == []
    assert refusal(chat.results()[0])["error"]


def test_a_command_of_an_agent_never_counts_as_held_by_the_sandbox(house: House) -> None:
    """It runs in the agent: nothing here holds it, whatever the settings say."""
    sandboxed = {"sandbox.autoAllow": True, "sandbox.mode": "auto"}
    guest, chat, run = asked_under(house, {"command": "make all"}, **sandboxed)
    card = chat.card()
    assert card["reason"]["code"] == "needs_approval"
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["reject"]


# The mode

_STRICTER = [("auto", "ask"), ("auto", "default"), ("auto", "plan")]


@pytest.mark.parametrize(("before", "after"), _STRICTER)
def test_a_mode_that_is_tightened_counts_at_once(house: House, before: str, after: str) -> None:
    second = ask("c2", command="make two", on={"allow": [done("c2")], "reject": []})
    first = ask("c1", kind="read", content=[], on={"allow": [second], "reject": [second], "cancelled": []})
    guest = house.guest([{"ask": {**first["ask"], "kind": "switch_mode"}, "on": first["on"]}])
    house.tell_settings()
    chat = guest.chat(before)
    run = chat.send()
    card = chat.card()
    chat.set_mode(after)
    chat.select(card, "approve")
    cards = click_all(chat, run, "deny", card)
    assert [one["args"] for one in cards] == ([] if after == "plan" else [{"command": "make two"}])
    assert guest.answers() == ["allow", "reject"]


def test_switching_its_mode_is_asked_for_in_plan_mode_and_changes_nothing_here(house: House) -> None:
    guest, chat, run = asked_under(house, {"kind": "switch_mode", "title": "Leave plan mode"}, "plan")
    card = chat.card()
    chat.select(card, "approve")
    run.result()
    assert guest.answers() == ["allow"] and chat.info()["mode"] == "plan"


# The history


def test_a_decision_is_kept_before_the_agent_hears_of_it(house: House) -> None:
    guest, chat, run = asked_under(house, {"command": "make kept"})
    chat.select(chat.card(), "approve")
    run.result()
    wait_until(lambda: guest.answers() == ["allow"], what="the yes")
    entries = _history(house, chat)
    assert [one["stage"] for one in entries] == ["requested", "decided", "started", "finished"]
    assert {one["tool"] for one in entries} == {"bash"} and {one["agentName"] for one in entries} == {guest.name}


@pytest.mark.parametrize(
    "call", [{"kind": "other", "title": "Something"}, {"kind": "fetch", "title": "x"}, {"title": "?"}]
)
def test_history_and_explanation_know_what_has_no_tool_here(house: House, call: Json) -> None:
    _, chat, run = asked_under(house, call)
    card = chat.card()
    explained = house.server.client.request(
        "policy/explain", {"sessionId": chat.id, "tool": card["tool"], "args": card["args"]}
    )
    assert explained
    chat.select(card, "deny")
    run.result()
    assert card["tool"].startswith("acp:") and _history(house, chat)


def _history(house: House, chat: Chat) -> list[Json]:
    found = house.server.client.request("history/query", {"sessionId": chat.id, "limit": 50})
    return sorted(found["entries"], key=lambda one: one["n"])

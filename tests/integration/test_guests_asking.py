"""An agent of others asks before it acts: what the card shows, what it is answered, and what the row says then."""

from typing import Any

import pytest

from tests.support.guests import House, ask, diff, done, notices, said, says
from tests.support.rpc import NotInTime
from tests.support.scale import wait_until
from tests.support.server import STALE, refusal

Json = Any


def test_a_yes_is_told_with_the_agents_own_option_and_the_row_ends_as_the_agent_says(house: House) -> None:
    guest = house.guest(
        [
            says("I will test. "),
            {"think": "Does it work?"},
            {"tool_call": {"toolCallId": "c1", "title": "npm test", "kind": "execute", "status": "pending"}},
            ask("c1", rawInput={"command": "npm test"}, on={"allow": [done("c1", "42 tests passed")]}),
            says("All good."),
        ]
    )
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["args"], card["category"]) == ("bash", {"command": "npm test"}, "execute")
    assert card["reason"]["code"] == "needs_approval" and card["agentName"] == guest.name
    assert guest.answers() == []
    chat.select(card, "approve")

    assert run.result()["done_reason"] == "stop"
    assert guest.answers() == ["allow"]
    assert [(one["success"], one["output"]) for one in chat.results()] == [(True, "42 tests passed")]
    assert said(chat) == "I will test. All good."
    assert [one["data"]["thinking"] for one in chat.events("Chunk") if one["data"]["thinking"]] == ["Does it work?"]
    assert notices(chat) == []


def test_a_no_is_told_with_its_reject_option_and_it_goes_on(house: House) -> None:
    guest = house.guest([ask(command="rm -rf build", on={"reject": [says("Then not.")]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "deny")
    assert run.result()["done_reason"] == "stop"
    assert guest.answers() == ["reject"] and said(chat) == "Then not."
    assert refusal(chat.results()[0])["error"] == "permission_denied"


def test_a_call_that_fails_is_told_as_failed(house: House) -> None:
    guest = house.guest([ask(command="make", on={"allow": [done("c1", "exit code 1", "failed")]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    result = chat.results()[0]
    assert result["is_error"] and "exit code 1" in result["output"]


def test_a_call_whose_end_is_never_told_says_so(house: House) -> None:
    guest = house.guest([ask(command="make", on={"allow": []})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert "without saying how this ended" in chat.results()[0]["output"]


def test_what_the_user_says_with_a_no_is_the_next_prompt(house: House) -> None:
    guest = house.guest([ask(command="npm test", on={"reject": [says("Hm.")]})], [says("With pnpm, then.")])
    chat = guest.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="reject", feedback="Use pnpm.")
    run.result()
    prompts = [one["params"]["prompt"][0]["text"] for one in guest.told("session/prompt")]
    assert prompts[0] == "go" and len(prompts) == 2 and "Use pnpm." in prompts[1]
    assert guest.answers() == ["reject"] and said(chat) == "Hm.With pnpm, then."


# R129: what it claims, in each mode

_FILE = "inside.txt"
_CLAIMS: dict[str, Json] = {
    "read": {"kind": "read", "locations": [{"path": _FILE}]},
    "search": {"kind": "search", "locations": [{"path": _FILE}]},
    "read nothing": {"kind": "read", "title": "cat it"},
    "think": {"kind": "think", "title": "Hm"},
    "edit": {"kind": "edit", "content": [diff(_FILE, "new")]},
    "delete": {"kind": "delete", "locations": [{"path": _FILE}]},
    "move": {"kind": "move", "locations": [{"path": _FILE}, {"path": "other.txt"}]},
    "execute": {"kind": "execute", "rawInput": {"command": "npm test"}},
    "reading command": {"kind": "execute", "rawInput": {"command": "ls"}},
    "command that seems to read": {"kind": "execute", "rawInput": {"command": "ls $X"}},
    "command that writes": {"kind": "execute", "rawInput": {"command": "mkdir new"}},
    "read with a command": {"kind": "read", "rawInput": {"command": "npm test"}},
    "read with an address": {"kind": "read", "rawInput": {"url": "https://example.org/x"}},
    "fetch": {"kind": "fetch", "rawInput": {"url": "https://example.org/x"}},
    "other": {"kind": "other", "title": "Something"},
    "missing": {"title": "Something"},
    "unknown": {"kind": "sing", "title": "Something"},
}
_RUN, _ASK, _BLOCK = "run", "ask", "block"
_EXPECTED = {
    # claim: (category, plan, ask, default, auto)
    "read": ("read", _RUN, _ASK, _RUN, _RUN),
    "search": ("read", _RUN, _ASK, _RUN, _RUN),
    "read nothing": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "think": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "edit": ("write", _BLOCK, _ASK, _ASK, _RUN),
    "delete": ("write", _BLOCK, _ASK, _ASK, _RUN),
    "move": ("write", _BLOCK, _ASK, _ASK, _RUN),
    "execute": ("execute", _BLOCK, _ASK, _ASK, _RUN),
    "reading command": ("read", _RUN, _ASK, _RUN, _RUN),
    "command that seems to read": ("read", _ASK, _ASK, _ASK, _RUN),
    "command that writes": ("write", _BLOCK, _ASK, _ASK, _RUN),
    "read with a command": ("execute", _BLOCK, _ASK, _ASK, _RUN),
    "read with an address": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "fetch": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "other": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "missing": ("external", _BLOCK, _ASK, _ASK, _RUN),
    "unknown": ("external", _BLOCK, _ASK, _ASK, _RUN),
}


def _on(call_id: str) -> dict[str, list[Json]]:
    return {"allow": [done(call_id)], "reject": [done(call_id, "no", "failed")]}


@pytest.mark.parametrize(("at", "mode"), [(1, "plan"), (2, "ask"), (3, "default"), (4, "auto")])
def test_every_claim_goes_down_the_ladder(house: House, at: int, mode: str) -> None:
    (house.workspace / _FILE).write_text("old")
    steps = [ask(name, request_id=name, **{**told, "on": _on(name)}) for name, told in _CLAIMS.items()]
    guest = house.guest([{"together": [[step] for step in steps]}])
    chat = guest.chat(mode)
    run = chat.send()
    expected = {name: row[at] for name, row in _EXPECTED.items()}
    asked = [name for name, outcome in expected.items() if outcome == _ASK]
    cards = [chat.card() for _ in asked]
    assert len(chat.cards()) == len(asked)
    for card in cards:
        chat.select(card, "deny")
    run.result()
    answered = {name: guest.answer_to(name)["result"]["outcome"] for name in _CLAIMS}
    chosen = {name: one.get("optionId", one["outcome"]) for name, one in answered.items()}
    # Whatever is refused is told so by the agent's own option, never as cancelled.
    assert chosen == {name: "allow" if outcome == _RUN else "reject" for name, outcome in expected.items()}
    rows = [event["data"] for event in chat.events("ToolCall")]
    assert sorted(row["category"] for row in rows) == sorted(row[0] for row in _EXPECTED.values())
    assert len(chat.results()) == len(_CLAIMS)


# Ids, and asking twice


@pytest.mark.parametrize("request_id", [0, "zero", "", -1, 2**60], ids=repr)
def test_questions_are_kept_apart_by_their_own_ids(house: House, request_id: Json) -> None:
    guest = house.guest([ask(command="make", request_id=request_id)])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert guest.answer_to(request_id)["result"]["outcome"] == {"outcome": "selected", "optionId": "allow"}


def test_two_questions_about_one_call_are_two_cards_with_two_ids(house: House) -> None:
    one = ask("same", command="make one", request_id="first", on={"allow": [done("same")]})
    two = ask("same", command="make one", request_id="second", on={"reject": []})
    guest = house.guest([{"together": [[one], [two]]}])
    chat = guest.chat()
    run = chat.send()
    cards = [chat.card(), chat.card()]
    assert cards[0]["approvalId"] != cards[1]["approvalId"]
    assert all(map(chat.waits, cards))
    chat.select(cards[0], "approve")
    wait_until(lambda: len(guest.answers()) == 1, what="the first answer")
    assert chat.waits(cards[1]), "the other one stays open"
    chat.select(cards[1], "deny")
    run.result()
    assert sorted(guest.answers()) == ["allow", "reject"]
    results = chat.results()
    assert len(results) == 2 and len({one["toolCallId"] for one in results}) == 2
    assert sorted(one["success"] for one in results) == [False, True]


def test_an_id_that_is_used_again_is_another_call(house: House) -> None:
    guest = house.guest(
        [
            ask("c1", command="make one", on={"allow": [done("c1", "one is made")]}),
            ask("c1", command="make two", on={"allow": [done("c1", "two is made")]}),
        ]
    )
    chat = guest.chat()
    run = chat.send()
    for command in ("make one", "make two"):
        card = chat.card()
        assert card["args"] == {"command": command}
        chat.select(card, "approve")
    run.result()
    assert [one["output"] for one in chat.results()] == ["one is made", "two is made"]


def test_calls_at_once_are_asked_at_once(house: House) -> None:
    guest = house.guest([{"together": [[ask(f"c{n}", command=f"make {n}")] for n in range(8)]}])
    chat = guest.chat()
    run = chat.send()
    cards = [chat.card() for _ in range(8)]
    assert all(map(chat.waits, cards))
    for card in reversed(cards):
        chat.select(card, "approve")
    run.result()
    assert guest.answers() == ["allow"] * 8 and len(chat.results()) == 8


def test_what_was_told_before_is_joined_with_the_question(house: House) -> None:
    told = {"toolCallId": "c1", "title": "make all", "kind": "execute", "rawInput": {"command": "make all"}}
    guest = house.guest([{"tool_call": {**told, "status": "pending"}}, {"ask": {"toolCallId": "c1"}, "on": _on("c1")}])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["args"]) == ("bash", {"command": "make all"})
    chat.select(card, "deny")
    run.result()


def test_a_change_that_stands_only_in_the_arguments_is_shown(house: House) -> None:
    (house.workspace / "raw.txt").write_text("one\ntwo\n")
    raw = {"fileName": str(house.workspace / "raw.txt"), "diff": "@@ -1,2 +1,2 @@\n one\n-two\n+three\n"}
    guest = house.guest([ask(kind="edit", title="Edit raw.txt", rawInput=raw)])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert card["category"] == "write" and "raw.txt" in card["headline"]
    chat.select(card, "deny")
    run.result()


# A snippet is shown as the whole file becomes


def test_the_card_shows_the_real_file_and_not_what_the_agent_has_read(house: House) -> None:
    file = house.workspace / "long.txt"
    file.write_text("".join(f"line {n}\n" for n in range(100)))
    guest = house.guest([ask(edits=[diff(file, "fifty\n", "line 50\n")])])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    preview = card["preview"]
    assert (preview["kind"], preview["added"], preview["removed"]) == ("diff", 1, 1)
    chat.select(card, "deny")
    run.result()


def test_a_file_that_changes_under_the_card_is_asked_for_anew(house: House) -> None:
    file = house.workspace / "moving.txt"
    file.write_text("a\n")
    guest = house.guest([ask(edits=[diff(file, "b\n", "a\n")])])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    file.write_text("a\nmore\n")
    response = {"outcome": {"outcome": "selected", "optionId": "approve"}}
    assert chat.refused(card, response=response, argsDigest=card["argsDigest"]).code == STALE
    again = chat.card()
    assert guest.answers() == [] and again["argsDigest"] != card["argsDigest"]
    chat.select(again, "deny")
    run.result()
    assert guest.answers() == ["reject"]


def test_what_is_told_after_the_question_is_asked_anew(house: House) -> None:
    later = {"toolCallId": "c1", "rawInput": {"command": "make install"}}
    guest = house.guest([{"together": [[ask(command="make", request_id="q")], [{"wait": 0.5}, {"update": later}]]}])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    again = chat.card()
    assert card["args"] == {"command": "make"} and again["args"] == {"command": "make install"}
    assert chat.resolved(card)["resolvedBy"] == "agent" and guest.answers() == []
    chat.select(again, "approve")
    run.result()
    assert guest.answers() == ["allow"]


def test_two_chats_of_one_agent_share_a_process_and_the_right_one_is_asked(house: House) -> None:
    guest = house.guest(named={"one": [ask(command="make one")], "two": [ask(command="make two")]})
    first, second = guest.chat(), guest.chat()
    run_one, run_two = first.send("one"), second.send("two")
    card_one, card_two = first.card(), second.card()
    assert (card_one["args"], card_two["args"]) == ({"command": "make one"}, {"command": "make two"})
    assert len(guest.pids()) == 1 and len(guest.told("session/new")) == 2
    sessions = {one["params"]["prompt"][0]["text"]: one["params"]["sessionId"] for one in guest.told("session/prompt")}
    assert sessions["one"] != sessions["two"]
    second.select(card_two, "approve")
    run_two.result()
    assert first.waits(card_one)
    first.select(card_one, "deny")
    run_one.result()
    assert guest.answers() == ["allow", "reject"]
    with pytest.raises(NotInTime):
        first.card(within=0.01)


def test_one_that_never_means_what_it_asks_gets_no_answer_but_no(house: House) -> None:
    changes = [{"update": {"toolCallId": "c1", "rawInput": {"command": f"make {n}"}}} for n in range(30)]
    ended = {"cancelled": [says("no answer")]}
    guest = house.guest([{"together": [[ask(command="make", request_id="q", on=ended)], [{"wait": 0.2}, *changes]]}])
    chat = guest.chat()
    assert chat.run()["done_reason"] == "stop"
    assert guest.answers() == ["cancelled"] and said(chat) == "no answer"
    assert house.server.client.request("tool/pendingApprovals", {"sessionId": chat.id})["approvals"] == []
    assert len(chat.results()) == len(chat.events("ToolCall"))


def test_one_that_tells_of_too_many_calls_is_asked_for_none_of_the_rest(house: House) -> None:
    many = [{"tool_call": {"toolCallId": f"t{n}", "status": "pending"}} for n in range(5_000)]
    guest = house.guest([*many, ask("one more", command="make", on={"cancelled": [says("no")]})], [ask(command="make")])
    chat = guest.chat()
    assert chat.run(within=30)["done_reason"] == "stop"
    assert guest.answers() == ["cancelled"] and chat.cards() == []
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert guest.answers()[-1] == "allow", "the next turn begins anew"

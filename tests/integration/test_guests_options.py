"""What an agent offers to its own question: which of it is a button, and what is chosen without a card."""

from typing import Any

import pytest

from assent.acp.known_agents import KNOWN_AGENTS
from tests.support.guests import ALLOW, REJECT, House, ask, diff, done, named, notices, option, says
from tests.support.server import NOT_OFFERED, Chat

Json = Any

FOUR = [
    option("proceed_always", "allow_always", "Yes, and do not ask again"),
    option("proceed_once", "allow_once", "Yes, this time"),
    option("cancel", "reject_once", "No"),
    option("cancel_always", "reject_always", "Never"),
]
_THEN = {"else": [done("c1")], "cancelled": [says("cancelled")]}


def _asked(house: House, options: list[Json], mode: str | None = None, **call: Json) -> tuple[Any, Chat, Any]:
    call = call or {"command": "make"}
    guest = house.guest([ask(options=options, on=_THEN, **call)], [ask("c2", options=options, on=_THEN, **call)])
    chat = guest.chat(mode)
    return guest, chat, chat.send()


# R130, R63: bypass


@pytest.mark.parametrize("options", [[ALLOW, REJECT], FOUR, [ALLOW]], ids=["two", "four", "no reject"])
def test_with_bypass_its_allow_once_is_told_at_once(house: House, options: list[Json]) -> None:
    guest = house.guest([ask(options=options, command="make", on=_THEN)])
    house.tell_settings(bypassPermissions={guest.name: True})
    chat = guest.chat()
    chat.run()
    assert guest.answers() == [next(one["optionId"] for one in options if one["kind"] == "allow_once")]
    assert chat.cards() == []
    assert any("bypass" in (one["data"].get("note") or "").lower() for one in chat.events("ToolUpdate"))
    assert chat.results()[0]["success"]


@pytest.mark.parametrize(
    "options",
    [
        [option("always", "allow_always"), REJECT],
        [ALLOW, option("other", "allow_once"), REJECT],
        [REJECT],
        [],
        [option("x", "allow_forever"), REJECT],
    ],
    ids=["always only", "two ways", "no yes", "none", "unknown"],
)
@pytest.mark.parametrize("how", ["bypass", "auto", "rule", "click"])
def test_without_one_way_to_allow_once_there_is_a_card_whatever_is_allowed(
    house: House, options: list[Json], how: str
) -> None:
    guest = house.guest([ask(options=options, command="make", on=_THEN)])
    permitted: dict[str, Json] = {
        "bypass": {"bypassPermissions": {guest.name: True}},
        "rule": {"alwaysAllowRules": {"bash": ["make"]}},
        "click": {"toolAllowlist": ["bash"]},
    }
    house.tell_settings(**permitted.get(how, {}))
    chat = guest.chat("auto" if how == "auto" else None)
    run = chat.send()
    card = chat.card()
    assert guest.answers() == []
    chat.select(card, "deny")
    run.result()
    house.tell_settings()
    assert guest.answers() == ["reject" if REJECT in options else "cancelled"]


def test_bypass_that_is_switched_off_counts_for_the_next_call(house: House) -> None:
    guest, chat, run = _asked(house, [ALLOW, REJECT])
    first = chat.card()
    chat.select(first, "bypass_session")
    run.result()
    chat.run()
    assert guest.answers() == ["allow", "allow"] and len(chat.cards()) == 1


@pytest.mark.parametrize("off", [{"bypassPermissions": {}}, {"bypassAvailable": False}], ids=["removed", "forbidden"])
def test_bypass_of_the_settings_is_read_live(house: House, off: dict[str, Json]) -> None:
    guest = house.guest([ask("c1", command="make", on=_THEN)], [ask("c2", command="make", on=_THEN)])
    on = {"bypassPermissions": {guest.name: True}}
    house.tell_settings(**on)
    chat = guest.chat()
    chat.run()
    assert chat.cards() == []
    house.tell_settings(**{**on, **off})
    run = chat.send()
    card = chat.card()
    assert not {one["kind"] for one in card["options"]} & ({"bypass_session"} if "bypassAvailable" in off else set())
    chat.select(card, "deny")
    run.result()
    # What loosens while a run goes on is asked for.
    house.tell_settings()
    assert guest.answers() == ["allow", "reject"]


def test_bypass_that_is_switched_on_answers_what_waits(house: House) -> None:
    guest = house.guest([{"together": [[ask(f"c{n}", command=f"make {n}")] for n in range(3)]}])
    chat = guest.chat()
    run = chat.send()
    cards = [chat.card() for _ in range(3)]
    chat.select(cards[1], "bypass_session")
    run.result()
    assert guest.answers() == ["allow"] * 3
    assert sorted(chat.resolved(card)["resolvedBy"] for card in cards) == ["policy", "policy", "user"]


# R131: every option of the agent


@pytest.mark.parametrize("own", FOUR, ids=[one["optionId"] for one in FOUR])
def test_each_of_its_options_can_be_chosen_and_shows_its_name(house: House, own: Json) -> None:
    guest, chat, run = _asked(house, FOUR)
    card = chat.card()
    buttons = {"proceed_once": "approve", "cancel": "deny"}
    chosen = named(card, buttons.get(own["optionId"], f"own:{own['optionId']}"))
    assert own["name"] in chosen["name"] + chosen["scopeText"]
    chat.select(card, chosen["optionId"])
    run.result()
    assert guest.answers() == [own["optionId"]]
    assert chat.results()[0]["success"] is own["kind"].startswith("allow")


def test_always_is_kept_by_assent_and_answered_with_just_this_once(house: House) -> None:
    guest, chat, run = _asked(house, FOUR)
    card = chat.card()
    chat.select(card, next(one["optionId"] for one in card["options"] if one["kind"] == "allow_session"))
    run.result()
    chat.run()
    assert guest.answers() == ["proceed_once", "proceed_once"] and len(chat.cards()) == 1


def test_what_lets_the_agent_stop_asking_says_so(house: House) -> None:
    _, chat, run = _asked(house, FOUR)
    card = chat.card()
    stops = named(card, "own:proceed_always")
    assert "will not see" in stops["scopeText"] and "Yes, and do not ask again" in stops["name"]
    chat.select(card, "deny")
    run.result()


@pytest.mark.parametrize(
    "call",
    [
        {"edits": [diff(".vscode/settings.json", "{}")]},
        {"edits": [diff("/tmp/assent-outside-of-it.txt", "x")]},
        {"kind": "switch_mode", "title": "Go to yolo"},
    ],
    ids=["protected", "outside", "mode"],
)
def test_what_always_asks_cannot_be_allowed_for_good(house: House, call: Json) -> None:
    guest, chat, run = _asked(house, FOUR, **call)
    card = chat.card()
    kinds = {one["kind"] for one in card["options"]}
    assert kinds & {"allow_always", "bypass_session", "bypass_agent"} <= {"allow_always"} and "allow_once" in kinds
    shown = named(card, "own:proceed_always")
    assert "Yes, and do not ask again" in shown["name"]
    assert "cannot be chosen" in shown["disabledReason"] and shown["disabledReason"] == shown["scopeText"]
    assert all("disabledReason" not in one for one in card["options"] if one is not shown)
    fault = chat.refused(card, response=_selected("own:proceed_always"))
    assert fault.code == NOT_OFFERED and "is only shown" in fault.message and "still waits" in fault.message
    assert chat.refused(card, decision="allow_always").code == NOT_OFFERED
    assert chat.waits(card) and guest.answers() == []
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["cancel"]


def test_two_ways_to_say_yes_are_two_buttons_by_their_names(house: House) -> None:
    red, blue = option("red", "allow_once", "Red"), option("blue", "allow_once", "Blue")
    guest, chat, run = _asked(house, [red, blue, REJECT], title="Which colour?", kind="other")
    card = chat.card()
    assert [one["name"] for one in card["options"] if one["kind"] == "allow_once"] == ["Red", "Blue"]
    assert all(one["optionId"] != "approve" for one in card["options"])
    for forged in ({"decision": "accept"}, {"decision": "allow_once"}, {"bypassAll": True}):
        assert chat.refused(card, **forged).code == NOT_OFFERED
    chat.select(card, "own:blue")
    run.result()
    assert guest.answers() == ["blue"]


def test_of_an_agent_that_always_offers_two_the_table_says_which_is_once(house: House) -> None:
    known = next(one for one in KNOWN_AGENTS if one.two_ways_once is not None)
    options = [
        option(str(known.two_ways_once), "allow_once", "Just this"),
        option("risk_based", "allow_once", "Let me judge"),
        REJECT,
    ]
    guest = house.guest([ask(options=options, command="make", on=_THEN)], name=known.known_as[0])
    house.tell_settings(bypassPermissions={guest.name: True})
    chat = guest.chat()
    chat.run()
    house.tell_settings()
    assert guest.answers() == [known.two_ways_once] and chat.cards() == []


# E109: nothing to say yes with


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "cancelled"),
        ([option("x", "allow_forever"), option("y", "perhaps")], "cancelled"),
        ([REJECT], "reject"),
        ([option("never", "reject_always")], "never"),
        ("nonsense", "cancelled"),
        ([None, 3, {"optionId": 7, "name": [], "kind": "allow_once"}], "cancelled"),
    ],
    ids=["empty", "unknown kinds", "reject only", "reject always only", "no list", "broken"],
)
def test_where_nothing_says_yes_the_card_only_denies_and_says_why(house: House, options: list[Json], told: str) -> None:
    guest, chat, run = _asked(house, options)
    card = chat.card()
    assert {one["kind"] for one in card["options"]} <= {"reject_once", "reject_always"}
    assert guest.name in card["reason"]["text"]
    assert chat.refused(card, decision="accept").code == NOT_OFFERED
    assert chat.refused(card, response=_selected("x")).code == NOT_OFFERED
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == [told]


def test_only_always_is_a_card_whose_yes_is_that(house: House) -> None:
    guest, chat, run = _asked(house, [option("always", "allow_always", "For good"), REJECT], mode="auto")
    card = chat.card()
    assert "no way to allow just this call" in card["reason"]["text"]
    chat.select(card, "own:always")
    run.result()
    assert guest.answers() == ["always"]


def test_a_question_in_disguise_is_never_answered_by_itself(house: House) -> None:
    call = {"kind": "think", "title": "AskUserQuestion", "rawInput": {"questions": [{"question": "Which?"}]}}
    guest = house.guest([ask(on=_THEN, **call)])
    house.tell_settings(bypassPermissions={guest.name: True})
    chat = guest.chat("auto")
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    house.tell_settings()
    assert guest.answers() == ["allow"]


# E21


@pytest.mark.parametrize("options", [[ALLOW, REJECT], FOUR], ids=["two", "four"])
def test_a_card_that_is_closed_is_a_no(house: House, options: list[Json]) -> None:
    guest, chat, run = _asked(house, options)
    chat.answer(chat.card(), response={"outcome": {"outcome": "cancelled"}})
    run.result()
    assert guest.answers() == [next(one["optionId"] for one in options if one["kind"] == "reject_once")]


def test_a_turn_that_the_agent_ends_with_the_no_says_so(house: House) -> None:
    guest = house.guest(
        [ask(command="make", on={"reject": []})], [ask("c2", command="make", on={"reject": [says("ok")]})]
    )
    chat = guest.chat()
    for expected in (1, 1):
        run = chat.send()
        chat.select(chat.card(), "deny")
        run.result()
        told = [one for one in notices(chat) if "your no" in one]
        assert len(told) == expected


def _selected(option_id: str) -> Json:
    return {"outcome": {"outcome": "selected", "optionId": option_id}}

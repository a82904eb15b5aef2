"""Rules for addresses hold for what agents of others want to fetch, in a real server with real processes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.guests import House, ask, asked_under, click_all, done
from tests.support.server import refusal

Json = Any


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("addresses")) as house:
        yield house


def _fetching(*urls: str, **more: Json) -> Json:
    return {"kind": "fetch", "title": "Fetch", "rawInput": {"urls": list(urls), **more}}


@pytest.mark.parametrize(
    ("pattern", "call"),
    [
        ("example.org", _fetching("https://Example.org./a")),
        ("example.org", _fetching("https://other.example", "http://example.org:8080")),
        ("*.example.org", _fetching("https://a.b.example.org")),
        ("https://example.org/docs/*", _fetching("https://example.org/docs/%2e%2e/docs/a")),
        ("evil.com", _fetching("https://example.org@evil.com")),
        ("evil.com", _fetching("https://example.org\\@evil.com")),
        ("evil.com", _fetching("http:/evil.com")),
        ("127.0.0.1", _fetching("http://0x7f000001/")),
        ("münchen.de", _fetching("https://xn--mnchen-3ya.de")),
        ("example.org", {"kind": "read", "title": "Read", "locations": [{"path": "https://example.org/a"}]}),
        ("example.org", {"kind": "execute", "rawInput": {"command": "ls", "url": "https://example.org/a"}}),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
@pytest.mark.parametrize("permitted", [False, True], ids=["asked", "bypassed"])
def test_a_host_that_is_denied_is_not_reached(house: House, pattern: str, call: Json, permitted: bool) -> None:
    settings: dict[str, Json] = {"alwaysDenyRules": {"web_fetch": [pattern]}}
    if permitted:
        settings |= {"bypassPermissions": {f"Guest {house.made}": True}, "alwaysAllowRules": {"web_fetch": ["*"]}}
    guest, chat, run = asked_under(house, call, "auto" if permitted else None, **settings)
    run.result()
    assert guest.answers() == ["reject"] and chat.cards() == []


def test_a_refusal_of_what_is_unclear_says_why(house: House) -> None:
    rules = {"web_fetch": ["example.org"]}
    _, chat, run = asked_under(house, _fetching("https://evil.com\\@good.com"), alwaysDenyRules=rules)
    run.result()
    assert "backslash" in json.dumps(refusal(chat.results()[0]))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://good.com@evil.com", "it leads to evil.com"),
        ("https://\u0430pple.com", "it leads to xn--pple-43d.com"),
        ("https://evil.com\\@good.com", "is unclear: it has a backslash"),
        ("https://Example.org./a", None),
    ],
)
def test_the_card_says_which_host_is_reached_where_that_is_easily_misread(
    house: House, url: str, said: str | None
) -> None:
    _, chat, run = asked_under(house, _fetching(url))
    card = chat.card()
    notes = " ".join((card.get("risk") or {}).get("notes", ()))
    assert said in notes if said else notes == ""
    chat.select(card, "deny")
    run.result()


def test_an_ask_rule_for_a_host_asks_even_with_bypass(house: House) -> None:
    settings = {"alwaysAskRules": {"web_fetch": ["*.example.org"]}, "bypassPermissions": {f"Guest {house.made}": True}}
    guest, chat, run = asked_under(house, _fetching("https://a.example.org"), "auto", **settings)
    card = chat.card()
    assert card["reason"]["code"] == "ask_rule" and "*.example.org" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["reject"]


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "fetch", "title": "Fetch something"},
        {"kind": "fetch", "title": "Fetch", "rawInput": {"prompt": "Summarise evil.com"}},
        {"kind": "fetch", "title": "Fetch", "rawInput": {"prompt": "Summarise https://example.org and evil.com"}},
        _fetching("https://example.org", proxy={"at": "evil.com"}),
    ],
    ids=["nothing", "words", "words beside", "not understood"],
)
def test_an_address_that_is_not_shown_could_be_the_denied_one(house: House, call: Json) -> None:
    settings = {"alwaysDenyRules": {"web_fetch": ["evil.com"]}, "bypassPermissions": {f"Guest {house.made}": True}}
    guest, chat, run = asked_under(house, call, "auto", **settings)
    card = chat.card()
    assert card["reason"]["code"] == "ask_rule" and "evil.com" in card["reason"]["text"]
    chat.select(card, "deny")
    run.result()
    assert guest.answers() == ["reject"]


@pytest.mark.parametrize(
    ("call", "asked"),
    [
        (_fetching("https://example.org/docs/a?b"), False),
        (_fetching("https://example.org/docs/a", "https://example.org/docs/b"), False),
        (_fetching("https://www.other.example"), False),
        (_fetching("https://example.org/docs/a", "https://evil.com"), True),
        (_fetching("https://example.org/docs/../a"), True),
        (_fetching("https://example.org/b"), True),
        (_fetching("https://example.org@evil.com/docs/a"), True),
        (_fetching("https://evil.com\\@www.other.example"), True),
        (_fetching("https://evil.com#www.other.example"), True),
        (_fetching("//www.other.example"), True),
        (_fetching("https://other.example"), True),
        ({"kind": "fetch", "title": "Fetch", "rawInput": {"prompt": "https://www.other.example and evil.com"}}, True),
        ({"kind": "execute", "rawInput": {"command": "touch x", "url": "https://www.other.example"}}, True),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
def test_a_host_that_is_allowed_is_reached_without_a_card_and_nothing_else(
    house: House, call: Json, asked: bool
) -> None:
    rules = {"web_fetch": ["https://example.org/docs/*", "*.other.example"]}
    guest, chat, run = asked_under(house, call, alwaysAllowRules=rules)
    cards = click_all(chat, run, "deny")
    assert (len(cards) == 1) is asked and guest.answers() == ["reject" if asked else "allow"]


def test_always_for_a_host_lets_the_next_call_to_it_run_and_never_blocks_it(house: House) -> None:
    calls = [
        ask(f"c{number}", **_fetching(url), on={"allow": [done(f"c{number}")], "reject": []})
        for number, url in enumerate(
            ["https://example.org/a", "https://EXAMPLE.org/b", "https://evil.com/", "https://evil.com/b"]
        )
    ]
    guest = house.guest(*([one] for one in calls))
    house.tell_settings()
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    rules = [one["optionId"] for one in card["options"] if one["optionId"].startswith(("always:", "never:"))]
    assert rules == ["always:web_fetch:example.org", "never:web_fetch:example.org"]
    chat.select(card, rules[0])
    run.result()
    chat.run()
    assert guest.answers() == ["allow", "allow"] and len(chat.cards()) == 1
    run = chat.send()
    chat.select(chat.card(), "never:web_fetch:evil.com")
    run.result()
    chat.run()
    assert guest.answers() == ["allow", "allow", "reject", "reject"] and len(chat.cards()) == 2

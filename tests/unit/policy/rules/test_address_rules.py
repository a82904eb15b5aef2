"""Which rule for `web_fetch` speaks of a call: hosts, schemes, ports, paths, several addresses, what is not shown."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.calls import Access
from assent.model.grants import RuleGrant
from assent.model.modes import Mode
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide
from assent.policy.granting import with_grant
from assent.policy.offers import offer
from assent.policy.rules.book import RuleBook
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import WEB_TOOL, Effect, Rule
from assent.policy.rules.suggest import suggest, suggest_deny
from tests.support.address_calls import fetch, web_allows, web_book, web_denies
from tests.support.rule_calls import use


@pytest.mark.parametrize(
    ("pattern", "url", "allowed", "denied"),
    [
        ("example.org", "https://example.org/a", True, True),
        ("example.org", "http://example.org/a", True, True),
        ("EXAMPLE.org.", "https://Example.ORG./a", True, True),
        ("example.org", "https://example.org:8443/", False, True),
        ("example.org:8443", "https://example.org:8443/", True, True),
        ("example.org:8443", "https://example.org/", False, False),
        ("example.org:*", "https://example.org:8443/", True, True),
        ("example.org", "ftp://example.org/", False, True),
        ("ftp://example.org", "ftp://example.org/", True, True),
        ("example.org", "example.org/a", True, True),
        ("https://example.org", "example.org/a", False, True),
        ("example.org", "https://www.example.org/", False, False),
        ("example.org", "https://example.org.evil.com/", False, False),
        ("example.org", "https://notexample.org/", False, False),
        ("example.org", "https://evil.com/example.org", False, False),
        ("example.org", "https://evil.com#example.org", False, False),
        ("example.org", "https://evil.com?example.org", False, False),
        ("example.org", "https://example.org@evil.com", False, False),
        ("evil.com", "https://example.org@evil.com", True, True),
        ("*.example.org", "https://www.example.org/", True, True),
        ("*.example.org", "https://a.b.example.org/", True, True),
        ("*.example.org", "https://example.org/", False, False),
        ("*.example.org", "https://notexample.org/", False, False),
        ("*.example.org", "https://www.example.org.evil.com/", False, False),
        ("https://example.org", "http://example.org/", False, True),
        ("http://example.org", "https://example.org/", False, True),
        ("https://example.org:443", "http://example.org/", False, True),
        ("https://example.org/docs/*", "https://example.org/docs/a/b?c", True, True),
        ("https://example.org/docs/*", "https://example.org/docs", False, False),
        ("https://example.org/docs/*", "https://example.org/documents/a", False, False),
        ("https://example.org/docs/*", "https://example.org/DOCS/a", False, True),
        ("https://example.org/docs/*", "https://example.org/%64ocs/a", True, True),
        ("https://example.org/docs/*", "https://example.org/docs/../secret", False, True),
        ("https://example.org/docs/*", "https://example.org/docs/%2e%2e/secret", False, True),
        ("https://example.org/docs/*", "https://example.org/docs%2f..%2fsecret", False, True),
        ("https://example.org/docs/*", "https://example.org//docs/a", False, True),
        ("https://example.org/docs/*", "https://evil.com/docs/../a", False, False),
        ("https://example.org/docs", "https://example.org/docs", True, True),
        ("https://example.org/docs", "https://example.org/docs/a", True, True),
        ("https://example.org/docs/", "https://example.org/docs/a", True, True),
        ("https://example.org/docs", "https://example.org/docs2", False, False),
        ("example.org/*/raw/*", "https://example.org/me/raw/x", True, True),
        ("example.org/*/raw/*", "https://example.org/me/x", False, False),
        ("example.org/ab*ba", "https://example.org/aba", False, False),
        ("example.org/ab*ba", "https://example.org/abba", True, True),
        ("example.org/*.md", "https://example.org/a/b.md", True, True),
        ("https://example.org/*", "https://example.org/", True, True),
        ("https://example.org/", "https://example.org/a", True, True),
        ("münchen.de", "https://xn--mnchen-3ya.de", True, True),
        ("xn--mnchen-3ya.de", "https://MÜNCHEN.de", True, True),
        ("apple.com", "https://\u0430pple.com", False, False),
        ("127.0.0.1", "http://127.0.0.1/", True, True),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]/", True, True),
        ("[::1]", "http://[0::1]/", True, True),
        ("[::1]:8080", "http://[::1]:8080/", True, True),
        ("localhost:3000", "http://localhost:3000/", True, True),
        ("localhost", "http://localhost:3000/", False, True),
        ("*", "https://whatever.example", True, True),
        ("*", "https://evil.com\\@good.com", True, True),
    ],
)
def test_one_address(pattern: str, url: str, allowed: bool, denied: bool) -> None:
    assert web_allows(pattern, url) is allowed
    assert web_denies(pattern, url) is denied


_UNCLEAR = [
    "https://evil.com\\@example.org",
    "https://evil.com#@example.org",
    "http:/example.org",
    "//example.org",
    "https://exam\tple.org",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "https://fa\u00df.de/",
    "data:text/plain,x",
    "",
]


@pytest.mark.parametrize("url", _UNCLEAR)
@pytest.mark.parametrize("pattern", ["example.org", "127.0.0.1", "*.evil.com", "https://other.example/docs/*"])
def test_what_nobody_can_be_sure_of_is_never_allowed_and_always_denied(pattern: str, url: str) -> None:
    assert not web_allows(pattern, url)
    assert not web_allows(pattern, "https://example.org", url)
    assert web_denies(pattern, url)


def test_all_addresses_must_be_allowed_and_one_is_enough_to_deny() -> None:
    good, evil = "https://example.org/a", "https://evil.com/"
    assert web_allows("example.org", good, f"{good}b")
    assert not web_allows("example.org", good, evil)
    assert not web_allows("example.org", evil, good)
    assert web_denies("evil.com", good, evil)
    both = web_book(Effect.ALLOW, "evil.com", "example.org")
    assert both.first(Effect.ALLOW, fetch(good, evil), "Demo") is not None


_UNUSABLE = [
    *("**", "*.", "ex*mple.org", "*example.org", "https://*", "https://", "a b", "exa\tmple.org", "example.org?x=1"),
    *("example.org#a", "me@example.org", "https://example.org\\a", "example.org:port", "https:example.org"),
    *("http://0x7f.1", "2130706433", "fa\u00df.de", "https://example.org/a/../b", "https://example.org/a%2fb"),
    *("*.127.0.0.1", "*.[::1]", "https://example.org//a", "example.org/%2a", "a/" + "*a" * 40, "", "-", "a" * 3_000),
]


@pytest.mark.parametrize("pattern", _UNUSABLE)
def test_a_pattern_that_is_none_allows_nothing_and_restricts_all(pattern: str) -> None:
    assert not web_allows(pattern, "https://example.org/a")
    assert web_denies(pattern, "https://example.org/a")
    for effect, what in ((Effect.ALLOW, "allows nothing"), (Effect.DENY, "denies every call of that tool")):
        (fault,) = web_book(effect, pattern).faults
        assert what in fault and fault.endswith(".")


@pytest.mark.parametrize("tool", [WEB_TOOL, "acp:fetch"])
@pytest.mark.parametrize("urls", [(), ("https://other.example",)])
def test_what_is_not_shown_is_asked_for_where_a_restriction_could_mean_it(tool: str, urls: tuple[str, ...]) -> None:
    hidden = fetch(*urls, tool=tool, unseen="There may be more.")
    for effect in (Effect.DENY, Effect.ASK):
        restricting = web_book(effect, "example.org")
        assert restricting.first(effect, hidden, "Demo") is None
        doubt = restricting.doubt(hidden, "Demo")
        assert doubt is not None and doubt.why == "There may be more."
        rules = Rules(Mode.AUTO, book=restricting, bypass_agent=True)
        found = decide(hidden, rules)
        assert (found.outcome, found.reason) == (Outcome.ASK, Reason.ASK_RULE) and "There may be more." in found.text
    assert web_book(Effect.ALLOW, "example.org", "other.example").first(Effect.ALLOW, hidden, "Demo") is None
    nothing = fetch(tool=tool)
    asked = web_book(Effect.DENY, "example.org").doubt(nothing, "Demo")
    assert asked is not None and "does not show which address" in asked.why
    assert RuleBook().doubt(hidden, "Demo") is None
    assert web_book(Effect.DENY, "example.org").doubt(fetch("https://other.example", tool=tool), "Demo") is None


def test_rules_for_one_agent_hold_for_that_agent() -> None:
    rules = RuleBook([Rule(Effect.DENY, WEB_TOOL, "example.org", agents=("Other",))])
    facts, unclear = fetch("https://example.org"), fetch("//example.org")
    for call in (facts, unclear):
        assert rules.first(Effect.DENY, call, "Other") is not None
        assert rules.first(Effect.DENY, call, "Demo") is None
    assert rules.doubt(fetch(), "Other") is not None and rules.doubt(fetch(), "Demo") is None


def test_of_several_the_first_in_the_settings_is_named() -> None:
    patterns = ["*.example.org", "www.example.org", "https://www.example.org/a/*", "*", "(not a pattern)"]
    for start in range(len(patterns)):
        turned = [*patterns[start:], *patterns[:start]]
        first = web_book(Effect.DENY, *turned).first(Effect.DENY, fetch("https://www.example.org/a/b"), "Demo")
        assert first is not None and first.pattern == turned[0]


def test_files_beside_the_address_are_no_part_of_what_a_host_permits() -> None:
    facts = fetch("https://example.org", paths=(use("a", Access.READ),))
    assert web_book(Effect.ALLOW, "example.org").first(Effect.ALLOW, facts, "Demo") is None
    assert web_book(Effect.ALLOW, "*").first(Effect.ALLOW, facts, "Demo") is not None
    secret = fetch("https://example.org", paths=(use(".env", Access.READ),))
    assert web_book(Effect.ALLOW, "*").first(Effect.ALLOW, secret, "Demo") is None


def test_other_tools_are_not_permitted_by_rules_about_addresses() -> None:
    facts = fetch("https://example.org", tool="acp:other")
    assert web_book(Effect.ALLOW, "*").first(Effect.ALLOW, facts, "Demo") is None
    assert web_book(Effect.ALLOW, "example.org").first(Effect.ALLOW, facts, "Demo") is None


def test_examples_are_addresses() -> None:
    rule = Rule(Effect.ALLOW, WEB_TOOL, "https://example.org/docs/*")
    assert check_examples(rule, Examples(("https://example.org/docs/a",), ("https://example.org/b", "a.b"))) == []
    (wrong,) = check_examples(rule, Examples(not_match=("https://example.org/docs/a",)))
    assert "matches 'https://example.org/docs/a'" in wrong


# What a card offers


@pytest.mark.parametrize(
    ("urls", "patterns", "never"),
    [
        (("https://example.org/a?b",), ["example.org", "*"], "example.org"),
        (("http://example.org",), ["example.org", "*"], "example.org"),
        (("https://example.org/a", "http://example.org/b"), ["example.org", "*"], "example.org"),
        (("http://localhost:3000/a",), ["localhost:3000"], "localhost"),
        (("http://[::1]:3000/a",), ["[::1]:3000"], "[::1]"),
        (("https://münchen.de",), ["xn--mnchen-3ya.de", "*"], "xn--mnchen-3ya.de"),
        (("https://user:secret@example.org",), ["example.org", "*"], "example.org"),
        (("https://example.org", "https://example.com"), ["*"], "*"),
        (("https://example.org", "https://example.org:8443"), ["*"], "*"),
        (("ftp://example.org",), ["*"], "example.org"),
        (("https://evil.com\\@example.org",), ["*"], "*"),
        ((), ["*"], "*"),
    ],
)
def test_what_is_suggested(urls: tuple[str, ...], patterns: list[str], never: str) -> None:
    facts = fetch(*urls)
    assert [one.pattern for one in suggest(facts, ())] == patterns
    assert suggest_deny(facts, ()).pattern == never


@pytest.mark.parametrize("urls", [("https://example.org/a",), ("http://localhost:3000/",), ("http://[::1]:99/",)])
def test_what_a_card_offers_lets_the_same_call_run_next_time(urls: tuple[str, ...]) -> None:
    facts, rules = fetch(*urls), Rules(Mode.DEFAULT)
    options = offer(facts, rules, decide(facts, rules), agent_id="a")
    granted = [one.grant for one in options if isinstance(one.grant, RuleGrant)]
    permitting = [one for one in granted if one.permits]
    assert len(granted) == 2 and len(permitting) == 1
    assert decide(facts, with_grant(rules, permitting[0])).outcome is Outcome.RUN
    elsewhere = fetch("https://other.example/a")
    assert decide(elsewhere, with_grant(rules, permitting[0])).outcome is Outcome.ASK
    (denying,) = (one for one in granted if not one.permits)
    assert decide(facts, with_grant(rules, denying)).outcome is Outcome.BLOCK
    assert decide(elsewhere, with_grant(rules, denying)).outcome is Outcome.ASK


# What holds for all


_LABELS = st.sampled_from(["a", "b", "www", "xn--mnchen-3ya", "münchen", "A"])
_HOSTS = st.lists(_LABELS, min_size=1, max_size=4).map(".".join)
_PATTERNS = st.one_of(
    _HOSTS,
    _HOSTS.map("*.{}".format),
    st.builds("{}{}{}".format, st.sampled_from(["https://", "http://", ""]), _HOSTS, st.sampled_from(["/a/*", ":81"])),
    st.just("*"),
    st.just("what?"),
)
_URLS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "ftp://", "http:/", "", "https://a@", "https://a\\@"]),
    _HOSTS,
    st.sampled_from(["", ":81", "."]),
    st.sampled_from(["", "/a/b", "/a/../b", "?a", "#@a"]),
)


@given(_PATTERNS, st.lists(_URLS, max_size=3), st.sampled_from(["", "There may be more."]))
def test_what_a_pattern_allows_it_would_also_deny(pattern: str, urls: list[str], unseen: str) -> None:
    facts = fetch(*urls, unseen=unseen)
    if web_book(Effect.ALLOW, pattern).first(Effect.ALLOW, facts, "Demo") is not None:
        assert web_book(Effect.DENY, pattern).first(Effect.DENY, facts, "Demo") is not None
        for pattern_of_one in [pattern] if pattern != "*" else []:
            assert not unseen and all(web_allows(pattern_of_one, url) for url in urls)


@given(_PATTERNS, st.lists(_URLS, max_size=3), _URLS)
def test_one_more_address_never_makes_a_call_more_permitted(pattern: str, urls: list[str], more: str) -> None:
    if web_allows(pattern, *urls, more) and urls:
        assert web_allows(pattern, *urls)
    if web_denies(pattern, *urls):
        assert web_denies(pattern, *urls, more)


@given(st.lists(_URLS, max_size=2))
def test_every_suggestion_speaks_of_the_call(urls: list[str]) -> None:
    facts = fetch(*urls)
    for one in suggest(facts, ()):
        assert web_book(Effect.ALLOW, one.pattern).first(Effect.ALLOW, facts, "Demo") is not None
    never = suggest_deny(facts, ())
    assert web_book(Effect.DENY, never.pattern).first(Effect.DENY, facts, "Demo") is not None


NEAR = [
    "http://localhost:3000/a",
    "http://127.0.0.1/",
    "http://[::1]:8080/",
    "https://192.168.1.1/",
    "http://a.localhost/",
]


@pytest.mark.parametrize("url", [*NEAR, "http://169.254.169.254/latest", "http://[fd00:ec2::254]/"])
def test_what_is_near_is_allowed_only_by_what_names_it(url: str) -> None:
    facts = fetch(url)
    wide = [
        Rules(mode=Mode.DEFAULT, book=web_book(Effect.ALLOW, "*")),
        Rules(mode=Mode.DEFAULT, always_allowed=frozenset({WEB_TOOL})),
        Rules(mode=Mode.DEFAULT, session_grants=frozenset({WEB_TOOL})),
    ]
    assert [decide(facts, rules).outcome for rules in wide] == [Outcome.ASK] * len(wide)
    assert web_denies("*", url)
    named = facts.addresses.named[0]
    pattern = named.host if named.on_usual_port else f"{named.host}:{named.port}"
    assert decide(facts, Rules(mode=Mode.DEFAULT, book=web_book(Effect.ALLOW, "*", pattern))).outcome is Outcome.RUN


def test_a_grant_that_names_an_origin_is_one_for_what_is_near() -> None:
    key = "browser:http://localhost:3000"
    facts = replace(fetch(NEAR[0], tool="browser"), grant_key=key)
    assert decide(facts, Rules(mode=Mode.DEFAULT, session_grants=frozenset({key}))).outcome is Outcome.RUN
    assert decide(facts, Rules(mode=Mode.DEFAULT, session_grants=frozenset({"browser"}))).outcome is Outcome.ASK


@pytest.mark.parametrize("tool", [WEB_TOOL, "browser"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(mode=Mode.AUTO),
        Rules(mode=Mode.DEFAULT, bypass_session=True),
        Rules(mode=Mode.DEFAULT, bypass_agent=True),
        Rules(mode=Mode.DEFAULT, book=web_book(Effect.ALLOW, "*")),
    ],
)
def test_what_is_near_and_named_by_nothing_is_a_question_in_every_mode(rules: Rules, tool: str) -> None:
    also = () if tool == WEB_TOOL else (WEB_TOOL,)
    near = replace(fetch(NEAR[0], tool=tool), also=also, grant_key=tool)
    assert decide(near, rules).outcome is Outcome.ASK
    far = replace(fetch("https://example.org/", tool=WEB_TOOL), grant_key=WEB_TOOL)
    assert decide(far, rules).outcome is Outcome.RUN

"""What an open page may ask for by itself, where ask and deny rules speak of it: rules, what was agreed to, no I/O."""

import pytest

from assent.model.modes import Mode
from assent.policy.pages import restriction_on
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import WEB_TOOL, Effect, Rule
from assent.policy.rules_in_force import Rules
from assent.web.browser.serving import agreed_to
from assent.web.target import read_target

AT = "http://example.org"
ADMIN, HOST, DENIED = "ask example.org/admin/*", "ask example.org", "deny example.org/admin/*"
PAGE, PART = True, False


def rules(*words: str) -> Rules:
    book = RuleBook(
        Rule(Effect(effect), WEB_TOOL, pattern) for effect, _, pattern in (one.partition(" ") for one in words)
    )
    return Rules(Mode.AUTO, book=book)


def held(named: tuple[str, ...], agreed: tuple[str, ...], there: str, *, of_page: bool) -> str | None:
    """What keeps the page from going there: the first that was agreed to is the page."""
    targets = tuple(read_target(one if "://" in one else AT + one) for one in agreed)
    target = read_target(there if "://" in there else AT + there)
    return restriction_on(rules(*named), target.address, agreed_to(targets[0], targets, target, of_page=of_page))


@pytest.mark.parametrize(
    ("named", "agreed", "there", "of_page", "expected"),
    [
        # Nothing speaks of it.
        ((ADMIN,), ("/",), "/next", PAGE, None),
        ((ADMIN,), ("/",), "/picture", PART, None),
        # A rule names the path, and the page goes there by itself.
        ((ADMIN,), ("/",), "/admin/delete", PAGE, "ask"),
        ((ADMIN,), ("/",), "/admin/delete", PART, "ask"),
        ((ADMIN,), ("/",), "/Admin/delete", PAGE, "ask"),
        ((ADMIN,), ("/",), "/x/%2e%2e/admin/delete", PAGE, "ask"),
        ((ADMIN,), ("/",), "/x%2f..%2fadmin/delete", PART, "ask"),
        # Just that was agreed to, by navigate or by a click whose card said so.
        ((ADMIN,), ("/admin/list",), "/admin/list", PAGE, None),
        ((ADMIN,), ("/admin/list",), "/admin/list?page=2", PAGE, None),
        ((ADMIN,), ("/admin/list",), "/admin/list/", PAGE, None),
        ((ADMIN,), ("/", "/admin/delete"), "/admin/delete", PAGE, None),
        ((ADMIN,), ("/admin/list",), "https://example.org/admin/list", PAGE, None),
        (("ask example.org/admin//list",), ("/admin//list",), "/admin//list", PAGE, None),
        # Another path of the same rule is another page; what the page loads belongs to it.
        ((ADMIN,), ("/admin/list",), "/admin/delete", PAGE, "ask"),
        ((ADMIN,), ("/admin/list",), "/admin/style.css", PART, None),
        ((ADMIN, "ask example.org/admin/delete"), ("/admin/list",), "/admin/delete", PART, "ask"),
        ((ADMIN,), ("/", "/admin/delete"), "/admin/picture", PART, None),
        # A slash at the end can make the difference for a rule.
        ((ADMIN,), ("/admin",), "/admin/", PAGE, "ask"),
        # A rule for the whole host was answered for what the page loads, and not for other pages.
        ((HOST,), ("/",), "/api", PART, None),
        ((HOST,), ("/",), "/other", PAGE, "ask"),
        ((HOST,), ("/",), "/", PAGE, None),
        ((HOST,), ("/", "/other"), "/other", PAGE, None),
        ((HOST, ADMIN), ("/",), "/admin/delete", PART, "ask"),
        (("ask *",), ("/",), "/api", PART, None),
        (("ask *",), ("/",), "/other", PAGE, "ask"),
        # What is unclear about an address that was agreed to answers no rule on other addresses.
        ((ADMIN,), ("/a//b",), "/admin/delete", PART, "ask"),
        ((ADMIN,), ("/a//b",), "/a//b", PAGE, None),
        ((HOST,), ("/a//b",), "/picture", PART, None),
        # Elsewhere nothing was agreed to.
        (("ask other.org",), ("/",), "http://other.org/picture", PART, "ask"),
        (("ask *",), ("/",), "http://other.org/picture", PART, "ask"),
        (("ask example.org",), ("/",), "http://example.org:8080/", PART, "ask"),
        # Deny holds whatever was agreed to.
        ((DENIED,), ("/admin/list",), "/admin/list", PAGE, "deny"),
        ((DENIED, HOST), ("/admin/list",), "/admin/style.css", PART, "deny"),
        (("deny other.org",), ("/",), "http://other.org/picture", PART, "deny"),
    ],
)
def test_what_rules_keep_from_a_page(
    named: tuple[str, ...], agreed: tuple[str, ...], there: str, of_page: bool, expected: str | None
) -> None:
    assert held(named, agreed, there, of_page=of_page) == expected


@pytest.mark.parametrize("of_page", [PAGE, PART])
def test_rules_of_the_chat_count_like_those_of_the_settings(of_page: bool) -> None:
    page, there = read_target(f"{AT}/"), read_target(f"{AT}/admin/delete")
    agreed = agreed_to(page, (page,), there, of_page=of_page)
    for words in (ADMIN, DENIED):
        of_chat = Rules(Mode.AUTO, chat_book=rules(words).book)
        assert restriction_on(of_chat, there.address, agreed) == words.partition(" ")[0]


def test_rules_for_other_agents_say_nothing() -> None:
    book = RuleBook((Rule(Effect.DENY, WEB_TOOL, "example.org", agents=("Other",)),))
    here = Rules(Mode.AUTO, book=book, agent_name="Demo")
    assert restriction_on(here, read_target(AT).address, ()) is None

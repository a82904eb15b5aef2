"""Rules that change nothing: told for certain or not at all, held against the book that decides."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.rules.book import RuleBook
from assent.policy.rules.examples import example_call
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.witnesses import witnesses
from assent.settings.inspection import entries_of
from assent.settings.jsonc import parse
from assent.settings.language.overlaps import ToolKinds, overlaps
from assent.settings.layers import Kind, Layer, Scope
from assent.settings.repeated import said_in

ROOTS, HOME = ("/w",), "/home/u"
KINDS = ToolKinds(writing=("write_file", "edit_file"))
Rules = dict[str, list[object]]


def told(deny: Rules | None = None, ask: Rules | None = None, allow: Rules | None = None) -> list[tuple[str, str]]:
    """Which rules change nothing, and the beginning of what is said."""
    rules = {"alwaysDenyRules": deny, "alwaysAskRules": ask, "alwaysAllowRules": allow}
    text = json.dumps({f"assent.{key}": value for key, value in rules.items() if value}, indent=1)
    document = parse(text)
    said = said_in(document)
    layer = Layer(Scope.WORKSPACE, said.values, "/w/.vscode/settings.json", document, said=said)
    found = overlaps(list(entries_of(layer)), (layer,), KINDS, ROOTS, HOME).diagnostics
    assert all(one.kind is Kind.SHADOWED for one in found)
    where = [one.origin.where for one in found if one.origin is not None]
    texts = [text[one.start : one.end] for one in where if one is not None]
    return [(json.loads(shown), one.text.partition(":")[0]) for shown, one in zip(texts, found, strict=True)]


IN_VAIN, NEEDLESS = "This permits nothing", "This adds nothing"


@pytest.mark.parametrize(
    ("tool", "wide", "narrow", "covered"),
    [
        ("write_file", "docs/**", "docs/a.md", True),
        ("write_file", "docs/**", "docs/*.md", True),
        ("write_file", "docs/**", "docs/**", True),
        ("write_file", "docs", "docs/a/**", True),
        ("write_file", "docs/*.md", "docs/**", False),
        ("write_file", "docs/a.md", "docs/*.md", False),
        ("write_file", "docs/?.md", "docs/*.md", False),
        ("write_file", "docs/*", "docs/[ab].md", False),
        ("write_file", "/w/docs/**", "docs/a.md", True),
        ("bash", "git:*", "git log:*", True),
        ("bash", "git log:*", "git:*", False),
        ("bash", "git log", "git log:*", False),
        ("web_fetch", "example.org", "https://example.org/docs/*", True),
        ("web_fetch", "*.example.org", "example.org", False),
        ("web_fetch", "*.example.org", "a.example.org", True),
        ("mcp", "files:*", "files:read_*", True),
        ("mcp", "files:read_*", "files:*", False),
        ("run_node", "mcp.*", "mcp.files.read", True),
    ],
)
def test_a_permission_below_a_wider_restriction(tool: str, wide: str, narrow: str, covered: bool) -> None:
    expected = [(narrow, IN_VAIN)] if covered else []
    assert told(deny={tool: [wide]}, allow={tool: [narrow]}) == expected
    assert told(ask={tool: [wide]}, allow={tool: [narrow]}) == expected
    assert (told(deny={tool: [wide]}, ask={tool: [narrow]}) == [(narrow, "This asks for nothing")]) is covered


def test_a_restriction_of_one_scheme_is_one_of_the_page() -> None:
    assert told(deny={"web_fetch": ["http://a.org"]}, allow={"web_fetch": ["a.org"]}) == [("a.org", IN_VAIN)]


def test_of_two_that_say_the_same_the_later_one_is_needless() -> None:
    assert told(allow={"write_file": ["docs/**", "docs/**"]}) == [("docs/**", NEEDLESS)]
    assert told(allow={"write_file": ["docs/a/*.md", "docs/**"]}) == [("docs/a/*.md", NEEDLESS)]
    assert told(deny={"bash": ["rm -rf:*", "rm:*"]}) == [("rm -rf:*", NEEDLESS)]


def test_a_rule_for_one_agent_covers_nobody_else() -> None:
    for_demo = {"pattern": "docs/**", "agents": ["Demo"]}
    narrow = {"pattern": "docs/a.md", "agents": ["Demo"]}
    assert told(deny={"write_file": [for_demo]}, allow={"write_file": ["docs/a.md"]}) == []
    assert [text for _, text in told(deny={"write_file": [for_demo]}, allow={"write_file": [narrow]})] == [IN_VAIN]


def test_what_is_protected_is_asked_for_whatever_permits_it() -> None:
    assert told(allow={"write_file": [".git/**"]}) == [(".git/**", IN_VAIN)]
    assert told(allow={"read_file": [".git/config"], "write_file": ["docs/**"]}) == []


def test_the_rule_that_comes_first_is_linked() -> None:
    text = '{"assent.alwaysDenyRules": {"bash": ["git:*"]},\n "assent.alwaysAllowRules": {"bash": ["git log"]}}'
    document = parse(text)
    said = said_in(document)
    layer = Layer(Scope.WORKSPACE, said.values, "/f", document, said=said)
    (found,) = overlaps(list(entries_of(layer)), (layer,), KINDS, ROOTS, HOME).diagnostics
    assert found.beside is not None
    assert found.beside.where is not None
    assert text[found.beside.where.start : found.beside.where.end] == '"git:*"'
    assert "the deny rule “git:*” for bash in the workspace settings (line 1)" in found.text


names = st.sampled_from(["a", "b", "*", "?", "a*", "*b", "**", "a?b"])
patterns = st.lists(names, min_size=1, max_size=3).map("/".join)
paths = st.lists(st.sampled_from(["a", "b", "ab", "axb", "aab", "c", "bb"]), min_size=1, max_size=4).map("/".join)


@given(wide=patterns, narrow=patterns, path=paths)
def test_what_stands_for_all_does(wide: str, narrow: str, path: str) -> None:
    """Where every witness of a pattern is met by another rule, so is every path that the pattern matches."""
    book = RuleBook((Rule(Effect.DENY, "write_file", wide), Rule(Effect.ALLOW, "write_file", narrow)), ROOTS, HOME)
    calls = [example_call("write_file", text, ROOTS, HOME) for text in witnesses("write_file", narrow)]
    if not calls or not all(book.first(Effect.DENY, call, "") for call in calls):
        return
    call = example_call("write_file", path, ROOTS, HOME)
    if book.first(Effect.ALLOW, call, "") is not None:
        assert book.first(Effect.DENY, call, "") is not None

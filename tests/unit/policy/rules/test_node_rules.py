"""Rules about nodes: by id or as server:tool, for the node that they were given for, restrictions for the name."""

from dataclasses import replace
from typing import Any

import pytest

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.grants import KeyGrant, RuleGrant, ToolGrant
from assent.model.modes import Category, Mode
from assent.model.nodes import NodeUse, shown_key
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide
from assent.policy.granting import with_grant
from assent.policy.offers import helpful_rules
from assent.policy.rules.book import RuleBook
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.suggest import suggest_deny

ONE, OTHER = "1" * 64, "2" * 64
ECHO = NodeUse("mcp.ours.echo", ONE, "ours", "echo")
READING = NodeUse("mcp.ours/resources/read", ONE, "ours", "resources/read")
HASH = NodeUse("builtin.hash", ONE)
SCRIPT = NodeUse("script.clean", ONE, of_user=False)
THEIRS = NodeUse("mcp.ours.echo", ONE, "ours", "echo", of_user=False)
UNKNOWN = NodeUse("mcp.ours.missing", "", "ours", "missing")


def facts(node: NodeUse | None, category: Category = Category.EXTERNAL) -> CallFacts:
    key = "" if node is None else node.key
    return CallFacts("run_node", known=True, category=category, grant_key=key, node=node)


def speaks(effect: Effect, tool: str, pattern: str, node: NodeUse | None) -> bool:
    return RuleBook((Rule(effect, tool, pattern),)).first(effect, facts(node), "") is not None


RESTRICTIONS: list[tuple[str, str, NodeUse | None, bool]] = [
    ("run_node", "mcp.ours.echo", ECHO, True),
    ("run_node", "MCP.OURS.ECHO", ECHO, True),
    ("run_node", "mcp.*", ECHO, True),
    ("run_node", "mcp.ours*", READING, True),
    ("run_node", "mcp.ours.*", READING, False),
    ("run_node", "mcp.ours.ech", ECHO, False),
    ("run_node", "mcp?ours?echo", ECHO, True),
    ("run_node", "*.echo", ECHO, True),
    ("run_node", "script.*", HASH, False),
    ("run_node", "*", HASH, True),
    ("run_node", "*", None, True),
    ("run_node", "mcp.ours.echo@" + "2" * 16, ECHO, True),
    ("run_node", "mcp.ours.echo@short", HASH, True),
    ("run_node", "", HASH, True),
    ("run_node", " mcp.x", HASH, True),
    ("run_node", "mcp.ours.miss*", UNKNOWN, True),
    ("mcp", "ours:echo", ECHO, True),
    ("mcp", "ours:*", READING, True),
    ("mcp", "ours:resources/*", READING, True),
    ("mcp", "OURS:E*", ECHO, True),
    ("mcp", "other:echo", ECHO, False),
    ("mcp", "*:echo", ECHO, True),
    ("mcp", "*", ECHO, True),
    ("mcp", "*", HASH, False),
    ("mcp", "no colon", ECHO, True),
    ("mcp", "no colon", HASH, False),
    ("mcp", "ours:missing", UNKNOWN, True),
]


@pytest.mark.parametrize(("tool", "pattern", "node", "matches"), RESTRICTIONS)
@pytest.mark.parametrize("effect", [Effect.DENY, Effect.ASK])
def test_a_restriction_holds_for_the_name(
    effect: Effect, tool: str, pattern: str, node: NodeUse | None, matches: bool
) -> None:
    assert speaks(effect, tool, pattern, node) is matches


PERMISSIONS: list[tuple[str, str, NodeUse | None, bool]] = [
    ("run_node", "mcp.ours.echo", ECHO, True),
    ("run_node", "MCP.ours.echo", ECHO, False),
    ("run_node", "mcp.ours.*", ECHO, True),
    ("run_node", "*", ECHO, True),
    ("run_node", "*", None, False),
    ("run_node", "*", UNKNOWN, False),
    ("run_node", "*", SCRIPT, False),
    ("run_node", "script.clean", SCRIPT, False),
    ("run_node", "script.clean@" + "1" * 16, SCRIPT, True),
    ("run_node", "script.*@" + "1" * 16, SCRIPT, True),
    ("run_node", "script.clean@" + "2" * 16, SCRIPT, False),
    ("run_node", "mcp.ours.echo@" + "1" * 15, ECHO, False),
    ("run_node", "mcp.ours.echo@" + "1" * 17, ECHO, False),
    ("mcp", "ours:echo", ECHO, True),
    ("mcp", "ours:*", ECHO, True),
    ("mcp", "ours:*", THEIRS, False),
    ("mcp", "ours:echo@" + "1" * 16, THEIRS, True),
    ("mcp", "ours:echo@" + "2" * 16, ECHO, False),
    ("mcp", "*", HASH, False),
    ("mcp", "no colon", ECHO, False),
    ("write_file", "*", ECHO, False),
]


@pytest.mark.parametrize(("tool", "pattern", "node", "permits"), PERMISSIONS)
def test_a_permission_holds_for_the_node_as_it_is(tool: str, pattern: str, node: NodeUse | None, permits: bool) -> None:
    assert speaks(Effect.ALLOW, tool, pattern, node) is permits


def test_a_glob_with_many_stars_takes_no_time() -> None:
    long = NodeUse("a" * 300, ONE)
    assert not speaks(Effect.DENY, "run_node", "*a" * 140 + "b", long)


def test_of_several_rules_under_both_names_the_first_is_named() -> None:
    book = RuleBook((Rule(Effect.DENY, "mcp", "ours:*"), Rule(Effect.DENY, "run_node", "*")))
    found = book.first(Effect.DENY, facts(ECHO), "")
    assert found is not None
    assert found.tool == "mcp"


def in_force(**more: Any) -> Rules:
    return Rules(Mode.DEFAULT, agent_name="A", **more)


def test_what_is_allowed_for_a_chat_ends_when_the_node_is_another_one() -> None:
    rules = with_grant(in_force(), KeyGrant(ECHO.key))
    assert decide(facts(ECHO), rules).reason is Reason.SESSION_ALLOW
    assert "mcp.ours.echo for this chat" in decide(facts(ECHO), rules).text
    changed = decide(facts(NodeUse("mcp.ours.echo", OTHER, "ours", "echo")), rules)
    assert changed.outcome is Outcome.ASK
    assert changed.text.startswith("mcp.ours.echo has changed since you allowed it.")
    assert "changed" not in decide(facts(READING), rules).text


def test_what_is_allowed_always_ends_too_and_says_so() -> None:
    rules = with_grant(in_force(), RuleGrant("mcp", f"ours:echo@{ECHO.short_identity}"))
    assert decide(facts(ECHO), rules).reason is Reason.ALLOW_RULE
    changed = decide(facts(NodeUse("mcp.ours.echo", OTHER, "ours", "echo")), rules)
    assert changed.outcome is Outcome.ASK
    assert "has changed since you allowed it" in changed.text


def test_a_whole_tool_permits_no_node() -> None:
    rules = with_grant(in_force(always_allowed=frozenset({"run_node"})), ToolGrant("run_node"))
    rules = with_grant(rules, KeyGrant("run_node"))
    assert decide(facts(ECHO), rules).outcome is Outcome.ASK


@pytest.mark.parametrize(
    ("node", "allow", "deny"),
    [
        (ECHO, ("mcp", "ours:echo@1111111111111111"), ("mcp", "ours:echo")),
        (READING, ("mcp", "ours:resources/read@1111111111111111"), ("mcp", "ours:resources/read")),
        (SCRIPT, ("run_node", "script.clean@1111111111111111"), ("run_node", "script.clean")),
        (UNKNOWN, None, ("mcp", "ours:missing")),
        (NodeUse("mcp.*", "", "", ""), None, ("run_node", "*")),
    ],
)
def test_the_narrowest_rules_are_offered(node: NodeUse, allow: tuple[str, str] | None, deny: tuple[str, str]) -> None:
    found = [(one.tool, one.pattern) for one in helpful_rules(facts(node), in_force())]
    assert found == ([] if allow is None else [allow])
    refusing = suggest_deny(facts(node), ())
    assert (refusing.tool, refusing.pattern) == deny


def test_a_rule_may_bring_examples() -> None:
    rule = Rule(Effect.ALLOW, "mcp", "ours:e*")
    assert check_examples(rule, Examples(("ours:echo",), ("ours:note", "other:echo"))) == []
    assert len(check_examples(rule, Examples(("ours:note",), ("ours:echo",)))) == 2
    assert check_examples(Rule(Effect.DENY, "run_node", "mcp.*"), Examples(("mcp.a.b",), ("builtin.hash",))) == []


def test_a_key_is_shown_without_its_digest() -> None:
    assert ECHO.key == "run_node:mcp.ours.echo@1111111111111111"
    assert shown_key(ECHO.key) == "run_node:mcp.ours.echo"
    assert shown_key("bash:git@x") == "bash:git@x"


SYMBOLS = NodeUse("command.vscode.executeDocumentSymbolProvider", ONE)


@pytest.mark.parametrize(
    ("file", "inside", "permitted"),
    [("/w/a.json", True, True), ("/w/.env", True, False), ("/etc/a.json", False, False)],
)
@pytest.mark.parametrize("grant", [RuleGrant("run_node", "command.*"), KeyGrant(SYMBOLS.key)], ids=str)
def test_what_permits_a_node_does_not_permit_it_what_is_raised(
    grant: Any, file: str, inside: bool, permitted: bool
) -> None:
    use = PathUse(file, file, Access.READ, inside)
    call = replace(facts(SYMBOLS, Category.EXECUTE), paths=(use,))
    rules = Rules(mode=Mode.DEFAULT, roots=("/w",))
    answer = decide(call, with_grant(rules, grant))
    assert (answer.outcome is Outcome.RUN) is permitted
    assert bool(helpful_rules(call, rules)) is permitted
    # What forbids it forbids it anywhere.
    book = RuleBook((Rule(Effect.DENY, "run_node", "command.*"),))
    assert book.first(Effect.DENY, call, "") is not None

"""What a rule speaks of, in words: those of the card that offers it."""

import pytest

from assent.model.calls import Access, CallFacts
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.policy.rules.suggest import suggest, suggest_deny
from assent.policy.rules.words import meaning
from tests.support.rule_calls import HOME, ROOT, call, use

READ = Access.READ
CALLS = [
    call("docs/api/intro.md"),
    call("README.md"),
    call("src/a/x.py", "src/b/y.py"),
    call("src/Makefile"),
    call(use("docs", READ, folder=True)),
    call(use("/ws", READ, folder=True)),
    call("/srv/data/a.csv"),
    call("a b/[x].md"),
]


@pytest.mark.parametrize("facts", CALLS, ids=str)
def test_a_card_and_the_settings_say_the_same(facts: CallFacts) -> None:
    for one in suggest(facts, (ROOT,), HOME):
        if one.pattern != WHOLE_TOOL:
            assert meaning(Rule(Effect.ALLOW, one.tool, one.pattern)) == one.words
    refused = suggest_deny(facts, (ROOT,), HOME)
    assert meaning(Rule(Effect.DENY, refused.tool, refused.pattern)) == refused.words


@pytest.mark.parametrize(
    ("effect", "tool", "pattern", "words"),
    [
        (Effect.ALLOW, "bash", "npm test:*", "Every command that starts with `npm test`, with any further words,"),
        (Effect.ALLOW, "bash", "git status", "Only `git status`, in exactly these words."),
        (Effect.DENY, "bash", "rm:*", "Every command in which `rm` is run is refused."),
        (Effect.ASK, "bash", "rm:*", "Every command in which `rm` is run is asked for."),
        (Effect.ASK, "bash", "*", "Every shell command is asked for, whatever it does."),
        (Effect.DENY, "write_file", "infra/**", "Every write_file call on everything in “infra” and in all folders"),
        (Effect.ALLOW, "write_file", "~/notes/**", "Everything in “~/notes” and in all folders below it."),
        (Effect.ALLOW, "write_file", "notes", "Only what is named “notes”, at any depth of the workspace folder, and"),
        (Effect.ALLOW, "write_file", "a*/b/**", "Every write_file call on a path like “a*/b/**”"),
        (Effect.ALLOW, "web_fetch", "example.org", "Every page of “example.org”, by http or https, and none of a host"),
        (Effect.DENY, "web_fetch", "example.org", "Every web_fetch call that reaches example.org is refused, on"),
        (Effect.ALLOW, "web_fetch", "*.example.org", "Every web_fetch call for addresses of hosts below “example.org”"),
        (Effect.ALLOW, "mcp", "files:*", "Every call of “files:*” (`*` is any signs) that your own settings define"),
        (Effect.DENY, "mcp", "files:rm", "Every call of “files:rm” is refused, whatever it is and becomes."),
        (Effect.ALLOW, "write_file", "{a,b}", None),
    ],
)
def test_every_kind_of_rule_has_words(effect: Effect, tool: str, pattern: str, words: str | None) -> None:
    said = meaning(Rule(effect, tool, pattern))
    assert said == words or (words is not None and said is not None and said.startswith(words))

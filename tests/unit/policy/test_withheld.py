"""Which files a search keeps to itself: those that a call for them would be blocked or asked for by a rule."""

from dataclasses import replace

import pytest

from assent.model.calls import Access
from assent.model.modes import Mode
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules_in_force import Rules
from assent.policy.withheld import is_withheld
from tests.support.rule_calls import HOME, ROOT, book, use

READ = Access.READ
ALL = use("", READ, folder=True, shown=".", named=ROOT)


def rules(*of_settings: Rule, chat: tuple[Rule, ...] = ()) -> Rules:
    base = Rules(Mode.DEFAULT, roots=(ROOT,), home=HOME, agent_name="Demo", own_places=(f"{ROOT}/state",))
    return replace(base, book=book(*of_settings), chat_book=book(*chat))


@pytest.mark.parametrize(
    ("rule", "tool", "path", "kept"),
    [
        (Rule(Effect.DENY, "read_file", "infra/**"), "grep", "infra/a", True),
        (Rule(Effect.DENY, "read_file", "infra/**"), "grep", "src/a", False),
        (Rule(Effect.ASK, "read_file", "infra/**"), "grep", "infra/a", True),
        (Rule(Effect.ASK, "read_file", "*"), "grep", "infra/a", False),
        (Rule(Effect.DENY, "grep", "infra"), "grep", "infra/deep/a", True),
        (Rule(Effect.DENY, "list_files", "infra"), "grep", "infra/a", True),
        (Rule(Effect.DENY, "list_files", "infra"), "glob", "infra/a", True),
        (Rule(Effect.DENY, "read_file", "infra"), "glob", "infra/a", False),
        (Rule(Effect.ALLOW, "read_file", "infra/**"), "grep", "infra/a", False),
        (Rule(Effect.DENY, "read_file", "infra/**", agents=("Other",)), "grep", "infra/a", False),
        (Rule(Effect.DENY, "read_file", "INFRA/**"), "grep", "infra/a", True),
        (Rule(Effect.DENY, "read_file", "[broken"), "grep", "infra/a", True),
    ],
)
def test_by_a_rule(rule: Rule, tool: str, path: str, kept: bool) -> None:
    assert is_withheld(use(path, READ), ALL, tool, rules(rule)) is kept
    assert is_withheld(use(path, READ), ALL, tool, rules(chat=(rule,))) is kept


def test_what_belongs_to_the_product_and_what_is_a_device() -> None:
    assert is_withheld(use("state/keys", READ), ALL, "grep", rules())
    assert is_withheld(use("/dev/sda", READ), ALL, "grep", rules())
    assert not is_withheld(use("src/a", READ), ALL, "grep", rules())

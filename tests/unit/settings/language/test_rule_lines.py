"""All rules in a row: what each does, in words, and which of them changes nothing."""

import json

import pytest

from assent.model.json import Json
from assent.settings.language.overlaps import ToolKinds
from assent.settings.language.rule_lines import RuleLine, rule_lines
from assent.settings.layers import Origin, Scope
from assent.settings.stored import StoredGrant, StoredKind

ROOTS, HOME = ("/work",), "/home/ada"
SETTINGS = {
    StoredKind.RULE: "alwaysAllowRules",
    StoredKind.ASK_RULE: "alwaysAskRules",
    StoredKind.DENY_RULE: "alwaysDenyRules",
    StoredKind.TOOL: "toolAllowlist",
}


def stored(kind: StoredKind, tool: str, value: Json, *, line: int = 1, effective: bool = True) -> StoredGrant:
    path = () if kind is StoredKind.TOOL else (tool,)
    origin = Origin(Scope.WORKSPACE, "/work/.vscode/settings.json", line)
    return StoredGrant(kind, SETTINGS[kind], path, value, "", origin, effective, is_item=True)


def lines(*grants: StoredGrant) -> tuple[RuleLine, ...]:
    return rule_lines(grants, ToolKinds(("write_file",)), ROOTS, HOME)


@pytest.mark.parametrize(
    ("grant", "does"),
    [
        (stored(StoredKind.DENY_RULE, "bash", "rm:*"), "Every command in which `rm` is run is refused."),
        (stored(StoredKind.ASK_RULE, "bash", "*"), "Every shell command is asked for, whatever it does."),
        (stored(StoredKind.RULE, "bash", "git status"), "Only `git status`, in exactly these words."),
        (stored(StoredKind.TOOL, "", "bash"), "Every shell command runs without asking, whatever it does."),
        (
            stored(StoredKind.DENY_RULE, "bash", 7),
            "What stands here makes no sense; until it does, every shell command is refused, whatever it does.",
        ),
    ],
)
def test_each_is_told_in_the_words_of_the_cards(grant: StoredGrant, does: str) -> None:
    (line,) = lines(grant)
    assert line.does == does


def test_the_agents_of_a_rule_are_told_and_those_of_no_rule_are_all() -> None:
    one, other = lines(
        stored(StoredKind.ASK_RULE, "bash", {"pattern": "rm:*", "agents": ["Local"]}),
        stored(StoredKind.ASK_RULE, "bash", "mv:*"),
    )
    assert (one.pattern, one.agents, other.agents) == ("rm:*", ("Local",), None)


def test_what_comes_first_shadows_what_it_covers_only_where_it_counts() -> None:
    allowing = stored(StoredKind.RULE, "bash", "rm -rf build")
    denying = stored(StoredKind.DENY_RULE, "bash", "rm:*", line=9)
    shadowed, _ = lines(allowing, denying)
    assert shadowed.remark is not None and "comes first" in shadowed.remark.text
    assert shadowed.remark.beside is not None and shadowed.remark.beside.line == 9
    free, _ = lines(allowing, stored(StoredKind.DENY_RULE, "bash", "mv:*"))
    assert free.remark is None
    asleep, _ = lines(allowing, stored(StoredKind.RULE, "bash", "rm:*", effective=False))
    assert asleep.remark is None


def test_an_entry_that_says_something_else_has_another_digest() -> None:
    grants = [stored(StoredKind.RULE, "bash", value) for value in ("a", "b", {"pattern": "a"})]
    assert len({grant.digest for grant in grants}) == 3
    assert grants[0].digest == stored(StoredKind.RULE, "bash", json.loads('"a"'), line=5).digest

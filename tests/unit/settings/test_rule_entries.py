"""The rules and always-allowed tools that the settings of all scopes come to, and what is said about wrong ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.model.modes import Mode
from assent.policy.rules.rule import Effect, Rule
from assent.settings.effective import Effective, effective
from assent.settings.layers import Layers, layers_from
from assent.settings.reading import SettingsFile

DENY, ASK, ALLOW = "alwaysDenyRules", "alwaysAskRules", "alwaysAllowRules"
RESTRICTIONS = [(DENY, Effect.DENY), (ASK, Effect.ASK)]


def come_to(user: object = None, workspace: object = None, folder: object = None) -> Effective:
    return effective(layers_from({"user": user, "workspace": workspace, "folder": folder}, None))


def rules(result: Effective) -> list[tuple[str, str, str, str]]:
    return [(rule.effect.value, rule.tool, rule.pattern, rule.scope) for rule in result.rules.rules]


def texts(result: Effective) -> str:
    return "\n".join(diagnostic.sentence for diagnostic in result.diagnostics)


def test_without_any_entry_there_is_no_rule() -> None:
    result = come_to()
    assert result.rules.rules == ()
    assert result.rules.always_allowed == frozenset()
    assert not result.rules.in_doubt


@pytest.mark.parametrize(("key", "effect"), RESTRICTIONS)
def test_restrictions_of_all_scopes_are_united_the_users_first(key: str, effect: Effect) -> None:
    result = come_to({key: {"a": ["1"]}}, {key: {"a": ["2"]}}, {key: {"b": ["3"], "a": []}})
    assert rules(result) == [
        (effect.value, "a", "1", "user"),
        (effect.value, "a", "2", "workspace"),
        (effect.value, "b", "3", "folder"),
    ]
    assert result.diagnostics == ()


def test_only_the_user_allows() -> None:
    allowing = {ALLOW: {"a": ["x"]}, "toolAllowlist": ["t"]}
    assert rules(come_to(allowing)) == [("allow", "a", "x", "user")]
    assert come_to(allowing).rules.always_allowed == {"t"}
    for scopes in ({"workspace": allowing}, {"folder": allowing}):
        result = come_to(None, **scopes)
        assert rules(result) == []
        assert result.rules.always_allowed == frozenset()
        assert [(entry.setting, entry.entry) for entry in result.awaiting] == [
            (ALLOW, '["a", "x"]'),
            ("toolAllowlist", "t"),
        ]


def test_a_workspace_takes_no_rule_of_the_user_away() -> None:
    user = {DENY: {"a": ["x"]}, ASK: {"a": ["y"]}}
    others: tuple[object, ...] = ({DENY: {}}, {DENY: {"a": []}}, {DENY: None, ASK: None}, {DENY: 5, ASK: {"a": 5}})
    for workspace in others:
        assert set(come_to(user).rules.rules) <= set(come_to(user, workspace).rules.rules)


def test_entries_may_name_agents_and_examples() -> None:
    entry = {"pattern": "docs/**", "agents": ["Local"], "match": ["docs/a"], "notMatch": ["src/a"]}
    result = come_to({DENY: {"read_file": [entry]}})
    assert result.rules.rules == (Rule(Effect.DENY, "read_file", "docs/**", agents=("Local",)),)
    assert result.diagnostics == ()


def test_a_rule_without_agents_holds_for_all_and_one_with_none_is_kept_as_such() -> None:
    everybody, nobody = come_to({DENY: {"a": [{"pattern": "x"}, {"pattern": "y", "agents": []}]}}).rules.rules
    assert everybody.agents is None
    assert nobody.agents == ()


def test_examples_that_say_otherwise_are_told_and_the_rule_counts() -> None:
    entry = {"pattern": "docs/**", "match": ["src/a"], "notMatch": ["docs/a"]}
    result = come_to({DENY: {"read_file": [entry]}})
    assert rules(result) == [("deny", "read_file", "docs/**", "user")]
    assert "does not match 'src/a'" in texts(result)
    assert "matches 'docs/a'" in texts(result)


BAD_ENTRIES = [
    5,
    None,
    True,
    [],
    ["x"],
    {},
    {"pattern": 5},
    {"patern": "x"},
    {"pattern": "x", "agents": "Local"},
    {"pattern": "x", "agents": [5]},
    {"pattern": "x", "match": "y"},
    {"pattern": "x", "notMatch": {}},
]


@pytest.mark.parametrize("entry", BAD_ENTRIES)
@pytest.mark.parametrize(("key", "effect"), RESTRICTIONS)
def test_a_restriction_that_nobody_can_understand_holds_for_the_whole_tool(
    key: str, effect: Effect, entry: object
) -> None:
    result = come_to({key: {"a": ["fine", entry]}})
    assert rules(result) == [(effect.value, "a", "fine", "user"), (effect.value, "a", "*", "user")]
    assert result.rules.rules[1].agents is None
    assert f"assent.{key}.a should be" in texts(result)
    assert "until it is, it holds for the whole tool" in texts(result)


@pytest.mark.parametrize("entry", BAD_ENTRIES)
def test_a_permission_that_nobody_can_understand_allows_nothing(entry: object) -> None:
    result = come_to({ALLOW: {"a": ["fine", entry]}})
    assert rules(result) == [("allow", "a", "fine", "user")]
    assert "until it is, it allows nothing" in texts(result)


@pytest.mark.parametrize("entries", ["x", 5, {"pattern": "x"}, True, None])
def test_entries_that_are_no_list_are_one_that_nobody_can_understand(entries: object) -> None:
    assert rules(come_to(None, {DENY: {"a": entries}})) == [("deny", "a", "*", "workspace")]
    assert rules(come_to({ALLOW: {"a": entries}})) == []
    (said,) = come_to({DENY: {"a": entries}}).diagnostics
    assert "assent.alwaysDenyRules.a should be a list of patterns" in said.text


@pytest.mark.parametrize("scope", ["user", "workspace", "folder"])
@pytest.mark.parametrize("value", ["a", 5, ["a"], True, []])
@pytest.mark.parametrize(("key", "effect"), RESTRICTIONS)
def test_restrictions_of_no_tool_that_one_could_tell_hold_every_chat_at_ask(
    key: str, effect: Effect, value: object, scope: str
) -> None:
    result = come_to(**{scope: {key: value}})
    assert result.rules.in_doubt
    assert result.mode_ceiling is Mode.ASK
    assert f"assent.{key} should be" in texts(result)


def test_restrictions_in_doubt_take_along_what_the_user_allows() -> None:
    """Nobody can tell which of it they were meant to forbid."""
    allowing = {ALLOW: {"a": ["*"]}, "toolAllowlist": ["t"]}
    result = come_to(allowing, {DENY: ["a"]})
    assert [rule for rule in result.rules.rules if rule.effect is Effect.ALLOW] == []
    assert result.rules.always_allowed == frozenset()


@pytest.mark.parametrize("value", ["a", 5, ["a"], True])
def test_permissions_of_a_wrong_shape_allow_nothing_and_hold_nobody(value: object) -> None:
    result = come_to({ALLOW: value})
    assert rules(result) == []
    assert not result.rules.in_doubt
    assert result.mode_ceiling is None
    assert "assent.alwaysAllowRules should be" in texts(result)


@pytest.mark.parametrize("value", ["write_file", 5, {"write_file": True}, ["write_file", 5], [["write_file"]]])
def test_an_allow_list_of_a_wrong_shape_allows_nothing(value: object) -> None:
    result = come_to({"toolAllowlist": value})
    assert result.rules.always_allowed == frozenset()
    assert "assent.toolAllowlist should be" in texts(result)


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[..., Layers]:
    """The layers after the workspace's file said these texts, one after the other."""
    path = tmp_path / "settings.json"
    file = SettingsFile(path)

    def make(*said: str, blocks: object = None) -> Layers:
        for text in said:
            path.write_text(text, "utf-8")
            reading = file.read()
        return layers_from(blocks, reading)

    return make


TEXT = '{\n  // ours\n  "assent.alwaysDenyRules": {\n    "read_file": ["a", "b"]\n  }\n}'


def test_a_rule_says_where_it_stands(on_disk: Callable[..., Layers], tmp_path: Path) -> None:
    first, second = effective(on_disk(TEXT)).rules.rules
    assert (first.pattern, first.scope, first.file, first.line) == (
        "a",
        "workspace",
        str(tmp_path / "settings.json"),
        4,
    )
    assert (second.pattern, second.line) == ("b", 4)


def test_the_same_rule_told_by_the_editor_and_read_from_the_file_is_one(on_disk: Callable[..., Layers]) -> None:
    blocks = {"workspace": {DENY: {"read_file": ["a", "b"]}}}
    assert [rule.pattern for rule in effective(on_disk(TEXT, blocks=blocks)).rules.rules] == ["a", "b"]


def test_what_a_broken_file_last_restricted_still_counts(on_disk: Callable[..., Layers]) -> None:
    result = effective(on_disk(TEXT, TEXT[:-1]))
    assert [(rule.effect, rule.pattern) for rule in result.rules.rules] == [(Effect.DENY, "a"), (Effect.DENY, "b")]


def test_a_file_does_not_lift_what_the_editor_tells(on_disk: Callable[..., Layers]) -> None:
    blocks = {"workspace": {DENY: {"write_file": ["x"]}}}
    assert {rule.tool for rule in effective(on_disk(TEXT, blocks=blocks)).rules.rules} == {"read_file", "write_file"}


@pytest.mark.parametrize("extra", [{"agent": ["A"]}, {"agents": None}, {"Match": ["x"]}, {"pattern ": "y"}])
def test_a_word_that_nobody_knows_in_a_rule_never_widens_it(extra: dict[str, object]) -> None:
    entry = {"pattern": "docs/**", **extra}
    assert rules(come_to({ALLOW: {"a": [entry]}})) == []
    assert rules(come_to({DENY: {"a": [entry]}})) == [("deny", "a", "*", "user")]
    assert "assent.alwaysAllowRules.a should be" in texts(come_to({ALLOW: {"a": [entry]}}))

"""A setting that stands in a file more than once, in one spelling or in both: nothing is permitted that one forbids."""

import json
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path

import pytest

from assent.policy.rules.rule import Effect
from assent.settings.declared import declared
from assent.settings.effective import Effective, effective
from assent.settings.jsonc import parse
from assent.settings.layers import Layers, layers_from
from assent.settings.reading import SettingsFile
from assent.settings.repeated import READ_BY_THE_LAST_ONE, RESTRICTED_BY_REPETITION, said_in


def values(*members: str) -> dict[str, object]:
    return said_in(parse("{" + ", ".join(members) + "}")).values


DENY, ALLOW, LIST, BYPASS, AGENTS = (
    "assent.alwaysDenyRules",
    "assent.alwaysAllowRules",
    "assent.toolAllowlist",
    "assent.bypassPermissions",
    "assent.agents",
)

CASES: list[tuple[str, list[object], object]] = [
    ("assent.mode", ["auto", "plan", "ask"], "plan"),
    ("assent.mode", ["ask", "auto_accept_all"], "ask"),
    ("assent.mode", ["yolo", "default"], "default"),
    ("assent.mode", [5, "yolo"], None),
    ("assent.mode", [None, "ask"], "ask"),
    ("assent.enabled", [False, True], False),
    ("assent.enabled", [True, 1], 1),
    ("assent.sessionGrants", [True, "no", True], "no"),
    ("assent.sessionGrants", [True, None], True),
    ("assent.approvalTimeoutSeconds", [600, 5, 300], 5),
    ("assent.approvalTimeoutSeconds", [600, 0, "5"], 600),
    ("assent.approvalTimeoutWhen", ["never", "always", "unattended"], "always"),
    ("assent.approvalTimeoutWhen", ["never", "off"], "never"),
    ("assent.secrets.reading", ["show", "mask", "ask"], "mask"),
    ("assent.secrets.reading", ["show", "ask"], "ask"),
    ("assent.secrets.reading", ["show", "never"], "show"),
    ("assent.limits", [{"writes": 5, "depth": 1}, {"writes": 9}, {"writes": 7}], {"writes": 5, "depth": 1}),
    ("assent.limits", [{"writes": 5}, {"writes": "none"}, {"writes": -1}], {"writes": 5}),
    ("assent.limits", [{"writes": 5}, {"writes": None}], {"writes": 5}),
    ("assent.limits", [{"writes": 5}, 5], 5),
    ("assent.shell", [{"path": "/a", "maxProcesses": 50}, {"path": "/a"}], {"maxProcesses": 50, "path": "/a"}),
    ("assent.shell", [{"path": "/a"}, {"path": "/b"}], {"path": None}),
    ("assent.shell", [{"path": "/a"}, {"path": None}], {"path": None}),
    ("assent.shell", [{"maxProcesses": 50}, {"maxProcesses": 5}, {"maxProcesses": 20}], {"maxProcesses": 20}),
    ("assent.shell", [{"maxMemoryMb": 100}, {"maxMemoryMb": None}, {"maxMemoryMb": 200}], {"maxMemoryMb": 100}),
    ("assent.shell", [{"path": "/a"}, "/a"], "/a"),
    (
        "assent.shell",
        [
            {"environment": {"pass": ["A", "B"], "withhold": ["C"]}},
            {"environment": {"pass": ["B"]}},
        ],
        {"environment": {"pass": ["B"], "withhold": ["C"]}},
    ),
    ("assent.shell", [{"environment": {"pass": ["A"]}}, {"environment": {}}], {"environment": {}}),
    ("assent.sandbox", [{"enabled": "off"}, {"enabled": "auto"}, {"enabled": "off"}], {"enabled": "auto"}),
    ("assent.sandbox", [{"enabled": "off"}, {"enabled": "off", "network": True}], {"enabled": "off", "network": True}),
    ("assent.sandbox", [{"autoAllow": True}, {"autoAllow": False}], {"autoAllow": False}),
    ("assent.sandbox", [{"network": True}, {"network": 1}], {"network": 1}),
    ("assent.mcpServers", [{"a": {"command": "x"}}, {"a": {"command": "y"}}], {"a": {}}),
    (
        "assent.mcpServers",
        [{"a": {"command": "x"}}, {"a": {"command": "x"}, "b": {}}],
        {"a": {"command": "x"}, "b": {}},
    ),
    ("assent.mcpServers", [{"a": {"url": "x", "trusted": True}}, {"a": {"url": "x"}}], {"a": {}}),
    ("assent.sandbox", [{"writable": ["/a", "/b"]}, {"writable": ["/b"]}], {"writable": ["/b"]}),
    ("assent.sandbox", [{"writable": ["/a"]}, {"writable": None}], {"writable": None}),
    ("assent.sandbox", [{"autoAllow": True}, "off"], "off"),
    ("assent.images", [{"baseUrl": "http://a"}, {"baseUrl": "http://b"}], None),
    ("assent.images", [{"baseUrl": "http://a"}, {"baseUrl": "http://a"}], {"baseUrl": "http://a"}),
    ("assent.speech", [{"provider": "system"}, "system"], None),
    ("assent.streaming", [False, True], False),
    ("assent.streaming", [True, "no", True], "no"),
    (BYPASS, [{"A": True}, {"A": False, "B": True}], {"A": False, "B": True}),
    (BYPASS, [{"A": True}, {"A": 1}], {"A": 1}),
    (BYPASS, [{"A": True}, "all"], "all"),
    (LIST, [["a", "b"], ["b", "c"]], ["b"]),
    (LIST, [["a"], []], []),
    (LIST, [["a"], "a"], "a"),
    (LIST, [["a"], None], None),
    ("assent.additionalWorkingDirectories", [["/a", "/b"], ["/b"]], ["/b"]),
    (ALLOW, [{"t": ["x", "y"], "u": ["z"]}, {"t": ["y"]}], {"t": ["y"]}),
    (ALLOW, [{"t": [{"pattern": "x", "agents": ["A"]}]}, {"t": ["x"]}], {"t": []}),
    (ALLOW, [{"t": ["x"]}, {}], {}),
    (ALLOW, [{"t": ["x"]}, None], None),
    (ALLOW, [{"t": ["x"]}, ["t"]], ["t"]),
    (ALLOW, [{"t": ["x"]}, {"t": "x"}], {"t": "x"}),
    (AGENTS, [{"A": {"provider": "demo"}}, {"A": {"provider": "demo"}}], {"A": {"provider": "demo"}}),
    (AGENTS, [{"A": {"command": "x", "bypassPermissions": False}}, {"A": {"command": "y"}}], None),
    (AGENTS, [{"A": {"provider": "demo"}}, 5], 5),
]


@pytest.mark.parametrize(("key", "said", "counts"), CASES)
def test_in_whatever_order_the_stricter_reading_counts(key: str, said: list[object], counts: object) -> None:
    name = key.removeprefix("assent.")
    for order in permutations(said):
        flat = values(*(f'"{key}": {json.dumps(value)}' for value in order)).get(name)
        first, *rest = order
        nested = values(
            f'"assent": {{"{name}": {json.dumps(first)}}}', *(f'"{key}": {json.dumps(value)}' for value in rest)
        ).get(name)
        assert flat == nested
        if isinstance(counts, dict) and isinstance(flat, dict):
            assert {name: flat[name] for name in sorted(flat)} == counts
        elif key == AGENTS and counts is None:
            assert flat == {"A": {"bypassPermissions": False}}
        elif key == "assent.mode" and counts is None:
            assert flat in said
        else:
            # As text: true is not 1.
            assert json.dumps(flat) == json.dumps(counts)


@pytest.mark.parametrize(
    ("member", "counts"),
    [
        ('"assent.bypassPermissions": {"A": false, "A": true}', {"A": False}),
        ('"assent.bypassPermissions": {"A": true, "A": true}', {"A": True}),
        (
            '"assent.agents": {"A": {"bypassPermissions": false, "bypassPermissions": true}}',
            {"A": {"bypassPermissions": False}},
        ),
        ('"assent.agents": {"A": {"command": "x", "command": "y"}}', {"A": {}}),
        ('"assent.images": {"baseUrl": "http://a"}, "assent.images": {"baseUrl": "http://a"}', {"baseUrl": "http://a"}),
        ('"assent.alwaysAllowRules": {"t": ["x", "y"], "t": ["y"]}', {"t": ["y"]}),
        ('"assent.alwaysAllowRules": {"t": [{"pattern": "x", "pattern": "y"}]}', {"t": [None]}),
        (
            '"assent.hooks": {"t": [{"command": "x"}], "t": [{"command": "x"}, {"command": "y"}]}',
            {"t": [{"command": "x"}]},
        ),
        ('"assent.hooks": {"t": [{"command": "x", "command": "y"}]}', {"t": [None]}),
        (
            '"assent.shell": {"environment": {"withhold": ["C"], "withhold": ["D"]}}',
            {"environment": {"withhold": ["C", "D"]}},
        ),
        ('"assent.alwaysDenyRules": {"t": ["x"], "t": ["y"]}', {"t": ["x", "y"]}),
        ('"assent.alwaysDenyRules": {"t": ["x"], "t": "y"}', {"t": ["x", None]}),
        ('"assent.alwaysDenyRules": {"t": [{"pattern": "x", "agents": ["A"], "agents": ["B"]}]}', {"t": [None]}),
    ],
)
def test_the_same_inside_of_one_setting(member: str, counts: object) -> None:
    assert list(values(member).values()) == [counts]


def test_a_setting_in_an_object_that_the_editor_does_not_see_any_more_restricts() -> None:
    assert values('"assent": {"mode": "plan"}', '"assent": {"enabled": true}')["mode"] == "plan"


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[..., Layers]:
    def make(text: str, blocks: object = None) -> Layers:
        path = tmp_path / "settings.json"
        path.write_text(text, "utf-8")
        return layers_from(blocks, SettingsFile(path).read())

    return make


RESTRICTIONS = [{}, {"t": ["x"]}, {"t": ["y"], "u": ["*"]}, {"t": 5}, {"t": [5, {"pattern": "z"}]}, 5, ["t"], "t", None]


def restrictions(result: Effective) -> set[tuple[Effect, str, str]]:
    return {(rule.effect, rule.tool, rule.pattern) for rule in result.rules.rules if rule.effect.restricts}


@pytest.mark.parametrize("name", ["alwaysDenyRules", "alwaysAskRules"])
@pytest.mark.parametrize("told", [False, True], ids=["file alone", "editor too"])
def test_restrictions_of_all_readings_count_together(on_disk: Callable[..., Layers], name: str, told: bool) -> None:
    for one, other in product(RESTRICTIONS, RESTRICTIONS):
        first, second = f'"assent.{name}": {json.dumps(one)}', f'"assent": {{"{name}": {json.dumps(other)}}}'
        blocks = {"workspace": {name: other}} if told else None
        both = effective(on_disk(f"{{{first}, {second}}}", blocks))
        for alone in (effective(on_disk(f"{{{first}}}")), effective(on_disk(f"{{{second}}}"))):
            assert restrictions(alone) <= restrictions(both), (one, other)
            assert alone.rules.in_doubt <= both.rules.in_doubt, (one, other)


def test_what_the_editor_read_last_permits_no_more_than_all_readings(on_disk: Callable[..., Layers]) -> None:
    twice = '"assent.toolAllowlist": ["a"], "assent.toolAllowlist": ["a", "b"]'
    text = f'{{{twice}, "assent.mode": "ask", "assent.mode": "auto"}}'
    told = {"toolAllowlist": ["a", "b"], "mode": "auto", "agent": "X"}
    assert on_disk(text, {"workspace": told}).workspace.values == {"toolAllowlist": ["a"], "mode": "ask", "agent": "X"}
    # What stands in another file is that file's business.
    other = {"toolAllowlist": ["b"], "mode": "default"}
    assert on_disk(text, {"folder": other}).folder.values == other


def test_each_setting_that_a_workspace_may_set_has_an_answer_to_being_there_twice() -> None:
    open_to_workspaces = {name for name, setting in declared().items() if setting.about.reach.is_open_to_workspaces}
    assert open_to_workspaces == RESTRICTED_BY_REPETITION | READ_BY_THE_LAST_ONE


def test_of_a_merged_setting_each_part_is_found_where_it_stands(on_disk: Callable[..., Layers]) -> None:
    layer = on_disk('{\n"assent.alwaysDenyRules": {"t": ["x"]},\n"assent.alwaysDenyRules": {"t": ["y"]}\n}').workspace
    assert [layer.origin("alwaysDenyRules", "t", index).line for index in (0, 1)] == [2, 3]

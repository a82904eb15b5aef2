"""What is wrong with a settings file while it is written: each thing where it stands in exactly this text."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assent.settings.jsonc import parse
from assent.settings.language.drafts import MOST_CHARACTERS, MOST_RULES, Around, Draft, Looked, look_at
from assent.settings.language.overlaps import ToolKinds
from assent.settings.language.places import SettingsPlace, place_of
from assent.settings.layers import Diagnostic, Kind, Layer, Layers, Scope
from assent.settings.repeated import said_in

FILE = "/w/.vscode/settings.json"
TOOLS = ("bash", "write_file", "todo_write", "web_fetch")
KINDS = ToolKinds(writing=("write_file",), internal=("todo_write",))
AROUND = Around(Layers(), (Path("/w"),), Path("/home/u"), True, {"Demo": {"provider": "demo"}})
OWN = SettingsPlace(Scope.WORKSPACE, FILE)


def look(text: str, place: SettingsPlace = OWN, around: Around = AROUND) -> Looked:
    return look_at(Draft(place, text), around, TOOLS, KINDS)


def said(text: str, place: SettingsPlace = OWN, around: Around = AROUND) -> list[tuple[str, Kind, str]]:
    """What is underlined, why, and what was probably meant."""
    return sorted((underlined(one), one.kind, one.instead or "") for one in look(text, place, around).diagnostics)


def underlined(one: Diagnostic) -> str:
    assert one.origin is not None
    where = one.origin.where
    return where.document.text[where.start : where.end] if where else ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"assent.mode": "ask"}', []),
        ('{"assent.mode": "aks"}', [('"aks"', Kind.WRONG_VALUE, "ask")]),
        ('{"assent.agent": "Dmo"}', [('"Dmo"', Kind.WRONG_VALUE, "Demo")]),
        ('{"assent.agents": {"X": {"provider": "olama"}}}', [('"olama"', Kind.WRONG_VALUE, "ollama")]),
        (
            '{"assent.agent": "X", "assent.agents": {"X": {"provider": ""}}}',
            [('"X"', Kind.WRONG_VALUE, ""), ('{"provider": ""}', Kind.WRONG_VALUE, "")],
        ),
        ('{"assent.toolAllowlist": ["wirte_file"]}', [('"wirte_file"', Kind.UNKNOWN_TOOL, "write_file")]),
        ('{"assent.alwaysDenyRules": {"bsh": ["a", "b"]}}', [('"bsh"', Kind.UNKNOWN_TOOL, "bash")]),
        ('{"assent": {"alwaysDenyRules": {"bsh": []}}}', []),
        ('{"assent.bypassPermissions": {"Dmo": true}}', [('"Dmo"', Kind.UNKNOWN_AGENT, "Demo")]),
        ('{"assent.mod": "ask"}', [('"assent.mod"', Kind.UNKNOWN_SETTING, "assent.mode")]),
        ('{"assent": {"mod": "ask"}}', [('"mod"', Kind.UNKNOWN_SETTING, "mode")]),
        ('{"assent.alwaysDenyRules": {"write_file": ["{a,b}"]}}', [('"{a,b}"', Kind.PATTERN, "")]),
        ('{"assent.alwaysDenyRules": {"todo_write": ["src/**"]}}', [('"src/**"', Kind.NEVER_MATCHES, "")]),
        ('{"assent.alwaysDenyRules": {"todo_write": ["*"]}}', []),
        ('{"assent.mode": "ask", "assent.agents": {"X": ', [(" ", Kind.UNREADABLE, "")]),
        ("[]", [("[", Kind.UNREADABLE, "")]),
        ("// nothing yet\n", []),
    ],
)
def test_what_is_wrong_stands_where_it_stands(text: str, found: list[tuple[str, Kind, str]]) -> None:
    assert said(text) == found


def test_a_rule_that_does_otherwise_than_its_own_examples() -> None:
    rule = '{"pattern": "git log:*", "match": ["git log -3", "git lg"], "notMatch": ["git log -p"]}'
    found = look('{"assent.alwaysAllowRules": {"bash": [' + rule + "]}}").diagnostics
    assert {(underlined(one), one.kind) for one in found} == {(rule, Kind.EXAMPLE)}
    assert "'git lg'" in found[0].text


def test_in_a_workspace_file_the_settings_are_one_member() -> None:
    place = replace(OWN, name="/w/a.code-workspace", in_workspace_file=True)
    text = '{"folders": [], "settings": {"assent.toolAllowlist": ["bsh"]}, "assent.mode": "none of its business"}'
    assert said(text, place) == [('"bsh"', Kind.UNKNOWN_TOOL, "bash")]


def test_the_users_own_settings_are_looked_at_as_well() -> None:
    place = SettingsPlace(Scope.USER, "/User/settings.json")
    text = '{"assent.agents": {"Local": {"provider": "ollama", "model": "m"}}, "assent.agent": "Lcal"}'
    agents = '{"assent.bypassPermissions": {"Local": true, "Locl": true}, ' + text[1:]
    assert ('"Locl"', Kind.UNKNOWN_AGENT, "Local") in said(agents, place)


def test_what_waits_for_agreement_is_no_fault_of_a_text() -> None:
    assert said('{"assent.bypassPermissions": {"Demo": true}, "assent.mode": "auto"}') == []


def test_what_the_same_file_said_before_is_not_told_of() -> None:
    document = parse('{"assent.alwaysDenyRules": {"bsh": ["x"]}}')
    before = Layer(Scope.WORKSPACE, said_in(document).values, FILE, document, said=said_in(document))
    assert said("{}", around=replace(AROUND, layers=Layers(workspace=before, disk=before))) == []


def test_rules_of_other_scopes_come_first() -> None:
    user = Layer(Scope.USER, {"alwaysDenyRules": {"write_file": ["docs/**"]}})
    text = '{"assent.alwaysAllowRules": {"write_file": ["docs/a.md"]}}'
    assert said(text, around=replace(AROUND, layers=Layers(user=user))) == [('"docs/a.md"', Kind.SHADOWED, "")]


@pytest.mark.parametrize(
    "text",
    [
        " " * (MOST_CHARACTERS + 1),
        json.dumps({"assent.alwaysDenyRules": {"bash": [f"x{number}" for number in range(MOST_RULES + 1)]}}),
        json.dumps({"assent.alwaysDenyRules": {"bash": ["x"] * 10_000}}),
        "[" * 5 * 1024 * 1024,
    ],
)
def test_what_is_too_large_is_not_looked_at_and_says_so_once(text: str) -> None:
    looked = look(text)
    assert [one.kind for one in looked.diagnostics] == [Kind.TOO_LARGE]
    assert looked.layer is None


@pytest.mark.parametrize("end", range(0, 200, 7))
def test_a_text_that_is_cut_off_anywhere_is_looked_at_all_the_same(end: int) -> None:
    text = (
        '{"assent.alwaysAllowRules": {"bash": ["npm test:*", {"pattern": "git log:*", "agents": ["Demo"],'
        ' "match": ["git log"]}], "write_file": ["docs/**"]}, /* é🦊 */ "assent.bypassPermissions": {"Demo": true,}}'
    )
    assert len(look(text[:end]).diagnostics) <= 3


@pytest.mark.parametrize(
    ("scheme", "path", "workspace_file", "place"),
    [
        ("file", "/w/.vscode/settings.json", None, SettingsPlace(Scope.WORKSPACE, FILE)),
        ("file", "/w/.vscode/settings.json", "/w/a.code-workspace", SettingsPlace(Scope.FOLDER, FILE)),
        ("file", "/v/.vscode/settings.json", None, SettingsPlace(Scope.FOLDER, "/v/.vscode/settings.json", "/v")),
        ("file", "/x/.vscode/settings.json", None, None),
        ("file", "/w/settings.json", None, None),
        (
            "file",
            "/w/a.code-workspace",
            "/w/a.code-workspace",
            SettingsPlace(Scope.WORKSPACE, "/w/a.code-workspace", in_workspace_file=True),
        ),
        ("file", "/w/b.code-workspace", "/w/a.code-workspace", None),
        ("vscode-userdata", "/User/settings.json", None, SettingsPlace(Scope.USER, "/User/settings.json")),
        ("vscode-userdata", "/User/tasks.json", None, None),
        ("file", "/home/u/.config/Code/User/settings.json", None, "user"),
        ("file", "/home/u/.config/Code/User/profiles/1f/settings.json", None, "user"),
        ("untitled", "/w/.vscode/settings.json", None, None),
        ("git", "/w/.vscode/settings.json", None, None),
    ],
)
def test_whose_settings_a_file_holds(
    scheme: str, path: str, workspace_file: str | None, place: SettingsPlace | str | None
) -> None:
    expected = SettingsPlace(Scope.USER, path) if place == "user" else place
    file = Path(workspace_file) if workspace_file else None
    assert place_of(scheme, path, (Path("/w"), Path("/v")), file) == expected

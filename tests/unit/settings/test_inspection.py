"""What is said of a workspace's settings while they are written, beside what decides."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.settings.findings import MAX_DIAGNOSTICS
from assent.settings.inspection import inspect
from assent.settings.layers import Diagnostic, Kind, Layers, Severity, layers_from
from assent.settings.reading import SettingsFile

TOOLS, AGENTS = ("read_file", "write_file", "bash"), ("Demo", "Claude Code")


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[..., Layers]:
    def make(text: str, blocks: object = None) -> Layers:
        path = tmp_path / "settings.json"
        path.write_text(text, "utf-8")
        return layers_from(blocks, SettingsFile(path).read())

    return make


def said(layers: Layers) -> list[tuple[Kind, str, tuple[int, int]]]:
    return [(diagnostic.kind, diagnostic.text, place(diagnostic)) for diagnostic in look(layers)]


def look(layers: Layers) -> tuple[Diagnostic, ...]:
    return inspect(layers, tools=TOOLS, agents=AGENTS)


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.origin is not None
    assert diagnostic.origin.span is not None
    return diagnostic.origin.span.start_line, diagnostic.origin.span.start_column


def test_good_settings_need_no_word(on_disk: Callable[..., Layers]) -> None:
    text = """{
  "editor.tabSize": 2,
  "assent.mode": "ask",
  "assent": {"server": {"python": "x"}, "alwaysAskRules": {"bash": ["*"]}},
  "assent.server.python": "x",
  "assent.alwaysDenyRules": {"write_file": ["infra/**", {"pattern": "*", "agents": ["Demo"]}]},
  "assent.alwaysAllowRules": {"write_file": ["docs/**"]}
}"""
    assert said(on_disk(text)) == []


def test_a_setting_that_nobody_reads_is_named_with_the_one_that_was_meant(on_disk: Callable[..., Layers]) -> None:
    assert said(on_disk('{"assent.mod": 1,\n"assent": {"xyzzy": 1}}')) == [
        (
            Kind.UNKNOWN_SETTING,
            'This version of Assent has no setting assent.mod: it has no effect. Did you mean "assent.mode"?',
            (0, 1),
        ),
        (Kind.UNKNOWN_SETTING, "This version of Assent has no setting assent.xyzzy: it has no effect.", (1, 11)),
    ]


def test_names_that_nobody_has_are_told_where_they_stand(on_disk: Callable[..., Layers]) -> None:
    text = """{
  "assent.alwaysDenyRules": {"bsh": ["rm"], "bash": [{"pattern": "x", "agents": ["Demo", "Claude"]}]},
  "assent.toolAllowlist": ["bash", "frobnicate"]
}"""
    tool, agent = "so this never applies.", "so this does not apply to it."
    assert said(on_disk(text)) == [
        (Kind.UNKNOWN_TOOL, f'There is no tool "bsh", {tool} Did you mean "bash"?', (1, 29)),
        (Kind.UNKNOWN_AGENT, f'There is no agent "Claude", {agent} Did you mean "Claude Code"?', (1, 89)),
        (Kind.UNKNOWN_TOOL, f'There is no tool "frobnicate", {tool}', (2, 35)),
    ]
    assert inspect(on_disk(text)) == ()


@pytest.mark.parametrize("key", ["alwaysDenyRules", "alwaysAskRules", "alwaysAllowRules"])
def test_a_pattern_that_cannot_be_used_is_underlined(on_disk: Callable[..., Layers], key: str) -> None:
    (found,) = look(on_disk(f'{{"assent.{key}": {{"write_file": ["fine", "bad/../pattern"]}}}}'))
    assert (found.kind, found.severity) == (Kind.PATTERN, Severity.ERROR)
    assert place(found) == (0, len(f'{{"assent.{key}": {{"write_file": ["fine", '))
    assert "bad/../pattern" in found.text


@pytest.mark.parametrize(("key", "does"), [("alwaysDenyRules", "forbids"), ("alwaysAskRules", "asks for")])
@pytest.mark.parametrize("whole", ['"*"', '{"pattern": "*"}', '{"pattern": "*", "agents": []}'])
def test_a_permission_that_never_gets_a_chance(on_disk: Callable[..., Layers], key: str, does: str, whole: str) -> None:
    text = f"""{{
  "assent.{key}": {{"bash": [{whole}]}},
  "assent.alwaysAllowRules": {{"bash": ["npm test:*"], "write_file": ["docs/**"]}},
  "assent.toolAllowlist": ["bash"]
}}"""
    found = look(on_disk(text))
    assert [(one.kind, one.severity, place(one)) for one in found] == [
        (Kind.SHADOWED, Severity.INFORMATION, (2, 39)),
        (Kind.SHADOWED, Severity.INFORMATION, (3, 27)),
    ]
    assert f"{does} every call of bash" in found[0].text
    assert "line 2" in found[0].text


def test_of_two_that_come_first_the_one_that_forbids_is_named(on_disk: Callable[..., Layers]) -> None:
    whole = {"bash": ["*"]}
    blocks = {"folder": {"alwaysAskRules": whole}, "user": {"alwaysDenyRules": whole}}
    layers = on_disk('{"assent.toolAllowlist": ["bash"]}', blocks)
    assert "forbids every call" in look(layers)[0].text


def test_the_users_own_rule_shadows_too_and_is_not_underlined(on_disk: Callable[..., Layers]) -> None:
    user = {"alwaysDenyRules": {"bash": ["*"], "nobody": ["x"]}, "unknown": 1}
    layers = on_disk('{"assent.alwaysAllowRules": {"bash": ["ls"]}}', {"user": user})
    assert [kind for kind, _, _ in said(layers)] == [Kind.SHADOWED]
    assert "the user settings" in look(layers)[0].text


def test_what_the_editor_tells_of_the_same_file_is_told_once(on_disk: Callable[..., Layers]) -> None:
    rules = {"bsh": ["x"]}
    layers = on_disk('{"assent.alwaysDenyRules": {"bsh": ["x"]}}', {"workspace": {"alwaysDenyRules": rules}})
    assert len(look(layers)) == 1


def test_a_hostile_file_is_not_looked_at_without_end(on_disk: Callable[..., Layers]) -> None:
    many = ",".join(f'"{"t" * 5000}{n}": ["a/../b", "x"]' for n in range(400))
    assert len(look(on_disk(f'{{"assent.alwaysDenyRules": {{{many}}}}}'))) == MAX_DIAGNOSTICS
    odd = '{"assent.alwaysDenyRules": 5, "assent.alwaysAskRules": {"bash": 5, "": [5, null, {"pattern": 5}]}}'
    assert [kind for kind, _, _ in said(on_disk(odd))] == [Kind.UNKNOWN_TOOL]

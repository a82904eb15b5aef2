"""What fits, what is said and what can be done at a place of a settings file: `¦` is where the cursor stands."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.modes import Category
from assent.settings.jsonc import parse
from assent.settings.language.completing import offers
from assent.settings.language.drafts import Around, Draft, look_at
from assent.settings.language.hovering import hover
from assent.settings.language.known import Known, KnownAgent, KnownTool
from assent.settings.language.lenses import ON, WITHOUT_EFFECT, lenses
from assent.settings.language.mending import fixes
from assent.settings.language.overlaps import ToolKinds
from assent.settings.language.places import SettingsPlace
from assent.settings.language.where import Role, locate, offset_of
from assent.settings.layers import Layers, Scope

KNOWN = Known(
    tools={
        "bash": KnownTool("bash", Category.EXECUTE, "Runs a command."),
        "write_file": KnownTool("write_file", Category.WRITE, "Writes a file."),
        "todo_write": KnownTool("todo_write", Category.INTERNAL),
    },
    agents={"Demo": KnownAgent("Demo", True, "Switched on."), "Local": KnownAgent("Local", False, "Not switched on.")},
    servers=("files",),
)
IN_VSCODE = Known(KNOWN.tools, KNOWN.agents, KNOWN.servers, editor_describes=True)
OWN = SettingsPlace(Scope.WORKSPACE, "/w/.vscode/settings.json")
AROUND = Around(Layers(), (Path("/w"),), Path("/home/u"), True, {"Demo": {"provider": "demo"}})


def fitting(marked: str, known: Known = IN_VSCODE, *, nested: bool = False) -> dict[str, str]:
    """What fits at the mark: what is shown, and what the text is afterwards."""
    at = marked.index("¦")
    text = marked.replace("¦", "")
    where = locate(text, at)
    if where is None:
        return {}
    found = offers(where, text[where.end :], known, in_workspace_file=nested)
    return {one.label: text[: where.start] + one.text + text[where.end :] for one in found}


TOOLS = {"bash", "write_file", "todo_write"}
AGENTS = {"Demo", "Local"}
RULES = "assent.alwaysAllowRules"


@pytest.mark.parametrize(
    ("marked", "labels"),
    [
        ('{"assent.toolAllowlist": [¦]}', TOOLS),
        ('{"assent.toolAllowlist": ["¦"]}', TOOLS),
        ('{"assent.toolAllowlist": ["¦', TOOLS),
        ('{"assent.toolAllowlist": ["bash", ¦', TOOLS - {"bash"}),
        ('{"assent": {"toolAllowlist": ["¦"]}}', TOOLS),
        ('{\n// "x\n/* { */ "assent.alwaysDenyRules": {"¦"}', TOOLS),
        ('{"assent.alwaysDenyRules": {"bash": [], ¦}}', TOOLS - {"bash"}),
        ('{"assent.alwaysDenyRules": {"todo_write": ["¦"]}}', {"*"}),
        ('{"assent.alwaysDenyRules": {"mcp": ["¦"]}}', {"files:*", "files:delete_*", "*"}),
        ('{"assent.alwaysDenyRules": {"bash": [{"pattern": "x", "agents": ["¦"]}]}}', AGENTS),
        ('{"assent.alwaysDenyRules": {"bash": [{"pattern": "x", "agents": ["Demo", "¦"]}]}}', AGENTS - {"Demo"}),
        ('{"assent.bypassPermissions": {¦}}', AGENTS),
        ('{"assent.bypassPermissions": {"Demo": false, "L¦"}}', AGENTS - {"Demo"}),
        ('{"assent.agent": "¦"}', AGENTS),
        ('{"assent.hooks": {"PreToolUse": [{"matcher": "¦"}]}}', TOOLS),
        ('{"assent.mode": "¦"}', set()),
        ('{"¦"}', set()),
        ("{¦}", set()),
        ('{"assent.toolAllowlist": ["bash"¦]}', set()),
        ('{"assent.toolAllowlist"¦: []}', set()),
        ('{"editor.rulers": [¦]}', set()),
        ('{"assent.toolAllowlist": [ // ¦\n]}', set()),
        ("¦", set()),
        ("]]}¦", set()),
    ],
)
def test_what_fits(marked: str, labels: set[str]) -> None:
    assert set(fitting(marked)) == labels


def test_what_is_chosen_takes_the_place_of_what_stands_there() -> None:
    assert fitting('{"assent.toolAllowlist": ["wr¦ong"]}')["bash"] == '{"assent.toolAllowlist": ["bash"]}'
    assert fitting('{"assent.bypassPermissions": {¦}}')["Demo"] == '{"assent.bypassPermissions": {"Demo": false}}'
    assert fitting('{"assent.alwaysAskRules": {"b¦": ["x"]}}')["bash"] == '{"assent.alwaysAskRules": {"bash": ["x"]}}'
    patterns = fitting('{"assent.alwaysAllowRules": {"bash": ["¦"]}}')
    assert patterns["npm test:*"] == '{"assent.alwaysAllowRules": {"bash": ["npm test:*"]}}'


def test_an_editor_that_knows_no_settings_is_offered_them() -> None:
    assert set(fitting('{"assent.mode": "¦"}', KNOWN)) >= {"plan", "ask", "default", "auto"}
    assert fitting('{"¦"}', KNOWN)["assent.mode"] == '{"assent.mode": }'
    assert fitting('{"assent": {¦}}', KNOWN)["mode"] == '{"assent": {"mode": }}'
    assert set(fitting('{"assent.enabled": ¦}', KNOWN)) == {"true", "false"}
    assert "assent.mode" in fitting('{"settings": {"¦"}}', KNOWN, nested=True)
    assert fitting('{"¦"}', KNOWN, nested=True) == {}


def said(marked: str, known: Known = KNOWN, *, nested: bool = False) -> str | None:
    text = marked.replace("¦", "")
    place = SettingsPlace(Scope.WORKSPACE, "/f", in_workspace_file=nested)
    where = locate(text, marked.index("¦") + 1)
    found = hover(where, Draft(place, text).readable(), known, in_workspace_file=nested) if where else None
    return found.text if found else None


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ('{"assent.alwaysDenyRules": {"bash": ["¦rm:*"]}}', "**Every command in which `rm` is run is refused.**"),
        ('{"assent.alwaysDenyRules": {"bash": ["¦rm:*"]}}', "no mode, bypass or allow rule lifts it"),
        ('{"assent.alwaysDenyRules": {"bash": ["¦rm:*"]', "Every command in which `rm` is run is refused."),
        ('{"assent.alwaysAllowRules": {"write_file": ["¦docs/**"]}}', "**Runs without asking:** Everything in “docs”"),
        ('{"assent.alwaysAllowRules": {"bash": [{"pattern": "¦ls", "agents": ["Demo"]}]}}', "Only for Demo."),
        ('{"assent.alwaysAllowRules": {"bash": [{"pat¦tern": "ls", "agents": ["Demo"]}]}}', "Only `ls`"),
        ('{"assent.alwaysAllowRules": {"bash": [{"pattern": "ls", "agents": ["De¦mo"]}]}}', "**Bypass is on:**"),
        ('{"assent.alwaysAllowRules": {"ba¦sh": []}}', "`bash` counts as **execute**"),
        ('{"assent.toolAllowlist": ["ba¦sh"]}', "Every shell command runs without asking"),
        ('{"assent.bypassPermissions": {"Lo¦cal": true}}', "Not switched on."),
        ('{"assent.agent": "De¦mo"}', "**Bypass is on:**"),
        ('{"assent.mo¦de": "auto"}', "**Risk:**"),
        ('{"assent.mode": "au¦to"}', "Runs everything without asking"),
        ('{"assent.alwaysDenyRules": {"bash": ["a¦\\nb"]}}', "cannot be shown"),
        ('{"assent.alwaysDenyRules": {"write_file": ["{a¦,b}"]}}', "cannot be used"),
    ],
)
def test_what_is_said(marked: str, words: str) -> None:
    text = said(marked)
    assert text is not None
    assert words in text
    nested = said(f'{{"folders": [], "settings": {marked}}}', nested=True)
    assert nested is not None
    assert words in nested


@pytest.mark.parametrize(
    "marked",
    ['{"editor.tab¦Size": 3}', "¦{}", '{"assent.mode"¦ : "ask"}', '{"assent.bypassPermissions": {"No¦body": true}}'],
)
def test_where_there_is_nothing_to_say(marked: str) -> None:
    assert said(marked) is None


def test_in_a_workspace_file_only_its_settings_are_meant() -> None:
    assert said('{"assent.mo¦de": "ask"}', nested=True) is None


@given(text=st.text(alphabet='{}[]:,"\\/*\n é🦊ab', max_size=40), offset=st.integers(0, 40))
def test_any_text_at_any_place_is_read(text: str, offset: int) -> None:
    where = locate(text, min(offset, len(text)))
    assert where is None or 0 <= where.start <= where.end <= len(text)


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
)
def test_the_way_to_every_value_is_found(value: object) -> None:
    """Held against the parser: of a whole text, both say the same."""
    text = json.dumps(value, ensure_ascii=False, indent=1)

    def check(node: object, path: tuple[str | int, ...]) -> None:
        where = locate(text, node.start + 1)  # type: ignore[attr-defined]
        assert where is not None
        for member in node.members or ():  # type: ignore[attr-defined]
            check(member.node, (*path, member.key))
        for index, item in enumerate(node.items or ()):  # type: ignore[attr-defined]
            check(item, (*path, index))
        if node.members is None and node.items is None and path:  # type: ignore[attr-defined]
            assert (where.path, where.role) == (path, Role.VALUE)

    root = parse(text).root
    assert root is not None
    check(root, ())


@given(lines=st.lists(st.text(alphabet="aé🦊", max_size=5), max_size=4), offset=st.integers(0, 30))
def test_places_are_counted_as_editors_count(lines: list[str], offset: int) -> None:
    text = "\n".join(lines)
    at = min(offset, len(text))
    span = parse("").span(0, 0) if not text else type(parse(""))(text, None).span(at, at)
    assert offset_of(text, span.start_line, span.start_column) == at


def test_a_lens_stands_above_each_bypass() -> None:
    flat = '{"assent.bypassPermissions": {"Demo": true, "Local": false},'
    text = flat + ' "assent.agents": {"Local": {"bypassPermissions": true}}}'
    layer = look_at(Draft(OWN, text), AROUND, (), ToolKinds()).layer
    assert layer is not None
    (lens,) = lenses(layer, KNOWN)
    assert (lens.title, lens.agent, text[lens.place.start : lens.place.end]) == (ON, "Demo", '"Demo"')
    beside = '{"assent.agents": {"Local": {"provider": "demo", "bypassPermissions": true}}}'
    layer = look_at(Draft(OWN, beside), AROUND, (), ToolKinds()).layer
    assert layer is not None
    assert [one.title for one in lenses(layer, KNOWN)] == [WITHOUT_EFFECT]


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ('{"assent.toolAllowlist": ["bsh"]}', "Did you mean “bash”?", '{"assent.toolAllowlist": ["bash"]}'),
        ('{"assent.toolAllowlist": ["bash", "zzz"] }', "Remove this entry", '{"assent.toolAllowlist": ["bash"] }'),
        (
            '{"assent.alwaysDenyRules": {"bsh": ["a"]}}',
            "Did you mean “bash”?",
            '{"assent.alwaysDenyRules": {"bash": ["a"]}}',
        ),
        ('{"assent.alwaysDenyRules": {"zzz": ["a"]}, }', "Remove this entry", '{"assent.alwaysDenyRules": {}, }'),
        (
            '{"assent.alwaysDenyRules": {"write_file": [\n  "a/**", // all\n  "a/b"\n]}}',
            "Remove this rule",
            '{"assent.alwaysDenyRules": {"write_file": [\n  "a/**" // all\n]}}',
        ),
        ('{"assent.zzzzzzz": 1}', "Remove this setting", "{}"),
        (
            '{"assent.agents": {"X": {"provider": "olama", "model": "m"}}}',
            "Did you mean “ollama”?",
            '{"assent.agents": {"X": {"provider": "ollama", "model": "m"}}}',
        ),
        (
            '{"assent.bypassPermissions": {"Dmo": true}}',
            "Did you mean “Demo”?",
            '{"assent.bypassPermissions": {"Demo": true}}',
        ),
    ],
)
def test_what_can_be_done(before: str, title: str, after: str) -> None:
    looked = look_at(Draft(OWN, before), AROUND, tuple(KNOWN.tools), ToolKinds())
    (diagnostic,) = looked.diagnostics
    assert looked.layer is not None
    assert looked.layer.document is not None
    made = {fix.title: fix for fix in fixes(diagnostic, looked.layer.document)}
    text = before
    for change in reversed(made[title].changes):
        text = text[: change.start] + change.text + text[change.end :]
    assert (text, parse(text).value) == (after, parse(after).value)

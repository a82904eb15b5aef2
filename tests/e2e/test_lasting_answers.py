"""Answers that last: what a click stores, what runs along with it, and what never runs again."""

import pytest

from tests.e2e.conftest import Scene
from tests.e2e.limits import until
from tests.e2e.text_editor import settings_file
from tests.e2e.vscode import VsCode, add_files, settings_of
from tests.e2e.workbench import Workbench

TWO = 'write "one" to docs/one.md and write "two" to docs/two.md'


async def _open(scene: Scene, vscode: VsCode, name: str) -> Workbench:
    window = await scene.workbench(vscode, vscode.new_workspace(name, {"docs/a.md": ""}))
    await window.open_chat()
    return window


async def test_an_allowed_pattern_is_stored_and_runs_what_waits_beside_it(in_editor: Workbench):
    window = in_editor
    add_files(window.workspace, {"docs/a.md": ""})
    await window.chat.send(TWO)
    await window.chat.has_cards(2)
    card = await window.chat.card("one.md").appears()
    await card.answer("Always allow write_file: docs/*.md")
    await window.chat.has_rows("done", 2)
    await window.chat.has_cards(0)
    await window.chat.shows("in the workspace settings.")
    assert settings_of(window.workspace) == {"assent.alwaysAllowRules": {"write_file": ["docs/*.md"]}}

    await window.reload_into_a_new_chat()
    done = await window.chat.rows("done").count()
    await window.chat.send("write three to docs/three.md")
    await window.chat.has_rows("done", done + 1)
    await window.chat.send("write four to four.md")
    await (await window.chat.card("four.md").appears()).deny()


@pytest.mark.long("tests/unit/settings/test_settings_appending.py proves how entries are written beside each other")
async def test_a_second_answer_stands_beside_the_first(scene: Scene, vscode: VsCode):
    brought = {".vscode/settings.json": '{\n  // mine\n  "assent.toolAllowlist": [],\n}\n'}
    window = await scene.workbench(vscode, vscode.new_workspace("always-both", {"docs/a.md": "", **brought}))
    await window.open_chat()
    await window.chat.send("write one to docs/one.md")
    await (await window.chat.card("one.md").appears()).answer("Always allow write_file: docs/*.md")
    await window.chat.has_rows("done", 1)
    await window.chat.send("write two to two.md")
    await (await window.chat.card("two.md").appears()).answer("Always allow every write_file call")
    await window.chat.has_rows("done", 2)
    text = settings_file(window.workspace).read_text()
    for kept in ("// mine", '"docs/*.md"', '"write_file"'):
        assert kept in text
    await window.chat.send("write three to three.md")
    await window.chat.has_rows("done", 3)
    await window.chat.has_cards(0)


@pytest.mark.long("tests/integration/test_answers_that_do_not_count.py and the decision tables prove it")
async def test_what_is_never_allowed_is_refused_without_a_card(scene: Scene, vscode: VsCode):
    window = await _open(scene, vscode, "never")
    await window.chat.send("write one to docs/one.md")
    card = await window.chat.card("one.md").appears()
    never = await card.lasting("Never allow")
    await card.answer(never)
    await window.chat.has_rows("denied", 1)
    await until(
        "the rule stands in the settings",
        lambda: "assent.alwaysDenyRules" in settings_of(window.workspace),
    )
    await window.chat.send("write one to docs/one.md")
    await window.chat.has_rows("denied", 2)
    await window.chat.has_cards(0)
    assert not window.file("docs/one.md").exists()

"""Every tool of the belt as it is wired: one that touches files is held by the rules for reading and writing them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Prepared
from assent.agent.toolbelt import Toolbelt
from assent.app.app import App
from assent.app.records import KeptRecords
from assent.app.toolbelt import tools_of_chats
from assent.model.calls import Access, CallFacts
from assent.model.ids import SessionId
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from assent.tools.editor_views import NoViews, Selection
from tests.support.clock import FakeClock

BY_COMMAND = frozenset({"bash"})
"""What they do is known by the words of the command; tests of their own say how rules on files hold for those."""

CALLS: dict[str, dict[str, Any]] = {
    "read_file": {"path": "a.txt"},
    "write_file": {"path": "a.txt", "content": "x"},
    "edit_file": {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]},
    "list_files": {},
    "glob": {"pattern": "*"},
    "grep": {"pattern": "one"},
    "bash": {"command": "cat a.txt > b.txt"},
    "bash_output": {"shell_id": "1"},
    "kill_bash": {"shell_id": "1"},
    "todo_write": {"todos": []},
    "list_workflows": {},
    "get_workflow": {"workflow_id": "x"},
    "run_workflow": {"workflow_id": "x"},
    "web_fetch": {"url": "https://example.org/"},
    "web_search": {"query": "x"},
    "browser": {"action": "read"},
    "generate_image": {"prompt": "a square", "path": "a.svg"},
    "text_to_speech": {"text": "hello", "path": "a.wav"},
    "list_collections": {},
    "search_collections": {"query": "x"},
    "query_collection": {"collection": "workspace", "query": "x"},
    "list_nodes": {},
    "search_nodes": {"query": "x"},
    "get_node_info": {"node_type": "x"},
    "run_node": {"node_type": "x"},
    "ui_open_file": {"path": "a.txt"},
    "ui_show_diff": {"path": "a.txt", "content": "two"},
    "ui_get_diagnostics": {"path": "a.txt"},
    "ui_get_selection": {},
    "run_subtask": {"title": "x", "instructions": "x"},
}
"""A call of each that touches whatever it can touch."""


class OneSelected(NoViews):
    """An editor with one file before its user."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    def can(self, what: str) -> bool:
        return True

    async def selection(self) -> Selection | None:
        return Selection(self._path, "one", 1, 1)


@pytest.fixture
def belt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolbelt:
    """That of an app with a folder in which there is a file."""
    made: list[Toolbelt] = []
    make: Callable[..., Toolbelt] = tools_of_chats

    def kept(*given: Any) -> Toolbelt:
        made.append(make(*given))
        return made[0]

    monkeypatch.setattr("assent.app.app.tools_of_chats", kept)
    root, state = tmp_path / "root", tmp_path / "state"
    for folder in (root, state):
        folder.mkdir()
    (root / "a.txt").write_text("one\n")
    app = App(FakeClock(), state, (tmp_path / "product",), KeptRecords(state))
    app.workspace.folders = (str(root),)
    app.editor.shows(OneSelected(root / "a.txt"))
    return made[0].in_chat(SessionId("chat"))


async def prepared(belt: Toolbelt, name: str) -> Prepared:
    tool = belt.get(name)
    assert tool is not None
    assert tool.fault(CALLS[name]) is None
    return await tool.prepare(CALLS[name])


def restrains(tool: str, facts: CallFacts, root: str) -> bool:
    """Whether a rule that denies this tool all files of the folder denies the call."""
    book = RuleBook([Rule(Effect.DENY, tool, root), Rule(Effect.DENY, tool, f"{root}/**")], (root,))
    return book.first(Effect.DENY, facts, "Demo") is not None


def test_there_is_a_call_of_every_tool(belt: Toolbelt) -> None:
    assert set(belt.names) == set(CALLS)


@pytest.mark.parametrize("name", sorted(set(CALLS) - BY_COMMAND))
async def test_what_touches_files_is_held_by_the_rules_for_that(belt: Toolbelt, name: str, tmp_path: Path) -> None:
    call, tool = await prepared(belt, name), belt.get(name)
    assert tool is not None
    facts = CallFacts(name, known=True, category=tool.category, paths=call.paths, also=call.also)
    root = str(tmp_path / "root")
    accesses = {use.access for use in call.paths}
    if accesses & {Access.WRITE, Access.DELETE}:
        assert restrains("write_file", facts, root)
        assert restrains("edit_file", facts, root)
    if any(use.access is Access.READ and not use.is_directory for use in call.paths):
        assert restrains("read_file", facts, root)
    if any(use.access is Access.READ and use.is_directory for use in call.paths):
        assert restrains("list_files", facts, root) or restrains("read_file", facts, root)


async def test_these_do_touch_files(belt: Toolbelt) -> None:
    """Else the rules above would hold for nothing."""
    touching = {name for name in sorted(CALLS) if (await prepared(belt, name)).paths}
    of_editor = {"ui_open_file", "ui_show_diff", "ui_get_diagnostics", "ui_get_selection"}
    assert {"write_file", "edit_file", "generate_image", "text_to_speech", "list_collections", *of_editor} <= touching

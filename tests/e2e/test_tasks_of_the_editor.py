"""Tasks of the editor: an agent finds them, the card shows what would run, and the editor runs it in its terminal."""

import json

from tests.e2e.limits import until
from tests.e2e.vscode import add_files
from tests.e2e.workbench import Workbench

TASKS = {
    "version": "2.0.0",
    "tasks": [
        {"label": "prepare", "type": "shell", "command": "echo ready > prepared.txt"},
        {
            "label": "build",
            "type": "process",
            "command": "cp",
            "args": ["prepared.txt", "a b.txt"],
            "dependsOn": "prepare",
        },
        {"label": "fail", "type": "shell", "command": "exit 3"},
    ],
}


async def test_a_task_is_shown_with_what_runs_before_it_and_run_by_the_editor(in_editor: Workbench):
    files = {".vscode/tasks.json": json.dumps(TASKS), "notes.txt": "notes"}
    window = in_editor
    add_files(window.workspace, files)
    await window.chat.send("run the task build")
    card = await window.chat.card("build").appears()
    shown = await card.locator.inner_text()
    assert "echo ready > prepared.txt" in shown and "cp prepared.txt 'a b.txt'" in shown
    assert not window.file("prepared.txt").exists()
    await card.approve()
    await window.chat.has_rows("done")
    await until("the task has run", lambda: window.file("a b.txt").exists())
    assert window.file("a b.txt").read_text() == "ready\n"

    await window.chat.send("run the task fail")
    await (await window.chat.card("fail").appears()).approve()
    await window.chat.shows("Exit code 3")

"""Several folders, a client that writes no settings: what is clicked goes into the file of the workspace, if known."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.scale import wait_until
from tests.support.server import SCRIPTED, Json, Server, say, write

Start = Callable[..., Server]

TEXT = """// ours
{
    "folders": [{"path": "a"}, {"path": "b"}], // two
    "settings": {
        "editor.tabSize": 2, // narrow
    },
    "launch": {"configurations": []},
}
"""
SETTINGS = """    "settings": {
        "editor.tabSize": 2, // narrow
"""


class Window:
    """Two folders, and a client that has no `settings/write`."""

    def __init__(
        self, start: Start, root: Path, *, told: Json = "path", text: str | None = TEXT, **block: Json
    ) -> None:
        self.file = root / "team.code-workspace"
        self.folders = [root / "a", root / "b"]
        for folder in self.folders:
            folder.mkdir(exist_ok=True)
        if text is not None and not self.file.exists():
            self.file.write_text(text)
        self.server = start()
        named = {"path": str(self.file), "uri": self.file.as_uri()}.get(str(told), told)
        block = {"protocol": 1, "capabilities": ["cards"], "settings": self.server.settings(), **block}
        options = {"assent": {**block, **({"workspaceFile": named} if named is not None else {})}}
        params = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options}
        opened = [{"uri": one.as_uri(), "name": one.name} for one in self.folders]
        self.server.client.request("initialize", {**params, "workspaceFolders": opened}, within=30)
        self.server.client.notify("initialized", {})
        self.server.script([write("x.txt")], [say("done")], [write("y.txt")], [say("done")], repeat=True)

    def click(self, option: str = "always_tool:write_file") -> Json:
        """What storing the answer to the card of a new chat came to."""
        chat = self.server.chat()
        run = chat.send()
        card = chat.card()
        assert option in [one["optionId"] for one in card["options"]], card["options"]
        answered = chat.select(card, option)
        run.result(within=30)
        return answered["settings"]

    def runs_unasked(self) -> bool:
        chat = self.server.chat()
        run = chat.send()
        wait_until(lambda: self.server.waiting() or chat.events("Done"), what="a card or the end")
        if not self.server.waiting():
            return run.result()["done_reason"] == "stop"
        chat.stop()
        return False

    def grants(self) -> list[Json]:
        return self.server.client.request("grants/list", {})["grants"]

    def written_elsewhere(self) -> list[Path]:
        return [one for folder in self.folders for one in folder.rglob(".vscode/*")]


@pytest.mark.parametrize("told", ["path", "uri"])
@pytest.mark.parametrize(
    ("option", "entry"),
    [
        ("always_tool:write_file", '        "assent.toolAllowlist": [\n            "write_file"\n        ],\n'),
        ("bypass_agent", f'        "assent.bypassPermissions": {{\n            "{SCRIPTED}": true\n        }},\n'),
    ],
)
def test_a_click_goes_into_it_with_all_else_as_it_was_and_counts_from_there(
    start: Start, tmp_path: Path, told: str, option: str, entry: str
) -> None:
    window = Window(start, tmp_path, told=told)
    assert window.click(option) == {"written": True, "target": str(window.file)}
    assert window.file.read_text() == TEXT.replace(SETTINGS, SETTINGS + entry)
    assert window.written_elsewhere() == []
    assert window.runs_unasked()

    again = Window(start, tmp_path, told=told)
    assert again.runs_unasked()
    (grant,) = [
        one for one in again.grants() if one.get("origin", {}).get("file", str(window.file)) == str(window.file)
    ]
    again.server.client.request("grants/revoke", {"grantId": grant["grantId"], "digest": grant.get("digest")})
    wait_until(lambda: not again.runs_unasked(), what="it asks again")
    assert '"write_file"' not in window.file.read_text()
    assert "// narrow" in window.file.read_text()
    assert again.written_elsewhere() == []


@pytest.mark.parametrize(
    "told", [None, "team.code-workspace", "/nowhere/settings.json", "untitled:Untitled-1"], ids=str
)
def test_without_it_the_settings_of_the_first_folder_are_written_as_before(
    start: Start, tmp_path: Path, told: Json
) -> None:
    window = Window(start, tmp_path, told=told)
    settings = window.folders[0] / ".vscode" / "settings.json"
    assert window.click() == {"written": True, "target": str(settings)}
    assert json.loads(settings.read_text()) == {"assent.toolAllowlist": ["write_file"]}
    assert window.file.read_text() == TEXT
    assert window.runs_unasked()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "it is not there any more"),
        ('{"folders": [], "settings": [', "line 1"),
        ('{"folders": [], "settings": []}', "should hold { }"),
        ("[]", "should hold { }"),
    ],
    ids=["gone", "cut off", "other settings", "no object"],
)
def test_where_it_cannot_be_written_nothing_else_is(start: Start, tmp_path: Path, text: str | None, why: str) -> None:
    window = Window(start, tmp_path)
    chat = window.server.chat()
    run = chat.send()
    card = chat.card()
    if text is None:
        window.file.unlink()
    else:
        window.file.write_text(text)
    stored = chat.answer(chat.card() if not chat.waits(card) else card, decision="allow_always")["settings"]
    run.result(within=30)
    assert stored["written"] is False
    assert why in stored["error"]
    assert str(window.file) in stored["error"]
    assert window.written_elsewhere() == []
    assert (window.file.read_text() if window.file.exists() else None) == text


def test_a_file_without_settings_gets_some(start: Start, tmp_path: Path) -> None:
    window = Window(start, tmp_path, text='{\n\t"folders": [] // none\n}\n')
    assert window.click()["written"]
    entry = '\n\t\t"assent.toolAllowlist": [\n\t\t\t"write_file"\n\t\t]\n\t'
    assert window.file.read_text() == f'{{\n\t"folders": [], // none\n\t"settings": {{{entry}}}\n}}\n'


def test_what_it_says_by_itself_loosens_nothing_and_restricts_at_once(start: Start, tmp_path: Path) -> None:
    window = Window(start, tmp_path, text='{"folders": [], "settings": {"assent.toolAllowlist": ["write_file"]}}')
    question = window.server.client.wait_for("settings/consentRequest")
    assert [entry["file"] for entry in question["entries"]] == [str(window.file)]
    assert not window.runs_unasked()
    rules = {"assent": {"alwaysDenyRules": {"write_file": ["*"]}}}
    window.file.write_text(json.dumps({"folders": [], "settings": rules}))
    chat = window.server.chat()
    assert chat.run(within=30)["done_reason"] == "stop"
    assert "denied_by_rule" in chat.results()[0]["output"]


def test_what_a_folder_says_is_taken_back_in_that_folder(start: Start, tmp_path: Path) -> None:
    settings = tmp_path / "a" / ".vscode" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"assent.alwaysDenyRules": {"bash": ["rm:*"]}}')
    window = Window(start, tmp_path)
    (rule,) = [one for one in window.grants() if "rm" in json.dumps(one)]
    window.server.client.request("grants/revoke", {"grantId": rule["grantId"], "digest": rule.get("digest")})
    assert "rm:*" not in settings.read_text()
    assert window.file.read_text() == TEXT


def test_a_client_that_tells_scopes_finds_it_there_as_well(start: Start, tmp_path: Path) -> None:
    server_settings = {"workspace": {}, "folder": {}}
    window = Window(start, tmp_path)
    scoped = {**window.server.settings(), **server_settings}
    window.server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": scoped}})
    assert window.click()["target"] == str(window.file)
    told = {**scoped, "workspace": {"toolAllowlist": ["write_file"]}}
    window.server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    assert window.runs_unasked()
    assert window.server.client.notifications("settings/consentRequest") == []


def test_for_a_client_that_tells_scopes_it_restricts_before_that_is_told(start: Start, tmp_path: Path) -> None:
    window = Window(start, tmp_path)
    scoped = {**window.server.settings(), "workspace": {}, "folder": {}}
    window.server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": scoped}})
    # Answered once that was taken in: before, this client told no scopes.
    window.grants()
    rules = {"assent.alwaysDenyRules": {"write_file": ["x.txt"]}, "assent.toolAllowlist": ["write_file"]}
    window.file.write_text(json.dumps({"folders": [], "settings": rules}))
    chat = window.server.chat()
    assert chat.run(within=30)["done_reason"] == "stop"
    assert "denied_by_rule" in chat.results()[0]["output"]
    window.file.write_text(json.dumps({"folders": [], "settings": {"assent.toolAllowlist": ["write_file"]}}))
    assert not window.runs_unasked()
    assert window.server.client.notifications("settings/consentRequest") == []


def test_an_untrusted_workspace_is_not_written(start: Start, tmp_path: Path) -> None:
    window = Window(start, tmp_path, workspaceTrusted=False)
    chat = window.server.chat()
    run = chat.send()
    options = {option["kind"] for option in chat.card()["options"]}
    assert "allow_session" in options
    chat.answer(chat.cards()[0], decision="allow_once")
    run.result()
    assert window.file.read_text() == TEXT
    assert window.written_elsewhere() == []

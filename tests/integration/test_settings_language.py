"""A settings file that is open in an editor, as a client speaks of it: what comes back, and when it goes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.scale import limit
from tests.support.server import Server, write

WRONG = '{"assent.toolAllowlist": ["wirte_file"]}'
Json = Any


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


class OpenFile:
    """The workspace's settings, open in the editor."""

    def __init__(self, server: Server, text: str, *, uri: str | None = None) -> None:
        self.client = server.client
        self.uri = uri or (server.workspace / ".vscode" / "settings.json").as_uri()
        self._version = 1
        document = {"uri": self.uri, "languageId": "jsonc", "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": document})

    def types(self, text: str) -> None:
        self._version += 1
        document = {"uri": self.uri, "version": self._version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def closes(self) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def is_told(self, *codes: str) -> list[Json]:
        """The next time that anything is said of it, exactly these are underlined."""

        def of_this(params: Json) -> bool:
            return params["uri"] == self.uri and sorted(one["code"] for one in params["diagnostics"]) == sorted(codes)

        told = self.client.wait_for("textDocument/publishDiagnostics", of_this, within=limit(20))
        return list(told["diagnostics"])


def test_a_wrong_name_is_underlined_while_it_is_typed_and_no_longer(server: Server) -> None:
    server.meet()
    file = OpenFile(server, "{}")
    file.types(WRONG)
    (found,) = file.is_told("unknown-tool")
    start = WRONG.index('"wirte')
    assert found["range"] == {
        "start": {"line": 0, "character": start},
        "end": {"line": 0, "character": start + len('"wirte_file"')},
    }
    assert 'Did you mean "write_file"?' in found["message"]
    file.types(WRONG.replace("wirte", "write"))
    file.is_told()


def test_half_a_text_is_no_error_of_the_server(server: Server) -> None:
    server.meet()
    file = OpenFile(server, WRONG)
    file.is_told("unknown-tool")
    file.types(WRONG[:-8])
    file.is_told("unreadable")
    file.types(WRONG)
    file.is_told("unknown-tool")


def test_a_closed_file_says_what_the_disk_says(server: Server) -> None:
    server.meet()
    file = OpenFile(server, WRONG)
    file.is_told("unknown-tool")
    file.closes()
    file.is_told()


def test_a_reason_is_linked(server: Server) -> None:
    server.meet()
    rules = {"assent.alwaysDenyRules": {"bash": ["git:*"]}, "assent.alwaysAllowRules": {"bash": ["git log"]}}
    file = OpenFile(server, json.dumps(rules, indent=1))
    (found,) = file.is_told("shadowed")
    (reason,) = found["relatedInformation"]
    assert reason["location"]["uri"] == file.uri
    assert reason["location"]["range"]["start"]["line"] == 3


def test_the_users_own_settings_are_looked_at_too(server: Server) -> None:
    server.meet()
    OpenFile(server, WRONG, uri="vscode-userdata:/User/settings.json").is_told("unknown-tool")


def test_other_documents_are_none_of_our_business(server: Server) -> None:
    server.meet()
    for uri in (
        (server.workspace / "settings.json").as_uri(),
        "untitled:settings.json",
        "file:///x/.vscode/settings.json",
    ):
        OpenFile(server, WRONG, uri=uri)
    mine = OpenFile(server, WRONG)
    mine.is_told("unknown-tool")
    told = {one["uri"] for one in server.client.notifications("textDocument/publishDiagnostics")}
    assert told <= {mine.uri}


def test_what_is_too_large_costs_the_gate_nothing(server: Server) -> None:
    """Ten thousand rules and five megabytes, typed again and again, beside a call that is asked for and runs."""
    server.meet()
    file = OpenFile(server, json.dumps({"assent.alwaysDenyRules": {"bash": [f"x{n}" for n in range(10_000)]}}))
    file.types("[" * 5 * 1024 * 1024)
    server.script([write("a.txt", "hello")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    file.types('{"a": "' + "x" * 5 * 1024 * 1024 + '"}')
    chat.answer(card, decision="accept")
    run.result(within=limit(20))
    assert (server.workspace / "a.txt").read_text() == "hello"
    file.is_told("too-large")


def test_what_is_typed_decides_nothing(server: Server) -> None:
    """A permission in a text that nobody saved lets nothing run."""
    server.meet()
    file = OpenFile(server, '{"assent.toolAllowlist": ["write_file"], "assent.mode": "auto"')
    file.is_told("unreadable")
    file.types('{"assent.toolAllowlist": ["write_file"], "assent.mode": "auto"}')
    file.is_told()
    server.script([write("a.txt", "hello")])
    chat = server.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="reject")
    run.result(within=limit(20))
    assert not (server.workspace / "a.txt").exists()


def position(text: str, mark: str, *, at_end: bool = False) -> Json:
    before = text[: text.index(mark) + (len(mark) if at_end else 1)]
    return {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}


def asks(file: OpenFile, what: str, text: str, mark: str, *, at_end: bool = False) -> Json:
    params = {"textDocument": {"uri": file.uri}, "position": position(text, mark, at_end=at_end)}
    return file.client.request(f"textDocument/{what}", params, within=limit(20))


def test_names_are_offered_while_a_text_is_half_typed(server: Server) -> None:
    server.meet()
    text = '{\n  "assent.alwaysAllowRules": {"bash": ["git log:*"]},\n  "assent.toolAllowlist": ["wri'
    file = OpenFile(server, text)
    found = asks(file, "completion", text, '"wri', at_end=True)
    (offered,) = [one for one in found if one["label"] == "write_file"]
    start = len('  "assent.toolAllowlist": [')
    assert offered["textEdit"] == {
        "newText": '"write_file"',
        "range": {"start": {"line": 2, "character": start}, "end": {"line": 2, "character": start + len('"wri')}},
    }
    text = '{"assent.bypassPermissions": {""}}'
    file.types(text)
    agents = [one["label"] for one in asks(file, "completion", text, '{""', at_end=True)]
    assert "Demo" not in agents  # Behind the text nothing fits.
    assert {"Demo", "Scripted"} <= {one["label"] for one in asks(file, "completion", text, ': {"', at_end=True)}


def test_who_points_at_a_rule_reads_what_it_does(server: Server) -> None:
    server.meet()
    text = '{"assent.alwaysDenyRules": {"bash": ["rm:*"]}, "assent.mode": "ask"}'
    file = OpenFile(server, text)
    said = asks(file, "hover", text, '"rm:*"')
    assert "Every command in which `rm` is run is refused." in said["contents"]["value"]
    assert said["range"]["start"]["character"] == text.index('"rm:*"')
    assert "Asks before everything" in asks(file, "hover", text, '"ask"')["contents"]["value"]
    assert "**Risk:**" in asks(file, "hover", text, '"assent.mode"')["contents"]["value"]
    assert asks(file, "hover", text, ': {"bash') is None


def test_an_editor_that_describes_settings_is_not_told_them_again(server: Server) -> None:
    server.meet(capabilities=("cards", "describesSettings"))
    text = '{"assent.mode": "ask", "assent.alwaysDenyRules": {"bash": ["rm:*"]}}'
    file = OpenFile(server, text)
    assert asks(file, "hover", text, '"assent.mode"') is None
    assert asks(file, "completion", text, '"ask"') == []
    assert asks(file, "hover", text, '"rm:*"') is not None


def test_what_a_repository_wrote_becomes_no_picture(server: Server) -> None:
    server.meet()
    text = '{"assent.alwaysDenyRules": {"bash": ["x` ![a](https://evil.example/a.png)"]}}'
    said = asks(OpenFile(server, text), "hover", text, '"x`')
    assert "](" not in said["contents"]["value"]


def test_a_wrong_name_is_put_right_and_a_needless_rule_taken_out(server: Server) -> None:
    server.meet()
    text = '{"assent.toolAllowlist": ["wirte_file"],\n "assent.alwaysDenyRules": {"bash": ["rm:*", "rm -rf:*"]}}'
    file = OpenFile(server, text)
    told = file.is_told("unknown-tool", "shadowed")
    mended = text
    for one in sorted(told, key=lambda one: -one["range"]["start"]["line"]):
        params = {"textDocument": {"uri": file.uri}, "range": one["range"], "context": {"diagnostics": [one]}}
        first = file.client.request("textDocument/codeAction", params, within=limit(20))[0]
        assert first["title"] in ("Did you mean “write_file”?", "Remove this rule")
        mended = applied(mended, first["edit"]["changes"][file.uri])
    assert json.loads(mended) == {"assent.toolAllowlist": ["write_file"], "assent.alwaysDenyRules": {"bash": ["rm:*"]}}


def applied(text: str, edits: list[Json]) -> str:
    def offset(place: Json) -> int:
        return sum(map(len, text.splitlines(keepends=True)[: place["line"]])) + int(place["character"])

    for edit in sorted(edits, key=lambda edit: -offset(edit["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


def lenses(file: OpenFile) -> list[Json]:
    params = {"textDocument": {"uri": file.uri}}
    return file.client.request("textDocument/codeLens", params, within=limit(20)) or []


def test_a_bypass_is_turned_off_above_its_entry(server: Server) -> None:
    """As the click on the page does: the file says false, and the next call asks."""
    settings = server.workspace / ".vscode" / "settings.json"
    settings.parent.mkdir()
    text = '{\n  "assent.bypassPermissions": { "Scripted": true } // here\n}'
    settings.write_text(text)
    server.meet()
    asked = server.client.wait_for("settings/consentRequest", within=limit(20))
    entries = [entry["entryId"] for entry in asked["entries"]]
    answer = {"consentId": asked["consentId"], "digest": asked["digest"], "honour": entries}
    server.client.request("settings/consentResponse", answer, within=limit(20))
    file = OpenFile(server, text)
    (lens,) = lenses(file)
    assert (lens["command"]["title"], lens["range"]["start"]["line"]) == ("Bypass is ON: turn off", 1)
    command = lens["command"]
    params = {"command": command["command"], "arguments": command["arguments"]}
    server.client.request("workspace/executeCommand", params, within=limit(20))
    assert settings.read_text() == text.replace("true", "false")
    file.types(settings.read_text())
    assert lenses(file) == []
    server.script([write("a.txt", "hello")])
    chat = server.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="reject")
    run.result(within=limit(20))


def test_what_changes_while_the_editor_looks_again_is_looked_at_once_more(server: Server) -> None:
    server.meet(editor={"workspace": {"codeLens": {"refreshSupport": True}}})
    file = OpenFile(server, "{}")
    for number in (1, 2):
        settings = server.settings(limits={"writes": number})
        server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": settings}})
        assert lenses(file) == [], "both are known before the first is answered"
    for _ in range(2):
        server.client.wait_for_request("workspace/codeLens/refresh", within=limit(20)).answer(None)


def test_a_bypass_that_nobody_stored_is_not_turned_off(server: Server) -> None:
    server.meet()
    text = '{"assent.bypassPermissions": {"Scripted": true, "Nobody": true}}'
    (lens,) = lenses(OpenFile(server, text))
    assert lens["command"]["title"] == "Bypass is set, without effect now: turn off"
    params = {"command": "assent.turnOffBypass", "arguments": ["Scripted", "workspace"]}
    assert "unsaved changes" in server.client.start("workspace/executeCommand", params).error(within=limit(20)).message

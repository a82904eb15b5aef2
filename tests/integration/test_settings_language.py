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

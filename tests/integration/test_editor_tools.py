"""The tools of the editor's windows over the wire: there while a client announced them, and gone with it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.room import Room
from tests.support.server import Chat, Server, Step, call, refusal, say

Json = Any
WORDS = ("editor/openFile", "editor/showDiff", "editor/diagnostics", "editor/selection")
TOOLS = ("ui_open_file", "ui_show_diff", "ui_get_diagnostics", "ui_get_selection")


class Windows:
    """What the client's editor shows, and what it was asked."""

    def __init__(self, server: Server) -> None:
        self.asked: list[tuple[str, Json]] = []
        self.answers: dict[str, Json] = {
            "editor/openFile": {"shown": True},
            "editor/showDiff": {"shown": True},
            "editor/diagnostics": {"diagnostics": [], "total": 0},
            "editor/selection": {},
        }
        server.client.replies |= {word: self._answer(word) for word in WORDS}

    def _answer(self, word: str) -> Callable[[Json], Json]:
        def answer(params: Json) -> Json:
            self.asked.append((word, params))
            return self.answers[word]

        return answer

    def selects(self, path: Path, text: str, first: int = 1, last: int = 1) -> None:
        """The user has this before them."""
        told = {"path": str(path), "text": text, "firstLine": first, "lastLine": last, "whole": True}
        self.answers["editor/selection"] = told


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("windows")) as server:
        server.meet(capabilities=("cards", *WORDS))
        yield server


@pytest.fixture
def windows(editor: Server) -> Windows:
    return Windows(editor)


@pytest.fixture
def room(editor: Server, request: pytest.FixtureRequest) -> Room:
    return Room(editor, re.sub(r"\W+", "_", request.node.name))


def results(room: Room, *steps: Step, mode: str | None = None) -> list[Json]:
    """What these calls of one turn come to, without a card."""
    chat = room.chat(list(steps), [say("Done.")], mode=mode)
    assert chat.run()["done_reason"] == "stop"
    assert chat.cards() == []
    return in_order(chat)


def in_order(chat: Chat) -> list[Json]:
    """The results in the order of the calls, whichever ended first."""
    by_call = {result["toolCallId"]: result for result in chat.results()}
    return [by_call[event["data"]["toolCallId"]] for event in chat.events("ToolCall")]


STEPS = {
    "ui_open_file": {"path": "a.txt"},
    "ui_show_diff": {"path": "a.txt", "content": "x"},
    "ui_get_diagnostics": {"path": "a.txt"},
    "ui_get_selection": {},
}


@pytest.mark.parametrize("announced", [(), *((word,) for word in WORDS)], ids=str)
def test_each_is_there_where_its_own_word_was_announced_and_nowhere_else(
    start: Callable[..., Server], announced: tuple[str, ...]
) -> None:
    server = start()
    server.meet(capabilities=("cards", *announced))
    Windows(server)
    (server.workspace / "a.txt").write_text("one\n")
    server.script([call(tool, **STEPS[tool]) for tool in TOOLS], [say("Done.")])
    chat = server.chat()
    chat.run()
    found = [result["tool"] for result in in_order(chat) if result.get("code") != "tool_not_found"]
    assert found == [tool for tool, word in zip(TOOLS, WORDS, strict=True) if word in announced]


@pytest.mark.parametrize("mode", ["plan", "default", "auto"])
def test_a_file_is_shown_and_compared(room: Room, windows: Windows, mode: str) -> None:
    file = room.file("a.txt")
    file.write_text("one\n")
    opened, compared = results(
        room,
        call("ui_open_file", path=room.path("a.txt"), line=3),
        call("ui_show_diff", path=room.path("a.txt"), content="two\n"),
        mode=mode,
    )
    assert opened["success"] and "one" not in opened["output"]
    assert compared["success"] and "Nothing was written" in compared["output"] and file.read_text() == "one\n"
    assert sorted(windows.asked, key=str) == [
        ("editor/openFile", {"path": str(file), "line": 3}),
        ("editor/showDiff", {"path": str(file), "content": "two\n"}),
    ]


def test_what_is_underlined_is_told_line_by_line(room: Room, windows: Windows) -> None:
    room.file("a.py").write_text("x = (\n")
    found = {"line": 1, "column": 5, "severity": "error", "message": "'(' was never closed", "source": "Python"}
    windows.answers["editor/diagnostics"] = {"diagnostics": [found], "total": 3}
    (result,) = results(room, call("ui_get_diagnostics", path=room.path("a.py")))
    assert result["output"] == "1:5 error: '(' was never closed [Python]\n[2 more]"
    assert windows.asked == [("editor/diagnostics", {"paths": [str(room.file("a.py"))]})]


def test_what_is_selected_is_told_with_its_place(room: Room, windows: Windows) -> None:
    file = room.file("a.txt")
    file.write_text("one\ntwo\n")
    windows.selects(file, "two", 2, 2)
    (result,) = results(room, call("ui_get_selection"))
    assert (result["output"], result["content"]) == (f"{room.path('a.txt')}, line 2:\ntwo", "two")


def test_what_is_no_file_of_the_disk_is_not_told(room: Room, windows: Windows) -> None:
    (result,) = results(room, call("ui_get_selection"))
    assert result["output"] == "The user has no file of the disk before them."


@pytest.mark.parametrize("where", ["outside", "secret"])
def test_a_selection_in_what_is_not_read_without_asking_is_asked_for_by_its_path(
    room: Room, windows: Windows, tmp_path: Path, where: str
) -> None:
    file = tmp_path / "outside.txt" if where == "outside" else room.file(".env")
    file.write_text("KEY=1\n")
    windows.selects(file, "KEY=1")
    chat, card, run = room.card([call("ui_get_selection")], [say("Done.")])
    assert card["category"] == "external" and file.name in card["headline"] and "KEY=1" not in str(card)
    chat.answer(card, decision="deny")
    run.result()
    assert "KEY=1" not in str(chat.results())


def test_a_yes_to_one_file_is_none_to_the_next_one(room: Room, windows: Windows, tmp_path: Path) -> None:
    first, other = tmp_path / "first.txt", tmp_path / "other.txt"
    for file in (first, other):
        file.write_text("KEY=1\n")
    windows.selects(first, "KEY=1")
    chat, card, run = room.card([call("ui_get_selection")], [say("Done.")])
    windows.selects(other, "KEY=2")
    chat.refused(card, decision="accept")
    again = chat.card()
    assert "other.txt" in again["headline"]
    chat.select(again, "deny")
    run.result()
    assert "KEY=2" not in str(chat.results())


def test_a_file_outside_is_not_shown_without_asking(room: Room, windows: Windows, tmp_path: Path) -> None:
    file = tmp_path / "outside.txt"
    file.write_text("one\n")
    chat, card, run = room.card([call("ui_open_file", path=str(file))], [say("Done.")])
    assert card["reason"]["code"] and windows.asked == []
    chat.answer(card, decision="deny")
    run.result()
    assert windows.asked == []


def test_an_editor_that_could_not_says_so(room: Room, windows: Windows) -> None:
    room.file("a.txt").write_text("one\n")
    windows.answers["editor/openFile"] = {"shown": False, "error": "it is binary"}
    windows.answers["editor/diagnostics"] = {"nonsense": True}
    refused, silent = results(
        room, call("ui_open_file", path=room.path("a.txt")), call("ui_get_diagnostics", path=room.path("a.txt"))
    )
    assert refused["code"] == "editor_refused" and "it is binary" in refused["output"]
    assert silent["code"] == "editor_silent" and silent["is_error"]


def test_arguments_that_do_not_fit_reach_no_editor(room: Room, windows: Windows) -> None:
    for result in results(
        room,
        call("ui_open_file", path="a.txt", line=0),
        call("ui_show_diff", path="a.txt"),
        call("ui_get_selection", path="a.txt"),
    ):
        assert refusal(result)["error"] == "invalid_arguments"
    assert windows.asked == []

"""Files that an agent leaves to Assent: each goes down the ladder, and what was allowed is asked for once."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.guests import House, ask, click_all, diff, done, said, says
from tests.support.scale import wait_until
from tests.support.secret_samples import an, glued

Json = Any


def _file(house: House, name: str, content: str | None = "one\ntwo\nthree\n") -> Path:
    path = house.workspace / name
    if content is not None:
        path.write_text(content)
    return path


def _write(path: object, content: str) -> Json:
    return {"write": str(path), "content": content, "on": {"ok": [says("written ")], "error": [says("$RESULT ")]}}


def _read(path: object, **part: Json) -> Json:
    return {"read": str(path), **part, "on": {"ok": [says("<$RESULT>")], "error": [says("error $RESULT")]}}


# Reading


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({}, "one\ntwo\nthree\n"),
        ({"line": 2}, "two\nthree\n"),
        ({"line": 2, "limit": 1}, "two\n"),
        ({"limit": 2}, "one\ntwo\n"),
        ({"line": 9}, ""),
        ({"line": None, "limit": None}, "one\ntwo\nthree\n"),
    ],
    ids=repr,
)
def test_it_reads_inside_without_being_asked(house: House, part: Json, expected: str) -> None:
    chat = house.guest([_read(_file(house, "read.txt"), **part)]).chat()
    chat.run()
    assert said(chat) == f"<{expected}>" and chat.cards() == []
    assert [(one["tool"], one["success"]) for one in chat.results()] == [("read_file", True)]


@pytest.mark.parametrize(("other", "note"), [(False, "had Assent do this"), (True, "without asking")])
def test_a_call_of_it_that_only_reads_what_it_had_read_here_was_done_here(house: House, other: bool, note: str) -> None:
    path = _file(house, "read.txt")
    call = {"toolCallId": "c1", "kind": "read", "title": "Read", "status": "completed"}
    shown = _file(house, "not-read.txt") if other else path
    chat = house.guest([_read(path), {"tool_call": {**call, "locations": [{"path": str(shown)}]}}]).chat()
    chat.run()
    notes = [one["data"]["note"] for one in chat.events("ToolUpdate") if one["data"].get("note")]
    assert any(note in one for one in notes), notes


def test_in_the_mode_ask_it_asks_for_reading_too(house: House) -> None:
    chat = house.guest([_read(_file(house, "read.txt"))]).chat("ask")
    run = chat.send()
    card = chat.card()
    assert card["tool"] == "read_file"
    chat.select(card, "deny")
    run.result()
    assert "error" in said(chat) and "one" not in said(chat)


@pytest.mark.parametrize("name", [".env", "id_rsa", "../elsewhere.txt"])
def test_secret_files_and_files_outside_are_asked_for(house: House, name: str) -> None:
    path = house.workspace / name
    path.write_text("TOKEN=abc\n")
    chat = house.guest([_read(path)]).chat()
    run = chat.send()
    card = chat.card()
    assert card["category"] == "external"
    chat.select(card, "deny")
    run.result()
    assert "TOKEN" not in said(chat)
    path.unlink()


@pytest.mark.parametrize("name", ["gemini", "another"])
def test_a_file_that_is_not_there_is_empty_only_for_those_that_need_it(house: House, name: str) -> None:
    chat = house.guest([_read(house.workspace / "missing.txt")], name=name).chat()
    chat.run()
    assert (said(chat) == "<>") is (name == "gemini")
    assert ("-32002" in said(chat)) is (name != "gemini")


@pytest.mark.parametrize(
    "params", [{}, {"path": 3}, {"path": ""}, {"path": "a", "line": "1"}, {"path": "a", "limit": True}]
)
def test_what_cannot_be_understood_is_refused(house: House, params: Json) -> None:
    step = {"call": "fs/read_text_file", "params": params, "on": {"error": [says("$RESULT")]}}
    chat = house.guest([step]).chat()
    chat.run()
    assert "-32602" in said(chat) and chat.results() == []


# Secrets

TOKEN = glued("gh", "p_", an(36))
HIDDEN = "[masked: GitHub token]"


def test_secrets_are_masked_and_come_back_where_the_agent_left_them(house: House) -> None:
    key = "\n".join((glued("-----BEGIN ", "PRIVATE KEY-----"), *[an(64)] * 3, glued("-----END ", "PRIVATE KEY-----")))
    path = _file(house, "secret.py", f"one = 1\ntoken = '{TOKEN}'\nkey = <<{key}\n>>\nlast = 2\n")
    marked = f"one = 1\ntoken = '{HIDDEN}'\nkey = <<[masked: private key, long]\n\n\n\n\n>>\n"
    new = marked.replace("= 1", "= 7")
    chat = house.guest([_read(path), _write(path, f"{new}last = 3\n")]).chat()
    run = chat.send()
    card = chat.card()
    assert HIDDEN not in str(card["preview"])
    chat.select(card, "approve")
    run.result()
    assert said(chat) == f"<{marked}last = 2\n>written "
    assert path.read_text() == f"one = 7\ntoken = '{TOKEN}'\nkey = <<{key}\n>>\nlast = 3\n"


@pytest.mark.parametrize("new", [f"token = '{HIDDEN}', 2\n", f"{HIDDEN}\n{HIDDEN}\n", f"{HIDDEN}\n"])
def test_a_mark_that_stands_elsewhere_is_not_written(house: House, new: str) -> None:
    path = _file(house, "secret.py", f"{TOKEN}\n{TOKEN[:-1]}x\n" if new == f"{HIDDEN}\n" else f"{TOKEN}\n")
    before = path.read_text()
    chat = house.guest([_write(path, new)]).chat()
    chat.run()
    assert "That mark stands for a secret" in said(chat) and chat.cards() == [] and path.read_text() == before


@pytest.mark.parametrize("answer", ["approve", "deny"])
def test_where_the_user_wants_to_be_asked_a_card_decides_about_secrets(tmp_path: Path, answer: str) -> None:
    with House(tmp_path, many=1, **{"secrets.reading": "ask"}) as house:
        _is_asked(house, answer)


def _is_asked(house: House, answer: str) -> None:
    secret, plain = _file(house, "secret.py", f"one = '{TOKEN}'\ntwo\n"), _file(house, "plain.txt")
    chat = house.guest([_read(plain), _read(secret, line=2), _read(secret)]).chat()
    run = chat.send()
    card = chat.card()
    assert "assent.secrets.reading" in card["reason"]["text"]
    chat.select(card, answer)
    run.result()
    assert said(chat).startswith("<one\ntwo\nthree\n><two\n>") and len(chat.cards()) == 1
    assert (TOKEN in said(chat)) is (answer == "approve")


# Writing, and R134


def test_it_writes_when_it_may_and_exactly_that(house: House) -> None:
    path = _file(house, "w.txt")
    guest = house.guest([_write(path, "new\r\ntext without an end")])
    chat = guest.chat()
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["preview"]["kind"]) == ("write_file", "diff")
    assert path.read_text() == "one\ntwo\nthree\n"
    chat.select(card, "approve")
    run.result()
    assert path.read_bytes() == b"new\r\ntext without an end" and said(chat) == "written "


def test_what_it_may_not_write_is_not_written(house: House) -> None:
    path = _file(house, "w2.txt")
    chat = house.guest([_write(path, "new")]).chat()
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert path.read_text() == "one\ntwo\nthree\n" and "-32603" in said(chat)


@pytest.mark.parametrize("mode", ["plan"])
def test_in_plan_mode_nothing_is_written(house: House, mode: str) -> None:
    path = _file(house, "w3.txt")
    chat = house.guest([_write(path, "new"), {"terminal": {"command": "touch", "args": [f"{path}.x"]}}]).chat(mode)
    chat.run()
    assert path.read_text() == "one\ntwo\nthree\n" and not Path(f"{path}.x").exists() and chat.cards() == []


_NEW = "one\n2\nthree\n"


@pytest.mark.parametrize(
    ("edits", "written", "cards"),
    [
        ([("p.txt", _NEW, "one\ntwo\nthree\n")], [("p.txt", _NEW)], 1),
        ([("p.txt", "2\n", "two\n")], [("p.txt", _NEW)], 1),
        ([("p.txt", _NEW, None)], [("p.txt", _NEW)], 1),
        ([("p.txt", _NEW, "one\ntwo\nthree\n")], [("p.txt", _NEW + " ")], 2),
        ([("p.txt", _NEW, "one\ntwo\nthree\n")], [("p.txt", _NEW.replace("\n", "\r\n"))], 2),
        ([("p.txt", _NEW, "one\ntwo\nthree\n")], [("p.txt.other", _NEW)], 2),
        ([("p.txt", _NEW, "one\ntwo\nthree\n")], [("p.txt", _NEW), ("p.txt", _NEW)], 2),
        ([("p.txt", _NEW, "not what the file holds\n")], [("p.txt", _NEW)], 2),
        ([("p.txt", _NEW, None), ("q.txt", "q", None)], [("p.txt", _NEW), ("q.txt", "q")], 1),
    ],
    ids=["whole", "snippet", "no old", "other bytes", "line ends", "other file", "twice", "doubtful", "several"],
)
def test_what_was_allowed_is_written_without_another_card(
    house: House, edits: list[Json], written: list[Json], cards: int
) -> None:
    _file(house, "p.txt")
    for name in ("q.txt", "p.txt.other"):
        (house.workspace / name).unlink(missing_ok=True)
    shown = [diff(house.workspace / name, new, old) for name, new, old in edits]
    writes = [_write(house.workspace / name, content) for name, content in written]
    guest = house.guest([ask(edits=shown, on={"allow": [*writes, done()]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send())) == cards
    for name, content in written:
        assert (house.workspace / name).read_bytes() == content.encode()
    assert said(chat) == "written " * len(written)


def test_what_was_denied_is_asked_for_again(house: House) -> None:
    path = _file(house, "d.txt")
    guest = house.guest([ask(edits=[diff(path, "x")], on={"reject": [_write(path, "x")]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send(), "deny")) == 2
    assert path.read_text() == "one\ntwo\nthree\n"


def test_what_was_allowed_holds_until_its_call_is_over(house: House) -> None:
    path = _file(house, "o.txt")
    guest = house.guest([ask(edits=[diff(path, "x")], on={"allow": [done(), {"wait": 0.2}, _write(path, "x")]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send())) == 2


def test_what_was_allowed_in_one_chat_holds_in_no_other(house: House) -> None:
    path = _file(house, "s.txt")
    allowed = ask(edits=[diff(path, "x")], on={"allow": [{"until_cancelled": []}]})
    guest = house.guest(named={"one": [allowed], "two": [_write(path, "x")]})
    first, second = guest.chat(), guest.chat()
    first.send("one")
    first.select(first.card(), "approve")
    wait_until(lambda: guest.answers() == ["allow"], what="the yes")
    run = second.send("two")
    second.select(second.card(), "deny")
    run.result()
    assert path.read_text() == "one\ntwo\nthree\n"
    first.stop()


def test_a_protected_file_that_was_allowed_is_not_asked_for_twice(house: House) -> None:
    path = house.workspace / ".vscode" / "settings.json"
    guest = house.guest([ask(edits=[diff(path, "{}\n")], on={"allow": [_write(path, "{}\n"), done()]})])
    chat = guest.chat("auto")
    cards = click_all(chat, chat.send())
    assert [card["reason"]["code"] for card in cards] == ["protected"] and path.read_text() == "{}\n"


def test_nothing_is_done_for_an_agent_after_its_turn(house: House) -> None:
    path = house.workspace / "after-the-turn"
    guest = house.guest([{"stop": "end_turn"}, {"wait": 0.2}, {"write": str(path), "content": "x", "id": "w"}])
    chat = guest.chat("auto")
    chat.run()
    wait_until(lambda: any("error" in one for one in guest.told()), what="the refusal")
    assert not path.exists()

"""Texts that are not UTF-8, over the wire: read, found, edited, written, rolled back in the encoding that they have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.roll_backs import review, roll_back
from tests.support.room import Room
from tests.support.server import Chat, Server, call, read, refusal, say

Start = Callable[..., Server]

TEXTS = [
    ("cp1252", "Windows-1252", "// Grüße aus München\nint x = 1;\n"),
    ("koi8_r", "KOI8-R", "// Ошибка: неверный ключ доступа\nint x = 1;\n"),
    ("cp932", "Shift JIS", "// エラー：無効なキーです\nint x = 1;\n"),
    ("gbk", "GBK", "// 错误：无效的密钥，没有找到\nint x = 1;\n"),
    ("utf-16-le", "UTF-16 without a byte order mark", "// Grüße aus München\nint x = 1;\n"),
    ("utf-16", "UTF-16 with a byte order mark", "// Grüße aus München\nint x = 1;\n"),
]


def outputs(chat: Chat) -> list[str]:
    return [str(result["output"]) for result in chat.results()]


def allow(chat: Chat, run: Any) -> Any:
    card = chat.card()
    chat.answer(card, decision="accept")
    run.result()
    return card


@pytest.mark.parametrize(("encoding", "named", "text"), TEXTS)
def test_a_file_is_read_found_and_edited_in_its_encoding(room: Room, encoding: str, named: str, text: str) -> None:
    room.file("a").write_bytes(text.encode(encoding))
    word = text.split()[1]
    chat = room.chat(
        [read(room.path("a")), call("grep", pattern=word.strip("：:，"), path=room.name)],
        [call("edit_file", path=room.path("a"), edits=[{"old": "x = 1", "new": "x = 2"}])],
    )
    run = chat.send()
    card = allow(chat, run)
    told, found, edited = outputs(chat)
    assert text in told and f"[the file is {named.partition(' w')[0]}" in told
    assert f"{room.path('a')}\n  1: {text.splitlines()[0]}" in found
    assert card["preview"]["note"] == f"It stays {named}."
    assert [line["text"] for line in card["preview"]["lines"]] == [text.splitlines()[0], "int x = 1;", "int x = 2;"]
    assert f"It stays {named}." in edited
    assert room.file("a").read_bytes() == text.replace("= 1", "= 2").encode(encoding)


def test_what_the_encoding_cannot_hold_is_refused_and_asks_nobody(room: Room) -> None:
    data = "// Grüße aus München\nint x = 1;\n".encode("cp1252")
    room.file("a").write_bytes(data)
    chat = room.chat(
        [
            room.write("a", "// → ✓\n"),
            call("edit_file", path=room.path("a"), edits=[{"old": "x = 1", "new": "x = '→'"}]),
        ]
    )
    chat.run()
    assert chat.cards() == []
    faults = [refusal(result) for result in chat.results()]
    assert [fault["error"] for fault in faults] == ["not_in_encoding"] * 2
    assert "Windows-1252, lacks these characters: → (U+2192), ✓ (U+2713)." in faults[0]["message"]
    assert room.file("a").read_bytes() == data


def test_a_file_stays_as_it_is_encoded_where_all_of_it_is_written_anew_and_rolled_back(room: Room) -> None:
    data = "// Grüße aus München\n".encode("cp1252")
    room.file("a").write_bytes(data)
    chat = room.chat([room.write("a", "// Größe\n")])
    run = chat.send()
    card = allow(chat, run)
    assert [line["text"] for line in card["preview"]["lines"]] == ["// Grüße aus München", "// Größe"]
    assert room.file("a").read_bytes() == "// Größe\n".encode("cp1252")
    found = review(chat)
    assert [line["text"] for line in found["files"][0]["preview"]["lines"]] == ["// Grüße aus München", "// Größe"]
    roll_back(chat, found)
    assert room.file("a").read_bytes() == data


def test_the_setting_of_the_folder_decides_and_new_files_follow_it(start: Start) -> None:
    server = start()
    (server.workspace / ".vscode").mkdir()
    (server.workspace / ".vscode/settings.json").write_text('{"files.encoding": "shiftjis"}')
    server.meet()
    room = Room(server, "room")
    room.file("a").write_bytes("// 設定\n".encode("cp932"))
    chat = room.chat([read(room.path("a")), room.write("b", "// 設定\n"), room.write("c", "// ✓\n")])
    run = chat.send()
    allow(chat, run)
    assert any(output.startswith("// 設定") for output in outputs(chat))
    assert room.file("b").read_bytes() == "// 設定\n".encode("cp932")
    assert not room.file("c").exists()


def test_what_the_editor_means_counts_whoever_said_it(start: Start, tmp_path: Path) -> None:
    """By its settings of all scopes, for a language too, and for files outside; until it means something else."""
    server = start()
    folder = server.workspace / "sub"
    folder.mkdir()
    (server.workspace / ".vscode").mkdir()
    (server.workspace / ".vscode/settings.json").write_text('{"files.encoding": "windows1252"}')
    of_folder = {
        "folder": str(server.workspace),
        "encoding": "shiftjis",
        "names": [{"pattern": "*.{BAT,cmd}", "encoding": "cp850"}, {"pattern": "sub/*.txt", "encoding": "koi8r"}],
    }
    settings = {**server.settings(), "encodings": [of_folder, {"folder": "", "encoding": "windows1251"}]}
    server.meet(settings=settings)
    outside = tmp_path / "outside"
    files = {"a.py": ("設定", "cp932"), "sub/b.bat": ("Größe", "cp850"), "sub/c.txt": ("Код", "koi8_r")}
    for file, (word, encoding) in {**files, str(outside): ("Да", "cp1251")}.items():
        (server.workspace / file).write_bytes(f"# {word}\n".encode(encoding))
    server.script(
        [*map(read, files), call("grep", pattern="^# ", path=".")],
        [read(str(outside))],
        [say("done")],
        [read("sub/b.bat")],
    )
    chat = server.chat()
    run = chat.send()
    allow(chat, run)
    *told, last = outputs(chat)
    for file, (word, _) in files.items():
        assert any(output.startswith(f"# {word}\n") for output in told)
        assert any(f"{file}\n  1: # {word}" in output for output in told)
    assert last.startswith("# Да\n")

    changed = {"encodings": [{**of_folder, "names": []}]}
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": changed}})
    chat.run()
    assert "Größe" not in outputs(chat)[-1]


def test_what_cannot_be_told_is_named_and_what_is_no_text_stays_that(room: Room) -> None:
    room.file("a").write_bytes("// 你好\n".encode("gbk"))
    room.file("b").write_bytes(b"\x89PNG caf\xe9 \x01\x02")
    chat = room.chat([read(room.path("a")), read(room.path("b"))])
    chat.run()
    unknown, binary = sorted(outputs(chat), key=lambda output: "is not text" in output)
    assert "it is in an encoding that cannot be told from it (`files.encoding`" in unknown
    assert "is not text: 12 bytes, beginning 89 50" in binary

"""Which encoding bytes are in: told where that is sure, and never of what is no text."""

import random
import zlib
from pathlib import Path

import pytest

from assent.model.errors import ToolFault
from assent.tools.declared import Declared
from assent.tools.declared_encoding import declared_in
from assent.tools.form import Form, read_text
from assent.tools.text import decode, decoded, may_be_text

TEXTS = [
    ("cp1252", "# Grüße aus München\nname = 'Jürgen'\n"),
    ("cp1252", "Le café est situé à côté de l'église.\n"),
    ("cp1252", "// Configuração da aplicação\n"),
    ("cp1252", "/* © 2019 Müller */\nint main(void) { return 0; }\n"),
    ("cp1250", "# Zażółć gęślą jaźń – komentarz po polsku\n"),
    ("cp1251", "# Привет, мир! Это комментарий на русском языке.\n"),
    ("koi8_r", 'int main() {\n  // Ошибка: неверный ключ доступа\n  puts("Не найдено");\n}\n'),
    ("cp1253", "# Καλημέρα κόσμε, αυτό είναι ένα σχόλιο\n"),
    ("cp932", 'int main() {\n  // エラー：無効なキー\n  puts("見つかりません");\n}\n'),
    ("euc_jp", "# これは日本語のコメントです。\nprint('こんにちは世界')\n"),
    ("gbk", 'int main() {\n  // 错误：无效的密钥\n  puts("没有找到");\n}\n'),
    ("big5", "# 這是一個中文註解，用於測試編碼偵測。\n"),
    ("euc_kr", "# 이것은 한국어 주석입니다.\nprint('안녕하세요')\n"),
    ("utf-16-le", "name = Grüße\r\n"),
    ("utf-16-be", "# Привет, мир\n"),
]


@pytest.mark.parametrize(("encoding", "text"), TEXTS)
@pytest.mark.parametrize("times", [1, 2_000])
def test_a_text_is_read_in_its_encoding_and_written_as_it_was(encoding: str, text: str, times: int) -> None:
    data = text.encode(encoding) * times
    found = read_text(data)
    assert found is not None and found.text == text * times
    assert found.form.encoding == encoding and found.form.is_other
    assert found.form.encoded(found.text) == data


UNSURE = [
    "x = 'ü'\n".encode("cp1252"),
    "// 你好\n".encode("gbk"),
    "# שלום עולם זה הערה בעברית\n".encode("cp1255"),
    b"ok \xe2\x82",
    b"caf\xc3\xa9 and \xe2\x82 more\n",
    b"\x80",
    b"\xed\xa0\x80",
]


@pytest.mark.parametrize("data", UNSURE)
def test_what_is_in_doubt_is_not_guessed_at(data: bytes) -> None:
    assert decode(data) is None and may_be_text(data)


def _random(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)


NO_TEXTS = [
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    b"\x7fELF\x02\x01\x01\0",
    b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    b"GIF89a\x01\0",
    b"\xff\xd8\xff" + b"\xff" * 100,
    b"PK\x03\x04\x14\0",
    bytes(range(1, 256)),
    b"\x1f\x8b\x08" + zlib.compress(b"some text " * 100),
    *(_random(size, seed) for size in (200, 4_000) for seed in range(20)),
    # Numbers of 16 bits are no text, though every other byte is a zero.
    b"".join(number.to_bytes(2, "little") for number in range(200)),
    b"\x01\0" * 50,
]


@pytest.mark.parametrize("data", NO_TEXTS)
def test_what_is_no_text_stays_that(data: bytes) -> None:
    assert decode(data) is None and not may_be_text(data)


@pytest.mark.parametrize("size", [24, 32, 64])
def test_few_bytes_of_chance_are_hardly_ever_taken_for_a_text(size: int) -> None:
    taken = [data for seed in range(500) if decode(data := _random(size, seed)) is not None]
    assert len(taken) <= 6, taken


def test_a_mark_and_utf_8_go_before_a_guess_and_the_setting_before_both_but_a_mark() -> None:
    assert decoded("Grüße".encode(), declared=None) == ("Grüße", "utf-8", b"")
    assert decoded("Grüße".encode("cp1252"), declared="cp1251") == ("GrьЯe", "cp1251", b"")
    assert decoded("Grüße".encode(), declared="latin-1") == ("Gr\xc3\xbc\xc3\x9fe", "latin-1", b"")
    assert decoded(b"\xef\xbb\xbfx", declared="cp1252") == ("x", "utf-8", b"\xef\xbb\xbf")
    # Characters that the encoding does not have: then it is not what the settings say.
    assert decoded("Grüße – ok\n".encode("cp1252"), declared="euc_jp") == ("Grüße – ok\n", "cp1252", b"")
    # No setting makes other words of what is plain ASCII.
    assert decoded(b"rm -rf x\n", declared="utf-16-le") == (b"rm -rf x\n".decode(), "utf-8", b"")
    assert decode(b"\x89PNG\r\n\x1a\x02", declared="latin-1") is None


def test_what_a_file_cannot_hold_is_named() -> None:
    with pytest.raises(ToolFault) as fault:
        Form("cp1252").encoded("ok → ✓ → 你\n")
    assert fault.value.code == "not_in_encoding"
    assert "Windows-1252, lacks these characters: → (U+2192), ✓ (U+2713), 你 (U+4F60)." in str(fault.value)
    with pytest.raises(ToolFault) as many:
        Form("koi8_r").encoded("".join(map(chr, range(0x4E00, 0x4F00))))
    assert "and 246 more" in str(many.value)


SETTINGS = [
    ('{"files.encoding": "shiftjis"}', "cp932"),
    ('{\n // old\n "files": {"encoding": "windows1252"},\n}', "cp1252"),
    ('{"files.encoding": "WINDOWS1251"}', "cp1251"),
    ('{"files.encoding": "utf7"}', None),
    ('{"files.encoding": 7}', None),
    ("{", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "encoding"), SETTINGS)
def test_the_settings_of_a_folder(tmp_path: Path, said: str, encoding: str | None) -> None:
    place = str(tmp_path)
    assert declared_in(place, place) == Declared()
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode/settings.json").write_text(said)
    assert declared_in(place, place) == Declared(encoding)


NAMES = [
    ("*.bat", "/w/a/RUN.BAT", True),
    ("*.bat", "/w/a.bat/run", False),
    ("*.{bat,cmd}", "/w/run.cmd", True),
    ("Makefile", "/w/makefile", True),
    ("old/*.txt", "/w/old/a.txt", True),
    ("/w/old/*.txt", "/w/old/a.txt", True),
    ("**/old/**", "/w/old/deep/a.txt", True),
    ("old/*.txt", "/w/new/a.txt", False),
    ("{" + ",".join(map(str, range(100))) + "}", "/w/1", False),
    ("", "/w/1", False),
]


@pytest.mark.parametrize(("pattern", "path", "fits"), NAMES)
def test_names_for_which_something_else_is_said(pattern: str, path: str, fits: bool) -> None:
    declared = Declared("cp1252", ((pattern, None), ("*", "cp850")))
    assert declared.of(path) == (None if fits else "cp850")

"""What the text of a path says before any disk is asked: addresses, Windows, other spellings, what cannot be seen."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.tools.list_files import ListFiles
from assent.tools.names import LONGEST, Flavour, name_fault, path_of, printable, root_as_spelled
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile

POSIX, WINDOWS = Flavour.POSIX, Flavour.WINDOWS


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a", "a"),
        ("files:a", "files:a"),
        ("file:/a", "/a"),
        ("file:///a/b", "/a/b"),
        ("FILE://localhost/a", "/a"),
        ("file:///a%20b", "/a b"),
        ("file:///%2e%2e/x", "/../x"),
        ("file:///a%252fb", "/a%2fb"),
        ("file:///a%ffb", "/a\udcffb"),
        ("file:///a%c3%a9", "/aé"),
        ("file:///a%00b", "/a\0b"),
        ("file:///a\nb\t", "/a\nb\t"),
        ("file:////etc/x", "//etc/x"),
        ("a%2e%2e", "a%2e%2e"),
    ],
)
def test_addresses_are_undone_once_and_other_names_never(name: str, path: str) -> None:
    assert path_of(name, POSIX) == path
    assert name_fault(name, (), POSIX) is None


def test_an_address_on_windows_has_its_drive_without_a_slash() -> None:
    assert path_of("file:///C:/x%20y", WINDOWS) == "C:/x y"
    assert path_of("file:///c%3A/x", WINDOWS) == "c:/x"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("file:", "names no file"),
        ("file://", "names no file"),
        ("file://localhost", "names no file"),
        ("file://server/share/x", "another machine (server)"),
        ("file://127.0.0.1/x", "another machine"),
        ("file://user@localhost/x", "another machine"),
        ("file:///a?b", "%3F"),
        ("file:///a#b", "%23"),
        ("file://[::1/x", "another machine"),
    ],
)
def test_addresses_that_mean_nothing_here(name: str, words: str) -> None:
    for flavour in Flavour:
        assert words in (name_fault(name, (), flavour) or "")


REFUSED_BY_WINDOWS = [
    ("CON", "device"),
    ("con", "device"),
    ("nul.txt", "device"),
    ("a/NUL.tar.gz", "device"),
    ("a\\aux\\b", "device"),
    ("prn", "device"),
    ("COM1", "device"),
    ("com0.log", "device"),
    ("LPT9.x", "device"),
    ("COM²", "device"),
    ("conin$", "device"),
    ("CONOUT$", "device"),
    ("con .txt", "device"),
    ("NUL ", "device"),
    ("C:\\w\\con.c", "device"),
    ("\\\\?\\C:\\w\\a", "device"),
    ("\\\\.\\PhysicalDrive0", "device"),
    ("//./pipe/x", "device"),
    ("\\??\\C:\\a", "device"),
    ("\\\\server\\share\\a", "another machine"),
    ("//server/share/a", "another machine"),
    ("file:////server/share/a", "another machine"),
    ("C:a", "a drive without a backslash"),
    ("c:", "a drive without a backslash"),
    ("d:..\\x", "a drive without a backslash"),
    ("a.txt:stream", "hidden stream"),
    ("ab::$DATA", "hidden stream"),
    ("C:\\w\\a:b:$DATA", "hidden stream"),
    ("ab:b/c", "hidden stream"),
    ("settings.json.", "left out"),
    ("settings.json ", "left out"),
    (".vscode./settings.json", "left out"),
    ("a/.../b", "left out"),
    ("a<b", "no name can hold"),
    ("a|b", "no name can hold"),
    ("a\nb", "no name can hold"),
    ("*.txt", "no name can hold"),
]


@pytest.mark.parametrize(("name", "words"), REFUSED_BY_WINDOWS)
def test_what_windows_takes_for_something_else(name: str, words: str) -> None:
    assert words in (name_fault(name, ("C:\\w",), WINDOWS) or "")
    if not name.startswith("file:"):
        assert name_fault(name, ("/w",), POSIX) is None


@pytest.mark.parametrize(
    "name",
    ["a", "a\\b", "C:\\w\\a", "c:/w/a", "\\a", "..\\a", ".", "..", "console", "com10", "xcon", "a.con", "LPT", ".env"],
)
def test_ordinary_names_on_windows(name: str) -> None:
    assert name_fault(name, ("C:\\w",), WINDOWS) is None


def test_a_workspace_on_a_share_may_be_named_and_no_other_share() -> None:
    roots = ("\\\\Server\\share\\w",)
    assert name_fault("\\\\server\\SHARE\\w\\a", roots, WINDOWS) is None
    for other in ("\\\\server\\share2\\w", "\\\\server2\\share\\w", "\\\\server", "\\\\\\share\\w"):
        assert name_fault(other, roots, WINDOWS)
    assert name_fault("\\\\server\\share", ("\\\\server",), WINDOWS)


YES, NO = (lambda _one, _other: True), (lambda _one, _other: False)


@pytest.mark.parametrize(
    ("path", "root", "found"),
    [
        ("/w/a", "/w", "/w"),
        ("/w", "/w", "/w"),
        ("/w2/a", "/w", None),
        ("/a", "/", "/"),
        ("/", "/", "/"),
        ("/W/a", "/w", "/W"),
        ("/USERS/Me/w/a", "/Users/me/W", "/USERS/Me/w"),
        ("/stra\u00dfe/a", "/STRASSE", "/stra\u00dfe"),
        ("/cafe\u0301/a", "/caf\u00e9", "/cafe\u0301"),
        ("/W2/a", "/w", None),
        ("/W", "/w/a", None),
    ],
)
def test_another_spelling_of_a_root_counts_where_it_is_the_same_folder(path: str, root: str, found: str | None) -> None:
    assert root_as_spelled(path, root, YES) == found
    exact = path == root or path.startswith(root.rstrip("/") + "/")
    assert root_as_spelled(path, root, NO) == (found if exact else None)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a b.txt", "src/a b.txt"),
        ("ümlaut/文件/😀", "ümlaut/文件/😀"),
        ("a\nb\tc\r\x1b[31m", "a\\nb\\tc\\r\\x1b[31m"),
        ("invoice\u202efdp.exe", "invoice\\u202efdp.exe"),
        ("a\u200bb\ufeff\u00ad", "a\\u200bb\\ufeff\\xad"),
        ("caf\udce9", "caf\\udce9"),
        ("a\u2028b\u2029c\x85", "a\\u2028b\\u2029c\\x85"),
        ("a\u00a0b\u3000c", "a\\xa0b\\u3000c"),
        ("a\ufe0f\U000e0101\u3164", "a\\ufe0f\\U000e0101\\u3164"),
        ("a ", "a\\x20"),
        (" a/ b /c", "\\x20a/\\x20b\\x20/c"),
        ("a  b", "a\\x20 b"),
        ("a\\x20", "a\\\\x20"),
        ("/", "/"),
        (".", "."),
    ],
)
def test_what_cannot_be_seen_is_written_out(path: str, shown: str) -> None:
    assert printable(path, POSIX) == shown


def test_a_backslash_on_windows_parts_names() -> None:
    assert printable("C:\\w\\a", WINDOWS) == "C:\\w\\a"


TEXTS = st.text(st.one_of(st.sampled_from("ab/ \\x20n\n\u202e\udce9"), st.characters()), max_size=12)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_two_paths_never_look_the_same(one: str, other: str) -> None:
    assert (printable(one, POSIX) == printable(other, POSIX)) == (one == other)


@settings(deadline=None)
@given(TEXTS)
def test_what_is_shown_can_be_seen_and_sent(path: str) -> None:
    shown = printable(path, POSIX)
    shown.encode("utf-8")
    assert "\n" not in shown
    assert "\u202e" not in shown


@settings(deadline=None)
@given(st.text(max_size=30), st.sampled_from(Flavour))
def test_no_text_is_too_strange_to_be_judged(name: str, flavour: Flavour) -> None:
    for text in (name, f"file:{name}", f"file://{name}", f"\\\\{name}", f"C:{name}"):
        assert isinstance(path_of(text, flavour), str)
        assert name_fault(text, ("C:\\w", "\\\\a\\b"), flavour) != ""


@pytest.mark.parametrize("tool", [ReadFile, WriteFile, ListFiles])
def test_every_tool_refuses_them_before_anything_is_looked_at(tool: type) -> None:
    made = tool(lambda: ("/w",))
    beside = {"content": ""} if tool is WriteFile else {}

    assert "path: this address names a file on another machine" in made.fault({"path": "file://host/x", **beside})
    assert "path: " in made.fault({"path": "a" * (LONGEST + 1), **beside})
    assert made.fault({"path": "a" * LONGEST, **beside}) is None
    assert made.spec.schema["properties"]["path"]["maxLength"] == LONGEST
    if os.name != "nt":
        assert made.fault({"path": "CON", **beside}) is None

"""How an agent's program is found and what it is given, and what is kept of what it prints last."""

import pytest

from assent.runtime.last_words import LastWords
from assent.runtime.launching import Launch, argv_on_windows, environment_of

INSTALLED = {"npx": "C:\\node\\npx.CMD", "claude": "C:\\bin\\claude.exe"}


def find(name: str, path: str | None) -> str | None:
    """As it is on a Windows with these programs."""
    return INSTALLED.get(name) if path == "C:\\bin" else None


def test_an_agent_gets_the_whole_environment_and_its_own_on_top() -> None:
    launch = Launch(("agent",), "/", {"KEY": "its", "NEW": "1"})
    assert environment_of(launch, {"KEY": "ours", "HOME": "/h"}) == {"KEY": "its", "HOME": "/h", "NEW": "1"}


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("npx", "-y", "@scope/agent@1.0"), ("C:\\node\\npx.CMD", "-y", "@scope/agent@1.0")),
        (("claude", 'a "b" %c%'), ("C:\\bin\\claude.exe", 'a "b" %c%')),
        (("unknown", "&"), ("unknown", "&")),
        ((), ()),
    ],
)
def test_on_windows_names_become_paths(argv: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert argv_on_windows(argv, {"Path": "C:\\bin"}, find) == expected


@pytest.mark.parametrize("word", ["a&b", "%PATH%", 'x"y', "a\nb", "a|b", "^", "(", "!"])
def test_on_windows_a_batch_file_gets_no_word_that_its_shell_would_understand(word: str) -> None:
    with pytest.raises(OSError, match="batch file"):
        argv_on_windows(("npx", "-y", word), {"PATH": "C:\\bin"}, find)


def test_the_last_words_are_the_end_in_whole_lines() -> None:
    words = LastWords(1_000)
    assert words.text() == ""
    for number in range(1_000):
        words.add(b"line %04d\n" % number)
    lines = words.text().splitlines()

    assert lines[-1] == "line 0999"
    assert 95 < len(lines) <= 100
    assert all(len(line) == 9 for line in lines)


def test_the_last_words_are_bounded_and_hold_no_secret() -> None:
    words = LastWords(1_000)
    words.add(b"x" * 100_000)
    assert len(words.text()) <= 1_000
    words.add(b"\n\xff\xfe broken bytes\nkey=hunter2-hunter2 and AKIAIOSFODNN7EXAMPLE\n")
    text = words.text(frozenset({"hunter2-hunter2"}))

    assert "broken bytes" in text
    assert "hunter2" not in text
    assert "AKIAIOSFODNN7EXAMPLE" not in text


def test_of_a_secret_that_was_cut_nothing_is_left() -> None:
    secret = "s3cr3t-" * 12
    words = LastWords(1_000)
    words.add(b"a" * 2_000 + secret.encode() + b"b" * (1_000 - 20))
    assert "s3cr3t" not in words.text(frozenset({secret}))

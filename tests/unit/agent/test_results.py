"""Results as the model gets them: text that can be read, no longer than its limit, and the whole for the user."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent import kept_results
from assent.agent.kept_results import KeptResults
from assent.agent.readable import escaped, printed
from assent.agent.results import excerpt, fitted
from assent.model.conversation import ToolOutcome
from assent.model.ids import CallId

GAP = re.compile(r"\n… (\d+) bytes left out …\n")


def outcome(text: str, *, file: str | None = None, call: str = "c") -> ToolOutcome:
    return ToolOutcome(CallId(call), "bash", text, file_content=file, ran=True)


def test_a_short_result_stays_as_it_is() -> None:
    told = outcome("a\tb\nc\n")

    assert fitted(told, 6).outcome is told
    assert fitted(told, 6).whole is None


def test_a_long_one_keeps_its_beginning_and_its_end_and_says_how_much_is_missing() -> None:
    fit = fitted(outcome("a" * 70_000 + "b" * 70_000), 50_000)

    head, missing, tail = GAP.split(fit.outcome.content)
    assert (set(head), set(tail)) == ({"a"}, {"b"})
    assert abs(len(head) - len(tail)) <= 1
    assert len(head) + len(tail) + int(missing) == 140_000
    assert 49_990 <= len(fit.outcome.content.encode()) <= 50_000
    assert fit.outcome.truncated
    assert fit.whole == "a" * 70_000 + "b" * 70_000


@given(st.text(alphabet=st.sampled_from("aé€🦊\n"), min_size=60, max_size=400), st.integers(60, 300))
def test_no_character_is_torn_and_every_byte_is_counted(text: str, most: int) -> None:
    short = excerpt(text, most)

    assert len(short.encode()) <= most
    if short != text:
        head, missing, tail = GAP.split(short)
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head.encode()) + int(missing) + len(tail.encode()) == len(text.encode())
        # No more is missing than had to be.
        assert len(short.encode()) >= most - 10
    else:
        assert len(text.encode()) <= most


@pytest.mark.parametrize(
    ("raw", "readable"),
    [
        ("plain\n", "plain\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b(Btext\x1b7\x1b8\x1bM", "text"),
        ("10%\r50%\r100%\r\ndone\r\n", "10%\n50%\n100%\ndone\n"),
        ("a\x00b\x07\x08", "a\\x00b\\x07\\x08"),
        ("\x9b31m", "\\x9b31m"),
        ("\x1b[", "\\x1b["),
        ("half \ud83e of one", "half \\ud83e of one"),
        ("tab\tstays", "tab\tstays"),
        ("é 🦊 \u202e", "é 🦊 \u202e"),
    ],
)
def test_what_a_program_prints_can_be_read(raw: str, readable: str) -> None:
    assert printed(raw) == readable
    assert fitted(outcome(raw), 1_000).outcome.content == readable


@pytest.mark.parametrize(
    ("raw", "readable"), [("\x1b[31mred", "\\x1b[31mred"), ("a\r\nb\rc", "a\r\nb\\x0dc"), ("a\x00", "a\\x00")]
)
def test_of_a_file_every_character_is_told(raw: str, readable: str) -> None:
    assert escaped(raw) == readable
    assert fitted(outcome(raw, file=raw), 1_000).outcome.content == readable


@given(st.text())
def test_nothing_is_left_that_a_terminal_or_an_encoder_stumbles_over(text: str) -> None:
    for readable in (printed(text), escaped(text)):
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", readable)
        readable.encode("utf-8")
    assert "\r" not in printed(text)


def test_the_whole_is_kept_for_the_user() -> None:
    kept = KeptResults()
    text = "x" * 3_000

    short = kept.fit(outcome(text), 1_000)

    assert short.truncated
    assert kept.get(CallId("c")) == text
    assert kept.fit(outcome("short", call="d"), 1_000).content == "short"
    assert kept.get(CallId("d")) is None


def test_what_is_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "MOST_OF_ONE", 5_000)
    monkeypatch.setattr(kept_results, "MOST_OF_ALL", 9_000)
    kept = KeptResults()
    for number, length in enumerate((3_000, 3_000, 5_001, 4_000)):
        assert kept.fit(outcome("x" * length, call=str(number)), 1_000).truncated

    assert [kept.get(CallId(str(number))) is not None for number in range(4)] == [False, True, False, True]

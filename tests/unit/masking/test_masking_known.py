"""Values that are known to be secret are found in whatever spelling they travel."""

import base64
import json
import urllib.parse

import pytest

from assent.masking import mask_json, mask_text

VALUES = ["plain-old-key", 'a "quoted" \\ key/with+signs=', "ключ é 🔑 line\nbreak", "tab\tand\x01control", "a b c d"]


@pytest.mark.parametrize("value", VALUES)
def test_a_known_value_is_masked_in_every_spelling(value: str) -> None:
    known = frozenset({value, "another-key"})
    spellings = [
        value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(value))[3:-3],
        json.dumps(value)[1:-1].replace("/", "\\/"),
        urllib.parse.quote(value),
        urllib.parse.quote(value, safe=""),
        urllib.parse.quote_plus(value),
    ]
    for spelling in spellings:
        masked, count = mask_text(f"<{spelling}>", known)
        assert (masked[:9], masked[-2:], count) == ("<[masked:", "]>", 1), spelling
        assert "known key" in masked


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("before", ["", "u", "u:", "user:"])
@pytest.mark.parametrize("after", ["", "x", "xy", "\n"])
def test_a_known_value_is_masked_inside_of_base64(value: str, before: str, after: str) -> None:
    raw = (before + value + after).encode()
    for encoded in (base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()):
        masked, count = mask_text(f"data {encoded} end", frozenset({value}))
        assert count == 1, (encoded, masked)
        left = masked.removeprefix("data ").removesuffix(" end").partition("[masked")[0]
        assert len(left) * 6 // 8 <= len(before.encode()), masked


def test_known_values_in_json() -> None:
    masked, count = mask_json({"x plain-old-key": ["plain-old-key", 5]}, frozenset({"plain-old-key"}))

    assert count == 2
    assert "plain-old" not in str(masked)


def test_a_value_that_is_too_short_to_be_a_secret_hides_nothing() -> None:
    assert mask_text("a cat sat", frozenset({"", "a", "at", "   "})) == ("a cat sat", 0)


def test_words_in_a_mark_are_no_secrets() -> None:
    text = "[masked: GitHub token] and more"

    assert mask_text(text, frozenset({"GitHub", "token", "masked"})) == (text, 0)


def test_the_longer_of_two_known_values_is_masked_whole() -> None:
    masked, count = mask_text("key-one-and-two", frozenset({"key-one", "key-one-and-two"}))

    assert (masked, count) == ("[masked: known key, short]", 1)

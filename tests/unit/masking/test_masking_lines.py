"""Masking that keeps every line where it was."""

import pytest

from assent.masking import mask_lines, mask_text
from tests.support.secret_samples import SAMPLES

KEY = "\n".join(
    ["-----BEGIN " + "PRIVATE KEY-----", *["MIIEvQ" + "IBADANBg" * 7] * 12, "-----END " + "PRIVATE KEY-----"]
)


@pytest.mark.parametrize("secret", [KEY, *(secret for kind in SAMPLES.values() for secret in kind[:1])])
def test_what_follows_a_secret_has_the_line_that_it_had(secret: str) -> None:
    text = f"before\n\npassword = {secret}\nafter {secret}\n\nlast"
    masked, count = mask_lines(text)
    assert count == mask_text(text)[1] > 0
    assert secret not in masked
    assert masked.count("\n") == text.count("\n")
    assert masked.split("\n")[-1] == "last"
    assert mask_lines(masked) == (masked, 0)


def test_a_known_secret_of_several_lines_keeps_its_lines() -> None:
    masked, _ = mask_lines("a\nfirst\nsecond\nb", frozenset({"first\nsecond"}))
    assert masked.split("\n") == ["a", "[masked: known key, short]", "", "b"]


def test_without_a_secret_nothing_changes() -> None:
    assert mask_lines("a\n\nb\n") == ("a\n\nb\n", 0)

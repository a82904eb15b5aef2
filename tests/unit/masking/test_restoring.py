"""Secrets that come back into a text that was written from a masked one: each where it belongs, or none."""

import pytest

from assent.masking.restoring import restored

ONE, KEY = "[masked: GitHub token]", "[masked: private key]"
OLD = "a = 1\nt = 'token'\nBEGIN\nabc\nEND\nz\n"
MASKED = f"a = 1\nt = '{ONE}'\n{KEY}\n\n\nz\n"

SURE = [
    (MASKED, OLD),
    (MASKED.replace("1", "2"), OLD.replace("1", "2")),
    (f"z\n{KEY}\n\n\nt = '{ONE}'\n", "z\nBEGIN\nabc\nEND\nt = 'token'\n"),
    ("nothing of it\n", "nothing of it\n"),
    (f"{KEY}\n\n\n\nmore", "BEGIN\nabc\nEND\n\nmore"),
]
UNSURE = [
    f"t = '{ONE}', 2\n",
    f"t = '{ONE}'\nt = '{ONE}'\n",
    f"{KEY}\nz\n",
    f"{KEY}\n\nz\n",
    "[masked: password]\n",
    f" {KEY}\n\n\n",
    f"t = '{ONE}'\r\n",
]


@pytest.mark.parametrize(("new", "expected"), SURE)
def test_lines_that_are_as_they_were_have_their_secrets_again(new: str, expected: str) -> None:
    assert restored(new, OLD, MASKED) == expected


@pytest.mark.parametrize("new", UNSURE)
def test_in_doubt_nothing_comes_back(new: str) -> None:
    assert restored(new, OLD, MASKED) is None


def test_a_mark_that_could_stand_for_several_stands_for_none() -> None:
    assert restored(f"{ONE}\n", "one\ntwo\n", f"{ONE}\n{ONE}\n") is None
    assert restored(f"{KEY}\n\n\n", "x\nBEGIN\nabc\n", f"{KEY}\n{KEY}\n\n") is None
    # What the file itself holds is no secret, and stays.
    assert restored(f"{ONE}\nnew\n", f"{ONE}\n", f"{ONE}\n") == f"{ONE}\nnew\n"
    assert restored(f"{ONE}\n", "one\ntwo\n", f"{ONE}\n") is None

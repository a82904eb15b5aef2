"""The work grows with the text, not with its square, also where a text was made to be slow."""

import time

import pytest

from assent.masking import mask_text
from tests.support.secret_samples import SAMPLES

SMALL, TIMES = 1 << 13, 16
"""Sixteen times the text may take three times sixteen times the work; its square would be 256 times."""
ENOUGH = 0.05
"""Seconds. Less than this is not worth comparing."""

PLACES = [
    "password='",
    'password="',
    "token=",
    "token = ",
    "a-",
    "a.",
    '"',
    "\\",
    '\\"password\\":',
    "token ",
    "TOKEN=a ",
    "a=",
    "-u a:",
    "--password ",
    "--token x ",
    "mysql -p",
    "docker login -p ",
    "://",
    "://a:",
    "://a:b@",
    "<token>",
    "<token>x",
    "login a password ",
    "login ",
    "bearer ",
    "pass:",
    "name: TOKEN\n",
    "name: TOKEN\nvalue: ",
    "password: |\n",
    "cookie: ",
    "password: |\n  ",
    "password='\\''",
    "[masked: ",
    "[masked: token]",
    "password=[masked: x]",
    " ",
    "\n",
    "eyJ",
    "eyJaaaaaaaa.",
    "token=a(",
    "token=a[",
    '"password" value=',
    "-----BEGIN " + "PRIVATE KEY-----",
    "-----BEGIN ",
    "password='\\\\'",
    "x",
    "%",
    ".",
]


def seconds(text: str) -> float:
    """The time that the processor spends on it."""
    begin = time.process_time()
    mask_text(text)
    return time.process_time() - begin


def is_in_proportion(piece: str) -> bool:
    """Compared twice if need be: other work on the machine may come in between once."""
    for _ in range(2):
        small = seconds(filled(piece, SMALL))
        large = seconds(filled(piece, SMALL * TIMES))
        if large < ENOUGH or large < small * TIMES * 3:
            return True
    return False


def filled(piece: str, length: int) -> str:
    """The piece again and again, so many characters in all."""
    return (piece * (length // len(piece) + 1))[:length]


@pytest.mark.parametrize("piece", PLACES)
def test_what_only_begins_like_a_secret(piece: str) -> None:
    assert is_in_proportion(piece)


@pytest.mark.parametrize("name", SAMPLES)
def test_tokens_and_what_is_almost_one(name: str) -> None:
    token = SAMPLES[name][0]

    for piece in (token[: len(token) // 3], token[:-1], token + " "):
        assert is_in_proportion(piece), piece


@pytest.mark.parametrize(
    "start", ["password=", 'password="', "token", "name: TOKEN", "-----BEGIN " + "PRIVATE KEY-----"]
)
@pytest.mark.parametrize("rest", [" ", "=", "\\", '\\"', "a", "\\n", "\n", " a"])
def test_one_beginning_and_no_end(start: str, rest: str) -> None:
    small, large = (start + filled(rest, length) for length in (SMALL, SMALL * TIMES))

    assert seconds(large) < max(ENOUGH, seconds(small) * TIMES * 3)


def test_a_megabyte_of_everything_that_begins_like_a_secret() -> None:
    everything = "".join(PLACES) + " ".join(token[:-1] for tokens in SAMPLES.values() for token in tokens)

    small, large = (seconds(filled(everything, length)) for length in (1 << 16, 1 << 20))

    assert large < max(ENOUGH, small * 16 * 3)

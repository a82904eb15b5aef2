"""The work grows with the text, not with its square, also where a text was made to be slow."""

import time

import pytest

from assent.masking import mask_text
from tests.support.secret_samples import SAMPLES

SMALL, TIMES = 1 << 13, 16
"""Sixteen times the text may take three times sixteen times the work; its square would be 256 times."""
ENOUGH = 0.05
"""Seconds. Less than this is not worth comparing."""
TRIES = 6

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
    """The time that the processor spends on it. Nothing else tells: all work is done by regular expressions."""
    begin = time.process_time()
    mask_text(text)
    return time.process_time() - begin


def is_in_proportion(small: str, large: str) -> bool:
    """Compared again if need be: other work on the machine can only make it look worse than it is."""
    times = len(large) / len(small)
    for _ in range(TRIES):
        took = seconds(large)
        if took < ENOUGH or took < seconds(small) * times * 3:
            return True
    return False


def grows_with(piece: str) -> bool:
    return is_in_proportion(filled(piece, SMALL), filled(piece, SMALL * TIMES))


def filled(piece: str, length: int) -> str:
    """The piece again and again, so many characters in all."""
    return (piece * (length // len(piece) + 1))[:length]


@pytest.mark.parametrize("piece", PLACES)
def test_what_only_begins_like_a_secret(piece: str) -> None:
    assert grows_with(piece)


@pytest.mark.parametrize("name", SAMPLES)
def test_tokens_and_what_is_almost_one(name: str) -> None:
    token = SAMPLES[name][0]

    for piece in (token[: len(token) // 3], token[:-1], token + " "):
        assert grows_with(piece), piece


@pytest.mark.parametrize(
    "start", ["password=", 'password="', "token", "name: TOKEN", "-----BEGIN " + "PRIVATE KEY-----"]
)
@pytest.mark.parametrize("rest", [" ", "=", "\\", '\\"', "a", "\\n", "\n", " a"])
def test_one_beginning_and_no_end(start: str, rest: str) -> None:
    assert is_in_proportion(start + filled(rest, SMALL), start + filled(rest, SMALL * TIMES))


def test_a_megabyte_of_everything_that_begins_like_a_secret() -> None:
    everything = "".join(PLACES) + " ".join(token[:-1] for tokens in SAMPLES.values() for token in tokens)

    assert is_in_proportion(filled(everything, 1 << 16), filled(everything, 1 << 20))

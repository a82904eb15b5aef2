"""What is told to macOS's sandbox, as text: nothing in a path can end a string or begin a rule."""

import re

import pytest

from assent.sandbox.layout import Layout
from assent.sandbox.seatbelt import arguments, profile


def layout(*held: str, network: bool = False, everything: bool = False) -> Layout:
    return Layout(("/w",), held, ("/h/.ssh",), ("/w/.env",), "/w", network, everything)


def tokens(text: str) -> list[str]:
    """Parentheses, words and whole strings."""
    found = re.findall(r'#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', text)
    assert "".join(found).replace(" ", "") == re.sub(r"\s", "", "".join(found))
    return found


@pytest.mark.parametrize("name", ['a"b', "a\\", 'a\\"b', ")(allow default)", 'x")) (allow file-write*', "a b", "#"])
def test_a_name_stays_a_name(name: str) -> None:
    plain, odd = tokens(profile(layout("/w/plain"))), tokens(profile(layout(f"/w/{name}")))

    assert len(plain) == len(odd)
    differing = [(one, other) for one, other in zip(plain, odd, strict=True) if one != other]
    assert len(differing) == 1
    assert differing[0][1][1:-1].replace('\\"', '"').replace("\\\\", "\\") == f"/w/{name}"


@pytest.mark.parametrize("name", ["a\nb", "a\0b", "\x7f"])
def test_what_cannot_be_written_down_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="control"):
        arguments(layout(f"/w/{name}"))


def test_what_lies_deeper_comes_later() -> None:
    text = profile(layout("/w/a/package.json"))

    order = ["(deny file-write*)", '(subpath "/w")', '(literal "/w/a")', '(subpath "/w/a/package.json")']
    assert [text.index(one) for one in order] == sorted(text.index(one) for one in order)
    assert '(deny file-read* file-write* (subpath "/h/.ssh"))' in text
    assert '(deny file-read* file-write* (literal "/w/.env"))' in text


def test_the_network_is_off_unless_wanted() -> None:
    assert "(deny network*)" in profile(layout())
    assert "(deny network*)" not in profile(layout(network=True))
    assert "unix-socket" in profile(layout(network=True))


def test_guarded_is_as_outside_but_for_what_is_held() -> None:
    text = profile(layout("/w/.git/hooks", everything=True))

    assert "network" not in text
    assert "(deny file-write*)" not in text
    assert '(deny file-write* (subpath "/w/.git/hooks"))' in text

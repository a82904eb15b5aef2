"""An address taken apart: what is shown is what is asked for, and what is unclear is asked for nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.errors import ToolFault
from assent.web.target import Elsewhere, Target, notes_on, read_target, redirected


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://Example.org", "https://example.org/"),
        ("https://example.org./a/../b?x=/../y#part", "https://example.org/b?x=/../y"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:8443/a b/ü", "https://example.org:8443/a%20b/%C3%BC"),
        ("https://münchen.de/%7Ea%2Fb", "https://xn--mnchen-3ya.de/%7Ea%2Fb"),
        ("http://[::1]:3000/x", "http://[::1]:3000/x"),
        ("http://[::ffff:127.0.0.1]/", "http://127.0.0.1/"),
        ("  https://example.org/a\n", "https://example.org/a"),
        ("https://example.org?a=b", "https://example.org/?a=b"),
        ("https://example.org/a@b", "https://example.org/a@b"),
    ],
)
def test_an_address_in_its_one_form(text: str, url: str) -> None:
    target = read_target(text)
    assert target.url == url
    assert read_target(target.url).url == url


@pytest.mark.parametrize(
    "text",
    [
        "ftp://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "example.org",
        "https://user:secret@example.org/",
        "https://user@example.org/",
        "https://a.org\\@b.org/",
        "http:/example.org",
        "http://0x7f.1/",
        "http://127.1/",
        "http://2130706433/",
        "https://example.org:99999/",
        "https://example.org:0/",
        "https:///a",
        "https://exa\u200bmple.org",
        "https://example.org/" + "a" * 5_000,
        "",
        "data:text/html,x",
    ],
)
def test_what_is_no_clear_address_of_a_page(text: str) -> None:
    with pytest.raises(ToolFault) as fault:
        read_target(text)
    assert fault.value.code == "bad_address"


@given(st.text(alphabet="ab./:@\\?#%2eü \t", max_size=30))
def test_what_is_sent_is_plain_and_means_the_same_again(rest: str) -> None:
    try:
        target = read_target(f"https://example.org/{rest}")
    except ToolFault:
        return
    assert target.host == "example.org" and target.path.isascii() and target.path.isprintable()
    assert " " not in target.path
    assert read_target(target.url).url == target.url


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.org/a", ()),
        ("http://example.org/", ("not encrypted",)),
        ("https://example.org:8443/", ("port 8443",)),
        ("https://\u0430pple.com/", ("U+0430",)),
        ("https://93.184.216.34/", ("a number",)),
        ("http://localhost:3000/", ("on this machine", "not encrypted", "port 3000")),
        ("http://192.168.1.1/", ("on this machine, or in a network around it", "not encrypted")),
        ("https://example.org/?" + "k=v&" * 100, ("It is long",)),
    ],
)
def test_what_a_reader_could_overlook(url: str, words: tuple[str, ...]) -> None:
    notes = notes_on(read_target(url))
    assert len(notes) == len(words)
    for note, word in zip(notes, words, strict=True):
        assert word in note


@pytest.mark.parametrize(
    ("url", "location", "leads"),
    [
        ("https://example.org/a", "/a/", "https://example.org/a/"),
        ("https://example.org/a", "?page=2", "https://example.org/a?page=2"),
        ("http://example.org/a", "https://example.org/a", "https://example.org/a"),
        ("http://example.org/a", "https://EXAMPLE.org/a/", "https://example.org/a/"),
    ],
)
def test_a_redirect_to_the_same_page_is_followed(url: str, location: str, leads: str) -> None:
    found = redirected(read_target(url), location)
    assert isinstance(found, Target) and found.url == leads


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://example.org/a", "/b"),
        ("https://example.org/a", "https://www.example.org/a"),
        ("https://example.org/a", "http://example.org/a"),
        ("https://example.org/a", "https://example.org:8443/a"),
        ("http://example.org:3000/a", "https://example.org/a"),
        ("https://example.org/a", "//evil.example/a"),
        ("https://example.org/a", "http://169.254.169.254/a"),
        ("http://127.0.0.1:3000/a", "http://localhost:3000/a"),
        ("https://example.org/a", "file:///etc/passwd"),
        ("https://example.org/a", "https://example.org\\@evil.example/a"),
        ("https://example.org/a", "https://user@example.org/a"),
        ("https://example.org/a/b", "/a/%2e%2e/a/b"),
    ],
)
def test_a_redirect_to_anything_else_is_another_call(url: str, location: str) -> None:
    assert isinstance(redirected(read_target(url), location), Elsewhere)

"""Addresses, taken apart as browsers do, and those that programs could read in two ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.rules.addresses import read_address, read_path


@pytest.mark.parametrize(
    ("text", "scheme", "host", "port", "path"),
    [
        ("https://example.org", "https", "example.org", 443, "/"),
        ("HTTPS://EXAMPLE.ORG/A", "https", "example.org", 443, "/A"),
        ("http://example.org:80/", "http", "example.org", 80, "/"),
        ("http://example.org:8080/a?b#c", "http", "example.org", 8080, "/a"),
        ("https://example.org:", "https", "example.org", 443, "/"),
        ("https://example.org.", "https", "example.org", 443, "/"),
        ("https://good.com@evil.com", "https", "evil.com", 443, "/"),
        ("https://good.com:443@evil.com/", "https", "evil.com", 443, "/"),
        ("https://evil.com#good.com", "https", "evil.com", 443, "/"),
        ("https://evil.com?good.com", "https", "evil.com", 443, "/"),
        ("https://evil.com/@good.com", "https", "evil.com", 443, "/@good.com"),
        ("https://evil.com/\\@good.com", "https", "evil.com", 443, "//@good.com"),
        ("  https://evil.com\n", "https", "evil.com", 443, "/"),
        ("https://%65vil.com", "https", "evil.com", 443, "/"),
        ("https://münchen.de/straße", "https", "xn--mnchen-3ya.de", 443, "/straße"),
        ("https://MÜNCHEN.de", "https", "xn--mnchen-3ya.de", 443, "/"),
        ("https://m\u0075\u0308nchen.de", "https", "xn--mnchen-3ya.de", 443, "/"),
        ("https://xn--mnchen-3ya.de", "https", "xn--mnchen-3ya.de", 443, "/"),
        ("https://\u0430pple.com", "https", "xn--pple-43d.com", 443, "/"),
        ("https://i\u2764.ws", "https", "xn--i-7iq.ws", 443, "/"),
        ("https://ｅｖｉｌ。com", "https", "evil.com", 443, "/"),
        ("http://127.0.0.1:3000", "http", "127.0.0.1", 3000, "/"),
        ("http://[::1]:8080/x", "http", "[::1]", 8080, "/x"),
        ("http://[0:0:0:0:0:0:0:1]", "http", "[::1]", 80, "/"),
        ("http://[2001:DB8::1]", "http", "[2001:db8::1]", 80, "/"),
        ("http://[::ffff:127.0.0.1]", "http", "127.0.0.1", 80, "/"),
        ("http://127.0.0.1.", "http", "127.0.0.1", 80, "/"),
        ("http://localhost", "http", "localhost", 80, "/"),
        ("ftp://example.org", "ftp", "example.org", 21, "/"),
        ("git+ssh://example.org", "git+ssh", "example.org", None, "/"),
        ("example.org/a", "", "example.org", None, "/a"),
        ("https://a_b.example.org", "https", "a_b.example.org", 443, "/"),
    ],
)
def test_what_is_plain(text: str, scheme: str, host: str, port: int | None, path: str) -> None:
    found = read_address(text)
    assert (found.scheme, found.host, found.port, found.doubt) == (scheme, host, port, "")
    assert found.path == path or found.path_doubt


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("https://evil.com\\@good.com", "evil.com"),
        ("https://evil.com#@good.com", "evil.com"),
        ("https://evil.com?@good.com", "evil.com"),
        ("https://a@good.com@evil.com", "evil.com"),
        ("https://good.com／@evil.com", "evil.com"),
        ("http:/evil.com", "evil.com"),
        ("http:evil.com", "evil.com"),
        ("http:///evil.com", "evil.com"),
        ("http:\\\\evil.com", "evil.com"),
        ("//evil.com", "evil.com"),
        ("\\\\evil.com", "evil.com"),
        ("/evil.com", "evil.com"),
        ("https://ev\til.com", "evil.com"),
        ("ht\ntps://evil.com", "evil.com"),
        ("http://2130706433", "127.0.0.1"),
        ("http://0x7f000001", "127.0.0.1"),
        ("http://0177.0.0.1", "127.0.0.1"),
        ("http://0x7f.1", "127.0.0.1"),
        ("http://127.1", "127.0.0.1"),
        ("http://010.0.0.1", "8.0.0.1"),
        ("https://fa\u00df.de", None),
        ("https://evil\u200d.com", None),
        ("https://evil\u00ad.com", None),
        ("https://\u2764\ufe0f.com", None),
        ("https://\u2066evil.com", None),
        ("https://\u05d0a.com", None),
        ("https://evil.com:port", "evil.com"),
        ("https://evil.com:99999", "evil.com"),
        ("https://evil.com:-1", "evil.com"),
        ("https://evil.com:\u0661", "evil.com"),
        ("http://1.2.3.4.5", ""),
        ("http://256.0.0.1", ""),
        ("http://08.0.0.1", ""),
        ("http://4294967296", ""),
        ("http://0x-1.1", ""),
        ("https://good.com%2F.evil.com", ""),
        ("https://good.com%00.evil.com", ""),
        ("https://good.com%40evil.com", ""),
        ("https://good.com%23.evil.com", ""),
        ("https://%ff.com", ""),
        ("https://%2565vil.com", ""),
        ("https://good.com;evil.com", ""),
        ("https://good.com evil.com", ""),
        ("https://good.com\u2100evil.com", ""),
        ("https://evil..com", ""),
        ("https://.com", ""),
        ("https://-evil.com", ""),
        ("https://good.com:80:evil.com", ""),
        ("https://[::1", ""),
        ("https://[fe80::1%25eth0]", ""),
        ("https://[v1.x]", ""),
        ("https://[::1]evil.com", ""),
        ("https://" + "a" * 64 + ".com", ""),
        ("https://" + "a." * 127 + "com", ""),
        ("https://", ""),
        ("", ""),
        ("data:text/html,x", None),
        ("javascript:alert(1)", None),
        ("blob:https://good.com/x", None),
        ("localhost:3000", None),
        ("a page about cats", ""),
        ("https://a.com/" + "a" * 9_000, ""),
    ],
)
def test_what_programs_could_read_in_two_ways(text: str, host: str | None) -> None:
    found = read_address(text)
    assert found.doubt
    assert host is None or found.host == host


@pytest.mark.parametrize(
    ("text", "path", "doubt"),
    [
        ("", "/", False),
        ("/docs/a", "/docs/a", False),
        ("/docs/", "/docs/", False),
        ("/docs/%61", "/docs/a", False),
        ("/a%20b", "/a b", False),
        ("/docs/../secret", "/secret", True),
        ("/docs/%2e%2e/secret", "/secret", True),
        ("/docs/..;/secret", "/secret", True),
        ("/docs/./a", "/docs/a", True),
        ("/../..", "/", True),
        ("//docs//a", "/docs/a", True),
        ("/docs\\..\\secret", "/secret", True),
        ("/docs%2f..%2fsecret", "/secret", True),
        ("/docs/%252e%252e/a", "/docs/%2e%2e/a", True),
        ("/%ff", "/\ufffd", True),
        ("/a%00b", "/a\0b", True),
        ("/docs/...", "/docs/...", False),
    ],
)
def test_paths(text: str, path: str, doubt: bool) -> None:
    assert read_path(text) == (path, doubt)


_HOSTS = st.from_regex(r"[a-z][a-z0-9]{0,5}(\.[a-z][a-z0-9]{0,5}){0,3}", fullmatch=True)
_NOISE = st.text(st.sampled_from("ab.:/\\@#?%[]\t\n 0x1é\u3002\uff0f-*"), max_size=20)


@given(_HOSTS, st.sampled_from(["http", "https", "HTTPS"]), st.sampled_from(["", ".", ":80", ":443"]), _NOISE)
def test_what_comes_behind_the_host_never_changes_it(host: str, scheme: str, end: str, noise: str) -> None:
    for sign in "/?#":
        found = read_address(f"{scheme}://{host.upper()}{end}{sign}{noise}")
        assert found.doubt or found.host == host


@given(_NOISE, _HOSTS)
def test_what_comes_before_the_host_is_never_taken_for_it(noise: str, host: str) -> None:
    found = read_address(f"https://{noise}@{host}")
    ends_early = any(sign in noise for sign in "/?#\\")
    assert found.doubt or found.host == host or ends_early


@given(st.text(max_size=60) | _NOISE.map("https://{}".format))
def test_whatever_is_told_is_read_and_what_was_read_is_read_alike_again(text: str) -> None:
    found = read_address(text)
    assert found.text == text and found.path.startswith("/")
    assert found.host or found.doubt
    if not found.doubt and found.scheme:
        port = "" if found.port is None else f":{found.port}"
        again = read_address(f"{found.scheme}://{found.host}{port}")
        assert (again.scheme, again.host, again.port, again.doubt) == (found.scheme, found.host, found.port, "")

"""web_fetch against real servers on this machine, which only a test's own guard calls public."""

import asyncio
import gzip
import ssl
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import AS_SHOWN, Manner, ToolAnswer
from assent.model.errors import ToolFault
from assent.policy.rules.reserved import Number, Reach, reach_of
from assent.tools.web_fetch import WebFetch
from assent.web.guard import Guard
from assent.web.visit import Limits, Visitor
from tests.support.scale import limit
from tests.support.web_server import Answer, Pages, moved, page, serving

UNSEEN = Manner(unseen=True)
NAMED = Manner(unseen=True, named=True)


def no_proxy(target: object) -> str:
    return ""


class Names:
    """A server for names as a test has it: each question gets the next answer, the last one again and again."""

    def __init__(self, **names: list[tuple[str, ...]]) -> None:
        self.names = {name.replace("_", "."): answers for name, answers in names.items()}
        self.asked: list[str] = []

    async def __call__(self, name: str, port: int) -> tuple[str, ...]:
        self.asked.append(name)
        answers = self.names.get(name)
        if answers is None:
            raise OSError("unknown")
        return answers.pop(0) if len(answers) > 1 else answers[0]


def as_if_public(number: Number) -> Reach:
    """The one number of this machine at which the test's server stands; all others are what they are."""
    return Reach.PUBLIC if str(number) == "127.0.0.1" else reach_of(number)


def visitor(names: Names | None = None, **more: Any) -> Visitor:
    guard = Guard(names or Names(page_example=[("127.0.0.1",)]), as_if_public)
    return Visitor(guard, proxy_of=no_proxy, limits=more.pop("limits", Limits(seconds=limit(20))), **more)


async def fetch(using: Visitor, url: str, manner: Manner = AS_SHOWN, **args: Any) -> ToolAnswer:
    tool = WebFetch(using)
    given = {"url": url, **args}
    assert tool.fault(given) is None
    return await (await tool.prepare(given)).carry_out((), manner)


async def refused(using: Visitor, url: str, manner: Manner = AS_SHOWN) -> ToolFault:
    with pytest.raises(ToolFault) as fault:
        await fetch(using, url, manner)
    return fault.value


def at(pages: Pages, path: str = "/") -> str:
    return f"http://page.example:{pages.port}{path}"


# What is read


async def test_a_page_is_told_as_text_with_its_title() -> None:
    html = "<title>A page</title><h1>Hello</h1><script>no()</script><p>Some <a href='/next'>words</a>.</p>"
    async with serving({"/a?b=c": page(html)}) as pages:
        answer = await fetch(visitor(), at(pages, "/a?b=c"))
        assert "200 OK, text/html" in answer.text and 'Title: "A page"' in answer.text
        assert f"# Hello\n\nSome [words]({at(pages, '/next')})." in answer.text
        assert "no()" not in answer.text and not answer.truncated


async def test_nothing_of_the_user_is_sent() -> None:
    answers: dict[str, Answer] = {"*": page("x", Set_Cookie="a=b; Path=/")}
    async with serving(answers) as pages:
        using = visitor()
        await fetch(using, at(pages))
        await fetch(using, at(pages, "/b"))
        assert len(pages.heads) == 2
        for head in pages.heads:
            names = {line.partition(":")[0].lower() for line in head.split("\r\n")[1:] if line}
            assert names == {"host", "user-agent", "accept", "accept-encoding", "connection"}
            assert f"Host: page.example:{pages.port}" in head


async def test_a_long_page_is_read_on() -> None:
    text = "".join(f"{number:06}" for number in range(1000))
    async with serving({"*": page(text, "text/plain")}) as pages:
        first = await fetch(visitor(), at(pages), max_chars=600)
        assert first.truncated and "offset=600 to read on" in first.text and "000099\n" in first.text
        last = await fetch(visitor(), at(pages), max_chars=600, offset=5_900)
        assert not last.truncated and last.text.endswith(text[5_900:])


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b'{"a": 1}', "application/json", '{"a": 1}'),
        (b"<p>not html", "text/plain", "<p>not html"),
        ("grün".encode("latin-1"), "text/plain; charset=ISO-8859-1", "grün"),
        ("grün".encode(), "text/plain", "grün"),
        ("grün".encode("cp1252"), "text/plain", "grün"),
        ("\ufeffgrün".encode("utf-16-le"), "text/plain", "grün"),
        ('<meta charset="koi8-r"><p>привет'.encode("koi8-r"), "text/html", "привет"),
        ("<p>привет".encode(), "text/html; charset=rot13", "привет"),
        (b"<!doctype html><h2>x", "", "## x"),
    ],
)
async def test_texts_of_all_kinds(body: bytes, kind: str, said: str) -> None:
    async with serving({"*": page(body, kind)}) as pages:
        assert (await fetch(visitor(), at(pages))).text.endswith(said)


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/octet-stream", "video/mp4"])
async def test_what_is_no_text_is_not_downloaded(kind: str) -> None:
    async with serving({"*": page(b"\x89PNG" * 10, kind)}) as pages:
        fault = await refused(visitor(), at(pages))
        assert fault.code == "not_text" and kind in str(fault) and "40 bytes" in str(fault)


async def test_bytes_without_a_type_that_are_no_text() -> None:
    async with serving({"*": page(b"\0\1\2\3" * 10, "")}) as pages:
        assert (await refused(visitor(), at(pages))).code == "not_text"


async def test_a_failure_tells_its_number_and_some_of_its_page() -> None:
    async with serving({"*": page("<h1>No such page</h1>", status="404 Not Found")}) as pages:
        fault = await refused(visitor(), at(pages))
        assert fault.code == "http_error" and "404 Not Found" in str(fault) and "# No such page" in str(fault)


# Limits


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress], ids=["gzip", "deflate"])
async def test_a_page_that_unpacks_to_very_much_is_cut(pack: Any) -> None:
    packed = pack(b"a" * 50_000_000)
    encoding = "gzip" if pack is gzip.compress else "deflate"
    async with serving({"*": page(packed, "text/plain", Content_Encoding=encoding)}) as pages:
        answer = await fetch(visitor(limits=Limits(seconds=limit(20), bytes=100_000)), at(pages), offset=99_990)
        assert answer.truncated and "100000 characters" in answer.text and "too large" in answer.text


async def test_a_page_that_never_ends_is_cut() -> None:
    async def without_end(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(b"and so on " * 1000)
            await writer.drain()

    async with serving({"*": without_end}) as pages:
        answer = await fetch(visitor(limits=Limits(seconds=limit(20), bytes=50_000)), at(pages))
        assert answer.truncated and "50000 characters" in answer.text


async def test_headers_without_end_are_no_answer() -> None:
    async def headers(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(b"X-More: " + b"x" * 1000 + b"\r\n")
            await writer.drain()

    async with serving({"*": headers}) as pages:
        assert (await refused(visitor(), at(pages))).code == "no_answer"


async def test_a_server_that_drips_is_left_at_the_limit() -> None:
    async def drips(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serving({"*": drips}) as pages:
        assert (await refused(visitor(limits=Limits(seconds=0.5)), at(pages))).code == "took_too_long"


@pytest.mark.parametrize("said", [b"", b"what is this\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"])
async def test_what_is_no_whole_answer(said: bytes) -> None:
    async with serving({"*": said}) as pages:
        assert (await refused(visitor(), at(pages))).code == "no_answer"


async def test_packed_otherwise_than_it_says() -> None:
    async with serving({"*": page(b"not packed", Content_Encoding="gzip")}) as pages:
        assert (await refused(visitor(), at(pages))).code == "garbled"


async def test_nobody_listens() -> None:
    async with serving({}) as pages:
        port = pages.port
    assert (await refused(visitor(), f"http://page.example:{port}/")).code == "no_connection"


# Where a server sends one


async def test_the_same_page_is_followed_and_looked_up_anew() -> None:
    names = Names(page_example=[("127.0.0.1",)])
    async with serving({"/a": moved("/a/"), "/a/": page("here", "text/plain")}) as pages:
        assert (await fetch(visitor(names), at(pages, "/a"))).text.endswith("here")
    assert names.asked == ["page.example"] * 2


@pytest.mark.parametrize(
    "location", ["http://evil.example/x", "/other", "//169.254.169.254/latest", "http://page.example:1/a"]
)
async def test_another_place_is_told_and_not_asked(location: str) -> None:
    async with serving({"/a": moved(location), "*": page("secret", "text/plain")}) as pages:
        names = Names(page_example=[("127.0.0.1",)], evil_example=[("127.0.0.1",)])
        answer = await fetch(visitor(names), at(pages, "/a"))
        assert answer.code == "redirected" and location.removeprefix("//") in answer.text
        assert pages.paths == ["/a"] and names.asked == ["page.example"]


async def test_a_server_that_sends_round_and_round() -> None:
    async with serving({"*": moved("?again")}) as pages:
        fault = await refused(visitor(), at(pages))
        assert fault.code == "too_many_redirects" and len(pages.paths) == 6


# What is never reached


@pytest.mark.parametrize("manner", [AS_SHOWN, NAMED, UNSEEN])
@pytest.mark.parametrize(
    "leads",
    [
        ("127.0.0.2",),
        ("10.1.2.3",),
        ("169.254.169.254",),
        ("fd00:ec2::254",),
        ("::1",),
        ("::ffff:127.0.0.1",),
        ("64:ff9b::7f00:1",),
        ("2002:7f00:1::",),
        ("0.0.0.0",),
        ("100.64.0.1",),
        ("127.0.0.1", "10.0.0.1"),
    ],
)
async def test_a_name_that_leads_to_what_is_not_public(leads: tuple[str, ...], manner: Manner) -> None:
    async with serving({"*": page("secret")}) as pages:
        fault = await refused(visitor(Names(page_example=[leads])), at(pages), manner)
        assert fault.code == "address_refused" and pages.heads == []


async def test_a_name_that_leads_elsewhere_the_second_time() -> None:
    """What was looked at is what is connected to: the name is not asked again in between."""
    names = Names(page_example=[("127.0.0.1",), ("127.0.0.2",)])
    async with serving({"*": page("here", "text/plain")}) as pages:
        assert (await fetch(visitor(names), at(pages))).text.endswith("here")
        assert names.asked == ["page.example"]
        assert (await refused(visitor(names), at(pages))).code == "address_refused"
        assert len(pages.heads) == 1


async def test_a_name_that_leads_elsewhere_after_a_redirect() -> None:
    names = Names(page_example=[("127.0.0.1",), ("10.0.0.1",)])
    async with serving({"/a": moved("/a/"), "*": page("secret")}) as pages:
        assert (await refused(visitor(names), at(pages, "/a"))).code == "address_refused"
        assert pages.paths == ["/a"]


async def test_a_name_that_leads_nowhere() -> None:
    assert (await refused(visitor(), "http://nowhere.example/")).code == "unknown_host"


def real() -> Visitor:
    return Visitor(proxy_of=no_proxy, limits=Limits(seconds=limit(20)))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_is_reached_by_who_agreed_to_just_that(host: str) -> None:
    async with serving({"*": page("mine", "text/plain")}) as pages:
        url = f"http://{host}:{pages.port}/"
        for manner in (AS_SHOWN, NAMED):
            assert (await fetch(real(), url, manner)).text.endswith("mine")
        fault = await refused(real(), url, UNSEEN)
        assert fault.code == "address_refused" and f"{host}:{pages.port}" in str(fault)
        assert len(pages.heads) == 2


@pytest.mark.parametrize("host", ["169.254.169.254", "[::ffff:a9fe:a9fe]", "0.0.0.0", "[64:ff9b::7f00:1]", "224.0.0.1"])
async def test_some_numbers_are_never_reached_and_nobody_is_asked(host: str) -> None:
    prepared = await WebFetch(real()).prepare({"url": f"http://{host}/latest/meta-data"})
    assert prepared.impossible is not None and prepared.impossible.code == "address_refused"
    assert (await refused(real(), f"http://{host}/")).code == "address_refused"


async def test_what_would_go_through_a_proxy_is_not_sent() -> None:
    async with serving({"*": page("x")}) as pages:
        using = Visitor(
            Guard(Names(page_example=[("127.0.0.1",)]), as_if_public), proxy_of=lambda _: "http://proxy:3128"
        )
        fault = await refused(using, at(pages))
        assert fault.code == "proxy_in_use" and "NO_PROXY" in str(fault) and pages.heads == []


# Whom it believes


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of page.example, signed by itself."""
    folder = tmp_path_factory.mktemp("certificate")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=page.example"]
    names = ["-addext", "subjectAltName=DNS:page.example", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*made, *names], cwd=folder, check=True, capture_output=True)
    yield folder


def of(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def trusting(folder: Path) -> Any:
    return lambda: ssl.create_default_context(cafile=folder / "cert.pem")


async def test_the_server_proves_to_be_the_host_that_was_asked_for(certificate: Path) -> None:
    context = of(certificate)
    told: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: told.append(name)
    names = Names(page_example=[("127.0.0.1",)], other_example=[("127.0.0.1",)])
    async with serving({"*": page("proved", "text/plain")}, context) as pages:
        using = visitor(names, trust=trusting(certificate))
        answer = await fetch(using, f"https://page.example:{pages.port}/")
        assert answer.text.endswith("proved") and told == ["page.example"]
        fault = await refused(using, f"https://other.example:{pages.port}/")
        assert fault.code == "not_trusted" and "other.example" in str(fault)
        assert (await refused(visitor(names), f"https://page.example:{pages.port}/")).code == "not_trusted"
        assert len(pages.heads) == 1


# What its card says


async def test_the_card_shows_the_host_apart_and_what_to_look_out_for() -> None:
    prepared = await WebFetch(real()).prepare({"url": "http://\u0430pple.com:8080/a?b#c"})
    assert prepared.preview.text == "http://xn--pple-43d.com:8080/a?b"
    assert prepared.addresses.named[0].host == "xn--pple-43d.com"
    assert prepared.risk is not None and "U+0430" in " ".join(prepared.risk.notes)

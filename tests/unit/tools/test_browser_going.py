"""Where a page of the browser goes, by itself or with a click, and who is told before: against a real Chromium."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.policy.rules.rule import Effect
from tests.support.scale import limit
from tests.support.web_server import Answer, Pages, moved, page, serving
from tests.unit.tools.test_browser import HERE, SHELL, Desk

pytestmark = pytest.mark.skipif(HERE is None, reason="no Chrome, Edge or Chromium is installed here")
ADMIN = "form.example/admin/*"
ASKED = "A rule asks the user before http://form.example:{port}{path} is reached"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path, SHELL)
    yield desk
    await desk.session.close()
    desk.processes.end_all()


def reached(pages: Pages) -> list[str]:
    """What was asked for, but for the picture that browsers always ask for."""
    return [path for path in pages.paths if path != "/favicon.ico"]


WAYS = [
    "<p>Hello</p><script>location = '/admin/delete'</script>",
    "<p>Hello</p><meta http-equiv=refresh content='0; url=/admin/delete'>",
    "<p>Hello</p><script>fetch('/admin/delete', { method: 'POST' }).catch(() => 0)</script>",
    "<p>Hello</p><iframe src='/admin/delete'></iframe>",
    "<p>Hello</p><form action='/admin/delete' method=post></form><script>document.forms[0].submit()</script>",
    "<p>Hello</p><script>history.replaceState(0, '', '/admin/delete'); location.reload()</script>",
]


@pytest.mark.parametrize("body", WAYS)
async def test_a_page_does_not_go_by_itself_where_a_rule_asks(desk: Desk, body: str) -> None:
    desk.hold(Effect.ASK, ADMIN)
    async with serving({"/": page(body), "*": page("done")}) as pages:
        told = (await desk.do("navigate", url=f"http://form.example:{pages.port}/")).text
        assert ASKED.format(port=pages.port, path="/admin/delete") in told and "use navigate" in told
        assert "/admin/delete" not in pages.paths
        # What was open stays, to be used.
        assert "Hello" in (await desk.do("read")).text
        await desk.do("navigate", url=f"http://form.example:{pages.port}/admin/delete")
        assert "/admin/delete" in pages.paths


async def test_a_redirect_leads_nowhere_that_a_rule_asks_for(desk: Desk) -> None:
    desk.hold(Effect.ASK, ADMIN)
    async with serving({"/": moved("/admin/delete"), "/free": moved("/in"), "*": page("done")}) as pages:
        at = f"http://form.example:{pages.port}"
        fault = await desk.fault("navigate", url=f"{at}/")
        assert fault.code == "not_agreed" and f"{at}/admin/delete" in str(fault)
        await desk.do("navigate", url=f"{at}/free")
        assert reached(pages) == ["/", "/free", "/in"]


SPAN = "<a href='/admin/list'><b><span>List</span></b></a><button onclick=\"location='/admin/delete'\">Go</button>"


async def test_a_click_goes_where_its_card_said_and_a_button_that_says_nothing_does_not(desk: Desk) -> None:
    desk.hold(Effect.ASK, ADMIN)
    lists = (
        "<title>L</title><link rel=stylesheet href=/admin/style.css><button onclick=\"location='/admin/x'\">X</button>"
    )
    async with serving({"/": page(SPAN), "/admin/list": page(lists), "*": page("done")}) as pages:
        at = f"http://form.example:{pages.port}"
        await desk.do("navigate", url=f"{at}/")
        told = (await desk.do("click", selector="button")).text
        assert ASKED.format(port=pages.port, path="/admin/delete") in told
        prepared = await desk.prepare("click", selector="span")
        assert f"It leads to {at}/admin/list." in prepared.preview.note  # type: ignore[operator,union-attr]
        assert [one.path for one in prepared.addresses.named] == ["/", "/admin/list"]
        assert f"{at}/admin/list now" in (await prepared.perform()).text
        assert ASKED.format(port=pages.port, path="/admin/x") in (await desk.do("click", selector="button")).text
        assert reached(pages) == ["/", "/admin/list", "/admin/style.css"]


async def test_what_was_agreed_to_once_is_not_agreed_to_for_the_next_call(desk: Desk) -> None:
    desk.hold(Effect.ASK, ADMIN)
    back = "<button onclick=\"location='/admin/list'\">Again</button>"
    answers: dict[str, Answer] = {"/": page(SPAN), "/admin/list": moved("/after"), "/after": page(back)}
    async with serving(answers) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        assert "/after now" in (await desk.do("click", selector="span")).text
        assert "use navigate" in (await desk.do("click", selector="button")).text
        assert pages.paths.count("/admin/list") == 1


SVG = "<svg width=50 height=50><a {}><rect width=50 height=50></rect></a></svg>"
SLOTTED = (
    "<div id=it><i>word</i></div><script>it.attachShadow({mode: 'open'}).innerHTML = '<a href=/to><slot></slot></a>'"
)
FORM = "<form action=/to>{}</form>"


@pytest.mark.parametrize(
    ("body", "selector"),
    [
        ("<a href=/to><i>word</i></a>", "i"),
        ("<a href=/to><svg width=50 height=50><rect width=50 height=50></rect></svg></a>", "rect"),
        (SVG.format("href=/to"), "rect"),
        (SVG.format("xlink:href=/to"), "rect"),
        (SVG.format("xlink:href=/to"), "svg a"),
        (SLOTTED + "</script>", "i"),
        ("<base href=/sub/><img name=baseURI><a href=../to><i>word</i></a>", "i"),
        (FORM.format("<button><i>word</i></button>"), "i"),
        (FORM.format("<label>words <input type=submit></label>"), "label"),
        (FORM.format("<input name=action><button>Send</button>"), "button"),
        ("<form action=/no><button formaction=/to>Send</button></form>", "button"),
    ],
)
async def test_what_a_click_leads_to_is_told_of_what_lies_in_it(desk: Desk, body: str, selector: str) -> None:
    desk.hold(Effect.ASK, "form.example/to")
    async with serving({"/": page(body), "*": page("there")}) as pages:
        at = f"http://form.example:{pages.port}"
        await desk.do("navigate", url=f"{at}/")
        prepared = await desk.prepare("click", selector=selector)
        assert f" to {at}/to." in prepared.preview.note  # type: ignore[operator,union-attr]
        assert [one.path for one in prepared.addresses.named] == ["/", "/to"]
        assert f"{at}/to" in (await prepared.perform()).text
        assert reached(pages)[-1].startswith("/to")


@pytest.mark.parametrize(
    ("body", "selector", "leads"),
    [
        ("<form><button>Send</button></form>", "button", "/?x=1"),
        ("<base href=/sub/><form action=''><button>Send</button></form>", "button", "/?x=1"),
        ("<form action=/no><button formaction=''>Send</button></form>", "button", "/?x=1"),
        ("<form action=/no><button type=button>Nothing</button></form>", "button", ""),
        ("<a>no link</a>", "a", ""),
    ],
)
async def test_where_a_form_goes_that_names_no_place(desk: Desk, body: str, selector: str, leads: str) -> None:
    async with serving({"*": page(body)}) as pages:
        at = f"http://form.example:{pages.port}"
        await desk.do("navigate", url=f"{at}/?x=1")
        note = str((await desk.prepare("click", selector=selector)).preview.note)  # type: ignore[union-attr]
        assert f"sends its form to {at}{leads}." in note if leads else " to " not in note


INSIDE = [
    "<div id=it style='width:200px'><a href=/to style='display:block'>inner</a></div>",
    "<a id=it href=/shown style='display:block'><form action=/to><button style='width:100%'>inner</button></form></a>",
    (
        "<div id=it></div><script>it.attachShadow({mode: 'open'}).innerHTML = '<style>a { display: block }</style>"
        "<a href=/to>inner</a>'</script>"
    ),
]


@pytest.mark.parametrize("body", INSIDE)
async def test_a_click_that_would_land_on_another_part_is_none(desk: Desk, body: str) -> None:
    async with serving({"/": page(body), "*": page("there")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        fault = await desk.fault("click", selector="#it")
        assert fault.code == "covered" and f"form.example:{pages.port}/to" in str(fault)
        assert reached(pages) == ["/"]


async def test_an_address_that_was_cut_off_is_none(desk: Desk) -> None:
    async with serving({"*": page(f"<a href='/{'x' * 3_000}'>long</a>")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        prepared = await desk.prepare("click", selector="a")
        assert [one.path for one in prepared.addresses.named] == ["/"]


POLLS = "<p>Hello</p><script>setInterval(() => fetch('http://near.example:PORT/stolen').catch(() => 0), 1)</script>"


async def test_a_page_that_is_left_gets_nothing_of_what_holds_for_the_next(desk: Desk) -> None:
    """A rule asks for a host, which the next page is on: while that one loads, the one before still asks for things."""
    desk.hold(Effect.ASK, "near.example")
    asked = asyncio.Event()

    async def slow(writer: asyncio.StreamWriter) -> None:
        asked.set()
        await go_on.wait()
        writer.write(page("near"))

    go_on = asyncio.Event()
    async with serving({"/near": slow, "*": page("x", Access_Control_Allow_Origin="*")}) as pages:
        pages.answers["/"] = page(POLLS.replace("PORT", str(pages.port)))
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        opening = asyncio.create_task(desk.do("navigate", url=f"http://near.example:{pages.port}/near"))
        async with asyncio.timeout(limit(20)):
            await asked.wait()
        assert desk.session._pipe is not None
        for _ in range(20):
            await desk.session._pipe.ask("Browser.getVersion")
        go_on.set()
        await opening
        assert "/stolen" not in pages.paths


async def test_no_page_holds_on_to_itself(desk: Desk) -> None:
    stays = (
        "<button>Stay</button><script>onbeforeunload = (event) => { event.preventDefault(); return 'stay'; }</script>"
    )
    async with serving({"/": page(stays), "*": page("<p>elsewhere")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        await desk.do("click", selector="button")
        for url in (f"http://form.example:{pages.port}/next", f"http://other.example:{pages.port}/next"):
            await desk.do("navigate", url=url)
            assert "elsewhere" in (await desk.do("read")).text

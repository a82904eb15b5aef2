"""What a page cannot do in the browser, against a real Chromium: send packets, flood, or be of no use by one part."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.model.errors import ToolFault
from tests.support.scale import limit
from tests.support.web_server import page, serving
from tests.unit.tools.test_browser import HERE, Desk

pytestmark = pytest.mark.skipif(HERE is None, reason="no Chrome, Edge or Chromium is installed here")


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    await desk.session.close()
    desk.processes.end_all()


class Packets(asyncio.DatagramProtocol):
    """What comes without any connection."""

    def __init__(self) -> None:
        self.came: list[bytes] = []

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.came.append(data)


PEERS = """<p id=out>not yet</p><iframe srcdoc="<p>"></iframe><script>
  const Peer = globalThis.RTCPeerConnection ?? frames[0].RTCPeerConnection;
  const names = ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"].filter((name) => name in globalThis);
  const done = () => { out.textContent = `gathered, with ${names.length} ways`; };
  if (Peer) {
    const peer = new Peer({ iceServers: [{ urls: "stun:127.0.0.1:PORT" }] });
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done();
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  } else done();
</script>"""


@pytest.mark.parametrize("scripted", [True, False])
async def test_no_page_sends_packets(desk: Desk, monkeypatch: pytest.MonkeyPatch, scripted: bool) -> None:
    """Neither with what scripts have, nor, where they have it after all, by the browser's own doing."""
    if not scripted:
        monkeypatch.setattr("assent.web.browser.scripts.TAKEN_AWAY", "")
    loop = asyncio.get_running_loop()
    transport, packets = await loop.create_datagram_endpoint(Packets, ("127.0.0.1", 0), family=socket.AF_INET)
    port = transport.get_extra_info("sockname")[1]
    try:
        async with serving({"/": page(PEERS.replace("PORT", str(port)))}) as pages:
            await desk.do("navigate", url=f"http://form.example:{pages.port}/")
            while "gathered, with" not in (told := (await desk.do("read")).text) and not packets.came:
                pass
            assert packets.came == [] and ("with 0 ways" in told) is scripted
    finally:
        transport.close()


@pytest.mark.parametrize(
    "part",
    [
        "<form action='http://'><button>Send</button></form>",
        "<img name=baseURI><form name=baseURI action=/x><button>Send</button></form>",
        "<form name=querySelectorAll><button>Send</button></form>",
    ],
)
async def test_one_odd_form_leaves_the_page_of_use(desk: Desk, part: str) -> None:
    async with serving({"/": page(f"<p>Hello</p>{part}")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        told = (await desk.do("read")).text
        assert "Hello" in told and "button “Send”" in told
        assert "clicks on the button “Send”" in str((await desk.prepare("click", selector="button")).preview)


FLOOD = """<script>for (let at = 0; at < 300; at++) fetch(`/big?${at}`).catch(() => 0)</script>"""


async def test_a_page_that_asks_for_much_gets_a_measure_of_it_a_few_at_a_time(desk: Desk) -> None:
    body = page(b"y" * 3 * 1024 * 1024)
    open_now, most = 0, 0

    async def big(writer: asyncio.StreamWriter) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        # Nothing is answered before all was asked for, however slow the browser is.
        await noted(desk, "things at once")
        open_now -= 1
        writer.write(body)

    async with serving({"/": page(FLOOD), "*": big}) as pages:
        answer = await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        assert "more than 200 things at once" in answer.text and "more than 64 MB" in answer.text
        assert 1 <= most <= 6
        assert len(pages.paths) - 1 <= 64 // 3 + 1 + 6


POLLS = "<p>Hello</p><script>setInterval(() => fetch(`/poll?${Date.now()}`).catch(() => 0), 20)</script>"


async def refused(desk: Desk) -> None:
    """Waits until the page has asked for something that it did not get."""
    desk.session.serving.notes.clear()
    await noted(desk, "while no call was under way")


async def noted(desk: Desk, words: str) -> None:
    """Waits until this was noted of the page."""
    async with asyncio.timeout(limit(20)):
        while not any(words in note for note in desk.session.serving.notes):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_between_two_calls_a_page_sends_nothing(desk: Desk) -> None:
    async with serving({"/": page(POLLS), "*": page("x")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        assert len(pages.paths) > 1
        await refused(desk)
        while desk.session._answering.busy:  # noqa: ASYNC110 - what was sent before is answered still
            await asyncio.sleep(0.01)
        sent = len(pages.paths)
        await refused(desk)
        await refused(desk)
        assert len(pages.paths) == sent
        assert "while no call was under way" in (await desk.do("read")).text


async def test_a_call_that_is_stopped_ends_what_the_page_loads(desk: Desk) -> None:
    over = asyncio.Event()

    async def silent(writer: asyncio.StreamWriter) -> None:
        await over.wait()

    hangs = "<script>fetch('/slow').catch(() => { document.title = 'given up'; })</script>"
    async with serving({"/": page(f"{hangs}{POLLS}"), "/slow": silent, "*": page("x")}) as pages:
        opening = asyncio.create_task(desk.do("navigate", url=f"http://form.example:{pages.port}/"))
        async with asyncio.timeout(limit(20)):
            while "/slow" not in pages.paths:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        over.set()
        assert desk.session._answering.busy == 0
        sent = len(pages.paths)
        await refused(desk)
        assert len(pages.paths) == sent
        async with asyncio.timeout(limit(5)):
            while "given up" not in (await desk.do("read")).text:
                pass


async def test_rules_are_asked_for_where_a_click_leads(desk: Desk) -> None:
    parts = "<a href='/admin/delete?x=1'>go</a><form action=/sent><button>Send</button></form>"
    async with serving({"/": page(parts)}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        for selector, path in (("a", "/admin/delete"), ("button", "/sent")):
            reached = (await desk.prepare("click", selector=selector)).addresses.named
            assert [one.path for one in reached] == ["/", path]


GREEDY = "<p>Hello</p><script>const all = []; setInterval(() => all.push(new Uint8Array(3e7).fill(7)), 1)</script>"


async def test_a_page_that_takes_all_memory_ends_its_browser_and_it_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.web.browser.starting.MOST_MEMORY", 700 * 1024**2)
    async with serving({"/": page(GREEDY), "/fine": page("<p>fine")}) as pages:
        at = f"http://form.example:{pages.port}"
        codes: list[str] = []
        async with asyncio.timeout(limit(40)):
            try:
                await desk.do("navigate", url=f"{at}/")
                while True:
                    await desk.session.evaluate("1")
            except ToolFault as fault:
                assert fault.code == "browser_failed" and "used more than 700 MB of memory" in str(fault)
                codes.append(fault.code)
        assert codes and (await desk.fault("read")).code == "no_page"
        await desk.do("navigate", url=f"{at}/fine")
        assert "fine" in (await desk.do("read")).text

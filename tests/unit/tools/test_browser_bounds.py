"""What a page cannot do in the browser, against a real Chromium: send packets, flood, or be of no use by one part."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.web_server import page, serving
from tests.unit.tools.test_browser_tool import HERE, Desk

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

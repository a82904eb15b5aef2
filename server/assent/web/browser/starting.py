"""How a browser is started so that it reaches nothing by itself, and what is said where it does not start."""

from assent.model.errors import ToolFault
from assent.runtime.starts import Bounds, Start
from assent.web.browser.installed import WITHOUT_SANDBOX, Installed

MOST_PROCESSES = 64
"""A page of many origins has one for each."""
MOST_MEMORY = 3 * 1024**3
"""Bytes of all of them together: as much as several large pages take, so that one page cannot take the machine."""

_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--deny-permission-prompts",
    "--mute-audio",
    "--window-size=1280,800",
    # It reaches nothing by itself, by no name, no number, and no way around these: its requests are made here.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://0.0.0.0:9",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def start_of(installed: Installed, profile: str, page: str) -> Start:
    """The program and what it is told, with nothing of the user's own."""
    words = (*_FLAGS, f"--user-data-dir={profile}", *(() if installed.sandbox else ("--no-sandbox",)), page)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": profile, "LANG": "C.UTF-8"}
    bounds = Bounds(MOST_PROCESSES, MOST_MEMORY)
    return Start((installed.program, *words), profile, environment, bounds=bounds)


def not_started(installed: Installed, said: str) -> ToolFault:
    """What the browser said last, and what the user can do."""
    lines = [line for line in said.strip().split("\n") if line.strip()]
    words = "".join(sign for sign in (lines[-1] if lines else "") if sign.isprintable())[:300]
    advice = (
        f" If this machine cannot give it its own sandbox, the user can set {WITHOUT_SANDBOX}=1 where the editor is"
        " started; pages then run with less between them and this machine."
    )
    text = f"The browser {installed.program} did not start. It says: “{words}”."
    return ToolFault("browser_failed", text + (advice if installed.sandbox else ""))

"""How a browser is started so that it reaches nothing by itself, and what is said where it does not start."""

from assent.model.errors import ToolFault
from assent.web.browser.installed import WITHOUT_SANDBOX, Installed

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
    # It reaches nothing by itself, by no name, no number, and no way around these: its requests are made here.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://0.0.0.0:9",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def words_for(installed: Installed, profile: str, width: int, height: int) -> tuple[str, ...]:
    """The program and what it is told."""
    own = (f"--window-size={width},{height}", f"--user-data-dir={profile}")
    return (installed.program, *_FLAGS, *own, *(() if installed.sandbox else ("--no-sandbox",)))


def environment_in(profile: str) -> dict[str, str]:
    """Nothing of the user's own."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": profile, "LANG": "C.UTF-8"}


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

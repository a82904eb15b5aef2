"""browser against a real Chromium and real servers on this machine, which only a test's own guard calls public."""
# ruff: noqa: ASYNC240 - a look at a file or two

import asyncio
import os
import shutil
from base64 import b64decode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import AS_SHOWN, Manner, Prepared, ToolAnswer
from assent.model.addresses import Address
from assent.model.errors import ToolFault
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.policy.pages import restriction_on
from assent.policy.rules.reserved import Number, Reach, reach_of
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules
from assent.runtime.processes import Processes
from assent.shells.workplace import Workplace
from assent.tools.browser import Browser
from assent.web.browser.installed import PROGRAM, WITHOUT_SANDBOX, Installed, find_browser
from assent.web.browser.serving import Serving
from assent.web.browser.session import BrowserSession
from assent.web.guard import Guard
from assent.web.visit import Limits, Visitor
from tests.support.address_calls import web_book
from tests.support.scale import ALL, limit
from tests.support.web_server import Answer, moved, page, serving

HERE = find_browser({"PATH": os.environ["PATH"], WITHOUT_SANDBOX: "1"}, ())
SHELL = Installed(shell, sandbox=False) if not ALL and (shell := shutil.which("chromium-headless-shell")) else HERE
"""It goes where the whole browser goes, in half of the time. What a browser sends besides differs between them."""
pytestmark = pytest.mark.skipif(HERE is None, reason="no Chrome, Edge or Chromium is installed here")
UNSEEN = Manner(unseen=True)
FORM = """<!doctype html><title>Form</title><h1>Sign up</h1>
<form action="/done" method="post"><label>Your name <input name="who"></label>
<select name="what"><option>tea<option>coffee</select><button>Send it</button></form>
<a href="http://other.example/">away</a> <a href="/next">next</a>"""


def as_if_public(number: Number) -> Reach:
    return Reach.PUBLIC if str(number) == "127.0.0.1" else reach_of(number)


async def names(name: str, port: int) -> tuple[str, ...]:
    return {"bad.example": ("10.0.0.1",)}.get(name, ("127.0.0.1",))


class Desk:
    """A chat's browser, and what it is told to do."""

    def __init__(self, folder: Path, installed: Installed | None = HERE) -> None:
        self.rules = Rules(Mode.ASK)
        visitor = Visitor(Guard(names, as_if_public), proxy_of=lambda _: "", limits=Limits(seconds=limit(20)))
        self.processes = Processes()
        self.session = BrowserSession(self.processes, Serving(visitor, self._restriction), Workplace(SessionId("s")))
        self.tool = Browser(lambda: self.session, lambda: installed, visitor, lambda: str(folder))

    def hold(self, effect: Effect, *patterns: str) -> None:
        self.rules = Rules(Mode.ASK, book=web_book(effect, *patterns))

    def _restriction(self, address: Address, agreed: tuple[Address, ...]) -> Effect | None:
        return restriction_on(self.rules, address, agreed)

    async def prepare(self, action: str, **args: Any) -> Prepared:
        given = {"action": action, **args}
        assert self.tool.fault(given) is None
        return await self.tool.prepare(given)

    async def do(self, action: str, manner: Manner = AS_SHOWN, **args: Any) -> ToolAnswer:
        return await (await self.prepare(action, **args)).carry_out((), manner)

    async def fault(self, action: str, manner: Manner = AS_SHOWN, **args: Any) -> ToolFault:
        with pytest.raises(ToolFault) as fault:
            await self.do(action, manner, **args)
        return fault.value


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    await desk.session.close()
    desk.processes.end_all()


async def test_a_form_is_read_filled_in_and_sent(desk: Desk) -> None:
    answers: dict[str, Answer] = {"/": page(FORM), "/done": page("<title>Thanks</title><p>It came.")}
    async with serving(answers) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        told = (await desk.do("read")).text
        assert "Sign up" in told and "text field “Your name”" in told and "button “Send it”" in told

        prepared = await desk.prepare("fill", selector="input[name=who]", text="Ada & Co")
        assert prepared.headline == f"Type into text field “Your name” at http://form.example:{pages.port}"
        assert prepared.preview.note == "Into the text field “Your name” it types: Ada & Co"  # type: ignore[union-attr]
        assert prepared.grant_key == f"browser:http://form.example:{pages.port}"
        await prepared.perform()
        await desk.do("fill", selector="select", text="coffee")
        assert pages.paths.count("/done") == 0

        ref = next(line.split("]")[0][1:] for line in told.split("\n") if "button “Send it”" in line)
        prepared = await desk.prepare("click", ref=ref)
        assert "sends its form to" in prepared.preview.note  # type: ignore[operator,union-attr]
        answer = await prepared.perform()
        assert "/done now" in answer.text
        assert pages.bodies[pages.paths.index("/done")] == b"who=Ada+%26+Co&what=coffee"
        assert "It came." in (await desk.do("read")).text


async def test_the_profile_is_the_chats_own_and_keeps_cookies_while_it_lasts(desk: Desk) -> None:
    async with serving({"/": page("one", Set_Cookie="seen=yes; Path=/"), "/next": page("two")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        await desk.do("navigate", url=f"http://form.example:{pages.port}/next")
        assert "seen=yes" in pages.heads[pages.paths.index("/next")]
        profile = Path(desk.session._place.scratch)
        assert profile.is_dir()
        await desk.session.close()
        assert not profile.exists()
        assert (await desk.fault("read")).code == "no_page"


async def test_another_origin_needs_a_call_of_its_own(desk: Desk) -> None:
    async with serving({"/": page(FORM), "*": page("elsewhere")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        link = f"<a href='http://other.example:{pages.port}/x'>away</a>"
        pages.answers["/links"] = page(link)
        await desk.do("navigate", url=f"http://form.example:{pages.port}/links")
        answer = await desk.do("click", selector="a")
        assert f"wanted to go to http://other.example:{pages.port}/x" in answer.text
        assert "/x" not in pages.paths
        prepared = await desk.prepare("navigate", url=f"http://other.example:{pages.port}/x")
        assert prepared.grant_key == f"browser:http://other.example:{pages.port}"


async def test_a_redirect_to_another_origin_is_not_followed(desk: Desk) -> None:
    async with serving({"/": moved("/in"), "/in": page("inside"), "/out": moved("http://other.example/x")}) as pages:
        at = f"http://form.example:{pages.port}"
        assert f"{at}/in" in (await desk.do("navigate", url=f"{at}/")).text
        fault = await desk.fault("navigate", url=f"{at}/out")
        assert fault.code == "redirected" and "http://other.example/x" in str(fault)


async def test_what_a_page_loads_is_looked_at_as_well(desk: Desk) -> None:
    async with serving({"*": page("secret", Access_Control_Allow_Origin="*")}) as pages:
        at = f"http://form.example:{pages.port}"
        sources = [
            "http://169.254.169.254/latest/",
            f"http://bad.example:{pages.port}/bad",
            f"http://denied.example:{pages.port}/denied",
            f"http://[::1]:{pages.port}/six",
            f"http://allowed.example:{pages.port}/allowed",
        ]
        images = "".join(f"<img src='{one}'>" for one in sources)
        pages.answers["/"] = page(f"<p>Text{images}")
        desk.hold(Effect.DENY, "denied.example")
        answer = await desk.do("navigate", url=f"{at}/")
        assert "/allowed" in pages.paths and not {"/bad", "/denied", "/six"} & set(pages.paths)
        for words in ("169.254.169.254", "bad.example leads to 10.0.0.1", "A rule denies http://denied.example:"):
            assert words in answer.text


async def test_the_browser_itself_reaches_nothing(desk: Desk) -> None:
    """Sockets and windows are not asked for here, so what they want must end in the browser: even on its own host."""
    script = """<p id=out>not yet</p><script>
      const at = location.host;
      const socket = new WebSocket(`ws://${at}/socket`);
      socket.onerror = socket.onopen = () => { out.textContent = "the socket has ended"; };
    </script><button onclick="window.open('/window')">Open</button>"""
    async with serving({"*": page("secret")}) as pages:
        pages.answers["/"] = page(script)
        await desk.do("navigate", url=f"http://localhost:{pages.port}/")
        while "the socket has ended" not in (await desk.do("read")).text:
            pass
        assert "opened a window" in (await desk.do("click", selector="button")).text
        assert not {"/window", "/socket"} & set(pages.paths) and "/" in pages.paths


async def test_dialogs_windows_and_downloads_do_not_last(desk: Desk) -> None:
    async with serving({"*": page("x", "application/zip", Content_Disposition="attachment; filename=a.zip")}) as pages:
        pages.answers["/"] = page(
            "<button onclick=\"alert('hello'); window.open('/pop'); location='/file.zip'\">Do</button>"
        )
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        answer = await desk.do("click", selector="button")
        assert "'hello'" in answer.text and "opened a window, which was closed" in answer.text
        assert "/pop" not in pages.paths and list(Path(desk.session._place.scratch).rglob("*.zip*")) == []
        assert "Do" in (await desk.do("read")).text


async def test_only_what_was_shown_is_clicked(desk: Desk) -> None:
    async with serving({"*": page("<button onclick=\"location='/clicked'\">Go</button>")}) as pages:
        at = f"http://form.example:{pages.port}"
        await desk.do("navigate", url=f"{at}/")
        prepared = await desk.prepare("click", selector="button")
        await desk.session.evaluate("document.querySelector('button').textContent = 'Buy it'")
        with pytest.raises(ToolFault) as changed:
            await prepared.perform()
        prepared = await desk.prepare("click", selector="button")
        await desk.do("navigate", url=f"{at}/")
        with pytest.raises(ToolFault) as gone:
            await prepared.perform()
        assert changed.value.code == gone.value.code == "changed_since"
        cover = "position:fixed;inset:0;background:red"
        await desk.session.evaluate(f"document.body.insertAdjacentHTML('beforeend', '<div style=\"{cover}\"></div>')")
        assert (await desk.fault("click", selector="button")).code == "covered"
        assert "/clicked" not in pages.paths


async def test_this_machine_is_opened_by_who_agreed_to_just_that(desk: Desk, tmp_path: Path) -> None:
    async with serving({"*": page("<p>mine")}) as pages:
        visitor = Visitor(proxy_of=lambda _: "", limits=Limits(seconds=limit(20)))
        desk.session.serving._visitor = visitor
        url = f"http://localhost:{pages.port}/"
        assert (await desk.fault("navigate", UNSEEN, url=url)).code == "address_refused"
        assert pages.heads == []
        await desk.do("navigate", url=url)
        assert "mine" in (await desk.do("read", UNSEEN)).text
        assert (await desk.fault("navigate", url="http://169.254.169.254/")).code == "address_refused"


async def test_a_picture_of_the_page(desk: Desk, tmp_path: Path) -> None:
    async with serving({"*": page("<h1>Hello</h1>")}) as pages:
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        answer = await desk.do("screenshot")
        assert answer.made is not None and answer.made.mime == "image/png"
        data = Path(answer.made.path).read_bytes()
        assert data.startswith(b"\x89PNG") and Path(answer.made.path).parent == tmp_path
        [seen] = answer.pictures
        assert b64decode(seen.content) == data and f"[image {seen.name}: PNG, " in answer.text


async def test_without_a_browser_pages_are_only_read_and_it_says_so(desk: Desk) -> None:
    desk.tool._installed = lambda: None
    async with serving({"*": page("<h1>Hello</h1>")}) as pages:
        answer = await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        assert "No browser" in answer.text and "# Hello" in answer.text
        assert (await desk.fault("click", selector="h1")).code == "no_page"


@pytest.mark.parametrize(
    "args",
    [
        {"action": "navigate"},
        {"action": "navigate", "url": "file:///etc/passwd"},
        {"action": "read", "url": "https://example.org"},
        {"action": "click"},
        {"action": "click", "ref": "e1", "selector": "a"},
        {"action": "click", "ref": "x1"},
        {"action": "fill", "ref": "e1"},
        {"action": "screenshot", "text": "x"},
        {"action": "evaluate"},
    ],
)
def test_browser_arguments_that_do_not_fit(args: Any, tmp_path: Path) -> None:
    assert Desk(tmp_path).tool.fault(args) is not None


async def test_an_answer_that_no_browser_takes_ends_the_request(desk: Desk) -> None:
    async with serving({"*": b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"}) as pages:
        assert (await desk.fault("navigate", url=f"http://form.example:{pages.port}/")).code == "no_answer"
        pages.answers["/"] = page("<p>fine <img src=/odd>")
        await desk.do("navigate", url=f"http://form.example:{pages.port}/")
        assert "fine" in (await desk.do("read")).text


async def test_a_browser_that_was_killed_is_missed_once(desk: Desk) -> None:
    async with serving({"*": page("<p>fine")}) as pages:
        url = f"http://form.example:{pages.port}/"
        await desk.do("navigate", url=url)
        assert desk.session._pipe is not None and desk.session._pipe._running is not None
        desk.session._pipe._running.kill()
        await desk.session._pipe._running.ended()
        while desk.session.state:  # noqa: ASYNC110 - the end of a pipe is told in the next rounds of the loop
            await asyncio.sleep(0)
        assert (await desk.fault("read")).code == "no_page"
        await desk.do("navigate", url=url)
        assert "fine" in (await desk.do("read")).text


async def test_a_browser_that_does_not_start_says_what_can_be_done(desk: Desk, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho 'No usable sandbox!' >&2\nexit 1\n")
    program.chmod(0o755)
    desk.tool._installed = lambda: Installed(str(program))
    fault = await desk.fault("navigate", url="http://form.example/")
    assert fault.code == "browser_failed" and "No usable sandbox!" in str(fault) and WITHOUT_SANDBOX in str(fault)
    assert not Path(desk.session._place.scratch).exists()


def test_a_browser_inside_an_open_folder_is_none(tmp_path: Path) -> None:
    inside, outside = tmp_path / "open" / "bin", tmp_path / "programs"
    for folder in (inside, outside):
        folder.mkdir(parents=True)
        (folder / "chromium").write_text("#!/bin/sh\n")
        (folder / "chromium").chmod(0o755)
    roots = (str(tmp_path / "open"),)
    linked = tmp_path / "linked"
    linked.symlink_to(inside / "chromium")
    both = {"PATH": f"{inside}{os.pathsep}.{os.pathsep}{outside}"}
    found = find_browser(both, roots)
    assert found == Installed(str(outside / "chromium"))
    assert find_browser({PROGRAM: str(linked)}, roots) is None
    assert find_browser({PROGRAM: "chromium", **both}, roots) is None
    assert find_browser({**both, WITHOUT_SANDBOX: "1"}, roots) == Installed(str(outside / "chromium"), sandbox=False)

"""A picture from the wish to the page: asked for on a card, drawn by the chat's model, shown from its file."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from devtools import client, playground
from devtools.processes import Background, environment
from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import Scene
from tests.e2e.consent_panel import ConsentPanel
from tests.e2e.limits import milliseconds
from tests.support.scale import limit

PROMPT = "a house at night"
DRAWING = (
    '<svg viewBox="0 0 120 80"><script>document.title = "acted"</script><rect width="120" height="80" fill="#123"/>'
    '<rect x="40" y="35" width="40" height="35" fill="#c96" onclick="alert(1)"/>'
    '<circle cx="95" cy="18" r="9" fill="#fec"/></svg>'
)
ASKED = f'The picture has viewBox="0 0 512 512". What it shows:\n\n{PROMPT}'


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    client.build()
    settings = tmp_path / "workspace" / ".vscode" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"assent.agent": "Scripted"}))
    script = tmp_path / "turns.json"
    wish = {"call": "generate_image", "args": {"prompt": PROMPT, "path": "house.svg"}}
    turns = [[wish], [{"text": "There it is."}]]
    script.write_text(json.dumps({"turns": turns, "conversations": {ASKED: [[{"text": DRAWING}]]}}))
    command = playground.command(tmp_path / "workspace", None, open_browser=False)
    env = environment(ASSENT_STATE_DIR=str(tmp_path / "state"))
    server = Background([*command, "--script", str(script)], cwd=tmp_path, env=env, log=tmp_path / "playground.log")
    server.wait_for("http://127.0.0.1:", limit(60))
    yield next(word for word in server.output.split() if word.startswith("http://127.0.0.1:"))
    server.end()


async def test_what_the_model_draws_is_shown_until_the_file_is_another_one(
    scene: Scene, address: str, tmp_path: Path
) -> None:
    page = (await scene.window()).page
    await page.goto(address)
    chat = ChatPage(page)
    await chat.is_ready()
    panel = await ConsentPanel(chat).appears()
    await panel.tick("New chats would start with the agent “Scripted”.")
    await panel.honour()
    await page.locator("button[aria-label='New chat']").click()
    await chat.composer_of("Scripted").wait_for(timeout=milliseconds(30))
    await chat.send("Draw, please.")
    card = chat.card("house.svg")
    await card.appears()
    await chat.shows("The model of this chat draws it")
    await card.approve()
    picture = page.get_by_role("img", name=PROMPT)
    await expect(picture).to_be_visible(timeout=milliseconds(30))
    if shots := os.environ.get("ASSENT_SHOTS"):
        await page.screenshot(path=f"{shots}/playground.png")
    assert await picture.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [120, 80]
    assert await page.title() != "acted"
    file = tmp_path / "workspace" / "house.svg"
    assert "script" not in file.read_text()

    await page.reload()
    await expect(picture).to_be_visible(timeout=milliseconds(30))
    file.write_text("another one")
    await page.reload()
    await chat.shows("It is not shown: the file is another one by now")

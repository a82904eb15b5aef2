"""How a waiting card looks in each theme, switched while it waits, and in a narrow side bar; what axe says about it."""

import pytest
from playwright.async_api import expect

from devtools.places import TEST_RESULTS
from tests.e2e.accessible import violations
from tests.e2e.limits import milliseconds
from tests.e2e.themes import THEMES, wear
from tests.e2e.workbench import Workbench

pytestmark = pytest.mark.long("test/page/looks.test.ts has every state of a card in every theme and width")

SCREENS = TEST_RESULTS / "screens"


async def _a_waiting_card(window: Workbench) -> str:
    """Its id."""
    await window.chat.send("read README.md")
    await window.chat.has_rows("done")
    await window.chat.send("write hello to greeting.txt")
    card = await window.chat.card("greeting.txt").appears()
    await card.armed("Approve")
    return await card.approval_id()


async def test_a_waiting_card_follows_the_theme_and_can_be_answered_in_the_last_one(in_editor: Workbench):
    waiting = await _a_waiting_card(in_editor)
    chat = in_editor.chat
    SCREENS.mkdir(parents=True, exist_ok=True)
    grounds = set()
    for name, theme in THEMES.items():
        await wear(in_editor, theme)
        assert await chat.card("greeting.txt").approval_id() == waiting
        await in_editor.page.screenshot(path=SCREENS / f"{name}.png")
        assert await violations(chat) == []
        grounds.add(await chat.root.locator("assent-app").evaluate("app => getComputedStyle(app).backgroundColor"))
    assert len(grounds) == len(THEMES)
    await chat.card("greeting.txt").approve()
    await chat.has_rows("done", 2)
    assert in_editor.file("greeting.txt").read_text() == "hello"


async def test_a_card_in_a_narrow_side_bar(in_editor: Workbench):
    await in_editor.narrow_side_bar(250)
    await _a_waiting_card(in_editor)
    SCREENS.mkdir(parents=True, exist_ok=True)
    await in_editor.page.screenshot(path=SCREENS / "narrow.png")
    approve = in_editor.chat.card("greeting.txt").button("Approve")
    box = await approve.bounding_box()
    bar = await in_editor.page.locator(".part.sidebar").bounding_box()
    assert box is not None
    assert bar is not None
    assert bar["width"] <= 260
    assert box["x"] + box["width"] <= bar["x"] + bar["width"]


async def test_a_card_at_twice_the_size(in_editor: Workbench):
    await _a_waiting_card(in_editor)
    await in_editor.page.set_viewport_size({"width": 640, "height": 400})
    approve = in_editor.chat.card("greeting.txt").button("Approve")
    await approve.scroll_into_view_if_needed()
    await expect(approve).to_be_in_viewport(ratio=1, timeout=milliseconds(30))
    await in_editor.page.screenshot(path=SCREENS / "twice.png")
    assert await violations(in_editor.chat) == []

"""What the accessibility checker finds wrong with the chat page, as it is drawn in the editor."""

import json

from devtools.places import CLIENT
from tests.e2e.chat_page import ChatPage

_AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"


async def violations(chat: ChatPage) -> list[str]:
    """A line for each."""
    body = await chat.root.locator("body").element_handle()
    frame = await body.owner_frame()
    assert frame is not None
    await frame.evaluate(_AXE.read_text(encoding="utf-8"))
    found = await frame.evaluate("() => axe.run(document).then((result) => JSON.stringify(result.violations))")
    return [f"{each['id']}: {each['help']}: {[n['html'] for n in each['nodes']]}" for each in json.loads(found)]

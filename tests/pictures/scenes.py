"""What each picture of the documentation shows, and how the page comes to show it: a person types and clicks."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from devtools.places import CLIENT
from tests.e2e.chat_page import ChatPage

FILES = {
    "README.md": "# A small tool\n\nIt counts words.\n",
    "count.py": "import sys\n\n\ndef count(text):\n    return len(text.split())\n\n\nprint(count(sys.stdin.read()))\n",
    "build/old.txt": "left over\n",
    "src/notes.txt": "TODO: count lines as well\n",
}
"""The folder that the agent works in."""

COMMAND = "run: grep -rn TODO src | sort > todo.txt && rm -r build"
CHANGE = "replace text.split() with text.casefold().split() in count.py"


@dataclass(frozen=True)
class Picture:
    """One of them: in which theme, how large, and what is done before it is taken."""

    name: str
    pose: Callable[[ChatPage], Awaitable[None]]
    theme: str = "light"
    width: int = 460
    height: int = 620

    @property
    def file_name(self) -> str:
        return f"{self.name}.png"

    @property
    def variables(self) -> dict[str, str]:
        """The theme's, as the editor hands them to the page."""
        themes = json.loads((CLIENT / "test" / "page" / "themes.json").read_text(encoding="utf-8"))
        found: dict[str, str] = themes[self.theme]
        return found


async def _command(chat: ChatPage) -> None:
    await chat.send(COMMAND)
    await (await chat.card().appears()).armed("Approve")


async def _change(chat: ChatPage) -> None:
    await chat.send(CHANGE)
    await (await chat.card("count.py").appears()).armed("Approve")


async def _several(chat: ChatPage) -> None:
    await chat.send('write "one" to a.txt and write "two" to b.txt and write "DEBUG=1" to .env')
    await (await chat.card("b.txt").appears()).armed("Approve")
    await chat.root.get_by_role("button", name="Choose…", exact=True).click()
    await chat.shows("Only these 3")
    await chat.root.locator('button[data-all][aria-disabled="false"]').first.wait_for()


async def _allowed(chat: ChatPage) -> None:
    await chat.send(CHANGE)
    await (await chat.card("count.py").appears()).answer("Allow edit_file for this chat")
    await chat.has_rows("done")
    await chat.root.get_by_role("button", name="What is allowed").click()
    panel = chat.root.get_by_role("region", name="What is allowed")
    await panel.get_by_role("heading", name="Sandbox").wait_for()
    await panel.locator(".all:not(.unarmed)").wait_for()


PICTURES = (
    Picture("command", _command, height=760),
    Picture("change", _change, theme="dark", height=660),
    Picture("several", _several, height=640),
    Picture("allowed", _allowed, height=720),
    Picture("narrow", _change, width=250, height=760),
    Picture("high-contrast", _command, theme="high-contrast", height=760),
)

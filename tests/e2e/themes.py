"""The editor's own themes, and how to tell that the chat page has one."""

import json
import re
from dataclasses import dataclass

from playwright.async_api import expect

from tests.e2e.limits import milliseconds
from tests.e2e.workbench import Workbench


@dataclass(frozen=True)
class Theme:
    """One of them: what the editor calls it, and what it calls a page in it."""

    name: str
    body_class: str

    @property
    def settings(self) -> dict[str, object]:
        return {"workbench.colorTheme": self.name}


THEMES = {
    "dark": Theme("Default Dark Modern", "vscode-dark"),
    "high-contrast": Theme("Default High Contrast", "vscode-high-contrast"),
    "high-contrast-light": Theme("Default High Contrast Light", "vscode-high-contrast-light"),
    "light": Theme("Default Light Modern", "vscode-light"),
}


async def wear(window: Workbench, theme: Theme) -> None:
    """Puts it on by the folder's settings, which an open window follows, and waits until the chat page has it."""
    settings = window.file(".vscode/settings.json")
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps(theme.settings), encoding="utf-8")
    body = window.chat.root.locator("body")
    await expect(body).to_have_class(re.compile(rf"(^|\s){theme.body_class}(\s|$)"), timeout=milliseconds(30))
    # The light one with high contrast counts as high contrast, too, so its name has to go with it.
    name = re.compile(re.escape(theme.name.removeprefix("Default ")))
    await expect(body).to_have_attribute("data-vscode-theme-id", name, timeout=milliseconds(30))

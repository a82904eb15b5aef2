"""The chat page as a person uses it, in the editor and in the plain browser alike: by names, not by markup."""

import re
import time
from contextlib import suppress
from functools import partial

from playwright.async_api import FloatRect, FrameLocator, Locator, Page, expect

from tests.e2e.limits import milliseconds, until, until_it_counts

_PATIENCE = 30
_ARMED_AFTER = 0.6
_MORE = "Don’t ask again…"
_CLICKS = 4


class Card:
    """One approval card."""

    def __init__(self, locator: Locator) -> None:
        self.locator = locator

    async def appears(self) -> "Card":
        await expect(self.locator).to_be_visible(timeout=milliseconds(_PATIENCE))
        return self

    async def is_gone(self) -> None:
        await expect(self.locator).to_have_count(0, timeout=milliseconds(_PATIENCE))

    async def approval_id(self) -> str:
        found = await self.locator.get_attribute("data-approval-id")
        assert found
        return found

    def button(self, name: str) -> Locator:
        return self.locator.get_by_role("button", name=name, exact=True)

    async def offers(self, name: str) -> bool:
        """Whether the card has this answer, in sight or among those that last."""
        if not await self.button(name).count():
            await self._unfold()
        return await self.button(name).count() > 0

    async def lasting(self, beginning: str) -> str:
        """The whole name of the first lasting answer that begins like this."""
        await self._unfold()
        button = self.locator.get_by_role("button", name=re.compile(f"^{re.escape(beginning)}")).last
        await expect(button).to_be_visible(timeout=milliseconds(_PATIENCE))
        return (await button.inner_text()).strip()

    async def _unfold(self) -> None:
        """Shows the answers that last, where the card has any."""
        more = self.button(_MORE)
        for _ in range(_CLICKS):
            if not await more.count() or await more.get_attribute("aria-expanded") != "false":
                return
            await more.click()
            # A card that has just moved takes no click; a person would try again.
            with suppress(AssertionError):
                await expect(more).to_have_attribute("aria-expanded", "true")

    async def armed(self, name: str) -> Locator:
        """The button once a click on it counts: a card takes none while it is still moving under the pointer."""
        await self.offers(name)
        button = self.button(name)
        await button.scroll_into_view_if_needed()
        await until(f"the button {name!r} stands still", _Stillness(button).lasts)
        await expect(button).to_be_enabled(timeout=milliseconds(_PATIENCE))
        return button

    async def answer(self, name: str) -> None:
        await (await self.armed(name)).click()

    async def approve(self) -> None:
        await self.answer("Approve")

    async def deny(self) -> None:
        await self.answer("Deny")


class _Stillness:
    """Whether something has stood where it stands for longer than a card waits before it takes a click."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator
        self._place: FloatRect | None = None
        self._since = 0.0

    async def lasts(self) -> bool:
        place = await self._locator.bounding_box()
        now = time.monotonic()
        if place is None or place != self._place:
            self._place, self._since = place, now
        return now - self._since > _ARMED_AFTER


class ChatPage:
    """The page: its composer, cards and rows."""

    def __init__(self, root: FrameLocator | Page) -> None:
        self.root = root

    @property
    def composer(self) -> Locator:
        return self.root.get_by_role("textbox", name="Message")

    async def is_ready(self, seconds: float = 60) -> None:
        await expect(self.composer).to_be_visible(timeout=milliseconds(seconds))
        await expect(self.composer).to_be_editable(timeout=milliseconds(seconds))

    def composer_of(self, agent: str) -> Locator:
        """The words below the composer that name the agent of the chat."""
        return self.root.locator("assent-composer .agent").and_(self.root.get_by_title(agent, exact=True))

    @property
    def send_button(self) -> Locator:
        return self.root.get_by_role("button", name="Send", exact=True)

    async def send(self, text: str) -> None:
        """A chat that only now comes up can take what was typed: a person sees that, and types it again."""
        typing = partial(self.composer.fill, text)
        await until_it_counts(f"{text!r} can be sent", typing, self.send_button.is_enabled)
        await self.send_button.click()

    async def has_nothing_to_send(self) -> None:
        """What was typed and chosen for a message that was not sent goes into the next chat: it is taken out."""
        await self.composer.fill("")
        chips = self.root.get_by_role("list", name="Goes along with the message").get_by_role("listitem")
        for _ in range(await chips.count()):
            left = await chips.count()
            await chips.first.get_by_role("button", name=re.compile("^Remove ")).click()
            await expect(chips).to_have_count(left - 1, timeout=milliseconds(_PATIENCE))

    @property
    def cards(self) -> Locator:
        return self.root.get_by_role("group", name=re.compile("^Approval: "))

    def card(self, about: str = "") -> Card:
        """The card whose headline speaks of this; without it, the only one."""
        return Card(self.root.get_by_role("group", name=re.compile(f"^Approval: .*{re.escape(about)}")))

    def card_with_id(self, approval_id: str) -> Card:
        return Card(self.cards.and_(self.root.locator(f'[data-approval-id="{approval_id}"]')))

    def rows(self, status: str | None = None) -> Locator:
        return self.root.locator(f'[data-call-id][data-status="{status}"]' if status else "[data-call-id]")

    async def shows(self, text: str | re.Pattern[str]) -> None:
        await expect(self.root.get_by_text(text).last).to_be_visible(timeout=milliseconds(_PATIENCE))

    async def has_rows(self, status: str, count: int = 1) -> None:
        await expect(self.rows(status)).to_have_count(count, timeout=milliseconds(_PATIENCE))

    async def has_cards(self, count: int) -> None:
        await expect(self.cards).to_have_count(count, timeout=milliseconds(_PATIENCE))

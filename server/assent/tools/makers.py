"""Who makes a picture or a sound for a tool: what a card says of it, what an answer to the card is bound to."""

from collections.abc import Callable
from typing import Protocol

from assent.media.kinds import Kind
from assent.media.orders import Made, Order
from assent.model.errors import ToolFault
from assent.model.services import ServiceChoice


class Maker(Protocol):
    """Somebody who makes it."""

    @property
    def told(self) -> str:
        """Who makes it and what is sent there, as a sentence for the card."""

    @property
    def bound(self) -> str:
        """All by which this one is told from another: an answer to the card is bound to it."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What can be made here."""

    @property
    def impossible(self) -> ToolFault | None:
        """Why nothing can be made here, where that is known before anybody is asked."""

    async def make(self, order: Order) -> Made:
        """Makes it. Raises ToolFault. Being cancelled ends whatever was begun."""


MakerAt = Callable[[ServiceChoice], Maker]
"""One behind the address of such a choice."""

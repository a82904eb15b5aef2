"""Where nobody can make what a call asks for: whatever is wanted, the answer says why and what to do."""

from typing import NoReturn

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import ALL, Kind
from assent.media.orders import Order
from assent.model.errors import ToolFault


@dataclass(frozen=True, slots=True)
class Nobody:
    """Takes every order and carries none out."""

    why: ToolFault
    kinds: tuple[Kind, ...] = ALL

    @property
    def told(self) -> str:
        """Why nothing can come of it."""
        return str(self.why)

    @property
    def bound(self) -> str:
        """Whoever comes instead is another one."""
        return f"nobody:{self.why.code}"

    @property
    def impossible(self) -> ToolFault:
        """Nobody needs to be asked."""
        return self.why

    async def make(self, order: Order) -> NoReturn:
        """Raises the fault."""
        raise self.why

"""Pictures by the model of the chat: it writes a drawing as text, and what is saved is that drawing made harmless."""

import asyncio

from assent.agent.ports import AskModel
from assent.media.drawing import RULES, asking
from assent.media.kinds import SVG, Kind
from assent.media.orders import Made, Order
from assent.media.svg import clean_drawing, drawing_in
from assent.media.svg_tree import BadDrawing
from assent.model.errors import ToolFault

_MOST_NAMED = 12


class DrawnByModel:
    """Asks the model of the chat beside the conversation. It is told what the card shows, and nothing of the chat."""

    kinds: tuple[Kind, ...] = (SVG,)
    told = "The model of this chat draws it, from this description alone. Only what shows something is kept of it."
    bound = "the model of the chat"
    impossible: ToolFault | None = None

    def __init__(self, ask: AskModel | None) -> None:
        self._ask = ask

    async def make(self, order: Order) -> Made:
        """Raises ToolFault."""
        if self._ask is None:
            raise ToolFault("no_run", "The model draws only as long as the run that asks for it; ask again.")
        answer = await self._ask(RULES, asking(order))
        text = drawing_in(answer)
        if text is None:
            words = "The model of this chat answered without an SVG, so nothing was written. Try again, or let the"
            raise ToolFault("no_drawing", f"{words} user name who makes pictures in the setting assent.images.")
        try:
            drawing = await asyncio.to_thread(clean_drawing, text, order.size)
        except BadDrawing as fault:
            words = f"The SVG of the model cannot be kept: {fault}; nothing was written. Try again, with less in it."
            raise ToolFault("bad_drawing", words) from None
        return Made(drawing.text.encode("utf-8"), checked=SVG, note=_left_out(drawing.left_out))


def _left_out(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Left out of it, because a picture only shows: {', '.join(names[:_MOST_NAMED])}{more}."

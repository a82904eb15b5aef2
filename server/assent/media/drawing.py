"""How a model is asked for a drawing: in words that whoever answers without a model can take apart again."""

import re

from assent.media.kinds import SVG
from assent.media.orders import Order

RULES = (
    "You draw one picture as SVG. Answer with the SVG and nothing else: it begins with <svg and ends with </svg>. Use "
    "shapes, paths, gradients, text and groups, with their looks as attributes (fill, stroke, opacity). Do not use "
    "scripts, style elements, CSS classes, links, images, animations, foreignObject, or anything from outside the "
    "picture: all of that is taken out. Keep it below 60,000 characters."
)
_USUAL = (512, 512)
_ASKED = re.compile(r'The picture has viewBox="0 0 (\d+) (\d+)"\. What it shows:\n\n(.*)', re.DOTALL | re.ASCII)


def asking(order: Order) -> str:
    """The message that goes with the rules."""
    width, height = order.size or _USUAL
    return f'The picture has viewBox="0 0 {width} {height}". What it shows:\n\n{order.text}'


def asked(words: str) -> Order | None:
    """What such a message asks for."""
    found = _ASKED.fullmatch(words)
    return Order(found[3], SVG, (int(found[1]), int(found[2]))) if found else None

"""What the demo agent draws: the shapes that a description names, side by side; where it names none, its words."""

import re
from collections.abc import Callable, Iterator
from html import escape
from math import cos, pi, sin

from assent.lazy_dataclasses import dataclass
from assent.media.orders import Order

_COLOURS = (
    "red|orange|yellow|gold|green|lime|teal|cyan|blue|navy|purple|violet|magenta|pink|brown|"
    "black|grey|gray|silver|white"
)
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SIZES = {"tiny": 0.4, "small": 0.6, "little": 0.6, "big": 1.25, "large": 1.25, "huge": 1.5}
MOST = 12
"""Shapes of one picture."""
_LONGEST_WORDS = 60


@dataclass(frozen=True, slots=True)
class _Shape:
    name: str
    colour: str
    scale: float


def drawn(order: Order) -> str:
    """The picture, as SVG."""
    width, height = order.size or (512, 512)
    shapes = list(_shapes_in(order.text))[:MOST]
    ground = _ground(order.text)
    inner = "".join(_side_by_side(shapes, width, height)) if shapes else _words(order.text, width, height, ground)
    title = escape(" ".join(order.text.split())[:200])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><title>{title}</title>'
        f'<rect width="{width}" height="{height}" fill="{ground}"/>{inner}</svg>'
    )


def _shapes_in(text: str) -> Iterator[_Shape]:
    for found in _NAMED.finditer(text):
        words = [word.lower() for word in (found["before"] or "").split()]
        name = _OTHER_NAMES.get(found["shape"].lower(), found["shape"].lower())
        colour = next((word for word in words if re.fullmatch(_COLOURS, word)), PICTURES[name][0])
        scale = next((_SIZES[word] for word in words if word in _SIZES), 1.0)
        count = next((_COUNTS[word] for word in words if word in _COUNTS), 1)
        yield from [_Shape(name, colour, scale)] * count


def _ground(text: str) -> str:
    found = re.search(
        rf"\b(?:on|before|against)\s+an?\s+({_COLOURS})\s+(?:background|ground|sky)\b", text, re.IGNORECASE
    )
    return found[1].lower() if found else "white"


def _side_by_side(shapes: list[_Shape], width: int, height: int) -> Iterator[str]:
    """Each in a cell of its own, drawn around the middle of a square of a hundred points."""
    across = min(len(shapes), 4)
    down = -(-len(shapes) // across)
    cell = min(width / across, height / down)
    for place, shape in enumerate(shapes):
        x = width * (place % across + 0.5) / across
        y = height * (place // across + 0.5) / down
        scale = cell * 0.6 * shape.scale / 100
        drawing = PICTURES[shape.name][1](shape.colour)
        yield f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{drawing}</g>'


def _words(text: str, width: int, height: int, ground: str) -> str:
    line = " ".join(text.split())
    shown = line if len(line) <= _LONGEST_WORDS else f"{line[: _LONGEST_WORDS - 1]}…"
    size = min(height / 4, 1.6 * width / (len(shown) + 2))
    ink = "white" if ground in ("black", "navy", "blue", "purple", "brown") else "black"
    return (
        f'<text x="{width / 2:g}" y="{height / 2:g}" font-family="sans-serif" font-size="{size:.1f}" fill="{ink}" '
        f'text-anchor="middle" dominant-baseline="middle">{escape(shown)}</text>'
    )


def _points(count: int, outer: float, inner: float) -> str:
    """A star around the middle, its first point up."""
    turns = ((outer if step % 2 == 0 else inner, pi * step / count - pi / 2) for step in range(2 * count))
    return " ".join(f"{radius * cos(angle):.1f},{radius * sin(angle):.1f}" for radius, angle in turns)


def _path(text: str) -> Callable[[str], str]:
    return lambda colour: f'<path fill="{colour}" d="{text}"/>'


def _polygon(points: str) -> Callable[[str], str]:
    return lambda colour: f'<polygon fill="{colour}" points="{points}"/>'


def _rectangle(x: int, y: int, width: int, height: int) -> Callable[[str], str]:
    return lambda colour: f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'


def _circle(radius: int) -> Callable[[str], str]:
    return lambda colour: f'<circle r="{radius}" fill="{colour}"/>'


def _together(*parts: str | Callable[[str], str]) -> Callable[[str], str]:
    return lambda colour: "".join(part if isinstance(part, str) else part(colour) for part in parts)


_EYES = '<circle cx="-16" cy="-12" r="5" fill="black"/><circle cx="16" cy="-12" r="5" fill="black"/>'
_SMILE = '<path d="M-24 12 Q0 36 24 12" fill="none" stroke="black" stroke-width="5" stroke-linecap="round"/>'
_PETALS = "".join(f'<circle cx="{28 * cos(pi * n / 3):.1f}" cy="{28 * sin(pi * n / 3):.1f}" r="18"/>' for n in range(6))
PICTURES: dict[str, tuple[str, Callable[[str], str]]] = {
    "circle": ("teal", _circle(50)),
    "square": ("teal", _rectangle(-45, -45, 90, 90)),
    "rectangle": ("teal", _rectangle(-50, -30, 100, 60)),
    "triangle": ("teal", _polygon("0,-50 48,40 -48,40")),
    "line": ("black", _rectangle(-50, -2, 100, 4)),
    "star": ("gold", _polygon(_points(5, 50, 20))),
    "sun": ("gold", _polygon(_points(12, 50, 33))),
    "moon": ("silver", _path("M15 -48 A50 50 0 1 0 15 48 A38 38 0 1 1 15 -48 Z")),
    "heart": ("red", _path("M0 45 C-70 -5 -40 -55 0 -22 C40 -55 70 -5 0 45 Z")),
    "cloud": ("silver", _path("M-30 25 A22 22 0 0 1 -32 -18 A30 30 0 0 1 22 -25 A25 25 0 0 1 32 25 Z")),
    "house": (
        "brown",
        _together(
            _rectangle(-35, -5, 70, 50),
            '<polygon points="-45,-5 0,-45 45,-5" fill="black"/>',
            '<rect x="-9" y="15" width="18" height="30" fill="white"/>',
        ),
    ),
    "tree": (
        "green",
        _together('<rect x="-6" y="10" width="12" height="38" fill="brown"/>', _polygon("0,-50 38,20 -38,20")),
    ),
    "flower": ("magenta", lambda colour: f'<g fill="{colour}">{_PETALS}</g><circle r="16" fill="gold"/>'),
    "face": ("gold", _together(_circle(48), _EYES, _SMILE)),
}
"""What each is without a word about its colour, and how it is drawn."""
_OTHER_NAMES = {"dot": "circle", "ball": "circle", "smiley": "face", "box": "square"}
_NAMED = re.compile(
    rf"(?P<before>(?:\b(?:an?|the|{'|'.join((*_COUNTS, *_SIZES))}|{_COLOURS})\s+)*)"
    rf"\b(?P<shape>{'|'.join((*PICTURES, *_OTHER_NAMES))})(?:e?s)?\b",
    re.IGNORECASE,
)

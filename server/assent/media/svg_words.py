"""What a drawing may hold: elements, attributes, and the form that each value must have. Whatever is not here goes."""

import re
from collections.abc import Mapping

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

TEXTUAL = frozenset({"text", "tspan", "textPath", "title", "desc"})
"""Elements in which text stands."""
ELEMENTS = (
    frozenset({"svg", "g", "defs", "symbol", "use", "clipPath", "mask", "marker", "pattern"})
    | frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
    | frozenset({"linearGradient", "radialGradient", "stop"})
    | frozenset({"filter", "feBlend", "feColorMatrix", "feComposite", "feDropShadow", "feFlood", "feGaussianBlur"})
    | frozenset({"feMerge", "feMergeNode", "feOffset"})
    | TEXTUAL
)
"""None of them runs, loads, links or moves anything. A nested `svg` is left out; the root is one."""
POINTING = frozenset({"use", "textPath", "linearGradient", "radialGradient", "pattern"})
"""Elements that may point to another one of the same drawing by href."""

_ID = r"[A-Za-z_][\w.-]{0,63}"
_REFERENCE = rf"url\(\s*(?:#({_ID})|'#({_ID})'|\"#({_ID})\")\s*\)"
_COLOUR = r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,40}|(?:rgba?|hsla?)\([\d\s.,%/+-]{1,80}(?:deg)?[\d\s.,%/+-]{0,80}\)"
_NUMBERS = r"[\w\s.,%+-]{0,2000}"


def _form(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


ID = _form(_ID)
REFERENCE = re.compile(_REFERENCE, re.ASCII)
HREF = _form(rf"#({_ID})")
_POINTS = _form(r"[\d\s.,eE+-]{0,100000}")
_PATH = _form(r"[MmZzLlHhVvCcSsQqTtAa\d\s.,eE+-]{0,200000}")
_PAINT = _form(rf"{_COLOUR}|{_REFERENCE}(?:\s+(?:{_COLOUR}))?")
_POINTER = _form(rf"none|{_REFERENCE}")
_WORDS = _form(_NUMBERS)
_FONTS = _form(r"[\w\s,.'\"-]{0,300}")
_TRANSFORM = _form(
    r"none|(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([\d\s.,eE+-]{0,200}(?:deg|px)?\s*\)[\s,]*){0,20}"
)

LONGEST = 2_000
"""Characters of a value. Only of these that are lists of points there may be more, and their forms are plain."""
LONG_ONES = frozenset({"d", "points"})

FORMS: Mapping[str, re.Pattern[str]] = {
    "id": ID,
    "d": _PATH,
    "points": _POINTS,
    "transform": _TRANSFORM,
    "gradientTransform": _TRANSFORM,
    "patternTransform": _TRANSFORM,
    "font-family": _FONTS,
    **dict.fromkeys(("fill", "stroke", "stop-color", "flood-color", "lighting-color", "color"), _PAINT),
    **dict.fromkeys(("clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end"), _POINTER),
    **dict.fromkeys(
        (
            # Where and how large.
            *("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "dx", "dy"),
            *("width", "height", "viewBox", "preserveAspectRatio", "offset", "rotate", "pathLength"),
            *("gradientUnits", "spreadMethod", "patternUnits", "patternContentUnits", "clipPathUnits"),
            *("maskUnits", "maskContentUnits", "markerUnits", "markerWidth", "markerHeight", "refX", "refY", "orient"),
            # How it is painted.
            *("opacity", "fill-opacity", "fill-rule", "clip-rule", "stroke-width", "stroke-opacity", "stroke-linecap"),
            *("stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "stop-opacity"),
            *("flood-opacity", "display", "visibility", "paint-order", "vector-effect", "mix-blend-mode", "isolation"),
            *("shape-rendering", "text-rendering", "color-interpolation-filters", "overflow"),
            # Text.
            *("font-size", "font-weight", "font-style", "font-variant", "text-anchor", "dominant-baseline"),
            *("alignment-baseline", "baseline-shift", "letter-spacing", "word-spacing", "textLength", "lengthAdjust"),
            *("text-decoration", "startOffset", "method", "spacing", "writing-mode"),
            # Filters.
            *("in", "in2", "result", "mode", "operator", "k1", "k2", "k3", "k4", "stdDeviation", "type", "values"),
            *("filterUnits", "primitiveUnits", "edgeMode"),
        ),
        _WORDS,
    ),
}
"""Attributes of any element, and the form of their values, without blanks around them.

No form holds a colon, a backslash or an address.
"""

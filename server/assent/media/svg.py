"""A drawing that somebody else wrote, made into one that only shows: read as a tree, checked, and written anew."""

import re
from collections.abc import Iterator
from html import escape

from assent.lazy_dataclasses import dataclass
from assent.media.svg_tree import BadDrawing, Node, Reader
from assent.media.svg_words import HREF, NAMESPACE, REFERENCE

MOST_DRAWN = 20_000
"""Elements that a browser would draw, with every one as often as others point to it."""
LARGEST = 8_192
_SMALLEST = 1
_USUAL = 512.0
_LONGEST_CHAIN = 200
_NUMBER = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)(?:px)?\s*", re.ASCII)
_LETTERS_OF_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing that is safe to show, and what of it was left out, by name."""

    text: str
    left_out: tuple[str, ...]


def drawing_in(answer: str) -> str | None:
    """The drawing in what a model answers: it may say something before it and after it."""
    start, end = answer.find("<svg"), answer.rfind("</svg>")
    return answer[start : end + len("</svg>")] if 0 <= start < end else None


def clean_drawing(text: str, size: tuple[int, int] | None = None) -> Drawing:
    """The same drawing with nothing but listed elements and attributes. Raises BadDrawing where there is none."""
    reader = Reader()
    root = reader.read(text)
    _give_size(root, size)
    _check_cost(root)
    if not any(node.name not in ("svg", "title", "desc", "defs") for node in root.all()):
        raise BadDrawing("nothing that can be seen is left of it")
    names = sorted(reader.left_out)
    return Drawing("".join(_written(root)) + "\n", tuple(names))


def _give_size(root: Node, size: tuple[int, int] | None) -> None:
    """How large it is, in points and in its own measure: a page must know before it is drawn."""
    given = root.attributes
    width, height = _number(given.get("width")), _number(given.get("height"))
    box = _box(given.get("viewBox", ""))
    if box is None:
        box = (0.0, 0.0, width or _USUAL, height or _USUAL)
    if size is not None:
        width, height = map(float, size)
    elif width is None or height is None:
        width, height = _in_bounds(box[2], box[3])
    given |= {"viewBox": " ".join(map(_short, box)), "width": _short(width), "height": _short(height)}


def _box(text: str) -> tuple[float, float, float, float] | None:
    parts = text.replace(",", " ").split()
    try:
        x, y, width, height = map(float, parts)
    except ValueError:
        return None
    fits = all(abs(one) < 1e6 for one in (x, y)) and all(0 < one < 1e6 for one in (width, height))
    return (x, y, width, height) if fits else None


def _in_bounds(width: float, height: float) -> tuple[float, float]:
    scale = min(1.0, LARGEST / max(width, height))
    return max(width * scale, _SMALLEST), max(height * scale, _SMALLEST)


def _number(text: str | None) -> float | None:
    found = _NUMBER.fullmatch(text) if text else None
    number = float(found[1]) if found else 0.0
    return number if _SMALLEST <= number <= LARGEST else None


def _short(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _check_cost(root: Node) -> None:
    """A few lines that point to each other can stand for more than any machine can draw."""
    by_id: dict[str, Node] = {}
    for node in root.all():
        by_id.setdefault(node.attributes.get("id", ""), node)
    costs: dict[int, int] = {}

    def cost(node: Node, above: frozenset[int]) -> int:
        if len(above) >= _LONGEST_CHAIN:
            raise BadDrawing("its parts point to each other over and over")
        if id(node) in above:
            raise BadDrawing("parts of it point to each other in a circle")
        known = costs.get(id(node))
        if known is None:
            deeper = above | {id(node)}
            below = (*node.elements(), *(by_id[name] for name in _pointed(node) if name in by_id))
            known = costs[id(node)] = 1 + sum(cost(one, deeper) for one in below)
            if known > MOST_DRAWN:
                raise BadDrawing(f"its parts are drawn more than {MOST_DRAWN} times")
        return known

    cost(root, frozenset())


def _pointed(node: Node) -> Iterator[str]:
    for name, value in node.attributes.items():
        found = HREF.fullmatch(value) if name == "href" else REFERENCE.search(value)
        if found is not None:
            yield next(group for group in found.groups() if group)


def _written(node: Node) -> Iterator[str]:
    space = f' xmlns="{NAMESPACE}"' if node.name == "svg" else ""
    said = "".join(f' {name}="{_plain(value)}"' for name, value in node.attributes.items())
    if not node.children:
        yield f"<{node.name}{space}{said}/>"
        return
    yield f"<{node.name}{space}{said}>"
    for child in node.children:
        if isinstance(child, Node):
            yield from _written(child)
        else:
            yield _plain(child)
    yield f"</{node.name}>"


def _plain(text: str) -> str:
    return escape(_LETTERS_OF_NO_XML.sub("", text), quote=True)

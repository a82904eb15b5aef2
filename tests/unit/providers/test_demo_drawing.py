"""What the demo agent draws: the shapes of a description, in a drawing of which nothing has to be left out."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.media.drawing import asked, asking
from assent.media.kinds import SVG
from assent.media.orders import Order
from assent.media.svg import Drawing, clean_drawing
from assent.media.svg_words import NAMESPACE
from assent.providers.demo_drawing import MOST, PICTURES, drawn

KNOWN = sorted(PICTURES)


def picture(text: str, size: tuple[int, int] | None = None) -> Drawing:
    return clean_drawing(drawn(Order(text, SVG, size)), size)


def colours(text: str) -> list[str]:
    """Of the shapes, in their order, without the ground."""
    root = ElementTree.fromstring(picture(text).text)
    groups = root.findall(f"{{{NAMESPACE}}}g")
    return [next(part.attrib["fill"] for part in group.iter() if "fill" in part.attrib) for group in groups]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a red circle", ["red"]),
        ("a small blue square and a big green star", ["blue", "green"]),
        ("three pink hearts", ["pink", "pink", "pink"]),
        ("Two Boxes", ["teal", "teal"]),
        ("a sun over the black house", ["gold", "black"]),
        ("a blueprint of a starling", []),
        ("six dots, six dots, six dots", ["teal"] * MOST),
    ],
)
def test_the_shapes_that_are_named(text: str, expected: list[str]) -> None:
    assert colours(text) == expected


@pytest.mark.parametrize("name", KNOWN)
def test_nothing_of_what_it_draws_is_left_out(name: str) -> None:
    drawing = picture(f"a {name} on a navy sky", (300, 200))
    assert drawing.left_out == ()
    assert 'fill="navy"' in drawing.text
    assert 'viewBox="0 0 300 200"' in drawing.text


def test_where_it_knows_no_shape_it_draws_the_words() -> None:
    drawing = picture("the price <of> tea & salt")
    assert "the price &lt;of&gt; tea &amp; salt</text>" in drawing.text
    assert drawing.left_out == ()


@given(st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_words_come_to_a_drawing(text: str) -> None:
    assert picture(text).left_out == ()


@given(st.text(), st.one_of(st.none(), st.tuples(st.integers(16, 4096), st.integers(16, 4096))))
def test_what_a_model_is_asked_can_be_taken_apart_again(text: str, size: tuple[int, int] | None) -> None:
    assert asked(asking(Order(text, SVG, size))) == Order(text, SVG, size or (512, 512))

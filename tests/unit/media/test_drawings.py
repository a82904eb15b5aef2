"""Drawings of strangers: what is kept shows, what acts or reaches out is gone, what is too much is refused."""

from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.media.svg import MOST_DRAWN, Drawing, clean_drawing, drawing_in
from assent.media.svg_tree import DEEPEST, MOST_BYTES, MOST_ELEMENTS, BadDrawing
from assent.media.svg_words import ELEMENTS, FORMS, HREF, NAMESPACE, POINTING
from tests.support.scale import examples

DOT = '<circle cx="5" cy="5" r="4"/>'


ACTING = {"script", "a", "image", "style", "foreignObject", "animate", "animateTransform", "set", "handler", "feImage"}


def svg(inside: str, head: str = 'viewBox="0 0 10 10"') -> str:
    return f'<svg xmlns="{NAMESPACE}" xmlns:xlink="http://www.w3.org/1999/xlink" {head}>{inside}</svg>'


def cleaned(inside: str, head: str = 'viewBox="0 0 10 10"') -> str:
    return clean_drawing(svg(inside, head)).text


def assert_only_shows(drawing: Drawing) -> None:
    """Reads it with another parser, and holds every part against the lists."""
    assert "<!" not in drawing.text
    assert "<?" not in drawing.text
    root = ElementTree.fromstring(drawing.text)
    assert root.tag == f"{{{NAMESPACE}}}svg"
    for element in root.iter():
        space, _, name = str(element.tag)[1:].partition("}")
        assert (space, name in ELEMENTS) == (NAMESPACE, True), element.tag
        assert name not in ACTING
        assert not any(attribute.startswith("on") or ":" in attribute for attribute in element.attrib)
        for attribute, value in element.attrib.items():
            if attribute == "href":
                assert name in POINTING
                assert HREF.fullmatch(value)
                continue
            assert FORMS[attribute].fullmatch(value), (attribute, value)
            assert not {":", "\\", "<", "&", "@", ";"} & set(value), (attribute, value)
            assert "url(" not in value.replace("url(#", "").replace("url('#", "").replace('url("#', "")


PAYLOADS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#9;script:alert(1)",
    "&#106;avascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "http://127.0.0.1:1/track.png",
    "//evil.example/x",
    "file:///etc/passwd",
    "url(http://evil.example/x)",
    "url('javascript:alert(1)')",
    "url(#ok) url(http://evil.example)",
    "u\\72l(http://evil.example)",
    "expression(alert(1))",
    "alert(1)",
    "vbscript:msgbox(1)",
    "blob:http://evil.example/1",
]
PLACES = [
    '<a href="{0}">' + DOT + "</a>",
    '<a xlink:href="{0}">' + DOT + "</a>",
    '<use href="{0}"/>',
    '<image href="{0}" width="5" height="5"/>',
    '<circle r="4" onclick="{0}"/>',
    '<circle r="4" onload="{0}"/>',
    '<circle r="4" fill="{0}"/>',
    '<circle r="4" filter="{0}"/>',
    '<circle r="4" style="fill:{0}"/>',
    '<circle r="4" style="background-image:{0}"/>',
    '<script href="{0}">{0}</script>',
    "<style>* {{ fill: {0} }} @import '{0}';</style>",
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{0}"/></foreignObject>',
    '<animate attributeName="href" values="{0}"/>',
    '<set attributeName="onclick" to="{0}"/>',
]
STRANGE = [
    f"<svg onload='alert(1)'>{DOT}</svg>",
    f"<svg xmlns='{NAMESPACE}'><svg onload='alert(1)'/>{DOT}</svg>",
    f'<svg xmlns="{NAMESPACE}" xmlns:x="http://www.w3.org/1999/xhtml"><x:script>alert(1)</x:script>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}" xmlns:s="{NAMESPACE}"><s:script>alert(1)</s:script>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><g><![CDATA[<script>alert(1)</script>]]></g>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><text><![CDATA[<script>alert(1)</script>]]></text>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><title>&lt;script&gt;alert(1)&lt;/script&gt;</title>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><?xml-stylesheet href="http://evil.example"?>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><!-- --><handler type="x">alert(1)</handler>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}" xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}"><feImage href="http://evil.example"/>{DOT}</svg>',
    f'<svg xmlns="{NAMESPACE}" xml:base="http://evil.example/">{DOT}<use href="#x"/></svg>',
    f'<svg xmlns="{NAMESPACE}"><SCRIPT>alert(1)</SCRIPT>{DOT}</svg>',
]
ATTACKS = [svg(place.format(payload) + DOT) for place, payload in product(PLACES, PAYLOADS)] + STRANGE


def test_there_are_enough_of_them() -> None:
    assert len(set(ATTACKS)) > 200


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_acts_or_reaches_out_is_left(attack: str) -> None:
    drawing = clean_drawing(attack)
    assert_only_shows(drawing)
    assert "circle" in drawing.text
    # What was cleaned once has nothing left to be taken out.
    again = clean_drawing(drawing.text)
    assert (again.text, again.left_out) == (drawing.text, ())


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ENTITY x "y">]>' + svg(DOT),
        '<!DOCTYPE svg SYSTEM "http://evil.example/x.dtd">' + svg(DOT),
        svg("<text>&x;</text>" + DOT),
        svg(DOT)[:-3],
        svg(DOT) + svg(DOT),
        "<html/>",
        f'<g xmlns="{NAMESPACE}">{DOT}</g>',
        '<svg xmlns="http://www.w3.org/1999/xhtml">' + DOT + "</svg>",
        "",
        "\ud800",
        svg("<script>only this</script>"),
        svg(""),
        svg("<g>" * DEEPEST + DOT + "</g>" * DEEPEST),
        svg("<script>" * DEEPEST + "</script>" * DEEPEST + DOT),
        svg("<g/>" * MOST_ELEMENTS + DOT),
        svg("<script/>" * MOST_ELEMENTS + DOT),
        svg(DOT + " " * MOST_BYTES),
        svg("<text>" + "a" * 20_001 + "</text>"),
    ],
)
def test_what_is_no_drawing_or_too_much_is_refused(text: str) -> None:
    with pytest.raises(BadDrawing):
        clean_drawing(text)


def doubling(count: int) -> str:
    parts = [f'<g id="a0">{DOT}</g>']
    parts += [f'<g id="a{n}"><use href="#a{n - 1}"/><use href="#a{n - 1}"/></g>' for n in range(1, count)]
    return svg("<defs>" + "".join(parts) + f'</defs><use href="#a{count - 1}"/>')


@pytest.mark.parametrize(
    "text",
    [
        doubling(40),
        svg('<g id="a"><use href="#a"/></g>' + DOT),
        svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>' + DOT),
        svg("".join(f'<g id="a{n}"><use href="#a{n + 1}"/></g>' for n in range(300)) + DOT),
        svg('<pattern id="p"><rect fill="url(#p)" width="1" height="1"/></pattern>' + DOT),
        svg(f'<g id="a">{"<path/>" * 500}</g>' + '<use href="#a"/>' * 50),
    ],
)
def test_few_lines_that_stand_for_very_many_are_refused(text: str) -> None:
    with pytest.raises(BadDrawing):
        clean_drawing(text)


def test_what_is_drawn_a_few_times_is_kept() -> None:
    assert doubling(10).count("use") == clean_drawing(doubling(10)).text.count("use")
    assert MOST_DRAWN > 2**11


def test_what_shows_stays_as_it_was() -> None:
    inside = (
        '<defs><linearGradient id="g" x1="0"><stop offset="10%" stop-color="#ff0000"/></linearGradient></defs>'
        '<g transform="translate(1, 2) rotate(45)" opacity="0.5">'
        '<path d="M1 1L9 9Z" fill="url(#g)" stroke="rgb(1, 2, 3)" stroke-width="2"/>'
        '<text x="1" y="2" font-family="serif">A &lt; B &amp; C</text></g>'
        '<use href="#g"/>'
    )
    text = cleaned(inside)
    assert inside in text
    assert text.startswith(f'<svg xmlns="{NAMESPACE}" viewBox="0 0 10 10" width="10" height="10">')


@pytest.mark.parametrize("name", sorted(FORMS))
@pytest.mark.parametrize("beginning", ["", "rotate(", "url(", "rgb(", "1", "M"])
def test_no_value_takes_long_to_be_looked_at(name: str, beginning: str) -> None:
    """Most of them are no values; the test's own limit of time says whether one was tried in too many ways."""
    many = f'<rect {name}="{beginning}{" " * 200_000}!"/><rect {name}="{beginning}{" 1" * 990}!"/>'
    assert "!" not in cleaned(many + DOT)


def test_a_style_becomes_attributes_and_counts_more_than_they_do() -> None:
    text = cleaned('<rect width="5" fill="red" style="fill: blue; stroke-width: 2px; top: 0; unknown-thing: 1"/>')
    assert 'fill="blue"' in text
    assert 'stroke-width="2px"' in text
    assert "red" not in text
    assert "top" not in text
    assert "style" not in text


def test_what_was_left_out_is_named() -> None:
    drawing = clean_drawing(svg(f'<script>1</script><script>2</script><circle r="4" onclick="x()"/>{DOT}'))
    assert drawing.left_out == ("<script>", "onclick")


@pytest.mark.parametrize(
    ("head", "size", "expected"),
    [
        ('viewBox="0 0 20 10"', None, 'viewBox="0 0 20 10" width="20" height="10"'),
        ('viewBox="0 0 20 10"', (64, 32), 'viewBox="0 0 20 10" width="64" height="32"'),
        ('width="30px" height="40"', None, 'width="30" height="40" viewBox="0 0 30 40"'),
        ('width="100%" height="1e9"', None, 'width="512" height="512" viewBox="0 0 512 512"'),
        ("", None, 'viewBox="0 0 512 512" width="512" height="512"'),
        ('viewBox="0 0 900000 90000"', None, 'viewBox="0 0 900000 90000" width="8192" height="819.2"'),
        ('viewBox="0 0 nan inf"', None, 'viewBox="0 0 512 512" width="512" height="512"'),
    ],
)
def test_every_drawing_has_a_size_in_bounds(head: str, size: tuple[int, int] | None, expected: str) -> None:
    assert expected in clean_drawing(svg(DOT, head), size).text


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("<svg>x</svg>", "<svg>x</svg>"),
        ("Here it is:\n```svg\n<svg a='b'>x</svg>\n```\nDone.", "<svg a='b'>x</svg>"),
        ("I cannot draw.", None),
        ("</svg><svg>", None),
        ("<svg> that breaks off", None),
    ],
)
def test_the_drawing_is_found_in_what_is_said(answer: str, found: str | None) -> None:
    assert drawing_in(answer) == found


NAMES = st.sampled_from(
    [*sorted(ELEMENTS), "script", "a", "image", "animate", "foreignObject", "style", "x", "h:iframe", "svg"]
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["id", "d", "fill", "style", "onclick", "href", "xlink:href", "transform", "xml:base", "viewBox"]),
    st.one_of(
        st.sampled_from([*PAYLOADS, "#a", "a", "b", "url(#a)", "M0 0L1 1"]), st.text("#a:;()url &quot-1", max_size=20)
    ),
    max_size=4,
)


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def spell(name: str, attributes: dict[str, str], inside: list[str]) -> str:
        said = "".join(f" {key}='{value}'" for key, value in attributes.items())
        return f"<{name}{said}>{''.join(inside)}</{name}>"

    return st.builds(spell, NAMES, ATTRIBUTES, st.lists(children, max_size=4))


TREES = st.recursive(st.one_of(st.text("abc<&]> \n", max_size=8), element(st.just(""))), element, max_leaves=20)


@settings(max_examples=examples(300), deadline=None)
@given(TREES, ATTRIBUTES)
def test_whatever_stands_in_it_only_shows_or_is_refused(tree: str, attributes: dict[str, str]) -> None:
    head = "xmlns:h='http://www.w3.org/1999/xhtml' " + " ".join(f"{key}='{value}'" for key, value in attributes.items())
    try:
        drawing = clean_drawing(svg(tree + DOT, head))
    except BadDrawing:
        return
    assert_only_shows(drawing)
    assert clean_drawing(drawing.text).text == drawing.text

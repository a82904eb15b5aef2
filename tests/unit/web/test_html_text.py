"""Pages as text: what a reader would see, in order, and nothing else; whatever the page is made of."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.web import html_text
from assent.web.html_text import read_html

URL = "https://example.org/docs/page"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h1>One</h1><h3>Three <em>x</em></h3>", "# One\n\n### Three *x*"),
        ("<p>a  b\n c</p><p>d", "a b c\n\nd"),
        ("a<br>b", "a\nb"),
        ("x <b>bold </b>y <b></b>z", "x **bold** y z"),
        ("<a href='../a?b=1&amp;c'>up</a> <a href='#x'>here</a>", "[up](https://example.org/a?b=1&c) here"),
        ("<a href='javascript:alert(1)'>x</a><a href='data:text/html,x'>y</a>", "xy"),
        ("<base href='https://other.example/x/'><a href='y'>z</a>", "[z](https://other.example/x/y)"),
        ("<a href='/x'></a>after", "after"),
        ("<ul><li>a<li>b<ol start=4><li>c<li>d</ol></ul>e", "- a\n- b\n  4. c\n  5. d\n\ne"),
        ("<pre>  a\n\n\tb &lt;</pre>", "```\n  a\n\n    b <\n```"),
        ("<p>run <code>x  = 1</code> now", "run `x = 1` now"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "| a | b\n|---|---|\n| 1 | 2"),
        ("<img alt='a cat' src=x> and <img src=y>", "[image: a cat] and"),
        (
            "a<script>b</script><style>c</style><template>d</template><svg><text>e</text></svg><noscript>f</noscript>g",
            "ag",
        ),
        ("a<!-- b -->c<?php d ?>e<![CDATA[f]]>g", "aceg"),
        (
            "seen<div hidden>no<div>no</div>no</div><p style='Display : none'>no</p><i aria-hidden=true>no</i> too",
            "seen too",
        ),
        ("a<input hidden>b", "ab"),
        ("&lt;script&gt; &amp; &#x41; &nbsp; &unknown;", "<script> & A &unknown;"),
        ("</p></ul></table></a>text</b>", "text**"),
        ("", ""),
    ],
)
def test_what_a_reader_would_see(source: str, text: str) -> None:
    found = read_html(source, URL)
    assert found.text == text and not found.cut


def test_the_first_title_is_the_title() -> None:
    found = read_html("<title> A \n page </title><body><title>other</title>x", URL)
    assert (found.title, found.text) == ("A page", "x")


TAGS = ["p", "div", "ul", "ol", "li", "table", "tr", "td", "a", "b", "code", "pre", "h2", "title", "script", "br", "hr"]
PIECES = st.one_of(
    st.sampled_from(
        [f"<{slash}{tag}{more}>" for tag in TAGS for slash in ("", "/") for more in ("", " href='/x' hidden")]
    ),
    st.sampled_from(["<", "</", "<!--", "-->", "<![", "&", "&#", "words", " ", "\n", "\0", "'", '"', "=", ">"]),
    st.text(max_size=5),
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_page_has_some_text(source: str) -> None:
    found = read_html(source, URL)
    assert "\n\n\n" not in found.text or "<pre" in source
    assert len(found.text) <= 40 * len(source) + 100


def test_text_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_text, "MOST_TEXT", 1_000)
    found = read_html("<p>some words</p>" * 1_000, URL)
    assert found.cut and 900 < len(found.text) <= 1_500


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<!--", "<![CDATA[", "&", "<div>", "<ul>", "<table>", '<a href="', "</", "<script>", "<blockquote>"],
)
def test_a_page_that_is_made_to_be_hard_is_left_in_time(monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    """Without its limits, some of these would take hours."""
    monkeypatch.setattr(html_text, "MOST_SECONDS", 0.2)
    read_html(piece * (1_000_000 // len(piece)), URL)


@pytest.mark.parametrize("piece", ["b='", 'b="', "b ", "b=c\n", "b/", "b='c' "])
def test_a_tag_that_goes_on_and_on_is_not_taken_apart_again_and_again(
    monkeypatch: pytest.MonkeyPatch, piece: str
) -> None:
    taken: list[int] = []
    take = HTMLParser.check_for_whole_start_tag

    def noting(parser: HTMLParser, start: int) -> object:
        taken.append(len(parser.rawdata) - start)
        return take(parser, start)

    monkeypatch.setattr(HTMLParser, "check_for_whole_start_tag", noting)
    found = read_html("before <a " + piece * (1_000_000 // len(piece)), URL)
    assert (found.text, found.cut) == ("before", True)
    assert 0 < sum(taken) < 500_000


def test_a_long_picture_in_a_tag_is_read_over() -> None:
    found = read_html(f"<img alt='a cat' src='data:image/png;base64,{'iVBOR+/w0KGgo' * 30_000}=='> after", URL)
    assert (found.text, found.cut) == ("[image: a cat] after", False)

"""Documents cut into passages: where headings stand, which lines belong together, nothing lost and nothing too long."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.collections.headings import LONGEST_TITLE, headings_in
from assent.collections.passages import LONGEST, MOST_HEADINGS, Passage, passages_of
from tests.support.scale import examples, limit

HEADINGS = [
    pytest.param("a.md", "# A\ntext\n## B ##\n### C", [(0, 1, "A"), (2, 2, "B"), (3, 3, "C")], id="marks"),
    pytest.param("a.md", "   # A\n    # code\n#tag\n#\n####### x", [(0, 1, "A"), (3, 1, "")], id="what is no mark"),
    pytest.param("a.md", "Title\n=====\ntext\n\nSub\n---\n", [(0, 1, "Title"), (4, 2, "Sub")], id="underlined"),
    pytest.param("a.md", "- item\n---\n\n---\n> q\n---\n| a |\n---", [], id="rules"),
    pytest.param("a.md", "```\n# no\n```\n# yes\n~~~~\n# no\n~~~\n# no\n~~~~\n# also", [(3, 1, "yes"), (9, 1, "also")]),
    pytest.param("a.md", "---\ntitle: x\n---\n# A", [(3, 1, "A")], id="front matter"),
    pytest.param("a.MD", "# A", [(0, 1, "A")], id="ending in capitals"),
    pytest.param("a.md", "# " + "x" * 500, [], id="a line too long"),
    pytest.param("a.rst", "Top\n===\n\nSub\n---\n\nNext\n====\n", [(0, 1, "Top"), (3, 2, "Sub"), (6, 1, "Next")]),
    pytest.param("a.rst", "=====\n Top\n=====\n\nSub\n===\n", [(0, 1, "Top"), (4, 2, "Sub")], id="over and under"),
    pytest.param("a.rst", "Longer title\n===\n\n====\n====\n text\n-----\n", [], id="what is no title"),
    pytest.param("a.adoc", "= Top\n== Sub\n----\n= no\n----\n=== C", [(0, 1, "Top"), (1, 2, "Sub"), (5, 3, "C")]),
    pytest.param("a.org", "* A\n** B\n*bold*\n", [(0, 1, "A"), (1, 2, "B")], id="org"),
    pytest.param("a.txt", "# A\n=====", [], id="plain text"),
    pytest.param("README", "# A", [], id="no ending"),
    pytest.param("a.md", "", [], id="nothing"),
]


@pytest.mark.parametrize(("name", "text", "expected"), HEADINGS)
def test_headings(name: str, text: str, expected: list[tuple[int, int, str]]) -> None:
    assert [(one.line, one.level, one.title) for one in headings_in(name, text.split("\n"))] == expected


def test_a_long_title_is_cut() -> None:
    (heading,) = headings_in("a.md", ["# " + "word " * 60])
    assert len(heading.title) == LONGEST_TITLE
    assert heading.title.endswith("…")


PASSAGES = [
    pytest.param(
        "# A\nintro\n## B\nin b\n# C\nin c",
        [Passage("A", 1, 2, "# A\nintro"), Passage("A > B", 3, 4, "## B\nin b"), Passage("C", 5, 6, "# C\nin c")],
        id="chains",
    ),
    pytest.param("before\n\n# A\n", [Passage("", 1, 1, "before"), Passage("A", 3, 3, "# A")], id="before the first"),
    pytest.param("# A\n\n## B\ntext", [Passage("A > B", 3, 4, "## B\ntext")], id="a heading alone"),
    pytest.param("A\n===\nB\n---\nx", [Passage("A > B", 3, 5, "B\n---\nx")], id="a heading alone, underlined"),
    pytest.param("### C\nc\n# A\na", [Passage("C", 1, 2, "### C\nc"), Passage("A", 3, 4, "# A\na")], id="upwards"),
    pytest.param("\n\n\n", [], id="blank"),
    pytest.param("a\r\nb\r\n", [Passage("", 1, 2, "a\nb")], id="other line ends"),
]


@pytest.mark.parametrize(("text", "expected"), PASSAGES)
def test_passages(text: str, expected: list[Passage]) -> None:
    assert passages_of("a.md", text) == expected


def test_a_long_section_is_cut_where_a_paragraph_ends() -> None:
    paragraphs = [f"p{number} " + "word " * 100 for number in range(10)]
    found = passages_of("a.md", "# A\n" + "\n\n".join(paragraphs))
    assert len(found) > 2
    assert all(one.text.rstrip().endswith("word") and one.heading == "A" for one in found)
    assert [one.text.split()[0] for one in found[1:]] == [f"p{number}" for number in (3, 6, 9)]


LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "# A", "## B", "###", "===", "---", "```", "text", "* item", "\r", "x" * (LONGEST + 5)]),
        st.text(st.characters(exclude_characters="\n"), max_size=300),
    ),
    max_size=40,
)


@given(LINES, st.sampled_from(["a.md", "a.rst", "a.adoc", "a.org", "a.txt"]))
@settings(max_examples=examples(300), deadline=None)
def test_nothing_is_lost_nothing_stands_twice_and_nothing_is_too_long(lines: list[str], name: str) -> None:
    found = passages_of(name, "\n".join(lines))
    at = 0
    for one in found:
        assert len(one.text) <= LONGEST
        assert at <= one.first <= one.last <= len(lines)
        at = one.last if len(lines[one.last - 1]) > LONGEST else one.last + 1
        for number, text in enumerate(one.text.split("\n"), start=one.first):
            assert text in lines[number - 1].removesuffix("\r") or not text
    held = {number for one in found for number in range(one.first, one.last + 1)}
    headings = " > ".join(one.heading for one in found)
    for number, line in enumerate(lines, start=1):
        plain = line.removesuffix("\r")
        if number not in held and any(map(str.isalnum, plain)):
            assert any(one.line in (number - 1, number - 2) for one in headings_in(name, lines)), plain
    assert headings is not None


@pytest.mark.parametrize(
    "text",
    [
        "#\n" * 200_000,
        "a\n=\n" * 200_000,
        " " * 1_000_000,
        "# " + "\t " * 500_000,
        "x" * 1_000_000,
        "```\n" * 200_000,
        "\n" * 1_000_000,
        "=" * 1_000_000,
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.adoc"])
@pytest.mark.timeout(limit(30))  # work that grows with the square of a text would take an hour
def test_no_text_takes_long_or_becomes_very_many(name: str, text: str) -> None:
    found = passages_of(name, text)
    assert len(found) <= MOST_HEADINGS + len(text) // LONGEST * 3 + 2

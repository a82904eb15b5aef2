"""What is asked for becomes an expression in which nothing but words has a meaning."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.collections.words import LONGEST, MOST_WORDS, expression
from tests.support.scale import examples

CASES = [
    ("deploy", '"deploy"'),
    ("how to deploy", '"how" OR "to" OR "deploy"'),
    ('"blue green" deploy', '"blue green" OR "deploy"'),
    ("write_file", '"write file" OR "write" OR "file"'),
    ("a AND b NOT c NEAR(d)", '"a" OR "AND" OR "b" OR "NOT" OR "c" OR "NEAR d" OR "NEAR" OR "d"'),
    ('body:secret* ^x -y "unclosed', '"body secret" OR "body" OR "secret" OR "x" OR "y" OR "unclosed"'),
    ("'; DROP TABLE passages; --", '"DROP" OR "TABLE" OR "passages"'),
    ("Straße naïve नमस्ते", '"Straße" OR "naïve" OR "नमस्ते"'),
    ("word word", '"word"'),
]


@pytest.mark.parametrize(("query", "expected"), CASES)
def test_words_are_quoted(query: str, expected: str) -> None:
    assert expression(query) == expected


@pytest.mark.parametrize("query", ["", "   ", '"', '""', "*", "()", '" "', "-- ^ : { } + \u0000", "…—", "🙂"])
def test_signs_alone_are_no_words(query: str) -> None:
    assert expression(query) is None


def test_only_so_many_words_count() -> None:
    found = expression(" ".join(f"w{number}" for number in range(200))) or ""
    assert found.count(" OR ") == MOST_WORDS - 1
    assert len(expression("x" * 5_000) or "") == LONGEST + 2


@given(st.text(max_size=60))
@settings(max_examples=examples(500), deadline=None)
def test_the_index_understands_every_expression(query: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize = 'porter unicode61')")
    connection.execute("INSERT INTO t VALUES ('x', ?)", (query.replace("\ud800", ""),))
    found = expression(query)
    if found is not None:
        connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (found,)).fetchall()
    connection.close()

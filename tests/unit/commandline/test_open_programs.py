"""Programs of which not every option is known: what is known of them is found in all its disguises."""

import pytest

from assent.commandline.given import sort_words
from assent.commandline.schema import Program, options
from tests.support.programs import arguments, program_part

OPEN = Program(
    ("tool",),
    "does things",
    "made up",
    options=options("-q --color[=] -k|--keyword=", loads="-p|--plugin= --plugin-folder="),
    open=True,
)
CLOSED = Program(("tool",), "does things", "made up", options=OPEN.options)
GO_LIKE = Program(("tool",), "does things", "made up", options=options(runs="-exec="), open=True, one_dash=True)


def _names(program: Program, *words: str) -> list[str]:
    return [one.name for one in sort_words(program, arguments("tool", *words), 1).options]


@pytest.mark.parametrize(
    "words",
    [
        ["-p", "x"],
        ["-px"],
        ["-qp", "x"],
        ["-zp", "x"],
        ["-zqpx"],
        ["-k", "-p", "x"],
        ["--keyword", "--plugin=x"],
        ["--keyword", "--", "-p", "x"],
        ["--plug", "x"],
        ["--plugin-f", "x"],
        ["a", "-p", "x"],
    ],
)
def test_an_option_that_matters_is_found(words: list[str]) -> None:
    given = sort_words(OPEN, arguments("tool", *words), 1)
    assert any({"--plugin", "--plugin-folder"} & set(one.option.names) for one in given.options)


@pytest.mark.parametrize("words", [["-k", "p"], ["-kp"], ["--", "-p", "x"], ["--color=-p"], ["--other=-p"], ["-k=-p"]])
def test_a_value_is_no_option(words: list[str]) -> None:
    assert not {"-p", "--plugin"} & set(_names(OPEN, *words))


def test_where_all_options_are_known_a_value_may_begin_with_a_dash() -> None:
    assert _names(CLOSED, "-k", "-p") == ["-k"]


def test_where_all_options_are_known_a_beginning_of_two_is_not_understood() -> None:
    assert sort_words(CLOSED, arguments("tool", "--plug", "x"), 1).strange == [1]


@pytest.mark.parametrize("word", ["-exec=x", "--exec=x"])
def test_long_options_with_one_dash_take_two(word: str) -> None:
    assert _names(GO_LIKE, word)


@pytest.mark.parametrize(("line", "at"), [("npm --loglevel $X test", 2), ("npm test --loglevel $X", 3)])
def test_a_value_that_can_become_several_words_is_a_danger(line: str, at: int) -> None:
    assert [danger.at for danger in program_part(line).dangers if danger.at == at]

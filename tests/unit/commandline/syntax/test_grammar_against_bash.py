# ruff: noqa: E501
"""What the grammar accepts, the real bash accepts too, and makes the same of it."""

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from assent.commandline.fields import without_braces
from assent.commandline.syntax import tree
from assent.commandline.syntax.parser import parse
from tests.support.scale import examples
from tests.unit.commandline.syntax import bash_oracle
from tests.unit.commandline.syntax.test_grammar_of_commands import COMMANDS
from tests.unit.commandline.syntax.test_grammar_of_words import WORDS

pytestmark = pytest.mark.skipif(bash_oracle.BASH is None, reason="there is no bash on this machine to compare with")

QUOTES = [
    *("a", "b", "-", "z", "u", "é", "0", "1", "3", "02", "$", "'", '"', "\\", " ", "\t", "#", "=", "%", "!", "^", "?", "*", "[", "]"),
    *("\\\n", "$'", '$"', "{", "}", ",", "..", "{a,b}", "{1..3}", "''", '""', '"${u:-', '"${u-', "\\n", "\\x", "x41", "\\u", "\\c"),
]  # fmt: skip
ESCAPES = [
    *("\\", "x", "u", "U", "c", "e", "E", "a", "n", "'", '"', "?", "0", "1", "7", "41", "00", "fF", "{", "}", "é", "\n", "@", "["),
    *("\\x", "\\u", "\\U", "\\0", "\\c"),
]  # fmt: skip
TICKS = [
    *("a", "b", "\\", "\\\\", "'", '"', '\\"', "\\`", "`printf '%s.' ", "$(printf '%s.' ", ")", "\"${u:-", "}", "\\$", "$u", " "),
    *("{a,b}", "$'", "\\'", "\\\\\\`", "#", "\\n"),
]  # fmt: skip
BODIES = [
    *("a", "\\", "$", '"', "'", "`", "\n", "\t", "E", "\nE\n", " ", "$u", "${u:-x}", "\\\n", "\\$", "\\\\", "\\`", "$'", '$"', "#"),
    *("E ", "{a,b}", "\n\tE\n", "`printf '%s.' a`", "${u-", "}", "$(printf '%s.' b)", '\\"', "\\a"),
]  # fmt: skip
TOKENS = [
    *("a", "b ", "c d", "x ", "if a; then b; fi", "if ", "then ", "elif ", "else ", "fi", "{ a; }", "{ ", "}", "( a )", "( ", ")"),
    *("for x in a b; do c; done", "for ", "in ", "do ", "done", "while a; do b; done", "while ", "case x in a) b;; (c|d) ;; esac"),
    *("case ", "esac", ";;", ";&", ";;&", "[[ -n a ]]", "[[ ", " ]]", "((x))", "((", "))", "$((", "f() { a; }", "f()", "function "),
    *("; ", "\n", "&", " && ", "||", " | ", "|&", "! ", "time ", "# c\n", "#", "\\\n", "\t", " ", "'", '"', "$(", "$(a)", "`a`", "`"),
    *("${u:-", "${#x}", "${", "$x", "$'", "\\", "{a,b}", "a=", "a+=", "a=(", "[", "]", "1", "-", "==", "=~", "!", "~", "*", "@", "-f "),
    *(">f", "2>", "2>&1", ">&", "&>", "<", "{v}>", "<<E", "<<-E", "\nE\n", "a<<E\nx\nE\n", "<<<", "<("),
]  # fmt: skip


def many(number: int) -> settings:
    """So many examples that the grammar accepts; most that are made up at random it does not."""
    unread = [HealthCheck.filter_too_much, HealthCheck.too_slow]
    return settings(max_examples=examples(number), deadline=None, suppress_health_check=unread)


def chain(parts, most):
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


def read_or_skip(text: str) -> tree.Sequence:
    try:
        return parse(text)
    except tree.NotUnderstood:
        assume(False)
        raise


def only_command(sequence: tree.Sequence) -> tree.Simple:
    assume(len(sequence.items) == 1 and len(sequence.items[0][0].commands) == 1)
    command = sequence.items[0][0].commands[0]
    assume(isinstance(command, tree.Simple) and not command.redirects)
    assert isinstance(command, tree.Simple)
    return command


def words_or_skip(command: tree.Simple) -> list[str]:
    # Of `{,}` bash makes no word at all, of `{"",}` one that is empty: a tree does not tell them apart.
    assume(all(pieces for word in command.words[1:] if word.pieces for pieces in without_braces(word.pieces)))
    try:
        return [text for word in command.words[1:] for text in bash_oracle.evaluated(word)]
    except bash_oracle.NotEvaluated:
        assume(False)
        raise


def same_as_in_bash(text: str) -> None:
    read = parse(text)
    assert bash_oracle.accepts(text), text
    printed = bash_oracle.printed(text)
    if read.items and printed is not None:
        assert bash_oracle.shape(parse(printed)) == bash_oracle.shape(read), printed


UNPRINTABLE = ("$'", "((;;")
"""bash does not print these so that they could be read again."""


@pytest.mark.parametrize("text", [f"c {word}" for word, _ in WORDS] + [text for text, _ in COMMANDS])
def test_the_tables_hold_for_bash(text):
    if any(part in text for part in UNPRINTABLE):
        assert bash_oracle.accepts(text)
    else:
        same_as_in_bash(text)


@many(400)
@given(chain(QUOTES, 8))
def test_words_of_quotes_escapes_and_braces_are_those_that_bash_passes(text):
    words = words_or_skip(only_command(read_or_skip("show " + text)))
    assert bash_oracle.words_of(text) == words


@many(300)
@given(chain(ESCAPES, 7).map(lambda inner: f"$'{inner}'"))
def test_escapes_are_decoded_as_bash_decodes_them(text):
    words = words_or_skip(only_command(read_or_skip("show " + text)))
    assert bash_oracle.words_of(text) == words


@many(400)
@given(st.sampled_from([('"`', '`"'), ('"$(', ')"')]), chain(TICKS, 8))
def test_what_a_substitution_runs_is_what_bash_runs(around, inner):
    text = f"{around[0]}printf '%s.' {inner}{around[1]}"
    words = words_or_skip(only_command(read_or_skip("show " + text)))
    assert bash_oracle.words_of(text) == words


@many(300)
@given(st.sampled_from(["E", "-E", "'E'", "\\E", '-"E"']), chain(BODIES, 8), st.sampled_from(["\nE", "E", "\n\tE"]))
def test_a_here_document_holds_what_bash_puts_into_it(delimiter, inner, end):
    text = f"{delimiter}\n{inner}{end}"
    sequence = read_or_skip(f"read <<{text}\nend")
    assume(len(sequence.items) == 2)
    command = sequence.items[0][0].commands[0]
    assert isinstance(command, tree.Simple)
    try:
        body = "".join(bash_oracle.evaluated(command.redirects[0].target))
    except bash_oracle.NotEvaluated:
        assume(False)
    assert bash_oracle.body_of(text) == body


@many(800)
@given(chain(TOKENS, 9))
def test_commands_are_built_as_bash_builds_them(text):
    read_or_skip(text)
    assume("time" not in text and not any(part in text for part in UNPRINTABLE))
    same_as_in_bash(text)


HIDING = [
    *(
        "'",
        '"',
        "\\",
        "$'",
        '$"',
        "${u:-",
        "${x:-",
        "${x:+",
        "${x#",
        "${x%%",
        "${x/",
        "${x//a/b",
        "${x:",
        "${x^",
        "${a[",
        "${m[",
    ),
    *(
        "]",
        "[",
        "}",
        "$((",
        "))",
        "$(R)",
        "`R`",
        "\\`R\\`",
        "'$(R)'",
        '"$(R)"',
        "x",
        "1",
        "$x",
        ",",
        "{",
        "{a,b}",
        " ",
        "\n",
        "#",
    ),
    *("\\\n", "(", ")", "$(", "`", ":", "@", "*", "<(R)"),
]
PLACES = [
    *(
        (": ", ""),
        ("y=", ""),
        ("y=(", ")"),
        ("a[", "]=1"),
        ("m[", "]=1"),
        ("[[ ", " ]]"),
        ("[[ x == ", " ]]"),
        ("[[ x =~ ", " ]]"),
    ),
    *(
        ("(( ", "))"),
        ("case x in ", ") :;; esac"),
        ("case ", " in *) :;; esac"),
        ("for i in ", "; do :; done"),
        (": <<<", ""),
    ),
    *((": <<E\n", "\nE"), (": <<'E'\n", "\nE"), (": <<-E\n", "\n\tE"), ("f() { : ", "; }; f")),
]


def names_r(node: object) -> bool:
    """Whether this tree holds a command that begins with R."""
    if isinstance(node, tree.Simple) and node.words:
        first = node.words[0].pieces
        if any(isinstance(piece, tree.Text) and "R" in piece.text for piece in first):
            return True
    if isinstance(node, tuple):
        return any(names_r(each) for each in node)
    return is_dataclass(node) and any(names_r(getattr(node, field.name)) for field in fields(node))


@many(300)
@given(st.sampled_from(PLACES), chain(HIDING, 6))
@example(("a[", "]=1"), "'$(R)'")
@example((": ", ""), "\"${a['$(R)']}\"")
@example(("(( ", "))"), "${x:-)}<(R)")
def test_nothing_runs_that_does_not_stand_in_the_tree(place, inner):
    text = inner.join(place)
    assume("R" in text and not names_r(read_or_skip(text)))
    answer = bash_oracle.ask("R() { printf RAN >&2; }; set -f; x=xax; a=(1 2); declare -A m; m[x]=1\n" + text)
    assert b"RAN" not in answer.stderr

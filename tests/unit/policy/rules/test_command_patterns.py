"""What the text of a rule on commands means."""

import pytest

from assent.policy.rules.book import RuleBook
from assent.policy.rules.commands.pattern import parse_command
from assent.policy.rules.commands.words import split_words
from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.pattern import UnusablePattern
from assent.policy.rules.rule import Effect, Rule


@pytest.mark.parametrize(
    ("text", "words", "prefix"),
    [
        ("npm test:*", ["npm", "test"], True),
        ("npm test *", ["npm", "test"], True),
        ("npm test :*", ["npm", "test"], True),
        ("npm run a:b", ["npm", "run", "a:b"], False),
        ("  npm   test\t", ["npm", "test"], False),
        ("git commit -m 'two words'", ["git", "commit", "-m", "two words"], False),
        ('a"b c"d', ["ab cd"], False),
        ("a\\ b", ["a b"], False),
        ("a ''", ["a", ""], False),
        ('a "\\$x"', ["a", "$x"], False),
        ("a b#c", ["a", "b#c"], False),
        ("a '*'", ["a", "*"], False),
    ],
)
def test_plain_words(text: str, words: list[str], prefix: bool) -> None:
    pattern = parse_command(text, generous=False)

    assert [word.text for word in pattern.words] == words
    assert pattern.prefix is prefix
    assert not any(word.wild for word in pattern.words)


@pytest.mark.parametrize(
    "text",
    [
        "a | b",
        "a && b",
        "a; b",
        "a $X",
        "a `b`",
        "a > b",
        "a < b",
        "a (b)",
        "a\nb",
        "a #b",
        'a "$X"',
        "a {b,c}",
        "a \\",
        "A=1 a",
        "a {1..3}",
    ],
)
def test_what_is_more_than_plain_words_means_exactly_this_text(text: str) -> None:
    pattern = parse_command(text, generous=False)

    assert pattern.words == ()
    assert pattern.means_text(text) and pattern.means_text(f" {text} ")
    assert not pattern.means_text(f"{text} x") and not pattern.means_text(f"x {text}")


def test_lines_of_windows_are_lines() -> None:
    assert parse_command("a\r\nb", generous=False).means_text("a\nb")
    assert parse_command("a\nb", generous=False).means_text("a\r\nb")


@pytest.mark.parametrize(
    "text", ["", "  ", ":*", "*:*", "* x", "?:*", "./*:*", "a 'b", 'a "b', "''", "a | b:*", "A=1 a:*"]
)
def test_a_permission_that_names_no_program_or_makes_no_sense_is_unusable(text: str) -> None:
    with pytest.raises(UnusablePattern):
        parse_command(text, generous=False)


def test_a_pattern_that_is_too_long_is_unusable() -> None:
    with pytest.raises(UnusablePattern, match="longer"):
        parse_command("a" * 5_000, generous=True)


@pytest.mark.parametrize(
    ("pattern", "meant", "not_meant"),
    [
        ("a*", ["a", "ab", "abc"], ["b", "ba", ""]),
        ("*a", ["a", "ba"], ["ab"]),
        ("a?c", ["abc"], ["ac", "abbc"]),
        ("a*b*c", ["abc", "axbxc", "abbc"], ["acb", "ab"]),
        ("*a*a", ["aa", "aba"], ["a", "ab"]),
        ("a\\*", ["a*"], ["ab"]),
        ("a'*'*", ["a*", "a*x"], ["ab"]),
        ("a[b]", ["a[b]"], ["ab"]),
    ],
)
def test_wildcards_within_a_word(pattern: str, meant: list[str], not_meant: list[str]) -> None:
    words = split_words(pattern)
    assert words is not None
    (word,) = words

    assert [text for text in meant if not word.fits(text)] == []
    assert [text for text in not_meant if word.fits(text)] == []


def test_many_wildcards_take_no_more_time_than_letters() -> None:
    words = split_words("*a" * 1_000)
    assert words is not None

    assert not words[0].fits("a" * 50_000 + "b")
    hard = split_words("*" + "a" * 2_000 + "b*" + "?" * 500 + "c")
    assert hard is not None and not hard[0].fits("a" * 200_000)


def test_a_book_says_what_is_wrong_with_a_rule() -> None:
    rules = [Rule(Effect.ALLOW, "bash", "a | b:*"), Rule(Effect.DENY, "bash", "a 'b"), Rule(Effect.ASK, "bash", "[x")]
    book = RuleBook(rules, ("/ws",), "/home/u")

    unusable, closed = book.faults
    assert unusable.startswith("The allow rule 'a | b:*' for bash in your user settings cannot be used, so it allows")
    assert unusable.endswith("only plain words can come before “:*”; leave it out to mean exactly this text.")
    assert closed.startswith('The deny rule "a \'b" for bash in your user settings cannot be used, so it denies every')
    assert closed.endswith("a quote is not closed.")


def test_examples_of_rules_on_commands_are_commands() -> None:
    allow = Rule(Effect.ALLOW, "bash", "npm test:*")
    good = Examples(("npm test", "npm test -v"), ("npm publish", "npm test; x", "npm test > out", "npm test < .env"))
    bad = Examples(("npm publish",), ("npm test -v",))

    assert check_examples(allow, good) == []
    assert len(check_examples(allow, bad)) == 2
    deny = Rule(Effect.DENY, "bash", "git push:*")
    assert check_examples(deny, Examples(("git -C x push", "ls; git push"), ("git log --grep push", "git $X"))) == []
    reading = Rule(Effect.ALLOW, "bash", "cat:*")
    assert check_examples(reading, Examples(("cat src/a",), ("cat /etc/hosts", "cat .env"))) == []

"""A rule that brings its own examples is held to them."""

from assent.policy.rules.examples import Examples, check_examples
from assent.policy.rules.rule import Effect
from tests.support.rule_calls import rule


def test_examples_that_agree_are_silent() -> None:
    docs = Examples(match=("docs/a.md", "docs/api/b.md"), not_match=("src/a.py", "docs", "/etc/hosts"))
    for effect in Effect:
        assert check_examples(rule("docs/**", effect), docs) == []


def test_each_contradiction_is_a_sentence() -> None:
    one = rule("docs/*.md", scope="workspace", file="s.json", line=4)
    start = "The allow rule 'docs/*.md' for write_file in the workspace's settings (s.json, line 4)"
    assert check_examples(one, Examples(match=("docs/x/a.md",), not_match=("docs/a.md", "src/a"))) == [
        f"{start} does not match 'docs/x/a.md', which it gives as an example.",
        f"{start} matches 'docs/a.md', which it gives as an example of what it must not match.",
    ]


def test_examples_are_read_as_the_effect_reads_its_pattern() -> None:
    elsewhere = Examples(match=("README.md/x",))
    assert check_examples(rule("*.md", Effect.DENY), elsewhere) == []
    assert len(check_examples(rule("*.md", Effect.ALLOW), elsewhere)) == 1


def test_a_secret_counts_as_a_secret() -> None:
    assert check_examples(rule("**"), Examples(match=("a",), not_match=(".env",))) == []
    assert check_examples(rule(".env"), Examples(match=(".env", "app/.env"))) == []


def test_places_outside_the_workspace() -> None:
    assert check_examples(rule("~/notes/**"), Examples(match=("~/notes/a",), not_match=("notes/a", "~/other"))) == []
    assert check_examples(rule("/etc/hosts"), Examples(match=("/etc/hosts",), not_match=("/etc/passwd",))) == []
    here = rule("docs/**")
    assert check_examples(here, Examples(match=("/home/me/ws/docs/a",)), ("/home/me/ws",), "/home/me") == []
    assert check_examples(here, Examples(match=("~/ws/docs/a",)), ("/home/me/ws",), "/home/me") == []


def test_a_folder_as_an_example() -> None:
    assert check_examples(rule("docs/"), Examples(match=("docs/", "docs/a"), not_match=("docs",))) == []


def test_a_rule_for_some_agents_is_held_to_its_examples_too() -> None:
    assert len(check_examples(rule("docs/**", agents=("Local",)), Examples(match=("src",)))) == 1
    assert check_examples(rule("docs/**", agents=("Local",)), Examples(match=("docs/a",))) == []


def test_no_examples_no_words() -> None:
    assert check_examples(rule("["), Examples()) == []

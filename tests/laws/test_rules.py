"""What holds for all rules, whatever stands in them."""

from dataclasses import replace
from unicodedata import normalize

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assent.model.calls import Access, CallFacts, PathUse
from assent.policy.rules.name_globs import NameIndex
from assent.policy.rules.pattern import tokens_of
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.spelling import CASELESS, EXACT, Spelling
from assent.policy.rules.suggest import suggest, suggest_deny
from tests.laws import rules_reference as reference
from tests.support.rule_calls import HOME, ROOT, allows, book, call, denies, rule, speaks, use
from tests.support.scale import examples

many = settings(max_examples=examples(400), deadline=None)

# Few characters, so that patterns and paths meet often.
PIECES = st.sampled_from(["a", "b", "A", "ab", "*", "?", "[ab]", "[!a]", "[a-b]", "[A-B]", "[^b]", "\\*", "\\?"])
PATTERN_NAME = st.one_of(st.just("**"), st.lists(PIECES, min_size=1, max_size=4).map("".join))
PATTERN_NAMES = st.lists(PATTERN_NAME, min_size=1, max_size=5).map("/".join)
SIMPLE_PATTERN = st.tuples(st.sampled_from(["", "", "./"]), PATTERN_NAMES, st.sampled_from(["", "", "/"])).map("".join)
SIMPLE_NAME = st.lists(st.sampled_from(["a", "b", "A", "B", "*", "?"]), min_size=1, max_size=4).map("".join)
SIMPLE_NAMES = st.lists(SIMPLE_NAME, min_size=1, max_size=5).map(tuple)

# And anything that a person, a model or an attacker may write.
ODD = st.sampled_from(
    [*"ab.~!*?[]-^\\/:{},$ #", "**", "..", "é", "e\u0301", "ß", "ﬁ", "\u200b", "İ", "\0", "C:\\", "/"]
)
ODD_TEXT = st.lists(ODD, max_size=12).map("".join)
ANY_PATTERN = st.one_of(SIMPLE_PATTERN, ODD_TEXT, st.text(max_size=8), st.just("*"))
ANY_PATH = st.one_of(
    SIMPLE_NAMES.map("/".join), ODD_TEXT.filter(bool), st.sampled_from([".env", "/etc/hosts", f"{HOME}/.ssh/id_rsa"])
)
USES = st.builds(
    use,
    ANY_PATH,
    st.sampled_from(Access),
    folder=st.booleans(),
    shown=st.sampled_from(["", "a", "a/b"]),
    named=st.sampled_from(["", f"{ROOT}/b", "/a"]),
)
CALLS = st.lists(USES, max_size=3).map(lambda uses: call(*uses))
AGENTS = st.sampled_from([None, None, ("Demo",), ("Local",), ()])
RULES = st.builds(
    lambda pattern, effect, tool, agents: rule(pattern, effect, tool, agents=agents),
    ANY_PATTERN,
    st.sampled_from(Effect),
    st.sampled_from(["write_file", "write_file", "other"]),
    AGENTS,
)
BOOKS = st.lists(RULES, max_size=8)


def first(rules: list[Rule], effect: Effect, facts: CallFacts) -> Rule | None:
    return book(*rules).first(effect, facts, "Demo")


@many
@given(SIMPLE_PATTERN, SIMPLE_NAMES)
def test_a_permission_means_what_the_slow_reading_says(pattern: str, names: tuple[str, ...]) -> None:
    assume(pattern != "*")
    assert allows(pattern, "/".join(names)) is reference.allows(pattern, names)


@many
@given(SIMPLE_PATTERN, SIMPLE_NAMES)
def test_a_restriction_means_what_the_slow_reading_says(pattern: str, names: tuple[str, ...]) -> None:
    assume("\\" not in pattern)
    assert denies(pattern, "/".join(names)) is reference.denies(pattern, names)


# Longer names, of which many begin or end alike, as those of a long list do.
WORD = st.sampled_from(["a", "b", "module", "modul", "test_", "_test", ".py", ".pyi", "1", "12", "é"])
LONG_NAME = st.lists(WORD, min_size=1, max_size=4).map("".join)
LONG_PATTERN_NAME = st.one_of(
    st.just("**"), st.lists(st.one_of(WORD, PIECES), min_size=1, max_size=5).map("".join), LONG_NAME
)
LONG_PATTERN = st.tuples(
    st.sampled_from(["", "./"]), st.lists(LONG_PATTERN_NAME, min_size=1, max_size=4).map("/".join)
).map("".join)
LONG_PATTERNS = st.lists(LONG_PATTERN.filter(lambda text: text != "*"), min_size=1, max_size=40)
LONG_NAMES = st.lists(LONG_NAME, min_size=1, max_size=4).map(tuple)


@many
@given(LONG_PATTERNS, st.lists(LONG_NAMES, min_size=1, max_size=4))
def test_a_long_list_of_permissions_means_what_the_slow_reading_says(
    patterns: list[str], paths: list[tuple[str, ...]]
) -> None:
    rules = [rule(pattern, scope=str(at)) for at, pattern in enumerate(patterns)]
    made = book(*rules)
    for names in paths:
        at = reference.first_that_allows(patterns, names)
        assert made.first(Effect.ALLOW, call("/".join(names)), "Demo") == (None if at is None else rules[at])


@many
@given(LONG_PATTERNS, st.lists(LONG_NAMES, min_size=1, max_size=4))
def test_a_long_list_of_restrictions_means_what_the_slow_reading_says(
    patterns: list[str], paths: list[tuple[str, ...]]
) -> None:
    assume(not any("\\" in pattern for pattern in patterns))
    rules = [rule(pattern, Effect.DENY, scope=str(at)) for at, pattern in enumerate(patterns)]
    made = book(*rules)
    for names in paths:
        at = reference.first_that_denies(patterns, names)
        assert made.first(Effect.DENY, call("/".join(names)), "Demo") == (None if at is None else rules[at])


NAME_PATTERNS = st.lists(st.lists(st.one_of(WORD, PIECES), min_size=1, max_size=5).map("".join), max_size=30)


@many
@given(NAME_PATTERNS, st.lists(LONG_NAME, min_size=1, max_size=4), st.sampled_from([EXACT, CASELESS]))
def test_an_index_of_names_finds_those_that_match_and_no_others(
    patterns: list[str], names: list[str], spelling: Spelling
) -> None:
    index: NameIndex[int] = NameIndex(spelling)
    for number, pattern in enumerate(patterns):
        index.add(tokens_of(pattern), number)
    for name in names:
        (segment,) = spelling.names(name)
        fold = spelling is CASELESS
        expected = [at for at, pattern in enumerate(patterns) if reference.name_matches(pattern, name, fold)]
        assert sorted(index.matching(segment)) == expected


@many
@given(BOOKS, CALLS)
def test_only_the_rules_of_an_agent_and_those_of_all_speak_of_its_calls(rules: list[Rule], facts: CallFacts) -> None:
    for effect in Effect:
        heard = [one for one in rules if one.agents is None or "Demo" in one.agents or not one.agents]
        kept = [replace(one, agents=None) for one in heard if one.agents != () or effect.restricts]
        found = first(kept, effect, facts)
        assert (first(rules, effect, facts) is None) is (found is None)


@many
@given(ANY_PATTERN, CALLS)
def test_what_a_pattern_permits_it_also_restricts(pattern: str, facts: CallFacts) -> None:
    if speaks(Effect.ALLOW, pattern, facts):
        assert speaks(Effect.DENY, pattern, facts)
        assert speaks(Effect.ASK, pattern, facts)


@many
@given(SIMPLE_PATTERN, SIMPLE_NAMES)
def test_no_other_case_of_letters_dodges_a_restriction(pattern: str, names: tuple[str, ...]) -> None:
    assume("!" not in pattern and "^" not in pattern)
    path = "/".join(names)
    assert denies(pattern, path) == denies(pattern, path.swapcase()) == denies(pattern.swapcase(), path)


@many
@given(BOOKS, st.data())
def test_fewer_rules_match_no_more(rules: list[Rule], data: st.DataObject) -> None:
    facts = data.draw(CALLS)
    kept = [one for one in rules if data.draw(st.booleans())]
    for effect in Effect:
        if first(kept, effect, facts) is not None:
            assert first(rules, effect, facts) is not None


@many
@given(BOOKS, RULES, CALLS, st.integers(0, 8))
def test_a_rule_changes_nothing_for_the_other_effects(rules: list[Rule], more: Rule, facts: CallFacts, at: int) -> None:
    for effect in Effect:
        if effect is not more.effect:
            assert first([*rules[:at], more, *rules[at:]], effect, facts) == first(rules, effect, facts)


@many
@given(BOOKS, CALLS)
def test_a_book_restricts_as_its_rules_do_one_by_one(rules: list[Rule], facts: CallFacts) -> None:
    for effect in (Effect.DENY, Effect.ASK):
        assert first(rules, effect, facts) == next((one for one in rules if first([one], effect, facts)), None)


@many
@given(BOOKS, CALLS)
def test_a_book_permits_what_its_rules_permit_path_by_path(rules: list[Rule], facts: CallFacts) -> None:
    each = [next((one for one in rules if first([one], Effect.ALLOW, call(use_))), None) for use_ in facts.paths]
    if not each:
        each = [next((one for one in rules if first([one], Effect.ALLOW, facts)), None)]
    assert first(rules, Effect.ALLOW, facts) == (None if None in each else each[0])


@many
@given(ANY_PATTERN, CALLS)
def test_what_cannot_be_used_permits_nothing_and_restricts_all(pattern: str, facts: CallFacts) -> None:
    for effect in Effect:
        one = rule(pattern, effect)
        if book(one).faults:
            assert (first([one], effect, facts) is not None) is effect.restricts


NAME = st.one_of(
    SIMPLE_NAME, ODD_TEXT.filter(lambda text: text not in {"", ".", ".."} and "/" not in text and "\0" not in text)
)
PLACE = st.lists(NAME, min_size=1, max_size=4).map("/".join)
GROUND = st.sampled_from(["", "/", "/srv/", f"{HOME}/"])


@many
@given(st.lists(st.tuples(GROUND, PLACE).map("".join), min_size=1, max_size=3), st.sampled_from(Access), st.booleans())
def test_every_suggestion_would_have_allowed_the_call(paths: list[str], access: Access, folder: bool) -> None:
    facts = call(*(use(path, access, folder=folder) for path in paths))
    for suggestion in suggest(facts, (ROOT,), HOME):
        one = rule(suggestion.pattern, tool=suggestion.tool)
        assert book(one).faults == ()
        assert first([one], Effect.ALLOW, facts) == one
        assert suggestion.words.endswith(".")


@many
@given(st.lists(st.tuples(GROUND, PLACE).map("".join), max_size=2), st.sampled_from(Access), st.booleans())
def test_never_again_means_this_call(paths: list[str], access: Access, folder: bool) -> None:
    facts = call(*(use(path, access, folder=folder) for path in paths))
    never = suggest_deny(facts, (ROOT,), HOME)
    one = rule(never.pattern, Effect.DENY, tool=never.tool)
    assert book(one).faults == ()
    assert first([one], Effect.DENY, facts) == one
    assert never.pattern == "*" or len({use.real for use in facts.paths}) <= 1


@many
@given(SIMPLE_NAMES, SIMPLE_NAMES)
def test_never_again_says_nothing_of_another_file(names: tuple[str, ...], others: tuple[str, ...]) -> None:
    never = suggest_deny(call("/".join(names)), (ROOT,), HOME)
    same = [one.lower() for one in others][: len(names)] == [one.lower() for one in names]
    assert denies(never.pattern, "/".join(others)) is same


@many
@given(PLACE, PLACE)
def test_a_suggestion_allows_what_the_narrower_ones_allow_and_the_first_only_its_file(path: str, other: str) -> None:
    offered = [one.pattern for one in suggest(call(path), (ROOT,), HOME)]
    if not offered:
        return
    # A name in a pattern covers what would lie below it, were it a folder.
    assume(not use(other).real.startswith(use(path).real + "/"))
    seen = [allows(pattern, other) for pattern in offered]
    assert seen == sorted(seen)
    if len(offered) > 1 and path.isprintable() and normalize("NFC", path) != normalize("NFC", other):
        assert not seen[0]


@many
@given(st.lists(st.sampled_from(["a", "b", "c.md"]), min_size=1, max_size=5), st.sampled_from(Access))
def test_no_suggestion_reaches_beyond_a_workspace_folder(names: list[str], access: Access) -> None:
    root = "/a/b/a"
    path = "/" + "/".join(names)
    inside = path == root or path.startswith(root + "/")
    facts = call(PathUse(path, path, access, inside))
    for suggestion in suggest(facts, (root,), "/b"):
        one = rule(suggestion.pattern)
        if suggestion.pattern != "*" and not inside:
            for above in ("/a/b/a/x/y", "/a/b/a/x/c.md"):
                assert (
                    book(one, roots=(root,)).first(Effect.ALLOW, call(PathUse(above, above, access, True)), "") is None
                )

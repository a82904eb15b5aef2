"""Which rule speaks of a call: several paths, other names, secrets, agents, order."""

import pytest

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.rule_calls import HOME, ROOT, TOOL, allows, book, call, denies, rule, speaks, use

READ = Access.READ


def test_an_empty_book_says_nothing() -> None:
    for effect in Effect:
        assert RuleBook().first(effect, call("a"), "Demo") is None
    assert RuleBook().faults == ()


def test_the_whole_tool_whatever_it_touches() -> None:
    for effect in Effect:
        assert speaks(effect, "*", call("a", "/b/c"))
        assert speaks(effect, "*", call())
        assert not speaks(effect, "**", call()), "a call that touches nothing is no path"
        assert book(rule("*", effect, "other")).first(effect, call("a"), "Demo") is None


def test_one_path_is_enough_to_restrict_and_every_path_is_needed_to_permit() -> None:
    assert denies("infra/**", "docs/a", "infra/b")
    assert not allows("docs/**", "docs/a", "infra/b")
    both = book(rule("docs/**"), rule("infra/**"))
    assert both.first(Effect.ALLOW, call("docs/a", "infra/b"), "Demo") is not None
    assert both.first(Effect.ALLOW, call("docs/a", "infra/b", "src/c"), "Demo") is None


def test_of_several_the_first_in_the_settings_is_named() -> None:
    rules = [rule(pattern, Effect.DENY) for pattern in ("docs/a", "**/a", "*", "docs/**", "a", "*.a", "[")]
    for start in range(len(rules)):
        turned = [*rules[start:], *rules[:start]]
        first = book(*turned).first(Effect.DENY, call("docs/a"), "Demo")
        assert first == next(one for one in turned if one.pattern != "*.a")


def test_effects_do_not_mix() -> None:
    mixed = book(rule("*", Effect.DENY), rule("docs/**", Effect.ASK))
    assert mixed.first(Effect.ALLOW, call("docs/a"), "Demo") is None
    assert mixed.first(Effect.ASK, call("src/a"), "Demo") is None
    assert mixed.first(Effect.DENY, call("src/a"), "Demo") is not None


def test_a_tool_that_does_not_exist_can_be_denied_and_not_allowed() -> None:
    unknown = call("a", tool="rm_rf", known=False)
    assert speaks(Effect.DENY, "*", unknown)
    assert not speaks(Effect.ALLOW, "*", unknown)


def test_a_call_that_was_not_understood_is_not_allowed() -> None:
    unreadable = CallFacts(TOOL, known=True, category=Category.WRITE, arguments_fault="path is missing")
    assert not speaks(Effect.ALLOW, "*", unreadable)
    assert speaks(Effect.DENY, "*", unreadable)


def test_the_name_of_a_tool_is_exact() -> None:
    assert book(rule("*", tool="Write_File")).first(Effect.ALLOW, call("a"), "Demo") is None


def test_a_restriction_knows_every_name_of_a_path_and_a_permission_only_the_real_one() -> None:
    link = use("/ws/plain/a", shown="infra/link", named="/ws/other/link")
    for pattern in ("plain/**", "infra/link", "other/**", "/ws/other/**"):
        assert denies(pattern, link), pattern
    assert allows("plain/**", link)
    for pattern in ("infra/link", "other/**", "/ws/other/**"):
        assert not allows(pattern, link), pattern


@pytest.mark.parametrize("real", ["docs/a", "/ws/docs/../src/a", "/ws/docs/a\0", ""])
def test_what_cannot_be_a_real_path_is_not_permitted(real: str) -> None:
    facts = CallFacts(TOOL, known=True, category=Category.WRITE, paths=(use("docs/a"),))
    assert speaks(Effect.ALLOW, "docs/**", facts)
    broken = CallFacts(TOOL, known=True, category=Category.WRITE, paths=(_with_real(real),))
    for pattern in ("docs/**", "**", "/ws/**", "//docs/**"):
        assert not speaks(Effect.ALLOW, pattern, broken)


def _with_real(real: str) -> PathUse:
    return PathUse(real, "docs/a", Access.WRITE, inside=True)


class TestReadingOutside:
    """A permission must name the place."""

    @pytest.mark.parametrize(
        "pattern", ["/etc/hosts", "/etc/**", "/etc", "/etc/h*", "/etc/", "//etc/*", "//etc/**/hosts"]
    )
    def test_the_place_or_a_folder_above_it(self, pattern: str) -> None:
        assert allows(pattern, use("/etc/hosts", READ))

    @pytest.mark.parametrize("pattern", ["*", "**", "hosts", "**/hosts", "/**", "//**/hosts", "//*/hosts", "/*/hosts"])
    def test_not_just_anything(self, pattern: str) -> None:
        assert not allows(pattern, use("/etc/hosts", READ))

    def test_home(self) -> None:
        assert allows("~/notes/**", use(f"{HOME}/notes/a", READ))
        assert allows("~/**", use(f"{HOME}/notes/a", READ))
        at_the_top = book(rule("~/**"), home="/")
        assert at_the_top.first(Effect.ALLOW, call("/etc/hosts", access=READ), "Demo") is None

    def test_a_drive_is_no_place(self) -> None:
        assert not allows("C:/**", use("C:\\code\\a", READ))
        assert not allows("C:/", use("C:\\code\\a", READ))
        assert allows("C:/code/**", use("C:\\code\\a", READ))

    def test_a_folder_that_is_relative_to_the_workspace_names_no_place_outside(self) -> None:
        # The workspace moved while the settings did not: what is no longer inside must be named in full.
        assert not allows("docs/**", _outside_below_the_root())
        assert allows("/ws/docs/**", _outside_below_the_root())

    def test_beside_an_ordinary_path(self) -> None:
        whole = rule("*")
        facts = call(use("a", READ), use("/etc/hosts", READ))
        assert book(whole).first(Effect.ALLOW, facts, "Demo") is None
        assert book(whole, rule("/etc/hosts")).first(Effect.ALLOW, facts, "Demo") == whole

    def test_writing_outside_is_for_the_ladder_to_ask(self) -> None:
        assert allows("*", use("/srv/a", Access.WRITE))

    def test_restrictions_need_not_name_it(self) -> None:
        for pattern in ("*", "**", "hosts", "/**"):
            assert denies(pattern, use("/etc/hosts", READ))


def _outside_below_the_root() -> PathUse:
    return PathUse(f"{ROOT}/docs/a", "docs/a", READ, inside=False)


class TestReadingSecrets:
    """A permission must name the file."""

    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            (".env", ".env"),
            (".env", "app/.env"),
            (".env*", ".env.local"),
            ("app/.env.*", "app/.env.local"),
            ("*.pem", "certs/a.pem"),
            ("certs/a.pem", "certs/a.pem"),
            ("~/.ssh/config", f"{HOME}/.ssh/config"),
            ("~/.ssh/id_*", f"{HOME}/.ssh/id_rsa"),
        ],
    )
    def test_its_name_or_what_only_secrets_have(self, pattern: str, path: str) -> None:
        assert allows(pattern, use(path, READ))

    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("*", ".env"),
            ("**", ".env"),
            (".*", ".env"),
            ("?env", ".env"),
            ("*e*", ".env"),
            ("app", "app/.env"),
            ("app/", "app/.env"),
            ("app/**", "app/.env"),
            ("app/*", "app/.env"),
            (".", ".env"),
            ("~/.ssh/**", f"{HOME}/.ssh/config"),
            ("~/.ssh", f"{HOME}/.ssh/config"),
            ("~/.ssh/*", f"{HOME}/.ssh/id_rsa"),
            ("*.json", ".aws/token.json"),
            (".env", f"{HOME}/.env"),
        ],
    )
    def test_not_a_wildcard_that_happens_to_catch_it(self, pattern: str, path: str) -> None:
        assert not allows(pattern, use(path, READ))
        assert denies(pattern, use(path, READ))

    def test_under_any_of_its_names(self) -> None:
        link = use("plain", READ, shown="plain", named="/ws/.env")
        assert not allows("**", link)
        assert allows("plain", link)


class TestAgents:
    """A rule may speak of some agents only."""

    def test_holds_for_those_it_names(self) -> None:
        for effect in Effect:
            some = book(rule("*", effect, agents=("Local", "Other")), rule("docs/**", effect, agents=("Local",)))
            assert some.first(effect, call("docs/a"), "Local") is not None
            assert some.first(effect, call("docs/a"), "Demo") is None

    def test_each_of_them_hears_it(self) -> None:
        for effect in Effect:
            for pattern in ("*", "docs/**", "["):
                some = book(rule(pattern, effect, agents=("Local", "Other", "Demo", "Local")))
                heard = [some.first(effect, call("docs/a"), agent) for agent in ("Local", "Demo", "Nobody")]
                matches = pattern != "[" or effect.restricts
                assert [one is not None for one in heard] == [matches, matches, False]

    def test_another_rule_may_hold_instead(self) -> None:
        for pattern in ("*", "docs/**"):
            rules = [rule(pattern, agents=("Local",)), rule(pattern)]
            assert book(*rules).first(Effect.ALLOW, call("docs/a"), "Demo") == rules[1]
            assert book(*rules).first(Effect.ALLOW, call("docs/a"), "Local") == rules[0]

    def test_nobody_is_a_mistake(self) -> None:
        for effect in Effect:
            nobody = book(rule("docs/**", effect, agents=()))
            assert (nobody.first(effect, call("docs/a"), "Demo") is not None) is effect.restricts
            assert "names no agent" in nobody.faults[0]


@pytest.mark.parametrize(
    ("one", "place"),
    [
        (Rule(Effect.DENY, "bash", "*"), "your user settings"),
        (Rule(Effect.DENY, "bash", "*", "user", "settings.json", 3), "your user settings (settings.json, line 3)"),
        (Rule(Effect.DENY, "bash", "*", "workspace", "s.json"), "the workspace's settings (s.json)"),
        (Rule(Effect.DENY, "bash", "*", "folder"), "the folder's settings"),
        (Rule(Effect.DENY, "bash", "*", "machine"), "the machine settings"),
    ],
)
def test_the_place_of_a_rule_is_named(one: Rule, place: str) -> None:
    assert one.place == place


def test_a_fault_names_the_rule_and_what_follows() -> None:
    (fault,) = book(rule("[", Effect.ASK, scope="folder")).faults
    assert fault.startswith("The ask rule '[' for write_file in the folder's settings cannot be used, so it asks for")

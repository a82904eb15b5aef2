"""What a card offers truly helps: with the answer in force, the same call is not asked for again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.approval import Option, OptionKind
from assent.model.calls import Access, CallFacts, HookAnswer, Hooks, PathUse
from assent.model.grants import DirectoryGrant, RootGrant
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.decide import Rules, decide
from assent.policy.granting import with_grant
from assent.policy.offers import Offers, facts_with, helpful_rules, offer
from assent.policy.options import Kept
from assent.policy.rules.rule import Effect
from tests.support import ladder
from tests.support.ladder import law

DEFAULT = Rules(Mode.DEFAULT, agent_name="Agent", roots=(ladder.ROOT,), home=ladder.HOME)


def offered(facts: CallFacts, rules: Rules = DEFAULT) -> list[Option]:
    return list(offer(facts, rules, decide(facts, rules), agent_id="id"))


def ids(facts: CallFacts, rules: Rules = DEFAULT) -> list[str]:
    return [option.option_id for option in offered(facts, rules)]


@law
@given(ladder.FACTS, ladder.RULES, st.sampled_from(Kept))
def test_every_offer_does_what_it_says(facts: CallFacts, rules: Rules, kept: Kept) -> None:
    rules = replace(rules, rules_kept=kept, alive=True, enabled=True, exhausted_limit=None)
    decision = decide(facts, rules)
    if decision.outcome is not Outcome.ASK:
        return
    options = offered(facts, rules)
    assert len({option.option_id for option in options}) == len(options)
    assert [option.kind for option in options[:2]] == [OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE]
    for option in options:
        if option.grant is None:
            assert option.kind in (OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE)
        elif isinstance(option.grant, RootGrant):
            added = replace(rules, roots=(*rules.roots, option.grant.directory))
            assert decide(facts_with(facts, option.grant), added).situation is not Situation.OUTSIDE
        elif option.kind is OptionKind.REJECT_ALWAYS:
            assert decide(facts, with_grant(rules, option.grant)).reason is Reason.DENIED_BY_RULE
        else:
            assert decide(facts, with_grant(rules, option.grant)).outcome is Outcome.RUN
            assert decision.situation not in (Situation.PROTECTED, Situation.ASK_RULE)


@law
@given(st.lists(st.tuples(ladder.FACTS, ladder.RULES), min_size=1, max_size=3))
def test_what_is_kept_of_the_last_look_is_what_would_be_offered_now(looks: list[tuple[CallFacts, Rules]]) -> None:
    offers = Offers("id")
    assert Rules(Mode.ASK) == Rules(Mode.ASK), "what is read twice is told to be the same"
    for facts, rules in (*looks, *looks[::-1]):
        for changed in (rules, replace(rules, session_grants_offered=not rules.session_grants_offered)):
            decision = decide(facts, changed)
            assert offers.of(facts, changed, decision) == offer(facts, changed, decision, agent_id="id")


@law
@given(ladder.FACTS, ladder.RULES)
def test_no_bypass_and_nothing_for_the_whole_tool_where_the_card_is_about_a_place(
    facts: CallFacts, rules: Rules
) -> None:
    decision = decide(facts, rules)
    if decision.outcome is Outcome.ASK and decision.situation is not Situation.ORDINARY:
        kinds = [option.kind for option in offered(facts, rules)]
        assert OptionKind.BYPASS_AGENT not in kinds and OptionKind.BYPASS_SESSION not in kinds
        assert not any(option.option_id == "allow_session" for option in offered(facts, rules))


def test_an_ordinary_write() -> None:
    assert ids(ladder.WRITE_INSIDE) == [
        "approve",
        "deny",
        "allow_session",
        f"always:{ladder.KEY}:src/a.py",
        f"always:{ladder.KEY}:src/*.py",
        f"always_tool:{ladder.KEY}",
        "bypass_session",
        "bypass_agent",
        f"never:{ladder.KEY}:src/a.py",
    ]


def test_a_call_without_paths_has_no_rule_but_the_tool() -> None:
    assert [one for one in ids(ladder.EXECUTE) if one.startswith(("always", "never"))] == [
        f"always_tool:{ladder.KEY}",
        f"never:{ladder.KEY}:*",
    ]


def test_reading_outside_offers_the_directory_to_read_for_the_chat_and_always() -> None:
    outside = ladder.facts(Category.READ, ladder.path("/data/deep/in.csv"))

    assert ids(outside) == [
        "approve",
        "deny",
        "allow_directory:read:/data/deep",
        f"always:{ladder.KEY}://data/deep/**",
        f"never:{ladder.KEY}://data/deep/in.csv",
    ]


def test_a_secret_offers_the_rule_that_names_it_and_nothing_for_the_chat() -> None:
    assert ids(ladder.READ_SECRET) == ["approve", "deny", f"always:{ladder.KEY}:./.env", f"never:{ladder.KEY}:./.env"]
    pem = ladder.facts(Category.READ, ladder.path("tls/a.pem"))
    assert [one for one in ids(pem) if one.startswith("always")] == [f"always:{ladder.KEY}:tls/a.pem"]


def test_writing_outside_offers_the_directory_for_the_chat_and_as_a_part_of_the_workspace() -> None:
    outside = ladder.facts(Category.WRITE, ladder.path("/data/out.csv", Access.WRITE))

    assert ids(outside) == [
        "approve",
        "deny",
        "allow_directory:write:/data",
        "add_directory:/data",
        f"never:{ladder.KEY}://data/out.csv",
    ]


def test_several_paths_outside_offer_the_directory_that_holds_them_all() -> None:
    both = ladder.facts(Category.WRITE, *(ladder.path(f"/data/{name}/x", Access.WRITE) for name in ("a", "b")))
    mixed = ladder.facts(Category.WRITE, ladder.path("/data/a/x"), ladder.path("/data/b/x", Access.WRITE))

    assert "allow_directory:write:/data" in ids(both)
    assert "allow_directory:write:/data" in ids(mixed)
    apart = ladder.facts(Category.WRITE, *(ladder.path(name, Access.WRITE) for name in ("/data/x", "/else/y")))
    assert ids(apart)[:2] == ["approve", "deny"] and not any("directory" in one for one in ids(apart))


def test_a_copy_from_outside_into_the_workspace_offers_no_directory_that_would_not_cover_it() -> None:
    copy = ladder.facts(Category.WRITE, ladder.path("/data/x"), ladder.path("src/x", Access.WRITE))

    assert decide(copy, DEFAULT).situation is Situation.RAISED
    assert not any("directory" in one for one in ids(copy))


def test_what_a_command_writes_outside_offers_only_to_add_the_directory() -> None:
    command = ladder.facts(Category.EXECUTE, ladder.path("/data/x", Access.WRITE))

    assert [one for one in ids(command) if "directory" in one] == ["add_directory:/data"]
    loose = replace(DEFAULT, mode=Mode.AUTO)
    found = [one for one in ids(command, loose) if "directory" in one]
    assert found == ["allow_directory:write:/data", "add_directory:/data"]


@pytest.mark.parametrize("place", ["/notes.txt", "/home/me/notes.txt", "/home/notes.txt", "C:\\notes.txt"])
@pytest.mark.parametrize("access", list(Access))
def test_no_directory_is_offered_that_is_the_home_the_top_or_a_whole_drive(place: str, access: Access) -> None:
    use = PathUse(place, place, access, inside=False, named=place)

    assert not any("directory" in one for one in ids(ladder.facts(Category.READ, use)))


@pytest.mark.parametrize("place", [ladder.ROOT, ladder.HOME])
def test_deleting_a_root_or_the_home_offers_nothing_that_lasts_but_never(place: str) -> None:
    use = PathUse(place, place, Access.DELETE, inside=place == ladder.ROOT, is_directory=True)

    assert {option.kind for option in offered(ladder.facts(Category.WRITE, use))} <= {
        OptionKind.ALLOW_ONCE,
        OptionKind.REJECT_ONCE,
        OptionKind.REJECT_ALWAYS,
    }


def test_a_directory_to_delete_is_offered_as_what_may_be_deleted_and_not_as_a_root() -> None:
    use = PathUse("/data/out", "/data/out", Access.DELETE, inside=False, is_directory=True)

    assert [one for one in ids(ladder.facts(Category.WRITE, use)) if "directory" in one] == [
        "allow_directory:delete:/data/out"
    ]


def test_a_folder_that_is_read_is_the_directory_itself() -> None:
    use = PathUse("/data/out", "/data/out", Access.READ, inside=False, is_directory=True, named="/data/out")

    assert "allow_directory:read:/data/out" in ids(ladder.facts(Category.READ, use))


def test_on_windows_a_directory_is_written_as_it_is_there() -> None:
    use = PathUse("C:\\data\\x.csv", "C:\\data\\x.csv", Access.WRITE, inside=False, named="C:\\data\\x.csv")
    directories = [one.grant for one in offered(ladder.facts(Category.WRITE, use)) if "directory" in one.option_id]

    assert directories == [DirectoryGrant("C:\\data", Access.WRITE), RootGrant("C:\\data")]


def test_rules_that_another_rule_overrules_are_not_offered() -> None:
    facts = replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.ASK))
    for rules in (replace(DEFAULT, book=ladder.book(ladder.rule(Effect.ASK))), DEFAULT):
        call = ladder.WRITE_INSIDE if rules is not DEFAULT else facts
        assert [option.option_id for option in offered(call, rules)][:2] == ["approve", "deny"]
        assert len(offered(call, rules)) == 3


def test_a_protected_file_can_be_forbidden_for_good() -> None:
    assert ids(ladder.WRITE_PROTECTED) == ["approve", "deny", f"never:{ladder.KEY}:.vscode/settings.json"]


def test_paths_on_two_drives_have_no_directory_together() -> None:
    uses = [PathUse(f"{drive}:\\x\\a", "a", Access.WRITE, inside=False) for drive in "CD"]

    assert not any("directory" in one for one in ids(ladder.facts(Category.WRITE, *uses)))


def test_no_rule_helps_where_another_one_asks_or_hooks_have_to_be_asked() -> None:
    helpful = [one.pattern for one in helpful_rules(ladder.WRITE_INSIDE, DEFAULT)]
    assert helpful == ["src/a.py", "src/*.py", "src/**", "*"]
    assert helpful_rules(ladder.WRITE_INSIDE, replace(DEFAULT, book=ladder.book(ladder.rule(Effect.ASK)))) == ()
    assert helpful_rules(replace(ladder.WRITE_INSIDE, hooks=Hooks(HookAnswer.PENDING)), DEFAULT) == ()


def test_the_settings_take_options_away() -> None:
    no_chat = ids(ladder.WRITE_INSIDE, replace(DEFAULT, session_grants_offered=False))
    assert "allow_session" not in no_chat and "bypass_session" not in no_chat and "bypass_agent" in no_chat
    no_bypass = ids(ladder.WRITE_INSIDE, replace(DEFAULT, bypass_available=False))
    assert not any(one.startswith("bypass") for one in no_bypass)
    told = offered(ladder.WRITE_INSIDE, replace(DEFAULT, rules_kept=Kept.USER, bypass_kept=Kept.MEMORY))
    texts = {option.option_id: option.scope_text for option in told}
    assert "user settings" in texts[f"always_tool:{ladder.KEY}"] and "Not stored" in texts["bypass_agent"]


def test_the_names_of_the_agent() -> None:
    bypass = next(option for option in offered(ladder.EXECUTE) if option.kind is OptionKind.BYPASS_AGENT)

    assert "Agent" in bypass.name and bypass.grant == type(bypass.grant)("id")  # type: ignore[call-arg]

"""The user's own matrix, and directories that a chat may reach: what they lift, and what they do not."""

from dataclasses import replace

import pytest

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.decide import Rules, decide
from assent.policy.matrix import Cell
from assent.policy.rules.rule import CHAT, Effect
from tests.support import ladder

DATA = DirectoryGrant("/data", Access.WRITE)
DATA_READ = DirectoryGrant("/data", Access.READ)
DEFAULT = Rules(Mode.DEFAULT, agent_name="A", roots=(ladder.ROOT,), home=ladder.HOME)


def reads(*names: str) -> CallFacts:
    return ladder.facts(Category.READ, *map(ladder.path, names))


def writes(*names: str, access: Access = Access.WRITE) -> CallFacts:
    return ladder.facts(Category.WRITE, *(ladder.path(name, access) for name in names))


def overriding(mode: Mode, category: Category, said: Cell, **more: object) -> Rules:
    return Rules(mode, matrix_overrides={mode: {category: said}}, agent_name="A", **more)  # type: ignore[arg-type]


def reason(facts: CallFacts, *grants: DirectoryGrant, **more: object) -> Reason:
    return decide(facts, replace(DEFAULT, directory_grants=grants, **more)).reason  # type: ignore[arg-type]


def test_accepting_edits_is_an_override_that_leaves_the_rest_as_it_is() -> None:
    edits = overriding(Mode.DEFAULT, Category.WRITE, Cell.AUTO)

    assert decide(ladder.WRITE_INSIDE, edits).reason is Reason.MODE_AUTO
    assert decide(ladder.EXECUTE, edits).reason is Reason.NEEDS_APPROVAL
    assert decide(ladder.WRITE_OUTSIDE, edits).reason is Reason.OUTSIDE_WORKSPACE
    assert decide(ladder.WRITE_PROTECTED, edits).reason is Reason.PROTECTED


def test_reading_goes_by_the_overridden_cell() -> None:
    assert decide(ladder.READ_INSIDE, overriding(Mode.ASK, Category.READ, Cell.AUTO)).reason is Reason.READ_AUTO
    strict = overriding(Mode.DEFAULT, Category.READ, Cell.ASK)
    assert decide(ladder.READ_INSIDE, strict).reason is Reason.NEEDS_APPROVAL
    # What is read outside is as grave as reaching outside: its cell is that one.
    assert decide(ladder.READ_OUTSIDE, overriding(Mode.ASK, Category.READ, Cell.AUTO)).outcome is Outcome.ASK
    assert decide(ladder.READ_OUTSIDE, overriding(Mode.ASK, Category.EXTERNAL, Cell.AUTO)).reason is Reason.MODE_AUTO


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ({}, Reason.NEEDS_APPROVAL),
        ({"bypass_agent": True}, Reason.BYPASS_AGENT),
        ({"bypass_session": True}, Reason.BYPASS_SESSION),
        ({"book": ladder.book(ladder.rule(Effect.ALLOW))}, Reason.ALLOW_RULE),
        ({"always_allowed": frozenset({ladder.KEY})}, Reason.ALWAYS_ALLOW),
        ({"session_grants": frozenset({ladder.KEY})}, Reason.SESSION_ALLOW),
    ],
)
def test_a_cell_that_asks_still_yields_to_whatever_is_allowed(allowed: dict[str, object], expected: Reason) -> None:
    rules = overriding(Mode.AUTO, Category.WRITE, Cell.ASK, **allowed)

    assert decide(ladder.WRITE_INSIDE, rules).reason is expected


def test_a_directory_for_the_chat_lets_its_files_be_read_and_changed() -> None:
    for facts in (writes("/data/a.csv"), writes("/data/deep/b.csv", "/data/a.csv"), reads("/data/a.csv")):
        assert reason(facts) in (Reason.OUTSIDE_WORKSPACE, Reason.NEEDS_APPROVAL)
        assert reason(facts, DATA) is Reason.SESSION_ALLOW
    assert reason(reads("/data"), DATA_READ) is Reason.SESSION_ALLOW
    assert reason(reads("/data/x"), DATA_READ, mode=Mode.PLAN) is Reason.BLOCKED_IN_PLAN_MODE


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (writes("/data/a.csv", "/elsewhere/b"), Reason.OUTSIDE_WORKSPACE),
        (writes("/database/a.csv"), Reason.OUTSIDE_WORKSPACE),
        (writes("/DATA/a.csv"), Reason.OUTSIDE_WORKSPACE),
        (writes("/data/../etc/hosts"), Reason.OUTSIDE_WORKSPACE),
        (writes("/data/a.csv", access=Access.DELETE), Reason.OUTSIDE_WORKSPACE),
        (writes("/data/.vscode/tasks.json"), Reason.PROTECTED),
        (writes("/data/credentials"), Reason.OUTSIDE_WORKSPACE),
        (reads("/data/id_file"), Reason.NEEDS_APPROVAL),
        (reads("/data/a", "/etc/hosts"), Reason.NEEDS_APPROVAL),
        (reads("/data/a", ".env"), Reason.NEEDS_APPROVAL),
        # What a command does beside these paths is not known, and what reaches outside is no matter of a directory.
        (replace(writes("/data/a"), category=Category.EXECUTE), Reason.NEEDS_APPROVAL),
        (replace(reads("/data/a"), category=Category.EXTERNAL), Reason.NEEDS_APPROVAL),
        (ladder.facts(Category.WRITE), Reason.NEEDS_APPROVAL),
    ],
)
def test_and_nothing_beyond_it(facts: CallFacts, expected: Reason) -> None:
    assert reason(facts, DATA) is expected


def test_reading_is_not_changing_and_changing_is_not_deleting() -> None:
    deleting = writes("/data/a.csv", access=Access.DELETE)

    assert reason(writes("/data/a.csv"), DATA_READ) is Reason.OUTSIDE_WORKSPACE
    assert reason(deleting, DirectoryGrant("/data", Access.DELETE)) is Reason.SESSION_ALLOW
    assert reason(writes("/data/a.csv"), DirectoryGrant("/data", Access.DELETE)) is Reason.SESSION_ALLOW


def test_a_link_counts_where_it_leads() -> None:
    away = PathUse("/etc/x", "/data/link", Access.WRITE, inside=False, named="/data/link")
    into = PathUse("/data/x", "link", Access.WRITE, inside=False, named=f"{ladder.ROOT}/link")

    assert reason(ladder.facts(Category.WRITE, away), DATA) is Reason.OUTSIDE_WORKSPACE
    assert reason(ladder.facts(Category.WRITE, into), DATA) is Reason.SESSION_ALLOW


@pytest.mark.parametrize("directory", ["/", "", "//", ".", "data", "/data/..", "/da\0ta"])
def test_a_directory_that_is_none_or_everything_lets_nothing_through(directory: str) -> None:
    grant = DirectoryGrant(directory, Access.DELETE)

    assert reason(reads("/data/a"), grant) is Reason.NEEDS_APPROVAL
    assert reason(writes("/data/a"), grant) is Reason.OUTSIDE_WORKSPACE


def test_deleting_a_root_or_the_home_is_asked_for_in_a_granted_directory_too() -> None:
    for place in (ladder.ROOT, ladder.HOME, "/home"):
        facts = ladder.facts(Category.WRITE, PathUse(place, place, Access.DELETE, inside=True, is_directory=True))
        grant = DirectoryGrant(place, Access.DELETE)
        assert reason(facts, grant, mode=Mode.AUTO) is Reason.OUTSIDE_WORKSPACE


def test_a_directory_and_an_ask_rule_for_it() -> None:
    asked = ladder.book(ladder.rule(Effect.ASK, "/data/**"))

    decision = decide(writes("/data/a"), replace(DEFAULT, directory_grants=(DATA,), book=asked))

    assert (decision.reason, decision.situation) == (Reason.ASK_RULE, Situation.ASK_RULE)


def test_rules_and_tools_that_were_clicked_in_the_chat_say_so() -> None:
    deny, ask = (replace(ladder.rule(effect), scope=CHAT) for effect in (Effect.DENY, Effect.ASK))
    denied = decide(ladder.WRITE_INSIDE, replace(DEFAULT, chat_book=ladder.book(deny)))
    assert (denied.reason, "clicked in this chat" in denied.text) == (Reason.DENIED_BY_RULE, True)
    asked = decide(ladder.WRITE_INSIDE, replace(DEFAULT, chat_book=ladder.book(ask)))
    assert (asked.reason, "clicked in this chat" in asked.text) == (Reason.ASK_RULE, True)
    tool = decide(ladder.WRITE_INSIDE, replace(DEFAULT, chat_tools=frozenset({ladder.KEY})))
    assert (tool.reason, "not stored" in tool.text) == (Reason.ALWAYS_ALLOW, True)


def test_a_rule_of_the_settings_is_named_before_one_of_the_chat() -> None:
    both = replace(
        DEFAULT,
        book=ladder.book(ladder.rule(Effect.ALLOW, "src/**")),
        chat_book=ladder.book(ladder.rule(Effect.ALLOW, "*")),
    )

    decision = decide(ladder.WRITE_INSIDE, both)
    assert decision.rule is not None and decision.rule.pattern == "src/**"


def test_an_empty_grant_key_is_no_key() -> None:
    facts = replace(ladder.EXECUTE, grant_key="")

    assert reason(facts, session_grants=frozenset({""})) is Reason.NEEDS_APPROVAL


@pytest.mark.parametrize("use", ["tools/hook.py", "/opt/server.js"])
def test_what_a_command_names_that_runs_by_itself_is_protected(use: str) -> None:
    named = (f"{ladder.ROOT}/tools/hook.py", "/opt/server.js")
    rules = replace(DEFAULT, mode=Mode.AUTO, named_by_commands=named, bypass_agent=True)

    assert decide(writes(use), rules).reason is Reason.PROTECTED
    assert decide(writes(use.upper()), rules).reason in (Reason.PROTECTED, Reason.OUTSIDE_WORKSPACE)
    assert decide(reads(use), rules).outcome is Outcome.RUN
    folder = PathUse(f"{ladder.ROOT}/tools", "tools", Access.DELETE, inside=True, is_directory=True)
    assert decide(ladder.facts(Category.WRITE, folder), rules).reason is Reason.PROTECTED
    assert decide(writes("tools/other.py"), rules).outcome is Outcome.RUN
    for real, name in (("tools/hook.py", "link"), ("elsewhere.py", "tools/hook.py")):
        link = PathUse(f"{ladder.ROOT}/{real}", name, Access.WRITE, inside=True, named=f"{ladder.ROOT}/{name}")
        assert decide(ladder.facts(Category.WRITE, link), rules).reason is Reason.PROTECTED


def test_hidden_files_of_the_home_directory_are_protected_and_those_of_a_workspace_there_are_not() -> None:
    rules = replace(DEFAULT, mode=Mode.AUTO, confirm_outside_workspace=False)
    assert decide(writes("/home/me/.someprogramrc"), rules).reason is Reason.PROTECTED
    assert decide(writes("/home/me/notes.txt"), rules).reason is Reason.MODE_AUTO
    assert decide(reads("/home/me/.someprogramrc"), rules).outcome is Outcome.RUN

    there = replace(rules, roots=("/home/me/.work/project",))
    inside = PathUse("/home/me/.work/project/a.py", "a.py", Access.WRITE, inside=True)
    assert decide(ladder.facts(Category.WRITE, inside), there).reason is Reason.MODE_AUTO


@pytest.mark.parametrize(
    ("access", "is_directory", "expected"),
    [
        (Access.WRITE, True, Reason.PROTECTED),
        (Access.DELETE, False, Reason.PROTECTED),
        (Access.DELETE, True, Reason.PROTECTED),
        (Access.WRITE, False, Reason.MODE_AUTO),
        (Access.READ, True, Reason.READ_AUTO),
    ],
)
def test_a_folder_that_holds_what_is_protected_goes_with_it(
    access: Access, is_directory: bool, expected: Reason
) -> None:
    place = f"{ladder.ROOT}/.github"
    use = PathUse(place, ".github", access, inside=True, is_directory=is_directory, named=place)

    assert reason(ladder.facts(Category.READ, use), mode=Mode.AUTO) is expected


def test_deleting_is_what_is_asked_for_at_a_root_and_deleting_everything_always_is() -> None:
    def at(place: str, access: Access, rules: Rules) -> Reason:
        use = PathUse(place, place, access, inside=place == ladder.ROOT, is_directory=True, named=place)
        return decide(ladder.facts(Category.WRITE, use), rules).reason

    loose = replace(DEFAULT, mode=Mode.AUTO, confirm_outside_workspace=False)
    assert at(ladder.ROOT, Access.WRITE, loose) is Reason.MODE_AUTO
    assert at(ladder.ROOT, Access.DELETE, loose) is Reason.OUTSIDE_WORKSPACE
    assert at("/", Access.DELETE, Rules(Mode.AUTO, confirm_outside_workspace=False)) is Reason.OUTSIDE_WORKSPACE

"""The buttons of a card, by situation and by what the settings allow, and what their words say."""

from dataclasses import replace

import pytest

from assent.model.approval import Option, OptionKind
from assent.model.calls import Access
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    KeyGrant,
    RootGrant,
    RuleGrant,
    ToolGrant,
)
from assent.model.verdict import Situation
from assent.policy.options import Kept, Scope, options_for
from assent.policy.rules.suggest import Suggestion

RULES = tuple(Suggestion("write_file", pattern, f"Words for {pattern}.") for pattern in ("./a.py", "./*.py", "src/**"))
WHOLE = Suggestion("write_file", "*", "Every write_file call.")
FULL = Scope(
    agent_name="Demo",
    agent_id="demo-id",
    grant_label="write_file",
    bypass_available=True,
    always=(*RULES, WHOLE),
    always_tool="write_file",
    directory=DirectoryGrant("/data", Access.WRITE),
    root="/data",
    never=RULES[0],
)
BARE = Scope("Demo", "write_file", bypass_available=True)

ONCE = ["approve", "deny"]
SESSION = ["allow_session"]
ALWAYS = ["always:write_file:./a.py", "always:write_file:./*.py"]
TOOL = ["always_tool:write_file"]
BYPASS = ["bypass_session", "bypass_agent"]
NEVER = ["never:write_file:./a.py"]
DIRECTORY = ["allow_directory:write:/data"]
ROOT = ["add_directory:/data"]


def ids(situation: Situation, **changed: object) -> list[str]:
    return [option.option_id for option in options_for(situation, replace(FULL, **changed))]  # type: ignore[arg-type]


def by_id(situation: Situation, **changed: object) -> dict[str, Option]:
    options = options_for(situation, replace(FULL, **changed))  # type: ignore[arg-type]
    return {option.option_id: option for option in options}


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (Situation.ORDINARY, [*ONCE, *SESSION, *ALWAYS, *TOOL, *BYPASS, *NEVER]),
        (Situation.RAISED, [*ONCE, *DIRECTORY, *ALWAYS, *NEVER]),
        (Situation.OUTSIDE, [*ONCE, *DIRECTORY, *ROOT, *NEVER]),
        (Situation.ASK_RULE, [*ONCE, *NEVER]),
        (Situation.PROTECTED, [*ONCE, *NEVER]),
    ],
)
def test_each_situation_has_its_row(situation: Situation, expected: list[str]) -> None:
    assert ids(situation) == expected


@pytest.mark.parametrize("situation", list(Situation))
def test_without_anything_to_offer_there_is_yes_and_no(situation: Situation) -> None:
    bare = [option.option_id for option in options_for(situation, BARE)]

    assert bare == ([*ONCE, *SESSION, *BYPASS] if situation is Situation.ORDINARY else ONCE)


@pytest.mark.parametrize("situation", list(Situation))
def test_where_no_bypass_is_available_both_go_and_nothing_else(situation: Situation) -> None:
    assert ids(situation, bypass_available=False) == [one for one in ids(situation) if one not in BYPASS]


@pytest.mark.parametrize("situation", list(Situation))
def test_where_the_user_wants_nothing_for_a_chat_nothing_is_offered_for_one(situation: Situation) -> None:
    gone = {*SESSION, *DIRECTORY, "bypass_session"}

    assert ids(situation, session_options=False) == [one for one in ids(situation) if one not in gone]
    # What cannot be stored would hold for the chat: that goes, too. Refusing for the chat stays.
    memory = {"rules_kept": Kept.MEMORY, "bypass_kept": Kept.MEMORY}
    kept = ids(situation, session_options=False, **memory)
    assert kept == [*ONCE, *NEVER]
    # All chats share the workspace: it does not grow for the length of a chat.
    assert ids(situation, **memory) == [one for one in ids(situation) if not one.startswith("add_directory")]


def test_no_grant_is_offered_that_would_not_cover_the_call() -> None:
    assert ids(Situation.ORDINARY, grantable=False) == [one for one in ids(Situation.ORDINARY) if one not in SESSION]


def test_what_each_option_grants() -> None:
    everything = by_id(Situation.ORDINARY) | by_id(Situation.OUTSIDE)
    kinds_and_grants = {option_id: (option.kind, option.grant) for option_id, option in everything.items()}

    assert kinds_and_grants == {
        "approve": (OptionKind.ALLOW_ONCE, None),
        "deny": (OptionKind.REJECT_ONCE, None),
        "allow_session": (OptionKind.ALLOW_SESSION, KeyGrant("write_file")),
        "always:write_file:./a.py": (OptionKind.ALLOW_ALWAYS, RuleGrant("write_file", "./a.py")),
        "always:write_file:./*.py": (OptionKind.ALLOW_ALWAYS, RuleGrant("write_file", "./*.py")),
        "always_tool:write_file": (OptionKind.ALLOW_ALWAYS, ToolGrant("write_file")),
        "bypass_session": (OptionKind.BYPASS_SESSION, ChatBypass()),
        "bypass_agent": (OptionKind.BYPASS_AGENT, AgentBypass("demo-id")),
        "never:write_file:./a.py": (OptionKind.REJECT_ALWAYS, RuleGrant("write_file", "./a.py", permits=False)),
        "allow_directory:write:/data": (OptionKind.ALLOW_SESSION, DirectoryGrant("/data", Access.WRITE)),
        "add_directory:/data": (OptionKind.ADD_DIRECTORY, RootGrant("/data")),
    }


@pytest.mark.parametrize("situation", list(Situation))
def test_ids_are_single_and_there_is_one_plain_refusal(situation: Situation) -> None:
    found = ids(situation)

    assert len(set(found)) == len(found)
    kinds = [option.kind for option in options_for(situation, FULL)]
    assert kinds.count(OptionKind.REJECT_ONCE) == kinds.count(OptionKind.ALLOW_ONCE) == 1


def test_an_id_belongs_to_what_it_grants() -> None:
    """A card that was drawn anew must not give another meaning to a button that was clicked on the old one."""
    other = replace(FULL, always=RULES[1:], directory=DirectoryGrant("/data", Access.READ), root="/else", never=WHOLE)
    for situation in Situation:
        before = {option.option_id: option.grant for option in options_for(situation, FULL)}
        after = {option.option_id: option.grant for option in options_for(situation, other)}
        assert all(before[one] == after[one] for one in before.keys() & after.keys())


WHERE = {Kept.WORKSPACE: "workspace's settings", Kept.USER: "user settings", Kept.MEMORY: "Not stored"}
HOW_FAR = {Kept.WORKSPACE: "in this workspace", Kept.USER: "in every workspace", Kept.MEMORY: "in this chat"}


@pytest.mark.parametrize("kept", list(Kept))
@pytest.mark.parametrize("situation", list(Situation))
def test_each_says_how_far_how_long_and_where(situation: Situation, kept: Kept) -> None:
    for option in by_id(situation, rules_kept=kept, bypass_kept=kept).values():
        assert option.scope_text.endswith(".")
        if option.kind in (OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION):
            assert "in this chat, until" in option.scope_text and "Not stored" in option.scope_text
        elif option.grant is not None:
            assert WHERE[kept] in option.scope_text and HOW_FAR[kept] in option.scope_text
            assert kept is not Kept.MEMORY or "gone when the chat is closed" in option.scope_text
        if option.kind in (OptionKind.ALLOW_SESSION, OptionKind.ADD_DIRECTORY, OptionKind.BYPASS_AGENT):
            assert "protected files still ask" in option.scope_text.lower()


def test_names_say_what_they_are_about() -> None:
    names = {key: one.name for key, one in (by_id(Situation.ORDINARY) | by_id(Situation.OUTSIDE)).items()}

    assert names["allow_session"] == "Allow write_file for this chat"
    assert names["always_tool:write_file"] == "Always allow every write_file call"
    assert names["always:write_file:./a.py"] == "Always allow write_file: ./a.py"
    assert names["never:write_file:./a.py"] == "Never allow write_file: ./a.py"
    assert names["bypass_agent"] == "Bypass permissions for Demo"
    assert "/data" in names["allow_directory:write:/data"]
    assert by_id(Situation.PROTECTED, never=WHOLE)["never:write_file:*"].name == "Never allow every write_file call"


@pytest.mark.parametrize(
    ("access", "words"), [(Access.READ, "nothing else"), (Access.WRITE, "changing"), (Access.DELETE, "deleting")]
)
def test_a_directory_says_what_may_be_done_there(access: Access, words: str) -> None:
    grant = DirectoryGrant("/data", access)

    text = by_id(Situation.OUTSIDE, directory=grant)[f"allow_directory:{access}:/data"].scope_text
    assert words in text and "/data and all folders below it" in text


@pytest.mark.parametrize("hidden", ["\u202e", "\n", "\x1b[2K", "\u200b", "\x00", "\u2028", "\ufeff", "\u0085"])
def test_what_cannot_be_shown_is_not_offered(hidden: str) -> None:
    place, rule = f"/da{hidden}ta", Suggestion("write_file", f"./a{hidden}b", "Words.")
    told = Suggestion("write_file", "./a", f"Wo{hidden}rds.")
    changed: dict[str, object] = {
        "directory": DirectoryGrant(place, Access.WRITE),
        "root": place,
        "grant_label": f"bash:{hidden}",
        "always": (rule, told),
        "always_tool": f"to{hidden}ol",
    }
    for never in (rule, told):
        for situation in Situation:
            left = ids(situation, **changed, never=never)
            assert left == ([*ONCE, *BYPASS] if situation is Situation.ORDINARY else ONCE)


def test_a_name_of_an_agent_that_is_joined_from_signs_can_still_be_trusted() -> None:
    assert "bypass_agent" in ids(Situation.ORDINARY, agent_name="👩\u200d💻")


def test_rules_that_cannot_be_shown_leave_room_for_others() -> None:
    hidden = Suggestion("write_file", "./\u202ea", "Words.")

    assert ids(Situation.RAISED, always=(hidden, *RULES))[3:5] == ALWAYS


def test_an_agent_without_an_id_goes_by_its_name() -> None:
    assert by_id(Situation.ORDINARY, agent_id="")["bypass_agent"].grant == AgentBypass("Demo")


def test_what_has_no_name_is_not_offered() -> None:
    assert "allow_session" not in ids(Situation.ORDINARY, grant_label="")
    assert ids(Situation.OUTSIDE, directory=DirectoryGrant("", Access.WRITE), root="", never=None) == ONCE

"""How far a run may go, and whether answers come in pieces: who may say so, and what counts of all that is said."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.limits import LIMIT_NAMES, LIMITS, Limits
from assent.settings.declared import declared
from assent.settings.effective import Effective, effective
from assent.settings.layers import NOT_LOADED, layers_from
from assent.settings.limits import no_larger_than_usual
from assent.settings.loosening import LooseningEntry

USUAL = Limits()
NUMBERS = {
    name: st.sampled_from([words.least, words.least + 1, getattr(USUAL, field), words.most - 1, words.most])
    for field, words in LIMITS.items()
    for name in (words.name,)
}
NONSENSE = st.sampled_from([-1, 10**9, 10**400, 1.5, float("nan"), True, "5", [5], {}, None])
SAID = st.fixed_dictionaries({}, optional={name: st.one_of(number, NONSENSE) for name, number in NUMBERS.items()})


def come_to(
    user: Any = None,
    workspace: Any = None,
    folder: Any = None,
    *,
    agreed: bool | None = None,
    trusted: bool = True,
) -> Effective:
    blocks = {"user": user or {}, "workspace": workspace, "folder": folder}
    return effective(layers_from(blocks, None), consents=lambda _: lambda consent: agreed, workspace_trusted=trusted)


def limits(said: Any) -> dict[str, Any]:
    return {"limits": said}


@pytest.mark.parametrize(
    ("user", "workspace", "expected"),
    [
        ({}, {}, {}),
        ({"toolCalls": 5}, {}, {"tool_calls": 5}),
        ({"toolCalls": 0, "writes": 100_000}, {}, {"tool_calls": 0, "writes": 100_000}),
        ({"toolCalls": 500}, {"toolCalls": 7}, {"tool_calls": 7}),
        ({"toolCalls": 500}, {"toolCalls": 501}, {"tool_calls": 500}),
        ({"toolCalls": 5}, {"toolCalls": 199}, {"tool_calls": 5}),
        ({}, {"toolCalls": 201}, {}),
        ({}, {"toolCalls": 199}, {"tool_calls": 199}),
        ({"depth": 1}, {"subtasks": 2}, {"depth": 1, "subtasks": 2}),
        *(({"writes": wrong}, {}, {}) for wrong in (-1, 100_001, 1.5, True, "5", [5], {}, float("nan"), 10**400)),
        *(({"writes": 9}, {"writes": wrong}, {"writes": 9}) for wrong in (-1, 1.5, True, "5", None, [5], {})),
        *((wrong, {"writes": 9}, {"writes": 9}) for wrong in ([], 5, "all", True)),
        *(({"writes": 9}, wrong, {"writes": 9}) for wrong in ([], 5, "all", True)),
        ({"tool_calls": 5, "TOOLCALLS": 5}, {"toolcalls": 5}, {}),
    ],
)
def test_the_users_number_counts_or_a_smaller_one_of_the_workspace(
    user: Any, workspace: Any, expected: dict[str, int]
) -> None:
    assert come_to(limits(user), limits(workspace)).limits == replace(USUAL, **expected)


@pytest.mark.parametrize("words", LIMITS.values(), ids=lambda words: words.name)
def test_each_limit_takes_the_numbers_between_its_ends(words: Any) -> None:
    for number in (words.least, words.most):
        now = come_to(limits({words.name: number}))
        assert now.limits == replace(USUAL, **{field: number for field, one in LIMITS.items() if one is words})
        assert now.diagnostics == ()
    for number in (words.least - 1, words.most + 1):
        now = come_to(limits({words.name: number}))
        assert now.limits == USUAL
        (found,) = now.diagnostics
        expected = f"a whole number from {words.least} to {words.most}; until it is, the default counts."
        assert found.text == f"assent.limits.{words.name} should be {expected}"


def test_a_larger_number_waits_for_the_users_word_and_then_counts() -> None:
    workspace = limits({"toolCalls": 900, "wallClockSeconds": 3_600, "depth": 1})
    waiting = come_to({}, workspace).awaiting
    assert [(entry.setting, entry.entry, entry.before, entry.after) for entry in waiting] == [
        ("limits", "toolCalls 900", 200, 900),
        ("limits", "wallClockSeconds 3600", 1_800, 3_600),
    ]
    assert "900 tool calls" in waiting[0].words and "3600 seconds" in waiting[1].words
    agreed = come_to({}, workspace, agreed=True)
    assert agreed.limits == replace(USUAL, tool_calls=900, wall_clock_seconds=3_600, depth=1)
    assert agreed.awaiting == ()
    refused = come_to({}, workspace, agreed=False)
    assert refused.limits == replace(USUAL, depth=1)
    assert refused.awaiting == ()


@pytest.mark.parametrize("other", [{"toolCalls": 901}, {"writes": 900}])
def test_an_agreement_is_for_one_number_of_one_limit(other: Any) -> None:
    (given_one,) = come_to({}, limits({"toolCalls": 900})).awaiting
    (asked_again,) = come_to({}, limits(other)).awaiting
    assert given_one.consent != asked_again.consent


def test_agreement_to_more_does_not_take_a_smaller_number_away() -> None:
    more, less = limits({"writes": 900}), limits({"writes": 3})
    for workspace, folder in ((more, less), (less, more)):
        assert come_to({}, workspace, folder, agreed=True).limits.writes == 3


def test_an_untrusted_workspace_is_heard_where_it_restricts() -> None:
    workspace = limits({"writes": 900, "toolCalls": 3})
    now = come_to({}, workspace, agreed=True, trusted=False)
    assert now.limits == replace(USUAL, tool_calls=3)
    assert now.awaiting == ()


def test_what_is_wrong_is_said() -> None:
    workspace = limits({"writes": "many", "writs": 3})
    said = [found.text for found in come_to(limits(5), workspace).diagnostics]
    names = ", ".join(LIMIT_NAMES)
    assert sorted(said) == sorted(
        [
            f"The limits are {names}: this does not count.",
            "assent.limits should be an object that maps a limit to a number; it does not count.",
            "assent.limits.writes should be a whole number from 0 to 100000; it does not count.",
        ]
    )


def test_before_settings_are_there_and_while_they_cannot_be_told_nothing_is_larger_than_usual() -> None:
    known = replace(USUAL, writes=900, tool_calls=3)
    assert no_larger_than_usual(known) == replace(USUAL, tool_calls=3)
    assert effective(NOT_LOADED).limits == USUAL


def test_the_settings_say_of_each_limit_what_counts_without_them() -> None:
    assert declared()["limits"].default == {words.name: getattr(USUAL, field) for field, words in LIMITS.items()}


@settings(deadline=None)
@given(SAID, SAID, SAID, st.sampled_from([None, False]), st.booleans())
def test_without_agreement_no_workspace_lets_a_run_go_further(
    user: Any, workspace: Any, folder: Any, agreed: bool | None, trusted: bool
) -> None:
    alone = come_to(limits(user)).limits
    now = come_to(limits(user), limits(workspace), limits(folder), agreed=agreed, trusted=trusted).limits
    assert not [field for field in LIMITS if getattr(now, field) > getattr(alone, field)]


@settings(deadline=None)
@given(SAID, SAID, SAID)
def test_what_a_workspace_restricts_always_counts(user: Any, workspace: Any, folder: Any) -> None:
    now = come_to(limits(user), limits(workspace), limits(folder), agreed=True).limits
    alone = come_to(limits(user)).limits
    for field, words in LIMITS.items():
        for said in (workspace, folder):
            number = come_to(limits({words.name: said.get(words.name)})).limits
            if _is_number(said.get(words.name), words) and getattr(number, field) < getattr(alone, field):
                assert getattr(now, field) <= getattr(number, field)


def _is_number(value: Any, words: Any) -> bool:
    return type(value) is int and words.least <= value <= words.most


@pytest.mark.parametrize(
    ("user", "workspace", "folder", "streams"),
    [
        (None, None, None, True),
        (True, None, None, True),
        (False, None, None, False),
        (None, False, None, False),
        (None, None, False, False),
        (True, False, True, False),
        (False, True, True, False),
        ("yes", None, None, False),
        (None, "yes", None, False),
        (None, 1, None, False),
    ],
)
def test_anybody_can_switch_streaming_off_and_only_the_user_on(
    user: Any, workspace: Any, folder: Any, streams: bool
) -> None:
    blocks = ({} if value is None else {"streaming": value} for value in (user, workspace, folder))
    now = come_to(*blocks, agreed=True)
    assert now.streaming is streams
    assert now.awaiting == ()
    entries: tuple[LooseningEntry, ...] = come_to({}, {"streaming": True}).awaiting
    assert entries == ()

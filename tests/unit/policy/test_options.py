"""The buttons of a card, by situation and by what the settings allow."""

from itertools import product

import pytest

from assent.model.approval import OptionKind
from assent.model.verdict import Situation
from assent.policy.options import Scope, options_for

ONCE = [OptionKind.ALLOW_ONCE, OptionKind.REJECT_ONCE]
BYPASS = [OptionKind.BYPASS_SESSION, OptionKind.BYPASS_AGENT]


def kinds(situation: Situation, *, bypass: bool = True, grantable: bool = True) -> list[OptionKind]:
    return [option.kind for option in options_for(situation, Scope("Demo", "write_file", bypass, grantable))]


def test_an_ordinary_call_has_them_all() -> None:
    assert kinds(Situation.ORDINARY) == [*ONCE, OptionKind.ALLOW_SESSION, *BYPASS]


@pytest.mark.parametrize(("bypass", "grantable"), list(product((True, False), repeat=2)))
@pytest.mark.parametrize("situation", [Situation.PROTECTED, Situation.OUTSIDE])
def test_what_is_protected_or_outside_has_no_lasting_one(situation: Situation, bypass: bool, grantable: bool) -> None:
    assert kinds(situation, bypass=bypass, grantable=grantable) == ONCE


def test_no_bypass_is_offered_where_none_is_available() -> None:
    assert kinds(Situation.ORDINARY, bypass=False) == [*ONCE, OptionKind.ALLOW_SESSION]


def test_no_grant_is_offered_that_would_not_cover_the_call() -> None:
    assert kinds(Situation.ORDINARY, grantable=False) == [*ONCE, *BYPASS]


@pytest.mark.parametrize("situation", list(Situation))
def test_there_is_always_one_way_to_refuse_and_ids_and_kinds_are_single(situation: Situation) -> None:
    options = options_for(situation, Scope("Demo", "write_file", bypass_available=True))

    assert sum(option.kind.refuses for option in options) == 1
    assert len({option.option_id for option in options}) == len({option.kind for option in options}) == len(options)


def test_each_says_how_far_it_reaches() -> None:
    options = {option.kind: option for option in options_for(Situation.ORDINARY, Scope("Demo", "write_file", True))}

    assert all(option.scope_text for option in options.values())
    assert "write_file" in options[OptionKind.ALLOW_SESSION].name
    assert "Demo" in options[OptionKind.BYPASS_AGENT].name
    assert "every chat" in options[OptionKind.BYPASS_AGENT].scope_text

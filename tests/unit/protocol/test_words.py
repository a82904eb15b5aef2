"""The model's enums and the wire's lists of words are the same words."""

from enum import StrEnum
from typing import Any, get_args

import pytest

from assent.model.approval import OptionKind, ResolvedBy, RiskLevel, Status
from assent.model.events import DoneReason, NoticeLevel, Phase
from assent.model.modes import MODE_ALIASES, Category, Mode
from assent.model.preview import LineKind
from assent.protocol import words

PAIRS: list[tuple[type[StrEnum], Any]] = [
    (Mode, words.Mode),
    (Category, words.Category),
    (OptionKind, words.OptionKind),
    (Status, words.Status),
    (ResolvedBy, words.ResolvedBy),
    (Phase, words.Phase),
    (RiskLevel, words.RiskLevel),
    (LineKind, words.LineKind),
    (NoticeLevel, words.NoticeLevel),
    (DoneReason, words.DoneReason),
]


@pytest.mark.parametrize(("enum", "literal"), PAIRS, ids=lambda value: getattr(value, "__name__", ""))
def test_the_same_words(enum: type[StrEnum], literal: Any) -> None:
    assert {member.value for member in enum} == set(get_args(literal))


def test_modes_and_their_aliases() -> None:
    assert set(get_args(words.ModeOrAlias)) == {mode.value for mode in Mode} | set(MODE_ALIASES)


def test_a_decision_is_an_option_kind_or_a_shorthand() -> None:
    shorthands = {"accept", "reject", "always_allow", "allow", "allow_for_chat", "deny"}
    assert set(get_args(words.Decision)) == set(get_args(words.OptionKind)) | shorthands


def test_a_run_ends_for_a_reason_or_with_an_error() -> None:
    assert set(get_args(words.RunEnd)) == set(get_args(words.DoneReason)) | {"error"}

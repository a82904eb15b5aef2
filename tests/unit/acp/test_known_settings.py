"""What is known of a session's settings while orders are open, refused, overtaken or answered too late."""

import pytest

from assent.acp.known_settings import KnownSettings
from assent.acp.words import Choice, ModeTold, Setting, SettingsTold

CHOICES = tuple(Choice(one, one) for one in ("default", "yolo", "plan"))
MODE = Setting("mode", "Mode", "mode", "default", CHOICES, by_option=False)


def current(known: KnownSettings, setting_id: str = "mode") -> str | None:
    return next(one.current for one in known.now if one.setting_id == setting_id)


def test_an_order_is_a_doubt_until_it_is_answered() -> None:
    known = KnownSettings((MODE,))
    order = known.ordered(MODE, "yolo")
    assert (current(known), known.doubt("mode"), known.sure("mode")) == (None, order, "default")
    known.answered(order)
    assert (current(known), known.doubt("mode")) == ("yolo", None)


def test_a_refused_one_leaves_what_was() -> None:
    known = KnownSettings((MODE,))
    known.refused(known.ordered(MODE, "yolo"))
    assert (current(known), known.doubt("mode")) == ("default", None)


def test_a_refused_one_leaves_what_the_agent_told_since() -> None:
    known = KnownSettings((MODE,))
    order = known.ordered(MODE, "yolo")
    known.take(ModeTold("plan"))
    known.refused(order)
    assert current(known) == "plan"


@pytest.mark.parametrize(("told", "shown"), [("default", None), ("plan", None), ("yolo", "yolo")])
def test_what_is_told_before_the_answer_counts_only_where_it_is_what_was_ordered(told: str, shown: str | None) -> None:
    known = KnownSettings((MODE,))
    order = known.ordered(MODE, "yolo")
    known.take(ModeTold(told))
    assert current(known) == shown and known.doubt("mode") is order


def test_one_that_is_overtaken_makes_it_unclear_when_it_is_answered_after_all() -> None:
    known = KnownSettings((MODE,))
    first = known.ordered(MODE, "yolo")
    known.answered(known.ordered(MODE, "default"))
    assert (current(known), known.doubt("mode")) == ("default", None)
    known.answered(first)
    assert (current(known), known.doubt("mode")) == (None, first)
    known.answered(known.ordered(MODE, "default"))
    assert (current(known), known.doubt("mode")) == ("default", None)


def test_what_the_agent_tells_then_makes_it_clear() -> None:
    known = KnownSettings((MODE,))
    first = known.ordered(MODE, "yolo")
    known.answered(known.ordered(MODE, "default"))
    known.answered(first)
    known.take(ModeTold("yolo"))
    assert (current(known), known.doubt("mode")) == ("yolo", None)


def test_one_that_is_overtaken_and_refused_changes_nothing() -> None:
    known = KnownSettings((MODE,))
    first = known.ordered(MODE, "yolo")
    known.answered(known.ordered(MODE, "default"))
    known.refused(first)
    assert (current(known), known.doubt("mode")) == ("default", None)


def test_a_newer_one_that_is_refused_leaves_what_the_older_one_did() -> None:
    known = KnownSettings((MODE,))
    older, newer = known.ordered(MODE, "yolo"), known.ordered(MODE, "default")
    known.answered(older)
    assert (current(known), known.doubt("mode")) == (None, newer)
    known.refused(newer)
    assert (current(known), known.doubt("mode")) == ("yolo", None)


def test_a_newer_one_that_is_refused_first_leaves_the_older_one_in_doubt() -> None:
    known = KnownSettings((MODE,))
    older, newer = known.ordered(MODE, "yolo"), known.ordered(MODE, "default")
    known.refused(newer)
    assert (current(known), known.doubt("mode")) == (None, older)
    known.answered(older)
    assert current(known) == "yolo"


def test_an_order_of_another_session_counts_for_nothing() -> None:
    before, known = KnownSettings((MODE,)), KnownSettings((MODE,))
    order = before.ordered(MODE, "yolo")
    known.answered(order)
    known.refused(order)
    assert (current(known), known.doubt("mode")) == ("default", None)


def test_a_mode_is_of_the_setting_that_knows_it() -> None:
    approvals = Setting("approvals", "Approvals", "mode", "ask", (Choice("ask", "Ask"), Choice("never", "Never")))
    known = KnownSettings((MODE, approvals))
    known.take(ModeTold("never"))
    assert (current(known), current(known, "approvals")) == ("default", "never")
    known.take(ModeTold("of neither"))
    assert (current(known), current(known, "approvals")) == ("of neither", "of neither")


def test_other_settings_are_not_in_doubt() -> None:
    model = Setting("model", "Model", "model", "big", (Choice("big", "Big"), Choice("small", "Small")))
    known = KnownSettings((MODE, model))
    known.ordered(model, "small")
    assert (current(known), current(known, "model")) == ("default", None)
    known.take(SettingsTold((model,)))
    assert known.doubt("model") is not None and current(known, "model") is None

"""A command in a message box: all of it, what is said of it, and nothing that hides or moves other words."""

from dataclasses import replace

from assent.lsp.plain_question import plain_question
from assent.lsp.to_wire import approval_request
from assent.model.approval import Option, OptionKind, Question, Risk, RiskLevel
from assent.model.ids import ApprovalId
from assent.model.preview import CommandPreview, PartLine
from tests.support.cards import card


def message(preview: CommandPreview, headline: str = "Run ls", risk: Risk | None = None) -> str:
    shown = replace(card(), preview=preview, headline=headline, risk=risk)
    return plain_question(Question(ApprovalId("a"), 1, "2026-03-01T18:00:00Z", shown)).params.message


def test_all_that_is_known_of_a_command_stands_there() -> None:
    parts = (PartLine("ls > a", "lists files", ("Writes a.",)),)
    lines = message(CommandPreview("ls > a", parts, note="It may run for up to 1 hour.")).splitlines()

    assert lines[-4:] == ["ls > a", "", "It may run for up to 1 hour.", "ls > a: lists files. Writes a."]


def test_what_is_left_out_is_counted() -> None:
    assert message(CommandPreview("ls", more_parts=3, more_only_read=True)).endswith("… and 3 more that only read")
    assert message(CommandPreview("ls", more_parts=3)).endswith("… and 3 more")


def test_a_risk_is_told() -> None:
    risk = Risk(RiskLevel.HIGH, ("Look\nat this.",))
    assert "\nLook‹U+000A›at this.\n" in message(CommandPreview("ls"), risk=risk)


def test_it_says_for_which_task_a_sub_agent_asks() -> None:
    shown = replace(card(), caller=replace(card().caller, path=("Tidy", "Sort\nDemo: Run ls")))
    lines = plain_question(Question(ApprovalId("a"), 1, "2026-03-01T18:00:00Z", shown)).params.message.splitlines()

    assert lines[1] == "Asked for by its sub-agent: Tidy › Sort‹U+000A›Demo: Run ls"
    assert not any("sub-agent" in line for line in message(CommandPreview("ls")).splitlines())


def test_a_headline_hides_nothing() -> None:
    first = message(CommandPreview("ls"), headline="Run ls \u202e\r\n/etc/x").splitlines()[0]
    assert first == "Demo: Run ls ‹U+202E›‹U+000D›‹U+000A›/etc/x"


def test_what_is_only_shown_on_cards_has_no_button_here() -> None:
    ways = tuple(Option(kind.value, kind, kind.value, disabled="It is always asked for.") for kind in OptionKind)
    shown = replace(card(), options=(*ways, Option("deny", OptionKind.REJECT_ONCE, "Deny")))
    box = plain_question(Question(ApprovalId("a"), 1, "2026-03-01T18:00:00Z", shown))
    assert box.option_ids == {"Deny": "deny"}
    assert [one.title for one in box.params.actions or ()] == ["Deny"]


def test_a_card_says_why_an_option_cannot_be_chosen() -> None:
    own = Option("own:a", OptionKind.ALLOW_ALWAYS, "Let it", own="a", disabled="It is always asked for.")
    plain = Option("deny", OptionKind.REJECT_ONCE, "Deny", "This call does not run.")
    question = Question(ApprovalId("a"), 1, "2026-03-01T18:00:00Z", replace(card(), options=(own, plain)))
    first, second = approval_request(question, known=None).options
    assert (first.disabled_reason, first.scope_text) == ("It is always asked for.", "It is always asked for.")
    assert (second.disabled_reason, second.scope_text) == (None, "This call does not run.")

"""Which questions a client was shown, and what the log says of answers that did not count."""

import pytest

from assent.lsp.refused_answers import ONE_BY_ONE, RefusedAnswers
from assent.lsp.told import ToldQuestions
from assent.model.ids import ApprovalId
from assent.runtime.ids import new_id

ONE, OTHER, THIRD = (ApprovalId(name) for name in ("one", "other", "third"))


def test_what_was_shown_is_known_also_for_a_while_after_its_end() -> None:
    told = ToldQuestions(remembered=1)
    told.add(ONE)
    told.add(OTHER)
    assert ONE in told and OTHER in told and THIRD not in told
    told.ended(ONE)
    told.ended(THIRD)
    assert ONE in told and THIRD not in told
    told.ended(OTHER)
    assert ONE not in told and OTHER in told


def test_each_is_logged_with_its_id_and_reason(caplog: pytest.LogCaptureFixture) -> None:
    approval_id = new_id()
    RefusedAnswers().note(approval_id, "DigestMismatch")
    assert caplog.messages == [f"an answer to approval {approval_id} did not count: DigestMismatch"]


@pytest.mark.parametrize(
    "forged", ["", "a secret", "x\ny", "{" + new_id() + "}", new_id().upper(), "\ud800", "a" * 9_999]
)
def test_a_text_of_a_stranger_is_not_logged(caplog: pytest.LogCaptureFixture, forged: str) -> None:
    RefusedAnswers().note(forged, "ApprovalNotFound")
    assert caplog.messages == [
        f"an answer to what is no approval's id ({len(forged)} characters) did not count: ApprovalNotFound"
    ]


def test_very_many_are_counted_and_a_minute_later_listed_again(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    refused = RefusedAnswers(lambda: now[0])
    for _ in range(10_000):
        refused.note(None, "ApprovalNotFound")
    assert len(caplog.messages) == ONE_BY_ONE + len([50, 100, 500, 1_000, 5_000, 10_000])
    assert caplog.messages[-1] == "10000 answers did not count within a minute; the last one: ApprovalNotFound"
    now[0] = 61
    refused.note(None, "InvalidOption")
    assert caplog.messages[-1] == "an answer to no approval did not count: InvalidOption"

"""The end that an answer gives a grant: taken as it is meant, or refused with the field at fault."""

import math

import pytest

from assent.lsp.from_wire import answer_of
from assent.model.errors import InvalidRequest
from assent.model.grants import Limits
from assent.protocol.approval import ApprovalResponse, GrantLimits


def limits_of(told: GrantLimits | None) -> Limits | None:
    return answer_of(ApprovalResponse("a", decision="allow_session", limits=told), None).limits


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        (None, None),
        (GrantLimits(minutes=15), Limits(minutes=15)),
        (GrantLimits(minutes=1440), Limits(minutes=1440)),
        (GrantLimits(minutes=0.01), Limits(minutes=0.01)),
        (GrantLimits(uses=1), Limits(uses=1)),
        (GrantLimits(uses=1000), Limits(uses=1000)),
        (GrantLimits(until_run_ends=True), Limits(until_run_ends=True)),
        (GrantLimits(minutes=5, uses=2, until_run_ends=False), Limits(5, 2, False)),
    ],
)
def test_an_end_is_taken(told: GrantLimits | None, meant: Limits | None) -> None:
    assert limits_of(told) == meant


@pytest.mark.parametrize(
    ("told", "path"),
    [
        (GrantLimits(), "params.limits"),
        (GrantLimits(until_run_ends=False), "params.limits"),
        (GrantLimits(minutes=0), "params.limits.minutes"),
        (GrantLimits(minutes=-1), "params.limits.minutes"),
        (GrantLimits(minutes=1440.1), "params.limits.minutes"),
        (GrantLimits(minutes=math.inf), "params.limits.minutes"),
        (GrantLimits(minutes=math.nan), "params.limits.minutes"),
        (GrantLimits(minutes=math.nan, uses=1), "params.limits.minutes"),
        (GrantLimits(uses=0), "params.limits.uses"),
        (GrantLimits(uses=1001), "params.limits.uses"),
        (GrantLimits(uses=-1, until_run_ends=True), "params.limits.uses"),
    ],
)
def test_what_is_no_end_is_refused(told: GrantLimits, path: str) -> None:
    with pytest.raises(InvalidRequest) as fault:
        limits_of(told)
    assert fault.value.path == path

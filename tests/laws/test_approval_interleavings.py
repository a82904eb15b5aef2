"""Questions, answers, endings and changes in twenty thousand random orders: one fate each, and nothing left over.

The short run plays the first quarter of them.
"""

from collections import Counter

import pytest

from assent.model.approval import ResolvedBy, Status
from assent.model.errors import ApprovalAlreadyResolved, DigestMismatch, InvalidRequest, NotRecorded
from tests.support.interleavings import play
from tests.support.scale import ALL

IN_A_CHUNK = 5_000
CHUNKS = 4 if ALL else 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_each_question_has_one_fate_in_every_order(chunk: int) -> None:
    fates: Counter[tuple[Status, ResolvedBy]] = Counter()
    faults: Counter[type] = Counter()
    edited = adopted = 0
    for seed in range(chunk * IN_A_CHUNK, (chunk + 1) * IN_A_CHUNK):
        order = await play(seed)
        fates.update((fate.status, fate.by) for fate in order.fates.values())
        faults.update(type(task.exception()) for _, _, task in order.answers)
        adopted += sum(len(call.adopted) for call in order.calls.values())
        edited += sum(task.exception() is None and bool(answer.edited) for _, answer, task in order.answers)
    # The orders really met every end and every fault.
    assert set(fates) == {
        (Status.ALLOWED, ResolvedBy.USER),
        (Status.REJECTED, ResolvedBy.USER),
        (Status.TIMEOUT, ResolvedBy.TIMEOUT),
        (Status.CANCELLED, ResolvedBy.STOP),
        (Status.CANCELLED, ResolvedBy.SHUTDOWN),
        (Status.ALLOWED, ResolvedBy.POLICY),
        (Status.REJECTED, ResolvedBy.POLICY),
        (Status.DENIED_BY_RULE, ResolvedBy.POLICY),
    }
    assert {ApprovalAlreadyResolved, DigestMismatch, InvalidRequest, NotRecorded, type(None)} <= set(faults)
    assert edited > 20 and adopted > 20
    assert min(fates.values()) > 20

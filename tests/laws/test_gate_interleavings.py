"""Whole runs whose calls are answered, edited, timed out, settled by grants and stopped, in a thousand orders.

The short run plays the first quarter of them.
"""

from collections import Counter

import pytest

from assent.model.approval import ResolvedBy, Status
from tests.support.gate_interleavings import play
from tests.support.scale import ALL

IN_A_CHUNK = 250
CHUNKS = 4 if ALL else 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_each_call_has_one_fate_and_one_result_in_every_order(chunk: int) -> None:
    fates: Counter[tuple[Status, ResolvedBy]] = Counter()
    ran = 0
    for seed in range(chunk * IN_A_CHUNK, (chunk + 1) * IN_A_CHUNK):
        order = await play(seed)
        fates.update((resolution.status, resolution.by) for _, resolution in order.world.client.endings)
        ran += len(order.world.tool.entered)
    # The orders really met every end.
    assert {
        (Status.ALLOWED, ResolvedBy.USER),
        (Status.REJECTED, ResolvedBy.USER),
        (Status.ALLOWED, ResolvedBy.POLICY),
        (Status.REJECTED, ResolvedBy.POLICY),
        (Status.TIMEOUT, ResolvedBy.TIMEOUT),
        (Status.CANCELLED, ResolvedBy.STOP),
    } <= set(fates), fates
    assert ran > 100

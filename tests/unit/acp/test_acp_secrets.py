"""What an agent is given and what it says of a fault: no key of either stands in what is told."""

from assent.acp.endings import end_without_answer
from assent.acp.faults import AgentFault, AgentGone

KEY = "sk-ant-api03-" + "A1b2C3d4E5f6G7h8" * 5


def test_a_key_in_a_fault_is_masked() -> None:
    for fault in (AgentFault(f"the key {KEY} was refused"), AgentGone("gone"), AgentFault(KEY, -32000)):
        end = end_without_answer(fault, "A", f"wrong key {KEY}", ())
        assert end.broken is not None
        assert KEY not in end.broken.message
        assert "[masked: " in end.broken.message

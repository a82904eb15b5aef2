"""What hooks said to a call that waits for its turn, where the user takes one of them away meanwhile."""

from dataclasses import dataclass, replace

import pytest

from assent.agent.hearing import Hearing
from assent.agent.ports import Prepared
from assent.model.calls import CallFacts, HookAnswer, Hooks, ToolCall
from assent.model.hooks import Hook, HookCall, HookEvent, HookRemarks, HookResult, HookVerdict
from assent.model.ids import CallId
from assent.model.modes import Category, Mode
from assent.model.preview import JsonPreview
from tests.support.cards import card

ONE, OTHER = Hook(HookEvent.PRE_TOOL_USE, "one"), Hook(HookEvent.PRE_TOOL_USE, "other")
CALL = ToolCall(CallId("call"), "tool", {"n": 1})
FACTS = CallFacts("tool", known=True, category=Category.WRITE)


@dataclass
class Port:
    """Hooks that all say the same."""

    now: tuple[Hook, ...]
    says: HookAnswer

    def concerned(self, names: tuple[str, ...]) -> tuple[Hook, ...]:
        return self.now

    async def ask(self, call: HookCall) -> HookVerdict:
        return HookVerdict(Hooks(self.says, "They say so."))

    def follow(self, names: tuple[str, ...]) -> bool:
        return False

    async def tell(self, result: HookResult) -> HookRemarks:
        return HookRemarks()


async def heard(port: Port) -> Hearing:
    async def perform() -> str:
        return ""

    prepared = Prepared("Do it", "", JsonPreview("{}"), (), "", "", perform)  # type: ignore[arg-type]
    hearing = Hearing(port, card().caller, lambda call, note: None)
    assert hearing.known(CALL, FACTS).hooks.answer is HookAnswer.PENDING
    await hearing.ask(CALL, prepared, replace(FACTS, hooks=Hooks(HookAnswer.PENDING)), Mode.DEFAULT, may_change=True)
    assert hearing.known(CALL, FACTS).hooks.answer is port.says
    return hearing


@pytest.mark.parametrize(
    ("says", "left", "then"),
    [
        (HookAnswer.ALLOW, (ONE, OTHER), HookAnswer.ALLOW),
        (HookAnswer.ALLOW, (), HookAnswer.NONE),
        (HookAnswer.ALLOW, (OTHER,), HookAnswer.PENDING),
        # What restricts is not lifted by that: the user is asked, and sees why.
        (HookAnswer.ASK, (), HookAnswer.ASK),
        (HookAnswer.ASK, (OTHER,), HookAnswer.ASK),
    ],
)
async def test_a_yes_counts_as_long_as_all_who_were_asked_are_hooks(
    says: HookAnswer, left: tuple[Hook, ...], then: HookAnswer
) -> None:
    port = Port((ONE, OTHER), says)
    hearing = await heard(port)
    port.now = left
    assert hearing.known(CALL, FACTS).hooks.answer is then

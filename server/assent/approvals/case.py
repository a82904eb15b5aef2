"""What the broker needs of the one who asks: to look again, to take changes in, to write an answer down."""

from typing import Protocol

from assent.lazy_dataclasses import dataclass
from assent.model.approval import Card, Option, Question, Resolution, ResolvedBy
from assent.model.ids import ApprovalId
from assent.model.json import JsonObject
from assent.model.preview import Changes


@dataclass(frozen=True, slots=True)
class Amended:
    """The call as the user changed it. What deserves a look of its own is shown before it counts."""

    card: Card
    to_be_shown: bool


class Case(Protocol):
    """One call that is asked about."""

    async def opened(self, approval_id: ApprovalId) -> None:
        """The question is registered. Returns when that is written down, or cannot be: nobody is told before."""

    def told(self, approval_id: ApprovalId) -> None:
        """The question is told from here on, and can be answered."""

    async def look(self) -> Card:
        """Looks at the call again and says what a card would show now."""

    async def amend(self, args: JsonObject) -> Amended:
        """The card for these arguments, or an InvalidRequest that says why they cannot be approved."""

    async def changes(self, approval_id: ApprovalId, card: Card) -> Changes:
        """All of what the files of this card would hold. Raises DigestMismatch where that is not so any more."""

    def adopt(self, card: Card) -> None:
        """This changed call is what is asked about from now on."""

    async def record(self, question: Question, card: Card, option: Option, resolution: Resolution) -> None:
        """Writes the answer down before it counts. Raises NotRecorded: then it does not count."""

    def came_to_nothing(self, card: Card) -> None:
        """A yes to this card was written down, and then something else was the first to end the question."""

    async def record_end(self, question: Question, resolution: Resolution) -> None:
        """Writes an ending without an answer down before it is told. Raises NotRecorded."""

    def note_end(self, question: Question, resolution: Resolution) -> bool:
        """Nobody answers it any more. Says whether that is written down: then it is told after `settled`."""

    async def settled(self) -> None:
        """Returns when every end that was noted, of any case, is written down, or cannot be for now."""

    def ended_by(self) -> ResolvedBy:
        """What ended the run, if it ended while the call waited."""

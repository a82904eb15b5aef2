"""A case by hand for tests of the broker: what a look shows, what a change leads to, and what was written down."""

from collections.abc import Awaitable, Callable

from assent.approvals.case import Amended
from assent.model.approval import Card, Option, OptionKind, Question, Resolution, ResolvedBy
from assent.model.errors import InvalidRequest
from assent.model.ids import ApprovalId
from assent.model.json import JsonObject
from assent.model.preview import Changes, FileChange


class HandCase:
    """Everything that a test may want to decide; by itself it looks the same for ever and writes everything down."""

    def __init__(self, look: Callable[[], Awaitable[Card]], opened: Callable[[ApprovalId], None]) -> None:
        self._look = look
        self._opened = opened
        self.opening: Callable[[], Awaitable[None]] | None = None
        self.told_ids: list[ApprovalId] = []
        self.amended: Callable[[JsonObject], Amended] | None = None
        self.adopted: list[Card] = []
        self.recorded: list[tuple[Card, OptionKind]] = []
        self.in_vain: list[Card] = []
        self.recording: Callable[[], Awaitable[None]] | None = None

    async def opened(self, approval_id: ApprovalId) -> None:
        self._opened(approval_id)
        if self.opening is not None:
            await self.opening()

    def told(self, approval_id: ApprovalId) -> None:
        self.told_ids.append(approval_id)

    async def look(self) -> Card:
        return await self._look()

    async def amend(self, args: JsonObject) -> Amended:
        if self.amended is None:
            raise InvalidRequest("no change is possible", "params.editedArgs")
        return self.amended(args)

    async def changes(self, approval_id: ApprovalId, card: Card) -> Changes:
        return Changes((FileChange("file", "/w/file", card.digest, beside_file=False),))

    def adopt(self, card: Card) -> None:
        self.adopted.append(card)

    async def record(self, question: Question, card: Card, option: Option, resolution: Resolution) -> None:
        if self.recording is not None:
            await self.recording()
        self.recorded.append((card, option.kind))

    def came_to_nothing(self, card: Card) -> None:
        self.in_vain.append(card)

    async def record_end(self, question: Question, resolution: Resolution) -> None:
        if self.recording is not None:
            await self.recording()

    def note_end(self, question: Question, resolution: Resolution) -> bool:
        return True

    async def settled(self) -> None:
        if self.recording is not None:
            await self.recording()

    def ended_by(self) -> ResolvedBy:
        return ResolvedBy.STOP

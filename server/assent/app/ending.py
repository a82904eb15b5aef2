"""How chats end, and the server: in an order in which nothing goes on for somebody who is gone."""

from assent.app.answers import Answers
from assent.app.attaching import Attaching
from assent.app.checkpoints import Checkpoints
from assent.app.desk import Desk
from assent.app.grounds import Grounds
from assent.app.guests import Guests
from assent.app.hook_notices import HookNotices
from assent.app.restoring import Restoring
from assent.app.subjects import Subjects
from assent.app.upkeep import Upkeep
from assent.approvals.timekeeper import Timekeeper
from assent.lazy_dataclasses import dataclass
from assent.model.ids import SessionId


@dataclass(frozen=True, slots=True)
class Ending:
    """All that has an end of its own."""

    grounds: Grounds
    desk: Desk
    guests: Guests
    attaching: Attaching
    subjects: Subjects
    notices: HookNotices
    answers: Answers
    timekeeper: Timekeeper
    upkeep: Upkeep
    checkpoints: Checkpoints
    restoring: Restoring | None

    async def close_chat(self, session_id: SessionId) -> None:
        """Stops and forgets a chat, with everything that runs of it."""
        await self.desk.close(session_id)
        await self.guests.close(session_id)
        await self.subjects.close(session_id)

    async def shut_down(self) -> None:
        """Ends every run and everything that waits."""
        if self.restoring is not None:
            await self.restoring.end()
        await self.desk.shut_down()
        await self.notices.end()
        await self.guests.end()
        await self.attaching.end()
        await self.subjects.end()
        self.grounds.processes.end_all()
        await self.grounds.models.end()
        await self.answers.end()
        await self.timekeeper.end()
        await self.upkeep.end()
        self.checkpoints.server_ends()
        await self.grounds.records.end()
        # The last, because it may take all the time that is left.
        await self.checkpoints.end()

"""Whether somebody is there: what views show chats, whose they are, and when the user last did something."""

from assent.app.desk import Desk
from assent.approvals.timekeeper import Timekeeper
from assent.model.ids import SessionId, ViewId


class Attendance:
    """Tells the timekeeper who is there. A view belongs to the connection that told of it, and goes with it."""

    def __init__(self, desk: Desk, timekeeper: Timekeeper) -> None:
        self._desk = desk
        self._timekeeper = timekeeper
        self._owners: dict[ViewId, object] = {}
        self._attended = False

    def attached(self, session_id: SessionId, view_id: ViewId, owner: object) -> None:
        """A view of this connection shows this chat: somebody opened it."""
        self._desk.show(session_id, view_id)
        self._owners[view_id] = owner
        self._act()

    def detached(self, session_id: SessionId, view_id: ViewId) -> None:
        """A view does not show this chat any more."""
        self._desk.hide(session_id, view_id)
        self.look()

    def active(self, session_id: SessionId) -> None:
        """The user did something in a view of this chat."""
        self._desk.chat(session_id)
        self._act()

    def gone(self, owner: object) -> None:
        """A connection has ended, and every view that it told of."""
        for view_id in [view_id for view_id, whose in self._owners.items() if whose is owner]:
            del self._owners[view_id]
            self._desk.leave(view_id)
        self.look()

    def look(self) -> None:
        """Views may be gone, with their chat for example."""
        before, self._attended = self._attended, self._desk.attended()
        if before and not self._attended:
            self._timekeeper.left()

    def _act(self) -> None:
        self._attended = self._desk.attended()
        self._timekeeper.active(attended=self._attended)

"""Tells the user's hooks that a call waits, or that a run has ended, failed or reached a limit. Nobody waits for it."""

import logging
from collections.abc import Callable
from dataclasses import field

from assent.agent.chat import Chat
from assent.agent.eventlog import Happened
from assent.app.hooks import CurrentHooks
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Question, Resolution
from assent.model.calls import Caller
from assent.model.events import BudgetExceeded, DoneReason, RunDone, RunFailed
from assent.model.hooks import Hook, HookNotice, Occasion
from assent.model.ids import ApprovalId, RunId, SessionId
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

MOST_UNDER_WAY = 32
"""What would be told beyond so many that are not done is left out: they cannot keep up."""
_ENDS = {
    DoneReason.STOP: "The run has finished.",
    DoneReason.CANCELLED: "The run was stopped.",
    DoneReason.LIMIT: "The run has ended at a limit.",
}


@dataclass(slots=True)
class _Waiting:
    """A question that waits, since when, and the hooks that were told."""

    question: Question
    since: float
    told: set[Hook] = field(default_factory=set)


class HookNotices:
    """Watches questions and events. Of several calls of a chat that wait, a hook is told once."""

    def __init__(self, hooks: CurrentHooks, clock: Clock, chat: Callable[[SessionId], Chat | None]) -> None:
        self._hooks = hooks
        self._clock = clock
        self._chat = chat
        self._waiting: dict[ApprovalId, _Waiting] = {}
        self._patient: set[tuple[SessionId, Hook]] = set()
        self._tasks = TaskGroup("notices of hooks")
        self._under_way = 0
        self._warned: set[tuple[Hook, str]] = set()

    def asked(self, question: Question) -> None:
        """A question waits, or its card is another one."""
        if question.approval_id in self._waiting:
            return
        hooks = self._hooks.for_occasion(Occasion.APPROVAL_WAITING)
        if not hooks:
            return
        self._waiting[question.approval_id] = _Waiting(question, self._clock.monotonic())
        for hook in hooks:
            key = (question.card.caller.session_id, hook)
            if key not in self._patient:
                self._patient.add(key)
                self._tasks.start(self._wait(*key), "wait")

    def updated(self, question: Question) -> None:
        """Something beside the card: nobody has to be told."""

    def resolved(self, question: Question, resolution: Resolution) -> None:
        """A question ended."""
        self._waiting.pop(question.approval_id, None)

    def happened(self, happened: Happened) -> None:
        """Something happened in a chat."""
        match happened.event:
            case RunDone(reason):
                self._tell_of(happened, Occasion.RUN_FINISHED, _ENDS[reason])
            case RunFailed(message):
                self._tell_of(happened, Occasion.ERROR, message)
            case BudgetExceeded(message=message):
                self._tell_of(happened, Occasion.LIMIT, message)
            case _:
                pass

    async def end(self) -> None:
        """The server ends, and with it what is told now."""
        await self._tasks.cancel()

    async def _wait(self, session_id: SessionId, hook: Hook) -> None:
        """Until nothing of this chat waits that the hook was not told of."""
        try:
            while (oldest := self._oldest(session_id, hook)) is not None:
                left = oldest.since + hook.after_seconds - self._clock.monotonic()
                if left > 0:
                    await self._clock.sleep(left)
                elif hook not in self._hooks.for_occasion(Occasion.APPROVAL_WAITING):
                    # It was taken away meanwhile, or is not what was agreed to any more.
                    return
                else:
                    self._tell_of_waiting(session_id, hook, oldest.question)
        finally:
            self._patient.discard((session_id, hook))

    def _untold(self, session_id: SessionId, hook: Hook) -> list[_Waiting]:
        of_chat = (one for one in self._waiting.values() if one.question.card.caller.session_id == session_id)
        return [one for one in of_chat if hook not in one.told]

    def _oldest(self, session_id: SessionId, hook: Hook) -> _Waiting | None:
        return min(self._untold(session_id, hook), key=lambda one: one.since, default=None)

    def _tell_of_waiting(self, session_id: SessionId, hook: Hook, question: Question) -> None:
        untold = self._untold(session_id, hook)
        for one in untold:
            one.told.add(hook)
        card = question.card
        more = f" So do {len(untold) - 1} more calls." if len(untold) > 1 else ""
        message = f"{card.caller.agent_name} waits for your answer: {card.headline}.{more}"
        self._tell(hook, HookNotice(Occasion.APPROVAL_WAITING, message, card.caller, card.mode, card.call))

    def _tell_of(self, happened: Happened, occasion: Occasion, message: str) -> None:
        hooks, chat = self._hooks.for_occasion(occasion), self._chat(happened.session_id)
        if chat is None:
            return
        caller = Caller(chat.agent.agent_id, chat.agent.name, chat.session_id, RunId(happened.run_id))
        for hook in hooks:
            self._tell(hook, HookNotice(occasion, message, caller, chat.mode))

    def _tell(self, hook: Hook, notice: HookNotice) -> None:
        if self._under_way >= MOST_UNDER_WAY:
            logger.warning("the hooks for notifications cannot keep up: one was not told of %s", notice.occasion)
            return
        self._under_way += 1
        self._tasks.start(self._told(hook, notice), "tell")

    async def _told(self, hook: Hook, notice: HookNotice) -> None:
        try:
            fault = await self._hooks.notify(hook, notice)
        finally:
            self._under_way -= 1
        chat = self._chat(notice.caller.session_id)
        if fault and chat is not None and (hook, fault) not in self._warned:
            self._warned.add((hook, fault))
            chat.warn(f"The hook {hook.name} failed, which changes nothing: {fault}.")

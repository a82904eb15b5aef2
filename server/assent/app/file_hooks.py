"""What the user's hooks for reading say to a file that is named in a message: nobody calls a tool, and it is read."""

from collections.abc import Callable

from assent.agent.chat import Chat
from assent.agent.hearing import HookPort
from assent.model.calls import Caller, HookAnswer, Hooks, ToolCall
from assent.model.hooks import HookCall
from assent.model.ids import CallId, RunId, SessionId
from assent.runtime.ids import new_id

_TOOL = "read_file"
_NAMED_BY_USER = "The user has named this very file."


class FileHooks:
    """Asks them as they are asked before a call of `read_file`. What they say is decided elsewhere."""

    def __init__(self, hooks: HookPort, chat: Callable[[SessionId], Chat | None]) -> None:
        self._hooks = hooks
        self._chat = chat

    def unheard(self) -> Hooks:
        """Whether there are any that have to be asked first."""
        return Hooks(HookAnswer.PENDING) if self._hooks.concerned((_TOOL,)) else Hooks()

    async def ask(self, session_id: SessionId, shown: str) -> Hooks:
        """What they say of this file. One that would have another file read instead forbids this one."""
        chat = self._chat(session_id)
        if chat is None:
            return Hooks(HookAnswer.DENY, "the chat is gone")
        caller = Caller(chat.agent.agent_id, chat.agent.name, session_id, RunId(""))
        call = ToolCall(CallId(new_id()), _TOOL, {"path": shown})
        verdict = await self._hooks.ask(HookCall(call, caller, chat.mode, fixed=_NAMED_BY_USER))
        return verdict.hooks

"""A question to the model of a chat beside the conversation: nothing of the chat is sent, and nothing is kept of it."""

from contextlib import aclosing

from assent.agent.assemble import Assembler, TextPart
from assent.agent.broken import why_broken
from assent.agent.run_state import RunState
from assent.model.calls import Caller
from assent.model.conversation import ModelRequest, TryingAgain, UserText
from assent.model.errors import ProviderFault, ToolFault
from assent.model.events import Notice
from assent.model.verdict import Reason


class QuestionBeside:
    """Asked for a call of a run, whose limits and costs it counts in. Ending the call ends the request."""

    def __init__(self, run: RunState, caller: Caller) -> None:
        self._run = run
        self._caller = caller

    async def __call__(self, rules: str, words: str) -> str:
        """The whole of the model's answer. Raises ToolFault where there is none that is whole."""
        run = self._run
        if run.over:
            raise ToolFault(Reason.CANCELLED.value, "The run was stopped, so the model was not asked.")
        reached = run.budget.model_call(self._caller)
        if reached is not None:
            raise ToolFault(Reason.LIMIT_REACHED.value, reached.message)
        request = ModelRequest(rules, (UserText(words),), (), run.around.streaming())
        assembler, said = Assembler(), list[str]()
        fault: ProviderFault | None = None
        try:
            await self._listen(request, assembler, said)
        except ProviderFault as raised:
            fault = raised
        broken = why_broken(assembler, fault)
        if assembler.end is not None:
            run.count(assembler.end.usage, run.chat.context.window, self._caller.parent_call)
        if broken is not None:
            raise ToolFault(broken.code, f"{broken.message} Nothing was made.")
        return "".join(said)

    async def _listen(self, request: ModelRequest, assembler: Assembler, said: list[str]) -> None:
        async with aclosing(self._run.chat.agent.provider().stream(request)) as deltas:
            async for delta in deltas:
                match assembler.feed(delta):
                    case TextPart(text):
                        said.append(text)
                    case TryingAgain(why, seconds):
                        words = f"The model did not answer: {why.rstrip('.')}. Trying again in {seconds:.0f} s."
                        self._run.chat.events.add(Notice(words), self._run.run_id)
                if assembler.overfull:
                    return

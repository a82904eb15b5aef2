"""What would be decided about a call, and why: for somebody who only wants to know."""

from assent.agent.arguments import parse_arguments
from assent.agent.chat import Chat
from assent.agent.eventlog import EventLog
from assent.agent.gate import Explanation, Gate
from assent.agent.history import History
from assent.agent.nowhere import NoKeeper
from assent.app.agents import agent_to_think_of
from assent.app.chat_rules import ChatRules
from assent.app.desk import Desk, no_such_agent
from assent.app.grounds import Grounds
from assent.app.hub import Hub
from assent.jsontext import readable_json
from assent.model.calls import ToolCall
from assent.model.ids import CallId, SessionId
from assent.model.modes import Mode
from assent.runtime.ids import new_id


class Explaining:
    """Asks the gate, and nothing happens."""

    def __init__(self, gate: Gate, desk: Desk, grounds: Grounds, rules: ChatRules, hub: Hub) -> None:
        self._gate = gate
        self._desk = desk
        self._grounds = grounds
        self._rules = rules
        self._hub = hub

    async def explain(
        self,
        tool: str,
        args: object,
        *,
        agent_id: str | None,
        mode: Mode | None,
        session_id: SessionId | None,
    ) -> Explanation:
        """What would be decided about this call in this chat, or in a new one, and why."""
        chat = self._thought_of(agent_id) if session_id is None else self._desk.chat(session_id)
        call_args, fault = parse_arguments("" if args is None else readable_json(args))
        call = ToolCall(CallId(new_id()), tool, call_args)
        return await self._gate.explain(call, self._rules.of(chat, frozenset({mode or chat.mode})), fault, session_id)

    def _thought_of(self, agent_id: str | None) -> Chat:
        """A chat as a new one would be, that nobody sees."""
        trust = self._grounds.trust
        name = agent_id or trust.agent_for_new_chats()
        agents = trust.now().agents
        definition = agents.get(name)
        if definition is None:
            raise no_such_agent(name, agents)
        agent = agent_to_think_of(name, definition.digest)
        session_id = SessionId(new_id())
        mode, keeper = trust.now().mode_for_new_chats, NoKeeper()
        events = EventLog(session_id, self._hub, self._grounds.clock, keeper)
        return Chat(session_id, agent, mode, events, History(keeper), keeper)

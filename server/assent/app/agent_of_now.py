"""The agent of a chat as it is defined now: looked up by its name whenever a run begins, and not while one goes on."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from assent.agent.chat import Agent, Chat
from assent.agent.context import Context
from assent.agent.ports import ModelProvider
from assent.model.errors import ProviderFault


def take_agent_of_now(chat: Chat, agents: Mapping[str, Agent]) -> bool:
    """Lets the chat go on with its agent as it is defined now. Says whether that is another one than before.

    What was allowed in the chat was meant for the agent as it was, so it ends with it.
    """
    before, known = chat.agent, agents.get(chat.agent.agent_id)
    if known is None:
        chat.agent = replace(before, provider=gone(before.name), guest=None)
        return False
    chat.agent = known
    if known.digest == before.digest:
        return False
    chat.context = Context(known.context_window, known.max_tokens)
    chat.keeper.agent(known.digest)
    ended = " What was allowed in this chat is not allowed any more." if chat.grants.forget() else ""
    chat.warn(f"{redefined_words(known.name)} From here on this chat goes on with it as it is now.{ended}")
    return True


def gone(name: str) -> Callable[[], ModelProvider]:
    """In the place of the model of an agent that is not there: whoever asks it is told so."""

    def no_model() -> ModelProvider:
        raise ProviderFault("agent_gone", gone_words(name))

    return no_model


def gone_words(name: str) -> str:
    """Why an agent that no settings define any more does not answer, and what to do."""
    return (
        f"The agent {name} of this chat is not defined any more, or its definition does not count now, so it cannot "
        "answer. Define it again in the settings or agree to it there, or open a new chat with another agent."
    )


def redefined_words(name: str) -> str:
    """That an agent is not what it was."""
    return f"The agent {name} is defined otherwise now than before in this chat."

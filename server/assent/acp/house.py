"""What a session of an agent needs of the place where it lives."""

from typing import Protocol, TypeVar

from assent.acp.connection import Connection
from assent.acp.words import Introduction

S_contra = TypeVar("S_contra", contravariant=True)


class Stay(Protocol):
    """The running agent that a session is in."""

    @property
    def connection(self) -> Connection: ...

    @property
    def introduction(self) -> Introduction: ...

    @property
    def words(self) -> tuple[str, ...]:
        """Those that started it."""


class House(Protocol[S_contra]):
    """Where sessions of one agent live. It starts the agent when it is needed."""

    @property
    def agent_name(self) -> str: ...

    @property
    def folder(self) -> str:
        """Where the agent works."""

    @property
    def launch_words(self) -> tuple[str, ...]:
        """What starts the agent."""

    @property
    def last_words(self) -> str:
        """What the agent printed last beside the protocol, also after its end."""

    @property
    def introduction(self) -> Introduction | None:
        """Of the agent that runs now, where it has said who it is."""

    @property
    def waits_for(self) -> str | None:
        """The request that the agent has not answered yet, where there is one."""

    async def enter(self, session: S_contra) -> Stay:
        """The running agent, with this session in it: where it begins there, it is told so on the way."""

    async def throw_out(self, why: str) -> None:
        """Ends the agent's process, because it does not do what it is told."""

    def turn_away(self, session: S_contra) -> bool:
        """The agent has lost its way in this session: its next message begins another. Whether no other needs it now.

        Only a new process may still know what was said in it.
        """

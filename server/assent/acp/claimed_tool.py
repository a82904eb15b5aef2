"""What an agent of others wants to do, as a tool of the gate: looked at here, decided there, done by the agent."""

import asyncio
from collections.abc import Awaitable, Callable

from assent.acp.as_tools import also_does, tool_name
from assent.acp.claim import Claim
from assent.acp.claimed_look import ClaimedLook, changes_files, contents, look
from assent.acp.whereabouts import Start
from assent.agent.ports import Manner, Prepared, ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.model.approval import OwnOption
from assent.model.calls import OfGuest
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import Changes
from assent.policy.own_options import why_by_hand
from assent.tools.faults import changed
from assent.tools.places import LastRoots

_MODE = "Another mode of {agent} can mean that it does not ask any more, so this is always asked for."
_QUESTION = "This looks like a question of {agent} to you, and only you can answer it."


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of an agent, as far as it matters here."""

    agent: str
    claim: Claim
    options: tuple[OwnOption, ...]
    folder: str = ""
    """Where the agent works: relative names start there."""
    begins: Callable[[], Start | None] = lambda: None
    """Where a command of it begins by now; None where the agent works."""


class ClaimedTool:
    """Stands for one call of the agent. Its result is what the agent tells of it, once it was allowed."""

    def __init__(
        self,
        asked: Asked,
        roots: LastRoots,
        allowed: Callable[[Manner, ClaimedLook], Awaitable[ToolAnswer]],
    ) -> None:
        self._asked = asked
        self._roots = roots
        self._allowed = allowed
        self.spec = ToolSpec(tool_name(asked.claim), f"Something that {asked.agent} does itself.", {"type": "object"})

    @property
    def category(self) -> Category:
        return Category.EXTERNAL

    def fault(self, args: JsonObject) -> str | None:
        return None

    async def prepare(self, args: JsonObject) -> Prepared:
        asked, found = self._asked, await self._found()
        return Prepared(
            headline=found.headline,
            directory=found.directory,
            preview=found.preview,
            paths=found.paths,
            state=found.state,
            grant_key=found.grant_key,
            perform=lambda: self._allowed(Manner(), found),
            perform_in=lambda manner: self._allowed(manner, found),
            risk=found.risk,
            command=found.command,
            category=found.category,
            guest=OfGuest(
                grave=self._grave(),
                by_hand=self._by_hand(),
                unclear=found.unclear,
            ),
            also=also_does(asked.claim),
            addresses=found.addresses,
            own_options=asked.options,
            begins_with_yes=True,
            changes=(lambda: asyncio.to_thread(self._changes, found)) if changes_files(asked.claim) else None,
            editable=False,
        )

    async def _found(self) -> ClaimedLook:
        """A look with the workspace's folders. To ask for these takes half as long as the look, so it is done after it:
        where they are not what they were, it is looked again."""
        believed = self._roots.last()
        begins = self._asked.begins()
        found = await asyncio.to_thread(self._look, believed, begins)
        now = self._roots()
        return found if now == believed else await asyncio.to_thread(self._look, now, begins)

    def _look(self, roots: tuple[str, ...], begins: Start | None = None) -> ClaimedLook:
        asked = self._asked
        return look(asked.claim, roots, asked.agent, asked.folder, begins.folders if begins is not None else None)

    def _changes(self, found: ClaimedLook) -> Changes:
        """Its files alone: what else the agent says that it does stands on the card."""
        asked = self._asked
        now = self._look(self._roots())
        if now.state != found.state:
            raise changed(now.directory, "it has to be looked at again")
        return Changes(contents(asked.claim, self._roots(), asked.folder))

    def _grave(self) -> str:
        return _MODE.format(agent=self._asked.agent) if self._asked.claim.switches_mode else ""

    def _by_hand(self) -> str:
        asked = self._asked
        if asked.claim.question:
            return _QUESTION.format(agent=asked.agent)
        return why_by_hand(asked.options, asked.agent)

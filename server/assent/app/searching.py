"""What a search of a chat needs to know: which files it keeps to itself, and which program looks."""

from collections.abc import Callable, Mapping
from functools import partial

from assent.agent.toolbelt import OfEachChat
from assent.model.calls import PathUse
from assent.model.ids import SessionId
from assent.policy.rules_in_force import Rules
from assent.policy.withheld import is_withheld
from assent.runtime.processes import Processes
from assent.tools.glob import Glob
from assent.tools.grep import Grep
from assent.tools.places import Roots
from assent.tools.search.programs import Ripgrep
from assent.tools.search.scope import Withheld


class Searching:
    """Makes the tools that search, each for its chat."""

    def __init__(
        self,
        processes: Processes,
        rules: Callable[[SessionId], Rules | None],
        given: Mapping[str, str],
        of_editor: Callable[[], str | None],
    ) -> None:
        self._processes = processes
        self._rules = rules
        """Those in force for a chat at this moment; None where it is not open."""
        self._ripgrep = Ripgrep(given, of_editor)

    def tools(self, inside: Callable[[SessionId], Roots]) -> tuple[OfEachChat, ...]:
        """Those of each chat, by what is inside for it."""
        return (
            OfEachChat(lambda chat: Glob(inside(chat), self._processes, partial(self._withheld, chat, Glob.spec.name))),
            OfEachChat(
                lambda chat: Grep(
                    inside(chat), self._processes, partial(self._withheld, chat, Grep.spec.name), self._ripgrep.path
                )
            ),
        )

    def _withheld(self, session_id: SessionId, tool: str) -> Withheld:
        rules = self._rules(session_id)

        def withheld(use: PathUse, searched: PathUse) -> bool:
            # Of a chat that is not there any more nobody learns anything.
            return rules is None or is_withheld(use, searched, tool, rules)

        return withheld

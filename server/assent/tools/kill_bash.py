"""kill_bash: ends a command in the background with everything that it has started."""

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.model.conversation import ToolSpec
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.shells.book import Shells
from assent.tools.bash_output import found, prepared_for
from assent.tools.bash_words import how_ended
from assent.tools.schema import Arguments, schema_fault, schema_of

_WHY = "The agent ended it."


class KillBashArguments(Arguments):
    """What kill_bash takes."""

    shell_id: str = Field(min_length=1, max_length=100, description="The id that the command in the background has.")


class KillBash:
    """Ends what an earlier call of this chat has started, and nothing else."""

    spec = ToolSpec(
        "kill_bash",
        "Ends a command in the background, with everything that it has started. What it printed can still be read.",
        schema_of(KillBashArguments),
    )
    category = Category.INTERNAL

    def __init__(self, shells: Shells, session_id: SessionId) -> None:
        self._shells = shells
        self._session_id = session_id

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(KillBashArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = KillBashArguments.model_validate(args)

        async def perform() -> ToolAnswer:
            shell = found(self._shells, wanted.shell_id, self._session_id)
            if shell.exit is not None:
                return ToolAnswer(f"It had ended already. {how_ended(shell)}")
            await shell.end(_WHY)
            return ToolAnswer(how_ended(shell))

        return prepared_for(f"End {wanted.shell_id}", self.spec.name, wanted.shell_id, perform)

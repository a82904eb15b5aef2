"""bash_output: what a command in the background has printed since the last time, and whether it still runs."""

from collections.abc import Awaitable, Callable

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.model.conversation import ToolSpec
from assent.model.errors import ShellNotFound, ToolFault
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.shells.book import Shells
from assent.shells.shell import Shell
from assent.tools.bash_words import how_ended
from assent.tools.schema import Arguments, schema_fault, schema_of


class BashOutputArguments(Arguments):
    """What bash_output takes."""

    shell_id: str = Field(min_length=1, max_length=100, description="The id that the command in the background has.")
    since: int | None = Field(
        None, ge=0, description="The cursor that the last answer named. Without it: from the first that is kept."
    )


class BashOutput:
    """Reads what a command of this chat has printed. It has no effect."""

    spec = ToolSpec(
        "bash_output",
        "What a command in the background has printed, how it stands with it, and a cursor with which the next call "
        "reads on from there.",
        schema_of(BashOutputArguments),
    )
    category = Category.INTERNAL

    def __init__(self, shells: Shells, session_id: SessionId) -> None:
        self._shells = shells
        self._session_id = session_id

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(BashOutputArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = BashOutputArguments.model_validate(args)
        text = f"Output of {wanted.shell_id}" + (f" from {wanted.since} on" if wanted.since is not None else "")

        async def perform() -> ToolAnswer:
            return self._read(wanted)

        return prepared_for(text, self.spec.name, wanted.shell_id, perform)

    def _read(self, wanted: BashOutputArguments) -> ToolAnswer:
        shell = found(self._shells, wanted.shell_id, self._session_id)
        piece = shell.output.read(wanted.since)
        told = [how_ended(shell), f"Cursor: {piece.next_cursor}."]
        if piece.dropped:
            told.append(f"{piece.dropped} characters before this are not kept any more: output dropped.")
        if not piece.text:
            told.append("It has printed nothing." if not shell.output.total else "Nothing new.")
        body = f"\n{piece.text}" if piece.text else ""
        return ToolAnswer(" ".join(told) + body, truncated=piece.dropped > 0)


def found(shells: Shells, shell_id: str, session_id: SessionId) -> Shell:
    """The command of this chat with this id."""
    try:
        return shells.get(shell_id, session_id)
    except ShellNotFound as fault:
        known = ", ".join(shell.shell_id for shell in shells.all(session_id) if shell.in_background)
        more = f" Those of this chat: {known}." if known else " None runs in this chat."
        raise ToolFault("shell_not_found", f"{_sentence(str(fault))}{more}") from fault


def prepared_for(text: str, tool: str, shell_id: str, perform: Callable[[], Awaitable[ToolAnswer]]) -> Prepared:
    """A call about a command in the background: it touches nothing but that."""
    return Prepared(
        headline=text,
        directory="",
        preview=JsonPreview(text),
        paths=(),
        state=shell_id,
        grant_key=tool,
        perform=perform,
        shell=shell_id,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."

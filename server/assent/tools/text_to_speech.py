"""text_to_speech: a text that is spoken, as a file of the workspace."""

import os
from collections.abc import Callable

from pydantic import Field

from assent.agent.ports import Prepared
from assent.media.kinds import SOUNDS, kind_by_name
from assent.media.orders import Order
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.services import Maker as Who
from assent.model.services import ServiceChoice
from assent.runtime.processes import Processes
from assent.tools.made_file import FileTool, Wish, endings, kind_fault, prepared
from assent.tools.makers import Maker, MakerAt
from assent.tools.names import LONGEST
from assent.tools.nobody import Nobody
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of
from assent.tools.speech_engine import SystemSpeaker, find_engine, no_engine

LONGEST_TEXT = 20_000


class TextToSpeechArguments(Arguments):
    """What text_to_speech takes."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, description="What is spoken.")
    path: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="The file, relative to the workspace folder or absolute. How it ends says what it is.",
    )
    # A voice never begins like an option, nor like a path.
    voice: str | None = Field(
        None, pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.+()-]{0,79}$", description="Another voice than the usual one, by name."
    )


_SCHEMA = schema_of(TextToSpeechArguments)


class TextToSpeech:
    """Shows what would be spoken, by whom, and which file it becomes."""

    category = Category.WRITE

    def __init__(
        self, tool: FileTool, choice: Callable[[], ServiceChoice], maker_at: MakerAt, processes: Processes
    ) -> None:
        self._tool = tool
        self._choice = choice
        self._maker_at = maker_at
        self._processes = processes

    @property
    def spec(self) -> ToolSpec:
        """What can be made depends on who makes it."""
        return ToolSpec(
            "text_to_speech",
            "Has a text spoken and writes the sound to a file of the workspace, which the user can play. "
            f"The path ends with one of {endings(self._now().kinds)}.",
            _SCHEMA,
        )

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(TextToSpeechArguments, args) or path_fault(str(args["path"]), self._tool.roots())
        if found is not None:
            return found
        wanted = TextToSpeechArguments.model_validate(args)
        return _text_fault(wanted.text) or kind_fault(wanted.path, SOUNDS)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = TextToSpeechArguments.model_validate(args)
        maker = self._now()
        order = Order(wanted.text, kind_by_name(wanted.path) or maker.kinds[0], voice=wanted.voice)
        return await prepared(self._tool, args, Wish("Speak into {path}", wanted.path, maker, self._now, order))

    def _now(self) -> Maker:
        choice = self._choice()
        if choice.fault is not None:
            why = ToolFault("not_configured", f"{choice.fault} Nothing was written; the user has to correct it.")
            return Nobody(why, SOUNDS)
        if choice.maker is not Who.SYSTEM:
            return self._maker_at(choice)
        engine = find_engine(self._tool.roots(), os.environ)
        if engine is None:
            return no_engine()
        return SystemSpeaker(engine, choice.voice, self._processes, self._tool.roots, os.environ)


def _text_fault(text: str) -> str | None:
    if not text.strip():
        return "The arguments do not fit. text: it says nothing"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "The arguments do not fit. text: it holds half of a surrogate pair"
    return None

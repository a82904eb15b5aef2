"""generate_image: a picture of what the model describes, as a file of the workspace."""

import re
from collections.abc import Callable

from pydantic import Field

from assent.agent.ports import AskModel, Prepared
from assent.media.kinds import PICTURES, SVG, kind_by_name
from assent.media.orders import Order
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.services import Maker as Who
from assent.model.services import ServiceChoice
from assent.tools.drawn_by_model import DrawnByModel
from assent.tools.made_file import FileTool, Wish, endings, kind_fault, prepared
from assent.tools.makers import Maker, MakerAt
from assent.tools.names import LONGEST
from assent.tools.nobody import Nobody
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of

LONGEST_PROMPT = 8_000
LARGEST = 4_096
_KINDS = (*PICTURES, SVG)
_SIZE = re.compile(r"(\d{2,4})x(\d{2,4})", re.ASCII)


class GenerateImageArguments(Arguments):
    """What generate_image takes."""

    prompt: str = Field(min_length=1, max_length=LONGEST_PROMPT, description="What the picture shows, in words.")
    path: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="The file, relative to the workspace folder or absolute. How it ends says what it is.",
    )
    size: str | None = Field(
        None, pattern=r"^\d{2,4}x\d{2,4}$", description=f"Width and height in points, as 512x512; at most {LARGEST}."
    )


_SCHEMA = schema_of(GenerateImageArguments)


class GenerateImage:
    """Shows what is asked for, of whom, and which file it becomes."""

    category = Category.WRITE

    def __init__(
        self,
        tool: FileTool,
        choice: Callable[[], ServiceChoice],
        maker_at: MakerAt,
        ask: AskModel | None = None,
    ) -> None:
        self._tool = tool
        self._choice = choice
        self._maker_at = maker_at
        self._ask = ask

    @property
    def spec(self) -> ToolSpec:
        """What can be made depends on who makes it."""
        return ToolSpec(
            "generate_image",
            "Makes a picture from a description and writes it to a file of the workspace, which the user is shown. "
            f"The path ends with one of {endings(self._now().kinds)}.",
            _SCHEMA,
        )

    def asking(self, ask: AskModel) -> "GenerateImage":
        """The same for one call, with the model of the chat to draw for it."""
        return GenerateImage(self._tool, self._choice, self._maker_at, ask)

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(GenerateImageArguments, args) or path_fault(str(args["path"]), self._tool.roots())
        if found is not None:
            return found
        wanted = GenerateImageArguments.model_validate(args)
        if not wanted.prompt.strip():
            return "The arguments do not fit. prompt: it says nothing"
        if wanted.size is not None and not all(16 <= side <= LARGEST for side in _sides(wanted.size) or ()):
            return f"The arguments do not fit. size: both sides are from 16 to {LARGEST} points"
        return kind_fault(wanted.path, _KINDS)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = GenerateImageArguments.model_validate(args)
        maker = self._now()
        kind = kind_by_name(wanted.path) or maker.kinds[0]
        order = Order(wanted.prompt, kind, _sides(wanted.size))
        wish = Wish("Make the picture {path}", wanted.path, maker, self._now, order)
        return await prepared(self._tool, args, wish)

    def _now(self) -> Maker:
        choice = self._choice()
        if choice.fault is not None:
            why = ToolFault("not_configured", f"{choice.fault} Nothing was written; the user has to correct it.")
            return Nobody(why, _KINDS)
        return DrawnByModel(self._ask) if choice.maker is Who.CHAT else self._maker_at(choice)


def _sides(size: str | None) -> tuple[int, int] | None:
    found = _SIZE.fullmatch(size) if size is not None else None
    return (int(found[1]), int(found[2])) if found else None

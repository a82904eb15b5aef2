"""ui_show_diff: the user sees a file beside a text that it could become. Nothing is written."""

import asyncio
import hashlib

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.tools.change_preview import compare
from assent.tools.editor_views import EditorViews
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST
from assent.tools.obstacles import reading_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of

MOST_CHARACTERS = 1_000_000


class UiShowDiffArguments(Arguments):
    """What ui_show_diff takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )
    content: str = Field(max_length=MOST_CHARACTERS, description="The whole text to compare it with.")


class UiShowDiff:
    """Opens a comparison in the editor. The text stays in it, and is gone when it is closed."""

    spec = ToolSpec(
        "ui_show_diff",
        "Shows the user a file beside a text that you propose for it, in the editor. Nothing is written.",
        schema_of(UiShowDiffArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, views: EditorViews) -> None:
        self._roots = roots
        self._views = views

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(UiShowDiffArguments, args) or path_fault(str(args["path"]), self._roots())

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = UiShowDiffArguments.model_validate(args)
        place = await asyncio.to_thread(locate, wanted.path, self._roots())
        preview, _, _ = await asyncio.to_thread(compare, place, wanted.content)
        digest = hashlib.sha256(wanted.content.encode("utf-8", "surrogatepass")).hexdigest()
        return Prepared(
            headline=f"Compare {place.shown} with a proposal, in the editor",
            directory=place.directory,
            preview=preview,
            paths=(place.use(Access.READ),),
            state=f"{place.bound()}|{digest}",
            grant_key=self.spec.name,
            perform=lambda: self._show(place, wanted),
            impossible=await asyncio.to_thread(reading_obstacle, place),
        )

    async def _show(self, place: Place, wanted: UiShowDiffArguments) -> ToolAnswer:
        if not place.is_still(await asyncio.to_thread(locate, wanted.path, self._roots())):
            raise elsewhere(place.shown, "nothing was shown")
        await self._views.show_diff(place.real, wanted.content)
        return ToolAnswer(f"The editor shows {place.shown} beside your text. Nothing was written.", path=place.shown)

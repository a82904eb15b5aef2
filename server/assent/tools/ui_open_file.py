"""ui_open_file: the user sees a file in the editor."""

import asyncio

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.editor_views import EditorViews
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST
from assent.tools.obstacles import reading_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of


class UiOpenFileArguments(Arguments):
    """What ui_open_file takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )
    line: int | None = Field(None, ge=1, description="The line to show, counted from 1.")


class UiOpenFile:
    """Shows a file as text, beside what the user does: the keyboard stays where it is."""

    spec = ToolSpec(
        "ui_open_file",
        "Shows the user a file in the editor. You get nothing of its content: read_file is for that.",
        schema_of(UiOpenFileArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, views: EditorViews) -> None:
        self._roots = roots
        self._views = views

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(UiOpenFileArguments, args) or path_fault(str(args["path"]), self._roots())

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = UiOpenFileArguments.model_validate(args)
        place = await asyncio.to_thread(locate, wanted.path, self._roots())
        return Prepared(
            headline=f"Show {place.shown} in the editor",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._open(place, wanted),
            impossible=await asyncio.to_thread(reading_obstacle, place),
        )

    async def _open(self, place: Place, wanted: UiOpenFileArguments) -> ToolAnswer:
        if not place.is_still(await asyncio.to_thread(locate, wanted.path, self._roots())):
            raise elsewhere(place.shown, "it was not shown")
        await self._views.open_file(place.real, wanted.line)
        return ToolAnswer(f"The editor shows {place.shown}.", path=place.shown)

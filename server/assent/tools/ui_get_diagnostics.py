"""ui_get_diagnostics: what the editor underlines in a file."""

import asyncio

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.editor_views import EditorViews, Finding
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST
from assent.tools.obstacles import reading_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of


class UiGetDiagnosticsArguments(Arguments):
    """What ui_get_diagnostics takes."""

    path: str = Field(
        min_length=1, max_length=LONGEST, description="The file, relative to the workspace folder or absolute."
    )


class UiGetDiagnostics:
    """Asks about one file that is named: what is read is always known beforehand."""

    spec = ToolSpec(
        "ui_get_diagnostics",
        "The errors and warnings that the editor shows in a file, by its language servers and linters.",
        schema_of(UiGetDiagnosticsArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, views: EditorViews) -> None:
        self._roots = roots
        self._views = views

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(UiGetDiagnosticsArguments, args) or path_fault(str(args["path"]), self._roots())

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = UiGetDiagnosticsArguments.model_validate(args)
        place = await asyncio.to_thread(locate, wanted.path, self._roots())
        return Prepared(
            headline=f"Read what the editor finds in {place.shown}",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: self._read(place, wanted),
            impossible=await asyncio.to_thread(reading_obstacle, place),
        )

    async def _read(self, place: Place, wanted: UiGetDiagnosticsArguments) -> ToolAnswer:
        if not place.is_still(await asyncio.to_thread(locate, wanted.path, self._roots())):
            raise elsewhere(place.shown, "it was not looked at")
        told = await self._views.diagnostics(place.real)
        if not told.found:
            return ToolAnswer(f"The editor finds nothing in {place.shown}.", path=place.shown)
        more = told.total - len(told.found)
        lines = [*map(_line, told.found), *([f"[{more} more]"] if more > 0 else [])]
        return ToolAnswer("\n".join(lines), path=place.shown, truncated=more > 0)


def _line(one: Finding) -> str:
    source = f" [{one.source}]" if one.source else ""
    return f"{one.line}:{one.column} {one.severity}: {one.message}{source}"

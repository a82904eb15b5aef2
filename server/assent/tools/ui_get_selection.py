"""ui_get_selection: which file the user has before them, and what is selected in it."""

import asyncio

from assent.agent.ports import Prepared, ToolAnswer
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.editor_views import EditorViews, Selection
from assent.tools.faults import elsewhere
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, schema_fault, schema_of

_NOTHING = "The user has no file of the disk before them."


class UiGetSelectionArguments(Arguments):
    """What ui_get_selection takes: nothing."""


class UiGetSelection:
    """Asks the editor first which file that is: it is read like any other file, with all that holds for it."""

    spec = ToolSpec(
        "ui_get_selection",
        "The file that the user has before them in the editor, and what is selected in it.",
        schema_of(UiGetSelectionArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots, views: EditorViews) -> None:
        self._roots = roots
        self._views = views

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(UiGetSelectionArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        place, never = None, None
        try:
            place = await self._place_of(await self._views.selection())
        except ToolFault as fault:
            never = fault
        shown = place.shown if place is not None else "nothing"
        return Prepared(
            headline=f"Read what is selected in the editor: {shown}",
            directory=place.directory if place is not None else "",
            preview=JsonPreview(f"The file before the user: {shown}"),
            paths=(place.use(Access.READ),) if place is not None else (),
            state=place.bound() + place.real if place is not None else "",
            grant_key=self.spec.name,
            perform=lambda: self._read(place),
            impossible=never,
        )

    async def _read(self, place: Place | None) -> ToolAnswer:
        found = await self._views.selection()
        now = await self._place_of(found)
        if now is None or found is None:
            return ToolAnswer(_NOTHING)
        if place is None or not place.is_still(now):
            raise elsewhere("The file before the user", "it is another one by now, and was not read")
        where = f"line {found.first_line}" if found.first_line == found.last_line else _lines(found)
        if not found.text:
            return ToolAnswer(f"{now.shown}, {where}; nothing is selected.", path=now.shown)
        cut = "" if found.whole else "\n[this is only the first part of what is selected]"
        text = f"{now.shown}, {where}:\n{found.text}{cut}"
        return ToolAnswer(text, path=now.shown, content=found.text, truncated=not found.whole)

    async def _place_of(self, found: Selection | None) -> Place | None:
        return None if found is None else await asyncio.to_thread(locate, found.path, self._roots())


def _lines(found: Selection) -> str:
    return f"lines {found.first_line} to {found.last_line}"

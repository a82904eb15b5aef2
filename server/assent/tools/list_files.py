"""list_files: what a folder holds."""

import asyncio

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.calls import Access
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.disk import list_folder
from assent.tools.faults import elsewhere
from assent.tools.names import LONGEST, printable
from assent.tools.obstacles import listing_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, path_fault, schema_fault, schema_of

MAX_NAMES = 1_000


class ListFilesArguments(Arguments):
    """What list_files takes."""

    path: str = Field(
        ".", min_length=1, max_length=LONGEST, description="The folder, relative to the workspace folder or absolute."
    )


class ListFiles:
    """Lists one folder, not what lies below it."""

    spec = ToolSpec(
        "list_files",
        "Lists the names in a folder; folders end with a slash.",
        schema_of(ListFilesArguments),
    )
    category = Category.READ

    def __init__(self, roots: Roots) -> None:
        self._roots = roots

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(ListFilesArguments, args) or path_fault(str(args.get("path", ".")), self._roots())

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = ListFilesArguments.model_validate(args)
        place, impossible = await asyncio.to_thread(_look, wanted, self._roots())
        return Prepared(
            headline=f"List {place.shown}" if place.shown != "." else "List the workspace folder",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ, is_directory=True),),
            state=place.bound(),
            grant_key=self.spec.name,
            perform=lambda: asyncio.to_thread(_list, place, wanted, self._roots),
            impossible=impossible,
        )


def _look(wanted: ListFilesArguments, roots: tuple[str, ...]) -> tuple[Place, ToolFault | None]:
    place = locate(wanted.path, roots)
    return place, listing_obstacle(place)


def _list(place: Place, wanted: ListFilesArguments, roots: Roots) -> ToolAnswer:
    if not place.is_still(locate(wanted.path, roots())):
        raise elsewhere(place.shown, "it was not listed")
    listing = list_folder(place.target, MAX_NAMES)
    hidden = listing.total - len(listing.names)
    # A name may hold anything but a slash and NUL; a line end in it must not look like another name.
    text = "\n".join(map(printable, listing.names)) + (f"\n[{hidden} more names]" if hidden else "")
    return ToolAnswer(text or "[empty]", path=place.shown, truncated=hidden > 0)

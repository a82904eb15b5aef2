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
from assent.tools.disk import names_in
from assent.tools.places import Place, Roots, locate
from assent.tools.schema import Arguments, schema_fault, schema_of

MAX_NAMES = 1_000


class ListFilesArguments(Arguments):
    """What list_files takes."""

    path: str = Field(".", min_length=1, description="The folder, relative to the workspace folder or absolute.")


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
        return schema_fault(ListFilesArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = ListFilesArguments.model_validate(args)
        place = locate(wanted.path, self._roots())
        return Prepared(
            headline=f"List {place.shown}" if place.shown != "." else "List the workspace folder",
            directory=place.directory,
            preview=JsonPreview(readable_json(args)),
            paths=(place.use(Access.READ, is_directory=True),),
            state="",
            grant_key=self.spec.name,
            perform=lambda: asyncio.to_thread(_list, place, wanted, self._roots),
        )


def _list(place: Place, wanted: ListFilesArguments, roots: Roots) -> ToolAnswer:
    if locate(wanted.path, roots()).real != place.real:
        raise ToolFault("changed_since", f"{place.shown} leads somewhere else now; it was not listed.")
    names = names_in(place.real)
    shown = names[:MAX_NAMES]
    more = f"\n[{len(names) - MAX_NAMES} more names]" if len(names) > MAX_NAMES else ""
    text = "\n".join(_printable(name) for name in shown)
    return ToolAnswer(text + more or "[empty]", path=place.shown, truncated=bool(more))


def _printable(name: str) -> str:
    # A name may hold anything but a slash and NUL; a line end in it must not look like another name.
    return name.encode("utf-8", "backslashreplace").decode("utf-8").replace("\n", "\\n").replace("\r", "\\r")

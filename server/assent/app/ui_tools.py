"""The tools of the editor's own windows: in a chat only while an editor is there that can do what they are for."""

from collections.abc import Callable

from assent.agent.ports import Tool
from assent.agent.toolbelt import OfEachChat, WhileThere
from assent.app.editor import Editor
from assent.model.ids import SessionId
from assent.tools.editor_views import DIAGNOSTICS, OPEN_FILE, SELECTION, SHOW_DIFF, EditorViews
from assent.tools.places import Roots
from assent.tools.ui_get_diagnostics import UiGetDiagnostics
from assent.tools.ui_get_selection import UiGetSelection
from assent.tools.ui_open_file import UiOpenFile
from assent.tools.ui_show_diff import UiShowDiff

_TOOLS: dict[str, Callable[[Roots, EditorViews], Tool]] = {
    OPEN_FILE: UiOpenFile,
    SHOW_DIFF: UiShowDiff,
    DIAGNOSTICS: UiGetDiagnostics,
    SELECTION: UiGetSelection,
}


def ui_tools(inside: Callable[[SessionId], Roots], editor: Editor) -> tuple[WhileThere, ...]:
    """All of them."""
    return tuple(_while_there(what, make, inside, editor) for what, make in _TOOLS.items())


def _while_there(
    what: str, make: Callable[[Roots, EditorViews], Tool], inside: Callable[[SessionId], Roots], editor: Editor
) -> WhileThere:
    return WhileThere(OfEachChat(lambda chat: make(inside(chat), editor.views)), lambda: editor.views.can(what))

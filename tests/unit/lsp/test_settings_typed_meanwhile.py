"""A settings file that is typed in while it is looked at: nothing is offered for a text that is no more."""

import asyncio
from typing import TYPE_CHECKING, cast

from assent.lsp.diagnostics import SettingsDiagnostics
from assent.lsp.settings_documents import SettingsDocuments
from assent.settings.language.drafts import Draft, Looked
from assent.settings.language.places import SettingsPlace
from assent.settings.layers import Diagnostic, Scope
from tests.support.scale import limit

if TYPE_CHECKING:
    from assent.app.language import Language

URI = "file:///w/.vscode/settings.json"


class Slow:
    """Looks at texts for as long as a test says."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.ready = asyncio.Event()
        self.ready.set()
        self.begun = asyncio.Event()

    def place_of(self, scheme: str, path: str) -> SettingsPlace:
        return SettingsPlace(Scope.WORKSPACE, path)

    async def look(self, draft: Draft) -> Looked:
        self.texts.append(draft.text)
        self.begun.set()
        await self.ready.wait()
        return Looked((Diagnostic(draft.text),))


async def test_what_was_found_in_an_earlier_text_is_not_told_of_the_present_one() -> None:
    slow = Slow()
    documents = SettingsDocuments(lambda: cast("Language", slow), SettingsDiagnostics(lambda uri, found: None))
    documents.opened(URI, "{ }")
    document = documents.get(URI)
    assert document is not None and await documents.looked(document) is not None

    slow.ready.clear()
    slow.begun.clear()
    documents.changed(URI, "{  }")
    asked = asyncio.ensure_future(documents.looked(document))
    await asyncio.wait_for(slow.begun.wait(), limit(5))
    documents.changed(URI, "{   }")
    asked_again = asyncio.ensure_future(documents.looked(document))
    slow.ready.set()
    for found in await asyncio.gather(asked, asked_again):
        assert found is None or found.diagnostics[0].text == "{   }"
    last = await documents.looked(document)
    assert last is not None and last.diagnostics[0].text == "{   }" and slow.texts[-1] == "{   }"
    await documents.end()

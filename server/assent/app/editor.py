"""The editor of the client that is there, as tools use it. It may come and go while they are at work."""

from assent.tools.open_documents import NO_DOCUMENTS, OpenDocument, OpenDocuments


class Editor:
    """Hands on to the editor that announced itself; where there is none, nothing is open."""

    def __init__(self) -> None:
        self._documents: OpenDocuments = NO_DOCUMENTS

    def came(self, documents: OpenDocuments) -> None:
        """This one is there now."""
        self._documents = documents

    def went(self, documents: OpenDocuments) -> None:
        """This one is gone; one that came after it stays."""
        if self._documents is documents:
            self._documents = NO_DOCUMENTS

    @property
    def writes(self) -> bool:
        return self._documents.writes

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        return await self._documents.find(names)

    async def replace(self, document: OpenDocument, text: str) -> bool:
        return await self._documents.replace(document, text)

    async def save(self, document: OpenDocument) -> bool:
        return await self._documents.save(document)

"""An editor in this process, as the tools see one."""

from dataclasses import replace
from pathlib import Path

from assent.tools.open_documents import EditorSilent, OpenDocument


class OneDocument:
    """Has one file open, and writes it as an editor does: into its own text first, then to the disk."""

    def __init__(self, path: Path, text: str | None = None, *, dirty: bool = False) -> None:
        self.path = path
        self.now: OpenDocument | None = OpenDocument(
            str(path), path.as_uri(), 1, dirty, path.read_text() if text is None else text
        )
        self.writes = True
        self.earlier: list[str] = []
        self.saved_as: bytes | None = None
        """What it puts on the disk in the place of its text, as a formatter would."""
        self.refuses: set[str] = set()
        self.silent: set[str] = set()
        self.asked: list[str] = []

    def type(self, text: str) -> None:
        """Somebody types."""
        assert self.now is not None
        self.earlier.append(self.now.text or "")
        self.now = replace(self.now, version=self.now.version + 1, dirty=True, text=text)

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        return self.now if str(self.path) in names else None

    async def replace(self, document: OpenDocument, text: str) -> bool:
        self._asked("replace")
        if self.now is None or "replace" in self.refuses or self.now.version != document.version:
            return False
        self.type(text)
        return True

    async def save(self, document: OpenDocument) -> bool:
        self._asked("save")
        if self.now is None or "save" in self.refuses:
            return False
        data = (self.now.text or "").encode() if self.saved_as is None else self.saved_as
        self.path.write_bytes(data)
        self.now = replace(self.now, version=self.now.version + 1, dirty=False, text=data.decode())
        return True

    def _asked(self, what: str) -> None:
        self.asked.append(what)
        if what in self.silent:
            raise EditorSilent

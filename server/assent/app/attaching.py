"""Files of the workspace that go along with a message: found by their names, read where the user named them.

Naming a file is agreement to read that one file. Where a call of `read_file` would be asked for because of the file
itself, that has to be said too; what would be blocked for it is blocked here.
"""

import asyncio
from collections.abc import Callable, Sequence

from assent.app.cautions import Caution, caution_about
from assent.app.file_hooks import FileHooks
from assent.app.file_names import FileNames, Names, NamesBelow
from assent.app.file_parts import FilePart, part_of_file, part_of_text, refused
from assent.lazy_dataclasses import dataclass
from assent.media.pictures import too_much
from assent.model.calls import Access
from assent.model.errors import WarningNotRead
from assent.model.ids import SessionId
from assent.model.message_parts import Attachment
from assent.model.verdict import Decision, Outcome
from assent.policy.rules_in_force import Rules
from assent.policy.withheld import is_withheld, reading
from assent.runtime.beside import Stopped, in_thread
from assent.tools.obstacles import reading_obstacle
from assent.tools.open_documents import OpenDocuments, document_of
from assent.tools.places import Place, Roots, locate
from assent.tools.search.fitting import fitting

MOST_FILES = 20
"""That go along with one message."""
MOST_TOLD = 50

_Ranked = tuple[tuple[int, int, str], NamesBelow]


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that the user named; where they were warned of it and said yes, the digest of what they had read."""

    path: str
    agreed: str | None = None


@dataclass(frozen=True, slots=True)
class Attachable:
    """A file that can go along."""

    shown: str
    size: int
    warning: Caution | None = None
    """Why it goes along only where the user says so once more."""
    picture: str | None = None
    """It goes along as a picture of this kind."""


class Attaching:
    """Finds and reads what goes along with the messages of a chat."""

    def __init__(
        self,
        folders: Roots,
        inside: Callable[[SessionId], Roots],
        rules: Callable[[SessionId], Rules | None],
        documents: OpenDocuments,
        hooks: FileHooks,
        names: FileNames,
        why_no_pictures: Callable[[SessionId], str | None],
    ) -> None:
        self._folders = folders
        """Those of the workspace alone: nothing else is listed."""
        self._inside = inside
        self._rules = rules
        self._documents = documents
        self._hooks = hooks
        self._names = names
        self._why_no_pictures = why_no_pictures
        """Why no picture can go along in this chat, where that is known already."""

    async def found(self, session_id: SessionId, query: str) -> tuple[tuple[str, ...], bool]:
        """Files whose paths fit what is written so far, the nearest first, and whether there are more."""
        self._rules_of(session_id)
        names = await self._names.of(self._folders())
        ranked = await in_thread(lambda stopped: _ranked(query, names, stopped))
        # Not before: they may have changed meanwhile.
        rules = self._rules_of(session_id)
        return await in_thread(lambda stopped: _to_tell(ranked, rules, stopped))

    async def end(self) -> None:
        """Nobody names a file any more."""
        await self._names.end()

    async def look(self, session_id: SessionId, path: str) -> Attachable:
        """Whether this file can go along. Raises InvalidRequest where it cannot, with the reason for a person."""
        part, warning = await self._read(session_id, path)
        return Attachable(part.attachment.name, part.size, warning, part.picture)

    async def read(self, session_id: SessionId, files: Sequence[NamedFile]) -> tuple[Attachment, ...]:
        """What they say now. Nothing of a message is sent where one of its files cannot go along."""
        if len(files) > MOST_FILES:
            raise refused(f"more than {MOST_FILES} files cannot go along with one message")
        parts: list[FilePart] = []
        for file in files:
            parts.append(await self._one(session_id, file))
            # Before the next one is read: what is too much is not held all at once.
            why = too_much([one.size for one in parts if one.picture is not None])
            if why is not None:
                raise refused(f"the message was not sent: {why}")
        return tuple(one.attachment for one in parts)

    async def _one(self, session_id: SessionId, file: NamedFile) -> FilePart:
        part, warning = await self._read(session_id, file.path)
        if warning is not None and warning.digest != file.agreed:
            raise WarningNotRead(part.attachment.name, warning.text)
        return part

    async def _read(self, session_id: SessionId, path: str) -> tuple[FilePart, Caution | None]:
        """It, and why it goes along only where the user says so once more."""
        # Of a chat that is not there nothing is looked at.
        self._rules_of(session_id)
        place = await asyncio.to_thread(_place, path, self._inside(session_id)())
        decision = await self._decided(session_id, place)
        if decision.outcome not in {Outcome.RUN, Outcome.ASK}:
            raise refused(decision.text)
        warning = caution_about(place, decision, session_id)
        document = await document_of(place, self._documents)
        if document is not None and document.dirty and document.unsaved is not None:
            return part_of_text(place, document.unsaved), warning
        part = await asyncio.to_thread(part_of_file, place)
        why = self._why_no_pictures(session_id) if part.picture is not None else None
        if why is not None:
            raise refused(f"{place.shown} is a picture ({part.picture}), and {why}")
        return part, warning

    async def _decided(self, session_id: SessionId, place: Place) -> Decision:
        """What would become of a call that reads it. Hooks are asked where the ladder comes to them, as for a call."""
        use = place.use(Access.READ)
        decision = reading(use, self._rules_of(session_id), self._hooks.unheard())
        if decision.outcome is not Outcome.NEED_HOOKS:
            return decision
        heard = await self._hooks.ask(session_id, place.shown)
        return reading(use, self._rules_of(session_id), heard)

    def _rules_of(self, session_id: SessionId) -> Rules:
        rules = self._rules(session_id)
        if rules is None:
            raise refused("there is no such chat")
        return rules


def _place(path: str, roots: tuple[str, ...]) -> Place:
    place = locate(path, roots)
    if not place.inside:
        raise refused(f"{place.shown} lies outside of the workspace")
    obstacle = reading_obstacle(place)
    if obstacle is not None:
        raise refused(str(obstacle))
    return place


def _ranked(query: str, names: Names, stopped: Stopped) -> list[_Ranked]:
    ranked: list[_Ranked] = []
    for below in names:
        for path in below.paths:
            if stopped():
                return []
            rank = fitting(query, path)
            if rank is not None:
                ranked.append(((rank, len(path), path), below))
    return sorted(ranked, key=lambda one: one[0])


def _to_tell(ranked: Sequence[_Ranked], rules: Rules, stopped: Stopped) -> tuple[tuple[str, ...], bool]:
    """What the rules of now let be told, of what is there now: the names are from a moment ago."""
    told: list[str] = []
    for (_, _, path), below in ranked:
        if stopped():
            break
        scope = below.scope
        if not scope.may_tell(path, lambda use, whole: is_withheld(use, whole, "read_file", rules), content=False):
            continue
        if len(told) == MOST_TOLD:
            return tuple(told), True
        if below.is_there(path):
            told.append(scope.shown(path))
    return tuple(told), False

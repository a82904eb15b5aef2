"""Settings that would loosen something: asked about once, answered entry by entry, closed when they change."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest
from assent.runtime.ids import new_id
from assent.settings.loosening import LooseningEntry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """Entries that have no effect until the user agrees. `digest` binds an answer to exactly these."""

    consent_id: str
    workspace: str
    entries: tuple[LooseningEntry, ...]
    digest: str

    def entry_id(self, entry: LooseningEntry) -> str:
        """The entry's name in this question, the same as long as it means the same."""
        return _digest(_meaning(entry))[:16]


@dataclass(frozen=True, slots=True)
class ConsentAnswered:
    """How many entries count now, and what could not be kept, if anything."""

    honoured: int
    ignored: int
    error: str | None = None


class ConsentKeeper(Protocol):
    """Where entries wait for the user's agreement, and where the answer is kept."""

    def awaiting(self) -> tuple[LooseningEntry, ...]: ...

    def workspace_name(self) -> str: ...

    def to_keep(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> Callable[[], str | None]:
        """What records the answer, as it is meant now, and says what went wrong. It may take three seconds."""

    def was_kept(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> None:
        """The answer was recorded."""


class ConsentWatcher(Protocol):
    """Is told of a question about settings, and of its end."""

    def consent_asked(self, question: ConsentQuestion) -> None: ...

    def consent_resolved(self, consent_id: str) -> None: ...


Agreed = Callable[[Sequence[LooseningEntry], str], None]
"""Writes down what the user agreed to, after these words of how."""
AGREED = "You agreed to this"


class Consents:
    """At most one question is open at a time: it names everything that waits."""

    def __init__(
        self, keeper: ConsentKeeper, watcher: ConsentWatcher, agreed: Agreed, changed: Callable[[], None]
    ) -> None:
        self._keeper = keeper
        self._watcher = watcher
        self._agreed = agreed
        self._changed = changed
        self._open: ConsentQuestion | None = None
        self._answering = False

    @property
    def open(self) -> ConsentQuestion | None:
        """The question that waits for the user now."""
        return self._open

    def look(self) -> None:
        """The settings may be others now: asks about what is new, closes what is gone."""
        if self._answering:
            return
        entries = self._keeper.awaiting()
        workspace = self._keeper.workspace_name()
        digest = _digest([workspace, *(_meaning(entry) for entry in entries)])
        if self._open is not None and self._open.digest == digest:
            return
        self._close()
        if entries:
            self._open = ConsentQuestion(new_id(), workspace, entries, digest)
            logger.info("%d entries of the settings wait for the user's agreement", len(entries))
            self._watcher.consent_asked(self._open)

    async def answer(self, consent_id: str, digest: str, honour: frozenset[str]) -> ConsentAnswered:
        """Lets the answer count: these entries from now on, the others not until they change."""
        question = self._checked(consent_id, digest, honour)
        agreed = [entry for entry in question.entries if question.entry_id(entry) in honour]
        refused = [entry for entry in question.entries if entry not in agreed]
        keep = self._keeper.to_keep(agreed, refused)
        # While the answer is being written, the ledger changes: nobody is to be asked about the half of it.
        self._answering = True
        try:
            error = await asyncio.to_thread(keep)
        finally:
            self._answering = False
        if error is None:
            self._keeper.was_kept(agreed, refused)
            self._agreed(agreed, AGREED)
        logger.info("the user agreed to %d of %d entries of the settings", len(agreed), len(question.entries))
        if error is None and self._open is question:
            self._close()
        self._changed()
        return ConsentAnswered(0 if error else len(agreed), len(refused), error)

    def _checked(self, consent_id: str, digest: str, honour: frozenset[str]) -> ConsentQuestion:
        question = self._open
        if question is None or question.consent_id != consent_id or self._answering:
            raise InvalidRequest("no question about settings is open under this id", "params.consentId")
        if question.digest != digest:
            raise InvalidRequest("the answer is for other entries than those that are asked about", "params.digest")
        unknown = honour - {question.entry_id(entry) for entry in question.entries}
        if unknown:
            raise InvalidRequest("the question has no entry of this id", "params.honour")
        return question

    def _close(self) -> None:
        if self._open is not None:
            closed, self._open = self._open, None
            self._watcher.consent_resolved(closed.consent_id)


def _meaning(entry: LooseningEntry) -> list[str | None]:
    """What is agreed to. Where it stands in its file may change while the question is open."""
    return [entry.origin.scope.value, entry.folder, entry.setting, entry.entry, entry.digest]


def _digest(value: object) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()

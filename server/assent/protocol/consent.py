"""Settings of a workspace that would loosen something: asking the user, the answer, and what the user saved by hand."""

from typing import Any

from attrs import field, frozen


@frozen
class ConsentEntry:
    """The smallest thing to agree to: one rule, one agent, one directory. `words` say what it would allow."""

    entry_id: str
    key: str
    """The setting by its full name."""
    words: str
    before: Any = field(default=None, metadata={"keep_null": True})
    """What counts now, as JSON; null where nothing does."""
    after: Any = field(default=None, metadata={"keep_null": True})
    """What would count, as JSON."""
    file: str | None = None
    line: int | None = None
    digest: str = ""


@frozen
class ConsentRequest:
    """Entries that have no effect until the user agrees. It needs no chat; a later one takes the place of this one."""

    consent_id: str
    workspace: str
    entries: tuple[ConsentEntry, ...]
    reason: str
    digest: str
    """Of all entries; the answer gives it back."""


@frozen
class ConsentResponse:
    """Which entries are to count. The others are ignored from now on, until they change."""

    consent_id: str
    digest: str
    honour: tuple[str, ...] = ()


@frozen
class ConsentOutcome:
    """How many entries count now, and what could not be kept, if anything."""

    honoured: int
    ignored: int
    error: str | None = None


@frozen
class ConsentResolved:
    """Nothing of this question is open any more: it was answered, or the settings changed. Every view closes it."""

    consent_id: str


@frozen
class AttestedEntry:
    """A setting that the user changed by hand between two saves, whole: before and after."""

    key: str
    before: Any = field(default=None, metadata={"keep_null": True})
    after: Any = field(default=None, metadata={"keep_null": True})


@frozen
class AttestParams:
    """The user saved a settings file by hand: what changed in it counts as agreed to. `sha256` is that of the file."""

    file: str
    sha256: str
    entries: tuple[AttestedEntry, ...]


@frozen
class AttestResult:
    """How many loosening entries count now because of it."""

    counted: int

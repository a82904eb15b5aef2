"""Everything that is allowed without asking now: where it comes from, when it ends, and how it is taken back."""

from typing import Literal

from attrs import frozen

from assent.protocol.words import GrantKind, GrantScope


@frozen
class GrantsListParams:
    """Which: of one chat together with what is stored, or of all chats."""

    session_id: str | None = None


@frozen
class GrantEnd:
    """When a grant ends by itself; with several of these, with the first."""

    remaining_ms: int | None = None
    uses_left: int | None = None
    until_run_ends: bool | None = None


@frozen
class GrantInfo:
    """One grant, in words for a person: what it allows, who gave it when and on which card, how it was used."""

    grant_id: str
    kind: GrantKind
    scope: GrantScope
    text: str
    session_id: str | None = None
    agent_name: str | None = None
    given_at: str | None = None
    given_on: str | None = None
    """The headline of the card that was clicked."""
    used: int = 0
    last_used_at: str | None = None
    ends: GrantEnd | None = None
    setting: str | None = None
    """Where it is stored: the setting's name, its file and line."""
    file: str | None = None
    line: int | None = None
    effective: bool = True
    """False where it stands in the settings and counts for nothing, as without the user's agreement."""
    digest: str | None = None
    """Of what stands in the settings, as it is listed here."""


@frozen
class GrantsList:
    """The ones of chats first, then the stored ones."""

    grants: tuple[GrantInfo, ...]


@frozen
class GrantRef:
    """A grant by its id; with the digest that it was listed with, only as long as it still says the same."""

    grant_id: str
    digest: str | None = None


@frozen
class GrantRevoked:
    """It counts for no further call. Calls that run go on, and calls that wait go on waiting."""

    grant_id: str
    undoable: bool
    status: Literal["revoked"] = "revoked"


@frozen
class GrantRestored:
    """What was taken back by mistake counts again, as it was: with the end that it had."""

    grant: GrantInfo

"""What decides beside single grants, for a view of it: modes, rules, bypasses, the user's answers, the sandbox."""

from attrs import frozen

from assent.protocol.grants import GrantRevoked
from assent.protocol.words import Mode, RuleEffect, SettingsScope


@frozen
class SettingPlace:
    """Where something is said, as closely as it is known."""

    scope: SettingsScope
    file: str | None = None
    line: int | None = None


@frozen
class ModeStanding:
    """The mode that new chats start in."""

    mode: Mode
    digest: str
    place: SettingPlace | None = None
    """None where no settings say it."""
    stored_in: SettingsScope | None = None
    """In which settings another one would be stored; None where it cannot be."""
    locked: str | None = None
    """Why it cannot be changed here."""


@frozen
class RuleStanding:
    """One rule, or a tool of the allow-list. Under the same id, `grants/list` says where it stands."""

    grant_id: str
    effect: RuleEffect
    tool: str
    pattern: str
    does: str
    agents: tuple[str, ...] | None = None
    """Those that it is for; None where it is for all."""
    remark: str | None = None
    """Why it changes nothing."""
    beside: SettingPlace | None = None
    """Where the entry stands that is the reason."""


@frozen
class EffectOrder:
    """What comes before the rules of one effect, and what they come before."""

    effect: RuleEffect
    text: str


@frozen
class BypassStanding:
    """Whether an agent runs without asking, by the settings. The digest binds a click to what was shown."""

    agent: str
    on: bool
    why: str
    digest: str
    warning: str
    """What it would mean, and where it would be stored."""
    place: SettingPlace | None = None
    locked: str | None = None
    """Why it cannot be switched on."""


@frozen
class AnswerStanding:
    """What the user once answered about an entry of a folder's settings."""

    answer_id: str
    setting: str
    words: str
    honoured: bool
    folder: str
    at: str | None = None
    place: SettingPlace | None = None
    """Where the entry stands; None where it does not any more, or is another one by now."""


@frozen
class LockStanding:
    """Something that cannot be changed here, or takes something away everywhere, and why."""

    text: str
    setting: str | None = None
    place: SettingPlace | None = None


@frozen
class PermissionsOverview:
    """All of it, as it counts at this moment."""

    mode: ModeStanding
    orders: tuple[EffectOrder, ...]
    rules: tuple[RuleStanding, ...]
    bypasses: tuple[BypassStanding, ...]
    answers: tuple[AnswerStanding, ...]
    locks: tuple[LockStanding, ...]


@frozen
class SandboxStanding:
    """What holds commands on this machine and whether they run in it, in a sentence."""

    text: str
    place: SettingPlace | None = None


@frozen
class SetBypassParams:
    """On: for the agent as it was shown under the digest. Off: wherever it is said, and for this chat."""

    agent: str
    on: bool
    digest: str | None = None
    session_id: str | None = None


@frozen
class BypassSet:
    """What was taken back, each of which can be given back by `grants/undo`."""

    revoked: tuple[GrantRevoked, ...] = ()


@frozen
class SetDefaultModeParams:
    """The digest is that of the mode that was shown."""

    mode: Mode
    digest: str


@frozen
class AnswerRef:
    """One answer, by its id: of another answer on the same entry, the id is another one."""

    answer_id: str

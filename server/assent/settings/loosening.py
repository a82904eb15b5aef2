"""What a settings file would loosen, in the smallest pieces that a user can agree to."""

from dataclasses import dataclass

from assent.model.json import Json
from assent.settings.consent import Consent
from assent.settings.layers import Origin


@dataclass(frozen=True, slots=True)
class LooseningEntry:
    """One rule, one agent, one directory: `words` say what would happen without asking, `digest` binds it."""

    setting: str
    entry: str
    digest: str
    words: str
    before: Json
    after: Json
    origin: Origin

    @property
    def consent(self) -> Consent:
        """What the user agrees to."""
        return Consent(self.setting, self.entry, self.digest)

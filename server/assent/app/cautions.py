"""Why a file that a message names goes along only where the user says so once more, and what their yes is good for."""

import hashlib

from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.ids import SessionId
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.protected import is_secret
from assent.tools.places import Place

_LOOKS_KEPT = "It looks as if it held keys or passwords, and all of it would go to the model."


@dataclass(frozen=True, slots=True)
class Caution:
    """What the user reads, and the digest that stands for having read exactly this."""

    text: str
    digest: str


def caution_about(place: Place, decision: Decision, session_id: SessionId) -> Caution | None:
    """What a call of this chat that reads the file would be asked for because of the file itself."""
    asked = decision.outcome is Outcome.ASK and decision.reason is not Reason.NEEDS_APPROVAL
    keeps = any(map(is_secret, (place.real, place.named)))
    if not asked and not keeps:
        return None
    text = decision.text if asked else _LOOKS_KEPT
    reason = decision.reason.value if asked else ""
    bound = {"session": session_id, "named": place.named, "real": place.real, "reason": reason, "text": text}
    return Caution(text, hashlib.sha256(canonical_json({**bound, "secret": keeps})).hexdigest())

"""Keys and tokens in what a model is about to read: a mark stands for each, or the user is asked whether it gets them.

The user sees results as they are. What a mark stands for stays where it is: tools work on files, not on what was read.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_tokens
from assent.masking.marks import MARK
from assent.model.calls import OfGuest
from assent.model.conversation import ToolOutcome, ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.model.secrets_reading import SecretsReading

GIVE_SECRETS = "give_secrets"
LONGEST = 2_000_000
"""Characters that are looked through: more takes too long, and is more than a model gets."""
_BY_HAND = "What it returned holds what looks like secrets, and `assent.secrets.reading` says that you are asked."


def _show() -> SecretsReading:
    return SecretsReading.SHOW


@dataclass(frozen=True, slots=True)
class SecretsRule:
    """What is to become of secrets now, and which are known."""

    reading: Callable[[], SecretsReading] = _show
    known: Callable[[], frozenset[str]] = frozenset


def masked(outcome: ToolOutcome, known: frozenset[str]) -> ToolOutcome | None:
    """The result with a mark for each secret, and a word about that; None where it holds none."""
    # Who knows all of a file has seen more of a secret than the part that was read.
    text, count = outcome.masked if outcome.masked is not None else (outcome.content, 0)
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"
    text, more = mask_tokens(text, known)
    count += more
    if not count:
        return None
    what, stand = ("1 secret is", "mark") if count == 1 else (f"{count} secrets are", "marks")
    note = (
        f"\n[{what} masked for you: “[masked: …]”. Files keep what the {stand} stand{'s' if count == 1 else ''} for."
        " edit_file can change the other parts; never write a mark.]"
    )
    return replace(outcome, content=text + note, masked=None)


class GiveSecrets:
    """Asks whether the model gets one result as it is. Made for that one result."""

    spec = ToolSpec(GIVE_SECRETS, "Gives the model a result that holds secrets.", {"type": "object"})
    category = Category.READ

    def __init__(self, outcome: ToolOutcome) -> None:
        self._outcome = outcome

    def args(self, hidden: ToolOutcome) -> JsonObject:
        """What the card shows: which tool it was, and what kinds of secrets there are."""
        kinds = dict.fromkeys(mark[len("[masked: ") : -1] for mark in MARK.findall(hidden.content))
        holds = [kind for kind in kinds if kind != "…"]
        return {
            "tool": self._outcome.tool,
            "holds": holds,
            **({"path": self._outcome.path} if self._outcome.path else {}),
        }

    def fault(self, args: JsonObject) -> str | None:
        return None

    async def prepare(self, args: JsonObject) -> Prepared:
        return Prepared(
            headline=f"Let the model read the secrets that {self._outcome.tool} returned",
            directory="",
            preview=JsonPreview(readable_json(args)),
            paths=(),
            state=hashlib.sha256(self._outcome.content.encode("utf-8", "surrogatepass")).hexdigest(),
            grant_key="",
            perform=self._give,
            guest=OfGuest(by_hand=_BY_HAND),
            editable=False,
        )

    async def _give(self) -> ToolAnswer:
        return ToolAnswer("The model gets the result as it is.")

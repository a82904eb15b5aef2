"""The fate of every question, without I/O: registered, then exactly one ending; the first one counts."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from assent.approvals.choose import choose
from assent.model.approval import Answer, Card, Option, Question, Resolution
from assent.model.errors import ApprovalAlreadyResolved, ApprovalNotFound, DigestMismatch, NeedsOwnLook
from assent.model.ids import ApprovalId, SessionId

REMEMBERED_ENDINGS = 10_000
NOBODY_WAITS = (
    "no call waits under this id. If the card is from before a restart of the server, its call did not run; "
    "it may wait again under a new card"
)
"""What whoever answers is told of an id that this server never gave."""


class Ledger:
    """Waiting questions by id, and how the latest others ended, so that a late answer learns the truth."""

    def __init__(self, remembered: int = REMEMBERED_ENDINGS) -> None:
        self._waiting: dict[ApprovalId, Question] = {}
        self._shown: dict[ApprovalId, dict[str, Option]] = {}
        """Every option that a changed card has shown, by its id."""
        self._ended: OrderedDict[ApprovalId, Resolution] = OrderedDict()
        self._remembered = remembered
        self._last_choice: tuple[Card, Answer, Option] | None = None
        self._seq = 0

    def open(self, approval_id: ApprovalId, card: Card, created_at: str) -> Question:
        """Registers a question. From here on it can be answered."""
        if approval_id in self._waiting or approval_id in self._ended:
            raise ValueError("an approval id is used once")
        self._seq += 1
        question = Question(approval_id, self._seq, created_at, card)
        self._waiting[approval_id] = question
        return question

    def as_told(self, approval_id: ApprovalId, card: Card) -> Card:
        """The card with an id of its own for each meaning of an option: an id that was shown never comes to mean more.

        A click that is on its way names what its card showed, and that is what it can choose.
        """
        known = self.waiting_one(approval_id)
        ids = _by_id(card)
        if approval_id not in self._shown and card.options == known.card.options and len(ids) == len(card.options):
            return card
        shown = {**_by_id(known.card), **self._shown.get(approval_id, {})}
        return replace(card, options=tuple(_named_apart(option, shown) for option in card.options))

    def refresh(self, approval_id: ApprovalId, card: Card) -> Question:
        """Puts a new card, as it is told, in the place of one that has changed.

        If the call or the options are others, answers to the old one no longer count; not if only its words are.
        """
        known, self._last_choice = self.waiting_one(approval_id), None
        same = (card.digest, card.options) == (known.card.digest, known.card.options)
        question = replace(known, card=card, refreshed=known.refreshed or not same)
        if card.options != known.card.options:
            self._shown[approval_id] = {**_by_id(known.card), **self._shown.get(approval_id, {}), **_by_id(card)}
        self._waiting[approval_id] = question
        return question

    def note_settled(self, approval_id: ApprovalId, also_settles: Mapping[str, int]) -> Question:
        """What an answer would settle beside its own call. The card itself is the same: answers to it count."""
        question = replace(self.waiting_one(approval_id), also_settles=also_settles)
        self._waiting[approval_id] = question
        return question

    def check(self, approval_id: ApprovalId, answer: Answer) -> Option:
        """The option that this answer picks, or the fault for which it does not count. Nothing is answered by it."""
        question = self.waiting_one(approval_id)
        option = self._chosen_by(question, answer)
        if answer.digest is None and question.refreshed:
            raise DigestMismatch(approval_id, "this card has changed since; the answer must say which state it is for")
        if answer.digest is not None and answer.digest != question.card.digest:
            raise DigestMismatch(approval_id, "this answer is for something else than what would run now")
        if answer.option_id is None and option.grant is not None and self._meant_otherwise(approval_id, option):
            raise DigestMismatch(approval_id, "this answer meant something else on an earlier card; name it by its id")
        if answer.to_many and not option.kind.refuses and question.card.reason.wants_a_look:
            raise NeedsOwnLook(approval_id, "this call wants a look of its own; it still waits")
        self._last_choice = (question.card, answer, option)
        return option

    def _chosen_by(self, question: Question, answer: Answer) -> Option:
        # It is checked again after every wait of one answer, and seldom is the card another one by then.
        card, before, option = self._last_choice or (None, None, None)
        if card is question.card and before is answer and option is not None:
            return option
        return choose(question.approval_id, question.card, answer)

    def _meant_otherwise(self, approval_id: ApprovalId, option: Option) -> bool:
        shown = self._shown.get(approval_id, {}).values()
        return any(other.kind is option.kind and other != option for other in shown)

    def resolve(self, approval_id: ApprovalId, resolution: Resolution) -> Question:
        """Ends a question that still waits."""
        question = self.waiting_one(approval_id)
        del self._waiting[approval_id]
        self._shown.pop(approval_id, None)
        self._last_choice = None
        self._ended[approval_id] = resolution
        while len(self._ended) > self._remembered:
            self._ended.popitem(last=False)
        return question

    def waiting_one(self, approval_id: ApprovalId) -> Question:
        """The waiting question with this id, or the fault that tells why there is none."""
        question = self._waiting.get(approval_id)
        if question is not None:
            return question
        ending = self._ended.get(approval_id)
        if ending is None:
            raise ApprovalNotFound(approval_id, NOBODY_WAITS)
        raise ApprovalAlreadyResolved(
            approval_id,
            status=ending.status,
            decision=ending.decision,
            resolved_by=ending.by,
            at=ending.at,
        )

    def fate(self, approval_id: ApprovalId) -> Resolution | None:
        """How a question ended, as far as that is still remembered."""
        return self._ended.get(approval_id)

    def waiting(self, session_id: SessionId | None = None) -> tuple[Question, ...]:
        """All waiting questions, or those of one chat, in the order in which they were asked."""
        return tuple(q for q in self._waiting.values() if session_id is None or q.session_id == session_id)

    def __len__(self) -> int:
        return len(self._waiting)


def _by_id(card: Card) -> dict[str, Option]:
    return {option.option_id: option for option in card.options}


def _named_apart(option: Option, shown: Mapping[str, Option]) -> Option:
    names = (option.option_id if number == 1 else f"{option.option_id}~{number}" for number in count(1))
    candidates = (replace(option, option_id=name) for name in names)
    return next(one for one in candidates if shown.get(one.option_id, one) == one)

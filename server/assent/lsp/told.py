"""Which questions one client was shown: an answer counts from nobody else."""

from collections import OrderedDict

from assent.approvals.ledger import REMEMBERED_ENDINGS
from assent.model.ids import ApprovalId


class ToldQuestions:
    """Those that wait, and as many of those that have ended as the ledger remembers: a late answer learns the truth."""

    def __init__(self, remembered: int = REMEMBERED_ENDINGS) -> None:
        self._waiting: set[ApprovalId] = set()
        self._revealed: set[ApprovalId] = set()
        self._clean: dict[ApprovalId, tuple[str, frozenset[str]]] = {}
        self._ended: OrderedDict[ApprovalId, None] = OrderedDict()
        self._remembered = remembered

    def __contains__(self, approval_id: ApprovalId) -> bool:
        return approval_id in self._waiting or approval_id in self._ended

    def add(self, approval_id: ApprovalId) -> None:
        """It was shown this one."""
        self._waiting.add(approval_id)

    def reveal(self, approval_id: ApprovalId) -> None:
        """Its user wants to see the secrets of this one, if it still waits."""
        if approval_id in self._waiting:
            self._revealed.add(approval_id)

    def is_revealed(self, approval_id: ApprovalId) -> bool:
        """Whether it is shown this one with its secrets."""
        return approval_id in self._revealed

    def is_clean(self, approval_id: ApprovalId, digest: str, known: frozenset[str]) -> bool:
        """Whether no secret was found in this one as it is, with these keys known."""
        return self._clean.get(approval_id) == (digest, known)

    def found_clean(self, approval_id: ApprovalId, digest: str, known: frozenset[str]) -> None:
        """No secret was found in this one as it is, with these keys known."""
        if approval_id in self._waiting:
            self._clean[approval_id] = (digest, known)

    def ended(self, approval_id: ApprovalId) -> None:
        """This one ended, and if it was shown, it was told so."""
        if approval_id not in self._waiting:
            return
        self._waiting.remove(approval_id)
        self._revealed.discard(approval_id)
        self._clean.pop(approval_id, None)
        self._ended[approval_id] = None
        while len(self._ended) > self._remembered:
            self._ended.popitem(last=False)

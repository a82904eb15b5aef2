"""Which questions one client was shown, and how much of them: an answer counts from nobody else, and a yes to what
could not be seen does not count."""

from collections import OrderedDict
from dataclasses import field

from assent.approvals.ledger import REMEMBERED_ENDINGS
from assent.lazy_dataclasses import dataclass
from assent.model.ids import ApprovalId


@dataclass(slots=True)
class _Seen:
    """What of a call this client has, as it stands now."""

    digest: str
    masked: bool
    cut: bool
    upto: int = 0
    """So many letters of the arguments, from the first on, were asked for."""
    whole: bool = False
    files: set[int] = field(default_factory=set)
    """The files of a change that were asked for to their end."""


class ToldQuestions:
    """Those that wait, and as many of those that have ended as the ledger remembers: a late answer learns the truth."""

    def __init__(self, remembered: int = REMEMBERED_ENDINGS) -> None:
        self._waiting: set[ApprovalId] = set()
        self._revealed: set[ApprovalId] = set()
        self._clean: dict[ApprovalId, tuple[str, frozenset[str]]] = {}
        self._seen: dict[ApprovalId, _Seen] = {}
        self._ended: OrderedDict[ApprovalId, None] = OrderedDict()
        self._remembered = remembered

    def __contains__(self, approval_id: ApprovalId) -> bool:
        return approval_id in self._waiting or approval_id in self._ended

    def add(self, approval_id: ApprovalId) -> None:
        """It was shown this one."""
        self._waiting.add(approval_id)

    def showed(self, approval_id: ApprovalId, digest: str, *, masked: bool, cut: bool) -> None:
        """It was shown this one so. What was opened of another state of it says nothing of this one."""
        seen = self._seen.get(approval_id)
        if seen is None or seen.digest != digest:
            self._seen[approval_id] = _Seen(digest, masked, cut)
        else:
            seen.masked, seen.cut = masked, cut

    def opened(self, approval_id: ApprovalId, start: int, end: int, total: int) -> None:
        """It asked for this piece of the arguments."""
        seen = self._seen.get(approval_id)
        if seen is not None and start <= seen.upto:
            seen.upto = max(seen.upto, end)
            seen.whole = seen.whole or seen.upto >= total

    def opened_file(self, approval_id: ApprovalId, file: int, *, of: int, tell_all: bool) -> None:
        """It asked for a changed file to its end. `tell_all`: all these files are all of the call."""
        seen = self._seen.get(approval_id)
        if seen is not None:
            seen.files.add(file)
            seen.whole = seen.whole or (tell_all and len(seen.files) == of)

    def is_masked(self, approval_id: ApprovalId) -> bool:
        """Whether something on it is masked, and was not revealed."""
        seen = self._seen.get(approval_id)
        return seen is not None and seen.masked

    def is_cut(self, approval_id: ApprovalId) -> bool:
        """Whether it does not hold all of the call, and not all was asked for."""
        seen = self._seen.get(approval_id)
        return seen is not None and seen.cut and not seen.whole

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
        self._seen.pop(approval_id, None)
        self._ended[approval_id] = None
        while len(self._ended) > self._remembered:
            self._ended.popitem(last=False)

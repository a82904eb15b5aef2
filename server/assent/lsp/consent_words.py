"""A question about settings on the wire: for clients that draw it, and as a message box for those that do not."""

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.jsontext import carry
from assent.lazy_dataclasses import dataclass
from assent.lsp.plain_question import MAX_SHOWN, one_line
from assent.protocol import consent as wire
from assent.settings.spelling import PREFIX

if TYPE_CHECKING:
    from assent.app.consents import ConsentQuestion
    from assent.settings.loosening import LooseningEntry

REASON = "These settings would let something happen without asking you. They have no effect until you agree."
HONOUR, IGNORE = "Honour all", "Ignore all"


def consent_request(question: "ConsentQuestion") -> wire.ConsentRequest:
    """The question for a client that draws it."""
    return wire.ConsentRequest(
        consent_id=question.consent_id,
        workspace=question.workspace,
        entries=tuple(_entry(question, entry) for entry in question.entries),
        reason=REASON,
        digest=question.digest,
    )


def _entry(question: "ConsentQuestion", entry: "LooseningEntry") -> wire.ConsentEntry:
    return wire.ConsentEntry(
        entry_id=question.entry_id(entry),
        key=f"{PREFIX}.{entry.setting}",
        words=entry.words,
        before=carry(entry.before)[0],
        after=carry(entry.after)[0],
        file=entry.origin.file,
        line=entry.origin.line,
        digest=entry.digest,
    )


@dataclass(frozen=True, slots=True)
class PlainConsent:
    """The question as a message box. It says all of what would count, or offers no yes."""

    params: lsp.ShowMessageRequestParams
    honour: frozenset[str]
    """What a click on the first button agrees to."""


def plain_consent(question: "ConsentQuestion") -> PlainConsent:
    """The question in words."""
    lines = [one_line(f"{PREFIX}.{entry.setting}: {entry.words}") for entry in question.entries]
    shown = "\n".join(lines)
    whole = len(shown) <= MAX_SHOWN
    if not whole:
        shown = f"{shown[:MAX_SHOWN]}… They are too many to be shown here, so they can only be ignored."
    message = "\n".join([one_line(f"Settings in {question.workspace}"), REASON, shown])
    titles = [HONOUR, IGNORE] if whole else [IGNORE]
    return PlainConsent(
        lsp.ShowMessageRequestParams(
            type=lsp.MessageType.Warning,
            message=message,
            actions=[lsp.MessageActionItem(title=title) for title in titles],
        ),
        frozenset(question.entry_id(entry) for entry in question.entries) if whole else frozenset(),
    )

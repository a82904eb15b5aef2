"""Cards for tests of questions and answers."""

from dataclasses import replace

from assent.model.approval import Card, Option, OptionKind
from assent.model.calls import Caller, ToolCall
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.preview import JsonPreview
from assent.model.verdict import Reason, Situation
from assent.policy.options import Scope, options_for

CHAT = SessionId("chat")


def card(
    digest: str = "d0", *, situation: Situation = Situation.ORDINARY, bypass: bool = True, chat: SessionId = CHAT
) -> Card:
    """A card of a call of `write_file`, with the options of its situation."""
    return Card(
        headline="Write it",
        call=ToolCall(CallId("call"), "write_file", {}),
        caller=Caller("Demo", "Demo", chat, RunId("run")),
        category=Category.WRITE,
        mode=Mode.DEFAULT,
        reason=Reason.NEEDS_APPROVAL,
        reason_text="It writes.",
        digest=digest,
        options=options_for(situation, Scope("Demo", "write_file", bypass)),
        preview=JsonPreview("{}"),
        directory="/w",
        grant_key="write_file",
    )


def with_options(shown: Card, *kinds: OptionKind) -> Card:
    """The card with these options only."""
    return replace(shown, options=tuple(Option(kind.value, kind, kind.value) for kind in kinds))

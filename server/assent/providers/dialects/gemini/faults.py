"""What Gemini says when it cannot answer, and what the user can do about it."""

from assent.model.errors import ProviderFault
from assent.model.json import Json
from assent.providers.fields import items, member, text_in

_PASSING = frozenset({"RESOURCE_EXHAUSTED", "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "ABORTED"})
_MOST = 100
"""Characters of the server's own words that explain an end."""


def reported(answer: Json) -> ProviderFault | None:
    """The fault that an answer reports, by itself or as the first of a list; None where it reports none."""
    error = member(items(answer)[0] if items(answer) else answer, "error")
    if not error:
        return None
    words = text_in(member(error, "message")) or text_in(error) or "it reports a fault and does not name it"
    status = text_in(member(error, "status"))
    if "API key" in words:
        advice = "Store the right key with “Assent: Set API Key”."
        return ProviderFault("key_rejected", f"{words.strip().rstrip('.')}. {advice}")
    if "token count" in words and "exceed" in words:
        return ProviderFault("context_too_long", words)
    return ProviderFault("server_fault", words, passing=status in _PASSING)


def unfinished(reason: str, words: str) -> ProviderFault:
    """The fault of an answer that ended for a reason that is none to go on from."""
    said = f" ({words[:_MOST]})" if words else ""
    if reason == "MALFORMED_FUNCTION_CALL":
        text = f"the model's tool call was not valid and did not run{said}. Send the message again."
        return ProviderFault("malformed_call", text, passing=True)
    text = f"the answer ended early, for the reason {reason[:60]}{said}; what came with it did not run."
    return ProviderFault("unfinished_answer", f"{text} Send the message again.")

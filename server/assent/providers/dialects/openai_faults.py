"""Faults as OpenAI and the servers that follow it report them: in a body of its own, or in the middle of a stream."""

from assent.model.errors import ProviderFault
from assent.model.json import Json
from assent.providers.fields import items, member, senseless, text_in

SERVER = "OpenAI-compatible API"
_PASSING = ("rate_limit", "overloaded", "server_error", "unavailable", "timeout", "internal")


def fault_text(answer: Json) -> str | None:
    """The server's own words, wherever this server puts them; None where there are none."""
    if isinstance(answer, str):
        return answer.strip() or None
    error = member(answer, "error")
    words = fault_text(error) if error else None
    if words is None:
        words = (
            text_in(member(answer, "message")).strip()
            or _detail(member(answer, "message"))
            or _detail(member(answer, "detail"))
        )
    # A server that stands before others says in `metadata.raw` what the one behind it said.
    behind = text_in(member(member(answer, "metadata"), "raw")).strip()
    if words and behind:
        return f"{words}: {behind}"
    if words is None:
        return next((found for item in items(answer) if (found := fault_text(item))), None)
    return words


def reported(error: Json) -> ProviderFault:
    """The fault that a server reports in an answer which had begun well."""
    kind = f"{member(error, 'code')} {text_in(member(error, 'type'))}".lower()
    number = member(error, "code")
    by_number = isinstance(number, int) and (number == 429 or number >= 500)
    passing = by_number or any(word in kind for word in _PASSING)
    words = (fault_text(error) or "it does not say why").rstrip(".")
    advice = " It may work in a moment." if passing else ""
    return ProviderFault("server_fault", f"{words}.{advice}", passing=passing)


def broken_off(why: str) -> ProviderFault:
    """The server ended the answer before the model did, and has one word for it."""
    return ProviderFault("server_fault", f"its server ended it: {why}. It may work in a moment.", passing=True)


def _detail(detail: Json) -> str | None:
    """Servers that check requests field by field answer with a list of what is wrong with which."""
    if isinstance(detail, str):
        return detail.strip() or None
    if inner := member(detail, "detail"):
        return _detail(inner)
    faults = [
        f"{'.'.join(str(part) for part in items(member(item, 'loc')))}: {text_in(member(item, 'msg'))}"
        for item in items(detail)
        if text_in(member(item, "msg"))
    ]
    return "; ".join(faults) or None


def nonsense(what: str) -> ProviderFault:
    """The fault of an answer that is not in the format."""
    return senseless(SERVER, what)

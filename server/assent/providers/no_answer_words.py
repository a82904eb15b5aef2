"""Why a server that a tool asks gave no answer, in words for the model and the user."""

from assent.providers.connection import Trouble

_WORDS = {
    Trouble.REFUSED: ("unreachable", "Nothing answers at {at}. Is the server started?"),
    Trouble.UNKNOWN_HOST: ("unreachable", "No machine has the name in {at}."),
    Trouble.NOT_TRUSTED: ("not_trusted", "{at} does not prove who it is, so nothing was sent."),
    Trouble.NO_CONNECTION: ("unreachable", "{at} cannot be reached."),
    Trouble.SILENT: ("silent", "{at} said nothing for too long."),
    Trouble.BROKEN: ("broken_off", "{at} ended the connection before it had answered."),
    Trouble.GARBLED: ("malformed_answer", "{at} does not answer with HTTP as it should."),
}


def told(trouble: Trouble, at: str) -> tuple[str, str]:
    """The code and the words for this trouble with the server that is called so."""
    code, words = _WORDS[trouble]
    return code, words.format(at=at)
